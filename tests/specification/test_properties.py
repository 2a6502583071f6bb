"""Properties of the types of the documents, in the dialect of the specification."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaluator import Session
from evaluator.operators.comparison import is_same_type
from evaluator.types import OptionalType, Type, TypeType, unite
from evaluator.values import format_literal
from lexer_parser.dialect import SPEC

ENDS = st.sampled_from(("0", "1", "2", "3", "default"))
SIZES = st.tuples(ENDS, ENDS).map(", ".join)
BOUNDS = st.tuples(*[st.sampled_from(("-2", "0", "1", "2", "7", "default"))] * 2).map(", ".join)


def pick(*sources: str) -> st.SearchStrategy[str]:
    """Return a strategy for lists of the sources, as the parameters of a type."""
    return st.lists(st.sampled_from(sources), min_size=1, max_size=3).map(", ".join)


SIMPLE_TYPES = (
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
LEAVES = st.one_of(
    st.sampled_from(SIMPLE_TYPES),
    BOUNDS.map("Integer[{}]".format),
    BOUNDS.map("Float[{}]".format),
    SIZES.map("String[{}]".format),
    SIZES.map("Collection[{}]".format),
    pick("''", "'a'", "'A'", "'ab'", "'1'").map("Enum[{}]".format),
    pick("/a/", "/b/", "/^a$/", "'1'", "/./").map("Pattern[{}]".format),
    st.sampled_from(
        (
            "Struct[{}]",
            "Regexp[/a/]",
            "Regexp['b']",
            "Float[1e20, default]",
            "Float[-1e-20, 1e20]",
            "User",
            "User['a']",
            "Class[b]",
            "Resource['file', 'a']",
            "Ruby['B']",
        )
    ),
)
# The difficult cases of assignability: sizes, optional parts, keys, and empty types.
PARTS = (
    *(
        "Any",
        "Undef",
        "Data",
        "Scalar",
        "Integer",
        "String",
        "Enum['a']",
        "Optional[Integer]",
        "Integer[1, 2]",
    ),
    *("String[1]", "Pattern[/a/]", "Variant", "Type", "Array", "Hash"),
)
FORMS = (
    *("Array[{}]", "Array[{}, 1]", "Array[{}, 0, 1]", "Array[{}, 2, 1]", "Tuple[{}]", "Tuple[{}, 0]"),
    *("Tuple[{}, 0, 2]", "Optional[{}]", "Type[{}]", "Variant[{}, Float]", "Struct[{{'a' => {}}}]"),
    *("Struct[{{'a' => Optional[{}]}}]", "Struct[{{'a' => {}, 'b' => Integer}}]", "Callable[{}]"),
    *(
        "Tuple[{}, Integer, 1, 3]",
        "Tuple[Integer, {}, 0]",
        "Hash[String, {}, 1, 1]",
        "Hash[Enum['a'], {}, 0, 1]",
    ),
    *(
        "Hash[Enum['a', 'b'], {}, 2, 2]",
        "Hash[Any, {}, 0, 2]",
        "Hash[Scalar, {}]",
        "Hash[Optional[String], {}, 1]",
    ),
)
NESTED = tuple(form.format(part) for form in FORMS for part in PARTS)
SIZED = (
    *("String[1]", "String[1, 2]", "String[0, 0]", "Collection[1]", "Collection[0, 0]", "Collection[1, 2]"),
    *(
        "Array[0, 0]",
        "Hash[0, 0]",
        "Struct[{}]",
        "Struct[{Optional['a'] => Integer}]",
        "Callable[0, default]",
    ),
)


def nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return a strategy for the sources of types that contain other types."""
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
        st.tuples(inner, inner, SIZES).map(lambda parts: f"Tuple[{parts[0]}, {parts[1]}, {parts[2]}]"),
        st.tuples(inner, inner, SIZES).map(lambda parts: f"Hash[{parts[0]}, {parts[1]}, {parts[2]}]"),
        inner.map("Struct[{{'a' => Optional[{}]}}]".format),
        inner.map("Callable[{}]".format),
        pairs.map(lambda kinds: f"Callable[{kinds[0]}, {kinds[1]}, 1, 3]"),
        pairs.map(lambda kinds: f"Callable[{kinds[0]}, Callable[{kinds[1]}]]"),
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
        *(
            "18446744073709551616",
            "-1.5",
            "7",
            "7.0",
            "' 1 '",
            "Callable[Integer]",
            "Enum['a']",
            "Any",
            "Undef",
        ),
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.dictionaries(
            st.sampled_from(("'a'", "'b'", "1", "undef", "[1]", "Integer", "/a/", "true")), inner, max_size=2
        ).map(lambda entries: "{" + ", ".join(f"{key} => {value}" for key, value in entries.items()) + "}"),
    ),
    max_leaves=4,
)


