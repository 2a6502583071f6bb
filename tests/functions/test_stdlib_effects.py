"""The functions of stdlib that declare resources, read facts, or log."""

from __future__ import annotations

import pathlib
import re

import pytest

from evaluator import Session

# --- declaring

DECLARED = [
    ("ensure_resource('notify', ['a', ['b']], {})", ["Notify[a]", "Notify[b]"]),
    (
        "notify { 'a': message => 'x' } ensure_resource('notify', 'a', { 'message' => 'x' })",
        ["Notify[a] { message => 'x' }"],
    ),
    (
        "ensure_resources('notify', { 'a' => { 'message' => 'own' }, 'b' => {} }, { 'message' => 'm' })",
        ["Notify[a] { message => 'own' }", "Notify[b] { message => 'm' }"],
    ),
    ("ensure_resource([], [])", []),
]


@pytest.mark.parametrize(("source", "resources"), DECLARED)
def test_missing_resources_are_declared(source: str, resources: list[str]) -> None:
    session = Session("puppet")
    assert session.run(source).error is None
    assert [str(line) for line in session.catalog().summary()] == resources


INVALID = [
    ("ensure_resource('notify', 'a', undef)", "no implicit conversion of String into Hash"),
    (
        "ensure_resource('notify', ['a', ''])",
        'No title provided and "notify[]" is not a valid resource reference',
    ),
    ("ensure_resource(1, 'a')", "undefined method `capitalize' for 1:Integer"),
    ("ensure_resources('notify', { 'a' => '' })", "no implicit conversion of String into Hash"),
    ("ensure_resources('notify', { 'a' => {} }, undef)", 'undefined method `merge\' for "":String'),
    ("defined_with_params([Notify['a']], {})", "Reference is not understood: 'Array'"),
    ("getparam()", "Must specify a reference"),
]


@pytest.mark.parametrize(("source", "message"), INVALID)
def test_invalid_arguments_are_reported(source: str, message: str) -> None:
    outcome = Session("puppet").run(source)
    assert str(outcome.error) == f"Error while evaluating a Function Call, {message} (line: 1, column: 1)"


QUERIES = [
    ("notify { 'a': } defined_with_params(Notify['a'], { 'withpath' => '' })", "false"),
    ("notify { 'a': } defined_with_params(Notify['a'], { 'withpath' => undef })", "true"),
    ("notify { 'a': message => 1 } defined_with_params(Notify['a'], { 'message' => 1.0 })", "true"),
    ("notify { 'a': } defined_with_params(Notify['a'], { 'title' => 'a' })", "true"),
    ("defined_with_params(Notify, {})", "false"),
    ("notify { 'a': } getparam(Notify['a'], 'title')", "'a'"),
    ("notify { 'a': } getparam(Notify['a'], 'name')", "''"),
]


@pytest.mark.parametrize(("source", "text"), QUERIES)
def test_declared_resources_can_be_queried(source: str, text: str) -> None:
    assert Session("puppet", interactive=True).run(source).text == text


# --- facts

OLDER = {
    "os": {"name": "Debian", "release": {"full": "11.5", "major": "11"}},
    "interfaces": "eth0,lo",
    "ipaddress": "9.9.9.9",
    "ipaddress_eth0": "10.1.2.3",
    "network_eth0": "10.1.2.0",
    "netmask_lo": "255.0.0.0",
}
NEWER = {
    "networking": {
        "interfaces": {"eth0": {"ip": "10.1.2.3", "network": "10.1.2.0"}, "lo": {"netmask": "255.0.0.0"}}
    }
}
INTERFACES = [
    ("has_interface_with('eth0')", True),
    ("has_interface_with('eth1')", False),
    ("has_interface_with('')", False),
    ("has_interface_with('interface', 'eth0')", False),
    ("has_interface_with('ipaddress', '10.1.2.3')", True),
    ("has_interface_with('netmask', '255.0.0.0')", True),
    ("has_ip_address('10.1.2.3')", True),
    ("has_ip_address('10.1.2.0')", False),
    ("has_ip_network('10.1.2.0')", True),
]


@pytest.mark.parametrize("facts", [OLDER, NEWER], ids=["older", "newer"])
@pytest.mark.parametrize(("source", "value"), INTERFACES)
def test_interfaces_are_read_from_older_and_newer_facts(facts: dict, source: str, value: bool) -> None:
    assert Session("puppet", facts=facts, interactive=True).run(source).value is value


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("has_ip_address('9.9.9.9')", "true"),
        ("os_version_gte('Debian', '11')", "true"),
        ("os_version_gte('Debian', '11.5')", "false"),
        ("os_version_gte('Ubuntu', '9')", "false"),
        ("fact('os..name')", "'Debian'"),
        ("fact('os.release.')", "{'full' => '11.5', 'major' => '11'}"),
        ("fact('\"os\".name')", "'Debian'"),
    ],
)
def test_a_function_reads_facts(source: str, text: str) -> None:
    assert Session("puppet", facts=OLDER, interactive=True).run(source).text == text


# --- warnings


