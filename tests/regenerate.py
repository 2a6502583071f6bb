"""Write the generated files of the repository, or compare them.

`python -m tests.regenerate [--check] [NAME …]` writes the files that have changed. With `--check`, it lists the files
that differ and exits with code 1. To add a generated file, add a row to `GENERATORS`; `.gitattributes` hides these
files in diffs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.structure import ROOT

NOTEBOOKS = ROOT / "notebooks"
Files = Iterator[tuple[Path, str]]


def render_parse_tables() -> Files:
    """Yield the LALR tables of both grammars."""
    from lexer_parser.grammar.driver import RELEASED, SPECIFICATION
    from lexer_parser.grammar.generate import render_tables

    for grammar in (RELEASED, SPECIFICATION):
        yield ROOT / "lexer_parser" / "grammar" / f"{grammar.table}.py", render_tables(grammar)


def render_function_index() -> Files:
    """Yield the table of the modules that define the built-in functions."""
    from tests.functions.function_index import format_index

    yield ROOT / "evaluator" / "calling" / "index.py", format_index()


def render_command_index() -> Files:
    """Yield the table of the modules that declare the commands."""
    from tests.commands.command_index import render_index

    yield ROOT / "puppet_kernel" / "commands" / "index.py", render_index()


def render_methods() -> Files:
    """Yield the table of the functions that completion offers after a value and a dot."""
    from tests.completion.method_table import format_table

    yield ROOT / "evaluator" / "assistance" / "words" / "methods.py", format_table()


def render_exercises() -> Files:
    """Yield the notebooks with the exercises of `notebooks/exercises`."""
    from puppet_kernel.exercises.__main__ import update_notebook

    for exercises in sorted((NOTEBOOKS / "exercises").glob("*.yaml")):
        for notebook in sorted(NOTEBOOKS.glob(f"{exercises.stem}-*.ipynb")):
            yield notebook, update_notebook(notebook, exercises)


def render_reference() -> Files:
    """Yield the reference notebook; code cells that are unchanged keep their saved outputs."""
    from tests.exercises.reference_notebook import build_notebook

    path = NOTEBOOKS / "reference.ipynb"
    yield path, with_saved_outputs(path, build_notebook())


def render_specification() -> Files:
    """Yield the notebooks of the documents of the specification, with saved outputs."""
    from tests.specification.specification_notebooks import render_notebooks

    for name, rendered in render_notebooks():
        path = NOTEBOOKS / "specification" / name
        yield path, with_saved_outputs(path, rendered)


def with_saved_outputs(path: Path, rendered: dict[str, Any]) -> str:
    """Return the text of a notebook whose unchanged code cells have the outputs of the file."""
    from puppet_kernel.rendering.markdown import to_text

    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"cells": [], "metadata": {}}
    saved = {cell["id"]: cell for cell in before["cells"]}
    rendered["metadata"] = {**rendered["metadata"], **before["metadata"]}
    for cell in rendered["cells"]:
        same = saved.get(cell["id"], {})
        if cell["cell_type"] == "code" and same.get("source") == cell["source"]:
            cell["outputs"], cell["execution_count"] = same["outputs"], same["execution_count"]
    return to_text(rendered)


def execute_reference() -> None:
    """Run the reference notebook and save its outputs, if a code cell has none yet."""
    execute(NOTEBOOKS / "reference.ipynb")


def execute_specification() -> None:
    """Run the notebooks of the specification that have a code cell without outputs."""
    for path in sorted((NOTEBOOKS / "specification").glob("*.ipynb")):
        execute(path)


def execute(path: Path) -> None:
    """Run a notebook and save its outputs, if a code cell has none yet."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    if any(cell.cell_type == "code" and cell.execution_count is None for cell in notebook.cells):
        client = NotebookClient(
            notebook, timeout=60, record_timing=False, resources={"metadata": {"path": str(path.parent)}}
        )
        client.execute()
        nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


# Each kind of generated file: the function that renders the files, and one to call after they were written.
GENERATORS: dict[str, tuple[Callable[[], Files], Callable[[], None] | None]] = {
    "parse-tables": (render_parse_tables, None),
    "function-index": (render_function_index, None),
    "command-index": (render_command_index, None),
    "methods": (render_methods, None),
    "exercises": (render_exercises, None),
    "reference": (render_reference, execute_reference),
    "specification": (render_specification, execute_specification),
}


@cache
def render_files(name: str) -> dict[Path, str]:
    """Return the texts that the files of a generator should have."""
    render, _ = GENERATORS[name]
    return dict(render())


def find_stale(name: str) -> dict[Path, str]:
    """Return the generated files that differ from their source, with the correct text."""
    return {
        path: text
        for path, text in render_files(name).items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def main(arguments: list[str]) -> int:
    """Write or compare the generated files and print those that differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.regenerate", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GENERATORS)}; default: all")
    options = parser.parse_args(arguments)
    unknown = set(options.names) - GENERATORS.keys()
    if unknown:
        parser.error(f"unknown generator: {', '.join(sorted(unknown))}")
    is_stale = False
    for name in options.names or GENERATORS:
        stale = find_stale(name)
        for path, text in stale.items():
            is_stale = True
            print(path.relative_to(ROOT))
            if not options.check:
                path.write_text(text, encoding="utf-8")
        finish = GENERATORS[name][1]
        if stale and finish is not None and not options.check:
            finish()
    return 1 if is_stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
