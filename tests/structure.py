"""Measures of the structure of the source: the graph of imports, sizes, and signatures.

A component is a folder directly below one of the three packages, or a single file there.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("lexer_parser", "evaluator", "puppet_kernel")
LONG = 600  # lines
SHORT = 20  # lines
Graph = dict[str, set[str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Import:
    """An import of one of our own modules.

    Attributes:
        target: The imported module.
        line: The line of the statement.
        in_function: True inside a function.
    """

    __slots__ = ("in_function", "line", "target")

    def __init__(self, target: str, line: int, in_function: bool) -> None:
        self.target = target
        self.line = line
        self.in_function = in_function


@cache
def find_modules() -> dict[str, Path]:
    """Return the path of every module, by its full name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def parse_module(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(find_modules()[module].read_text(encoding="utf-8"))


def to_component(module: str) -> str:
    """Return the component of a module, such as `evaluator.types` or `lexer_parser.check`."""
    return ".".join(module.split(".")[:2])


@cache
def list_nodes(module: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a module, since a dozen figures look at each of them."""
    return tuple(ast.walk(parse_module(module)))


@cache
def list_runtime_nodes(module: str) -> list[tuple[ast.AST, bool]]:
    """Return each node outside `TYPE_CHECKING` blocks, and True if it is inside a function."""
    found: list[tuple[ast.AST, bool]] = [(parse_module(module), False)]
    for node, in_function in found:
        within = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        found += [
            (child, within)
            for child in ast.iter_child_nodes(node)
            if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test))
        ]
    return found


@cache
def find_imports(module: str) -> tuple[Import, ...]:
    """Return the imports of our own modules in a module."""
    modules = find_modules()
    found = []
    for node, in_function in list_runtime_nodes(module):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            targets = {name if name in modules else node.module for name in full}
        elif isinstance(node, ast.Import):
            targets = {alias.name for alias in node.names}
        else:
            continue
        found += [Import(target, node.lineno, in_function) for target in sorted(targets & modules.keys())]
    return tuple(found)


def make_file_graph() -> Graph:
    """Return the modules that each module imports."""
    return {
        module: {found.target for found in find_imports(module) if found.target != module}
        for module in find_modules()
    }


def make_component_graph() -> Graph:
    """Return the components that each component imports."""
    graph: Graph = defaultdict(set)
    for module, targets in make_file_graph().items():
        graph[to_component(module)] |= {to_component(target) for target in targets} - {to_component(module)}
    return graph


def find_cycles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the strongly connected components of at least two nodes, each sorted.

    This is Tarjan's algorithm.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in graph.get(node, ()):
            if target not in index:
                visit(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == index[node]:
            start = stack.index(node)
            cycle = sorted(stack[start:])
            del stack[start:]
            if len(cycle) > 1:
                found.append(cycle)

    for node in graph:
        if node not in index:
            visit(node)
    return found


def find_imports_against(order: tuple[str, ...]) -> list[str]:
    """Return the imports of components that do not precede the importing one in `order`.

    Components that `order` does not contain come first.
    """
    position = {name: number for number, name in enumerate(order)}
    components = {to_component(module) for module in find_modules()}
    found = sorted(f"{name} is not in the order" for name in components - position.keys())
    for module in find_modules():
        for one in find_imports(module):
            importing, imported = to_component(module), to_component(one.target)
            if importing != imported and position.get(imported, -1) > position.get(importing, len(order)):
                found.append(f"{module}:{one.line} {one.target}")
    return found


def find_imports_in_functions() -> list[str]:
    """Return the statements in functions that import our modules, also by `import_module`."""
    found = []
    for module in find_modules():
        found += sorted({f"{module}:{one.line}" for one in find_imports(module) if one.in_function})
        for node, _ in list_runtime_nodes(module):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
                found.append(f"{module}:{node.lineno}")
    return found


def find_star_imports() -> list[str]:
    """Return the statements `from … import *`."""
    return [
        f"{module}:{node.lineno}"
        for module in find_modules()
        for node in list_nodes(module)
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    ]


def find_loose_files(package: str) -> list[str]:
    """Return the files directly in a package, without generated ones."""
    return [path.name for path in sorted((ROOT / package).glob("*.py")) if not is_generated(path)]


def is_generated(path: Path) -> bool:
    """Return whether the first lines of a file mark it as generated."""
    head = " ".join(path.read_text(encoding="utf-8").splitlines()[:3]).lower()
    return "generated" in head or "do not edit" in head


def _count_lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def find_long_files() -> list[str]:
    """Return the files of more than `LONG` lines, without generated ones."""
    return [
        f"{path.relative_to(ROOT)} {lines}"
        for path in find_modules().values()
        if (lines := _count_lines(path)) > LONG and not is_generated(path)
    ]


def find_short_files() -> list[str]:
    """Return the files of less than `SHORT` lines, without the `__init__` of packages."""
    return [
        f"{path.relative_to(ROOT)} {lines}"
        for path in find_modules().values()
        if (lines := _count_lines(path)) < SHORT and path.name != "__init__.py"
    ]


def is_docstring(node: ast.AST) -> bool:
    """Return whether a statement is only a string."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def find_statements() -> list[str]:
    """Return the place of every statement, without docstrings."""
    return [
        f"{module}:{node.lineno}"
        for module in find_modules()
        for node in list_nodes(module)
        if isinstance(node, ast.stmt) and not is_docstring(node)
    ]


def find_comments_after_brackets() -> list[str]:
    """Return the lines that end an expression over several lines and carry a comment.

    The formatter moves a comment there when an expression becomes too long for its line; it belongs above it.
    """
    pattern = re.compile(r"\s*([])}].*|None|False|True|\d+)  # (?!fmt|noqa|type:)")
    return [
        f"{module}:{number}"
        for module, path in find_modules().items()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.match(line)
    ]


def find_functions() -> Iterator[tuple[str, Function]]:
    """Yield the module and the definition of every function and method."""
    for module in find_modules():
        for node in list_nodes(module):
            if isinstance(node, Function):
                yield module, node


def find_duplicate_classes() -> list[str]:
    """Return the names that more than one class has, with their modules."""
    places = defaultdict(list)
    for module in find_modules():
        for node in list_nodes(module):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module)
    return [f"{name}: {' '.join(modules)}" for name, modules in sorted(places.items()) if len(modules) > 1]


def _mentions_any(function: Function) -> bool:
    arguments = function.args
    parts = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    annotations = [function.returns, *(part.annotation for part in parts if part is not None)]
    return any(
        isinstance(node, ast.Name) and node.id == "Any"
        for annotation in annotations
        if annotation is not None
        for node in ast.walk(annotation)
    )


def find_signatures_with_any() -> list[str]:
    """Return the functions with `Any` in an annotation of a parameter or of the result."""
    return [f"{module}:{node.lineno} {node.name}" for module, node in find_functions() if _mentions_any(node)]


def _is_error(node: ast.AST) -> bool:
    """Return whether a node creates an error, whose arguments become part of its message."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("error", "Failure")
    )


def find_uses_of_class_names() -> list[str]:
    """Return the lines where the evaluator reads the name of a class, except for messages."""
    found = []
    for module in find_modules():
        if not module.startswith("evaluator"):
            continue
        in_messages = {
            id(part)
            for node in list_nodes(module)
            if isinstance(node, ast.JoinedStr) or _is_error(node)
            for part in ast.walk(node)
        }
        found += [
            f"{module}:{node.lineno}"
            for node in list_nodes(module)
            if (isinstance(node, ast.Attribute) and node.attr == "__name__" and id(node) not in in_messages)
            or (isinstance(node, ast.Constant) and ".__name__" in str(node.value))
        ]
    return found


def find_words_in_strings(words: Iterable[str]) -> list[str]:
    """Return the strings of the core, without docstrings, that contain one of the words."""
    pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(word)}(?![\w-])" for word in words))
    found = []
    for module in find_modules():
        if module.startswith("puppet_kernel"):
            continue
        docstrings = {
            id(node.value) for node in list_nodes(module) if isinstance(node, ast.Expr) and is_docstring(node)
        }
        found += [
            f"{module}:{node.lineno} {hit[0]}"
            for node in list_nodes(module)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
            for hit in [pattern.search(node.value)]
            if hit
        ]
    return found
