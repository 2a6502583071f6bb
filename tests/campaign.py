"""`python -m tests.campaign [--minutes N] [--seed S]`: search for defects in random cases.

Each part gets the same share of the time: mutated sources, random programs and commands, random edits of notebooks,
faults of file operations, hostile cells in a kernel, killed processes, and damaged machines. The same seed makes the
same cases, as many as the time permits. The exit code is 1 if there is a defect; each is printed with its case.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from evaluator import Session
from evaluator.session import dialect_notes
from tests.fuzzing import inputs, programs, properties
from tests.reliability import faults, hostile_cells, machines
from tests.sessions import notebooks

# A part yields a sentence for each case, or "" for one without a defect. It takes a seed and runs until it is closed.
Part = Callable[[int], Generator[str, None, None]]
_PROGRAMS = 10  # in one folder
_PAIRS = 3  # killed sessions with one history and one cache
_CELLS = 10  # for one hostile kernel
_STEPS = 14  # of a user of one notebook


def search_inputs(seed: int) -> Generator[str, None, None]:
    """Parse, print, highlight and check mutated sources."""
    for case in inputs.generate_inputs(seed, inputs.read_own_corpus()):
        yield "; ".join(
            f"{' '.join(defect.split())}: {case!r}" for defect in properties.find_violations(case)
        )


def search_programs(seed: int) -> Generator[str, None, None]:
    """Run random programs and commands in a shell, and render their output in each medium."""
    for number in count(seed * 1_000_000):
        defects = [
            f"{violation}: {source!r}" for source, violation in programs.run_campaign(_PROGRAMS, number)
        ]
        yield from defects + [""] * (_PROGRAMS - len(defects))


def search_notebooks(seed: int) -> Generator[str, None, None]:
    """Edit random notebooks, and compare each with a new session that runs the same cells."""
    for name in ("QUICK_SECONDS", "LONGEST_SECONDS", "MOST_WAITING"):
        setattr(dialect_notes, name, 60.0)  # the time for notes about the other dialect is not limited
    for number in count(seed * 1_000_000):
        yield _edit_notebook(Random(number))


def _edit_notebook(random: Random) -> str:
    """Return the difference of a session from a new one with the same cells; "" if none."""
    dialect, steps = random.choice(("spec", "puppet")), list[Any]()
    session = Session(dialect, interactive=True)
    for _ in range(_STEPS):
        steps.append(_make_step(random))
        try:
            notebooks.perform(session, steps[-1])
        except Exception as problem:
            return f"{dialect}: {type(problem).__name__}: {problem} after {steps!r}"
        other = Session(dialect, interactive=True)
        outcomes = [other.run(cell.source, number=cell.number) for cell in session.cells]
        visible_outcomes = [notebooks.get_visible_outcome(cell.outcome) for cell in session.cells]
        if notebooks.describe_state(session) != notebooks.describe_state(other) or visible_outcomes != [
            *map(notebooks.get_visible_outcome, outcomes)
        ]:
            return f"{dialect}: a session differs from its cells in order after {steps!r}"
    return ""


def _make_step(random: Random) -> Any:
    """Return a random action of a user for `notebooks.perform`."""
    source, name = random.choice(notebooks.TEXTS), random.choice(notebooks.IDS)
    others = [
        *(("new", source), ("stopped", name, source, random.randint(1, 4000)), ("undo",), ("redo",)),
        *(("again", random.randint(0, 6)), ("forget", random.sample(notebooks.IDS, 1))),
    ]
    return random.choice([*[("run", name, source)] * 3, *others])


def search_faults(seed: int) -> Generator[str, None, None]:
    """Let random file operations of a session or a command fail."""
    random = Random(seed)
    counts = dict.fromkeys(faults.SCENES, 400)  # assumed number of operations of each scene
    while True:
        scene, kind = random.choice(sorted(faults.SCENES)), random.choice(faults.KINDS)
        faults.load_modules(scene)
        failing = random.randint(1, counts[scene])  # the number of the operation that fails
        number, operation, defects = faults.run_with_fault(scene, failing, kind)
        if 0 < number < failing:  # the scene has fewer operations
            counts[scene] = number
        yield f"{scene}, operation {failing} ({operation}), {kind}: {'; '.join(defects)}" if defects else ""


def search_attacks(seed: int) -> Generator[str, None, None]:
    """Run hostile cells in a kernel, and interrupt those that do not end."""
    random = Random(seed)
    cells = [*hostile_cells.list_cells()]
    while True:
        kernel = hostile_cells.KernelUnderTest(random.choice(sorted(hostile_cells.KERNELS)))
        try:
            for name, sources in random.sample(cells, _CELLS):
                with suppress(RuntimeError):  # the kernel died and has recorded a violation
                    kernel.run(name, sources, hostile_cells.PATIENCE)
                yield "; ".join(kernel.violations)
                kernel.violations.clear()
            kernel.check_alive()
        finally:
            kernel.close()
        yield "; ".join(kernel.violations)


def search_crashes(seed: int) -> Generator[str, None, None]:
    """Kill sessions that share a history and a cache."""
    for number in count(seed * 1_000_000):
        with tempfile.TemporaryDirectory() as folder:
            defects = [*machines.kill_sessions(Path(folder), number, _PAIRS)]
        yield from defects + [""] * (_PAIRS - len(defects))


def search_machines(seed: int) -> Generator[str, None, None]:
    """Run programs and kernels on damaged machines."""
    random = Random(seed)
    names = [*machines.list_machines()]
    while True:
        with tempfile.TemporaryDirectory() as folder:
            name = random.choice(names)
            yield "; ".join(machines.run_commands(Path(folder), name))
            yield machines.run_kernel(Path(folder), name)


PARTS: dict[str, Part] = {
    part.__name__.removeprefix("search_"): part
    for part in (
        *(search_inputs, search_programs, search_notebooks, search_faults),
        *(search_attacks, search_crashes, search_machines),
    )
}


def search(name: str, seed: int, seconds: float) -> list[str]:
    """Run a part, report it, and return its defects."""
    start, cases, defects = time.monotonic(), 0, dict[str, None]()
    with closing(PARTS[name](seed)) as part:
        while time.monotonic() - start < seconds:
            try:
                defect = next(part)
            except Exception as problem:  # an error of a part is a defect; the other parts still run
                defect, seconds = f"{type(problem).__name__}: {problem}", 0.0
            cases += 1
            if defect:
                defects[f"{name}: {defect}"] = None
                print(f"{name}: {defect}", flush=True)
    elapsed = time.monotonic() - start
    print(f"{name:10}{cases:8,} cases{len(defects):6} defects{elapsed:7.0f} s", flush=True)
    return [*defects]


def main() -> int:
    """Search for as long as the options say, and print a report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2].splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="of all parts together")
    parser.add_argument("--seed", type=int, default=None, help="by default a new one, which is printed")
    parser.add_argument("--only", choices=PARTS, default=None, help="one part")
    options = parser.parse_args()
    seed = SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    only = f" --only {options.only}" if options.only else ""
    print(f"python -m tests.campaign --minutes {options.minutes:g} --seed {seed}{only}", flush=True)
    names = [options.only] if options.only else [*PARTS]
    with tempfile.TemporaryDirectory() as folder:
        for variable in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = folder
        seconds = options.minutes * 60 / len(names)
        defects = [defect for name in names for defect in search(name, seed, seconds)]
    print(f"{len(defects)} defects in {', '.join(names)}")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
