"""An input with a secret is written to no file: history, saved cells, transcripts, log points."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.program import lifetimes
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from puppet_kernel.user_files.history import NOT_WRITTEN, InputHistory, holds_secret


@pytest.fixture(autouse=True)
def no_secrets_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifetimes, "_secrets", {})


# inputs in which the lexer finds the type in code
LINES = """
Sensitive('x')
$a = Sensitive ( 'x' )
Sensitive.new('x')
Sensitive . new('x')
Sensitive[String].new('x')
Sensitive[Array[String]].new(['x'])
Sensitive[Hash[String, Array[String]]].new({ 'a' => ['x'] })
Sensitive[String]('x')
'x'.Sensitive
'x' . Sensitive |$x| { }
new(Sensitive, 'x')
new(Sensitive[String], 'x')
'x'.new(Sensitive)
convert_to('x', Sensitive)
'x'.convert_to(Sensitive)
'x'.convert_to(Sensitive[String])
$t = Sensitive; $t.new('x')
$t = Sensitive $t('x')
Sensitive /* the password */ ('x')
Sensitive /* [ */ [String] /* ( */ .new('x')
::Sensitive.new('x')
call(Sensitive, 'x')
[Sensitive].map |$t| { $t.new('x') }
$h = { 't' => Sensitive } $h['t'].new('x')
notice("a ${Sensitive('x')} b")
if true { $a = Sensitive('x') }
class { 'a': password => Sensitive('x') }
%time Sensitive('x')
%both $x = Sensitive('x')
inline_epp('<%= Sensitive("x").unwrap %>')
class a(Sensitive[String] $x = Sensitive('x')) { }
type A = Sensitive[String]
$x =~ Sensitive
$x ? { Sensitive => 1 }
??Sensitive('x')
%help Sensitive("x")
$a = Sensitive('x
$a = Sensitive('x')) }
"""
SECRETS = [
    *LINES.strip().splitlines(),
    "Sensitive\n('x')",
    "Sensitive # the password\n('x')",
    "$a = @(\"E\")\n  ${Sensitive('x')}\n  | E\n",
    "# a remark\n%vars\nSensitive('x')",
    "?map\n$x\n? { Sensitive => 1 }",
]
OTHERS = (
    "?Sensitive",
    "??Sensitive",
    "%help Sensitive",
    "%help Sensitive\n1 + 1",
    "# Sensitive('x') is a secret\n1",
    "notice('Sensitive')",
    'notice("Sensitive data")',
    "$a = @(E)\n  Sensitive\n  | E\n",
    "$x =~ /Sensitive/",
    "MySensitive::Thing",
    "$sensitive = 1",
    "1 +",
    "",
)


@pytest.mark.parametrize("source", SECRETS)
def test_an_input_with_the_type_in_code_contains_a_secret(source: str, tmp_path: Path) -> None:
    assert holds_secret(source)
    history = InputHistory(str(tmp_path / "history"))
    history.add(1, source)
    assert history.read_all() == [] and history.read() == []


@pytest.mark.parametrize("source", OTHERS)
def test_other_inputs_contain_no_secret(source: str, tmp_path: Path) -> None:
    assert not holds_secret(source)
    history = InputHistory(str(tmp_path / "history"))
    history.add(0, source)
    assert [entry.source for entry in history.read()] == ([source] if source else [])


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell({"facts": {}, "permissions": ("files",)})


@pytest.mark.parametrize("name", ["site.pp", "site.ipynb", "site.md"])
def test_saved_cells_leave_out_secrets(shell: Shell, name: str) -> None:
    for source in ("$a = 1", "$b = Sensitive('hunter2')", "$t = Sensitive; $c = $t.new('hunter2')", "$a + 1"):
        assert shell.submit(source).error is None
    output = render_plain(shell.submit(f"%save {name}").element or pytest.fail("%save has no output"))
    assert output == f"2 cells written to {name}; not written, because they contain a secret: 2"
    content = Path(name).read_text()
    assert "hunter2" not in content and "Sensitive" not in content
    assert content.count(NOT_WRITTEN) == 2 and "$a + 1" in content


def test_an_input_that_prints_a_decrypted_value_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cryptography", reason="the extra `eyaml` is not installed")
    from tests.hiera.encrypted import encrypt, make_key_pair, write_keys
    from tests.hiera.test_eyaml import CONFIGURATION, KEYS

    pair = make_key_pair()
    write_keys(tmp_path, *pair)
    (tmp_path / "data").mkdir()
    (tmp_path / "hiera.yaml").write_text(CONFIGURATION.replace("{OPTIONS}", KEYS))
    (tmp_path / "data" / "secrets.eyaml").write_text(f"password: {encrypt(pair[1], 'hunter-2')}\nopen: yes\n")
    monkeypatch.chdir(tmp_path)
    shell = Shell({"facts": {}, "hiera_config": "hiera.yaml", "permissions": ("files",)})
    history, logged = InputHistory(str(tmp_path / "history")), list[str]()
    shell.on_log = lambda entry: logged.append(entry.message)
    for number, source in enumerate(
        ["$p = lookup('password')", "$p", "notice($p)", "notice(lookup('open'))", "$q = 'hunter-2'"]
    ):
        reply = shell.submit(source)
        assert reply.error is None, reply.error
        history.add(
            number, source, render_plain(reply.element) if reply.element is not None else None, logged
        )
        logged.clear()
    content = (tmp_path / "history").read_text()
    assert "notice(lookup('open'))" in content
    assert not any(one in content for one in ("notice($p)", '"$p"', "hunter"))
    assert shell.submit("%save all.md").error is None
    assert "hunter" not in Path("all.md").read_text()


# inputs without the word `Sensitive` that make a value Sensitive and print it; `{}` is its text
INDIRECT_INPUTS = (
    ("$t = Sensitive", "$t.new('{}')"),
    ("$t = Sensitive", "$x = $t.new(['a', {{ 'k' => '{}' }}])", "$x.unwrap", "notice($x.unwrap[1]['k'])"),
    ("$t = Sensitive", "\"${{ $t.new('{}').unwrap }}\"", "'more than {} is written'"),
    ("type Secret = Sensitive[String]", "Secret('{}')", "%time Secret.new('{}')"),
    ("function secret($x) {{ Sensitive($x) }}", "secret(@(E))\n  {}\n  | E", "%step secret('{}')"),
    ("define d($p) {{ notify {{ 'x': message => Sensitive($p) }} }}", "d {{ 'a': p => '{}' }}", "%catalog"),
    ("class c($p) {{ $s = Sensitive($p) }}", "class {{ 'c': p => '{}' }}", "$c::s.unwrap"),
    ("$t = Sensitive", "['{}'].map |$x| {{ $t.new($x) }}", "inline_epp('<%= $t.new(\"{}\") %>')"),
    ("$t = Sensitive", "$t.new({}{}{}{})", "[{}{}{}{}]"),
)


@pytest.mark.parametrize("inputs", INDIRECT_INPUTS)
def test_sensitive_values_are_written_to_no_file(
    inputs: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    secret = "4711" if "{}{}" in inputs[-1] else f"hunter-{INDIRECT_INPUTS.index(inputs)}"
    history, logged = InputHistory(str(tmp_path / "history")), list[str]()
    shell.on_log = lambda entry: logged.append(entry.message)
    for number, source in enumerate(("$secret = 'hunters'", *inputs), 1):
        text = source.format(*[secret] * 4)
        reply = shell.submit(text)
        assert reply.error is None, reply.error
        shown = render_plain(reply.element) if reply.element is not None else None
        history.add(number, text, shown, logged)
        logged.clear()
    for name in ("site.pp", "site.ipynb", "site.md"):
        assert shell.submit(f"%save {name}").error is None
        assert secret not in Path(name).read_text()
    assert [entry.source for entry in history.read()] == ["$secret = 'hunters'"]


def test_a_secret_that_is_a_plain_word_hides_no_names(shell: Shell, tmp_path: Path) -> None:
    history = InputHistory(str(tmp_path / "history"))
    shell.submit("$x = Sensitive('passphrase')")
    names = ("$passphrase = 1", "f { 'a': passphrase => 1 }", "passphrases('a')")
    for number, source in enumerate((*names, "'the passphrase'", "mysql -ppassphrase # passphrase"), 1):
        history.add(number, source, "passphrase => Sensitive('[value redacted]')")
    assert [entry.source for entry in history.read()] == [*names]


def test_the_history_of_a_terminal_waits_for_the_output(tmp_path: Path) -> None:
    from puppet_kernel.terminal.console import PromptFileHistory

    history = InputHistory(str(tmp_path / "history"))
    inputs = PromptFileHistory(history)
    inputs.store_string("1 + 1")
    inputs.store_string(" 2 + 2")
    assert not history.read()
    inputs.flush("2", ["a line"])
    assert [entry.source for entry in history.read()] == ["1 + 1"]
