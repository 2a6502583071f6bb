"""`python -m tests.ruby.digests` writes which functions of the installed stdlib are built in, by their digests.

To be run after the built-in functions have been compared with those of another stdlib.
"""

from __future__ import annotations

import re
from pathlib import Path

from evaluator.calling import registry
from evaluator.ruby.built_in import digest
from tests.structure import ROOT

STDLIB = Path("/usr/share/puppet/modules/stdlib")
FOLDERS = ("lib/puppet/functions", "lib/puppet/parser/functions")
TABLE = ROOT / "evaluator" / "ruby" / "built_in.py"
# What is built in, and gives something else in cases that the table of functions tells.
DIFFER: frozenset[str] = frozenset()


def installed() -> dict[str, str]:
    """The digests of the functions that are built in, by their paths in the module."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((STDLIB / folder).rglob("*.rb")):
            name = "::".join(path.relative_to(STDLIB / folder).with_suffix("").parts)
            if name not in DIFFER and registry.find_function(name) is not None:
                found[str(path.relative_to(STDLIB))] = digest(path.read_text())
    return found


def main() -> None:
    """Writes the table; what it had of other versions stays."""
    text = TABLE.read_text()
    every = sorted({*re.findall(r"\b[0-9a-f]{16}\b", text), *installed().values()})
    rows = [" ".join(every[start : start + 6]) for start in range(0, len(every), 6)]
    body = "\n".join(f"    {row}" for row in rows)
    before = text[: text.index("_TABLE = ")]
    TABLE.write_text(f'{before}_TABLE = """\n{body}\n"""\nBUILT_IN = frozenset(_TABLE.split())\n')


if __name__ == "__main__":
    main()
