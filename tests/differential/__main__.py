"""`python -m tests.differential [--count N] [--seed N] [--show N] [--catalogs] [--dialect D]`: random programs.

Both the release of the dialect and this project are asked, each with its own defaults.

Prints where this project and the released Puppet answer otherwise, the shortest programs first; what `known.py`
explains is only counted. The exit status is 1 when a difference is not explained.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random

from lexer_parser.dialect import RELEASES
from tests.differential.comparison import Difference, differing
from tests.differential.programs import program
from tests.differential.released import Released
from tests.released.unpacking import find_options

CHUNK = 1000


def main() -> int:
    """Asks in chunks, so that what is found early is seen early."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="how many programs (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="where the chance starts (default: 0)")
    parser.add_argument("--show", type=int, default=20, help="how many differences to print (default: 20)")
    parser.add_argument("--catalogs", action="store_true", help="programs that fill a catalog")
    parser.add_argument("--dialect", choices=[one.name for one in RELEASES], default="puppet7")
    options = parser.parse_args()
    ruby_options = find_options(options.dialect)
    if ruby_options is None:
        print("the release is not here: see tests/released/unpacking.py", file=sys.stderr)
        return 2
    random = Random(options.seed)
    found: list[Difference] = []
    with Released(options=ruby_options) as released:
        for start in range(0, options.count, CHUNK):
            size = min(CHUNK, options.count - start)
            sources = [
                program(Random(random.getrandbits(64)), catalogs=options.catalogs) for _ in range(size)
            ]
            found += differing(sources, released.ask(sources), options.dialect)
            print(f"{start + size} programs, {len(found)} differences", file=sys.stderr)
    unexplained = sorted((one for one in found if one.reason is None), key=lambda one: len(one.source))
    for difference in unexplained[: options.show]:
        print(difference, end="\n\n")
    for reason, count in Counter(one.reason for one in found if one.reason).most_common():
        print(f"{count:6}  {reason}")
    print(f"{len(unexplained):6}  not explained, in {options.count} programs")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
