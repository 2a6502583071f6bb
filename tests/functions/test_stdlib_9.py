"""Functions with the prefix `stdlib::` have the results of version 9.7 of stdlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluator import Session

VALUES = {
    "stdlib::crc32('abc')": "'352441c2'",
    "stdlib::crc32(Sensitive('abc'))": "'352441c2'",
    "stdlib::crc32('')": "'0'",
    "stdlib::crc32(Binary('YWJj'))": "'594388c8'",
    "stdlib::batch_escape('a \"$\\\\ b')": '\'"a ""\\$\\\\ b"\'',
    "stdlib::fqdn_rotate(1)": None,
    "stdlib::fqdn_rand_string(0)": None,
    "stdlib::fqdn_rand_string('5')": None,
    "stdlib::has_function('include')": "true",
    "stdlib::has_function('')": None,
    "stdlib::has_interface_with('eth0')": "true",
    "stdlib::has_interface_with('ipaddress', '192.0.2.10')": "true",
    "stdlib::has_interface_with('mac', '192.0.2.10')": "false",
    "stdlib::has_interface_with('foo', '192.0.2.10')": None,
    "stdlib::has_ip_address('192.0.2.10')": "true",
    "stdlib::has_ip_network('192.0.2.0')": "true",
    "stdlib::has_ip_network('192.0.2.')": None,
    "stdlib::merge({ 'a' => 1 }) |$h, $k, $v| { { $v => $k } }": "{1 => 'a'}",
    "stdlib::merge(1)": None,
    "stdlib::nested_values({ 'a' => 1, 'b' => { 'c' => [1, { 'd' => 2 }], 'e' => {} } })": "[1, [1, {'d' => 2}]]",
    "stdlib::os_version_gte('Debian', '10')": "true",
    "stdlib::os_version_gte('Debian', '12')": "false",
    "stdlib::sort_by('hello') |$x| { $x }": "'ehllo'",
    "stdlib::sort_by([1, 'a']) |$x| { $x }": None,
    "stdlib::sort_by({ 'a' => 3, 'b' => 1 }) |$k, $v| { $v }": None,
    "stdlib::to_json(Sensitive('x')).unwrap": "'\"x\"'",
    "stdlib::to_json_pretty([1, undef], false, { 'indent' => '    ' })": '"[\\n    1,\\n    null\\n]\\n"',
    "stdlib::to_yaml({ 'a' => [1], 'b' => { 'c' => undef } }, { 'indentation' => 4 })": (
        r'"---\na:\n- 1\nb:\n    c:\n"'
    ),
    "stdlib::ensure(false)": "'absent'",
    "stdlib::ensure('present', 'package')": "'installed'",
    "stdlib::time('UTC') =~ Integer": "true",
    "stdlib::validate_domain_name('exa mple.com')": None,
    "stdlib::validate_email_address('ab')": None,
}


@pytest.mark.parametrize("source", VALUES)
def test_a_call_has_the_result_of_version_9_7(source: str) -> None:
    outcome = Session("puppet", facts="debian-11").run(source)
    assert (outcome.error is not None) == (VALUES[source] is None), outcome.error
    if outcome.error is None:
        assert outcome.text == VALUES[source]


@pytest.mark.parametrize("name", ["to_json", "to_yaml", "to_toml", "to_json_pretty"])
def test_data_with_a_sensitive_value_is_serialized_as_a_sensitive_value(name: str) -> None:
    outcome = Session("puppet").run(f"stdlib::{name}({{ 'a' => Sensitive('x') }}) =~ Sensitive")
    assert outcome.text == "true"


PACKAGES: list[tuple[str, list[str]]] = [
    ("stdlib::ensure_packages(['a', 'b'])", ["a installed", "b installed"]),
    ("stdlib::ensure_packages('a', { 'ensure' => 'absent' })", ["a absent"]),
    ("stdlib::ensure_packages({ 'a' => { 'ensure' => '1.0' }, 'b' => {} })", ["a 1.0", "b installed"]),
    ("package { 'a': ensure => present } stdlib::ensure_packages('a')", ["a present"]),
    (
        "package { 'a': ensure => installed } stdlib::ensure_packages('a', { 'ensure' => 'present' })",
        ["a installed"],
    ),
    ("stdlib::ensure_packages({})", []),
]


@pytest.mark.parametrize(("source", "expected"), PACKAGES)
def test_ensure_packages_declares_packages(source: str, expected: list[str]) -> None:
    session = Session("puppet")
    assert session.run(source).error is None
    resources: list[Any] = session.catalog().to_json()["resources"]
    packages = [one for one in resources if one["type"] == "Package"]
    assert [f"{one['title']} {one['parameters']['ensure']}" for one in packages] == expected


def test_the_version_on_the_module_path_decides_which_functions_exist(tmp_path: Path) -> None:
    for name in ("functions/stdlib/sha256.rb", "functions/shell_escape.rb", "parser/functions/concat.rb"):
        path = tmp_path / "stdlib/lib/puppet" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "stdlib/functions").mkdir()
    (tmp_path / "stdlib/functions/time.pp").write_text("function stdlib::time($zone = 1) { $zone + 1 }")

    def has_result(source: str) -> bool:
        return Session("puppet", modulepath=[tmp_path]).run(source).error is None

    assert (
        has_result("stdlib::sha256('a')")
        and has_result("shell_escape('a')")
        and has_result("concat([1], [2])")
    )
    # A function that the module defines in the Puppet language is used instead of the built-in one.
    assert Session("puppet", modulepath=[tmp_path]).run("stdlib::time()").text == "2"
    assert not has_result("stdlib::crc32('a')") and not has_result("has_key({}, 'a')")
    assert Session("puppet").run("stdlib::crc32('a')").error is None
