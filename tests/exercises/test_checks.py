"""Each kind of check of an exercise has an answer that passes and one that does not."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_kernel.exercises import Answer
from puppet_kernel.exercises.checks import CHECKS, CheckedProgram, run_checks
from puppet_kernel.exercises.exercise import Exercise, pack, unpack
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

PAIR = "notify { ['a', 'b']: }"
CASES: list[tuple[dict[str, Any], str, str, str]] = [
    # the check, an answer that does it, one that does not, what is said to that
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
    # both are shown as hidden values
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


def asked(check: dict[str, Any], answer: str) -> list[Any]:
    desk = Shell({})
    error = desk.submit(f"# 00-a\n{answer}").error
    return list(
        run_checks(
            CheckedProgram(desk.session, Answer(f"# 00-a\n{answer}", error), desk.fork_session), [check]
        )
    )


@pytest.mark.parametrize(("check", "right", "wrong", "told"), CASES)
def test_a_check(check: dict[str, Any], right: str, wrong: str, told: str) -> None:
    assert [(one.words, one.actual) for one in asked(check, right) if not one.holds] == []
    assert told in " ".join(one.actual for one in asked(check, wrong) if not one.holds)


def test_every_check_has_a_case() -> None:
    assert {name for check, *_ in CASES for name in check} == set(CHECKS)


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ({"valeu": "1"}, "there is no check 'valeu'"),
        ({"call": "f(1)"}, "the check 'call' cannot use 'f(1)'"),
        ({"resource": "File"}, "'File' is not a reference"),
    ],
)
def test_a_check_that_means_nothing(check: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told.replace("(", r"\(").replace(")", r"\)")):
        asked(check, "1")


def test_checks_leave_nothing_behind() -> None:
    desk = Shell({})
    desk.submit("$x = 1")
    exercise = Exercise({"name": "00-a", "checks": [{"value": "notify('a') == $x"}, {"both": "$y = 1"}]})
    desk.submit(f"%check 00-a\n{pack(exercise)}")
    assert [cell.source for cell in desk.session.cells] == ["$x = 1"]
    assert desk.session.catalog().summary() == []
    assert "y" not in dict(desk.session.assistant.iterate_variables())


# --- the line that a check cell carries

FULL = {
    "name": "00-a",
    "checks": [{"value": "$x"}],
    "hints": ["ä"],
    "why": "w",
    "solution": "s",
    "wrong": [{"code": "c", "says": "s"}],
}


def test_a_line_that_unpacks_to_much_is_refused() -> None:
    with pytest.raises(ValueError, match="it is too long"):
        unpack(pack(Exercise({**FULL, "why": "w" * 100_000})))


def test_an_exercise_travels_in_one_line() -> None:
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
def test_a_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ValueError):
        unpack(line)


def test_what_is_asked_of_the_program_elsewhere_says_how_it_is_another() -> None:
    other = {"values": {"$a": "5", "'x'": "'y'"}, "below": "$b = 1", "value": "$c == 'y6'", "no": "Notify[q]"}
    told = [one.words for one in asked({"with": other}, "$a = 3 $c = 'x'")]
    assert told[0] == "with 5 for $a and 'y' for 'x' and $b = 1 below it: $c == 'y6'"
    assert asked({"with": {"values": {"'x'": "'y'"}, "value": "$c"}}, "$c = 1")[0].words == (
        "the answer uses 'x'"
    )


@pytest.mark.parametrize(
    "data",
    [
        *({}, {"name": 1}, {"name": "a", "checks": {}}, {"name": "a", "checks": ["x"]}),
        *({"name": "a", "wrong": [{"code": "x"}]}, {"name": "a", "nmae": "b"}, {"name": "a", "points": "2"}),
    ],
)
def test_what_is_no_exercise_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Exercise(data)


# --- what a learner sees


COUNTED = {"name": "00-a", "checks": [{"value": "$x == 3"}], "solution": "$x = 3"}


@pytest.fixture
def say() -> Any:
    desk = Shell({})
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
        shown = ""
        for number, source in enumerate(inputs):
            source = source.replace("CHECK", f"%check 00-a\n{pack(exercise)}")
            reply = desk.submit(source, "answer" if source.startswith("# 00-a") else f"other {number}")
            shown = render_plain(reply.element) if reply.element is not None else ""
        return shown

    return submit


def test_the_states(say: Any) -> None:
    assert say("CHECK") == "00-a: not yet tried"
    assert say("# 00-a\n# $x = …", "CHECK") == "00-a: not yet tried"
    shown = say("# 00-a\n$x = '3'", "CHECK")
    assert shown.startswith("00-a: not yet\n✗ $x is an instance of Integer\n")
    assert "That is a text." in shown
    shown = say("# 00-a\n$x = 4", "CHECK")
    assert shown.startswith("00-a: nearly\n✓ $x is an instance of Integer\n✗ $x == 3\n  but $x is 4\n")
    assert say("# 00-a\n$x = 3", "CHECK") == (
        "00-a: right\n✓ $x is an instance of Integer\n✓ $x == 3\nbecause"
    )
    assert say("%exercises").split() == ["exercise", "state", "checked", "00-a", "right", "3", "times"]


def test_a_check_that_was_asked_too_early_sees_the_answer_that_came_later() -> None:
    """Its cell keeps no place above the answer; run all again, it stands where it stood."""
    check, desk = f"%check 00-a\n{pack(Exercise(COUNTED))}", Shell({})

    def told(cell_id: str, source: str) -> str:
        reply = desk.submit(source, cell_id)
        return "" if reply.element is None else render_plain(reply.element)

    told("before", "$q = 1")
    assert told("check-00-a", check) == "00-a: not yet tried"
    told("answer-00-a", "# 00-a\n$x = 4")
    assert "but $x is 4" in told("check-00-a", check)
    told("after", "$z = 1")
    told("answer-00-a", "# 00-a\n$x = 3")
    assert told("check-00-a", check).startswith("00-a: right")
    for source in ("# 00-a", "# 00-a\n$x = 3"):
        shown = [told("before", "$q = 1"), told("answer-00-a", source), told("check-00-a", check)]
        told("after", "$z = 1")
    assert shown[-1].startswith("00-a: right")


def test_an_answer_without_its_first_line() -> None:
    """Who writes over all of the cell answers all the same: notebooks name the cell as well."""
    check = f"%check 00-a\n{pack(Exercise(COUNTED))}"
    desk = Shell({})

    def told(cell_id: str, source: str) -> str:
        reply = desk.submit(source, cell_id)
        return "" if reply.element is None else render_plain(reply.element)

    told("another", "$x = 2")
    assert told("check-00-a", check) == "00-a: not yet tried"
    told("another", "")
    told("answer-00-a", "$x = 4\n# one more")
    assert "but $x is 4" in told("check-00-a", check)
    assert told("other", "%solution 00-a --now").endswith("your answer\n$x = 4\n# one more")
    told("answer-00-a", "$x = 1 / 0")
    assert "it ends in DIV_BY_ZERO" in told("check-00-a", check)
    told("answer-00-a", "# 00-b\n$x = 3")  # the first line is what counts
    told("answer-00-a", "$x = 3")
    assert "00-a: right" in told("check-00-a", check)


def test_an_answer_that_fails_is_told_so_first(say: Any) -> None:
    shown = say("# 00-a\n$x = 1 / 0", "CHECK")
    assert shown.startswith(
        "00-a: not yet\n✗ your answer runs\n  but it ends in DIV_BY_ZERO: Division by 0\n"
    )
    assert "✗ your answer runs" in say("# 00-a\n$x  = = 3", "CHECK")
    assert "it ends in ILLEGAL_ASSIGNMENT: " in say(
        "# 00-a\n$x = [1 = 2, 2 = 3]", "CHECK"
    )  # the first of two


def test_an_answer_that_failed_is_like_no_other() -> None:
    """What it would have set is not there; what is there was there before."""
    desk = Shell({})
    wrong = [{"code": "$x = undef", "says": "It is empty.", "when": "$x =~ Undef"}]
    line = pack(Exercise({"name": "00-a", "checks": [{"value": "$x == 1"}], "wrong": wrong}))

    def told(answer: str) -> str:
        desk.submit(f"# 00-a\n{answer}", "answer")
        reply = desk.submit(f"%check 00-a\n{line}", "check")
        return render_plain(reply.element) if reply.element is not None else ""

    assert "It is empty." in told("$x = [][0]")
    assert "It is empty." not in told("$x = 1 / 0")
    assert "It is empty." not in told("$y = 1")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("$x = 7", "Five is large."),
        ("$x = 6", "Six is twice that."),  # the very program comes before one that does the same
        ("$x = =  3", "One sign assigns."),  # one that cannot be read is known by its words
    ],
)
def test_the_sentence_for_a_wrong_answer(say: Any, answer: str, says: str) -> None:
    assert says in say(f"# 00-a\n{answer}", "CHECK")


def test_a_known_answer_that_is_refused_unread(say: Any) -> None:
    assert "Values never change." in say("# 00-a\n$x[0] = 3", "CHECK")
    assert "Values never change." not in say("# 00-a\n$x[1] = 3", "CHECK")


def test_hints_come_one_by_one_and_then_the_solution(say: Any) -> None:
    assert "first" in say("%hint 00-a")
    say("CHECK")
    assert "There are hints left" in say("%solution 00-a")
    assert say("%hint 00-a").startswith("1. one\n")
    assert say("%hint 00-a").startswith("1. one\n2. two\n")
    assert say("%solution 00-a") == "$x = 3\n\nbecause"


def test_the_solution_stands_beside_what_was_written(say: Any) -> None:
    say("# 00-a\n$x = 4", "CHECK")
    assert say("%solution 00-a --now") == "$x = 3\n\nbecause\n\nyour answer\n$x = 4"


@pytest.mark.parametrize("name", ["$guess", "$guess_of_the_sum"])
def test_a_guess_is_not_told_what_comes(name: str) -> None:
    (result,) = asked({"value": f"{name} == 7"}, f"{name} = 8")
    assert "7" not in result.words + result.actual


@pytest.mark.parametrize(
    ("answer", "shown"),
    [("", "00-a: not yet tried"), ("$x = 'a'", "00-a: not yet"), ("$x = 4", "2"), ("$x = 3", "")],
)
def test_nbgrader_reads_points(monkeypatch: pytest.MonkeyPatch, say: Any, answer: str, shown: str) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    assert say(*([f"# 00-a\n{answer}"] if answer else []), "CHECK") == shown
