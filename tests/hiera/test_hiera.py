"""Lookups in the data of the modules in this folder and of the session.

`lookups.txt` holds programs, each with its value or its error below a line that begins with `=>` or `!!`; a first
line `# data: {…}` sets the data of the session. `pytest tests/hiera --update` writes the current output.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaluator import Session
from evaluator.program import stat_cache
from evaluator.values import yaml_format
from tests.files import write_files

HERE = Path(__file__).parent
MODULES = HERE / "modules"
LOOKUPS = HERE / "lookups.txt"
SEPARATOR = "\n---\n"
DATA = "# data: "
FACTS = {"os": {"family": "Debian"}, "roles": ["web", "db"]}


def split_case(case: str) -> tuple[str, str]:
    """Return the program of a case and its expected result, "" if there is none yet."""
    lines = case.strip("\n").split("\n")
    if lines[-1][:2] in ("=>", "!!"):
        return "\n".join(lines[:-1]), lines[-1]
    return "\n".join(lines), ""


def read_cases() -> list[tuple[str, str]]:
    return [split_case(case) for case in LOOKUPS.read_text(encoding="utf-8").split(SEPARATOR)]


def evaluate(program: str) -> str:
    first, _, rest = program.partition("\n")
    data = json.loads(first.removeprefix(DATA)) if first.startswith(DATA) else None
    session = Session("puppet7", facts=FACTS, modulepath=[str(MODULES)], data=data, node="testnode")
    outcome = session.run(rest if data is not None else program)
    return f"!! {outcome.error}" if outcome.error is not None else f"=> {outcome.text}"


def test_lookups_have_the_recorded_results(request: pytest.FixtureRequest) -> None:
    expected = read_cases()
    current = [(program, evaluate(program)) for program, _ in expected]
    if request.config.getoption("--update"):
        text = SEPARATOR.join("\n".join(case) for case in current)
        LOOKUPS.write_text(text + "\n", encoding="utf-8")
        expected = read_cases()
    assert current == expected


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ("version: 9", "This runtime does not support hiera.yaml version 9"),
        ("version: 5\nbogus: 1", "has wrong type, unrecognized key 'bogus'"),
        ("version: 5\nhierarchy: 5", "has wrong type, entry 'hierarchy' expects an Array value, got Integer"),
        ("version: 5\nhierarchy: [{path: x}]", "entry 'hierarchy' index 0 expects a value for key 'name'"),
        (
            "version: 5\nhierarchy: [{name: x}]",
            "must be declared in hiera.yaml when using this data_hash function",
        ),
        (
            "version: 5\nhierarchy: [{name: x, path: a, paths: [b]}]",
            "Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'x'",
        ),
        ("version: 5\nhierarchy: [{name: x, path: a}, {name: x, path: b}]", "'x' defined more than once"),
        (
            "version: 5\nhierarchy: [{name: x, data_hash: none}]",
            "Unable to find 'data_hash' function named 'none'",
        ),
        (
            "version: 5\nhierarchy: [{name: x, data_hash: yaml_data, lookup_key: y}]",
            "Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in hierarchy 'x'",
        ),
        (
            "version: 5\ndefaults: {datadir: d}\nhierarchy: [{name: x, path: a}]",
            "must be defined in hierarchy 'x'",
        ),
        (
            "version: 5\nhierarchy: [{name: x, path: a, options: {path: 1}}]",
            "Option key 'path' used in hierarchy 'x' is reserved by Puppet",
        ),
        (
            "version: 5\ndefaults: {lookup_key: k, options: {uri: 1}}\nhierarchy: [{name: x, path: a}]",
            "Option key 'uri' used in defaults is reserved by Puppet",
        ),
        (
            "version: 5\nhierarchy: [{name: x, path: \"%{lookup('y')}\"}]",
            "Interpolation using method syntax is not allowed in this context",
        ),
    ],
)
def test_an_invalid_configuration_is_reported(tmp_path: Path, configuration: str, message: str) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "hiera.yaml").write_text(configuration, encoding="utf-8")
    outcome = Session("puppet", modulepath=[str(tmp_path)]).run("lookup('m::x')")
    assert message in str(outcome.error)


LEVELS = "version: 5\nhierarchy:\n  # - name: one\n  - name: one\n    path: a\n"


@pytest.mark.parametrize(
    ("configuration", "place"),
    [
        (LEVELS + "  - name: 'one'\n    path: b\n", "First defined at (line: 4) (file: {}, line: 6)"),
        (
            "version: 5\nhierarchy: [{name: x}, {name: x}]\ndefaults: {data_hash: yaml_data}",
            "once. (file: {})",
        ),
        (LEVELS + "    paths: [b]\n", "in hierarchy 'one' (file: {})"),
        (LEVELS + "    hiera3_backend: x\n", "global layer (file: {}, line: 6)"),
        ("\nversion: 9\n", "version 9 (file: {})"),
    ],
)
def test_an_error_of_a_configuration_has_its_file_and_line(
    tmp_path: Path, configuration: str, place: str
) -> None:
    (tmp_path / "m").mkdir()
    path = tmp_path / "m" / "hiera.yaml"
    path.write_text(configuration, encoding="utf-8")
    error = Session("puppet", modulepath=[str(tmp_path)]).run("lookup('m::x')").error
    assert error is not None and str(error).endswith(place.replace("{}", str(path)))
    assert error.span is not None and error.span.source.name == str(path)
    assert [note.text for note in error.notes] == ["called from here"]


def test_a_file_without_a_hash_is_reported(tmp_path: Path) -> None:
    data = tmp_path / "m" / "data"
    data.mkdir(parents=True)
    (data / "common.yaml").write_text("- 1\n", encoding="utf-8")
    (tmp_path / "m" / "hiera.yaml").write_text("version: 5\n", encoding="utf-8")
    session = Session("puppet7", modulepath=[str(tmp_path)])
    message = f"{data / 'common.yaml'}: file does not contain a valid yaml hash"
    assert [line.message for line in session.run("lookup('m::x', { 'default_value' => 1 })").logs] == [
        message
    ]
    strict = Session("puppet", modulepath=[str(tmp_path)])
    assert str(strict.run("lookup('m::x', { 'default_value' => 1 })").error) == message
    (tmp_path / "m" / "hiera.yaml").write_text("- 1\n", encoding="utf-8")
    logs = Session("puppet", modulepath=[str(tmp_path)]).run("lookup('m::x', { 'default_value' => 1 })").logs
    assert logs[0].message.endswith("a valid YAML hash. Falling back to Hiera version 3 default config")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lookup_options: {n::x: {merge: hash}}", "all lookup_options keys must start with module name 'm'"),
        (
            "lookup_options: {'^n::x': {merge: hash}}",
            "patterns must match a key starting with module name 'm'",
        ),
        ("lookup_options: 5", "value of lookup_options must be a hash"),
        ("a: [", "Unable to parse"),
    ],
)
def test_invalid_data_is_reported(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "m" / "data").mkdir(parents=True)
    (tmp_path / "m" / "hiera.yaml").write_text("version: 5\n", encoding="utf-8")
    (tmp_path / "m" / "data" / "common.yaml").write_text(text, encoding="utf-8")
    outcome = Session("puppet", modulepath=[str(tmp_path)]).run("lookup('m::x')")
    assert message in str(outcome.error)


def test_keys_of_other_modules_in_the_data_of_a_module_cause_one_warning() -> None:
    session = Session("puppet", modulepath=[str(MODULES)])
    outcome = session.run("notice(lookup('plain::x'), lookup('plain::x'))")
    assert [line.level for line in outcome.logs] == ["warning", "notice"]
    assert "must use keys qualified with the name of the module" in outcome.logs[0].message


def test_the_global_layer_comes_first_and_is_read_again_when_it_changes(tmp_path: Path) -> None:
    configuration = tmp_path / "hiera.yaml"
    configuration.write_text("version: 5\nhierarchy: [{name: all, path: all.yaml}]\n", encoding="utf-8")
    (tmp_path / "data").mkdir()
    data = tmp_path / "data" / "all.yaml"
    data.write_text("a: 1\nh: {x: 1}\n", encoding="utf-8")
    session = Session("puppet", hiera_config=str(configuration), data={"a": 2, "b": 3, "h": {"y": 2}})
    assert (
        session.run("[lookup('a'), lookup('b'), lookup('h', Hash, hash)]").text
        == "[1, 3, {'y' => 2, 'x' => 1}]"
    )
    data.write_text("a: changed\n", encoding="utf-8")
    assert session.run("lookup('a')").text == "'changed'"


def test_a_lookup_context_without_a_call_is_an_error() -> None:
    session = Session("puppet", modulepath=[str(MODULES)])
    outcome = session.run("Puppet::LookupContext('module_name' => 'x').not_found")
    assert outcome.error is not None


@pytest.mark.parametrize(
    ("strict", "logged", "error"),
    [("off", 0, False), ("warning", 1, False), ("error", 0, True)],
)
def test_an_unknown_variable_in_data_is_reported_at_the_level_of_strict(
    strict: str, logged: int, error: bool
) -> None:
    session = Session("puppet", data={"a": "%{none}", "b": "%{none}"}, strict=strict)
    outcome = session.run("[lookup('a'), lookup('b')]")
    assert len(outcome.logs) == logged
    assert ("Undefined variable 'none'" in str(outcome.error)) == error


# --- the global layer in the format of version 3

VERSION_3 = """\
:backends:
  - yaml
  - json
