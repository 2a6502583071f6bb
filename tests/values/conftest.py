"""The regular expressions of installed modules, which several tests of values use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

MODULES = Path("/usr/share/puppet/modules")
LITERAL = re.compile(
    r"(?:=~|!~|[\[,{:]|\bnode|\?)\s*/((?:[^/\n\\]|\\.)+)/(?=\s*[,\]):{=]|\s*$)", re.MULTILINE
)


@pytest.fixture(scope="session")
def module_regexps() -> list[str]:
    """Return the regular expressions in the manifests of the installed modules."""
    literals: set[str] = set()
    for folder in MODULES.iterdir() if MODULES.is_dir() else ():
        for manifest in folder.resolve().rglob("*.pp"):
            literals.update(LITERAL.findall(manifest.read_text(errors="replace")))
    if not literals:
        pytest.skip("no modules are installed")
    return sorted(literals)
