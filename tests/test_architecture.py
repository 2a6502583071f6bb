"""Tests of the structure: the order of imports, the cost of the start, the sizes of files.

`python -m tests.test_architecture` prints each figure with its limit and the places it counts.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from lexer_parser.dialect import SPEC
from puppet_kernel.cli.options import ALLOW_VARIABLE, OPTIONS
from puppet_kernel.commands.command import COMMANDS
from tests import structure
from tests.marks import MARKS
from tests.structure import ROOT

# From the lowest layer to the highest: a component imports only components that precede it.
ORDER = (
    *("lexer_parser.memo", "lexer_parser.lazy", "lexer_parser.record"),
    *("lexer_parser.dialect", "lexer_parser.source", "lexer_parser.operators", "lexer_parser.errors"),
    *(
        "lexer_parser.issues",
        "lexer_parser.tree",
        "lexer_parser.regexps",
        "lexer_parser.lexing",
        "lexer_parser.diagnostics",
    ),
    *("lexer_parser.grammar", "lexer_parser.validation", "lexer_parser.parsing", "lexer_parser.printing"),
    *("lexer_parser.lint", "lexer_parser", "lexer_parser.check"),
    *("evaluator.resource_types", "evaluator.facts"),
    *("evaluator.issues", "evaluator.limits", "evaluator.specification"),
    *("evaluator.values", "evaluator.program"),
    "evaluator.types",
    *("evaluator.catalog", "evaluator.calling"),
    *("evaluator.kinds", "evaluator.help", "evaluator.ruby"),
    *("evaluator.operators", "evaluator.functions", "evaluator.compiler"),
    *("evaluator.hiera", "evaluator.assistance"),
    *("evaluator.running", "evaluator.cache", "evaluator.fleet", "evaluator.debugger"),
    *("evaluator.session", "evaluator.checking", "evaluator"),
    *("puppet_kernel", "puppet_kernel.process", "puppet_kernel.remedies", "puppet_kernel.rendering"),
    "puppet_kernel.guides",
    *("puppet_kernel.replies", "puppet_kernel.user_files", "puppet_kernel.debugging"),
    "puppet_kernel.exercises",
    *("puppet_kernel.commands", "puppet_kernel.shell", "puppet_kernel.terminal"),
    *("puppet_kernel.cli", "puppet_kernel.jupyter", "puppet_kernel.browser", "puppet_kernel.site"),
    "puppet_kernel.__main__",
)

FRONT_ENDS = {"puppet_kernel", "IPython", "ipykernel", "jupyter_client", "prompt_toolkit", "pygments"}
LAYERS = {"lexer_parser": {"evaluator", *FRONT_ENDS}, "evaluator": FRONT_ENDS}

# The modules that functions import, the reason, and the milliseconds of CPU time that `puppet-repl -e '1 + 1'` saves
# because of it. Zero means that only another way to start saves time.
LAZY_IMPORTS: dict[str, tuple[str, float]] = {
    "evaluator.checking.name_checks": ("most programs use only built-in names and their own", 0),
    "evaluator.checking.symbols": ("most programs use only built-in names and their own", 0),
    "evaluator.catalog.export": ("most cells of notebooks write no catalog", 0.5),
    "evaluator.catalog.rich_data": ("most cells of notebooks write no catalog", 3.1),
    "evaluator.cache": ("sessions without modules cache nothing", 1.0),
    "evaluator.calling.call_mismatches": ("only refused calls are explained", 0.3),
    "evaluator.compiler.outlining": ("few programs are nested so deeply", 0.2),
    "evaluator.facts.systems": ("most sessions name no system", 0.3),
    "evaluator.help": ("most programs have no error", 1.3),
    "evaluator.help.near_names": ("most programs know their names", 1.3),
    "evaluator.hiera": ("most sessions have no data", 9.2),
    "evaluator.issues.language": ("the rows are needed only for errors", 0.2),
    "evaluator.issues.types": ("the rows are needed only for errors", 0.2),
    "evaluator.resource_types.tables": ("the rows are needed only when a resource is declared", 0.7),
    "evaluator.ruby.functions": ("few programs run Ruby", 50.0),
    "evaluator.session.environment": ("most sessions have no environment", 0.4),
    "evaluator.session.names": ("most cells are the last one and have no error", 0.1),
    "evaluator.session.comparison": ("most cells are the last one", 0.2),
    "evaluator.session.diagnostics": ("only an interactive user sees diagnostics", 0.3),
    "evaluator.session.dialect_notes": ("only an interactive user sees dialect notes", 0.2),
    "evaluator.session.fleet_program": ("most sessions have one node", 0.5),
    "evaluator.types.parsing": ("few programs use these types", 2.4),
    "evaluator.types.lazy_types": ("few programs use these types", 5.5),
    "evaluator.values.regexp_translator": ("most programs match nothing", 0.8),
    "lexer_parser.lexing.heredocs": ("few programs have heredocs", 0.7),
    "lexer_parser.printing.pn": ("no program needs it", 0.4),
    "lexer_parser.diagnostics.advice": ("only errors are explained", 1.1),
    "lexer_parser.regexps.escapes": ("few programs have escapes in regular expressions", 0.2),
    "lexer_parser.regexps.parser": ("few programs have regular expressions", 1.4),
    "lexer_parser.validation.heredoc_syntax": ("few heredocs name their syntax", 0.9),
    "puppet_kernel.commands.help": ("most inputs are no requests for help", 0),
    "puppet_kernel.jupyter.installing": ("each way to start loads its own front end", 0),
    "puppet_kernel.jupyter.launching": ("each way to start loads its own front end", 141.9),
    "puppet_kernel.cli.options": ("an interrupt while it loads is caught", 0),
    "puppet_kernel.rendering.catalogs": ("most cells change nothing in the catalog", 0),
    "puppet_kernel.rendering.highlight": ("only help has code with colours", 5.0),
    "puppet_kernel.rendering.text": ("`--help` renders nothing", 0),
    "puppet_kernel.cli.interactive": ("each way to start loads its own front end", 75.3),
    "puppet_kernel.user_files.node_data": ("most users name no file of data", 8.6),
    "puppet_kernel.terminal.terminal": ("an interrupt while it loads is caught", 0),
}


def find_dead_code() -> list[str]:
    """Return the code that vulture reports as certainly unused."""
    command = [sys.executable, "-m", "vulture", "--min-confidence", "100", *structure.PACKAGES]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode in (0, 3), result.stderr
    return result.stdout.splitlines()


def find_cycles_of_files() -> list[list[str]]:
    """Return the sets of files that import each other."""
    return structure.find_cycles(structure.make_file_graph())


def find_front_end_words() -> list[str]:
    """Return the strings of the core that name a command, an option or a front end."""
    commands = [f"%{name}" for name in COMMANDS.names]
    options = [name for option in OPTIONS for name in option.names if name.startswith("--")]
    programs = ("puppet-repl", "Jupyter", "JupyterLab", "notebook", "REPL", ALLOW_VARIABLE)
    return structure.find_words_in_strings([*commands, *options, *programs])


# Each figure: the function that returns the places to count, and their highest number. The limits only fall: when you
# improve a figure, lower its limit.
FIGURES: dict[str, tuple[Callable[[], list[str]], int]] = {
    "cycles of components": (
        lambda: [" ".join(one) for one in structure.find_cycles(structure.make_component_graph())],
        0,
    ),
    "cycles of files": (lambda: [" ".join(one) for one in find_cycles_of_files()], 0),
    "files in the largest cycle": (lambda: max(find_cycles_of_files(), key=len, default=[]), 0),
    "imports against the order": (lambda: structure.find_imports_against(ORDER), 0),
    "imports in functions": (structure.find_imports_in_functions, 57),
    "star imports": (structure.find_star_imports, 0),
    "loose files in evaluator": (lambda: structure.find_loose_files("evaluator"), 2),
    "loose files in lexer_parser": (lambda: structure.find_loose_files("lexer_parser"), 10),
    "files": (lambda: [*structure.find_modules()], 408),
    "long files": (structure.find_long_files, 0),
    "short files": (structure.find_short_files, 0),
    "comments after the brackets of an expression": (structure.find_comments_after_brackets, 0),
    "statements": (structure.find_statements, 47_073),
    "classes with the name of another class": (structure.find_duplicate_classes, 0),
    "signatures with Any": (structure.find_signatures_with_any, 517),
    "uses of class names": (structure.find_uses_of_class_names, 1),
    "dead code": (find_dead_code, 0),
    "front-end words in the core": (find_front_end_words, 0),
}


def check_figure(figures: dict[str, tuple[Callable[[], list[str]], int]], name: str) -> None:
    """Fail with the first places that a figure counts if they are more than its limit."""
    find, limit = figures[name]
    found = find()
    assert len(found) <= limit, "\n".join([f"{len(found)} of at most {limit}", *found[:100]])


def print_figures(figures: dict[str, tuple[Callable[[], list[str]], int]]) -> None:
    """Print each figure, its limit, and the places that it counts."""
    for name, (find, limit) in figures.items():
        found = find()
        places = found if len(found) < 1000 else []
        print(f"{name}: {len(found)} of at most {limit}", *places, sep="\n    ")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "dead code" else ()) for name in FIGURES]
)
def test_a_figure_is_within_its_limit(name: str) -> None:
    check_figure(FIGURES, name)


def test_the_order_contains_each_component_once() -> None:
    assert len(set(ORDER)) == len(ORDER)


def find_imported_packages(path: Path) -> set[str]:
    """Return the top-level packages that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def test_switches_that_code_reads_exist() -> None:
    for module in structure.find_modules():
        for node in structure.list_nodes(module):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[-1] == "dialect":
                assert hasattr(SPEC, node.attr), f"{module}:{node.lineno} {node.attr}"


