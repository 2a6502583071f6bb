"""`python -m tests.benchmarks [PART …]` prints ratios of times.

The parts are the keys of PARTS. `--workloads FOLDER` replaces the workloads. `--programs FILE --modules FOLDER` adds
programs that use any folder of modules; `programs.py` describes the file.

A ratio of 2 means that the project is twice as fast as the program it is compared with: the released Puppet in the same
run, or for the kernel the Python kernel of ipykernel. Without the released Puppet, only times are printed.
The part `growth` compares the time for a text with four times that for a quarter of it: a ratio near 1 is linear time.
The part `sessions` compares a cell in a large session with the same cell in a small one: a ratio near 1 is a constant
cost.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from puppet_kernel import process
from tests.benchmarks import measure
from tests.benchmarks.catalogs import measure_cache, measure_catalogs
from tests.benchmarks.completion import measure_completion
from tests.benchmarks.fleet import measure_fleet
from tests.benchmarks.growth import measure_growth, measure_sessions
from tests.benchmarks.kernels import measure_kernels
from tests.benchmarks.programs import measure_programs

PARTS = {
    "parsing": lambda options: measure.measure_parsing(),
    "workloads": lambda options: measure.measure_workloads(options.workloads),
    "catalogs": lambda options: measure_catalogs(),
    "cached": lambda options: measure_cache(),
    "programs": lambda options: measure_programs(options.programs, options.modules),
    "processes": lambda options: measure.measure_processes(),
    "kernels": lambda options: measure_kernels(),
    "completion": lambda options: measure_completion(),
    "fleet": lambda options: measure_fleet(),
    "growth": lambda options: measure_growth(),
    "sessions": lambda options: measure_sessions(),
}


def main() -> None:
    """Run the parts that the command line names, all by default."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (default: all)")
    parser.add_argument("--workloads", type=Path, help="another folder of workloads")
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
