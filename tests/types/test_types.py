"""Types: source form, wrong parameters, instances, assignability, union, inference, mismatches."""

from __future__ import annotations

import pytest
from type_tables import Program, rows, value_of

from evaluator.issues import Failure
from evaluator.operators.comparison import is_same_type
from evaluator.program.definitions import LambdaBlock, ParameterSpec
from evaluator.types import (
    INTEGER,
    STRING,
    AliasType,
    IntegerType,
    Member,
    StructType,
    TupleType,
    find_builtin_type,
    infer,
    infer_block_type,
    infer_detailed,
    infer_generalized,
    list_builtin_names,
    parse_type,
    unite,
)
from evaluator.types.aliases import to_expanded_text
from evaluator.types.puppet_wording import describe_mismatch
from evaluator.values import Sensitive, format_literal
from lexer_parser.dialect import PUPPET, SPEC
from lexer_parser.errors import PuppetError

NOT_SOURCE = (
    "Object[",
    "TypeSet[",
    "UnresolvedAlias",
    "Runtime[,",
    "::File",
    "Foo",
    "[A",
    "Class['",
    "[Class",
)


@pytest.mark.parametrize(("source", "form"), rows("forms.txt", "=>"))
def test_the_source_form(source, form):
    assert format_literal(value_of(source)) == form


@pytest.mark.parametrize("form", sorted({row[1] for row in rows("forms.txt", "=>")}))
def test_the_source_form_reads_back(form):
    if form.startswith(NOT_SOURCE):
        pytest.skip("a form that is no source, or a reference to what is not there")
    assert format_literal(value_of(form)) == form


@pytest.mark.parametrize(("source", "message"), rows("wrong_parameters.txt", "!!"))
def test_wrong_parameters(source, message):
    with pytest.raises((PuppetError, Failure)) as caught:
        value_of(source)
    assert str(caught.value) == message


@pytest.mark.parametrize(("source", "operand"), [("Integer[1, 'a']", 2), ("Data[1]", 0), ("Enum[a, 1]", 2)])
def test_a_wrong_parameter_is_blamed(source, operand):
    with pytest.raises(PuppetError) as caught:
        value_of(source)
    assert caught.value.operand == operand


@pytest.mark.parametrize("row", rows("assignability.txt", ">="), ids=lambda row: row[0])
def test_assignability(row):
    expected, others = row
    wanted = not expected.startswith("! ")
    kind = value_of(expected.removeprefix("! "))
    for other in others.split(" ; "):
        assert kind.assignable(value_of(other)) is wanted, other


@pytest.mark.parametrize(("left", "right", "union"), rows("unions.txt", "|"))
def test_union(left, right, union):
    assert unite(value_of(left), value_of(right), PUPPET).inner() == union


@pytest.mark.parametrize(("left", "right", "union"), rows("unions_specified.txt", "|"))
def test_union_by_the_specification(left, right, union):
    first, second = value_of(left, SPEC), value_of(right, SPEC)
    assert unite(first, second, SPEC).inner() == union
    assert is_same_type(unite(second, first, SPEC), unite(first, second, SPEC))


@pytest.mark.parametrize(("source", "form"), rows("inferred.txt", "=>"))
def test_inference(source, form):
    assert str(infer(value_of(source), PUPPET)) == form


@pytest.mark.parametrize(("source", "value", "text"), rows("mismatches.txt", "|"))
def test_mismatches(source, value, text):
    kind, actual = value_of(source), value_of(value)
    assert not kind.instance(actual)
    reasons = describe_mismatch("assert_type():", kind, actual).split("\n")
    assert " ⏎ ".join(reason.strip().removeprefix("assert_type(): ") for reason in reasons) == text


def _programs():
    definitions: list[str] = []
    complete = False
    for row in rows("objects.txt", "=>"):
        line = "  =>  ".join(row)
        if line.startswith("type "):
            definitions = [line] if complete else [*definitions, line]
            complete = False
        else:
            complete = True
            yield pytest.param(definitions, line, id=line[:60])


@pytest.mark.parametrize(("definitions", "line"), list(_programs()))
def test_objects_and_aliases(definitions, line):
    program = Program()
    for definition in definitions:
        program.define(definition)
    source, arrow, form = line.partition("  =>  ")
    if arrow:
        assert format_literal(program.run(source)) == form
        return
    source, _, message = line.partition("  !!  ")
    with pytest.raises(Failure) as caught:
        format_literal(program.run(source))
    assert " ⏎ ".join(part.strip() for part in str(caught.value).split("\n")) == message


