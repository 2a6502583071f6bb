"""URI and Binary."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure, error
from evaluator.types.base import Memo, Type, UndefType, covers_parts, make_arity_error, matches_parts
from evaluator.types.numbers import IntegerType
from evaluator.types.predicates import TestCode
from evaluator.types.strings import EnumType, PatternType
from evaluator.types.variants import NotUndefType
from evaluator.values import kind as kinds
from evaluator.values import uris
from evaluator.values.binaries import Binary
from evaluator.values.dag import flat
from evaluator.values.kind import Value
from evaluator.values.printing import literal, quoted
from evaluator.values.regexps import RegexpValue
from evaluator.values.ruby_classes import get_ruby_class
from lexer_parser.dialect import Dialect
from lexer_parser.lazy import LazyPattern

URI_PARTS = uris.PARTS
_ABSOLUTE = LazyPattern(r"[a-zA-Z][-+.a-zA-Z\d]*:")


class UriType(Type):
    """URI, or URI[{part => String, Regexp, undef or type}]: URIs by their parts."""

    __slots__ = ("components",)
    keyword = "URI"
    instance_kind = kinds.URI

    def __init__(self, components: dict[str, Any] | None = None) -> None:
        self.components = components or {}

    def parts(self) -> tuple[object, ...]:
        return tuple(self.components.items())

    def arguments(self) -> list[str]:
        if not self.components:
            return []
        spelled = (
            f"{quoted(part)} => {wanted.inner() if isinstance(wanted, Type) else literal(wanted)}"
            for part, wanted in self.components.items()
        )
        return ["{" + ", ".join(spelled) + "}"]

    def _is_instance(self, value: Value) -> bool:
        return type(value) is uris.URI and matches_parts(self.components, value.components.get)

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"{code.bind(self._is_instance)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, UriType) and covers_parts(self.components, actual.components)

    def generalize(self) -> Type:
        return URI

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flat(arguments)
        if len(arguments) != 1:
            raise make_arity_error("URI-Type", "1 argument", len(arguments))
        given = arguments[0]
        if type(given) is str and given:
            if not _ABSOLUTE.search(given):
                raise Failure("URI_TYPE_NOT_ABSOLUTE", value=given)
            return UriType(dict(uris.URI.parse(given).components))
        if type(given) is dict and all(_is_uri_part(part, wanted) for part, wanted in given.items()):
            return UriType(given)
        raise error("BAD_TYPE_SLICE_TYPE", operand=1, type="URI-Type", actual=get_ruby_class(given))


def _is_uri_part(part: Any, wanted: Value) -> bool:
    """Return True if a hash entry says something about a part of a URI."""
    if part not in URI_PARTS:
        return False
    if isinstance(wanted, EnumType | PatternType | NotUndefType | UndefType):
        return True
    if part == "port":
        return wanted is None or type(wanted) is int or isinstance(wanted, IntegerType)
    return wanted is None or type(wanted) in (str, RegexpValue)


URI = UriType()


# --- Binary


class BinaryType(Type):
    """Binary."""

    __slots__ = ()
    keyword = "Binary"
    instance_kind = kinds.BINARY

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"type({variable}) is {code.bind(Binary)}"


BINARY = BinaryType()
