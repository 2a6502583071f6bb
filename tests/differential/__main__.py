"""Run random programs here and in a release of Puppet, and print the differences.

    python -m tests.differential [--count N] [--seed N] [--show N] [--catalogs] [--dialect D]

The release of the dialect and this project run each program with their own defaults. The programs with different
results are printed, the shortest first; differences that `known.py` explains are only counted. The exit status is 1 if
a difference is not explained.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random

from lexer_parser.dialect import RELEASES
from tests.differential.comparison import Difference, find_differences
from tests.differential.programs import make_program
from tests.differential.released import Released
from tests.released.unpacking import find_options

CHUNK = 1000


def main() -> int:
    """Run the programs in chunks, report the progress after each, and print the differences."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="how many programs (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the random programs (default: 0)")
    parser.add_argument("--show", type=int, default=20, help="how many differences to print (default: 20)")
    parser.add_argument("--catalogs", action="store_true", help="programs that fill a catalog")
    parser.add_argument("--dialect", choices=[dialect.name for dialect in RELEASES], default="puppet7")
    options = parser.parse_args()
    ruby_options = find_options(options.dialect)
    if ruby_options is None:
        print("the release is missing: see tests/released/unpacking.py", file=sys.stderr)
        return 2
    random = Random(options.seed)
    differences: list[Difference] = []
    with Released(options=ruby_options) as released:
        for start in range(0, options.count, CHUNK):
            size = min(CHUNK, options.count - start)
            sources = [
                make_program(Random(random.getrandbits(64)), catalogs=options.catalogs) for _ in range(size)
            ]
            differences += find_differences(sources, released.run(sources), options.dialect)
            print(f"{start + size} programs, {len(differences)} differences", file=sys.stderr)
    unexplained = sorted(
        (each for each in differences if each.reason is None), key=lambda each: len(each.source)
    )
    for difference in unexplained[: options.show]:
        print(difference, end="\n\n")
    for reason, count in Counter(each.reason for each in differences if each.reason).most_common():
        print(f"{count:6}  {reason}")
    print(f"{len(unexplained):6}  not explained, in {options.count} programs")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
