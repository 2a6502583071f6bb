"""Sources of type expressions, right and wrong."""

from __future__ import annotations

from tests.differential.literals import PATTERNS, RANGES
from tests.differential.writer import Writer, makes, words

PLAIN = words(
    "Any Undef Default NotUndef Optional Variant Scalar ScalarData Data RichData Numeric Integer"
    " Float Boolean String Enum Pattern Regexp Collection Array Hash Tuple Struct Iterable Iterator"
    " Callable Type Sensitive Binary Timestamp Timespan SemVer SemVerRange URI Init CatalogEntry"
    " Resource Class"
)
RARE = words(
    "Object TypeSet Error Runtime RichDataKey Notify File Deferred Annotation Pcore Puppet::LookupContext"
    " TypeAlias TypeReference Unit Target Nope Pcore::IntegerType Pcore::ObjectType D1 C1"
)


def _size(writer: Writer) -> str:
    least = writer.number(0, 3)
    return writer.one(
        (f"{least}", f"{least}, {least + writer.number(0, 3)}", f"{least}, default", "0, 0", "2, 1")
    )


def _integer(writer: Writer, depth: int) -> str:
    bounds = ("1", "0, 10", "1, 5", "default, 3", "-5, -1", "5, default", "3, 3", "7, 2", "2, 8")
    return f"Integer[{writer.one(bounds)}]"


def _float(writer: Writer, depth: int) -> str:
    return f"Float[{writer.one(('1.0', '0.0, 10.0', '1, 5', 'default, 3.5', '-1.5, 1.5'))}]"


def _string(writer: Writer, depth: int) -> str:
    return f"String[{_size(writer)}]"


def _enum(writer: Writer, depth: int) -> str:
    words = [writer.one(("a", "b", "c", "'A'", "abc", "'x y'", "'1'")) for _ in range(writer.number(1, 3))]
    return f"Enum[{', '.join(words)}{', true' if writer.chance(0.2) else ''}]"


def _pattern(writer: Writer, depth: int) -> str:
    return f"Pattern[{', '.join(f'/{writer.one(PATTERNS)}/' for _ in range(writer.number(1, 2)))}]"


def _regexp(writer: Writer, depth: int) -> str:
    return f"Regexp[/{writer.one(PATTERNS)}/]"


def _array(writer: Writer, depth: int) -> str:
    size = f", {_size(writer)}" if writer.chance(0.4) else ""
    return f"Array[{writer.make('type', depth - 1)}{size}]"


def _hash(writer: Writer, depth: int) -> str:
    size = f", {_size(writer)}" if writer.chance(0.3) else ""
    return f"Hash[{writer.make('type', depth - 1)}, {writer.make('type', depth - 1)}{size}]"


def _tuple(writer: Writer, depth: int) -> str:
    size = f", {_size(writer)}" if writer.chance(0.3) else ""
    return f"Tuple[{', '.join(writer.several('type', depth - 1, 1, 3))}{size}]"


def _struct(writer: Writer, depth: int) -> str:
    members = []
    for key in ("a", "b", "c")[: writer.number(1, 3)]:
        written = writer.one((key, key, f"'{key}'", f"Optional[{key}]", f"NotUndef['{key}']"))
        members.append(f"{written} => {writer.make('type', depth - 1)}")
    return f"Struct[{{{', '.join(members)}}}]"


def _variant(writer: Writer, depth: int) -> str:
    return f"Variant[{', '.join(writer.several('type', depth - 1, 1, 3))}]"


def _wrapper(writer: Writer, depth: int) -> str:
    name = writer.one(("Optional", "NotUndef", "Type", "Iterable", "Iterator", "Sensitive", "Init"))
    return f"{name}[{writer.make('type', depth - 1)}]"


def _callable(writer: Writer, depth: int) -> str:
    inside = writer.several("type", depth - 1, 0, 2)
    text = ", ".join(
        inside + ([f"{writer.number(0, 2)}, {writer.number(0, 3)}"] if writer.chance(0.3) else [])
    )
    if writer.chance(0.3):
        return f"Callable[[{text}], {writer.make('type', depth - 1)}]"
    return f"Callable[{text}]" if text else "Callable[0, 0]"


def _collection(writer: Writer, depth: int) -> str:
    return f"Collection[{_size(writer)}]"


def _rich(writer: Writer, depth: int) -> str:
    return writer.one(
        (
            "Timespan['1-00:00:00', '2-00:00:00']",
            "Timestamp['2000-01-01', '2030-01-01']",
            "Timestamp['2000-01-01']",
            f"SemVer['{writer.one(RANGES)}']",
            "URI[{scheme => 'http'}]",
            "Boolean[true]",
            "Boolean[false]",
            "Enum['a', 'b', true]",
            "Runtime['ruby', 'X']",
            "File['/a']",
            "Notify['a', 'b']",
            "Class['foo']",
            "Resource['notify']",
            "Resource['file', '/a']",
            "Optional['text']",
            "NotUndef['text']",
            "Type[Integer[1, 2]]",
            "Error['k']",
        )
    )


def _wrong(writer: Writer, depth: int) -> str:
    return f"{writer.one(PLAIN)}[{', '.join(writer.several('any', 0, 1, 3))}]"


@makes("type", 9)
def plain(writer: Writer, depth: int) -> str:
    return writer.one(PLAIN if writer.chance(0.95) else RARE)


@makes("type", 1)
def wrong(writer: Writer, depth: int) -> str:
    return _wrong(writer, depth) if writer.chance(0.5) else plain(writer, depth)


for _maker in (_integer, _integer, _float, _string, _enum, _pattern, _regexp, _collection, _rich):
    makes("type")(_maker)


@makes("type", 8)
def nested(writer: Writer, depth: int) -> str:
    if depth <= 0:
        return plain(writer, depth)
    makers = (_array, _hash, _tuple, _struct, _variant, _wrapper, _callable)
    return writer.one(makers)(writer, depth)
