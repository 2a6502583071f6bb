"""Each kind of check of an exercise accepts one answer and rejects another."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_kernel.exercises import Answer
from puppet_kernel.exercises.checks import CHECKS, CheckedProgram, run_checks
from puppet_kernel.exercises.exercise import Exercise, pack, unpack
from puppet_kernel.shell import Shell
from tests.sessions.displayed import render_reply

PAIR = "notify { ['a', 'b']: }"
CASES: list[tuple[dict[str, Any], str, str, str]] = [
    # A check, an answer that passes, one that fails, and a part of the report about the latter.
    ({"value": "$x == 1"}, "$x = 1", "$x = 2", "$x is 2"),
    ({"value": "$x =~ Enum['800']"}, "$x = '800'", "$x = 800", "$x is 800"),
    ({"value": "!$x"}, "$x = false", "$x = 1", "it is false"),
    ({"value": "f() == 1"}, "function f() { 1 }", "$x = 1", "Unknown function: 'f'"),
    ({"value": "1 =~ $x"}, "$x = Integer", "$X = Integer", "$x has no value"),
    ({"value": "1 =~ $x"}, "$x = Integer", "$x = String", "it is false"),
    ({"refuses": "f('a')"}, "function f(Integer $n) { $n }", "function f($n) { $n }", "it evaluates to 'a'"),
    (
        {"refuses": ["f(1)", "f()"]},
        "function f(String $n) { $n }",
        "function f($n = 1) { $n }",
        "it evaluates to 1",
    ),
    (
        {"with": {"values": {"$a": "5"}, "value": "$x == 10"}},
        *("$a = 1 $x = $a * 2", "$a = 1 $x = 2", "$x is 2"),
    ),
    (
        {"with": {"values": {"[1, 2]": "[3]"}, "both": "$x == [4]"}},
        *(
            "$x = [1,2].map |$n| { $n + 1 }",
            "$x = [1, 2].map |$n| { [2, 3][$n] }",
            "$x is [undef]",
        ),
    ),
    (
        {"with": {"values": {"'a'": "'b'"}, "value": "$x == 'bc'"}},
        *('$x = "${"a"}c"', "$x = 'ac'", "it does not"),
    ),
    (
        {"with": {"values": {"8": "9", "$a": "1"}, "value": "$x == 10"}},
        *("$a = 2 $x = $a + 8 + 0 * 8", "$a = 2 $x = 8 + 2", "$x is 11"),
    ),
    (
        {"with": {"below": "@notify { 'z': tag => 'b' }", "resource": "Notify[z]"}},
        *("Notify <| tag == 'b' |>", "Notify <| title == 'b' |>", "it is virtual"),
    ),
    ({"value": "$x == 2"}, "$x = 2", "$y = 2", "$x has no value"),
    ({"value": "$x.any |$n| { $n > 1 }"}, "$x = [2]", "$x = [1]", "it is false"),
    ({"both": "'a' in $x"}, "$x = ['a']", "$x = ['b']", "it is false"),
    ({"both": "$x == 1"}, "$x = 1", "$x = '1'", "$x is '1'"),
    (
        {"each": {"value": "$d", "spec": "1", "puppet": "2"}},
        "$d = if 1 == '1' { 1 } else { 2 }",
        "$d = 1",
        "it evaluates to 1",
    ),
    (
        {"call": {"f(1)": 2, "f(2)": 4}},
        "function f($n) { $n * 2 }",
        "function f($n) { 2 }",
        "it evaluates to 2",
    ),
    ({"call": {"f(1)": 2}}, "function f($n) { 2 }", "function f($n) { '2' }", "it evaluates to '2'"),
    # The values of both answers are redacted.
    (
        {"call": {"f()": "Sensitive('a')"}},
        *("function f() { Sensitive('b') }", "function f() { Sensitive(1) }", "it evaluates to #<Sensitive"),
    ),
    ({"type": {"$x": "Integer"}}, "$x = 1", "$x = '1'", "it is String"),
    ({"resource": "Notify[a]"}, PAIR, "@notify { 'a': }", "it is virtual"),
    ({"resource": "Notify[a]"}, PAIR, "$x = 1", "it does not exist"),
    ({"resource": {"Notify[a]": {"message": "m"}}}, "notify { 'a': message => m }", PAIR, "it has undef"),
    ({"no": "Notify[a]"}, "@notify { 'a': }", PAIR, "it is in the catalog"),
    (
        {"edge": ["Notify[a]", "Notify[b]"]},
        f"{PAIR} Notify[a] -> Notify[b]",
        PAIR,
        "no relationship requires this",
    ),
    ({"edge": ["Notify[a]", "Notify[b]"]}, f"{PAIR} Notify[a] -> Notify[b]", "1", "Notify[a] is not in the"),
    (
        {"edge": ["Notify[a]", "Notify[b]"]},
        "class c { notify { 'a': } } include c notify { 'b': require => Class['c'] }",
        "class c { notify { 'a': } } include c notify { 'b': before => Class['c'] }",
        "no relationship requires this",
    ),
    *(
        (
            {"edge": edge},
            f"class c {{ notify {{ 'b': }} }} include c notify {{ 'a': }} {right}",
            f"class c {{ notify {{ 'b': }} }} include c notify {{ 'a': }} {wrong}",
            "no relationship requires this",
        )
        for edge, right, wrong in (
            (["Notify[a]", "Class[c]"], "Notify[a] -> Class[c]", "Notify[a] -> Notify[b]"),
            (["Class[c]", "Notify[a]"], "Class[c] -> Notify[a]", "Notify[b] -> Notify[a]"),
        )
    ),
    (
        {"notify-edge": ["Notify[a]", "Notify[b]"]},
        f"{PAIR} Notify[a] ~> Notify[b]",
        f"{PAIR} Notify[a] -> Notify[b]",
        "no relationship requires this",
    ),
    ({"acyclic": True}, PAIR, f"{PAIR} Notify[a] -> Notify[b] -> Notify[a]", "Found 1 dependency cycle"),
    ({"fails": "DIV_BY_ZERO"}, "1 / 0", "1 + 'a'", "it is NOT_NUMERIC"),
    ({"fails": "DIV_BY_ZERO"}, "1 / 0", "1", "the cell runs without an error"),
    ({"uses": "map"}, "$x = [1].map |$n| { $n }", "$x = [1]", "it does not"),
    ({"uses": "Integer"}, "Integer('1')", "Integer['1']", "it does not"),
    ({"uses": "Integer"}, "Integer.new('1')", "'1' + 0", "it does not"),
    ({"reads": "$x"}, "$x = 1\n$y = $x", "$x = 1\n$y = 1", "it does not"),
    (
        {"reads": ["$x", "$z"]},
        '$x = 1 $z = 2\n$y = "${x} ${z[1]}"',
        '$x = 1 $z = 2\n$y = "${x} z"',
        "it does not",
    ),
    ({"reads": "$x"}, "$x = 1\n[2].map |$n| { $n + $x }", "$x = = 1", "it does not"),
    ({"avoids": "each"}, "$x = [1]", "each([1]) |$n| { $n }", "it calls it"),
    (
        {"nodes": {"web01": {"resource": "Notify[w]"}, "db01": {"no": "Notify[w]"}}},
        "node 'web01' { notify { 'w': } } node default { }",
        "node default { notify { 'w': } }",
        "it is in the catalog",
    ),
]


def run_check(check: dict[str, Any], answer: str) -> list[Any]:
    """Return the results of a check of an answer."""
    shell = Shell({})
    error = shell.submit(f"# 00-a\n{answer}").error
    return list(
        run_checks(
            CheckedProgram(shell.session, Answer(f"# 00-a\n{answer}", error), shell.fork_session), [check]
        )
    )


@pytest.mark.parametrize(("check", "right", "wrong", "report"), CASES)
def test_a_check_accepts_one_answer_and_rejects_another(
    check: dict[str, Any], right: str, wrong: str, report: str
) -> None:
    assert [(result.words, result.actual) for result in run_check(check, right) if not result.holds] == []
    assert report in " ".join(result.actual for result in run_check(check, wrong) if not result.holds)


def test_every_check_has_a_case() -> None:
    assert {name for check, *_ in CASES for name in check} == set(CHECKS)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"valeu": "1"}, "there is no check 'valeu'"),
        ({"call": "f(1)"}, "the check 'call' cannot use 'f(1)'"),
        ({"resource": "File"}, "'File' is not a reference"),
    ],
)
def test_a_wrong_check_is_refused(check: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace(")", r"\)")):
        run_check(check, "1")


def test_checks_have_no_side_effects() -> None:
    shell = Shell({})
    shell.submit("$x = 1")
    exercise = Exercise({"name": "00-a", "checks": [{"value": "notify('a') == $x"}, {"both": "$y = 1"}]})
    shell.submit(f"%check 00-a\n{pack(exercise)}")
    assert [cell.source for cell in shell.session.cells] == ["$x = 1"]
    assert shell.session.catalog().summary() == []
    assert "y" not in dict(shell.session.assistant.iterate_variables())


FULL = {
    "name": "00-a",
    "checks": [{"value": "$x"}],
    "hints": ["ä"],
    "why": "w",
    "solution": "s",
    "wrong": [{"code": "c", "says": "s"}],
}


def test_a_packed_exercise_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="it is too long"):
        unpack(pack(Exercise({**FULL, "why": "w" * 100_000})))


def test_an_exercise_is_packed_into_one_line() -> None:
    line = pack(Exercise(FULL))
    assert "\n" not in line
    assert "value" not in line
    assert unpack(line).to_json() == Exercise(FULL).to_json()


@pytest.mark.parametrize(
    "line",
    [
        *("", "abc", "eNo=", "ä", "A" * 100_000),
        pack(Exercise({"name": "a", "hints": ["x" * 70_000]})),
        pack(Exercise(FULL))[:-8],
    ],
)
def test_a_line_without_an_exercise_is_refused(line: str) -> None:
    with pytest.raises(ValueError):
        unpack(line)


def test_a_check_of_a_variant_describes_the_changes_of_the_program() -> None:
    variant = {
        "values": {"$a": "5", "'x'": "'y'"},
        "below": "$b = 1",
        "value": "$c == 'y6'",
        "no": "Notify[q]",
    }
    descriptions = [result.words for result in run_check({"with": variant}, "$a = 3 $c = 'x'")]
    assert descriptions[0] == "with 5 for $a and 'y' for 'x' and $b = 1 below it: $c == 'y6'"
    assert run_check({"with": {"values": {"'x'": "'y'"}, "value": "$c"}}, "$c = 1")[0].words == (
        "the answer uses 'x'"
    )


@pytest.mark.parametrize(
    "data",
    [
        *({}, {"name": 1}, {"name": "a", "checks": {}}, {"name": "a", "checks": ["x"]}),
        *({"name": "a", "wrong": [{"code": "x"}]}, {"name": "a", "nmae": "b"}, {"name": "a", "points": "2"}),
    ],
)
def test_wrong_data_of_an_exercise_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Exercise(data)


COUNTING_EXERCISE = {"name": "00-a", "checks": [{"value": "$x == 3"}], "solution": "$x = 3"}


@pytest.fixture
def run_inputs() -> Any:
    """Return a function that submits inputs and returns the last output.

    CHECK in an input is the check of an exercise.
    """
    shell = Shell({})
    exercise = Exercise(
        {
            "name": "00-a",
            "start": "# 00-a\n# $x = …",
            "checks": [{"type": {"$x": "Integer"}}, {"value": "$x == 3"}],
            "hints": ["one", "two"],
            "why": "because",
            "solution": "$x = 3",
            "wrong": [
                {"code": "$x =  '3' # so", "says": "That is a text."},
                {"code": "$x = 5", "says": "Five is large.", "when": "$x > 4"},
                {"code": "$x = 6", "says": "Six is twice that."},
                {"code": "$x  = = 3", "says": "One sign assigns."},
                {"code": "$x[0]  = 3", "says": "Values never change."},
            ],
            "points": 4,
        }
    )

    def submit(*inputs: str) -> str:
        output = ""
        for number, source in enumerate(inputs):
            source = source.replace("CHECK", f"%check 00-a\n{pack(exercise)}")
            reply = shell.submit(source, "answer" if source.startswith("# 00-a") else f"other {number}")
            output = render_reply(reply)
        return output

    return submit


def test_an_exercise_has_a_state_for_each_answer(run_inputs: Any) -> None:
    assert run_inputs("CHECK") == "00-a: not yet tried"
    assert run_inputs("# 00-a\n# $x = …", "CHECK") == "00-a: not yet tried"
    output = run_inputs("# 00-a\n$x = '3'", "CHECK")
    assert output.startswith("00-a: not yet\n✗ $x is an instance of Integer\n")
    assert "That is a text." in output
    output = run_inputs("# 00-a\n$x = 4", "CHECK")
    assert output.startswith("00-a: nearly\n✓ $x is an instance of Integer\n✗ $x == 3\n  but $x is 4\n")
    assert run_inputs("# 00-a\n$x = 3", "CHECK") == (
        "00-a: right\n✓ $x is an instance of Integer\n✓ $x == 3\nbecause"
    )
    assert run_inputs("%exercises").split() == ["exercise", "state", "checked", "00-a", "right", "3", "times"]


def run_cell(shell: Shell, cell_id: str, source: str) -> str:
    """Return the output of a cell as text."""
    return render_reply(shell.submit(source, cell_id))


def test_a_check_before_its_answer_sees_the_later_answer() -> None:
    """The cell of the check gets no position above the answer."""
    check, shell = f"%check 00-a\n{pack(Exercise(COUNTING_EXERCISE))}", Shell({})
    run_cell(shell, "before", "$q = 1")
    assert run_cell(shell, "check-00-a", check) == "00-a: not yet tried"
    run_cell(shell, "answer-00-a", "# 00-a\n$x = 4")
    assert "but $x is 4" in run_cell(shell, "check-00-a", check)
    run_cell(shell, "after", "$z = 1")
    run_cell(shell, "answer-00-a", "# 00-a\n$x = 3")
    assert run_cell(shell, "check-00-a", check).startswith("00-a: right")
    for source in ("# 00-a", "# 00-a\n$x = 3"):
        outputs = [
            run_cell(shell, "before", "$q = 1"),
            run_cell(shell, "answer-00-a", source),
            run_cell(shell, "check-00-a", check),
        ]
        run_cell(shell, "after", "$z = 1")
    assert outputs[-1].startswith("00-a: right")


def test_an_answer_without_its_first_line_is_recognized_by_its_cell() -> None:
    """A user may overwrite the first line of a cell."""
    check = f"%check 00-a\n{pack(Exercise(COUNTING_EXERCISE))}"
    shell = Shell({})

    run_cell(shell, "another", "$x = 2")
    assert run_cell(shell, "check-00-a", check) == "00-a: not yet tried"
    run_cell(shell, "another", "")
    run_cell(shell, "answer-00-a", "$x = 4\n# one more")
    assert "but $x is 4" in run_cell(shell, "check-00-a", check)
    assert run_cell(shell, "other", "%solution 00-a --now").endswith("your answer\n$x = 4\n# one more")
    run_cell(shell, "answer-00-a", "$x = 1 / 0")
    assert "it ends in DIV_BY_ZERO" in run_cell(shell, "check-00-a", check)
    run_cell(shell, "answer-00-a", "# 00-b\n$x = 3")  # the first line has precedence
    run_cell(shell, "answer-00-a", "$x = 3")
    assert "00-a: right" in run_cell(shell, "check-00-a", check)


def test_the_error_of_an_answer_is_reported_first(run_inputs: Any) -> None:
    output = run_inputs("# 00-a\n$x = 1 / 0", "CHECK")
    assert output.startswith(
        "00-a: not yet\n✗ your answer runs\n  but it ends in DIV_BY_ZERO: Division by 0\n"
    )
    assert "✗ your answer runs" in run_inputs("# 00-a\n$x  = = 3", "CHECK")
    # Only the first of two errors is reported.
    assert "it ends in ILLEGAL_ASSIGNMENT: " in run_inputs("# 00-a\n$x = [1 = 2, 2 = 3]", "CHECK")


def test_an_answer_that_fails_is_not_compared_with_wrong_answers() -> None:
    """A failed answer sets no variables: those that have a value were set by other cells."""
    shell = Shell({})
    wrong = [{"code": "$x = undef", "says": "It is empty.", "when": "$x =~ Undef"}]
    line = pack(Exercise({"name": "00-a", "checks": [{"value": "$x == 1"}], "wrong": wrong}))

    def check(answer: str) -> str:
        shell.submit(f"# 00-a\n{answer}", "answer")
        return run_cell(shell, "check", f"%check 00-a\n{line}")

    assert "It is empty." in check("$x = [][0]")
    assert "It is empty." not in check("$x = 1 / 0")
    assert "It is empty." not in check("$y = 1")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("$x = 7", "Five is large."),
        ("$x = 6", "Six is twice that."),  # an equal program has precedence over one with an equal result
        ("$x = =  3", "One sign assigns."),  # a program with a syntax error is compared by its text
    ],
)
def test_a_known_wrong_answer_has_its_message(run_inputs: Any, answer: str, message: str) -> None:
    assert message in run_inputs(f"# 00-a\n{answer}", "CHECK")


def test_a_known_wrong_answer_with_a_syntax_error_has_its_message(run_inputs: Any) -> None:
    assert "Values never change." in run_inputs("# 00-a\n$x[0] = 3", "CHECK")
    assert "Values never change." not in run_inputs("# 00-a\n$x[1] = 3", "CHECK")


def test_hints_precede_the_solution(run_inputs: Any) -> None:
    assert "first" in run_inputs("%hint 00-a")
    run_inputs("CHECK")
    assert "There are hints left" in run_inputs("%solution 00-a")
    assert run_inputs("%hint 00-a").startswith("1. one\n")
    assert run_inputs("%hint 00-a").startswith("1. one\n2. two\n")
    assert run_inputs("%solution 00-a") == "$x = 3\n\nbecause"


def test_the_solution_is_shown_with_the_answer(run_inputs: Any) -> None:
    run_inputs("# 00-a\n$x = 4", "CHECK")
    assert run_inputs("%solution 00-a --now") == "$x = 3\n\nbecause\n\nyour answer\n$x = 4"


@pytest.mark.parametrize("name", ["$guess", "$guess_of_the_sum"])
def test_the_check_of_a_guess_hides_the_result(name: str) -> None:
    (result,) = run_check({"value": f"{name} == 7"}, f"{name} = 8")
    assert "7" not in result.words + result.actual


@pytest.mark.parametrize(
    ("answer", "points"),
    [("", "00-a: not yet tried"), ("$x = 'a'", "00-a: not yet"), ("$x = 4", "2"), ("$x = 3", "")],
)
def test_nbgrader_reads_points(
    monkeypatch: pytest.MonkeyPatch, run_inputs: Any, answer: str, points: str
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    assert run_inputs(*([f"# 00-a\n{answer}"] if answer else []), "CHECK") == points
