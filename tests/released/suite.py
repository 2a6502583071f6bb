"""`python -m tests.released.suite CHECKOUT [--dialect D]` runs Puppet's own tests.

CHECKOUT is a checkout of Puppet. Its examples run under RSpec with the newest unpacked release, and each source
that they parse is recorded. The release of the dialect and this project evaluate each of these programs, with their own
defaults. Differences that a table explains are counted by reason; the exit status is 1 if there are others. The Debian
packages ruby-rspec, ruby-rspec-its, ruby-webmock and ruby-vcr are required.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from lexer_parser.dialect import RELEASES
from tests.differential.comparison import Difference, find_differences
from tests.differential.released import Released
from tests.released.unpacking import find_options

# The folders and files of the suite whose examples are about the language.
PATHS = (
    *("spec/unit/pops", "spec/unit/functions", "spec/unit/parser", "spec/unit/data_providers"),
    *("spec/unit/resource", "spec/unit/functions4_spec.rb", "spec/unit/resource_spec.rb"),
    *("spec/integration/parser", "spec/integration/resource", "spec/integration/environments"),
    "spec/integration/data_binding_spec.rb",
)
SECONDS = 120  # for the examples of one file
LONGEST = 6_000  # characters of a program

# Patterns of programs with other results here, and the reasons.
REASONS = (
    (r"\bPuppet::AST::|\bPcore::ObjectTypeExtenType", "types of the syntax tree of Puppet, which is in Ruby"),
    (
        r"\bPuppet::Resource::(ResourceType3|Param)\b",
        "resource types as `puppet generate types` writes them in Ruby",
    ),
    (r"\bRubyMethod\b", "methods of an object type that are written in Ruby"),
    (r"\bPuppet::LookupContext\b", "a lookup context outside a lookup keeps values of the Ruby process"),
    (r"\bannotate\(", "annotations are attached to objects of the Ruby process"),
    (r"\bPcore::ObjectType\b", "the type of object types prints patterns of the Ruby code of Puppet"),
    (r"\bSshkey\b", "the types of modules that packages of Puppet contain are known without the modules"),
    (r"\bscanf\b", "the library scanf is no part of Ruby 3 and may be missing"),
    (r"@\([^)]*:json", "versions of the JSON library differ in the number before an error"),
    (r"(?s)\bstrftime\('", "the current time differs between the two runs"),
)


def record_sources(checkout: Path) -> list[str]:
    """Return the sources that the examples of a checkout parse, without duplicates."""
    options = find_options("puppet") or []
    with tempfile.NamedTemporaryFile() as recorded:
        environment = {**os.environ, "RECORD": recorded.name, "LC_ALL": "C.UTF-8"}
        for path_in_checkout in PATHS:
            target = checkout / path_in_checkout
            for path in sorted(target.rglob("*_spec.rb")) if target.is_dir() else [target]:
                examples = [
                    "-I",
                    "spec/lib",
                    *_find_library_options(options),
                    "-r",
                    str(Path(__file__).with_name("record.rb")),
                ]
                command = ["ruby", *options, "-S", "rspec", *examples, str(path.relative_to(checkout))]
                try:
                    subprocess.run(
                        command,
                        cwd=checkout,
                        env=environment,
                        capture_output=True,
                        timeout=SECONDS,
                        check=False,
                    )
                except subprocess.TimeoutExpired:
                    print(f"{path}: ended after {SECONDS} s", file=sys.stderr)
        lines = Path(recorded.name).read_text(encoding="utf-8").splitlines()
    return [source for source in dict.fromkeys(map(json.loads, lines)) if len(source) <= LONGEST]


def _find_library_options(options: list[str]) -> list[str]:
    """Return the options that put the library of a release before the one of the checkout."""
    return options[options.index("-I") :] if "-I" in options else []


def find_reason(difference: Difference) -> str | None:
    """Return the reason of a difference, or None if no table contains one."""
    if difference.reason is not None:
        return difference.reason
    return next((reason for pattern, reason in REASONS if re.search(pattern, difference.source)), None)


def main() -> int:
    """Record the programs, evaluate them here and in the release, and print the differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of Puppet")
    parser.add_argument("--dialect", choices=[release.name for release in RELEASES], default="puppet")
    parser.add_argument("--show", type=int, default=20, help="how many differences to print (default: 20)")
    arguments = parser.parse_args()
    options = find_options(arguments.dialect)
    if options is None:
        print("the release is missing: see tests/released/unpacking.py", file=sys.stderr)
        return 2
    sources = record_sources(arguments.checkout.resolve())
    with Released(options=options) as released:
        differences = find_differences(sources, released.run(sources), arguments.dialect)
    reasons = Counter(filter(None, map(find_reason, differences)))
    unexplained = [difference for difference in differences if find_reason(difference) is None]
    for difference in sorted(unexplained, key=lambda difference: len(difference.source))[: arguments.show]:
        print(difference, end="\n\n")
    for reason, count in reasons.most_common():
        print(f"{count:6}  {reason}")
    print(f"{len(unexplained):6}  not explained, in {len(sources)} programs")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
