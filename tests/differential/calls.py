"""Random calls of all built-in functions whose results do not vary."""

from __future__ import annotations

import tests.differential.catalogs  # noqa: F401  (registers its makers)
from tests.differential.literals import quote_single
from tests.differential.operations import make_lambda
from tests.differential.writer import Writer, register_maker, split_words

# The forms of the arguments of each function. An argument is a kind of expression, a 'literal', or `{n}` for a lambda
# with n parameters (`{n:kind}`: one that returns a value of that kind).
FORMS = {
    "abs": "number | string",
    "alert": "any | any any",
    "all": "iterable {1:boolean} | iterable {2:boolean} | hash {2:boolean}",
    "annotate": "type any hash | type any 'clear'",
    "any": "iterable {1:boolean} | iterable {2:boolean} | hash {2:boolean}",
    "assert_type": "type any | type any {2} | string any",
    "binary_file": "file_name",
    "break": "any",
    "call": "function any | function any any | function array {1}",
    "camelcase": "string | strings | number",
    "capitalize": "string | strings | number",
    "ceiling": "number | string",
    "chomp": "string | strings | iterator",
    "chop": "string | strings",
    "compare": "number number | string string | string string boolean | version version"
    " | timestamp timestamp | timespan timespan",
    "contain": "class_name | class_name class_name",
    "convert_to": "any type | any type any | any type {1}",
    "create_resources": "string hash | string hash hash | class_name hash | 'notify' resource_hash",
    "crit": "any",
    "debug": "any",
    "defined": "string | type | variable",
    "dig": "collection key | array small small | collection key any | hash key key",
    "digest": "string",
    "downcase": "string | strings | hash",
    "each": "iterable {1} | iterable {2} | hash {2} | hash {1}",
    "emerg": "any",
    "empty": "any | string | collection | sensitive",
    "epp": "file_name | file_name hash",
    "err": "any | any string",
    "fail": "any | string any",
    "file": "file_name | file_name file_name",
    "filter": "iterable {1:boolean} | iterable {2:boolean} | hash {2:boolean} | hash {1:boolean}",
    "find_file": "file_name | file_name file_name | strings",
    "find_template": "file_name | strings",
    "flatten": "array | any any | iterator",
    "floor": "number | string",
    "fqdn_rand": "integer | small string",
    "get": "collection path | any path | collection path any | collection path any {1}",
    "getvar": "path | path any | variable any | variable",
    "group_by": "array {1} | array {2} | hash {1} | hash {2}",
    "hiera": "string | string any | string any any | string {1}",
    "hiera_array": "string | string any",
    "hiera_hash": "string | string any",
    "hiera_include": "string | string class_name",
    "import": "any",
    "include": "class_name | class_name class_name | any",
    "index": "iterable any | iterable {1:boolean} | iterable {2:boolean} | string string | string regexp"
    " | hash {2:boolean}",
    "info": "any",
    "inline_epp": "template | template hash",
    "join": "array | array string | strings string",
    "json_data": "hash any",
    "keys": "hash",
    "length": "string | collection | any",
    "lest": "any {0} | undef {0}",
    "lookup": "string | string type | string type merge any | string hash | strings | string {1} | lookup_options",
    "lstrip": "string | strings",
    "map": "iterable {1} | iterable {2} | hash {2} | hash {1}",
    "match": "string regexp | string string | strings regexp | string type",
    "max": "number number | integers | strings | any any | string string | array {2:small}"
    " | integers {2:small}",
    "md5": "string",
    "min": "number number | integers | strings | any any | string string | array {2:small}"
    " | integers {2:small}",
    "module_directory": "string",
    "new": "type any | type any any | type | type any {1}",
    "notice": "any | any any",
    "partition": "collection {1:boolean} | array {2:boolean} | hash {2:boolean}",
    "realize": "reference | reference reference | any",
    "reduce": "iterable {2} | iterable any {2} | integers {2:integer} | hash {2}",
    "regsubst": "string regexp substitute | string regexp substitute 'G' | string pattern substitute flags"
    " | strings regexp substitute | string regexp hash",
    "require": "class_name | any",
    "reverse_each": "iterable | iterable {1} | hash {2}",
    "round": "number | string",
    "rstrip": "string | strings",
    "sha1": "string",
    "sha256": "string",
    "shellquote": "any | string any | strings",
    "size": "string | collection",
    "slice": "iterable small | iterable small {1} | hash small {2} | array small {2}",
    "sort": "array | strings | integers | string | array {2:small} | strings {2:small}",
    "split": "string string | string regexp | string type",
    "sprintf": "format any | format any any | format number | format string string | format hash",
    "step": "iterable small | iterable small {1}",
    "strftime": "timestamp time_format | timespan span_format | timestamp time_format zone",
    "strip": "string | strings",
    "tag": "string | strings | any",
    "tagged": "string",
    "then": "any {1} | undef {1}",
    "tree_each": "collection | collection tree_options | collection {1} | collection tree_options {2}",
    "type": "any | any inference | collection inference",
    "unique": "array | string | hash | array {1} | iterable",
    "unwrap": "sensitive | sensitive {1} | any | any {1}",
    "upcase": "string | strings | hash",
    "values": "hash",
    "versioncmp": "release release | release release boolean | string string",
    "warning": "any",
    "with": "any {1} | any any {2} | any {2} | {0}",
    "yaml_data": "hash any",
}
# The functions that return a value of each kind.
FUNCTIONS_OF_KIND = {
    "integer": split_words("abs ceiling floor round length size compare versioncmp fqdn_rand"),
    "string": split_words(
        "capitalize camelcase chomp chop downcase join lstrip md5 regsubst rstrip sha1 shellquote sprintf"
        " strftime strip upcase inline_epp sha256"
    ),
    "array": split_words("flatten keys map match partition slice sort split unique values filter"),
    "hash": split_words("group_by filter each unique downcase"),
    "boolean": split_words("all any empty defined tagged"),
    "iterator": split_words("reverse_each step tree_each"),
    "type": split_words("type"),
}
FLAGS = ("", "-", "+", " ", "0", "#", "-+", "0+", "#0")
LETTERS = "dxXobBeEfgGasSpPcciu%hq"
TIMES = "YCyFmBbdejaAHIklMSLNpPzZsuwUWVxXcDTRrnt%GgQ+hv"
SPANS = "DHMSLN%dk"
WORDS = (
    *("a", "b", "x-y", "${k}", "<%= 1 + 1 %>", "<%= $facts %>", "<% if true { -%>\n y\n<% } -%>"),
    *(" <%# c %> ", "<%- 1 -%>", "<%% %%>"),
)


