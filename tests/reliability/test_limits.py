"""Each published limit: what is at it works, one past it is an error that names the setting."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.limits import LIMITS
from lexer_parser.errors import PuppetError
from puppet_kernel.shell import Shell

ROOT = Path(__file__).parents[2]
DEPTH = 10_000


def error_of(source: str, **limits: float) -> PuppetError | None:
    """The error of a program in a session with these limits."""
    dialect = "spec" if "max_integer_bits" in limits else "puppet"  # where integers have any size
    return Session(dialect, interactive=True, limits=limits).run(source).error


def refused(source: str, name: str, **limits: float) -> PuppetError:
    """The error of a program that is past the limit of that name."""
    error = error_of(source, **limits)
    assert error is not None, "nothing was refused"
    assert f"'{name}'" in f"{error} {error.help}", error
    return error


# name -> (a program of the size n, a small limit for which it is just allowed)
SIZES: dict[str, tuple[Callable[[int], str], int]] = {
    "max_source_length": (lambda n: "1".ljust(n), 100),
    "max_nesting": (lambda n: "(" * n + "1" + ")" * n, 50),
    "max_string_length": (lambda n: f"String('x', '%{n}s').length", 1000),
    "max_collection_size": (lambda n: f"range(1, {n}).length", 1000),
    "max_tree_nodes": (lambda n: f"range(2, {n}).tree_each |$x| {{ }}", 1000),
    "max_integer_bits": (lambda n: f"(1 << {n - 1}) > 0", 1000),
    "max_resources": (lambda n: f'Integer[4, {n}].each |$i| {{ notify {{ "n${{i}}": }} }}', 50),
    "max_regexp_size": (lambda n: f"'{'a' * n}' =~ Regexp('(a){{{n}}}')", 500),
    "max_output_length": (lambda n: f"notice('{'x' * (n - 1)}')", 1000),
}


@pytest.mark.parametrize("name", SIZES)
def test_at_and_past(name: str) -> None:
    program, size = SIZES[name]
    assert error_of(program(size), **{name: size}) is None
    error = refused(program(size + 1), name, **{name: size})
    assert error.code == "LIMIT_EXCEEDED"
    assert f"{size:,}" in error.message


@pytest.mark.parametrize("name", SIZES)
def test_set_higher(name: str) -> None:
    program, size = SIZES[name]
    assert error_of(program(size + 4), **{name: size + 4}) is None


def test_all_are_tested() -> None:
    elsewhere = {"max_call_frames", "max_regexp_seconds", "max_memory", "max_ruby_seconds", "max_yaml_length"}
    elsewhere |= {"max_seconds"}
    assert set(SIZES) | elsewhere == set(LIMITS)


PAST_DEFAULT = {
    "a string": "String('x', '%67108865s')",
    "a string by interpolation": "$x = String('x', '%40000000s') \"${x}${x}\"",
    "a string by join": "Array(Integer[1, 3000000]).join(String('x', '%30s'))",
    "a string by substitution": "regsubst(String('x', '%70000s'), ' ', String('x', '%1000s'), 'G')",
    "an array": "Array(Integer[0, 10000000])",
    "an array by addition": "$x = Array(Integer[1, 5000001]) $x + $x",
    "an array by map": "Integer[0, 10000000].map |$x| { 1 }",
    "an integer": "Integer('9999" + "0" * 80_000 + "')",
    "resources": 'Integer[1, 100001].each |$i| { notify { "n${i}": } }',
}


@pytest.mark.parametrize("name", PAST_DEFAULT)
def test_past_the_default(name: str) -> None:
    error = error_of(PAST_DEFAULT[name])
    assert error is not None and error.code == "LIMIT_EXCEEDED", error


def test_a_substitution_in_several_windows() -> None:
    error = error_of("regsubst(String('x', '%600000s'), '  ', 'xxxxx', 'G')", max_string_length=1_000_000)
    assert error is not None and error.code == "LIMIT_EXCEEDED", error


def test_a_source_of_16_megabytes() -> None:
    limit = LIMITS["max_source_length"].default
    assert error_of("1 #".ljust(limit, "x")) is None
    refused("1 #".ljust(limit + 1, "x"), "max_source_length")


# --- nesting

NESTED = {
    "parentheses": lambda n: "(" * n + "1" + ")" * n,
    "arrays": lambda n: "[" * n + "1" + "]" * n,
    "hashes": lambda n: "{a=>" * n + "1" + "}" * n,
    "not": lambda n: "!" * n + "true",
    "minus": lambda n: "-" * n + "1",
    "plus": lambda n: "1" + "+1" * n,
    "and": lambda n: "true" + " and true" * n,
    "comparisons": lambda n: "(" * (n // 2) + "true" + " == true)" * (n // 2),
    "if": lambda n: "if true {" * n + "1" + "}" * n,
    "elsif": lambda n: "if false {1}" + " elsif false {1}" * (n - 1) + " else {2}",
    "unless": lambda n: "unless false {" * n + "1" + "}" * n,
    "case": lambda n: "case 1 { 1: {" * n + "1" + "}}" * n,
    "selectors": lambda n: "1 ? { 1 => " * n + "1" + "}" * n,
    "methods": lambda n: "1" + ".with" * (n // 2) + " |$x| { 1 }" * 0,
    "types": lambda n: "Array[" * n + "Integer" + "]" * n,
    "accesses": lambda n: "$facts" + "['a']" * n,
}
NESTED["many options"] = lambda n: (
    "$v = 'last' $v ? { " + "".join(f"'option {i}' => 1, " for i in range(n // 2)) + "'last' => 2 }"
)
# what the error is where the value is none: only that it is not about nesting
_OTHERWISE = {"methods", "accesses"}


def check_nesting(name: str, depth: int, **limits: float) -> None:
    """Check that nothing refuses a nesting of a depth."""
    error = error_of(NESTED[name](depth), **limits)
    assert error is None or (name in _OTHERWISE and error.code not in ("LIMIT_EXCEEDED", "CALLS_TOO_DEEP")), (
        error
    )


@pytest.mark.parametrize("name", NESTED)
def test_nesting(name: str) -> None:
    check_nesting(name, 100, max_nesting=100)


# The programs of `_depths` in programs.py nest the others as deep.
@pytest.mark.parametrize("name", ["parentheses", "comparisons", "unless", "case", "many options"])
def test_nesting_at_the_default(name: str) -> None:
    check_nesting(name, DEPTH)


@pytest.mark.parametrize("name", sorted(set(NESTED) - {"comparisons", "methods", "many options"}))
def test_nesting_past_the_limit(name: str) -> None:
    error = refused(NESTED[name](DEPTH + 1), "max_nesting")
    assert error.span is not None
    assert error.code == "LIMIT_EXCEEDED"


# --- calls

RECURSIVE = "function f(Integer $n) >> Integer { if $n > 0 { f($n - 1) + 1 } else { 0 } } "


def test_recursion_twenty_thousand_deep() -> None:
    outcome = Session("puppet").run(RECURSIVE + "notice(f(20000)) f(20000)")
    assert outcome.error is None and outcome.value == 20_000


ENDLESS = {
    "a function": "function f($x) { f($x) } f(1)",
    "a lambda": "function f($x) { [1].map |$y| { f($x) } } f(1)",
    "a default": "function f($x = f()) { $x } f()",
    "parameters for the rest": "function f(*$x) { f(*$x) } f(1)",
    "sort": "function f($x) { [2, 1].sort |$a, $b| { f($x) } } f(1)",
    "a template": "function f($x) { inline_epp('<%= f(1) %>') } f(1)",
    "call": "function f($x) { call('f', $x) } f(1)",
    "a parameter of a class": "class c($x = f()) { } function f() { include c f() } include c",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_recursion(name: str) -> None:
    error = error_of(ENDLESS[name], max_call_frames=20_000)
    assert error is not None and error.code == "CALLS_TOO_DEEP"
    assert error.span is not None


CIRCLES = {
    "classes that include each other": "class a { include b } class b { include a } include a",
    "a class that inherits itself": "class a inherits a { } include a",
    "classes that inherit each other": "class a inherits b { } class b inherits a { } include a",
    "a define that declares itself": "define d() { d { \"${title}x\": } } d { 'x': }",
    "an alias of itself": "type A = A\nA",
}


@pytest.mark.parametrize("name", CIRCLES)
def test_circles(name: str) -> None:
    """Classes are evaluated once, so a circle of includes is none; the others are errors with a place."""
    error = error_of(CIRCLES[name])
    if name == "classes that include each other":
        assert error is None
    else:
        assert error is not None and error.code not in ("INTERNAL_ERROR", "INTERRUPTED")


def deepest(frames: int) -> int:
    """How deep the recursive function can go with so many frames."""
    least, most = 1, frames
    while most - least > 1:
        middle = (least + most) // 2
        if error_of(RECURSIVE + f"f({middle})", max_call_frames=frames) is None:
            least = middle
        else:
            most = middle
    return least


def test_calls_at_and_past() -> None:
    deep = deepest(2000)
    assert error_of(RECURSIVE + f"f({deep})", max_call_frames=2000) is None
    error = error_of(RECURSIVE + f"f({deep + 1})", max_call_frames=2000)
    assert error is not None and error.code == "CALLS_TOO_DEEP"
    assert "'max_call_frames'" in error.message
    assert error_of(RECURSIVE + f"f({deep + 1})", max_call_frames=3000) is None


# --- time and memory

TAKES = 'Integer[1, {}].map |$x| {{ "some text of its own ${{x}}" }}.length'


RUNNER = """
import json, sys
from evaluator import Session
session = Session("puppet", limits={"max_memory": int(sys.argv[1])})
errors = [session.run(source).error for source in sys.argv[2:]]
print(json.dumps([error and [error.code, error.message] for error in errors]))
"""


def errors_alone(max_memory: int, *sources: str) -> list[list[str] | None]:
    """Code and message of the errors of cells, in a process in which nothing else has left memory to be used again."""
    command = [sys.executable, "-c", RUNNER, str(max_memory), *sources]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300, cwd=ROOT)
    told: list[list[str] | None] = json.loads(done.stdout)
    return told


def test_memory() -> None:
    few, many = errors_alone(40 * 1024 * 1024, TAKES.format(10_000), TAKES.format(3_000_000))
    assert few is None
    assert many is not None and many[0] == "MEMORY_EXCEEDED"
    assert "'max_memory'" in many[1]


def test_memory_of_an_earlier_cell_does_not_count() -> None:
    told = errors_alone(60 * 1024 * 1024, *(TAKES.format(count) for count in (3_000_000, 50_000) * 4))
    assert [error and error[0] for error in told] == ["MEMORY_EXCEEDED", None] * 4


def test_regexp() -> None:
    slow = "'" + "a" * 50 + "!' =~ /(a|aa)+$/"
    refused(slow, "max_regexp_seconds", max_regexp_seconds=0.2)
    assert error_of("'" + "a" * 10 + "!' =~ /(a|aa)+$/", max_regexp_seconds=20) is None


@pytest.mark.parametrize(
    ("pattern", "answer"),
    [
        ("(a{100000}){100000}", False),  # no text can be so long
        ("((a{1000}){1000}){1000}", False),
        ("b|((a{1000}){1000}){1000}", None),
        ("(a{300}){300}", False),
        ("(a?){1000}", True),
    ],
)
def test_expressions_that_would_take_all_memory(pattern: str, answer: bool | None) -> None:
    source = f"'aaaa' =~ Regexp('{pattern}')"
    if answer is None:
        refused(source, "max_regexp_size")
    else:
        assert Session("puppet").run(source).value is answer


def test_yaml() -> None:
    def parse(size: int) -> str:
        return f"parseyaml('a: {'x' * (size - 3)}')"

    assert error_of(parse(100), max_yaml_length=100) is None
    refused(parse(101), "max_yaml_length", max_yaml_length=100)


# --- setting them


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match=r"no limit 'max_speed'; there are: max_source_length, "):
        Session(limits={"max_speed": 1})


@pytest.mark.parametrize(
    "amount", [0, -1, True, "many", "", "-1", "nan", "inf", float("inf"), 1.5, "1.5", None]
)
def test_amounts_are_numbers(amount: object) -> None:
    with pytest.raises(ValueError, match="max_resources"):
        Session(limits={"max_resources": amount})  # type: ignore[dict-item]


@pytest.mark.parametrize("amount", [2000, 2000.0, "2000", "2,000", "2_000", "2e3"])
def test_amounts_may_be_written_in_many_ways(amount: float | str) -> None:
    limits = Session(limits={"max_resources": amount}).limits  # type: ignore[dict-item]
    assert limits["max_resources"] == 2000 and type(limits["max_resources"]) is int


def test_seconds_may_be_parts() -> None:
    assert Session(limits={"max_regexp_seconds": "0.5"}).limits["max_regexp_seconds"] == 0.5  # type: ignore[dict-item]


def test_more_frames_than_any_machine_has_are_refused() -> None:
    most = LIMITS["max_call_frames"].most
    assert Session(limits={"max_call_frames": most}).run("1").value == 1
    with pytest.raises(ValueError, match=r"at most 1,000,000, not 1000001"):
        Session(limits={"max_call_frames": most + 1})


def test_limits_are_set_between_cells() -> None:
    session = Session("puppet", interactive=True)
    session.limits = {"max_string_length": 10}
    assert session.run("String('x', '%11s')").error is not None
    session.limits = {}
    assert session.run("String('x', '%11s').length").value == 11


def test_sessions_have_limits_of_their_own() -> None:
    small = Session("puppet", limits={"max_string_length": 10})
    large = Session("puppet")
    source = "'0123456789' \"${'0123456789'}x\".length"
    for _ in range(2):
        assert small.run(source.replace("'0123456789' ", "")).error is not None
        assert large.run(source.replace("'0123456789' ", "")).value == 11
    assert all(limit.value == limit.default for limit in LIMITS.values())


def test_what_a_person_sees_is_cut() -> None:
    session = Session("puppet", limits={"max_output_length": 50})
    outcome = session.run("Array(Integer[1, 1000])")
    assert outcome.error is None
    assert outcome.text.endswith("… cut") and len(outcome.text) < 60
    assert len(Session("puppet").run("Array(Integer[1, 1000])").text) > 3000


def test_seconds() -> None:
    slow = "Integer[1, 10000000].each |$x| { Integer[1, 10000000].each |$y| { $x + $y } }"
    assert refused(slow, "max_seconds", max_seconds=0.1).code == "TIME_EXCEEDED"
    assert error_of("1 + 1", max_seconds=10) is None
    assert Session().limits["max_seconds"] == float("inf")


def test_a_command_that_takes_too_long_is_no_defect() -> None:
    """It runs no program that an error could name."""
    shell = Shell({"limits": {"max_seconds": 0.02}}, guarded=True)
    reply = shell.submit("%format\n" + "notice([1, 2])\n" * 20_000)
    assert reply.error is not None and reply.error.code == "COMMAND"
    assert "it takes too long" in reply.error.message
    assert shell.submit("1 + 1").error is None
