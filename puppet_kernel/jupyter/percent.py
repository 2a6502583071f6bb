"""Notebooks as `.pp` files in jupytext's formats: `python -m puppet_kernel.jupyter.percent --to pp:percent a.ipynb`.

jupytext has a table of the languages that it knows, and no way to add to it but this: what it has for shell scripts,
whose comments begin alike, it gets for manifests too. The command is its own with the table so extended; for paired
notebooks in JupyterLab, `import puppet_kernel.jupyter.percent` in `jupyter_server_config.py` extends it there.
"""

from __future__ import annotations

import copy
import re
import sys
from types import ModuleType
from typing import Any

from jupytext import cli, formats, languages, magics

LIKE = {".sh": ".pp", "bash": "puppet"}
ROW = {"language": "puppet", "comment": "#"}
DIRECTIVE = re.compile(r"\s*(?:# |#)*(?:%[a-zA-Z]|\?+[\w$:])")  # a command or question, commented or not


def extend() -> None:
    """Adds manifests to what jupytext knows; once is enough."""
    if ".pp" in languages._SCRIPT_EXTENSIONS:
        return
    for module in (languages, magics):
        _extend_tables(module)
    magics._MAGIC_RE["puppet"] = DIRECTIVE
    languages._SCRIPT_EXTENSIONS[".pp"] = ROW
    known = [one for one in formats.JUPYTEXT_FORMATS if one.extension == ".sh"]
    for one in known:
        twin = copy.copy(one)
        twin.extension = ".pp"
        formats.JUPYTEXT_FORMATS.append(twin)
    formats.NOTEBOOK_EXTENSIONS.append(".pp")


def _extend_tables(module: ModuleType) -> None:
    """In each table of a module that knows shell scripts, manifests are alike."""
    for table in vars(module).values():
        for old, new in LIKE.items():
            if isinstance(table, dict) and old in table:
                table[new] = table[old]
            elif isinstance(table, set) and old in table:
                table.add(new)
            elif isinstance(table, list) and old in table:
                table.append(new)


def main(arguments: list[str] | None = None) -> Any:
    """jupytext's own command."""
    return cli.jupytext(arguments)


extend()
if __name__ == "__main__":
    sys.exit(main())
