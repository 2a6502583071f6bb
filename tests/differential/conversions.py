"""Sources of conversions: `T(value, …)` and `T.new(value, …)`, with formats."""

from __future__ import annotations

from tests.differential.calls import FLAGS, LETTERS, directive, width
from tests.differential.literals import single
from tests.differential.writer import Writer, makes

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


@makes("radix")
def radix(writer: Writer, depth: int) -> str:
    return writer.one(("2", "8", "10", "16", "default", "7"))


@makes("binary_format")
def binary_format(writer: Writer, depth: int) -> str:
    return single(writer.one(("%B", "%b", "%u", "%s", "%r", "%x")))


@makes("tree")
def tree(writer: Writer, depth: int) -> str:
    return writer.one(("'tree'", "'hash_tree'", "tree"))


@makes("string_format", 4)
def string_format(writer: Writer, depth: int) -> str:
    if writer.chance(0.3):
        return single(
            f"%{writer.one(FLAGS)}{writer.one(('', '[', '(', '{', '<', '|'))}{width(writer)}{writer.one(LETTERS)}"
        )
    return single(directive(writer))


@makes("format_map")
def format_map(writer: Writer, depth: int) -> str:
    entries = []
    for _ in range(writer.number(1, 3)):
        name = writer.one(
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
        given = string_format(writer, 0)
        if name in ("Array", "Hash") and writer.chance(0.5):
            fields = [f"format => {given}"]
            fields += [f"separator => {single(writer.one((';', ' ', '')))}"] if writer.chance(0.5) else []
            fields += [f"separator2 => {single(writer.one(('=', ':')))}"] if writer.chance(0.3) else []
            fields += (
                [f"string_formats => {{Integer => {directive(writer, 'dxsp')!r}}}"]
                if writer.chance(0.5)
                else []
            )
            given = f"{{{', '.join(fields)}}}"
        entries.append(f"{name} => {given}")
    return f"{{{', '.join(entries)}}}"


@makes("any", 2, deep=True)
def conversion(writer: Writer, depth: int) -> str:
    if writer.chance(0.1):
        return f"{writer.make('type', 1)}.new({', '.join(writer.several('any', depth - 1, 0, 3))})"
    name = writer.one(list(CONVERSIONS))
    arguments = ", ".join(
        writer.make(kind, depth - 1) for kind in writer.one(CONVERSIONS[name].split(" | ")).split()
    )
    return f"{name}.new({arguments})" if writer.chance(0.3) else f"{name}({arguments})"
