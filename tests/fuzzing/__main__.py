"""`python -m tests.fuzzing [--count N] [--seed S] [--released] [--log FILE]`: runs a campaign.

Prints every violation with its input as a Python literal, one per line; progress goes to the standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice

from tests.fuzzing.inputs import Input, inputs, installed_corpus, own_corpus
from tests.fuzzing.properties import violations

CHUNK = 5000


def main() -> int:
    """Run the number of inputs that the options name; the exit code is 1 if there are violations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first chunk")
    parser.add_argument("--released", action="store_true", help="compare with the released Puppet instead")
    options = parser.parse_args()
    corpus = own_corpus() + installed_corpus()
    found = 0
    begun = time.monotonic()
    for done in range(0, options.count, CHUNK):
        chunk = islice(inputs(options.seed + done // CHUNK, corpus), min(CHUNK, options.count - done))
        for case, violation in _compared(chunk) if options.released else _checked(chunk):
            print(" ".join(violation.split()), repr(case), sep="\t", flush=True)
            found += 1
        print(
            f"{done + CHUNK} inputs, {found} violations, {time.monotonic() - begun:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    return 1 if found else 0


def _checked(cases: Iterable[Input]) -> Iterator[tuple[Input, str]]:
    for case in cases:
        for violation in violations(case):
            yield case, violation


def _compared(cases: Iterable[Input]) -> Iterator[tuple[Input, str]]:
    from tests.fuzzing.released import find_differences

    yield from find_differences(list(cases))


if __name__ == "__main__":
    sys.exit(main())
