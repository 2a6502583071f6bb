"""Tuple and Struct: arrays by position, hashes by key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.types.base import ANY, UNIT, Memo, Type, accepts, accepts_undef, map_types
from evaluator.types.containers import ArrayType, HashType, StructBase, TupleBase
from evaluator.types.predicates import ABSENT, Code, both
from evaluator.types.strings import STRING, UNBOUNDED, Size, StringType, size_text, size_within
from evaluator.values.printing import quoted
from lexer_parser.dialect import PUPPET

UNROLLED = 32


class TupleType(TupleBase):
    """Tuple[T1, T2, min, max]: the last type repeats; a bare one (`types` is None) takes any array."""

    __slots__ = ("types",)
    keyword = "Tuple"
    composite = True

    def __init__(self, types: Iterable[Type] | None = None, size: Size | None = None) -> None:
        self.types = None if types is None else tuple(types)
        self.size = size

    def parts(self) -> tuple[Any, ...]:
        return (self.types, self.size)

    def arguments(self) -> list[str]:
        return [type.inner() for type in self.types or ()] + size_text(self.size)

    @property
    def extent(self) -> Size:
        return self.size or (len(self.types or ()), len(self.types or ()))

    def at(self, index: int) -> Type:
        """The type of the element at an index."""
        if not self.types:
            return ANY
        return self.types[min(index, len(self.types) - 1)]

    def element_types(self) -> tuple[Type, ...]:
        if not self.types:
            return () if self.size is None else (ANY,)
        return self.types

    def test_source(self, variable: str, code: Code) -> str:
        size = None if self.types is None and self.size is None else self.extent
        kind = both(f"type({variable}) is list", code.size(variable, size))
        types = self.types or ()
        tests = [type.test_source("e", code) for type in types]
        if all(test == "True" for test in tests):
            return kind
        low, high = self.extent
        body = ["n = len(v)"] if low < len(types) else []
        if len(types) <= UNROLLED:
            for index, test in enumerate(tests):
                if index >= low:
                    body.append(f"if n == {index}: return True")
                body += [f"e = v[{index}]", f"if not {test}: return False"]
        else:
            checks = code.bind([type.instance for type in types])
            body += [f"for e, t in zip(v, {checks}):", "    if not t(e): return False"]
        if high is None or high > len(types):
            body += [f"for e in v[{len(types)}:]:", f"    if not {tests[-1]}: return False"]
        check = code.function([*body, "return True"])
        return f"({kind} and {check}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, ArrayType | TupleType):
            return False
        if not self.types and self.size is None:
            return True
        extent = actual.extent
        if isinstance(actual, TupleType) and not actual.types and actual.size is None:
            extent = UNBOUNDED
        if not size_within(extent, self.extent):
            return False
        if not self.types:
            return True
        high = actual.extent[1]
        if isinstance(actual, ArrayType):
            return all(accepts(type, actual.element, memo) for type in self.types[:high])
        # each type that `actual` names is compared once, also one past its size, and a repeated last one
        return all(accepts(self.at(index), type, memo) for index, type in enumerate(actual.types or ()))

    def element_type(self) -> Type | None:
        from evaluator.types.variants import variant

        return variant(self.types) if self.types else ANY

    def generalize(self) -> Type:
        if self.types is None:
            return self
        return TupleType(map_types(self.types, lambda type: type.generalize()), self.size)

    def normalize(self) -> Type:
        if self.types is None:
            return self
        return TupleType(map_types(self.types, lambda type: type.normalize()), self.size)


class Member:
    """A member of a Struct: `required` when the key must be there."""

    __slots__ = ("name", "required", "type")

    def __init__(self, name: str, type: Type, required: bool) -> None:
        self.name = name
        self.type = type
        self.required = required

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Member) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    @property
    def parts(self) -> tuple[Any, ...]:
        """What makes it equal to another."""
        return (self.name, self.required, self.type)

    def __str__(self) -> str:
        key = quoted(self.name)
        if self.required == accepts_undef(self.type):
            key = f"NotUndef[{key}]" if self.required else f"Optional[{key}]"
        return f"{key} => {self.type.inner()}"


class StructType(StructBase):
    """Struct[{key => type}]. A bare one takes only the empty hash, or every hash (`any`) in the specification."""

    __slots__ = ("members",)
    keyword = "Struct"
    composite = True

    def __init__(self, members: Iterable[Member] = (), any: bool = False) -> None:
        self.members = tuple(members)
        self.any = any
        self.size = None

    def parts(self) -> tuple[Any, ...]:
        return (frozenset(self.members), self.any)

    def arguments(self) -> list[str]:
        # a text for each member: it shows when they share what they hold
        texts = list(map(str, self.members))
        if texts:
            texts[0] = "{" + texts[0]
            texts[-1] += "}"
        return texts

    @property
    def extent(self) -> Size:
        return (0, None) if self.any else (len(self.members), len(self.members))

    @property
    def accepted_sizes(self) -> Size:
        """How many keys an instance may have."""
        return (0, None) if self.any else (sum(member.required for member in self.members), len(self.members))

    def entry_types(self) -> list[tuple[Type, Type]]:
        if self.any:
            return [(ANY, ANY)]
        return [(StringType(value=member.name), member.type) for member in self.members]

    def test_source(self, variable: str, code: Code) -> str:
        if self.any:
            return f"type({variable}) is dict"
        if not self.members:
            return f"(type({variable}) is dict and not {variable})"
        body: list[str] = []
        absent = code.bind(ABSENT)
        required = sum(member.required for member in self.members)
        if required == len(self.members):
            body.append(f"if len(v) != {required}: return False")
        elif required:
            body.append(f"n = {required}")
        else:
            body.append("n = 0")
        body.append("get = v.get")
        for member in sorted(self.members, key=lambda member: not member.required):
            test = member.type.test_source("x", code)
            body.append(f"x = get({code.bind(member.name)}, {absent})")
            if member.required:
                missing = "" if _fails_on_anything_else(test) else f"x is {absent} or "
                body.append(f"if {missing}not {test}: return False")
            else:
                body += [f"if x is not {absent}:", f"    if not {test}: return False", "    n += 1"]
        body.append("return True" if required == len(self.members) else "return len(v) == n")
        return f"(type({variable}) is dict and {code.function(body)}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.any:
            return isinstance(actual, StructType | HashType)
        if isinstance(actual, StructType):
            return not actual.any and self._accepts_struct(actual, memo)
        if not isinstance(actual, HashType):
            return False
        return self._accepts_hash(actual, memo)

    def _accepts_struct(self, actual: StructType, memo: Memo) -> bool:
        theirs = {member.name: member for member in actual.members}
        matched = 0
        for mine in self.members:
            other = theirs.get(mine.name)
            if other is None:
                if mine.required:
                    return False
                continue
            matched += 1
            if (mine.required and not other.required) or not accepts(mine.type, other.type, memo):
                return False
        return matched == len(theirs)

    def _accepts_hash(self, actual: HashType, memo: Memo) -> bool:
        """A Hash is taken by its size; only the required members ask for its types."""
        if not size_within(actual.extent, self.accepted_sizes):
            return False
        required = [member for member in self.members if member.required]
        return not required or (
            accepts(STRING, actual.key_type, memo)
            and all(accepts(member.type, actual.value_type, memo) for member in required)
        )

    def element_type(self) -> Type | None:
        from evaluator.types.union import common_of
        from evaluator.types.variants import OptionalType, variant

        if not self.members:
            return TupleType((ANY, ANY)) if self.any else TupleType((UNIT, UNIT))
        names = ((StringType(value=member.name), member.required) for member in self.members)
        keys = common_of([name if required else OptionalType(name) for name, required in names], PUPPET)
        return TupleType((keys, variant(value for _, value in self.entry_types())))

    def generalize(self) -> Type:
        return StructType([Member(m.name, m.type.generalize(), m.required) for m in self.members], self.any)

    def normalize(self) -> Type:
        return StructType([Member(m.name, m.type.normalize(), m.required) for m in self.members], self.any)


def _fails_on_anything_else(test: str) -> bool:
    """True when a test looks at the Python type first, so that it is false for a missing value too."""
    return test.lstrip("(").startswith("type(x) is") and " or " not in test


TUPLE = TupleType()
STRUCT = StructType()
