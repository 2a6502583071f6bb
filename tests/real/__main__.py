"""`python -m tests.real [--count N] [--seed N] [--allow NAME …]` compares real modules.

Declare each class and define of the installed modules with several sets of facts, or a sample of them, here and in the
released Puppet. Print the shares with the same answer, of all programs and of those that need no Ruby, and the causes
of the differences with their counts. A program needs Ruby if its answer differs without the permission to run Ruby.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from random import Random

from evaluator.facts import read_facts
from evaluator.program.settings import PERMISSIONS
from tests.differential.released import Released
from tests.real.answers import Answer, compute_answer, find_cause, generalize
from tests.real.programs import MODULES, Program, generate_programs
from tests.released.ruby_scripts import is_installed

# The answer of the released Puppet to a program, that of the project, and True if the program needs Ruby.
Comparison = tuple[Answer, Answer, bool]

NODE = "node1.example.com"
CHUNK = 50
# The permissions that common modules need.
USUAL_PERMISSIONS = ("templates", "files", "ruby")
IN_RUBY = {"templates", "ruby"}


def main() -> int:
    """Compare the programs in chunks and print the table at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=0, help="how many programs (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="where the chance starts (default: 0)")
    parser.add_argument(
        "--show", type=int, default=2, help="how many programs of a cause to name (default: 2)"
    )
    parser.add_argument("--modules", type=Path, default=MODULES, help="a folder of modules")
    parser.add_argument("--only", default="", help="only names that contain this")
    parser.add_argument("--systems", nargs="+", default=["debian-11", "redhat-8", "ubuntu-22.04"])
    parser.add_argument("--allow", nargs="*", default=USUAL_PERMISSIONS, choices=sorted(PERMISSIONS))
    parser.add_argument(
        "--full", action="store_true", help="print the answers to the programs that are named"
    )
    options = parser.parse_args()
    if not is_installed() or not options.modules.is_dir():
        print("the released Puppet and modules are needed", file=sys.stderr)
        return 2
    programs = [
        Program(name, system, source)
        for name, source in generate_programs(options.modules)
        for system in options.systems
        if options.only in name
    ]
    if 0 < options.count < len(programs):
        programs = Random(options.seed).sample(programs, options.count)
    print_report(programs, compare_programs(programs, options), options)
    return 0


def compare_programs(programs: list[Program], options: argparse.Namespace) -> list[Comparison]:
    """Return the answers of both to each program, and True if it needs Ruby."""
    comparisons: list[Comparison] = []
    without = [name for name in options.allow if name not in IN_RUBY]
    modulepath = [str(options.modules)]
    facts = {system: read_facts(system, NODE) for system in options.systems}
    with Released(Path(__file__).with_name("released.rb")) as released:
        for start in range(0, len(programs), CHUNK):
            chunk = programs[start : start + CHUNK]
            queries = [
                {"source": program.source, "facts": facts[program.system], "modulepath": modulepath}
                for program in chunk
            ]
            for program, answer in zip(chunk, released.run(queries), strict=True):
                here = compute_answer(program.source, facts[program.system], modulepath, options.allow)
                needs_ruby = here != compute_answer(
                    program.source, facts[program.system], modulepath, without
                )
                comparisons.append((answer or {"error": "the process ended"}, here, needs_ruby))
                # A long run may be stopped before it prints its table.
                if difference := find_cause(*comparisons[-1][:2]):
                    print(f"{program.name}, {program.system}: {difference}", file=sys.stderr)
            same = sum(not find_cause(*pair) for *pair, _ in comparisons)
            print(f"{len(comparisons)} programs, {same} same", file=sys.stderr)
    return comparisons


def format_share(numbers: Collection[int], same: Collection[int], description: str) -> str:
    """Return a line with the share of programs that have the released answer."""
    count = len({*numbers} & {*same})
    percent = f"{100 * count / len(numbers):.2f} %" if numbers else "none"
    return f"{percent} of {len(numbers)} {description} have the released answer"


def print_report(programs: list[Program], answers: list[Comparison], options: argparse.Namespace) -> None:
    """Print the shares and the table of causes."""
    causes: dict[str, list[int]] = defaultdict(list)
    for number, (*pair, _) in enumerate(answers):
        causes[find_cause(*pair)].append(number)
    same = causes.pop("", [])
    catalogs = sum("catalog" in answers[number][0] for number in same)
    plain = [number for number, (_, _, needs_ruby) in enumerate(answers) if not needs_ruby]
    print(format_share(range(len(programs)), same, "programs"))
    print(format_share(plain, same, "that need no Ruby"))
    print(f"{catalogs} catalogs, {len(same) - catalogs} errors; the causes of the rest:")
    for difference, numbers in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"{len(numbers):6}  {difference}")
        for number in numbers[: options.show]:
            print(f"          {programs[number].name}, {programs[number].system}")
            if options.full:
                for title, answer in zip(("released", "here"), answers[number][:2], strict=True):
                    print(f"            {title}: {answer.get('error') or generalize('a catalog')}")


if __name__ == "__main__":
    sys.exit(main())
