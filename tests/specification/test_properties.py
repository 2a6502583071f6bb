"""Properties of the types of the documents, in the dialect of the specification."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import Session
from evaluator.types import OptionalType, Type, equals, unite
from evaluator.values import literal
from lexer_parser.dialect import SPEC

SIZES = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda ends: f"{ends[0]}, {ends[1]}")
NAMED = (
    *(
        "Any",
        "Undef",
        "Data",
        "Scalar",
        "Numeric",
        "Integer",
        "Float",
        "String",
        "Enum",
        "Pattern",
        "Boolean",
    ),
    *("Regexp", "Collection", "Array", "Hash", "Tuple", "Struct", "Variant", "Optional", "CatalogEntry"),
    *(
        "Resource",
        "Class",
        "Type",
        "Callable",
        "Ruby",
        "Literal",
        "Object",
        "File",
        "File['a']",
        "Class[a]",
    ),
    *(
        "Integer[1, 3]",
        "Integer[3, 1]",
        "Integer[2]",
        "Integer[default, 0]",
        "Float[1.0, 2.0]",
        "Float[1]",
    ),
    *("Enum['a']", "Enum['a', 'b']", "Pattern[/a/]", "Pattern[/a/, /b/]", "Regexp[/a/]", "Ruby['A']"),
    *("Hash[Integer]", "Callable[0, 0]", "Callable[String]", "Callable[1, 1]", "Foo", "Foo['x']"),
)
LEAVES = st.sampled_from(NAMED)
# Types and values that differ in what makes assignability hard: sizes, optional parts, keys, and what is empty.
MADE = (
    *("String[1]", "String[1, 2]", "String[0, 0]", "Collection[1]", "Collection[0, 0]", "Collection[1, 2]"),
    *(
        "Array[Integer]",
        "Array[Any]",
        "Array[Integer, 1]",
        "Array[Integer, 1, 2]",
        "Array[0, 0]",
        "Array[String]",
    ),
    *("Tuple[Integer]", "Tuple[Integer, String]", "Tuple[Integer, 0, 1]", "Tuple[Integer, 0, default]"),
    *("Tuple[Integer, String, 1]", "Tuple[Integer, String, 1, 3]", "Hash[Any, Any]", "Hash[String, Integer]"),
    *("Hash[String, Integer, 1]", "Hash[0, 0]", "Hash[Integer, String]", "Struct[{'a' => Integer}]"),
    *("Struct[{'a' => Optional[Integer]}]", "Struct[{Optional['a'] => Integer}]", "Struct[{'a' => Any}]"),
    *(
        "Variant[Integer, String]",
        "Variant[Undef, Integer]",
        "Optional[Integer]",
        "Optional[Any]",
        "Type[Any]",
    ),
    *("Type[Integer]", "Type[Resource]", "Type[Optional[Integer]]", "Callable[Any]", "Callable[0, default]"),
)


def nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return the types that are made of other types, as source."""
    pairs = st.tuples(inner, inner)
    return st.one_of(
        inner.map("Array[{}]".format),
        inner.map("Optional[{}]".format),
        inner.map("Type[{}]".format),
        pairs.map(lambda kinds: f"Hash[{kinds[0]}, {kinds[1]}]"),
        pairs.map(lambda kinds: f"Tuple[{kinds[0]}, {kinds[1]}]"),
        pairs.map(lambda kinds: f"Variant[{kinds[0]}, {kinds[1]}]"),
        pairs.map(lambda kinds: f"Struct[{{'a' => {kinds[0]}, 'b' => {kinds[1]}}}]"),
        st.tuples(inner, SIZES).map(lambda parts: f"Array[{parts[0]}, {parts[1]}]"),
        st.tuples(inner, SIZES).map(lambda parts: f"Tuple[{parts[0]}, {parts[1]}]"),
        st.tuples(inner, SIZES).map(lambda parts: f"Hash[String, {parts[0]}, {parts[1]}]"),
        SIZES.map("String[{}]".format),
        SIZES.map("Collection[{}]".format),
    )


TYPES = st.recursive(LEAVES, nest, max_leaves=4)
SCALARS = st.sampled_from(
    (
        *("undef", "0", "1", "2", "3", "-1", "1.0", "1.5", "2.5", "''", "'a'", "'A'", "'b'", "'ab'", "'x'"),
        *(
            "true",
            "false",
            "/a/",
            "/b/",
            "default",
            "Integer",
            "String",
            "Type[Integer]",
            "File",
            "File['a']",
        ),
        *("Class[a]", "Foo['x']", "Optional[Integer]", "'1'", "'0x1'", "'1.0'", "'É'", "'é'"),
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.dictionaries(st.sampled_from(("'a'", "'b'", "1")), inner, max_size=2).map(
            lambda entries: "{" + ", ".join(f"{key} => {value}" for key, value in entries.items()) + "}"
        ),
    ),
    max_leaves=4,
)


@cache
def value_of(source: str) -> Any:
    """Return the value of an expression in the dialect of the specification."""
    outcome = Session("spec").run(f"$value = {source}\n$value")
    assert outcome.error is None, (source, outcome.error)
    return outcome.value


def answer(source: str) -> str:
    """Return the text of the value of a program."""
    outcome = Session("spec").run(source)
    assert outcome.error is None, (source, outcome.error)
    return str(outcome.text)


