"""Each published limit: a program at the limit works, and one past it has an error that names the setting."""

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


def run_and_get_error(source: str, **limits: float) -> PuppetError | None:
    """Run a program in a session with some limits, and return its error."""
    dialect = (
        "spec" if "max_integer_bits" in limits else "puppet"
    )  # the dialect in which integers have any size
    return Session(dialect, interactive=True, limits=limits).run(source).error


def expect_refusal(source: str, name: str, **limits: float) -> PuppetError:
    """Run a program that is past a limit, and return its error, which must name the limit."""
    error = run_and_get_error(source, **limits)
    assert error is not None, "the program is not refused"
    assert f"'{name}'" in f"{error} {error.help}", error
    return error


# name of a limit: a program of the size n, and a small limit that just permits it
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
def test_a_limit_permits_its_value_and_refuses_more(name: str) -> None:
    program, size = SIZES[name]
    assert run_and_get_error(program(size), **{name: size}) is None
    error = expect_refusal(program(size + 1), name, **{name: size})
    assert error.code == "LIMIT_EXCEEDED"
    assert f"{size:,}" in error.message


@pytest.mark.parametrize("name", SIZES)
def test_a_higher_limit_permits_more(name: str) -> None:
    program, size = SIZES[name]
    assert run_and_get_error(program(size + 4), **{name: size + 4}) is None


def test_all_limits_are_tested() -> None:
    elsewhere = {"max_call_frames", "max_regexp_seconds", "max_memory", "max_ruby_seconds", "max_yaml_length"}
    elsewhere |= {"max_seconds"}
    assert set(SIZES) | elsewhere == set(LIMITS)


PROGRAMS_PAST_DEFAULTS = {
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


@pytest.mark.parametrize("name", PROGRAMS_PAST_DEFAULTS)
def test_programs_past_a_default_limit_are_refused(name: str) -> None:
    error = run_and_get_error(PROGRAMS_PAST_DEFAULTS[name])
    assert error is not None and error.code == "LIMIT_EXCEEDED", error


def test_a_substitution_in_several_windows() -> None:
    error = run_and_get_error(
        "regsubst(String('x', '%600000s'), '  ', 'xxxxx', 'G')", max_string_length=1_000_000
    )
    assert error is not None and error.code == "LIMIT_EXCEEDED", error


def test_a_source_of_16_megabytes() -> None:
    limit = LIMITS["max_source_length"].default
    assert run_and_get_error("1 #".ljust(limit, "x")) is None
    expect_refusal("1 #".ljust(limit + 1, "x"), "max_source_length")


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
# programs that end in another error, which must not be about nesting
_OTHERWISE = {"methods", "accesses"}


def check_nesting(name: str, depth: int, **limits: float) -> None:
    """Check that nothing refuses a nesting of a depth."""
    error = run_and_get_error(NESTED[name](depth), **limits)
    assert error is None or (name in _OTHERWISE and error.code not in ("LIMIT_EXCEEDED", "CALLS_TOO_DEEP")), (
        error
    )


@pytest.mark.parametrize("name", NESTED)
def test_nesting_at_the_limit(name: str) -> None:
    check_nesting(name, 100, max_nesting=100)


# The programs of `_depths` in programs.py nest the others as deep.
@pytest.mark.parametrize("name", ["parentheses", "comparisons", "unless", "case", "many options"])
def test_nesting_at_the_default(name: str) -> None:
    check_nesting(name, DEPTH)


@pytest.mark.parametrize("name", sorted(set(NESTED) - {"comparisons", "methods", "many options"}))
def test_nesting_past_the_limit(name: str) -> None:
    error = expect_refusal(NESTED[name](DEPTH + 1), "max_nesting")
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
def test_endless_recursion_is_refused(name: str) -> None:
    error = run_and_get_error(ENDLESS[name], max_call_frames=20_000)
    assert error is not None and error.code == "CALLS_TOO_DEEP"
    assert error.span is not None


CYCLES = {
    "classes that include each other": "class a { include b } class b { include a } include a",
    "a class that inherits itself": "class a inherits a { } include a",
    "classes that inherit each other": "class a inherits b { } class b inherits a { } include a",
    "a define that declares itself": "define d() { d { \"${title}x\": } } d { 'x': }",
    "an alias of itself": "type A = A\nA",
}


@pytest.mark.parametrize("name", CYCLES)
def test_cycles_end(name: str) -> None:
    """Classes are evaluated once, so classes may include each other; the other cycles are errors."""
    error = run_and_get_error(CYCLES[name])
    if name == "classes that include each other":
        assert error is None
    else:
        assert error is not None and error.code not in ("INTERNAL_ERROR", "INTERRUPTED")


def find_deepest(frames: int) -> int:
    """Return the greatest depth of the recursive function with a limit of frames."""
    least, maximum = 1, frames
    while maximum - least > 1:
        middle = (least + maximum) // 2
        if run_and_get_error(RECURSIVE + f"f({middle})", max_call_frames=frames) is None:
            least = middle
        else:
            maximum = middle
    return least


def test_the_limit_of_calls() -> None:
    depth = find_deepest(2000)
    assert run_and_get_error(RECURSIVE + f"f({depth})", max_call_frames=2000) is None
    error = run_and_get_error(RECURSIVE + f"f({depth + 1})", max_call_frames=2000)
    assert error is not None and error.code == "CALLS_TOO_DEEP"
    assert "'max_call_frames'" in error.message
    assert run_and_get_error(RECURSIVE + f"f({depth + 1})", max_call_frames=3000) is None


# --- time and memory

ARRAY_OF_STRINGS = 'Integer[1, {}].map |$x| {{ "some text ${{x}}" }}.length'


RUNNER = """
import json, sys
from evaluator import Session
session = Session("puppet", limits={"max_memory": int(sys.argv[1])})
errors = [session.run(source).error for source in sys.argv[2:]]
print(json.dumps([error and [error.code, error.message] for error in errors]))
"""


def run_in_new_process(max_memory: int, *sources: str) -> list[list[str] | None]:
    """Run cells in a new process, which has no free memory of earlier tests; return code and message of each error."""
    command = [sys.executable, "-c", RUNNER, str(max_memory), *sources]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300, cwd=ROOT)
    errors: list[list[str] | None] = json.loads(result.stdout)
    return errors


