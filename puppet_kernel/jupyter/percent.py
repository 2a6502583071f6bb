"""Notebooks as `.pp` files in jupytext's formats.

    python -m puppet_kernel.jupyter.percent --to pp:percent a.ipynb

jupytext has no extension point for languages. This module copies, for manifests, the rows of jupytext's tables for
shell scripts, whose comments look the same. The command is jupytext's own; for paired notebooks in JupyterLab, put
`import puppet_kernel.jupyter.percent` into `jupyter_server_config.py`.
"""

from __future__ import annotations

import copy
import re
import sys
from types import ModuleType
from typing import Any

from jupytext import cli, formats, languages, magics

COPIES = {".sh": ".pp", "bash": "puppet"}  # a key of a table of jupytext -> the key of the copy of its row
ROW = {"language": "puppet", "comment": "#"}
DIRECTIVE = re.compile(r"\s*(?:# |#)*(?:%[a-zA-Z]|\?+[\w$:])")  # a command or `?name`, commented out or not


def extend() -> None:
    """Add manifests to jupytext's tables, once."""
    if ".pp" in languages._SCRIPT_EXTENSIONS:
        return
    for module in (languages, magics):
        _extend_tables(module)
    magics._MAGIC_RE["puppet"] = DIRECTIVE
    languages._SCRIPT_EXTENSIONS[".pp"] = ROW
    for shell_format in [row for row in formats.JUPYTEXT_FORMATS if row.extension == ".sh"]:
        manifest_format = copy.copy(shell_format)
        manifest_format.extension = ".pp"
        manifest_format.cell_exporter_class = _make_exporter(shell_format.cell_exporter_class)
        formats.JUPYTEXT_FORMATS.append(manifest_format)
    formats.NOTEBOOK_EXTENSIONS.append(".pp")


def _make_exporter(base: Any) -> Any:  # Any: jupytext has no types
    """Return an exporter of cells whose titles stay on the line of their comment."""

    class OneLineExporter(base):  # type: ignore[misc]
        def __init__(self, cell: Any, *arguments: Any, **options: Any) -> None:
            cell = copy.deepcopy(cell)
            for name in ("title", "region_name"):
                if isinstance(cell.metadata.get(name), str):
                    cell.metadata[name] = " ".join(cell.metadata[name].split())
            super().__init__(cell, *arguments, **options)

    return OneLineExporter


def _extend_tables(module: ModuleType) -> None:
    """Copy the row for shell scripts in each table of a module."""
    for table in vars(module).values():
        for old, new in COPIES.items():
            if isinstance(table, dict) and old in table:
                table[new] = table[old]
            elif isinstance(table, set) and old in table:
                table.add(new)
            elif isinstance(table, list) and old in table:
                table.append(new)


main: Any = cli.jupytext
extend()
if __name__ == "__main__":
    sys.exit(main())
