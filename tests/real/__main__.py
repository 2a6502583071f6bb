"""`python -m tests.real [--count N] [--seed N] [--allow NAME …]`: classes and defines of real modules, asked of both.

Every class and define of the modules found is declared under some fact sets, or a sample of them. Prints the share
that gets the released Puppet's answer, of all and of those that need no Ruby, and the causes of the rest with how
often each is met. A program needs Ruby when it is answered otherwise where Ruby may not run.
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
from tests.real.answers import Answer, cause, kind, ours
from tests.real.programs import MODULES, Program, sources
from tests.released.asking import is_installed

# the released Puppet's answer to a program, the project's, and whether the program needs Ruby
Asked = tuple[Answer, Answer, bool]

NODE = "node1.example.com"
CHUNK = 50
# what a session may be allowed to do for modules as they are
USUAL = ("templates", "files", "ruby")
IN_RUBY = {"templates", "ruby"}


def main() -> int:
    """Asks in chunks and prints the table at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=0, help="how many programs (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="where the chance starts (default: 0)")
    parser.add_argument(
        "--show", type=int, default=2, help="how many programs of a cause to name (default: 2)"
    )
    parser.add_argument("--modules", type=Path, default=MODULES, help="a folder of modules")
    parser.add_argument("--only", default="", help="only names that contain this")
    parser.add_argument("--systems", nargs="+", default=["debian-11", "redhat-8", "ubuntu-22.04"])
    parser.add_argument("--allow", nargs="*", default=USUAL, choices=sorted(PERMISSIONS))
    parser.add_argument(
        "--full", action="store_true", help="print the answers to the programs that are named"
    )
    options = parser.parse_args()
    if not is_installed() or not options.modules.is_dir():
        print("the released Puppet and modules are needed", file=sys.stderr)
        return 2
    programs = [
        Program(name, system, source)
        for name, source in sources(options.modules)
        for system in options.systems
        if options.only in name
    ]
    if 0 < options.count < len(programs):
        programs = Random(options.seed).sample(programs, options.count)
    report(programs, asked(programs, options), options)
    return 0


def asked(programs: list[Program], options: argparse.Namespace) -> list[Asked]:
    """The answers of both to programs, and whether each needs Ruby."""
    found: list[Asked] = []
    without = [name for name in options.allow if name not in IN_RUBY]
    modulepath = [str(options.modules)]
    facts = {system: read_facts(system, NODE) for system in options.systems}
    with Released(Path(__file__).with_name("released.rb")) as released:
        for start in range(0, len(programs), CHUNK):
            chunk = programs[start : start + CHUNK]
            asking = [
                {"source": one.source, "facts": facts[one.system], "modulepath": modulepath} for one in chunk
            ]
            for one, answer in zip(chunk, released.ask(asking), strict=True):
                here = ours(one.source, facts[one.system], modulepath, options.allow)
                needs_ruby = here != ours(one.source, facts[one.system], modulepath, without)
                found.append((answer or {"error": "the process ended"}, here, needs_ruby))
                if told := cause(*found[-1][:2]):  # a long run may be ended before its table is there
                    print(f"{one.name}, {one.system}: {told}", file=sys.stderr)
            same = sum(not cause(*pair) for *pair, _ in found)
            print(f"{len(found)} programs, {same} same", file=sys.stderr)
    return found


def share(numbers: Collection[int], same: Collection[int], words: str) -> str:
    """How many programs have the released answer, as it is printed."""
    known = len({*numbers} & {*same})
    percent = f"{100 * known / len(numbers):.2f} %" if numbers else "none"
    return f"{percent} of {len(numbers)} {words} have the released answer"


def report(programs: list[Program], answers: list[Asked], options: argparse.Namespace) -> None:
    """Prints the shares and the table of causes."""
    causes: dict[str, list[int]] = defaultdict(list)
    for number, (*pair, _) in enumerate(answers):
        causes[cause(*pair)].append(number)
    same = causes.pop("", [])
    catalogs = sum("catalog" in answers[number][0] for number in same)
    plain = [number for number, (_, _, needs_ruby) in enumerate(answers) if not needs_ruby]
    print(share(range(len(programs)), same, "programs"))
    print(share(plain, same, "that need no Ruby"))
    print(f"{catalogs} catalogs, {len(same) - catalogs} errors; the causes of the rest:")
    for told, numbers in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"{len(numbers):6}  {told}")
        for number in numbers[: options.show]:
            print(f"          {programs[number].name}, {programs[number].system}")
            if options.full:
                for title, answer in zip(("released", "here"), answers[number][:2], strict=True):
                    print(f"            {title}: {answer.get('error') or kind('a catalog')}")


if __name__ == "__main__":
    sys.exit(main())
