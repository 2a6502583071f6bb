"""Properties that all types and values have, on random ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluator.types import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    NUMERIC,
    SCALAR,
    STRING,
    UNDEF,
    ArrayType,
    EnumType,
    HashType,
    IntegerType,
    Member,
    OptionalType,
    StringType,
    StructType,
    TupleType,
    TypeType,
    VariantType,
    infer,
    infer_detailed,
    parse_type,
    unite,
)
from evaluator.values import DEFAULT, make_hash
from lexer_parser.dialect import PUPPET, SPEC

bounds = st.one_of(st.none(), st.integers(0, 5))
sizes = st.one_of(st.none(), st.tuples(st.integers(0, 2), st.one_of(st.none(), st.integers(2, 5))))


def make_range(low, high):
    return IntegerType(low, high) if low is None or high is None or low <= high else IntegerType(high, low)


leaves = st.one_of(
    st.sampled_from([ANY, UNDEF, SCALAR, NUMERIC, INTEGER, FLOAT, BOOLEAN, STRING]),
    st.builds(make_range, bounds, bounds),
    st.builds(StringType, sizes),
    st.builds(EnumType, st.lists(st.sampled_from(["a", "b", "cc"]), min_size=1)),
)


def make_compound_types(inner):
    member = st.builds(Member, st.sampled_from(["a", "b"]), inner, st.booleans())
    return st.one_of(
        st.builds(ArrayType, inner, sizes),
        st.builds(HashType, inner, inner, sizes),
        st.builds(TupleType, st.lists(inner, min_size=1, max_size=3)),
        st.builds(StructType, st.lists(member, min_size=1, max_size=2, unique_by=lambda m: m.name)),
        st.builds(VariantType, st.lists(inner, min_size=2, max_size=3)),
        st.builds(OptionalType, inner),
        st.builds(TypeType, inner),
    )


types = st.recursive(leaves, make_compound_types, max_leaves=6)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.floats(allow_nan=False),
    st.sampled_from(["", "a", "b", "cc", "a b"]),
    st.just(DEFAULT),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(st.tuples(inner, inner), max_size=3).map(make_hash),
    ),
    max_leaves=8,
)


@given(types)
def test_a_type_accepts_itself(kind):
    assert kind.assignable(kind)
    assert kind == kind
    assert kind.assignable(parse_type(str(kind), PUPPET))
    assert parse_type(str(kind), PUPPET).assignable(kind)


@given(types, types, values)
def test_the_instances_of_an_assignable_type_are_instances(wide, narrow, value):
    if wide.assignable(narrow) and narrow.instance(value):
        assert wide.instance(value)


@given(values)
def test_a_value_is_an_instance_of_its_inferred_types(value):
    assert infer_detailed(value, PUPPET).instance(value)
    assert infer_detailed(value, PUPPET).generalize().instance(value)
    assert infer_detailed(value, PUPPET).normalize().instance(value)


@given(st.lists(st.integers() | st.text(max_size=3) | st.booleans() | st.floats(allow_nan=False), max_size=6))
def test_a_list_is_an_instance_of_its_reduced_type(value):
    assert infer(value, PUPPET).instance(value)


@given(types, types)
def test_both_types_are_assignable_to_their_union(left, right):
    for dialect in (PUPPET, SPEC):
        union = unite(left, right, dialect)
        if UNDEF in (left, right) or isinstance(left, OptionalType) or isinstance(right, OptionalType):
            continue  # undef is dropped from unions
        if "Undef" in str(left) + str(right) or "Optional" in str(left) + str(right):
            continue
        assert union.assignable(left) and union.assignable(right)


@given(types, values)
def test_a_normalized_type_has_the_same_instances(kind, value):
    assert kind.normalize().instance(value) is kind.instance(value)


@given(types, values)
def test_the_instances_of_a_type_are_instances_of_the_generalized_type(kind, value):
    if kind.instance(value):
        assert kind.generalize().instance(value)