def test_the_limit_of_memory() -> None:
    few, many = run_in_new_process(
        40 * 1024 * 1024, ARRAY_OF_STRINGS.format(10_000), ARRAY_OF_STRINGS.format(3_000_000)
    )
    assert few is None
    assert many is not None and many[0] == "MEMORY_EXCEEDED"
    assert "'max_memory'" in many[1]


def test_memory_of_an_earlier_cell_does_not_count() -> None:
    errors = run_in_new_process(
        60 * 1024 * 1024, *(ARRAY_OF_STRINGS.format(count) for count in (3_000_000, 50_000) * 4)
    )
    assert [error and error[0] for error in errors] == ["MEMORY_EXCEEDED", None] * 4


def test_the_limit_of_matching_time() -> None:
    slow = "'" + "a" * 50 + "!' =~ /(a|aa)+$/"
    expect_refusal(slow, "max_regexp_seconds", max_regexp_seconds=0.2)
    assert run_and_get_error("'" + "a" * 10 + "!' =~ /(a|aa)+$/", max_regexp_seconds=20) is None


@pytest.mark.parametrize(
    ("pattern", "answer"),
    [
        ("(a{100000}){100000}", False),  # no string can be so long
        ("((a{1000}){1000}){1000}", False),
        ("b|((a{1000}){1000}){1000}", None),
        ("(a{300}){300}", False),
        ("(a?){1000}", True),
    ],
)
def test_expressions_that_would_need_much_memory(pattern: str, answer: bool | None) -> None:
    source = f"'aaaa' =~ Regexp('{pattern}')"
    if answer is None:
        expect_refusal(source, "max_regexp_size")
    else:
        assert Session("puppet").run(source).value is answer


def test_the_limit_of_yaml() -> None:
    def parse(size: int) -> str:
        return f"parseyaml('a: {'x' * (size - 3)}')"

    assert run_and_get_error(parse(100), max_yaml_length=100) is None
    expect_refusal(parse(101), "max_yaml_length", max_yaml_length=100)


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
def test_amounts_have_several_forms(amount: float | str) -> None:
    limits = Session(limits={"max_resources": amount}).limits  # type: ignore[dict-item]
    assert limits["max_resources"] == 2000 and type(limits["max_resources"]) is int


def test_seconds_may_be_fractions() -> None:
    assert Session(limits={"max_regexp_seconds": "0.5"}).limits["max_regexp_seconds"] == 0.5  # type: ignore[dict-item]


def test_too_many_frames_are_refused() -> None:
    maximum = LIMITS["max_call_frames"].most
    assert Session(limits={"max_call_frames": maximum}).run("1").value == 1
    with pytest.raises(ValueError, match=r"at most 1,000,000, not 1000001"):
        Session(limits={"max_call_frames": maximum + 1})


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


def test_a_long_text_is_cut() -> None:
    session = Session("puppet", limits={"max_output_length": 50})
    outcome = session.run("Array(Integer[1, 1000])")
    assert outcome.error is None
    assert outcome.text.endswith("… cut") and len(outcome.text) < 60
    assert len(Session("puppet").run("Array(Integer[1, 1000])").text) > 3000


def test_the_limit_of_seconds() -> None:
    slow = "Integer[1, 10000000].each |$x| { Integer[1, 10000000].each |$y| { $x + $y } }"
    assert expect_refusal(slow, "max_seconds", max_seconds=0.1).code == "TIME_EXCEEDED"
    assert run_and_get_error("1 + 1", max_seconds=10) is None
    assert Session().limits["max_seconds"] == float("inf")


def test_a_command_that_takes_too_long_is_reported() -> None:
    """It runs no program whose position the error could name."""
    shell = Shell({"limits": {"max_seconds": 0.02}}, guarded=True)
    reply = shell.submit("%format\n" + "notice([1, 2])\n" * 20_000)
    assert reply.error is not None and reply.error.code == "COMMAND"
    assert "it takes too long" in reply.error.message
    assert shell.submit("1 + 1").error is None
