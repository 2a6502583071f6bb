"""What URIs can do: how they are made of other values, `+`, their formats."""

from __future__ import annotations

from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure
from evaluator.kinds.formats.format import Format, Printing, quoted
from evaluator.types.uris import UriType
from evaluator.values import kind as kinds
from evaluator.values.uris import URI

_URI_HASH = (
    "Struct[{Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1],"
    " Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1],"
    " Optional['fragment'] => String[1], Optional['opaque'] => String[1]}]"
)


# the released Puppet calls it by the name of another
_URI = Constructor(
    "new_error", ([("String[1]", "uri", "")], URI.parse), ([(_URI_HASH, "hash", "")], URI.of_components)
)


def _format(value: Any, format: Format) -> str:
    if format.letter == "p":
        return str(value.literal())
    if format.letter == "s":
        return format.padded(quoted(value.text()) if format.alternate else value.text())
    raise format.refuse("URI", "sp")


def _join(left: URI, right: Any) -> URI:
    if type(right) is not str and type(right) is not URI:
        raise Failure("URI_MERGE")
    return left.join(right)


kinds.URI.rules(
    infer=lambda value, dialect: UriType(dict(value.components)),
    new=New(_URI),
    join=_join,
    printing=Printing(_format, brackets="p"),
)
