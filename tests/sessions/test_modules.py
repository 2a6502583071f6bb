"""The files of a module path that are read for a name."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluator import Session

MODULES = {
    "m/manifests/init.pp": "class m { class inner { $x = 'inner' } }\ndefine m::d { }",
    "m/manifests/n.pp": "class m::n { } class m::n::o { $x = 'outer file' }",
    "m/manifests/n/p.pp": "class m::n::p { $x = 'own file' }",
    "twice/manifests/init.pp": "class twice { } class twice::n { }",
    "twice/manifests/n.pp": "class twice::n { }",
    "wrong/manifests/init.pp": "class wrong {",
    "wrong/manifests/n.pp": "class wrong::n { }",
}


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def session(tmp_path: Path) -> Session:
    for name, text in MODULES.items():
        write(tmp_path, name, text)
    return Session("puppet", modulepath=[str(tmp_path)])


@pytest.mark.parametrize(
    ("name", "expected"), [("m::inner", "inner"), ("m::n::o", "outer file"), ("m::n::p", "own file")]
)
def test_a_class_is_in_its_own_file_or_in_that_of_an_enclosing_namespace(
    session: Session, name: str, expected: str
) -> None:
    outcome = session.run(f"include {name}\n${name}::x")
    assert outcome.text == f"'{expected}'", str(outcome.error)


def test_a_define_may_be_in_the_file_of_its_module(session: Session) -> None:
    assert session.run("m::d { 'a': }").text == "[M::D['a']]"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("wrong::n", "Syntax error at end of input"), ("twice::n", "Class 'twice::n' is already defined")],
)
def test_the_file_of_the_module_is_read_first(session: Session, name: str, expected: str) -> None:
    assert session.run(f"include {name}").error.message.startswith(expected)


def test_several_errors_in_a_file_are_reported_with_the_file_alone(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "wrong" / "manifests" / "init.pp"
    path.write_text("class wrong { 1 }\nnotice 1")
    error = session.run("include wrong").error
    assert str(error) == f"Language validation logged 2 errors. Giving up (file: {path})"
    assert len(error.related) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "does not define the type 'm::t' - it is empty."),
        ("class m::t { }", "does not define the type 'm::t' - no type alias or type definition found."),
        ("type M::U = Integer", "produced type with the wrong name, expected 'm::t', actual 'M::U'"),
        (
            "type M::T = Integer\ntype M::U = Integer",
            "must contain only the type 'm::t' - it has additional definitions.",
        ),
    ],
)
def test_the_file_of_a_type_defines_that_type_alone(
    session: Session, tmp_path: Path, text: str, expected: str
) -> None:
    path = write(tmp_path, "m/types/t.pp", text)
    assert str(session.run("1 =~ M::T").error).startswith(
        f"Error while evaluating a Type-Name, The code loaded from {path} {expected}"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "does not define the function 'm::f' - it is empty."),
        ("class m::f { }", "does not define the function 'm::f' - no function found."),
        (
            "function m::f() { }\nfunction m::f2() { }",
            "must contain only the function 'm::f' - it has additional definitions.",
        ),
    ],
)
def test_the_file_of_a_function_defines_that_function_alone(
    session: Session, tmp_path: Path, text: str, expected: str
) -> None:
    write(tmp_path, "m/functions/f.pp", text)
    assert expected in str(session.run("m::f()").error)


def test_a_function_of_a_module_has_its_name_before_it(session: Session, tmp_path: Path) -> None:
    write(tmp_path, "m/functions/m.pp", "function m::m() { 5 }")
    assert str(session.run("m()").error).startswith("Unknown function: 'm'.")
    assert session.run("m::m()").text == "5"


def test_templates_of_modules_are_in_the_language_as_released(tmp_path: Path) -> None:
    write(tmp_path, "m/manifests/init.pp", "class m($_who = 'x') { notice(epp('m/a.epp')) }")
    write(tmp_path, "m/templates/a.epp", "<%= $m::_who %>")
    outcome = Session("spec", modulepath=[str(tmp_path)]).run("include m")
    assert outcome.error is None and [line.message for line in outcome.logs] == ["x"]


def test_all_mistakes_of_a_template_are_reported() -> None:
    error = Session("puppet").run('inline_epp("<%= \\$X %>\\n<%= \\$Y::z %>")').error
    assert error is not None and "Giving up" in error.message
    assert [(one.code, one.span.line) for one in error.related] == [
        ("ILLEGAL_VAR_NAME", 1),
        ("ILLEGAL_VAR_NAME", 2),
    ]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("m::ruby", "functions/m/ruby.rb"),
        ("plain_ruby", "functions/plain_ruby.rb"),
        ("old", "parser/functions/old.rb"),
    ],
)
def test_a_call_of_a_function_in_ruby_names_its_file(tmp_path: Path, name: str, file: str) -> None:
    write(tmp_path, f"m/lib/puppet/{file}", "Puppet::Functions.create_function(:x)")
    error = Session("puppet", modulepath=[str(tmp_path)]).run(f"{name}()").error
    assert error is not None and error.help is not None
    assert f"`{name}` is written in Ruby, in m/lib/puppet/{file}" in error.help


@pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")
@pytest.mark.parametrize("name", ["m::ruby", "missing"])
def test_a_template_that_calls_a_function_in_ruby(tmp_path: Path, name: str) -> None:
    write(tmp_path, "m/lib/puppet/functions/m/ruby.rb", "Puppet::Functions.create_function(:'m::ruby')")
    write(tmp_path, "m/templates/a.erb", f"<%= scope.call_function('{name}', []) %>")
    session = Session("puppet", modulepath=[str(tmp_path)], permissions=["templates"])
    for program in ("template('m/a.erb')", f"inline_template(\"<%= scope.call_function('{name}', []) %>\")"):
        error = session.run(program).error
        assert error is not None and error.help is not None
        assert f"Unknown function: '{name}'" in error.message
        assert ("is written in Ruby" in error.help) == (name == "m::ruby")


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_types_in_files_of_a_module_are_those_of_the_released_puppet(tmp_path: Path, dialect: str) -> None:
    """The dialects treat unknown types differently; that of the code that names the type counts."""
    manifests = tmp_path / "shop" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class shop(Nothing $x) { }")
    session = Session(dialect, modulepath=[tmp_path])
    error = session.run("class { 'shop': x => 1 }").error
    assert error is not None
    assert error.message == "Resource type not found: Nothing"


HIDDEN = {
    "manifests/n.pp": ("class m::n { }", "include m::n"),
    "functions/f.pp": ("function m::f() { 1 }", "m::f()"),
    "types/t.pp": ("type M::T = Integer", "3 =~ M::T"),
    "files/f": ("", "file('m/f')"),
    "templates/t.epp": ("", "epp('m/t.epp')"),
}


@pytest.mark.parametrize("file", HIDDEN)
def test_a_module_hides_those_of_its_name_that_come_later_on_the_path(tmp_path: Path, file: str) -> None:
    text, program = HIDDEN[file]
    write(tmp_path / "first", "m/manifests/init.pp", "class m { }")
    write(tmp_path / "second" / "m", file, text)
    roots = [str(tmp_path / name) for name in ("first", "second")]
    assert Session("puppet", modulepath=roots[1:]).run(program).error is None
    assert Session("puppet", modulepath=roots).run(program).error is not None


def test_types_of_a_hidden_module_exist(tmp_path: Path) -> None:
    write(tmp_path / "first", "m/manifests/init.pp", "class m { }")
    source = "Puppet::Type.newtype(:m_thing) { newparam(:name, namevar: true) }"
    write(tmp_path / "second" / "m" / "lib" / "puppet" / "type", "m_thing.rb", source)
    session = Session("puppet", modulepath=[str(tmp_path / "first"), str(tmp_path / "second")])
    assert session.run("m_thing { 'x': }").error is None


def test_older_functions_of_a_hidden_stdlib_exist(tmp_path: Path) -> None:
    """The first stdlib decides which functions exist; those in `parser/functions` of a hidden one exist, too."""
    first, second = (tmp_path / name / "stdlib" / "lib" / "puppet" for name in ("first", "second"))
    write(first / "functions", "to_json.rb", "")
    roots = [str(tmp_path / name) for name in ("first", "second")]
    assert "Unknown function: 'hash'" in str(Session("puppet", modulepath=roots).run("hash([1, 2])").error)
    write(second / "parser" / "functions", "hash.rb", "")
    write(second / "functions", "type_of.rb", "")
    session = Session("puppet", modulepath=[*roots, str(tmp_path)])
    assert session.run("hash([1, 2])").text == "{1 => 2}"
    assert "Unknown function: 'type_of'" in str(session.run("type_of(1)").error)


@pytest.mark.parametrize(
    ("file", "text", "source"),
    [
        ("types/cut.pp", "type M::Cut = Integer[", "1 =~ M::Cut"),
        ("functions/cut.pp", "function m::cut() { 1 +", "m::cut()"),
        ("manifests/cut.pp", "class m::cut {", "include m::cut"),
    ],
)
def test_an_error_at_the_end_of_a_file_names_the_file(
    session: Session, tmp_path: Path, file: str, text: str, source: str
) -> None:
    path = write(tmp_path, f"m/{file}", text)
    assert str(session.run(source).error) == f"Syntax error at end of input (file: {path})"


def test_an_error_at_the_end_of_a_template_names_the_template(session: Session, tmp_path: Path) -> None:
    path = write(tmp_path, "m/templates/cut.epp", "<% if true { %>")
    problem = f"Syntax error at end of input (file: {path}) (line: 1, column: 1)"
    assert str(session.run("epp('m/cut.epp')").error).endswith(f"Invalid EPP: {problem}")


def test_a_loaded_define_hides_a_type_of_its_name(session: Session, tmp_path: Path) -> None:
    write(tmp_path, "m/types/d.pp", "type M::D = Integer")
    outcome = session.run("m::d { 'a': } [1 =~ M::D, M::D['a']]")
    assert outcome.text == "[false, M::D['a']]", outcome.error
