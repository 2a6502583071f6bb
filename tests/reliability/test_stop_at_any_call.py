"""A program that is stopped at its n-th call, for many n, leaves no incomplete state behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
POINTS = int(os.environ.get("PUPPET_KERNEL_INTERRUPTS", "30"))

# Each stop has a process of its own, in which nothing is loaded or compiled yet.
RUNNER = r"""
import os, random, sys
sys.path.insert(0, sys.argv[1])
from evaluator import Session
from evaluator.session import stack_threads
from evaluator.session.timeline import Timeline

PROGRAMS = [
    "$a = [1, 2].map |$x| { sprintf('%05d', $x) } notice($a) $a",
    'class c($p = 1) { notify { "n${p}": } } include c',
    "type A = Array[Integer] [1] =~ A",
    "'abc' =~ /a(.)c/ $r = $1",
    "define d() { notify { $title: } } d { 'x': }",
    "split('a,b', ',').join('-').upcase",
    "Timestamp(0).strftime('%Y')",
    "regsubst('aXb', '[A-Z]', '-', 'G')",
    "inline_epp('<%= 1 + 1 %>')",
    "function f(Integer $x) { $x * 2 } f(4)",
    "file { '/tmp/x': ensure => present }",
    "SemVer('1.2.3') > SemVer('1.0.0')",
    "fail('x')",
]

def run_all(session):
    outcomes = map(session.run, PROGRAMS)
    return repr([(o.text, o.type, str(o.error), [line.message for line in o.logs]) for o in outcomes])

def run_stopped(program, number):
    count = 0
    def trace(frame, event, argument):
        nonlocal count
        if not stack_threads.is_unstoppable(frame):
            count += 1
            if count == number:
                sys.settrace(None)
                raise KeyboardInterrupt
    session = Session("puppet", interactive=True)
    evaluate = Timeline.evaluate
    def traced(*arguments, **named):
        sys.settrace(trace)
        try:
            return evaluate(*arguments, **named)
        finally:
            sys.settrace(None)
    Timeline.evaluate = traced
    error = session.run(program).error
    Timeline.evaluate = evaluate
    hit = count == number
    assert error.code == "INTERRUPTED" if hit else error is None or program == "fail('x')", error
    return f"{hit} {run_all(session)}"

def run_in_child(function, *arguments):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        with open(writing, "w") as pipe:
            pipe.write(function(*arguments))
        os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        answer = pipe.read()
    os.wait()
    return answer

chance = random.Random(1)
right = run_in_child(lambda: run_all(Session("puppet", interactive=True)))
assert right
hits = 0
for _ in range(int(sys.argv[2])):
    program, number = chance.choice(PROGRAMS), int(chance.uniform(1, 3.6) ** 6)
    hit, _, answer = run_in_child(run_stopped, program, number).partition(" ")
    hits += hit == "True"
    if answer != right:
        print(f"differs when stopped at call {number} of {program}")
assert hits > int(sys.argv[2]) / 4, hits
"""


def test_a_program_can_be_stopped_at_any_call() -> None:
    result = subprocess.run(
        [sys.executable, "-c", RUNNER, str(ROOT), str(POINTS)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