def choose_width(writer: Writer) -> str:
    return writer.choose(("", "", "", "3", "10", "1"))


def make_directive(writer: Writer, letters: str = LETTERS) -> str:
    """Return a format of one value, such as `%-10.3s`."""
    precision = writer.choose(("", "", "", ".0", ".2", ".10", "."))
    return f"%{writer.choose(FLAGS)}{choose_width(writer)}{precision}{writer.choose(letters)}"


@register_maker("format", 4)
def make_sprintf_format(writer: Writer, depth: int) -> str:
    parts = [
        writer.choose((make_directive(writer, "dxXobBeEfgGaspc%"), writer.choose(("", "-", " t ", "%%"))))
        for _ in range(writer.choose_integer(1, 3))
    ]
    return quote_single("".join(parts))


@register_maker("format")
def make_named_format(writer: Writer, depth: int) -> str:
    key = writer.choose(("a", "b", "key", "zz"))
    return quote_single(
        writer.choose(
            (
                f"%<{key}>{writer.choose('dsxf')}",
                f"%{{{key}}}",
                f"%<{key}>5.2f",
                "%1$s %2$s",
                "%2$s",
                "%*d",
                "%-*s|",
            )
        )
    )


@register_maker("time_format")
def make_time_format(writer: Writer, depth: int) -> str:
    parts = [
        f"%{writer.choose(('', '', '-', '0', '^', '_', '#', '3', '10', ':'))}{writer.choose(TIMES)}"
        for _ in range(writer.choose_integer(1, 3))
    ]
    return quote_single(writer.choose((" ", "", "-")).join(parts))


@register_maker("span_format")
def make_span_format(writer: Writer, depth: int) -> str:
    parts = [
        f"%{writer.choose(('', '', '-', '0', '_', '3', '-3'))}{writer.choose(SPANS)}"
        for _ in range(writer.choose_integer(1, 3))
    ]
    return quote_single(writer.choose((" ", "", ":")).join(parts))


@register_maker("zone")
def make_zone(writer: Writer, depth: int) -> str:
    return quote_single(
        writer.choose(("UTC", "CET", "+02:00", "-0530", "EST", "nope", "current", "PDT", "Z"))
    )


@register_maker("path")
def make_path(writer: Writer, depth: int) -> str:
    return quote_single(
        writer.choose(
            (
                "a",
                "a.b",
                "0",
                "0.1",
                "key.0",
                "facts.os.family",
                "facts",
                "a.'b'",
                "x..y",
                "",
                "a.",
                "1.a",
                "::facts",
                '"a".b',
            )
        )
    )


@register_maker("variable")
def make_variable(writer: Writer, depth: int) -> str:
    names = [name for name, _ in writer.variables] or ["facts"]
    return quote_single(
        writer.choose(
            (
                writer.choose(names),
                f"${writer.choose(names)}",
                f"${writer.choose(names)}.0",
                f"{writer.choose(names)}.a",
                "zzz",
                "$zzz",
            )
        )
    )


@register_maker("substitute")
def make_substitute(writer: Writer, depth: int) -> str:
    return quote_single(
        writer.choose(
            ("", "x", "\\0", "<\\1>", "\\2\\1", "\\k<n>", "\\\\", "\\&", "$1", "aé", "\\'", "\\`", "\\9")
        )
    )


@register_maker("pattern")
def make_pattern(writer: Writer, depth: int) -> str:
    return quote_single(
        writer.choose(("a", "B", ".", "[a-c]+", "(a)(b)?", "^", "\\d+", "(", "[", "x*", "a b", "\\"))
    )


