"""Damaged tables, missing files and odd names on the command line cause one line of output each."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lexer_parser
from lexer_parser.grammar import parsetab
from lexer_parser.grammar.driver import compute_digest, execute_tables
from tests.cli.forking import run_repl

PACKAGE = Path(lexer_parser.__file__).parent


def test_a_changed_character_changes_the_digest() -> None:
    text = Path(parsetab.__file__).read_text(encoding="utf-8")
    assert compute_digest(execute_tables(text)) == parsetab.DIGEST
    assert compute_digest(execute_tables(text.replace("'p_", "'q_", 1))) != parsetab.DIGEST
    assert compute_digest(execute_tables(text.replace("\\u0", "\\u1", 1))) != parsetab.DIGEST


@pytest.mark.parametrize("damage", ["missing", "empty", "torn", "changed"])
def test_damaged_tables_are_computed_in_memory(tmp_path: Path, damage: str) -> None:
    copy = tmp_path / "lexer_parser"
    shutil.copytree(PACKAGE, copy)
    table = copy / "grammar" / "parsetab.py"
    text = table.read_text(encoding="utf-8")
    table.unlink()
    if damage != "missing":
        table.write_text(
            {"empty": "", "torn": text[: len(text) // 2], "changed": text.replace("'p_", "'q_", 1)}[damage],
            encoding="utf-8",
        )
        # The case of missing tables shows that they are computed; here a stub saves the second that it takes.
        (table.parent / "generate.py").write_text(
            f"def render_tables(grammar):\n    return {text!r}\n", encoding="utf-8"
        )
    code = "import lexer_parser as p; print(p.to_pn(p.parse('$a = 1 + 1', dialect=p.PUPPET)))"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout == '(= (var "a") (+ 1 1))\n'
    (line,) = result.stderr.splitlines()
    assert line.startswith("lexer_parser/grammar/parsetab.py:0: RuntimeWarning: the parse tables ")
    assert "were made again in memory" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["\x1b]0;x\x07.pp"],
        ["--\x1b[2Jfoo"],
        ["--limit", "\x1b[2J"],
        ["--limit", "\x9b2J=1", "-e", "1"],
        ["--allow", "\u202eabc", "-e", "1"],
        ["--facts", "\x1b[2J.yaml", "-e", "1"],
        ["--facts", "\x1b[2J", "-e", "1"],
        ["--hiera-config", "\x1b[2J", "-e", "1"],
        ["--check", "\x1b[2J.pp"],
        ["--format", "\x1b[2J.pp"],
        ["--dialect", "\x1b[2J"],
    ],
)
def test_quoted_arguments_are_escaped(arguments: list[str], tmp_path: Path) -> None:
    result = run_repl(arguments, tmp_path)
    assert result.returncode == 2 and result.stderr
    assert not set(result.stderr) & set("\x1b\x07\x9b\u202e")


def test_facts_that_are_not_utf_8_are_refused(tmp_path: Path) -> None:
    facts = tmp_path / "latin.yaml"
    facts.write_bytes(b"a: \xe9\n")
    result = run_repl(["--facts", str(facts), "-e", "1"], tmp_path)
    assert result.returncode == 2 and "it is not UTF-8" in result.stderr


def test_a_missing_hiera_configuration_is_reported(tmp_path: Path) -> None:
    result = run_repl(["--hiera-config", "none.yaml", "-e", "1"], tmp_path)
    assert result.returncode == 2 and "there is no file none.yaml" in result.stderr
