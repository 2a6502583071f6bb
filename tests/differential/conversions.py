"""Random conversions: `T(value, …)` and `T.new(value, …)`, with formats."""

from __future__ import annotations

from tests.differential.calls import FLAGS, LETTERS, choose_width, make_directive
from tests.differential.literals import quote_single
from tests.differential.writer import Writer, register_maker

CONVERSIONS = {
    "Integer": "any | string | string radix | number | string radix boolean | timespan",
    "Float": "any | string | number | string boolean",
    "Numeric": "any | string | number | string boolean",
    "Boolean": "any | string | number",
    "String": "any | any string_format | array format_map | hash format_map | number string_format"
    " | any format_map",
    "Array": "any | iterable | any boolean",
    "Tuple": "array",
    "Hash": "pairs | array | any | pairs tree",
    "Struct": "hash",
    "Regexp": "string | string boolean | regexp",
    "Binary": "string | string binary_format | array",
    "Timespan": "string | number | string span_format | small small small small | hash",
    "Timestamp": "string | number | string time_format | string time_format zone",
    "SemVer": "string | small small small | small small small string string | version",
    "SemVerRange": "string | version version | version version boolean",
    "URI": "string | hash",
    "Sensitive": "any",
    "Type": "string | type",
    "Error": "string | string string | string string hash string",
    "Integer[1, 5]": "any | small",
    "String[2]": "any",
    "Array[Integer]": "array",
    "Optional[Integer]": "any",
    "Variant[Integer, Boolean]": "any | string",
    "Enum[a, b]": "string",
    "Init[Integer]": "string",
    "Init[Integer, 16]": "string",
}


@register_maker("radix")
def make_radix(writer: Writer, depth: int) -> str:
    return writer.choose(("2", "8", "10", "16", "default", "7"))


@register_maker("binary_format")
def make_binary_format(writer: Writer, depth: int) -> str:
    return quote_single(writer.choose(("%B", "%b", "%u", "%s", "%r", "%x")))


@register_maker("tree")
def make_tree(writer: Writer, depth: int) -> str:
    return writer.choose(("'tree'", "'hash_tree'", "tree"))


@register_maker("string_format", 4)
def make_string_format(writer: Writer, depth: int) -> str:
    if writer.decide(0.3):
        prefix = f"%{writer.choose(FLAGS)}{writer.choose(('', '[', '(', '{', '<', '|'))}"
        return quote_single(f"{prefix}{choose_width(writer)}{writer.choose(LETTERS)}")
    return quote_single(make_directive(writer))


@register_maker("format_map")
def make_format_map(writer: Writer, depth: int) -> str:
    entries = []
    for _ in range(writer.choose_integer(1, 3)):
        name = writer.choose(
            (
                "Integer",
                "String",
                "Array",
                "Hash",
                "Float",
                "Any",
                "Undef",
                "Default",
                "Numeric",
                "Collection",
            )
        )
        format = make_string_format(writer, 0)
        if name in ("Array", "Hash") and writer.decide(0.5):
            fields = [f"format => {format}"]
            fields += (
                [f"separator => {quote_single(writer.choose((';', ' ', '')))}"] if writer.decide(0.5) else []
            )
            fields += (
                [f"separator2 => {quote_single(writer.choose(('=', ':')))}"] if writer.decide(0.3) else []
            )
            fields += (
                [f"string_formats => {{Integer => {make_directive(writer, 'dxsp')!r}}}"]
                if writer.decide(0.5)
                else []
            )
            format = f"{{{', '.join(fields)}}}"
        entries.append(f"{name} => {format}")
    return f"{{{', '.join(entries)}}}"


@register_maker("any", 2, deep=True)
def make_conversion(writer: Writer, depth: int) -> str:
    if writer.decide(0.1):
        return f"{writer.make('type', 1)}.new({', '.join(writer.make_several('any', depth - 1, 0, 3))})"
    name = writer.choose(list(CONVERSIONS))
    arguments = ", ".join(
        writer.make(kind, depth - 1) for kind in writer.choose(CONVERSIONS[name].split(" | ")).split()
    )
    return f"{name}.new({arguments})" if writer.decide(0.3) else f"{name}({arguments})"