@cache
def evaluate(source: str) -> Any:
    """Return the value of an expression in the dialect of the specification."""
    outcome = Session("spec").run(f"$value = {source}\n$value")
    assert outcome.error is None, (source, outcome.error)
    return outcome.value


def evaluate_to_text(source: str) -> str:
    """Return the text of the value of a program."""
    outcome = Session("spec").run(source)
    assert outcome.error is None, (source, outcome.error)
    return str(outcome.text)


def is_bare_struct_and_hash(wide: Type, narrow: Type) -> bool:
    """Return True for the pair that rule 003:536 makes assignable without its instances."""
    return BARE_STRUCT.search(str(narrow)) is not None and "Hash" in str(wide)


BARE_STRUCT = re.compile(r"Struct(?!\[)")
RELEASED_TYPE = re.compile(r"ScalarData|RichData|NotUndef|Boolean\[")  # types that the documents lack
EMPTY_TYPE = re.compile(r"(?:Variant|Optional|Enum|Pattern)(?!\[)")


def is_optional_of(left: Type, right: Type) -> bool:
    """Return True for `Optional[T]` and T, whose union is T by rule 003:618, also nested."""
    if isinstance(left, TypeType) and isinstance(right, TypeType) and left.type and right.type:
        return is_optional_of(left.type, right.type)
    pairs = (left, right), (right, left)
    if all(isinstance(each, OptionalType) and each.type for each in (left, right)):
        return is_optional_of(left.type, right.type)  # type: ignore[attr-defined]
    return any(isinstance(one, OptionalType) and one.type == other for one, other in pairs)


def find_unsound_pairs(kinds: list[Type], values: list[Any]) -> list[tuple[str, str]]:
    """Return the pairs of types in which the wider lacks an instance of the narrower."""
    contents = [{index for index, value in enumerate(values) if kind.instance(value)} for kind in kinds]
    return [
        (str(narrow), str(wide))
        for narrow, inner in zip(kinds, contents, strict=True)
        for wide, outer in zip(kinds, contents, strict=True)
        if not inner <= outer and wide.assignable(narrow) and not is_bare_struct_and_hash(wide, narrow)
    ]


@given(kinds=st.lists(TYPES, min_size=4, max_size=12), values=st.lists(VALUES, min_size=4, max_size=16))
def test_a_type_contains_the_instances_of_assignable_types(kinds: list[str], values: list[str]) -> None:
    assert find_unsound_pairs([*map(evaluate, kinds)], [*map(evaluate, values)]) == []


def test_no_pair_of_many_types_is_unsound() -> None:
    elements = ("undef", "1", "3", "'a'", "''", "1.5", "Integer", "[]", "[1]", "{}")
    keys = ("'a'", "'b'", "''", "1", "undef", "[1]", "/a/")
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
        ),
        *(
            "/a/",
            "default",
            "Integer",
            "Integer[1, 3]",
            "Any",
            "File",
            "File['a']",
            "Class[a]",
            "Type[Integer]",
        ),
        *("Optional[Integer]", "Undef", "Variant", "[]", "{}", "['a', 1, 'b']", "[1, undef, 3]"),
        *(f"[{element}]" for element in elements),
        *(f"[{one}, {other}]" for one in elements[:6] for other in elements[:6]),
        *(f"{{{key} => {element}}}" for key in keys for element in elements),
        *(
            f"{{'a' => {one}, {key} => {other}}}"
            for key in keys[1:]
            for one in elements[:4]
            for other in elements[:4]
        ),
    )
    kinds = [evaluate(source) for source in (*SIMPLE_TYPES, *SIZED, *NESTED)]
    assert len(kinds) > 350
    assert find_unsound_pairs(kinds, [*map(evaluate, sources)]) == []
    struct, every_hash = evaluate("Struct"), evaluate("Hash")
    assert (
        every_hash.assignable(struct)
        and struct.instance({1: struct})
        and not every_hash.instance({1: struct})
    )


