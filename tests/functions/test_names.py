"""Names of functions and of variables that are passed as strings."""

from __future__ import annotations

import pytest

from evaluator import Session


def test_functions_of_modules_are_written_in_lower_case(tmp_path) -> None:
    folder = tmp_path / "shop" / "functions"
    folder.mkdir(parents=True)
    (folder / "netprice.pp").write_text("function shop::netprice($x) { $x * 2 }")
    (folder / "grossprice.pp").write_text("function shop::grossPrice($x) { $x * 3 }")
    session = Session("puppet", modulepath=[str(tmp_path)])
    assert session.run("shop::netPrice(2)").text == "4"
    wrong = session.run("shop::grossprice(2)").error
    assert "wrong name, expected shop::grossprice, actual shop::grossPrice" in str(wrong)


def test_completion_shows_a_function_as_it_is_defined() -> None:
    session = Session("puppet", interactive=True)
    session.run("function shop::netPrice($x) { $x }")
    assert "shop::netPrice" in [item.text for item in session.complete("shop::n", 7).items]


def test_a_cell_depends_on_a_function_however_it_is_written() -> None:
    session = Session("puppet", interactive=True)
    session.run("function netPrice($x) { $x * 2 }", "a")
    session.run("$price = netprice(1)", "b")
    outcome = session.run("function netPrice($x) { $x * 3 }", "a")
    assert outcome.error is None
    assert session.run("$price", "c").text == "3"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("$none", "'none'; "),
        ("$there::none", "'::there::none'; "),
        ("$later::none", "'later::none'; class later has not been evaluated"),
        ("$nowhere::none", "'nowhere::none'; class nowhere could not be found"),
    ],
)
def test_what_is_told_of_a_variable_without_value(name: str, told: str) -> None:
    source = f"class there {{ }} class later {{ }} include there\ncall(Deferred('{name}'))"
    assert Session("puppet", strict="off").run(source).logs == []
    warned = Session("puppet7").run(f"{source}\ncall(Deferred('{name}'))")
    assert [log.message.split("\n")[0] for log in warned.logs] == [f"Undefined variable {told}"]
    assert warned.text == "undef"
    refused = Session("puppet").run(source).error
    assert f"Undefined variable {told} (line: 2, column: 1)" in str(refused)
