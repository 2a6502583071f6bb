"""Nothing but the gate looks at files: the syntax trees of the packages say so."""

from __future__ import annotations

import ast

from tests import structure

# What asks the system of a path, by the module that has it; methods of Path by their names.
ASKING = {
    "os": {"open", "listdir", "scandir", "walk", "stat", "lstat", "access", "readlink", "fwalk"},
    "os.path": {"exists", "lexists", "isfile", "isdir", "islink", "realpath", "getsize", "getmtime"},
    "glob": {"glob", "iglob"},
}
METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "rglob", "is_file", "is_dir"}
ALLOWED = {
    "evaluator.program.sandbox": "it is the gate, and opens what it has decided on",
    "evaluator.program.stat_cache": "what the gate knows of places while a program runs",
    "evaluator.cache.folder": "the cache of the person who runs programs, a folder that no program can name",
    "evaluator.session.memory": "reads how much memory and which stack the process has from /proc",
    "evaluator.program.guardian": "reads from /proc what a program has started, in a process of its own",
    "evaluator.program.companions": "reads the environments of processes from /proc after their guardian was killed",
    "evaluator.ruby.companion": "looks for Ruby, which only a permission starts",
    "evaluator.program.repositories": "the files that the command line names: no program runs",
    "evaluator.checking": "the files that a person has checked: no program runs",
    "evaluator.checking.symbols": "as above: what their modules have in Ruby",
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
    "puppet_kernel.user_files.history": "the history of the person who types",
}


def asking(tree: ast.AST) -> list[int]:
    """The lines on which a module asks the system of a path."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ASKING:
            found += [node.lineno for alias in node.names if alias.name in ASKING[node.module or ""]]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            found.append(node.lineno)
        if not isinstance(node, ast.Attribute):
            continue
        last = node.attr
        if last not in METHODS and not any(last in names for names in ASKING.values()):
            continue
        owner = ast.unparse(node.value)
        if last in ASKING.get(owner, ()) or (owner not in ("", "sandbox") and last in METHODS):
            found.append(node.lineno)
    return found


def test_files_are_asked_for_at_the_gate_only() -> None:
    found = {
        f"{module}:{line}"
        for module in structure.find_modules()
        if module not in ALLOWED
        for line in asking(structure.parse_module(module))
    }
    assert not found


def test_each_exception_is_needed() -> None:
    assert not [module for module in ALLOWED if not asking(structure.parse_module(module))]