:hierarchy:
  - "nodes/%{::trusted.certname}"
  - "%{facts.os.family}"
  - common
:yaml:
  :datadir: {folder}/data
:json:
  :datadir: {folder}/json
"""


@pytest.fixture
def folder_of_version_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with data in the format of version 3."""
    files = {
        "data/common.yaml": "a: common\nl: [1]\nh: {x: {y: 1}}\ni: '%{hiera(\"a\")} %{::environment}'\n",
        "data/Debian.yaml": "family: Debian\n",
        "json/common.json": '{"a": "json", "j": 1, "l": [2], "h": {"x": {"z": 2}}}',
        "hiera.yaml": VERSION_3.replace("{folder}", str(tmp_path)),
    }
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, files)


def evaluate_in(folder: Path, program: str, more: str = "") -> tuple[str, list[str]]:
    """Return the value of a program or its error, and the warnings."""
    configuration = folder / "hiera.yaml"
    configuration.write_text(configuration.read_text(encoding="utf-8") + more, encoding="utf-8")
    session = Session("puppet", facts=FACTS, hiera_config=str(configuration), node="n1")
    outcome = session.run(program)
    value = outcome.text if outcome.error is None else str(outcome.error)
    return value, [line.message for line in outcome.logs if "hiera.yaml" in line.message]


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("lookup('a')", "'common'"),
        ("lookup('j')", "1"),
        ("lookup('family')", "'Debian'"),
        ("lookup('l', Any, 'unique')", "[1, 2]"),
        ("lookup('i')", "'common production'"),
        ("hiera_array('l')", "[1, 2]"),
        ("hiera_hash('h')", "{'x' => {'y' => 1}}"),
    ],
)
def test_a_global_hierarchy_of_version_3_is_read_with_a_warning(
    folder_of_version_3: Path, program: str, value: str
) -> None:
    text, warnings = evaluate_in(folder_of_version_3, program)
    assert text == value
    assert len(warnings) == 1
    assert "Use of 'hiera.yaml' version 3 is deprecated" in warnings[0]