def test_a_deprecation_is_logged_once_for_a_key() -> None:
    session = Session("puppet7", interactive=True)
    first = session.run(
        "[deprecation('key', 'one'), deprecation('key', 'two'), deprecation('other', 'three')]"
    )
    place = ' at ["unknown", 1]:["unknown", 0]'
    assert first.text == f"['one{place}', undef, 'three{place}']"
    assert [log.message for log in first.logs] == [f"one{place}", f"three{place}"]
    assert session.run("deprecation('key', 'one')").logs == []
    session.undo()
    session.undo()
    assert [log.message for log in session.run("deprecation('key', 'one')").logs] == [f"one{place}"]


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("\n\nis_bool(1)", '["unknown", 3]:["unknown", 0]'),
        ("\n1.is_bool", '["unknown", 2]:["unknown", 0]'),
        ("function f() {\n is_bool(1) }\n\nf()", '["unknown", 2]:["unknown", 4]'),
        ("class c {\n is_bool(1) }\n\ninclude c", '["unknown", 2]:["unknown", 4]'),
        ("class c {\n is_bool(1) }\n\nclass { 'c': }", '["unknown", 2]:["unknown", 0]'),
        ("class c(\n$p = is_bool(1)) { }\n\ninclude c", '["unknown", 2]:["unknown", 4]'),
        ("class c {\n include e }\nclass e {\n is_bool(1) }\ninclude c", '["unknown", 4]:["unknown", 2]'),
        ("[1].each |$x| {\n is_bool(1) }", '["unknown", 2]:["unknown", 1]'),
        ("define d {\n is_bool(1) }\nd { 'a': }", '["unknown", 2]:'),
        ("node default {\n is_bool(1) }", '["unknown", 2]:'),
        ("\n$x = inline_epp('\n<% is_bool(1) %>')", '["inlined-epp-text", 2]:["unknown", 2]'),
    ],
)
def test_a_deprecation_has_the_position_of_the_call_and_of_the_enclosing_call(
    source: str, place: str
) -> None:
    error = Session("puppet").run(source).error
    assert error is not None
    assert f"{error.message} (line".partition(" (line")[0].endswith(f" at {place}")


@pytest.mark.parametrize("call", ["deprecation('key', 'one')", "is_string('a')", "validate_string('a')"])
def test_a_deprecation_follows_the_setting_strict(call: str) -> None:
    assert Session("puppet7", strict="off").run(call).logs == []
    assert [log.level for log in Session("puppet", strict="warning").run(call).logs] == ["warning"]
    error = Session("puppet").run(call).error
    assert error is not None
    assert "deprecation. " in error.message
    assert error.code == "STDLIB_DEPRECATION"


def test_validate_legacy_warns_only_if_the_value_is_no_instance_of_the_type() -> None:
    session = Session("puppet7", interactive=True)
    assert session.run("validate_legacy(String, 'validate_string', 'a')").logs == []
    assert len(session.run("validate_string('a')").logs) == 1
    outcome = session.run("validate_legacy(Integer, 'validate_string', 'a')")
    warning = "validate_legacy(validate_string) expects an Integer value, got String"
    assert outcome.text == f"""'{warning} at ["unknown", 1]:["unknown", 0]'"""
    assert session.run("validate_legacy(Integer, 'validate_string', 'b')").text == "undef"


@pytest.mark.parametrize(
    ("source", "description"),
    [
        ("is_absolute_path([1, undef])", "[1, nil] is an absolute path because it is a 'Array'"),
        ("is_absolute_path(undef)", " is an absolute path because it is a 'NilClass'"),
        ("is_absolute_path(/x/)", "(?-mix:x) is an absolute path because it is a 'Regexp'"),
        ("validate_absolute_path(['/a', 1])", "1 is an absolute path because it is a 'Integer'"),
        (
            "validate_legacy(Any, 'validate_absolute_path', true)",
            "true is an absolute path because it is a 'TrueClass'",
        ),
    ],
)
def test_a_value_that_is_no_path_is_reported_for_each_operating_system(source: str, description: str) -> None:
    logs = [log.message for log in Session("puppet7").run(source).logs if "Cannot" in log.message]
    assert logs == [f"Cannot check if {description} and not a String'"] * 2


COMMANDS = [
    ("validate_cmd('a', '/bin/grep -q a')", None),
    ("validate_cmd('a', '/bin/grep -q a % /dev/null')", None),
    ("validate_cmd('a', '/bin/grep b', 'no b')", "no b\nExecution of '/bin/grep b FILE' returned 1: "),
    (
        "validate_cmd('a', 'echo x; exit 3 %')",
        "COMMAND \"echo x; exit 3 %\"\nExecution of 'echo x; exit 3 FILE' returned 3: x",
    ),
    ("validate_cmd('a', 1)", "COMMAND 1\nTypeError no implicit conversion of Integer into String"),
    ("validate_cmd('a', ['b'], 'm')", "m\nTypeError no implicit conversion of Array into String"),
]


@pytest.mark.parametrize(("source", "message"), COMMANDS)
def test_a_command_that_refuses_a_text_is_reported(source: str, message: str | None) -> None:
    error = Session("puppet", permissions=["generate"]).run(source).error
    text = str(error).removeprefix("Error while evaluating a Function Call, ").rpartition(" (line")[0]
    text = re.sub(r"/\S*/validate_cmd[^' ]+", "FILE", text)
    prefix = "validate_cmd(): failed to validate content with command"
    assert (None if error is None else text.replace(prefix, "COMMAND")) == message
    assert "switched off" in str(Session("puppet").run("validate_cmd('a', '/bin/true')").error)


# --- templates


def test_a_template_with_a_deferred_value_is_deferred(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "shop" / "templates"
    folder.mkdir(parents=True)
    (folder / "sign.epp").write_text("<%= $a %>")
    session = Session("puppet", modulepath=[str(tmp_path)], interactive=True)
    assert session.run("stdlib::deferrable_epp('shop/sign.epp', { 'a' => 5 })").text == "'5'"
    outcome = session.run("stdlib::deferrable_epp('shop/sign.epp', { 'a' => Deferred('now') })")
    assert outcome.text.startswith("Deferred({'name' => 'inline_epp', 'arguments' => ['<%= $a %>', {'a' => ")
