"""The generator of `evaluator/calling/index.py`.

`python -m tests.functions.function_index` writes the file.
"""

from __future__ import annotations

import textwrap
from importlib import import_module
from pathlib import Path

from evaluator.calling import index, registry

_ROOT = Path(index.__file__).parents[1]
_PACKAGES = ("functions", "hiera")
_HEAD = '''"""The module of each built-in function, so that a program imports only what it calls.

Written by `python -m tests.functions.function_index`; a test compares it with the declarations.
"""

from __future__ import annotations

# fmt: off
FAMILIES: dict[str, str] = {
'''
_END = """}
# fmt: on

MODULES: dict[str, str] = {name: family for family, names in FAMILIES.items() for name in names.split()}
"""


def format_index() -> str:
    """Return the source of the index for the present declarations with `@function`."""
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            if "@function(" in path.read_text(encoding="utf-8"):
                parts = path.relative_to(_ROOT).with_suffix("").parts
                import_module(".".join(("evaluator", *parts)).removesuffix(".__init__"))
    families: dict[str, list[str]] = {}
    for function in registry.REGISTRY.values():
        families.setdefault(function.family, []).append(function.name)
    rows = []
    for family, names in sorted(families.items()):
        lines = textwrap.wrap(" ".join(sorted(names)), 100, break_long_words=False, break_on_hyphens=False)
        strings = [f'        "{line}"' for line in (*(f"{line} " for line in lines[:-1]), lines[-1])]
        rows += [f'    "{family}": (', *strings, "    ),"]
    return _HEAD + "\n".join(rows) + "\n" + _END


if __name__ == "__main__":
    Path(index.__file__).write_text(format_index(), encoding="utf-8")