@pytest.mark.parametrize("layer", LAYERS)
def test_the_core_imports_no_front_end(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        assert not find_imported_packages(path) & LAYERS[layer], path


def test_imports_in_functions_have_a_reason() -> None:
    targets = {
        one.target
        for module in structure.find_modules()
        for one in structure.find_imports(module)
        if one.in_function
    }
    assert targets == LAZY_IMPORTS.keys()


def test_front_ends_use_only_the_public_interface_of_a_session() -> None:
    for module in structure.find_modules():
        if module.startswith("puppet_kernel"):
            for node in structure.list_nodes(module):
                if isinstance(node, ast.Attribute):
                    private = node.attr.startswith("_") and "session" in ast.dump(node.value)
                    assert node.attr != "runtime" and not private, f"{module}:{node.lineno}"


def list_loaded_modules(*arguments: str) -> set[str]:
    """Return the modules that are loaded after the command has run."""
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
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(result.stderr.split())


def test_an_expression_runs_without_front_ends_and_generators() -> None:
    loaded = list_loaded_modules("-e", "1 + 1")
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


@pytest.mark.parametrize("module", structure.find_modules())
def test_modules_and_public_names_have_docstrings(module: str) -> None:
    if structure.is_generated(structure.find_modules()[module]):
        return
    tree = structure.parse_module(module)
    assert ast.get_docstring(tree) or not tree.body, "a module has a docstring"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            # A decorator adds functions to a table with help; PLY reads the docstring of a production as its grammar.
            assert node.decorator_list or ast.get_docstring(node) or node.name.startswith("p_"), node.name


def test_test_modules_have_docstrings() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_the_readme_lists_the_folders_of_tests() -> None:
    lines = (ROOT / "tests" / "README.md").read_text(encoding="utf-8").splitlines()
    listed = [line.split("`")[1] for line in lines if line.startswith("| `")]
    folders = {path.parent.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").glob("*/*.*")}
    assert [name for name in listed if name.endswith("/")] == sorted(
        f"{name}/" for name in folders - {"__pycache__"}
    )


@pytest.mark.parametrize("document", [".github/CONTRIBUTING.md", "tests/README.md"])
def test_paths_in_documents_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    packages = "|".join((*structure.PACKAGES, "tests", "notebooks"))
    paths = set(re.findall(rf"(?<![\w/])(?:{packages})/[\w./-]*\w", text))
    assert paths
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_marked_paths_exist() -> None:
    paths = [path for marked in MARKS.values() for path in marked]
    assert [path for path in paths if not (ROOT / "tests" / path).exists()] == []


def test_the_names_of_test_modules_are_unique() -> None:
    """pytest imports modules of folders without `__init__.py` under their bare names."""
    folders = [
        path for path in (ROOT / "tests").rglob("*") if path.is_dir() and not (path / "__init__.py").exists()
    ]
    names = Counter(path.name for folder in folders for path in folder.glob("*.py"))
    names -= Counter({"conftest.py": names["conftest.py"]})
    assert [name for name, count in names.items() if count > 1] == []


if __name__ == "__main__":
    print_figures(FIGURES)