@pytest.mark.parametrize(
    ("behavior", "value"),
    [
        ("native", "{'x' => {'y' => 1}}"),
        ("deep", "{'x' => {'y' => 1, 'z' => 2}}"),
        ("deeper", "{'x' => {'z' => 2, 'y' => 1}}"),
    ],
)
def test_version_3_sets_the_merge_of_hashes(folder_of_version_3: Path, behavior: str, value: str) -> None:
    more = f":merge_behavior: {behavior}\n"
    assert evaluate_in(folder_of_version_3, "hiera_hash('h')", more)[0] == value
    assert evaluate_in(folder_of_version_3, "lookup('h', Any, 'hash')")[0] == "{'x' => {'y' => 1}}"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (":bogus: 1\n", "has wrong type, unrecognized key 'bogus'"),
        (
            ":backends: [vault, yaml, json]\n",
            "the backend 'vault' of hiera.yaml is written in Ruby and is not supported here",
        ),
        ("version: 4\n", "has wrong type, unrecognized key 'backends'"),
    ],
)
def test_an_invalid_configuration_of_version_3_is_reported(
    folder_of_version_3: Path, more: str, message: str
) -> None:
    assert message in evaluate_in(folder_of_version_3, "lookup('a')", more)[0]


def test_a_file_is_read_once_for_all_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(yaml_format, "YAML", SimpleNamespace(check=parsed.append))
    monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)  # treat each file as old
    (tmp_path / "m" / "data").mkdir(parents=True)
    (tmp_path / "m" / "hiera.yaml").write_text(f"# {tmp_path}\nversion: 5\n", encoding="utf-8")
    data = tmp_path / "m" / "data" / "common.yaml"

    def look_up(text: str | None = None) -> Any:
        if text is not None:
            data.write_text(f"# {tmp_path}\nm::x: {text}\n", encoding="utf-8")
        parsed.clear()
        return Session("puppet", modulepath=[str(tmp_path)]).run("lookup('m::x')").value, len(parsed)

    assert look_up("[1]") == ([1], 2)  # with the configuration
    assert look_up() == ([1], 0)
    assert look_up("[2, 3]") == ([2, 3], 1)
    assert look_up() == ([2, 3], 0)


