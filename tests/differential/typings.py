"""Random type expressions, valid and invalid."""

from __future__ import annotations

from tests.differential.literals import PATTERNS, RANGES
from tests.differential.writer import Writer, register_maker, split_words

PLAIN = split_words(
    "Any Undef Default NotUndef Optional Variant Scalar ScalarData Data RichData Numeric Integer"
    " Float Boolean String Enum Pattern Regexp Collection Array Hash Tuple Struct Iterable Iterator"
    " Callable Type Sensitive Binary Timestamp Timespan SemVer SemVerRange URI Init CatalogEntry"
    " Resource Class"
)
RARE = split_words(
    "Object TypeSet Error Runtime RichDataKey Notify File Deferred Annotation Pcore Puppet::LookupContext"
    " TypeAlias TypeReference Unit Target Nope Pcore::IntegerType Pcore::ObjectType D1 C1"
)


def _make_size(writer: Writer) -> str:
    least = writer.choose_integer(0, 3)
    return writer.choose(
        (f"{least}", f"{least}, {least + writer.choose_integer(0, 3)}", f"{least}, default", "0, 0", "2, 1")
    )


def _make_integer(writer: Writer, depth: int) -> str:
    bounds = ("1", "0, 10", "1, 5", "default, 3", "-5, -1", "5, default", "3, 3", "7, 2", "2, 8")
    return f"Integer[{writer.choose(bounds)}]"


def _make_float(writer: Writer, depth: int) -> str:
    return f"Float[{writer.choose(('1.0', '0.0, 10.0', '1, 5', 'default, 3.5', '-1.5, 1.5'))}]"


def _make_string(writer: Writer, depth: int) -> str:
    return f"String[{_make_size(writer)}]"


def _make_enum(writer: Writer, depth: int) -> str:
    words = [
        writer.choose(("a", "b", "c", "'A'", "abc", "'x y'", "'1'"))
        for _ in range(writer.choose_integer(1, 3))
    ]
    return f"Enum[{', '.join(words)}{', true' if writer.decide(0.2) else ''}]"


def _make_pattern(writer: Writer, depth: int) -> str:
    return f"Pattern[{', '.join(f'/{writer.choose(PATTERNS)}/' for _ in range(writer.choose_integer(1, 2)))}]"


def _make_regexp(writer: Writer, depth: int) -> str:
    return f"Regexp[/{writer.choose(PATTERNS)}/]"


def _make_array(writer: Writer, depth: int) -> str:
    size = f", {_make_size(writer)}" if writer.decide(0.4) else ""
    return f"Array[{writer.make('type', depth - 1)}{size}]"


def _make_hash(writer: Writer, depth: int) -> str:
    size = f", {_make_size(writer)}" if writer.decide(0.3) else ""
    return f"Hash[{writer.make('type', depth - 1)}, {writer.make('type', depth - 1)}{size}]"


def _make_tuple(writer: Writer, depth: int) -> str:
    size = f", {_make_size(writer)}" if writer.decide(0.3) else ""
    return f"Tuple[{', '.join(writer.make_several('type', depth - 1, 1, 3))}{size}]"


def _make_struct(writer: Writer, depth: int) -> str:
    members = []
    for key in ("a", "b", "c")[: writer.choose_integer(1, 3)]:
        member = writer.choose((key, key, f"'{key}'", f"Optional[{key}]", f"NotUndef['{key}']"))
        members.append(f"{member} => {writer.make('type', depth - 1)}")
    return f"Struct[{{{', '.join(members)}}}]"


def _make_variant(writer: Writer, depth: int) -> str:
    return f"Variant[{', '.join(writer.make_several('type', depth - 1, 1, 3))}]"


def _make_wrapper(writer: Writer, depth: int) -> str:
    name = writer.choose(("Optional", "NotUndef", "Type", "Iterable", "Iterator", "Sensitive", "Init"))
    return f"{name}[{writer.make('type', depth - 1)}]"


def _make_callable(writer: Writer, depth: int) -> str:
    inside = writer.make_several("type", depth - 1, 0, 2)
    text = ", ".join(
        inside
        + ([f"{writer.choose_integer(0, 2)}, {writer.choose_integer(0, 3)}"] if writer.decide(0.3) else [])
    )
    if writer.decide(0.3):
        return f"Callable[[{text}], {writer.make('type', depth - 1)}]"
    return f"Callable[{text}]" if text else "Callable[0, 0]"


def _make_collection(writer: Writer, depth: int) -> str:
    return f"Collection[{_make_size(writer)}]"


def _make_rich(writer: Writer, depth: int) -> str:
    return writer.choose(
        (
            "Timespan['1-00:00:00', '2-00:00:00']",
            "Timestamp['2000-01-01', '2030-01-01']",
            "Timestamp['2000-01-01']",
            f"SemVer['{writer.choose(RANGES)}']",
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


def _make_wrong(writer: Writer, depth: int) -> str:
    return f"{writer.choose(PLAIN)}[{', '.join(writer.make_several('any', 0, 1, 3))}]"


@register_maker("type", 9)
def make_plain_type(writer: Writer, depth: int) -> str:
    return writer.choose(PLAIN if writer.decide(0.95) else RARE)


@register_maker("type", 1)
def make_wrong_type(writer: Writer, depth: int) -> str:
    return _make_wrong(writer, depth) if writer.decide(0.5) else make_plain_type(writer, depth)


for _maker in (
    _make_integer,
    _make_integer,
    _make_float,
    _make_string,
    _make_enum,
    _make_pattern,
    _make_regexp,
    _make_collection,
    _make_rich,
):
    register_maker("type")(_maker)


@register_maker("type", 8)
def make_nested_type(writer: Writer, depth: int) -> str:
    if depth <= 0:
        return make_plain_type(writer, depth)
    makers = (
        _make_array,
        _make_hash,
        _make_tuple,
        _make_struct,
        _make_variant,
        _make_wrapper,
        _make_callable,
    )
    return writer.choose(makers)(writer, depth)
