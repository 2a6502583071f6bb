"""`python -m tests.benchmarks [PART …] [--workloads FOLDER]` prints ratios; the parts are the keys of PARTS.

`--programs FILE --modules FOLDER` adds programs over any folder of modules; `programs` describes the file.

A ratio above 1 means that the project is so many times faster than what it is compared with: the released Puppet
in the same run, or for the kernel ipykernel's own Python kernel. Without the released Puppet only times are shown.
With `growth` a text is compared with four times a quarter of it: near 1 is linear time. With `sessions` a cell of a
large session is compared with the same one in a small session: near 1 is a cost that does not grow.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from puppet_kernel import process
from tests.benchmarks import measure
from tests.benchmarks.catalogs import cached, catalogs
from tests.benchmarks.completion import completion
from tests.benchmarks.fleet import fleet
from tests.benchmarks.growth import growth, sessions
from tests.benchmarks.kernels import kernels
from tests.benchmarks.programs import programs

PARTS = {
    "parsing": lambda options: measure.parsing(),
    "workloads": lambda options: measure.workloads(options.workloads),
    "catalogs": lambda options: catalogs(),
    "cached": lambda options: cached(),
    "programs": lambda options: programs(options.programs, options.modules),
    "processes": lambda options: measure.processes(),
    "kernels": lambda options: kernels(),
    "completion": lambda options: completion(),
    "fleet": lambda options: fleet(),
    "growth": lambda options: growth(),
    "sessions": lambda options: sessions(),
}


def main() -> None:
    """Runs the parts asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (default: all)")
    parser.add_argument("--workloads", type=Path, help="a folder of workloads instead of the project's own")
    parser.add_argument("--programs", type=Path, help="a file of programs, for the part of that name")
    parser.add_argument("--modules", type=Path, help="the folder of modules that these programs use")
    options = parser.parse_args()
    process.configure()
    for part in options.parts or PARTS:
        print(f"{part}:")
        for name, (ours, theirs) in PARTS[part](options).items():
            ratio = f"{theirs / ours:8.1f} x" if theirs is not None else "         -"
            print(f"  {name:<28} {ours * 1000:10.2f} ms {ratio}")


if __name__ == "__main__":
    main()
