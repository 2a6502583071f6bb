"""What the source says about its own structure: who imports whom, in which room a file stands, what is too long.

A room is a folder directly below one of the three packages, or a file that lies there by itself.
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
Graph = dict[str, set[str]]


class Import:
    """An import of one of our own modules: what is imported, the line, and whether it stands in a function."""

    __slots__ = ("in_function", "line", "target")

    def __init__(self, target: str, line: int, in_function: bool) -> None:
        self.target = target
        self.line = line
        self.in_function = in_function


@cache
def modules() -> dict[str, Path]:
    """Every module by its full name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def room(module: str) -> str:
    """The room of a module: `evaluator.types`, `lexer_parser.check`; a package's own file is a room too."""
    return ".".join(module.split(".")[:2])


def _inside(node: ast.AST, in_function: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Every node, and whether it stands in a function; without what only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child, in_function
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _inside(child, in_function or is_function)


@cache
def imports(module: str) -> tuple[Import, ...]:
    """The imports of our own modules in a module."""
    found = []
    for node, in_function in _inside(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            targets = {name if name in modules() else node.module for name in full}
        elif isinstance(node, ast.Import):
            targets = {alias.name for alias in node.names}
        else:
            continue
        found += [Import(target, node.lineno, in_function) for target in sorted(targets & modules().keys())]
    return tuple(found)


def file_graph() -> Graph:
    """Who imports whom, module by module."""
    return {
        module: {found.target for found in imports(module) if found.target != module} for module in modules()
    }


def room_graph() -> Graph:
    """Who imports whom, room by room."""
    found: Graph = defaultdict(set)
    for module, targets in file_graph().items():
        found[room(module)] |= {room(target) for target in targets} - {room(module)}
    return found


def circles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The sets of nodes that all lead to each other (Tarjan), each sorted."""
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
            at = stack.index(node)
            circle = sorted(stack[at:])
            del stack[at:]
            if len(circle) > 1:
                found.append(circle)

    for node in graph:
        if node not in index:
            visit(node)
    return found


def against(order: tuple[str, ...]) -> list[str]:
    """The imports of a room that does not stand before the importing one; rooms that have no place come first."""
    place = {name: number for number, name in enumerate(order)}
    found = sorted(f"{name} has no place" for name in {*map(room, modules())} - place.keys())
    for module in modules():
        for one in imports(module):
            here, there = room(module), room(one.target)
            if here != there and place.get(there, -1) > place.get(here, len(order)):
                found.append(f"{module}:{one.line} {one.target}")
    return found


def imports_in_functions() -> list[str]:
    """The statements in functions that import modules of ours, `lazy_module` among them."""
    found = []
    for module in modules():
        found += sorted({f"{module}:{one.line}" for one in imports(module) if one.in_function})
        for node, _ in _inside(tree(module)):
            if isinstance(node, ast.Call) and "lazy_module" in ast.dump(node.func):
                found.append(f"{module}:{node.lineno}")
    return found


def loose_files(package: str) -> list[str]:
    """The files that lie directly in a package, but generated ones."""
    return [path.name for path in sorted((ROOT / package).glob("*.py")) if not is_generated(path)]


def is_generated(path: Path) -> bool:
    """Tells whether the head of a file says that it was generated and is not to be edited."""
    head = " ".join(path.read_text(encoding="utf-8").splitlines()[:3]).lower()
    return "generated" in head or "do not edit" in head


def long_files() -> list[str]:
    """The files that are longer than a person reads in one go, but generated ones."""
    return [
        f"{path.relative_to(ROOT)} {lines}"
        for path in modules().values()
        if (lines := path.read_text(encoding="utf-8").count("\n")) > LONG and not is_generated(path)
    ]


def _is_told(node: ast.AST) -> bool:
    """Tells whether a node makes an error, whose arguments become part of its message."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("error", "Failure")
    )


def names_of_classes() -> list[str]:
    """Where the evaluator asks for the name of a class, other than to tell it in a text."""
    found = []
    for module in modules():
        if not module.startswith("evaluator"):
            continue
        texts = {
            id(part)
            for node in ast.walk(tree(module))
            if isinstance(node, ast.JoinedStr) or _is_told(node)
            for part in ast.walk(node)
        }
        found += [
            f"{module}:{node.lineno}"
            for node in ast.walk(tree(module))
            if (isinstance(node, ast.Attribute) and node.attr == "__name__" and id(node) not in texts)
            or (isinstance(node, ast.Constant) and ".__name__" in str(node.value))
        ]
    return found


def front_end_words(words: Iterable[str]) -> list[str]:
    """The texts of the core, docstrings aside, in which one of these words stands."""
    pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(word)}(?![\w-])" for word in words))
    found = []
    for module in modules():
        if module.startswith("puppet_kernel"):
            continue
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree(module))
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        found += [
            f"{module}:{node.lineno} {hit[0]}"
            for node in ast.walk(tree(module))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
            for hit in [pattern.search(node.value)]
            if hit
        ]
    return found
