"""The library changes no setting of its process; only front ends use `puppet_kernel.process`."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

from tests.structure import ROOT

# Each setting of the process that is compared, as an expression whose value is shown by `repr`.
SETTINGS = {
    "gc enabled": "gc.isenabled()",
    "gc thresholds": "gc.get_threshold()",
    "gc freeze count": "gc.get_freeze_count()",
    "gc callbacks": "gc.callbacks",
    "recursion limit": "sys.getrecursionlimit()",
    "integer digits": "sys.get_int_max_str_digits()",
    "switch interval": "sys.getswitchinterval()",
    "stack size of threads": "threading.stack_size()",
    "exception hook": "sys.excepthook",
    "unraisable hook": "sys.unraisablehook",
    "display hook": "sys.displayhook",
    "exception hook of threads": "threading.excepthook",
    "trace function": "(sys.gettrace(), threading.gettrace())",
    "profile function": "(sys.getprofile(), threading.getprofile())",
    "import path": "(sys.path, sys.meta_path, sys.path_hooks)",
    "signal handlers": "[signal.getsignal(number) for number in sorted(signal.valid_signals())]",
    "warning filters": "warnings.filters",
    "environment variables": "sorted(os.environ.items())",
    "working folder": "os.getcwd()",
    "replaced modules": "[name for name, module in before.items() if sys.modules.get(name) is not module]",
    "hollow modules": "[name for name, module in sys.modules.items() if getattr(module, '__spec__', 0) is None"
    " and name != '__main__']",
}

PROGRAM = """
import gc, json, os, signal, sys, threading, warnings
before = dict(sys.modules)
def settings():
    return {name: repr(eval(code)) for name, code in SETTINGS.items()}
found = [settings()]
for step in STEPS:
    exec(step)
    found.append(settings())
print(json.dumps(found))
"""

IMPORTS = ["import lexer_parser, evaluator", "import lexer_parser.check, lexer_parser.grammar.generate"]
PARSE = """
import lexer_parser
source = "notify { 'a': message => [1, 2, /x/] }\\n" * 3000
lexer_parser.to_pn(lexer_parser.parse(source))
lexer_parser.find_status("if true {", lexer_parser.PUPPET)
"""
SESSION = """
import evaluator
session = evaluator.Session("spec")
assert session.run("1 + 1").value == 2
assert session.run("notify { 'a': }  $x = [1, 2].map |$n| { $n * 2 }").error is None
assert session.run("fail('no')").error is not None
session.complete("inc", 3), session.undo(), session.reset()
"""


def find_changes(*steps: str) -> set[str]:
    """Return the names of the settings that one of several steps changes."""
    program = f"SETTINGS = {SETTINGS!r}\nSTEPS = {list(steps)!r}\n{PROGRAM}"
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    first, *following = json.loads(result.stdout)
    return {name for found in following for name in SETTINGS if found[name] != first[name]}


def test_importing_the_packages_changes_no_setting() -> None:
    assert find_changes(*IMPORTS) == set()


def test_parsing_changes_no_setting() -> None:
    assert find_changes(PARSE) == set()


def test_a_session_changes_no_setting() -> None:
    assert find_changes(SESSION) == set()


def test_only_front_ends_import_the_settings_of_the_process() -> None:
    """The library calls none of the functions that `puppet_kernel.process` calls."""
    process = ast.parse((ROOT / "puppet_kernel" / "process.py").read_text(encoding="utf-8"))
    used = {ast.unparse(node.func) for node in ast.walk(process) if isinstance(node, ast.Call)}
    owned = {name for name in used if name.startswith(("gc.", "sys."))}
    for path in (ROOT / "lexer_parser").rglob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        assert not owned & {ast.unparse(node.func) for node in calls}, path
