"""Types: literals, parameters, instances, assignability, union, inference, mismatches."""

from __future__ import annotations

import pytest
from type_tables import Program, evaluate_source, read_rows

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


@pytest.mark.parametrize(("source", "form"), read_rows("forms.txt", "=>"))
def test_a_type_is_printed_as_a_literal(source, form):
    assert format_literal(evaluate_source(source)) == form


@pytest.mark.parametrize("form", sorted({row[1] for row in read_rows("forms.txt", "=>")}))
def test_a_printed_type_parses_to_the_same_type(form):
    if form.startswith(NOT_SOURCE):
        pytest.skip("the form is no source, or refers to something undefined")
    assert format_literal(evaluate_source(form)) == form


@pytest.mark.parametrize(("source", "message"), read_rows("wrong_parameters.txt", "!!"))
def test_an_invalid_parameter_is_reported(source, message):
    with pytest.raises((PuppetError, Failure)) as caught:
        evaluate_source(source)
    assert str(caught.value) == message


@pytest.mark.parametrize(("source", "operand"), [("Integer[1, 'a']", 2), ("Data[1]", 0), ("Enum[a, 1]", 2)])
def test_the_error_has_the_operand_of_the_invalid_parameter(source, operand):
    with pytest.raises(PuppetError) as caught:
        evaluate_source(source)
    assert caught.value.operand == operand


@pytest.mark.parametrize("row", read_rows("assignability.txt", ">="), ids=lambda row: row[0])
def test_types_are_assignable_or_not(row):
    expected, others = row
    is_assignable = not expected.startswith("! ")
    kind = evaluate_source(expected.removeprefix("! "))
    for other in others.split(" ; "):
        assert kind.assignable(evaluate_source(other)) is is_assignable, other


@pytest.mark.parametrize(("left", "right", "union"), read_rows("unions.txt", "|"))
def test_the_union_of_two_types(left, right, union):
    assert unite(evaluate_source(left), evaluate_source(right), PUPPET).inner() == union


@pytest.mark.parametrize(("left", "right", "union"), read_rows("unions_specified.txt", "|"))
def test_the_union_of_two_types_by_the_specification(left, right, union):
    first, second = evaluate_source(left, SPEC), evaluate_source(right, SPEC)
    assert unite(first, second, SPEC).inner() == union
    assert is_same_type(unite(second, first, SPEC), unite(first, second, SPEC))


@pytest.mark.parametrize(("source", "form"), read_rows("inferred.txt", "=>"))
def test_the_type_of_a_value_is_inferred(source, form):
    assert str(infer(evaluate_source(source), PUPPET)) == form


@pytest.mark.parametrize(("source", "value", "text"), read_rows("mismatches.txt", "|"))
def test_a_mismatch_is_described(source, value, text):
    kind, actual = evaluate_source(source), evaluate_source(value)
    assert not kind.instance(actual)
    reasons = describe_mismatch("assert_type():", kind, actual).split("\n")
    assert " ⏎ ".join(reason.strip().removeprefix("assert_type(): ") for reason in reasons) == text


def _list_programs():
    """Yield each expression of the table with the definitions before it."""
    definitions: list[str] = []
    has_expression = False
    for row in read_rows("objects.txt", "=>"):
        line = "  =>  ".join(row)
        if line.startswith("type "):
            definitions = [line] if has_expression else [*definitions, line]
            has_expression = False
        else:
            has_expression = True
            yield pytest.param(definitions, line, id=line[:60])


@pytest.mark.parametrize(("definitions", "line"), list(_list_programs()))
def test_a_program_with_object_types_or_aliases_has_the_expected_result(definitions, line):
    program = Program()
    for definition in definitions:
        program.define(definition)
    source, separator, form = line.partition("  =>  ")
    if separator:
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
    ("source", "value", "is_instance"),
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
def test_a_value_is_an_instance_by_the_specification(source, value, is_instance):
    assert parse_type(source, SPEC).instance(value) is is_instance


def test_ranges_of_the_specification_are_printed_with_both_bounds():
    assert str(parse_type("Integer[5]", SPEC)) == "Integer[5, 5]"
    assert str(parse_type("Integer[5, default]", SPEC)) == "Integer[5, default]"
    assert list(parse_type("Integer[3, 1]", SPEC).iteration()) == [3, 2, 1]
    assert parse_type("Integer[3, 1]", SPEC) == parse_type("Integer[1, 3]", SPEC)


def test_types_are_the_same_if_each_is_assignable_to_the_other():
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


def test_comparing_nested_shared_types_takes_linear_time():
    left, right = INTEGER, IntegerType()
    for _ in range(60):
        left, right = TupleType((left, left)), TupleType((right, right))
    assert left == right
    assert left.assignable(right)
    assert hash(left) == hash(right)


def test_instances_of_data_are_checked_without_recursion():
    value: list = []
    for _ in range(100_000):
        value = [value]
    assert parse_type("Data", PUPPET).instance(value)


def test_the_text_of_a_type_does_not_depend_on_earlier_prints() -> None:
    port = AliasType("Port", IntegerType(1, 5))
    struct = StructType([Member(f"a_member_with_a_long_name_{number}", port, True) for number in range(20)])
    expanded = to_expanded_text(struct)
    assert str(struct) != expanded
    assert to_expanded_text(struct) == expanded