@pytest.mark.parametrize(
    ("value", "detailed", "generalized"),
    [
        ([1, "a"], "Tuple[Integer[1, 1], String]", "Array[ScalarData]"),
        ({"a": 1}, "Struct[{'a' => Integer[1, 1]}]", "Hash[String, Integer]"),
        (["a", "bb"], "Tuple[String, String]", "Array[String[1, 2]]"),
        ([], "Array[0, 0]", "Array[Unit]"),
        ({}, "Hash[0, 0]", "Hash[0, 0]"),
        ({"": 1}, "Hash[String, Integer[1, 1], 1, 1]", "Hash[String, Integer]"),
        (Sensitive([1, 2]), "Sensitive[Array[Integer]]", "Sensitive[Array[Integer]]"),
        (None, "Undef", "Undef"),
        (INTEGER, "Type[Integer]", "Type[Integer]"),
    ],
)
def test_detailed_and_generalized_types(value, detailed, generalized):
    assert str(infer_detailed(value, PUPPET)) == detailed
    assert str(infer_generalized(value, PUPPET)) == generalized


@pytest.mark.parametrize(
    ("source", "value", "holds"),
    [
        ("Integer[5]", 6, False),
        ("Integer[3, 1]", 2, True),
        ("Pattern", "a", False),
        ("Optional", None, False),
        ("Struct", {"a": 1}, True),
        ("Array", [INTEGER], False),
        ("Array[String, Integer[1, 2]]", ["a"], True),
        ("Data", {1: 2}, True),
        ("Object", 1, True),
        ("Literal", 1, True),
    ],
)
def test_instances_by_the_specification(source, value, holds):
    assert parse_type(source, SPEC).instance(value) is holds


def test_ranges_of_the_specification_are_spelled_out():
    assert str(parse_type("Integer[5]", SPEC)) == "Integer[5, 5]"
    assert str(parse_type("Integer[5, default]", SPEC)) == "Integer[5, default]"
    assert list(parse_type("Integer[3, 1]", SPEC).iteration()) == [3, 2, 1]
    assert parse_type("Integer[3, 1]", SPEC) == parse_type("Integer[1, 3]", SPEC)


def test_equality_of_types_is_acceptance_both_ways():
    pairs = ("Optional[Integer]", "Variant[Undef, Integer]"), ("Array[Integer]", "Tuple[Integer, 0, default]")
    for left, right in pairs:
        assert is_same_type(parse_type(left, PUPPET), parse_type(right, PUPPET))
    assert not is_same_type(parse_type("Numeric", PUPPET), parse_type("Variant[Integer, Float]", PUPPET))
    assert is_same_type(AliasType("Port", IntegerType(1, 9)), IntegerType(1, 9))


def test_names_are_found_in_any_case():
    assert find_builtin_type("SEMVER", PUPPET) is find_builtin_type("SemVer", PUPPET)
    assert find_builtin_type("nope", PUPPET) is None
    assert {"Integer", "Callable", "Timespan", "Error"} <= set(list_builtin_names(PUPPET))


def test_the_type_of_a_lambda():
    spec = [
        ParameterSpec("a", INTEGER),
        ParameterSpec("b", None, required=False),
        ParameterSpec("c", splat=True),
    ]
    assert str(infer_block_type(LambdaBlock(print, tuple(spec[:1]), 1, 1))) == "Callable[Integer]"
    assert (
        str(infer_block_type(LambdaBlock(print, tuple(spec[:2]), 1, 2, STRING)))
        == "Callable[[Integer, Any, 1, 2], String]"
    )
    assert str(infer_block_type(LambdaBlock(print, tuple(spec), 1, None))) == "Callable[Integer, Any, Any, 1]"
    assert str(infer_block_type(LambdaBlock(print, (), 0, 0))) == "Callable[0, 0]"


def test_nested_sharing_is_linear():
    left, right = INTEGER, IntegerType()
    for _ in range(60):
        left, right = TupleType((left, left)), TupleType((right, right))
    assert left == right
    assert left.assignable(right)
    assert hash(left) == hash(right)


def test_data_is_tested_without_recursion():
    value: list = []
    for _ in range(100_000):
        value = [value]
    assert parse_type("Data", PUPPET).instance(value)


def test_a_long_text_does_not_depend_on_what_was_printed_before() -> None:
    port = AliasType("Port", IntegerType(1, 5))
    struct = StructType([Member(f"a_member_with_a_long_name_{number}", port, True) for number in range(20)])
    expanded = to_expanded_text(struct)
    assert str(struct) != expanded
    assert to_expanded_text(struct) == expanded
