"""Times of completion in a large session: median, 99 %, and the first reply."""

from __future__ import annotations

import time

from evaluator import Session
from tests.benchmarks.measure import MODULES, Ratios

VARIABLES, RESOURCES, ROUNDS = 200, 500, 20
CELL = "".join(f"notify {{ 'n{i}': message => \"m ${{var_{i}}}\" }}\n" for i in range(60))
INPUTS = (
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


def measure_completion() -> Ratios:
    """Measure elapsed seconds of replies, for inputs alone and after 60 lines of a cell."""
    session = Session(interactive=True, modulepath=[str(MODULES)])
    program = "".join(f"$var_{i} = {{ 'key' => [{i}], 'name' => 'v{i}' }}\n" for i in range(VARIABLES))
    program += "".join(f"file {{ '/etc/f{i}': ensure => file }}\n" for i in range(RESOURCES))
    assert session.run(program).error is None
    ratios: Ratios = {}
    for label, before in (("alone", ""), ("long cell", CELL)):
        first = max(_measure_reply(session, before + text) for text in INPUTS)
        times = sorted(_measure_reply(session, before + text) for text in INPUTS * ROUNDS)
        ratios[f"{label}, median"] = times[len(times) // 2], None
        ratios[f"{label}, 99 %"] = times[len(times) * 99 // 100], None
        ratios[f"{label}, first time"] = first, None
    return ratios


def _measure_reply(session: Session, text: str) -> float:
    start = time.perf_counter()
    session.complete(text, len(text))
    return time.perf_counter() - start
