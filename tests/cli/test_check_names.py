"""`--check` and `evaluator.check` report unknown names and cycles and run no program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluator import check
from evaluator.checking import COMMON, read_text
from evaluator.types import find_builtin_type
from lexer_parser.dialect import DIALECTS
from tests.cli.forking import Repl, Result
from tests.files import write_files

BASE = "class base($port = 80) { $home = '/srv' }\ndefine vhost($root) { file { $root: } }\n"

# A program and its problem: severity, code, the marked text, and the similar name that is suggested.
WRONG_PROGRAMS = (
    ("notce('a')", "error", "UNKNOWN_FUNCTION", "notce", "notice"),
    ("$x = [1].mapp |$y| { $y }", "error", "UNKNOWN_FUNCTION", "mapp", "map"),
    ("frobnicate('a')", "warning", "UNKNOWN_FUNCTION", "frobnicate", None),
    ("fil { '/a': }", "error", "RESOURCE_TYPE_NOT_FOUND", "fil", "file"),
    ("Fil { mode => '0644' }", "error", "RESOURCE_TYPE_NOT_FOUND", "Fil", "file"),
    ("nonesuch { '/a': }", "warning", "RESOURCE_TYPE_NOT_FOUND", "nonesuch", None),
    ("vhots { 'a': root => '/' }", "error", "RESOURCE_TYPE_NOT_FOUND", "vhots", "vhost"),
    ("base { 'a': }", "error", "RESOURCE_TYPE_NOT_FOUND", "base", None),
    ("include bsae", "error", "DECLARED_CLASS_NOT_FOUND", "bsae", "base"),
    ("include 'nonesuch'", "warning", "DECLARED_CLASS_NOT_FOUND", "'nonesuch'", None),
    ("include vhost", "error", "DECLARED_CLASS_NOT_FOUND", "vhost", None),
    ("class a inherits bas { }", "error", "PARENT_MISSING", "bas", "base"),
    ("file { '/a': ensre => file }", "error", "UNKNOWN_ATTRIBUTE", "ensre", "ensure"),
    ("File { ownr => 'root' }", "error", "UNKNOWN_ATTRIBUTE", "ownr", "owner"),
    ("file { '/a': }\nFile['/a'] { ownr => 'root' }", "error", "UNKNOWN_ATTRIBUTE", "ownr", "owner"),
    ("File <| |> { ownr => 'root' }", "error", "UNKNOWN_ATTRIBUTE", "ownr", "owner"),
    ("package { 'a': version => '1' }", "error", "UNKNOWN_ATTRIBUTE", "version", "ensure"),
    ("class { 'base': prot => 1 }", "error", "UNKNOWN_PARAMETER", "prot", "port"),
    ("vhost { 'a': rot => '/' }", "error", "UNKNOWN_PARAMETER", "rot", "root"),
    ('$port = 1\nnotice("${prot}")', "warning", "UNKNOWN_VARIABLE", "prot", "$port"),
    ("notice($nonesuch)", "warning", "UNKNOWN_VARIABLE", "$nonesuch", None),
    ("notice($osfamly)", "warning", "UNKNOWN_VARIABLE", "$osfamly", "$osfamily"),
    ("notice($::osfamly)", "warning", "UNKNOWN_VARIABLE", "$::osfamly", "$osfamily"),
    ("notice($base::hme)", "warning", "UNKNOWN_VARIABLE", "$base::hme", "$base::home"),
    ("class a { $x = 1 }\nclass b { notice($x) }", "warning", "UNKNOWN_VARIABLE", "$x", None),
    ("[1].each |$x| { $y = $x }\nnotice($y)", "warning", "UNKNOWN_VARIABLE", "$y", None),
)

# Names of types: the program, the marked name, and the similar name that is suggested.
WRONG_TYPES = (
    ("$x = 1 =~ Integr", "Integr", "Integer"),
    ("function f(Stirng $x) { }", "Stirng", "String"),
    ("function f() >> Array[Intger] { }", "Intger", "Integer"),
    ("case 1 { Bool: { } default: { } }", "Bool", "Boolean"),
    ("$x = 1 ? { Flaot => 1, default => 2 }", "Flaot", "Float"),
    ("type Port = Integr[1]", "Integr", "Integer"),
    ("type Port = Integer\n$x = 1 =~ Prot", "Prot", "Port"),
    ("[1].each |Optional[Sting] $x| { }", "Sting", "String"),
    ("file { '/a': require => Pakage['b'] }", "Pakage", "Package"),
    ("Vhots['a'] -> Vhost['b']", "Vhots", "Vhost"),
    ("class c(Nonesuch $x) { }", "Nonesuch", None),
    ("$x = 1 =~ Base", "Base", None),
)

# Names that exist, or that may exist in files that are not checked.
CORRECT_PROGRAMS = (
    "$x = [Timespan, SemVer, Iterable[Integer], Pcore::AnyType, Error, ::Integer, Stage['main'], Class[Foo]]",
    "class c(Stdlib::Port $x) { Apache::Vhost['a'] -> Vhost['b'] }\nVhost <| |> { tag => 'a' }",
    "type S = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', types => { A => Integer, B => A } }]\n"
    "$x = 1 =~ S::A",
    "if defined(Nonesuch['a']) { $x = Nonesuch['a'] }",
    "notice($facts['os'], $trusted, $osfamily, $ipaddress_eth0, $::role, $::site::role, $0)",
    "include nginx::server\nnginx::vhost { 'a': any => 1 }\nnginx::reload('a')\nnotice($nginx::port)",
    "include base::elsewhere\nclass b inherits base::other { notice($x) }",
    "if defined('blah') { blah { 'a': } }\nif defined('$y') { notice($y) }",
    "if $facts['a'] { $x = 1 } else { $x = 2 }\nnotice($x)",
    "[$a, [$b]] = [1, [2]]\nnotice($a, $b)",
    "$n = [1].map |Integer $x, $y = $x| { $x + $y }",
    "class a inherits base { notice($port, $home, $title, $name, $module_name) }",
    "class a inherits base::elsewhere { notice($anything) }",
    "node 'a' { $role = 'web' }\nclass a { notice($role) }",
    "function f($x) { $x }\nnotice(f(1), 'a'.f)",
    "vhost { 'a': root => '/', name => 'b', require => Class['base'], tag => 'x' }",
    "class { 'base': * => { 'any' => 1 } }",
    "File <| title == 'a' and mode == '0644' |> -> Package <| |>",
    "@@file { '/a': }\nrealize(File['/a'])\ncreate_resources('file', { '/b' => { } })",
    "file { default: mode => '0644'; '/a': ; ['/b', '/c']: }",
)

CYCLES = (
    "notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }",
    "Notify['a'] -> Notify['b'] ~> Notify['a']",
    "notify { 'a': } <- notify { 'b': } <- Notify['a']",
    "[Notify['a'], Notify['b']] -> Notify['c']\nNotify['c'] -> Notify['b']",
    "class a { notify { 'a': before => Class['b'] } }\nclass b { notify { 'b': before => Class['a'] } }\ninclude a",
    "class a { notify { 'a': } }\ninclude a\nClass['a'] -> Notify['a']",
    "class a { contain b }\nclass b { Class['a'] -> notify { 'b': } }",
)

NO_CYCLES = (
    "if $facts['a'] { Notify['a'] -> Notify['b'] } else { Notify['b'] -> Notify['a'] }",
    "class a { Notify['a'] -> Notify['b'] }\nclass b { Notify['b'] -> Notify['a'] }",
    "@notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }",
    "class a { include b\nClass['b'] -> notify { 'a': } }\nclass b { notify { 'b': } }",
    "$x = 'a'\nnotify { $x: require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }",
)


@pytest.mark.parametrize(("source", "severity", "code", "marked", "similar"), WRONG_PROGRAMS)
def test_an_unknown_name_is_reported(
    source: str, severity: str, code: str, marked: str, similar: str | None
) -> None:
    (problem,) = check(BASE + source)
    span = problem.error.span
    assert span is not None
    assert (problem.severity, problem.error.code, problem.error.suggestion) == (severity, code, similar)
    assert span.source.text[span.start : span.end] == marked
    assert similar or problem.error.help


@pytest.mark.parametrize(("source", "marked", "similar"), WRONG_TYPES)
def test_an_unknown_type_is_reported(source: str, marked: str, similar: str | None) -> None:
    for dialect, severity in (("puppet", "error"), ("spec", "warning")):
        (problem,) = check(BASE + source, dialect)
        span = problem.error.span
        assert span is not None
        # A name that is similar to no other may be that of a type in a module.
        expected = "warning" if marked == "Nonesuch" else severity
        assert (problem.severity, problem.error.code) == (expected, "UNKNOWN_RESOURCE_TYPE")
        assert (span.source.text[span.start : span.end], problem.error.suggestion) == (marked, similar)
        assert similar or problem.error.help


def test_common_types_are_builtin_types() -> None:
    assert [
        name for name in COMMON for dialect in DIALECTS.values() if find_builtin_type(name, dialect) is None
    ] == []


@pytest.mark.parametrize("source", CORRECT_PROGRAMS)
def test_a_name_that_may_exist_is_not_reported(source: str) -> None:
    assert check(BASE + source) == []


@pytest.mark.parametrize("source", CYCLES)
def test_a_cycle_is_reported(source: str) -> None:
    for dialect, severity in (("spec", "warning"), ("puppet", "error")):
        assert [(problem.severity, problem.error.code) for problem in check(source, dialect)] == [
            (severity, "DEPENDENCY_CYCLE")
        ]


@pytest.mark.parametrize("source", NO_CYCLES)
def test_an_uncertain_cycle_is_not_reported(source: str) -> None:
    assert check(source) == []


def test_settings_decide_the_severity_of_an_unknown_variable() -> None:
    assert check("notice($x)", strict="off") == []
    assert [problem.severity for problem in check("notice($x)", strict="error")] == ["error"]
    assert [problem.severity for problem in check("notice($x)", strict_variables=True)] == ["error"]
    assert check("notice($x)", facts={"x": 1}) == []


def test_names_are_not_checked_in_a_file_with_a_syntax_error() -> None:
    assert [problem.error.code for problem in check("$x = [1 2]\nnotice($x)")] == ["SYNTAX_ERROR"]


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no dialect 'perl'"):
        check("", "perl")


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read .*none\.pp: No such file"):
        read_text(str(tmp_path / "none.pp"))


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """Return a folder of modules with a class, a define, functions, types, and facts in Ruby."""
    return write_files(
        tmp_path / "modules",
        {
            "web/manifests/init.pp": "class web($port = 80) inherits web::params { notice($root) }",
            "web/manifests/params.pp": "class web::params { $root = '/srv' }",
            "web/manifests/vhost.pp": "define web::vhost($root) { notice($web::root, $web::port) }",
            "web/types/port.pp": "type Web::Port = Integer[1, 65535]",
            "web/types/sizes.pp": "type Web::Sizes = TypeSet[{ pcore_version => '1.0.0', version => '1.0.0', "
            "types => { Small => Integer } }]",
            "web/lib/puppet/datatypes/web/from_ruby.rb": "",
            "web/functions/url.pp": 'function web::url($host) { "http://${host}" }',
            "web/lib/puppet/functions/web/old.rb": "",
            "web/lib/puppet/parser/functions/older.rb": "",
            "web/lib/puppet/type/site.rb": "Puppet::Type.newtype(:site) do\n newparam(:name)\n newparam(:root)\nend\n",
            "web/lib/facter/web.rb": "Facter.add(:web_version) { }\n",
            "web/templates/a.epp": "<%= $anything %>",
            "web/templates/b.epp": "<%- | $host | -%>\n<%= $hots %>",
        },
    )


USES = (
    "include web\nweb::vhost { 'a': root => web::url('b') }\nsite { 'a': root => '/' }\nolder()\nweb::old()\n"
    "notice($web::root, $web::port, $web_version)\n"
    "class own(Web::Port $x, Web::FromRuby $y, Web::Sizes::Small $z) { Web::Vhost['a'] -> Site['a'] }\n"
)


def test_names_of_modules_are_known(modules: Path) -> None:
    assert check(USES, modulepath=[str(modules)]) == []
    problems = check(
        "include web::vhots\nweb::vhost { 'a': rot => 1 }\nsite { 'a': rot => 1 }\nweb::ulr()\nnotice($web::prot)\n"
        "include apache\nclass own(Web::Prot $x, Web::Nothing $y) { Web::Vhots['a'] -> Site['b'] }",
        modulepath=[modules],
    )
    assert [(problem.severity, problem.error.code, problem.error.suggestion) for problem in problems] == [
        ("error", "DECLARED_CLASS_NOT_FOUND", None),
        ("error", "UNKNOWN_PARAMETER", "root"),
        ("error", "UNKNOWN_ATTRIBUTE", "root"),
        ("error", "UNKNOWN_FUNCTION", "web::url"),
        ("warning", "UNKNOWN_VARIABLE", "$web::port"),
        ("error", "DECLARED_CLASS_NOT_FOUND", None),
        ("warning", "UNKNOWN_RESOURCE_TYPE", "Web::Port"),
        ("warning", "UNKNOWN_RESOURCE_TYPE", None),
        ("warning", "UNKNOWN_RESOURCE_TYPE", "Web::Vhost"),
    ]


def collect_codes(result: Result) -> list[str]:
    """Return the codes of the problems in the output, in order."""
    return re.findall(r"^(?:error|warning)\[(\w+)\]", result.stderr, re.MULTILINE)


def test_files_of_a_module_see_the_names_of_each_other(repl: Repl, modules: Path) -> None:
    result = repl("--check", "modules")
    assert (result.returncode, collect_codes(result)) == (0, ["UNKNOWN_VARIABLE"])
    assert "did you mean $host?" in result.stderr


def test_a_module_outside_the_module_path_is_recognized_by_its_metadata(repl: Repl, modules: Path) -> None:
    clone = modules.parent / "company-web"
    (modules / "web").rename(clone)
    (clone / "metadata.json").write_text("{}")
    (clone / "manifests/more.pp").write_text(
        "class web::more { include apache\ninclude web::parms\nsite { 'a': any => 1 }\n"
        "older()\nweb::old()\nfirewall { 'a': } }"
    )
    result = repl("--check", "company-web/manifests")
    assert (result.returncode, collect_codes(result)) == (1, ["DECLARED_CLASS_NOT_FOUND"])
    assert "did you mean web::params?" in result.stderr
    assert collect_codes(repl("--check", "company-web/manifests/more.pp")) == ["DECLARED_CLASS_NOT_FOUND"]


def test_files_that_are_checked_together_see_the_names_of_each_other(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("class web($port = 80) { }\n$role = 'web'\nnode 'a' { $zone = 'x' }\n")
    (tmp_path / "b.pp").write_text(
        "class { 'web': port => 1 }\nclass c { notice($role, $zone, $web::port) }\n"
    )
    assert collect_codes(repl("--check", "a.pp", "b.pp")) == []
    assert set(collect_codes(repl("--check", "b.pp"))) == {"DECLARED_CLASS_NOT_FOUND", "UNKNOWN_VARIABLE"}


def test_an_environment_provides_its_modules_and_manifests(repl: Repl, modules: Path, tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("$role = 'web'\n")
    (tmp_path / "a.pp").write_text(USES + "include apache\nclass b { notice($role) }\n")
    result = repl("--check", "--environment", ".", "a.pp")
    assert (result.returncode, collect_codes(result)) == (1, ["DECLARED_CLASS_NOT_FOUND"])
    assert repl("--check", "--environment", "none", "a.pp").returncode == 2


def test_warnings_do_not_change_the_exit_code(repl: Repl, tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("notice($x)\n")
    assert repl("--check", "a.pp").returncode == 0
    assert repl("--check", "--strict-variables", "a.pp").returncode == 1
    (tmp_path / "a.pp").write_text(CYCLES[0])
    assert repl("--check", "a.pp").returncode == 0
    assert repl("--check", "--dialect", "puppet", "a.pp").returncode == 1


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--no-strict-variables",), 1),
        (("--no-strict-variables", "--strict", "warning"), 0),
        (("--dialect", "puppet7"), 0),
        (("--dialect", "puppet7", "--strict-variables"), 1),
    ],
)
def test_options_decide_if_an_unknown_variable_is_an_error(
    repl: Repl, options: tuple[str, ...], code: int
) -> None:
    assert repl("--dialect", "puppet", *options, "-e", "notice($nope)").returncode == code