@given(kinds=st.lists(TYPES, min_size=2, max_size=6), values=st.lists(VALUES, min_size=2, max_size=10))
def test_operands_are_assignable_to_their_union(kinds: list[str], values: list[str]) -> None:
    """A union contains its operands' values in any order; of ordered types it is the wider."""
    types, contents = [*map(evaluate, kinds)], [*map(evaluate, values)]
    for one, other in product(types, repeat=2):
        united = unite(one, other, SPEC)
        assert is_same_type(united, unite(other, one, SPEC)), (str(one), str(other))
        assert RELEASED_TYPE.search(str(united)) is None, (str(one), str(other), str(united))
        if is_optional_of(one, other) or BARE_STRUCT.search(str((one, other))):
            continue
        for value in contents:
            contained = united.instance(value) or not (one.instance(value) or other.instance(value))
            assert contained or EMPTY_TYPE.search(str((one, other))), (str(one), str(other), str(united))
        if EMPTY_TYPE.search(str((one, other))) or "Callable" in str((one, other)):
            continue  # these have no instances, and the unions of Callables have their own table
        assert united.assignable(one) and united.assignable(other), (str(one), str(other), str(united))
        if other.assignable(one):
            assert is_same_type(united, other), (str(one), str(other), str(united))


RANGES = st.one_of(*(BOUNDS.map(f"{kind}[{{}}]".format) for kind in ("Integer", "Float")))


@given(left=RANGES, right=RANGES, other=RANGES)
def test_the_union_of_ranges_is_the_least_range(left: str, right: str, other: str) -> None:
    one, two, wide = evaluate(left), evaluate(right), evaluate(other)
    if type(one) is type(two) is type(wide) and wide.assignable(one) and wide.assignable(two):
        assert wide.assignable(unite(one, two, SPEC))


@given(wide=TYPES, narrow=TYPES)
def test_callables_are_contravariant_in_their_parameters(wide: str, narrow: str) -> None:
    """A Callable with a wider parameter can be called with each narrower argument."""
    if "Callable" not in wide + narrow:  # a Callable as the last parameter is the type of the block
        parameter, argument = evaluate(f"Callable[{wide}]"), evaluate(f"Callable[{narrow}]")
        assert argument.assignable(parameter) == evaluate(wide).assignable(evaluate(narrow))


@given(value=VALUES)
def test_a_value_is_an_instance_of_its_type(value: str) -> None:
    """Values with Optional are left out, since rule 003:618 ignores undef in them."""
    if "Optional" in value:
        return
    assert (
        evaluate_to_text(f"$x = {value}\n[$x =~ type_of($x), $x =~ type($x), $x =~ Any]")
        == "[true, true, true]"
    )


@given(kind=TYPES)
def test_a_printed_type_is_parsed_to_the_same_type(kind: str) -> None:
    printed = format_literal(evaluate(kind))
    parsed = evaluate(printed)
    assert format_literal(parsed) == printed
    assert is_same_type(parsed, evaluate(kind))


@given(left=VALUES, right=VALUES)
def test_equal_values_select_the_same_option(left: str, right: str) -> None:
    """An option is compared by `==` unless it is a regular expression or a type."""
    equal = evaluate_to_text(f"$x = {left}\n$y = {right}\n$x == $y")
    if isinstance(evaluate(right), Type) or right.startswith("/") or right == "default":
        return
    selected = evaluate_to_text(
        f"$x = {left}\n$y = {right}\ncase $x {{ $y: {{ 'same' }} default: {{ 'other' }} }}"
    )
    assert (selected == "'same'") == (equal == "true")


