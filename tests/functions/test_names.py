"""Names of functions and of variables that are passed as strings."""

from __future__ import annotations

import pytest

from evaluator import Session


def test_the_file_of_a_function_defines_its_name_in_lower_case(tmp_path) -> None:
    folder = tmp_path / "shop" / "functions"
    folder.mkdir(parents=True)
    (folder / "netprice.pp").write_text("function shop::netprice($x) { $x * 2 }")
    (folder / "grossprice.pp").write_text("function shop::grossPrice($x) { $x * 3 }")
    session = Session("puppet", modulepath=[str(tmp_path)])
    assert session.run("shop::netPrice(2)").text == "4"
    error = session.run("shop::grossprice(2)").error
    assert "wrong name, expected shop::grossprice, actual shop::grossPrice" in str(error)


def test_completion_shows_a_function_as_its_definition_spells_it() -> None:
    session = Session("puppet", interactive=True)
    session.run("function shop::netPrice($x) { $x }")
    assert "shop::netPrice" in [item.text for item in session.complete("shop::n", 7).items]


def test_a_cell_depends_on_a_function_in_any_case_of_its_name() -> None:
    session = Session("puppet", interactive=True)
    session.run("function netPrice($x) { $x * 2 }", "a")
    session.run("$price = netprice(1)", "b")
    outcome = session.run("function netPrice($x) { $x * 3 }", "a")
    assert outcome.error is None
    assert session.run("$price", "c").text == "3"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("$none", "'none'; "),
        ("$there::none", "'::there::none'; "),
        ("$later::none", "'later::none'; class later has not been evaluated"),
        ("$nowhere::none", "'nowhere::none'; class nowhere could not be found"),
    ],
)
def test_an_undefined_variable_is_reported_as_strict_demands(name: str, message: str) -> None:
    source = f"class there {{ }} class later {{ }} include there\ncall(Deferred('{name}'))"
    assert Session("puppet", strict="off").run(source).logs == []
    outcome = Session("puppet7").run(f"{source}\ncall(Deferred('{name}'))")
    assert [log.message.split("\n")[0] for log in outcome.logs] == [f"Undefined variable {message}"]
    assert outcome.text == "undef"
    error = Session("puppet").run(source).error
    assert f"Undefined variable {message} (line: 2, column: 1)" in str(error)
