"""How long completion takes in a large session: half of the answers, 99 % of them, and the slowest first answer."""

from __future__ import annotations

import time

from evaluator import Session
from tests.benchmarks.measure import MODULES, Ratios

VARIABLES, RESOURCES, ROUNDS = 200, 500, 20
CELL = "".join(f"notify {{ 'n{i}': message => \"m ${{var_{i}}}\" }}\n" for i in range(60))
TYPED = (
    *(
        "$",
        "$var_1",
        "$var_10['",
        "$var_10[",
        '"a ${va',
        "$var_3.",
        "'abc'.",
        "[1].ma",
        "n",
        "notic",
        "F",
        "Array[",
    ),
    *(
        "file { '/x': ",
        "file { '/x': ensure => ",
        "File['",
        "File[",
        "include ",
        "include apa",
        "include apache::",
    ),
    *("class { 'apache': ", "apache::vh", "apache::vhost { 'x': ", "class a inh"),
)


def completion() -> Ratios:
    """Wall-clock seconds of answers, alone and at the end of a cell of 60 lines; there is nothing to compare."""
    session = Session(interactive=True, modulepath=[str(MODULES)])
    program = "".join(f"$var_{i} = {{ 'key' => [{i}], 'name' => 'v{i}' }}\n" for i in range(VARIABLES))
    program += "".join(f"file {{ '/etc/f{i}': ensure => file }}\n" for i in range(RESOURCES))
    assert session.run(program).error is None
    found: Ratios = {}
    for label, before in (("alone", ""), ("long cell", CELL)):
        first = max(_seconds(session, before + text) for text in TYPED)
        times = sorted(_seconds(session, before + text) for text in TYPED * ROUNDS)
        found[f"{label}, median"] = times[len(times) // 2], None
        found[f"{label}, 99 %"] = times[len(times) * 99 // 100], None
        found[f"{label}, first time"] = first, None
    return found


def _seconds(session: Session, text: str) -> float:
    start = time.perf_counter()
    session.complete(text, len(text))
    return time.perf_counter() - start
