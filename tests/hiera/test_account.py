"""Accounts of lookups: what was asked, what each place gave, and how it is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program.definitions import MISSING
from evaluator.program.lookup_trace import ABSENT
from puppet_kernel.__main__ import main
from puppet_kernel.rendering.explanations import describe_lookup
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

CONFIGURATION = """\
version: 5
hierarchy:
  - name: Nodes
    path: "nodes/%{trusted.certname}.yaml"
  - name: Common
    paths: [common.yaml, more.yaml]
"""
COMMON = """\
lookup_options:
  m::list:
    merge: {strategy: deep}
    convert_to: "Array[Any]"
  "^secret":
    convert_to: Sensitive
m::list: [1, "%{lookup('x')}"]
x: "eks"
secret_word: hunter2
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with data of its own and of a module; it is the working folder."""
    files = {
        "hiera.yaml": CONFIGURATION,
        "data/common.yaml": COMMON,
        "data/more.yaml": "m::list: [3]\n",
        "modules/m/hiera.yaml": "version: 5\n",
        "modules/m/data/common.yaml": "# of the module\nm::list: [9]\n",
        "manifests/site.pp": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_place_is_told_with_its_answer(environment: Path) -> None:
    outcome, account = Session("puppet", environment=environment).lookup("m::list")
    assert (outcome.text, account.value) == ("[9, 3, 1, 'eks']", [9, 3, 1, "eks"])
    told = [
        (Path(one.place).relative_to(environment).as_posix(), one.answer, one.line) for one in account.steps
    ]
    assert told == [
        ("data/nodes/localhost.yaml", ABSENT, None),
        ("data/common.yaml", [1, "eks"], 7),
        ("data/more.yaml", [3], 1),
        ("modules/m/data/common.yaml", [9], 2),
    ]
    assert [one.name for one in account.steps[1].nested] == ["x"]
    assert (account.merge, account.convert) == ({"strategy": "deep"}, "Array[Any]")
    assert account.options is not None
    assert (Path(account.options.place).name, account.options.line) == ("common.yaml", 2)


def test_the_tree(environment: Path) -> None:
    _, account = Session("puppet", environment=environment).lookup("m::list")
    assert (
        render_plain(describe_lookup(account))
        == """\
m::list = [9, 3, 1, 'eks']
├─ lookup_options  data/common.yaml, line 2 = {'merge' => {'strategy' => 'deep'}, 'convert_to…
├─ merge: deep, one hash with all keys; nested hashes are merged, arrays joined
├─ converted to Array[Any]
├─ hierarchy: hiera.yaml
│  ├─ Nodes  data/nodes/localhost.yaml  no such file
│  └─ Common
│     ├─ data/common.yaml, line 7 = [1, 'eks']
│     │  └─ x = 'eks'
│     │     ├─ merge: first, the first value that is found
│     │     └─ hierarchy: hiera.yaml
│     │        ├─ Nodes  data/nodes/localhost.yaml  no such file
│     │        └─ Common  data/common.yaml, line 8 = 'eks'
│     └─ data/more.yaml, line 1 = [3]
└─ hierarchy of module m: modules/m/hiera.yaml
   └─ Common  modules/m/data/common.yaml, line 2 = [9]"""
    )


def test_a_name_without_value(environment: Path) -> None:
    outcome, account = Session("puppet", environment=environment).lookup("nope")
    assert (outcome.error, outcome.value, account.value) == (None, None, MISSING)
    assert [one.answer for one in account.steps] == [ABSENT, MISSING, MISSING]
    assert "no value" in render_plain(describe_lookup(account))


def test_without_data_the_tree_says_so() -> None:
    _, account = Session().lookup("x")
    assert "there is no data" in render_plain(describe_lookup(account))


def test_what_becomes_sensitive_is_shown_nowhere_on_the_way(environment: Path) -> None:
    outcome, account = Session("puppet", environment=environment).lookup("secret_word")
    assert "redacted" in outcome.text
    assert "hunter2" not in render_plain(describe_lookup(account))


def test_a_lookup_leaves_the_session_as_it_was(environment: Path) -> None:
    session = Session("puppet", environment=environment)
    session.run("$a = 1")
    session.lookup("m::list", "unique")
    assert [cell.source for cell in session.cells] == ["$a = 1"]
    assert session.run("lookup('x')").text == "'eks'"


def test_the_command(environment: Path) -> None:
    shell = Shell({"dialect": "puppet", "environment": str(environment)})
    answers = [shell.submit(f"%lookup {asked}") for asked in ("x", "m::list unique", "x deeep", "")]
    texts = [render_plain(answer.element) if answer.element is not None else "" for answer in answers]
    assert texts[0].startswith("x = 'eks'\n")
    assert "merge: unique" in texts[1]
    assert answers[2].error is not None
    assert "Unknown merge strategy: 'deeep'" in texts[2]
    assert "%lookup takes a key" in texts[3]


@pytest.mark.parametrize(
    ("arguments", "code", "out", "err"),
    [
        (["--lookup", "x"], 0, "'eks'\n", ""),
        (["--lookup", "m::list", "--merge", "unique"], 0, "[1, 'eks', 3, 9]\n", ""),
        (["--lookup", "x", "--lookup", "no"], 1, "'eks'\n", "puppet-repl: the data has no value for 'no'"),
        (["--lookup", "x", "--merge", "most"], 2, "", "--merge is one of first, unique, hash, deep"),
        (["--lookup", "a..b"], 1, "", "error[LOOKUP_KEY]"),
    ],
)
def test_the_option(
    environment: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    out: str,
    err: str,
) -> None:
    assert main(["--environment", ".", *arguments]) == code
    shown = capsys.readouterr()
    assert shown.out == out
    assert err in shown.err


def test_the_option_explains_and_gives_json(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--environment", ".", "--lookup", "x", "--explain"]) == 0
    assert "data/common.yaml, line 8 = 'eks'" in capsys.readouterr().out
    assert main(["--environment", ".", "--lookup", "x", "--lookup", "no", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {"key": "x", "value": "'eks'", "type": "String"},
        {"key": "no"},
    ]


def test_the_option_looks_up_also_after_an_error(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["-e", "fail('broken')"], ["-e", "fail('broken')", "--json"]):
        assert main(["--environment", ".", *arguments, "--lookup", "x"]) == 1
        shown = capsys.readouterr()
        assert "broken" in shown.err
        assert "'eks'" in (json.loads(shown.out)[0]["value"] if "--json" in arguments else shown.out)
