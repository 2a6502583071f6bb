"""Collection, Array, Tuple, Hash and Struct.

Their flags, such as `bare` and `exact`, are for what differs between the specification and the released Puppet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from evaluator.issues import Failure, make_error, require
from evaluator.types.base import (
    ABSENT,
    ANY,
    HOOKS,
    UNDEF,
    UNIT,
    Memo,
    TestCode,
    Type,
    accepts,
    accepts_undef,
    check_type,
    is_bound,
    join_and,
    make_arity_error,
    make_usage_error,
)
from evaluator.types.scalars import (
    INTEGER,
    SCALAR,
    STRING,
    UNBOUNDED,
    EnumType,
    IntegerType,
    Size,
    StringType,
    describe_size_value,
    format_size,
    is_size_within,
    make_size,
    parse_size,
    split_trailing_size,
)
from evaluator.types.variants import NotUndefType, OptionalType, make_variant
from evaluator.values import Key, Value, add_capital_article, iterate_items, quote_string
from evaluator.values import kind as kinds
from evaluator.values.dag import flatten_lists
from evaluator.values.ruby_values import get_ruby_class
from lexer_parser.dialect import PUPPET, Dialect

EMPTY: Size = (0, 0)
_UNROLLED = 32  # the number of types of a Tuple up to which its test has code for each


class CollectionType(Type):
    """Collection[min, max]: arrays and hashes by size.

    For all collections `write_test` returns Python source that tests the class and size of a value, and its parts in a
    function of their own. In that source `v` is the value, `n` a number of elements, `k` a key, `e` an element or the
    value of an entry, `x` the value of a member.

    Attributes:
        size: The least and greatest number of elements; None without parameters for it.
    """

    keyword = "Collection"
    size: Size | None = None

    def arguments(self) -> list[str]:
        return format_size(self.size)

    @property
    def extent(self) -> Size:
        """The least and greatest number of elements of an instance."""
        return self.size or (0, None)

    def write_test(self, variable: str, code: TestCode) -> str:
        return join_and(
            f"type({variable}) in {code.bind((list, dict))}", code.write_size_test(variable, self.size)
        )

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, CollectionType) and is_size_within(actual.extent, self.size)

    def element_type(self) -> Type | None:
        return ANY

    def map_types(self, change: Callable[[Type], Type]) -> Type:
        return COLLECTION  # the released Puppet drops the size

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments, 1, 2, "Collection-Type")
        return CollectionType(parse_size(arguments, 1, dialect))


class ArrayType(CollectionType):
    """Array[element, min, max].

    Attributes:
        bare: True if the element is that of `Array` without parameters, so that it is not printed. The initializer
            takes None for: if the element is Any.
    """

    __slots__ = ("bare", "element")
    keyword = "Array"
    instance_kind = kinds.ARRAY
    composite = True

    def __init__(self, element: Type = ANY, size: Size | None = None, bare: bool | None = None) -> None:
        self.element = element
        self.size = size
        self.bare = element is ANY if bare is None else bare

    def parts(self) -> tuple[object, ...]:
        return (self.element, self.size)

    def arguments(self) -> list[str]:
        if self.bare and self.size is None:
            return []
        return (
            format_size(self.size) if self.size == EMPTY else [self.element.inner(), *format_size(self.size)]
        )

    def write_test(self, variable: str, code: TestCode) -> str:
        shallow_test = join_and(f"type({variable}) is list", code.write_size_test(variable, self.size))
        if self.size == EMPTY:
            return shallow_test
        element = self.element.write_test("e", code)
        if element == "True":
            return shallow_test
        check = code.define_function(["for e in v:", f"    if not {element}: return False", "return True"])
        return f"({shallow_test} and {check}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, ArrayType | TupleType) or not is_size_within(actual.extent, self.size):
            return False
        if isinstance(actual, ArrayType):
            return actual.size == EMPTY or accepts(self.element, actual.element, memo)
        return all(accepts(self.element, type, memo) for type in actual.element_types())

    def element_type(self) -> Type | None:
        return UNIT if self.size == EMPTY else self.element

    def generalize(self) -> Type:
        return ARRAY if self.element is ANY else ArrayType(self.element.generalize())

    def normalize(self) -> Type:
        if self.bare and self.size not in (None, EMPTY):
            return ARRAY  # the released Puppet drops the size
        element = self.element.normalize()
        return self if element == self.element else ArrayType(element, self.size)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = self.take_parameters(arguments, 1, 3, "Array-Type")
        element, sizes, first_size = arguments[0], arguments[1:], 2
        is_sized = len(arguments) == 2 and not isinstance(element, Type)
        if is_sized and (not dialect.type_parameters or arguments == [0, 0]):
            element, sizes, first_size = ANY, arguments, 1
        check_type("Array-Type", element)
        # A second type where the parameters of a size must be.
        if dialect.type_parameters and sizes and sizes[0] == INTEGER:
            raise make_error(
                "BAD_COLLECTION_SLICE_TYPE", operand=first_size, actual=describe_size_value(sizes[0])
            )
        size = parse_size(sizes, first_size, dialect) if sizes else None
        if size == EMPTY:
            return EMPTY_ARRAY
        return ArrayType(element, size, bare=False if dialect.data_model else None)


class TupleType(CollectionType):
    """Tuple[T1, T2, min, max]: the last type repeats.

    Attributes:
        types: The types of the elements. None without parameters in the released Puppet: every array is an instance.
        bare: True without parameters in the specification, where that means `Tuple[Data, 0, default]`.
        exact: True in the specification: it accepts another Tuple only if all instances of that are its instances.
    """

    __slots__ = ("bare", "exact", "types")
    keyword = "Tuple"
    instance_kind = kinds.ARRAY
    composite = True

    def __init__(
        self,
        types: Iterable[Type] | None = None,
        size: Size | None = None,
        bare: bool = False,
        exact: bool = False,
    ) -> None:
        self.types = None if types is None else tuple(types)
        self.size = size
        self.bare = bare
        self.exact = exact

    def parts(self) -> tuple[object, ...]:
        return (self.types, self.size)

    def arguments(self) -> list[str]:
        return [] if self.bare else [type.inner() for type in self.types or ()] + format_size(self.size)

    @property
    def extent(self) -> Size:
        return self.size or (len(self.types or ()), len(self.types or ()))

    def at(self, index: int) -> Type:
        """Return the type of the element at an index."""
        return self.types[min(index, len(self.types) - 1)] if self.types else ANY

    def element_types(self) -> tuple[Type, ...]:
        """Return the types of the elements; in the released Puppet also those past the size."""
        if not self.types:
            return () if self.size is None else (ANY,)
        return self.types[: self.extent[1]] if self.exact else self.types

    def write_test(self, variable: str, code: TestCode) -> str:
        size = None if self.types is None and self.size is None else self.extent
        shallow_test = join_and(f"type({variable}) is list", code.write_size_test(variable, size))
        types = self.types or ()
        tests = [type.write_test("e", code) for type in types]
        if all(test == "True" for test in tests):
            return shallow_test
        low, high = self.extent
        body = ["n = len(v)"] if low < len(types) else []
        if len(types) <= _UNROLLED:
            for index, test in enumerate(tests):
                if index >= low:
                    body.append(f"if n == {index}: return True")
                body += [f"e = v[{index}]", f"if not {test}: return False"]
        else:
            checks = code.bind([type.instance for type in types])
            body += [f"for e, t in zip(v, {checks}):", "    if not t(e): return False"]
        if high is None or high > len(types):
            body += [f"for e in v[{len(types)}:]:", f"    if not {tests[-1]}: return False"]
        check = code.define_function([*body, "return True"])
        return f"({shallow_test} and {check}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, ArrayType | TupleType):
            return False
        if not self.types and self.size is None:
            return True
        extent = actual.extent
        if isinstance(actual, TupleType) and not actual.types and actual.size is None:
            extent = UNBOUNDED  # every array is an instance
        if not is_size_within(extent, self.extent):
            return False
        _, high = actual.extent
        if not self.types:  # only a size, as the parameters of `Callable[1, 2]`
            return not (self.exact and isinstance(actual, TupleType) and (actual.types or ())[:high])
        if isinstance(actual, ArrayType):
            return all(accepts(type, actual.element, memo) for type in self.types[:high])
        # Each type of `actual` is compared once, in the released Puppet also one past the size.
        count = len(actual.types or ())
        if self.exact and count:
            count = max(count, len(self.types))
            count = count if high is None else min(count, high)
        return all(accepts(self.at(index), actual.at(index), memo) for index in range(count))

    def element_type(self) -> Type | None:
        return make_variant(self.types) if self.types else ANY

    def map_types(self, change: Callable[[Type], Type]) -> Type:
        if self.types is None or self.bare:
            return self
        return TupleType(map(change, self.types), self.size, exact=self.exact)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        types, size = split_trailing_size(flatten_lists(arguments), dialect)
        self.check_parameters_are(Type, self.take_parameters(types, most=None), "Any-Type")
        return TupleType(types, size, exact=dialect.bare_types)


COLLECTION = CollectionType()
ARRAY = ArrayType()
EMPTY_ARRAY = ArrayType(UNIT, EMPTY)
TUPLE = TupleType()


# --- Hash and Struct


class HashType(CollectionType):
    """Hash[key, value, min, max].

    Attributes:
        bare: True if key and value are those of `Hash` without parameters, so that they are not printed. The
            initializer takes None for: if both are Any and there is no size.
    """

    __slots__ = ("bare", "key_type", "value_type")
    keyword = "Hash"
    instance_kind = kinds.HASH
    composite = True

    def __init__(
        self, key_type: Type = ANY, value_type: Type = ANY, size: Size | None = None, bare: bool | None = None
    ) -> None:
        self.key_type = key_type
        self.value_type = value_type
        self.size = size
        self.bare = (key_type is ANY and value_type is ANY and size is None) if bare is None else bare

    def parts(self) -> tuple[object, ...]:
        return (self.key_type, self.value_type, self.size)

    def arguments(self) -> list[str]:
        if self.bare:
            return []
        if self.size == EMPTY:
            return format_size(self.size)
        return [self.key_type.inner(), self.value_type.inner(), *format_size(self.size)]

    def write_test(self, variable: str, code: TestCode) -> str:
        shallow_test = join_and(f"type({variable}) is dict", code.write_size_test(variable, self.size))
        if self.size == EMPTY:
            return shallow_test
        key_test, value_test = self.key_type.write_test("k", code), self.value_type.write_test("e", code)
        test = join_and(key_test, value_test)
        if test == "True":
            return shallow_test
        wrapper = code.bind(Key)
        unwrap = (
            [] if key_test in ("True", "type(k) is str") else [f"    if type(k) is {wrapper}: k = k.value"]
        )
        check = code.define_function(
            ["for k, e in v.items():", *unwrap, f"    if not {test}: return False", "return True"]
        )
        return f"({shallow_test} and {check}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, HashType | StructType) or not is_size_within(actual.extent, self.size):
            return False
        if isinstance(actual, HashType):
            return actual.size == EMPTY or (
                accepts(self.key_type, actual.key_type, memo)
                and accepts(self.value_type, actual.value_type, memo)
            )
        # In the specification a Hash without parameters accepts a Struct without members, although that one contains
        # all hashes.
        return (self.bare and actual.any) or all(
            accepts(self.key_type, key, memo) and accepts(self.value_type, value, memo)
            for key, value in actual.entry_types()
        )

    def element_type(self) -> Type | None:
        if self.size == EMPTY or (self.bare and self.key_type is ANY):
            return TupleType((UNIT, UNIT))
        return TupleType((self.key_type, self.value_type))

    def generalize(self) -> Type:
        if self.bare or self.size == EMPTY:
            return self
        return HashType(self.key_type.generalize(), self.value_type.generalize())

    def normalize(self) -> Type:
        key_type, value_type = self.key_type.normalize(), self.value_type.normalize()
        if key_type == self.key_type and value_type == self.value_type:
            return self
        return HashType(key_type, value_type, self.size)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flatten_lists(arguments)
        if len(arguments) == 1 and dialect.data_model and isinstance(arguments[0], Type):
            return HashType(SCALAR, arguments[0])
        is_typed = all(isinstance(argument, Type) for argument in arguments[:2])
        if is_typed and not 2 <= len(arguments) <= 4:
            raise make_arity_error("Hash-Type", "2 to 4 arguments", len(arguments))
        is_sized = len(arguments) == 2 and {*map(type, arguments)} == {int}
        if is_sized and (not dialect.type_parameters or arguments == [0, 0]):
            limits = make_size(*arguments)
            return EMPTY_HASH if limits == EMPTY else HashType(ANY, ANY, limits)
        for operand, argument in enumerate(arguments[:2], 1):
            check_type("Hash-Type", argument, operand)
        size = _parse_hash_size(arguments[2:], dialect) if len(arguments) > 2 else None
        if size == EMPTY:
            return EMPTY_HASH
        return HashType(arguments[0], arguments[1], size, bare=False if dialect.data_model else None)


class Member(NamedTuple):
    """A member of a Struct; `required` is True if an instance must have the key."""

    name: str
    type: Type
    required: bool

    def key(self) -> str:
        """Return the key as source.

        A plain key is optional if the type of the member accepts undef, else required. NotUndef or Optional is printed
        where the member is the opposite.
        """
        key = quote_string(self.name)
        if self.required == accepts_undef(self.type):
            return f"NotUndef[{key}]" if self.required else f"Optional[{key}]"
        return key

    def __str__(self) -> str:
        return f"{self.key()} => {self.type.inner()}"


class StructType(CollectionType):
    """Struct[{key => type}].

    Attributes:
        any: True without parameters in the specification, where every hash is an instance. In the released Puppet only
            the empty hash is.
        exact: True in the specification: its least size is the number of required members, and it accepts a Hash only
            if all instances of that are its instances. In the released Puppet the least size is that of all members.
    """

    __slots__ = ("any", "exact", "members")
    keyword = "Struct"
    instance_kind = kinds.HASH
    composite = True

    def __init__(self, members: Iterable[Member] = (), any: bool = False, exact: bool = False) -> None:
        self.members = tuple(members)
        self.any = any
        self.exact = exact
        self.size = None

    def parts(self) -> tuple[object, ...]:
        return (frozenset(self.members), self.any)

    def arguments(self) -> list[str]:
        # One string for each member: their lengths show whether members share types. The members' own strings are not
        # requested, because types may be thousands of levels deep and each call uses stack.
        inner = [member.type.inner() for member in self.members]
        texts = [f"{member.key()} => {text}" for member, text in zip(self.members, inner, strict=True)]
        if texts:
            texts[0] = "{" + texts[0]
            texts[-1] += "}"
        elif self.exact:  # in the specification, a Struct without parameters accepts every hash
            texts.append("{}")
        return texts

    @property
    def extent(self) -> Size:
        if self.any or self.exact:
            return self.accepted_sizes
        return (len(self.members), len(self.members))

    @property
    def accepted_sizes(self) -> Size:
        """The least and greatest number of keys of an instance."""
        return (0, None) if self.any else (sum(member.required for member in self.members), len(self.members))

    def entry_types(self) -> list[tuple[Type, Type]]:
        """Return the types of the key and the value of each member."""
        if self.any:
            return [(ANY, ANY)]
        return [(StringType(value=member.name), member.type) for member in self.members]

    def write_test(self, variable: str, code: TestCode) -> str:
        if self.any:
            return f"type({variable}) is dict"
        if not self.members:
            return f"(type({variable}) is dict and not {variable})"
        body: list[str] = []
        absent = code.bind(ABSENT)
        required = sum(member.required for member in self.members)
        if required == len(self.members):
            body.append(f"if len(v) != {required}: return False")
        else:
            body.append(f"n = {required}")
        body.append("get = v.get")
        for member in sorted(self.members, key=lambda member: not member.required):
            test = member.type.write_test("x", code)
            body.append(f"x = get({code.bind(member.name)}, {absent})")
            if member.required:
                absent_test = "" if _is_false_if_absent(test) else f"x is {absent} or "
                body.append(f"if {absent_test}not {test}: return False")
            else:
                body += [f"if x is not {absent}:", f"    if not {test}: return False", "    n += 1"]
        body.append("return True" if required == len(self.members) else "return len(v) == n")
        return f"(type({variable}) is dict and {code.define_function(body)}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.any:
            return isinstance(actual, StructType | HashType)
        if isinstance(actual, StructType):
            return not actual.any and self._accepts_struct(actual, memo)
        return isinstance(actual, HashType) and self._accepts_hash(actual, memo)

    def _accepts_struct(self, actual: StructType, memo: Memo) -> bool:
        """Return True if every instance of another Struct is an instance."""
        unmatched = {member.name: member for member in actual.members}
        for member in self.members:
            other = unmatched.pop(member.name, None)
            if member.required and not (other is not None and other.required):
                return False
            if other is not None and not accepts(member.type, other.type, memo):
                return False
        return not unmatched

    def _accepts_hash(self, actual: HashType, memo: Memo) -> bool:
        """Return True if every instance of a Hash is an instance.

        In the released Puppet only the size of the Hash decides if no member is required.
        """
        required = [member for member in self.members if member.required]
        if self.exact and actual.size != EMPTY:
            possible = [member for member in self.members if actual.key_type.instance(member.name)]
            names = EnumType([member.name for member in self.members], empty=not self.members)
            return (
                (not required or (possible == [*self.members] and actual.extent[0] >= len(possible)))
                and accepts(names, actual.key_type, memo)
                and all(accepts(member.type, actual.value_type, memo) for member in possible)
            )
        if not is_size_within(actual.extent, self.accepted_sizes):
            return False
        return not required or (
            accepts(STRING, actual.key_type, memo)
            and all(accepts(member.type, actual.value_type, memo) for member in required)
        )

    def element_type(self) -> Type | None:
        if not self.members:
            return TupleType((ANY, ANY)) if self.any else TupleType((UNIT, UNIT))
        names = ((StringType(value=member.name), member.required) for member in self.members)
        keys = HOOKS.unite_all([name if required else OptionalType(name) for name, required in names], PUPPET)
        return TupleType((keys, make_variant(value for _, value in self.entry_types())))

    def map_types(self, change: Callable[[Type], Type]) -> Type:
        members = [Member(member.name, change(member.type), member.required) for member in self.members]
        return StructType(members, self.any, self.exact)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        if len(arguments) != 1:
            raise make_arity_error(add_capital_article(f"{self}-Type"), "1 argument", len(arguments))
        if not isinstance(arguments[0], dict):
            raise make_usage_error(f"{self}-Type", arguments[0], "Hash", 1)
        members: dict[str, Member] = {}
        for key, value in iterate_items(arguments[0]):
            if dialect.type_parameters:
                check_type("Struct-Type", value)
            member = _make_member(key, HOOKS.to_type(value))
            members[member.name] = member
        return StructType(members.values(), exact=dialect.bare_types)


def _is_false_if_absent(test: str) -> bool:
    """Return True if a test begins with one of the Python class, and is false for `ABSENT`."""
    return test.lstrip("(").startswith("type(x) is") and " or " not in test


def _parse_hash_size(arguments: list[Value], dialect: Dialect) -> Size:
    """Return the size of a Hash from its parameters after the types. Raise Failure."""
    size = arguments[0]
    if len(arguments) > 1 or isinstance(size, IntegerType):
        return parse_size(arguments, 3, dialect)
    # One value is the least size: undef is 0, and the errors are those of the released Puppet.
    if size is None:
        return make_size(0)
    require(not isinstance(size, dict), "NO_IMPLICIT_CONVERSION", actual="Float", type="Hash")
    require(is_bound(size), "SIZE_NOT_COMPARABLE", actual=get_ruby_class(size))
    return make_size(size)


def _make_member(key: Value, type_: Type) -> Member:
    """Return a member of a Struct; a plain key is optional if its type accepts undef.

    Args:
        key: The key in the hash: a string, or a type that contains one such as `Optional['a']`.
        type_: The type of the value.
    """
    name, required = key, None
    if isinstance(key, OptionalType | NotUndefType):
        required = isinstance(key, NotUndefType)
        inner = key.type
        name = inner.value if isinstance(inner, StringType) else None
        if name is None:
            raise Failure("STRUCT_KEY_NOT_LITERAL", type=str(key))
    elif isinstance(key, EnumType) and len(key.values) == 1:
        name = key.values[0]
    elif isinstance(key, EnumType | StringType):
        raise Failure("STRUCT_KEY_NOT_LITERAL", type=str(key))
    elif type(key) is not str:
        raise Failure("STRUCT_KEY_TYPE", actual=get_ruby_class(key))
    elif not key:
        raise Failure("STRUCT_KEY_EMPTY")
    return Member(name, type_, not type_.assignable(UNDEF) if required is None else required)


HASH = HashType()
EMPTY_HASH = HashType(UNIT, UNIT, EMPTY)
STRUCT = StructType()
