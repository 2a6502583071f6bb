"""A computed secret passes through everything public that returns text, and appears only on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator import Session
from puppet_kernel.rendering.text import render_ansi, render_plain
from puppet_kernel.shell import Shell
from tests.cli.forking import run_repl

SECRET = "hush-4711"
PROGRAM = """
$part = 'hush-'
$secret = Sensitive("${part}${4700 + 11}")
type Box = Object[{ attributes => { inner => Any } }]
class hidden($password) { notify { 'inner': message => $password } }
class { 'hidden': password => $secret }
notify { 'a': message => $secret }
@notify { 'b': message => [$secret, { 'k' => [$secret] }] }
@@notify { 'c': message => { 'k' => $secret } }
notify { 'd': message => [$secret], tag => ['x'], noop => true }
notify { 'e': message => Box($secret) }
notify { 'f': message => { $secret => 1 } }
$all = [$secret, { 'k' => $secret }, Box($secret), "${secret}", String($secret), type($secret)]
notice($all)
warning("${all}")
"""
INPUTS = (
    *(
        "$secret",
        "$all",
        "%vars",
        "%catalog",
        "%catalog --json",
        "%graph",
        "%cells",
        "??all",
        "?secret",
        "%time $all",
    ),
    *(
        "$secret + 1",
        "fail($all)",
        "$all.x",
        "Integer($secret)",
        "$secret =~ Integer",
        "case $secret { 1: { } }",
    ),
    *(
        "assert_type(Integer, $secret)",
        "notify { $secret: }",
        "sprintf('%s %p', $secret, $all)",
        "to_json($all)",
    ),
    *("%why Notify['a'] message", "%why Notify['d']", "%why $secret =~ String", "%why join($secret, 1)"),
    *("%why case $secret { String: { 1 } default: { 2 } }", "%diff dialect", "%diff [1]", "%diff node web01"),
    *("%whatif a=1,2", "%fleet a=1,2", "%fleet Notify['a']", "%fleet node web01 web02", "%both $all"),
    *("%step $all", "%step [$secret]", "%types $secret", "%graph --dot --all", "%graph --mermaid --all"),
    *("notify { 'g': message => $all, nosuch => $secret }", "Notify['a']['message']", "String($all, '%#p')"),
)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_no_output_contains_the_secret(dialect: str) -> None:
    shell = Shell({"dialect": dialect, "facts": {}}, with_type=True)
    logs: list[str] = []
    shell.on_log = lambda entry: logs.append(entry.message)
    for source in (PROGRAM, *INPUTS):
        reply = shell.submit(source)
        assert source != PROGRAM or reply.error is None, reply.error
        outputs = (
            [render_plain(reply.element, 200), render_ansi(reply.element, 200)]
            if reply.element is not None
            else []
        )
        for text in (*outputs, str(reply.error), repr(reply.error), *logs):
            assert SECRET not in text, source
    for source in ("$", "$sec", "$all", "$all."):
        assert SECRET not in str(
            [(item.text, item.words) for item in shell.complete(source, len(source)).items]
        )


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_catalogs_are_redacted_by_default(dialect: str) -> None:
    session = Session(dialect, facts={})
    assert session.run(PROGRAM).error is None
    catalog = session.catalog()
    for text in (
        str(catalog.summary()),
        str(catalog.to_json()),
        str(catalog.to_json(rich_data=True)),
        str(catalog),
    ):
        assert SECRET not in text
    assert SECRET in str(catalog.summary(redact=False))
    assert SECRET in str(catalog.to_json(redact=False))
    assert catalog.to_json()["resources"][-1]["title"] and "hidden" in str(catalog.to_json())


@pytest.mark.parametrize("options", [[], ["--json"], ["--catalog"], ["--json", "--show-sensitive"]])
def test_the_command_shows_secrets_only_on_request(options: list[str], tmp_path: Path) -> None:
    result = run_repl([*options, "-e", PROGRAM + "$all"], tmp_path)
    assert result.returncode == 0
    assert (SECRET in result.stdout + result.stderr) == ("--show-sensitive" in options)
    if "--json" in options:
        assert json.loads(result.stdout)["catalog"]["resources"]
