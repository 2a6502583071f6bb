"""Only the sandbox accesses files, by the syntax trees of the packages."""

from __future__ import annotations

import ast

from tests import structure

# Functions that access files, by module, and methods of Path by name.
SYSTEM_CALLS = {
    "os": {"open", "listdir", "scandir", "walk", "stat", "lstat", "access", "readlink", "fwalk"},
    "os.path": {"exists", "lexists", "isfile", "isdir", "islink", "realpath", "getsize", "getmtime"},
    "glob": {"glob", "iglob"},
}
PATH_METHODS = {
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "iterdir",
    "rglob",
    "is_file",
    "is_dir",
}
ALLOWED = {
    "evaluator.program.sandbox": "the sandbox itself, which opens the files that it has permitted",
    "evaluator.program.stat_cache": "the cache of the sandbox while a program runs",
    "evaluator.cache.folder": "the cache of the user, a folder that no program can name",
    "evaluator.session.memory": "reads how much memory and which stack the process has from /proc",
    "evaluator.program.guardian": "reads from /proc what a program has started, in a process of its own",
    "evaluator.program.companions": "reads the environments of processes from /proc after their guardian was killed",
    "evaluator.ruby.companion": "looks for Ruby, which only a permission starts",
    "evaluator.program.repositories": "the files that the command line names: no program runs",
    "evaluator.checking": "the files that a user checks: no program runs",
    "evaluator.checking.symbols": "as above, with the Ruby files of their modules",
    "lexer_parser.grammar.generate": "writes the parse tables, by hand only",
    "puppet_kernel.guides": "reads the guides of the package",
    "evaluator.specification": "reads the documents of the package",
    "puppet_kernel.exercises.__main__": "writes the exercises into notebooks, by hand only",
    "puppet_kernel.cli.session_options": "the files that the command line names",
    "puppet_kernel.cli.fleet": "folders of facts and the table that the command line names",
    "puppet_kernel.site": "builds a site, by hand only",
    "puppet_kernel.user_files.node_data": "the files that options of the command line name",
    "puppet_kernel.jupyter.launching": "the file by which a front end finds its kernel",
    "puppet_kernel.jupyter.installing": "writes the description of the kernel, by hand only",
    "puppet_kernel.user_files.history": "the history of the user",
}


def find_file_accesses(tree: ast.AST) -> list[int]:
    """Return the lines on which a module accesses a file."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in SYSTEM_CALLS:
            found += [node.lineno for alias in node.names if alias.name in SYSTEM_CALLS[node.module or ""]]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            found.append(node.lineno)
        if not isinstance(node, ast.Attribute):
            continue
        last = node.attr
        if last not in PATH_METHODS and not any(last in names for names in SYSTEM_CALLS.values()):
            continue
        owner = ast.unparse(node.value)
        if last in SYSTEM_CALLS.get(owner, ()) or (owner not in ("", "sandbox") and last in PATH_METHODS):
            found.append(node.lineno)
    return found


def test_only_the_sandbox_accesses_files() -> None:
    found = {
        f"{module}:{line}"
        for module in structure.find_modules()
        if module not in ALLOWED
        for line in find_file_accesses(structure.parse_module(module))
    }
    assert not found


def test_each_exception_is_needed() -> None:
    assert not [module for module in ALLOWED if not find_file_accesses(structure.parse_module(module))]