@given(left=VALUES, right=VALUES)
def test_values_that_are_the_same_key_are_equal(left: str, right: str) -> None:
    """Keys are compared strictly: a key finds itself, and only keys that are equal to it."""
    text = evaluate_to_text(
        f"$x = {left}\n$y = {right}\n$h = {{ $x => 'found' }}\n[$h[$x], $h[$y], $x == $y]"
    )
    assert text.startswith("['found'")
    if text.startswith("['found', 'found'"):
        assert text.endswith("true]")


STATEMENTS = (
    *(
        "$a = 'x'",
        "$b = [1, { 'k' => $a }]",
        "notice($a, $b)",
        "'abc' =~ /(b)(c)/",
        "'abc' =~ /x/",
        "notice($1)",
    ),
    *(
        "if 'xyz' =~ /(y)/ { notice($1) }",
        "notify { 'a': }",
        "notify { 'b': message => 'x' }",
        "@notify { 'c': }",
    ),
    *("@@notify { 'd': }", "Notify <| title == 'c' |>", "Notify <<| |>>", "Notify <| |> { tag +> 't' }"),
    *("Notify { message => 'default' }", "Notify['a'] { message => 'y' }", "Notify['a'] -> Notify['b']"),
    *("Notify['a'] ~> Notify <| title == 'c' |>", "class k($p = 1) { notify { 'k': message => $p } }"),
    *(
        "include k",
        "class { 'k': p => 2 }",
        'define d { notify { "d-${title}": } }',
        "d { 'x': }",
        "realize(Notify['c'])",
    ),
    *(
        "Notify['b'] -> [] -> Notify['a']",
        "notice(defined(Notify['a']))",
        "$c = if $a { notify { 'e': } }",
        "$c",
    ),
)


@given(statements=st.lists(st.sampled_from(STATEMENTS), unique=True, min_size=2, max_size=8))
def test_a_program_split_into_cells_has_the_same_results(statements: list[str]) -> None:
    """The cells of a program without errors have its results if names are defined before use."""
    program = Session("spec")
    outcome = program.run("\n".join(statements))
    if outcome.error is not None:
        return
    session = Session("spec", interactive=True)
    cells = [session.run(statement) for statement in statements]
    failed = [cell.error for cell in cells if cell.error is not None]
    if any(
        error.code in ("CLASS_NOT_FOUND", "DECLARED_CLASS_NOT_FOUND", "RESOURCE_TYPE_NOT_FOUND")
        for error in failed
    ):
        return
    assert failed == []
    assert cells[-1].text == outcome.text
    assert [str(line) for cell in cells for line in cell.logs] == [*map(str, outcome.logs)]
    assert session.catalog().summary() == program.catalog().summary()


@given(parts=st.lists(VALUES, min_size=1, max_size=4))
def test_a_program_split_at_assignments_has_the_same_value(parts: list[str]) -> None:
    statements = [f"$v{index} = {part}" for index, part in enumerate(parts)]
    result = "[" + ", ".join(f"$v{index}" for index in range(len(parts))) + "]"
    session = Session("spec", interactive=True)
    outcomes = [session.run(statement) for statement in [*statements, f"$all = {result}", "$all"]]
    assert outcomes[-1].text == evaluate_to_text("\n".join([*statements, f"$all = {result}", "$all"]))


@given(text=st.from_regex(r"(0[xX][0-9a-g]{1,3}|[0-9]{1,4}(\.[0-9]{1,2})?([eE]-?[0-9])?)", fullmatch=True))
def test_a_numeric_string_is_converted_to_the_number_of_the_source(text: str) -> None:
    written = Session("spec").run(f"$x = {text}\n$x")
    converted = Session("spec").run(f"'{text}' + 0")
    assert (written.error is None) == (converted.error is None), text
    assert written.text == converted.text
