"""The structure as law: imports point one way, rooms are small, start-up stays light, files stay readable.

`python -m tests.test_architecture` prints what the figures are now, and where each is met.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from puppet_kernel.cli.options import ALLOW_VARIABLE, OPTIONS
from puppet_kernel.commands.table import COMMANDS
from tests import structure
from tests.structure import ROOT

# From the ground to the roof: a room imports only what stands before it.
ORDER = (
    *("lexer_parser.memo", "lexer_parser.lazy"),
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
    *("evaluator.issues", "evaluator.limits"),
    *("evaluator.values", "evaluator.program"),
    "evaluator.types",
    *("evaluator.catalog", "evaluator.calling"),
    *("evaluator.kinds", "evaluator.help", "evaluator.ruby"),
    *("evaluator.operators", "evaluator.functions", "evaluator.compiler"),
    *("evaluator.hiera", "evaluator.assistance"),
    *("evaluator.running", "evaluator.cache", "evaluator.fleet", "evaluator.debugger"),
    *("evaluator.session", "evaluator.checking", "evaluator"),
    *("puppet_kernel", "puppet_kernel.process", "puppet_kernel.ways", "puppet_kernel.rendering"),
    *("puppet_kernel.replies", "puppet_kernel.user_files", "puppet_kernel.debugging"),
    "puppet_kernel.exercises",
    *("puppet_kernel.commands", "puppet_kernel.stages", "puppet_kernel.shell", "puppet_kernel.terminal"),
    *("puppet_kernel.cli", "puppet_kernel.jupyter", "puppet_kernel.browser", "puppet_kernel.site"),
    "puppet_kernel.__main__",
)

FRONT_ENDS = {"puppet_kernel", "IPython", "ipykernel", "jupyter_client", "prompt_toolkit", "pygments"}
LAYERS = {"lexer_parser": {"evaluator", *FRONT_ENDS}, "evaluator": FRONT_ENDS}


def dead() -> list[str]:
    """What vulture is sure that nobody uses."""
    command = [sys.executable, "-m", "vulture", "--min-confidence", "100", *structure.PACKAGES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return done.stdout.splitlines()


def circles_of_files() -> list[list[str]]:
    """Files that import each other."""
    return structure.circles(structure.file_graph())


def front_end_words() -> list[str]:
    """What only a front end knows: its commands, its options, the names of its programs and media."""
    commands = [f"%{name}" for name in COMMANDS.by_name]
    options = [name for option in OPTIONS for name in option.names if name.startswith("--")]
    return [
        *commands,
        *options,
        *("puppet-repl", "Jupyter", "JupyterLab", "notebook", "REPL", ALLOW_VARIABLE),
    ]


# What functions import, why only there, and the milliseconds of CPU that `puppet-repl -e '1 + 1'` does not pay for
# it (0: it pays them, another way to start does not).
LATE: dict[str, tuple[str, float]] = {
    "evaluator.assistance": ("only who types is helped", 2.7),
    "evaluator.checking.judging": ("most programs name what is built in or their own", 0),
    "evaluator.checking.ordering": ("few programs have cycles", 0),
    "evaluator.checking.together": ("one file has no others", 0),
    "evaluator.checking.world": ("most programs name what is built in or their own", 0),
    "evaluator.cache": ("sessions without modules keep nothing", 1.0),
    "evaluator.calling.mismatch": ("only calls that are refused are explained", 0.3),
    "evaluator.compiler.outlining": ("few programs are nested so deeply", 0.2),
    "evaluator.facts.systems": ("most sessions name no system", 0.3),
    "evaluator.help": ("most programs have no error", 1.3),
    "evaluator.help.names": ("most programs know their names", 1.3),
    "evaluator.hiera": ("most sessions have no data", 9.2),
    "evaluator.issues.access": ("rows are read when something is wrong", 0.1),
    "evaluator.issues.language": ("rows are read when something is wrong", 0.2),
    "evaluator.issues.types": ("rows are read when something is wrong", 0.2),
    "evaluator.resource_types.tables": ("rows are read when a resource is declared", 0.7),
    "evaluator.ruby.functions": ("few programs run Ruby", 50.0),
    "evaluator.session.environment": ("most sessions have none", 0.4),
    "evaluator.session.naming": ("most programs have no error", 0.1),
    "evaluator.session.remarks": ("only who types is told", 0.1),
    "evaluator.session.rerun": ("most cells are the last one", 0.3),
    "evaluator.types.mismatch": ("only values that do not fit are explained", 0.2),
    "evaluator.types.objects": ("half of all types are rare", 0.5),
    "evaluator.types.parsing": ("half of all types are rare", 2.4),
    "evaluator.types.lazy_types": ("half of all types are rare", 5.5),
    "evaluator.types.uris": ("half of all types are rare", 0.3),
    "evaluator.types.semver": ("half of all types are rare", 0.4),
    "evaluator.values.regexp_translator": ("most programs match nothing", 0.8),
    "lexer_parser.lexing.heredocs": ("few programs have heredocs", 0.7),
    "lexer_parser.printing.pn": ("no program needs it", 0.4),
    "lexer_parser.diagnostics": ("only what is wrong is explained", 1.1),
    "lexer_parser.regexps.escapes": ("few programs have escapes in regular expressions", 0.2),
    "lexer_parser.regexps.validation": ("few programs have regular expressions", 1.4),
    "lexer_parser.validation.texts": ("few heredocs name their syntax", 0.9),
    "puppet_kernel.cli.session_options": ("only names that nobody knows are looked for in modules", 0),
    "puppet_kernel.jupyter.installing": ("each way to start loads its own front end", 0),
    "puppet_kernel.jupyter.launching": ("each way to start loads its own front end", 141.9),
    "puppet_kernel.cli.options": ("an interrupt while it loads is caught", 0),
    "puppet_kernel.rendering.graphs.text": ("few answers are graphs", 0.3),
    "puppet_kernel.rendering.highlight": ("only help has code with colours", 5.0),
    "puppet_kernel.rendering.text": ("`--help` draws nothing", 0),
    "puppet_kernel.cli.interactive": ("each way to start loads its own front end", 75.3),
    "puppet_kernel.terminal.terminal": ("an interrupt while it loads is caught", 0),
}

# What is counted, how, and the most that there may be. These numbers only fall: who makes one better writes it here.
FIGURES: dict[str, tuple[Callable[[], list[str]], int]] = {
    "circles of rooms": (lambda: [" ".join(one) for one in structure.circles(structure.room_graph())], 0),
    "circles of files": (lambda: [" ".join(one) for one in circles_of_files()], 0),
    "files in the largest circle": (lambda: max(circles_of_files(), key=len, default=[]), 0),
    "imports against the order": (lambda: structure.against(ORDER), 0),
    "imports in functions": (structure.imports_in_functions, 60),
    "loose files in evaluator": (lambda: structure.loose_files("evaluator"), 2),
    "loose files in lexer_parser": (lambda: structure.loose_files("lexer_parser"), 10),
    "long files": (structure.long_files, 0),
    "names of classes": (structure.names_of_classes, 1),
    "dead names": (dead, 0),
    "front-end words in the core": (lambda: structure.front_end_words(front_end_words()), 0),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_does_not_rise(name: str) -> None:
    count, most = FIGURES[name]
    found = count()
    assert len(found) <= most, "\n".join(found)


def test_every_place_in_the_order_is_given_once() -> None:
    assert len(set(ORDER)) == len(ORDER)


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
def test_the_core_knows_no_front_end(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        assert not imported(path) & LAYERS[layer], path


def test_imports_in_functions_have_a_reason() -> None:
    late = {
        one.target for module in structure.modules() for one in structure.imports(module) if one.in_function
    }
    assert late == LATE.keys()


def test_front_ends_use_the_session_as_everybody_does() -> None:
    """What only the evaluator knows of a session is no business of theirs."""
    for module in structure.modules():
        if module.startswith("puppet_kernel"):
            for node in ast.walk(structure.tree(module)):
                if isinstance(node, ast.Attribute):
                    private = node.attr.startswith("_") and "session" in ast.dump(node.value)
                    assert node.attr != "runtime" and not private, f"{module}:{node.lineno}"


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


@pytest.mark.parametrize("module", structure.modules())
def test_files_are_readable(module: str) -> None:
    if structure.is_generated(structure.modules()[module]):
        return
    tree = structure.tree(module)
    assert ast.get_docstring(tree) or not tree.body, "a module says what it is for"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            # What a decorator registers is called by its table, not by name.
            assert node.decorator_list or ast.get_docstring(node) or node.name.startswith("p_"), node.name


def test_tests_say_what_they_are_for() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_the_folders_of_tests_are_listed() -> None:
    listed = ast.get_docstring(ast.parse((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))) or ""
    folders = {path.parent.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").glob("*/*.*")}
    rows = [line.split(maxsplit=1) for line in listed.partition("The folders:\n\n")[2].splitlines()]
    assert [name for name, _ in rows] == sorted(folders - {"__pycache__"})


def test_no_two_test_modules_bear_one_name() -> None:
    """Those in folders that are no packages are modules of the same place."""
    folders = [
        path for path in (ROOT / "tests").rglob("*") if path.is_dir() and not (path / "__init__.py").exists()
    ]
    names = Counter(path.name for folder in folders for path in folder.glob("*.py"))
    names -= Counter({"conftest.py": names["conftest.py"]})
    assert [name for name, count in names.items() if count > 1] == []


def test_every_folder_of_tests_is_told_of() -> None:
    told = ast.get_docstring(ast.parse((ROOT / "tests/conftest.py").read_text(encoding="utf-8"))) or ""
    folders = [path.name for path in (ROOT / "tests").iterdir() if any(path.glob("*.py"))]
    assert [name for name in folders if name not in told.split()] == []


if __name__ == "__main__":
    for name, (count, most) in FIGURES.items():
        found = count()
        print(f"{name}: {len(found)} of {most}", *found, sep="\n    ")