def is_undecided(wide: Type, narrow: Type) -> bool:
    """Return True for the one pair that rule 003:536 puts in an order although a value is not in both."""
    return "Struct" in str(narrow) and "Hash" in str(wide)


@given(wide=TYPES, narrow=TYPES, value=VALUES)
@settings(max_examples=400, deadline=None)
def test_a_type_contains_what_the_types_below_it_contain(wide: str, narrow: str, value: str) -> None:
    outer, inner, given_value = value_of(wide), value_of(narrow), value_of(value)
    if outer.assignable(inner) and inner.instance(given_value) and not is_undecided(outer, inner):
        assert outer.instance(given_value)


def test_no_pair_of_types_is_unsound() -> None:
    kinds = [value_of(source) for source in (*NAMED, *MADE)]
    sources = (
        *(
            "undef",
            "0",
            "1",
            "2",
            "-1",
            "1.0",
            "1.5",
            "2.5",
            "''",
            "'a'",
            "'A'",
            "'b'",
            "'ab'",
            "'abc'",
            "true",
            "/a/",
        ),
        *(
            "[]",
            "[1]",
            "[1, 2]",
            "[1, 2, 3]",
            "['a']",
            "[1, 'a']",
            "[1, 'a', 'b']",
            "[undef]",
            "[Integer]",
            "{}",
        ),
        *("{'a' => 1}", "{'a' => undef}", "{'b' => 1}", "{1 => 'a'}", "{'a' => 1, 'b' => 2}", "{undef => 1}"),
        *(
            "{'a' => Integer}",
            "Integer",
            "Integer[1, 3]",
            "Any",
            "File",
            "File['a']",
            "Class[a]",
            "Type[Integer]",
        ),
        *("Optional[Integer]", "Undef", "default", "{[1] => 2}", "{/a/ => 1}"),
    )
    contents = {id(kind): {source for source in sources if kind.instance(value_of(source))} for kind in kinds}
    unsound = [
        (str(narrow), str(wide))
        for narrow in kinds
        for wide in kinds
        if wide.assignable(narrow) and not contents[id(narrow)] <= contents[id(wide)]
    ]
    assert unsound == [("Struct", "Hash")]  # by rule 003:536


@given(left=TYPES, right=TYPES, value=VALUES)
@settings(max_examples=300, deadline=None)
def test_a_union_contains_what_its_operands_contain(left: str, right: str, value: str) -> None:
    """But for `Optional[T]` and T, whose union is T by rule 003:618."""
    one, other, given_value = value_of(left), value_of(right), value_of(value)
    united = unite(one, other, SPEC)
    if "Optional" in left + right:
        return
    if one.instance(given_value) or other.instance(given_value):
        assert united.instance(given_value), (str(united), isinstance(one, OptionalType))


@given(left=TYPES, right=TYPES)
@settings(max_examples=200, deadline=None)
def test_a_union_does_not_depend_on_the_order(left: str, right: str) -> None:
    one, other = value_of(left), value_of(right)
    assert equals(unite(one, other, SPEC), unite(other, one, SPEC))


@given(wide=TYPES, narrow=TYPES)
@settings(max_examples=200, deadline=None)
def test_the_union_with_a_type_below_is_the_upper_type(wide: str, narrow: str) -> None:
    """The union is the least type above both: of two types in an order it is the upper one."""
    outer, inner = value_of(wide), value_of(narrow)
    if outer.assignable(inner) and "Optional" not in wide and "Type" not in wide + narrow:
        assert equals(unite(outer, inner, SPEC), outer)


@given(kind=TYPES)
@settings(max_examples=200, deadline=None)
def test_a_printed_type_reads_back(kind: str) -> None:
    printed = literal(value_of(kind))
    again = value_of(printed)
    assert literal(again) == printed
    assert equals(again, value_of(kind))


@given(left=VALUES, right=VALUES)
@settings(max_examples=150, deadline=None)
def test_equal_values_select_the_same_option(left: str, right: str) -> None:
    """A regular expression or a type as an option is a test; every other option is compared by `==`."""
    equal = answer(f"$x = {left}\n$y = {right}\n$x == $y")
    if isinstance(value_of(right), Type) or right.startswith("/") or right == "default":
        return
    selected = answer(f"$x = {left}\n$y = {right}\ncase $x {{ $y: {{ 'same' }} default: {{ 'other' }} }}")
    assert (selected == "'same'") == (equal == "true")


@given(left=VALUES, right=VALUES)
@settings(max_examples=150, deadline=None)
def test_values_that_are_one_key_are_equal(left: str, right: str) -> None:
    """Keys are compared strictly: what is found by a key is equal to it, and a value is found by itself."""
    found = answer(f"$x = {left}\n$y = {right}\n$h = {{ $x => 'found' }}\n[$h[$x], $h[$y], $x == $y]")
    assert found.startswith("['found'")
    if found.startswith("['found', 'found'"):
        assert found.endswith("true]")


@given(parts=st.lists(VALUES, min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_splitting_at_statements_changes_nothing(parts: list[str]) -> None:
    statements = [f"$v{index} = {part}" for index, part in enumerate(parts)]
    result = "[" + ", ".join(f"$v{index}" for index in range(len(parts))) + "]"
    session = Session("spec", interactive=True)
    outcomes = [session.run(statement) for statement in [*statements, f"$all = {result}", "$all"]]
    assert outcomes[-1].text == answer("\n".join([*statements, f"$all = {result}", "$all"]))
