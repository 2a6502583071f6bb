"""Traces of lookups: the steps with their files and answers, and how they are displayed."""

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
from tests.files import write_files
from tests.sessions.displayed import render_reply

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
    """Return an environment with its own data and data of a module; it is the working folder."""
    files = {
        "hiera.yaml": CONFIGURATION,
        "data/common.yaml": COMMON,
        "data/more.yaml": "m::list: [3]\n",
        "modules/m/hiera.yaml": "version: 5\n",
        "modules/m/data/common.yaml": "# of the module\nm::list: [9]\n",
        "manifests/site.pp": "",
    }
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, files)


def test_a_trace_has_each_file_with_its_answer_and_line(environment: Path) -> None:
    outcome, trace = Session("puppet", environment=environment).lookup("m::list")
    assert (outcome.text, trace.value) == ("[9, 3, 1, 'eks']", [9, 3, 1, "eks"])
    steps = [
        (Path(step.place).relative_to(environment).as_posix(), step.answer, step.line) for step in trace.steps
    ]
    assert steps == [
        ("data/nodes/localhost.yaml", ABSENT, None),
        ("data/common.yaml", [1, "eks"], 7),
        ("data/more.yaml", [3], 1),
        ("modules/m/data/common.yaml", [9], 2),
    ]
    assert [step.name for step in trace.steps[1].nested] == ["x"]
    assert (trace.merge, trace.convert) == ({"strategy": "deep"}, "Array[Any]")
    assert trace.options is not None
    assert (Path(trace.options.place).name, trace.options.line) == ("common.yaml", 2)


def test_a_trace_is_displayed_as_a_tree(environment: Path) -> None:
    _, trace = Session("puppet", environment=environment).lookup("m::list")
    assert (
        render_plain(describe_lookup(trace))
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


def test_a_key_without_a_value_has_a_trace(environment: Path) -> None:
    outcome, trace = Session("puppet", environment=environment).lookup("nope")
    assert (outcome.error, outcome.value, trace.value) == (None, None, MISSING)
    assert [step.answer for step in trace.steps] == [ABSENT, MISSING, MISSING]
    assert "no value" in render_plain(describe_lookup(trace))


def test_a_trace_without_data_is_displayed_as_such() -> None:
    _, trace = Session().lookup("x")
    assert "there is no data" in render_plain(describe_lookup(trace))


def test_a_value_that_becomes_sensitive_is_redacted_in_the_trace(environment: Path) -> None:
    outcome, trace = Session("puppet", environment=environment).lookup("secret_word")
    assert "redacted" in outcome.text
    assert "hunter2" not in render_plain(describe_lookup(trace))


def test_a_lookup_does_not_change_the_session(environment: Path) -> None:
    session = Session("puppet", environment=environment)
    session.run("$a = 1")
    session.lookup("m::list", "unique")
    assert [cell.source for cell in session.cells] == ["$a = 1"]
    assert session.run("lookup('x')").text == "'eks'"


def test_the_command_displays_the_trace(environment: Path) -> None:
    shell = Shell({"dialect": "puppet", "environment": str(environment)})
    replies = [shell.submit(f"%lookup {arguments}") for arguments in ("x", "m::list unique", "x deeep", "")]
    texts = [render_reply(reply) for reply in replies]
    assert texts[0].startswith("x = 'eks'\n")
    assert "merge: unique" in texts[1]
    assert replies[2].error is not None
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
def test_the_option_prints_the_value(
    environment: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    out: str,
    err: str,
) -> None:
    assert main(["--environment", ".", *arguments]) == code
    output = capsys.readouterr()
    assert output.out == out
    assert err in output.err


def test_the_option_prints_the_trace_and_json(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--environment", ".", "--lookup", "x", "--explain"]) == 0
    assert "data/common.yaml, line 8 = 'eks'" in capsys.readouterr().out
    assert main(["--environment", ".", "--lookup", "x", "--lookup", "no", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {"key": "x", "value": "'eks'", "type": "String"},
        {"key": "no"},
    ]


def test_the_option_looks_up_after_an_error_of_the_program(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["-e", "fail('broken')"], ["-e", "fail('broken')", "--json"]):
        assert main(["--environment", ".", *arguments, "--lookup", "x"]) == 1
        output = capsys.readouterr()
        assert "broken" in output.err
        assert "'eks'" in (json.loads(output.out)[0]["value"] if "--json" in arguments else output.out)
