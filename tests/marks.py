"""The marks that tests have by folder or file, and the order of tests by marks.

Single tests carry a `@pytest.mark` of their own.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, islice
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"  # its files share a server and a page

# Mark: folders and files of tests, relative to this folder.
MARKS: dict[str, tuple[str, ...]] = {
    # These take long, wait for other processes, or measure time or memory.
    "slow": (
        "browser",
        "commands/test_random_notebooks.py",
        "console",
        "conversions/test_conversions.py",
        "differential",
        "environments/test_environments.py",
        "environments/test_exported.py",
        "exercises/test_notebook_exercises.py",
        "fleet/test_released.py",
        "functions/test_unusual_characters.py",
        "fuzzing",
        "kernel/test_converting.py",
        "kernel/test_launching.py",
        "kernel/test_nbval.py",
        "kernel/test_parameters.py",
        "kernel/test_replay.py",
        "kernel/test_run_all.py",
        "kernel/test_strange_clients.py",
        "operators/test_operators_released.py",
        "parsing/test_garbage.py",
        "parsing/test_parsing_released.py",
        "parsing/test_parsing_tables.py",
        "pyodide",
        "real",
        "released",
        "reliability",
        "rendering/test_value_views.py",
        "ruby/test_faults.py",
        "ruby/test_released.py",
        "safety/test_audit.py",
        "safety/test_bounded_views.py",
        "safety/test_stopping_functions.py",
        "safety/test_damage.py",
        "safety/test_untrusted_data.py",
        "safety/test_linear_time.py",
        "safety/test_long_arguments.py",
        "safety/test_files_outside.py",
        "safety/test_waiting_thread.py",
        "sessions/test_notebooks.py",
        "sessions/test_released.py",
        "sessions/test_fixed_points.py",
        "test_notebooks.py",
        "types/test_large_types.py",
        "types/test_types_released.py",
    ),
    # These run the released Puppet or Ruby if it is installed.
    "released": (
        "differential",
        "fleet/test_released.py",
        "operators/test_operators_released.py",
        "parsing/test_parsing_released.py",
        "real",
        "released",
        "ruby",
        "sessions/test_released.py",
        "types/test_types_released.py",
    ),
    # These drive Chromium, or run in WebAssembly.
    "browser": ("browser", "pyodide"),
}


@cache
def list_marks(path: Path) -> list[str]:
    """Return the marks of the tests in a file."""
    if not path.is_relative_to(TESTS):
        return []
    relative = path.relative_to(TESTS)
    places = {str(relative), *map(str, relative.parents)}
    return [mark for mark, marked in MARKS.items() if places.intersection(marked)]


def order_for_workers(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return tests in an order in which each worker begins with its share of the long ones.

    Each worker receives a slice of equal length, and steals the last tests of another worker when its slice is done:
    these should be short. Tests that share fixtures stay together: those of a file, and those of the browser.
    """
    units: dict[Path, list[pytest.Item]] = {}
    for item in items:
        folder = item.path.parent
        units.setdefault(folder if folder == BROWSER else item.path, []).append(item)
    long = [unit for unit in units.values() if any(item.get_closest_marker("slow") for item in unit)]
    short = chain.from_iterable(unit for unit in units.values() if unit not in long)
    ordered: list[pytest.Item] = []
    for number in range(workers):
        ordered += chain.from_iterable(long[number::workers])
        ordered += islice(short, max(0, len(items) * (number + 1) // workers - len(ordered)))
    return ordered