@register_maker("flags")
def make_flags(writer: Writer, depth: int) -> str:
    return quote_single(writer.choose(("G", "I", "GI", "M", "E", "", "GIM", "Q", "g")))


@register_maker("release")
def make_release(writer: Writer, depth: int) -> str:
    return quote_single(
        writer.choose(
            (
                "1.2.3",
                "1.2",
                "1.10",
                "1.2.3-rc1",
                "1.2.a",
                "2",
                "",
                "1.0.0",
                "1",
                "1-2",
                "a.b",
                "01.2",
                "1..2",
                "~1",
                "1.2.3.4",
            )
        )
    )


@register_maker("inference")
def make_inference(writer: Writer, depth: int) -> str:
    return quote_single(writer.choose(("reduced", "generalized", "detailed", "other")))


@register_maker("tree_options")
def make_tree_options(writer: Writer, depth: int) -> str:
    options = [
        f"include_root => {writer.choose(('true', 'false'))}",
        f"include_containers => {writer.choose(('true', 'false'))}",
        f"include_values => {writer.choose(('true', 'false'))}",
        f"order => {writer.choose(('breadth_first', 'depth_first', 'x'))}",
        f"container_type => {writer.choose(('Array', 'Hash', 'Variant[Array, Hash]', 'Integer'))}",
    ]
    return f"{{{', '.join(option for option in options if writer.decide(0.35))}}}"


@register_maker("template")
def make_template(writer: Writer, depth: int) -> str:
    text = "".join(writer.choose(WORDS) for _ in range(writer.choose_integer(1, 4)))
    head = writer.choose(("", "", "<%- | $a, $b = 2 | -%>\n", "<%- | Integer $a | -%>"))
    return quote_single(head + text)


@register_maker("file_name")
def make_file_name(writer: Writer, depth: int) -> str:
    return quote_single(writer.choose(("nope/a.txt", "/nope/a", "a.epp", "", "nope", "m/../x")))


@register_maker("merge")
def make_merge_strategy(writer: Writer, depth: int) -> str:
    return writer.choose(
        ("'first'", "'unique'", "'hash'", "'deep'", "'x'", "{'strategy' => 'deep'}", "undef")
    )


@register_maker("lookup_options")
def make_lookup_options(writer: Writer, depth: int) -> str:
    options = [
        f"'value_type' => {writer.make('type', 0)}",
        f"'default_value' => {writer.make('any', 0)}",
        f"'merge' => {writer.make('merge', 0)}",
        f"'override' => {{'a' => {writer.make('any', 0)}}}",
        f"'default_values_hash' => {writer.make('hash', 0)}",
        f"'x' => {writer.make('any', 0)}",
    ]
    chosen = [option for option in options[:-1] if writer.decide(0.4)]
    chosen += options[-1:] if writer.decide(0.1) else []
    name = writer.choose(("'a'", "'k.0'", "['a', 'b']"))
    return "{" + ", ".join(["'name' => " + name, *chosen]) + "}"


@register_maker("resource_hash")
def make_resource_hash(writer: Writer, depth: int) -> str:
    attributes = writer.choose(("{}", f"{{'message' => {writer.make('any', 0)}}}", writer.make("hash", 0)))
    return f"{{'{writer.choose(('a', 'b'))}' => {attributes}}}"


@register_maker("function", 3)
def make_function_name(writer: Writer, depth: int) -> str:
    return quote_single(
        writer.choose(
            ("upcase", "size", "join", "flatten", "type", "map", "sort", "nope", "sprintf", "max", "with")
        )
    )


def make_call(writer: Writer, name: str, depth: int) -> str:
    """Return a call of a function, as a function or as a method."""
    arguments, lambda_source = [], ""
    for kind in writer.choose(FORMS[name].split(" | ")).split():
        if kind[0] == "{":
            count, _, result = kind[1:-1].partition(":")
            lambda_source = " " + make_lambda(writer, depth, int(count), result or "any")
        else:
            arguments.append(kind if kind[0] == "'" else writer.make(kind, depth - 1))
    if writer.decide(0.04) and arguments:
        arguments.pop()
    if writer.decide(0.04):
        arguments.append(writer.make("any", 0))
    if writer.decide(0.03):
        lambda_source = " " + make_lambda(writer, depth, writer.choose_integer(0, 3))
    if writer.decide(0.02):
        lambda_source = ""
    if arguments and writer.decide(0.4) and not arguments[0].startswith(("if", "case", "unless", "-")):
        rest = f"({', '.join(arguments[1:])})" if arguments[1:] or writer.decide(0.2) else ""
        return f"{arguments[0]}.{name}{rest}{lambda_source}"
    return f"{name}({', '.join(arguments)}){lambda_source}"


@register_maker("any", 4, deep=True)
def make_any_call(writer: Writer, depth: int) -> str:
    return make_call(writer, writer.choose(list(FORMS)), depth)


for _kind, _names in FUNCTIONS_OF_KIND.items():

    @register_maker(_kind, deep=True)
    def make_call_of_kind(writer: Writer, depth: int, kind: str = _kind, names: list[str] = _names) -> str:
        return make_call(writer, writer.choose(names), depth)