def test_nested_aliases_of_yaml_are_not_copied(tmp_path: Path) -> None:
    (tmp_path / "m" / "data").mkdir(parents=True)
    (tmp_path / "m" / "hiera.yaml").write_text("version: 5\n", encoding="utf-8")
    steps = [f"  - &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]\n" for n in range(1, 13)]
    text = "m::x:\n  - &b0 ['%{os.family}']\n" + "".join(steps)
    (tmp_path / "m" / "data" / "common.yaml").write_text(text, encoding="utf-8")
    session = Session("puppet", modulepath=[str(tmp_path)], facts=FACTS)
    outcome = session.run("lookup('m::x')[12][0][1][2][3][4][5][6][7][8][0][1][2]")
    assert outcome.error is None and outcome.value == ["Debian"]


def test_data_of_parameters_interpolates_the_module_and_not_the_title_of_the_class(tmp_path: Path) -> None:
    files = {
        "manifests/init.pp": "class m($a, $b = lookup('m::b')) { notice($a, $b, lookup('m::a')) }",
        "hiera.yaml": "version: 5\nhierarchy:\n  - name: all\n    path: all.yaml\n",
        "data/all.yaml": 'm::a: "%{module_name}/x %{title}"\nm::b: "%{module_name} %{title}"\n',
    }
    write_files(tmp_path / "m", files)
    outcome = Session("puppet", modulepath=[str(tmp_path)]).run("include m")
    assert [line.message for line in outcome.logs] == ["m/x main m main m/x m"]


def test_data_of_parameters_interpolates_variables_of_the_parent_class_only(tmp_path: Path) -> None:
    (tmp_path / "hiera.yaml").write_text(
        'version: 5\nhierarchy: [{name: own, path: "%{c::x}.yaml"}, {name: parent, path: "%{parent::x}.yaml"}]\n'
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "own.yaml").write_text("c::p: own\nk: own\n")
    (tmp_path / "data" / "above.yaml").write_text("c::p: above\nk: above\n")
    session = Session("puppet7", hiera_config=str(tmp_path / "hiera.yaml"))
    outcome = session.run(
        "class parent { $x = 'above' }\n"
        "class c($x = 'own', $p = undef, $q = $c::x) inherits parent { notice($p, $q, lookup('k')) }\ninclude c"
    )
    assert outcome.error is None
    assert [line.message for line in outcome.logs if line.level == "notice"] == ["above own own"]


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("lookup_key: no::such, path: none.yaml", ""),
        ("data_hash: no_such, paths: [none.yaml, nobody.yaml]", ""),
        ("data_hash: no_such, glob: 'none/*.yaml'", ""),
        ("lookup_key: no_such, path: all.yaml", "Unable to find 'lookup_key' function named 'no_such'"),
        ("lookup_key: no_such", "Unable to find 'lookup_key' function named 'no_such'"),
        ("lookup_key: no_such, uri: 'https://example.com'", "Unable to find 'lookup_key' function named"),
        ("data_hash: yaml_data, path: none.yaml, options: {a: 1}", ""),
        (
            "data_hash: yaml_data, path: all.yaml, options: {a: 1}",
            "'yaml_data' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml",
        ),
    ],
)
def test_a_level_without_existing_files_is_not_queried(level: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "hiera.yaml").write_text(
        f"version: 5\nhierarchy: [{{name: all, path: all.yaml}}, {{name: other, {level}}}]\n"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "all.yaml").write_text("k: 1\n")
    outcome = Session("puppet", hiera_config=str(tmp_path / "hiera.yaml")).run("lookup('k')")
    if message:
        assert message in str(outcome.error)
    else:
        assert outcome.error is None and outcome.value == 1


@pytest.mark.parametrize(
    "call", ["hiera('a', 1)", "hiera_array('a', [])", "hiera_hash('a', {})", "hiera_include('a', [])"]
)
def test_warnings_of_older_functions_depend_on_strict(call: str) -> None:
    assert Session("puppet", strict="off").run(call).logs == []
    for strict in ("warning", "error"):
        assert [line.level for line in Session("puppet", strict=strict).run(call).logs] == ["warning"]
