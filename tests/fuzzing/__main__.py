"""`python -m tests.fuzzing [--count N] [--seed S] [--released]` runs random inputs.

It prints each violation on a line with its input as a Python literal, and its progress on the standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice

from tests.fuzzing.inputs import Input, generate_inputs, read_installed_corpus, read_own_corpus
from tests.fuzzing.properties import find_violations

CHUNK = 5000


def main() -> int:
    """Run the number of inputs in the options, and return 1 if there are violations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first chunk")
    parser.add_argument("--released", action="store_true", help="compare with the released Puppet instead")
    options = parser.parse_args()
    corpus = read_own_corpus() + read_installed_corpus()
    count = 0
    start = time.monotonic()
    for offset in range(0, options.count, CHUNK):
        size = min(CHUNK, options.count - offset)
        chunk = islice(generate_inputs(options.seed + offset // CHUNK, corpus), size)
        for case, violation in _compare(chunk) if options.released else _check(chunk):
            print(" ".join(violation.split()), repr(case), sep="\t", flush=True)
            count += 1
        print(
            f"{offset + size} inputs, {count} violations, {time.monotonic() - start:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    return 1 if count else 0


def _check(cases: Iterable[Input]) -> Iterator[tuple[Input, str]]:
    for case in cases:
        for violation in find_violations(case):
            yield case, violation


def _compare(cases: Iterable[Input]) -> Iterator[tuple[Input, str]]:
    from tests.fuzzing.released import find_differences

    yield from find_differences(list(cases))


if __name__ == "__main__":
    sys.exit(main())
