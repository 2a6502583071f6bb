"""The structure: imports point one way, start-up stays light, files stay readable."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = {
    "lexer_parser": {
        "evaluator",
        "puppet_kernel",
        "IPython",
        "ipykernel",
        "jupyter_client",
        "prompt_toolkit",
        "pygments",
    },
    "evaluator": {"puppet_kernel", "IPython", "ipykernel", "jupyter_client", "prompt_toolkit", "pygments"},
}
GENERATED = {"parsetab.py", "parsetab_spec.py", "table.py"}
FILES = sorted(
    path for layer in ("lexer_parser", "evaluator", "puppet_kernel") for path in (ROOT / layer).rglob("*.py")
)
# Longer than the aim on purpose: one declaration after another, read by looking things up.
LONG = {"grammar.py", "catalog.py"}
MOST_LINES = 500


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_one_way(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        assert not imported(path) & LAYERS[layer], path


def loaded_by(*arguments: str) -> set[str]:
    """The modules that are loaded when the command has run."""
    code = f"""
import sys
sys.argv = ['puppet-repl', *{arguments!r}]
from puppet_kernel.__main__ import main
try:
    main()
except SystemExit:
    pass
print(*sys.modules, sep='\\n', file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_an_expression_runs_without_front_ends_and_generators() -> None:
    loaded = loaded_by("-e", "1 + 1")
    for module in (
        "ply",
        "prompt_toolkit",
        "ipykernel",
        "IPython",
        "pygments",
        "jupyter_client",
        "regex",
        "yaml",
        "dataclasses",
    ):
        assert module not in loaded


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_readable(path: Path) -> None:
    if path.name in GENERATED:
        return
    text = path.read_text(encoding="utf-8")
    if path.name not in LONG:
        assert text.count("\n") <= MOST_LINES
    tree = ast.parse(text)
    if text.strip():
        assert ast.get_docstring(tree), "a module says what it is for"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            # What a decorator registers is called by its table, not by name.
            assert node.decorator_list or ast.get_docstring(node) or node.name.startswith("p_"), node.name
