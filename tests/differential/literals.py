"""Random literals and values of every kind."""

from __future__ import annotations

from tests.differential.writer import Writer, register_maker, split_words

INTEGERS = split_words(
    "0 1 2 3 5 7 -1 -2 -7 10 16 62 63 64 100 255 0x1F 017 1000000 2147483648 4611686018427387904"
    " 9223372036854775807 -9223372036854775807"
)
FLOATS = split_words(
    "0.0 1.0 -1.0 -0.0 0.5 1.5 -2.5 3.14159 100.0 0.1 2.675 123456789.125 9007199254740993.0 1e10"
    " 1e15 1e16 1e20 1.5e-5 1e-4 1e308 1e-308"
)
STRINGS = split_words(
    "a b A ab abc AB aaa abcabc key a,b,c a.b.c foo::bar Foo Integer Array[String] undef default 1 -1"
    " 10 012 0x1f 0b11 1.5 1e3 -3.2 true false yes no $x ${x} %s %% é É 日本 ß it's a\\b 1.2.3 1.2.4-rc1"
    " 2.0.0 1.x 2024-02-29 2024-02-29T12:30:45 http://a.b/c?d=e#f aGVsbG8= x\\n",
    "",
    "Hello World",
    "one two  three",
    " x ",
    " 7",
    "7 ",
    'say "hi"',
    "%d %s",
    ">=1.0.0 <2.0.0",
    "line1\nline2\n",
    "tab\there",
)
PATTERNS = split_words(
    "a ^a b$ . a+ (a)(b)? [a-z]+ \\d+ ^(\\d+)\\.(\\d+) (?i)HELLO \\s+ x* (?<n>a)b \\A\\w+\\z"
    " [[:alpha:]] a|b \\bw é (.)(.) [^,]+ \\/ ,",
    "",
    "o(?= )",
)
VERSIONS = split_words("1.2.3 1.2.4-rc1 2.0.0 0.0.1 1.2.3+b5 10.0.0-alpha.1 1.2.3-rc1")
RANGES = split_words(
    "1.x >=1.0.0 ~1.2.3 ^1.2.0 1.2.3 * >1.2.3-rc1", "1.0.0 - 2.0.0", ">=1.0.0 <2.0.0", "<0.5.0 || >3.0.0"
)
INSTANTS = split_words(
    "2024-02-29 2024-02-29T12:30:45",
    "1970-01-01T00:00:00.5 UTC",
    "1999-12-31T23:59:59.999 UTC",
    "2012-06-05T04:03:02 CET",
)
SPANS = split_words("1-02:03:04.5 00:00:01 3-00:00:00 10:20 59 -1-00:00:00 0.5")
ADDRESSES = split_words(
    "http://a.b/c?d=e#f https://u:p@h:8080/x/y file:///etc/x mailto:a@b.c /just/path http://example.com"
)
KEYS = ("a", "b", "c", "key", "A", "x y", "1")
ESCAPES = {"\\": "\\\\", '"': '\\"', "$": "\\$", "\n": "\\n", "\t": "\\t"}


def quote_single(text: str) -> str:
    """Return a text as a single-quoted string."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def quote_double(text: str) -> str:
    """Return a text as a double-quoted string without interpolation."""
    return '"' + "".join(ESCAPES.get(char, char) for char in text) + '"'


@register_maker("integer", 6)
def make_integer(writer: Writer, depth: int) -> str:
    return writer.choose(INTEGERS)


@register_maker("small", 6)
def make_small_integer(writer: Writer, depth: int) -> str:
    return str(writer.choose_integer(-3, 6))


@register_maker("float", 5)
def make_float(writer: Writer, depth: int) -> str:
    return writer.choose(FLOATS)


@register_maker("boolean", 4)
def make_boolean(writer: Writer, depth: int) -> str:
    return writer.choose(("true", "false"))


@register_maker("undef")
def make_undef(writer: Writer, depth: int) -> str:
    return "undef"


@register_maker("default")
def make_default(writer: Writer, depth: int) -> str:
    return "default"


@register_maker("string", 7)
def make_string(writer: Writer, depth: int) -> str:
    text = writer.choose(STRINGS)
    return quote_single(text) if writer.decide(0.6) else quote_double(text)


@register_maker("regexp", 6)
def make_regexp(writer: Writer, depth: int) -> str:
    return f"/{writer.choose(PATTERNS)}/"


@register_maker("array", 3)
def make_array(writer: Writer, depth: int) -> str:
    kind = writer.choose(("any", "any", "integer", "string", "number", "scalar", "array"))
    return f"[{', '.join(writer.make_several(kind, depth - 1, 0, 4 if depth > 0 else 2))}]"


@register_maker("integers", 4)
def make_integers(writer: Writer, depth: int) -> str:
    return f"[{', '.join(str(writer.choose_integer(-5, 20)) for _ in range(writer.choose_integer(0, 5)))}]"


@register_maker("strings", 4)
def make_strings(writer: Writer, depth: int) -> str:
    return f"[{', '.join(make_string(writer, 0) for _ in range(writer.choose_integer(0, 4)))}]"


@register_maker("pairs")
def make_pairs(writer: Writer, depth: int) -> str:
    several = [
        f"[{writer.make('key', 0)}, {writer.make('any', depth - 1)}]"
        for _ in range(writer.choose_integer(0, 3))
    ]
    return f"[{', '.join(several)}]"


@register_maker("array", 2)
def make_special_array(writer: Writer, depth: int) -> str:
    return writer.make(writer.choose(("integers", "strings", "pairs")), depth)


@register_maker("key", 5)
def make_plain_key(writer: Writer, depth: int) -> str:
    return quote_single(writer.choose(KEYS))


@register_maker("key")
def make_unusual_key(writer: Writer, depth: int) -> str:
    return writer.make("any", 0)


@register_maker("hash", 4)
def make_hash(writer: Writer, depth: int) -> str:
    kind = writer.choose(("any", "integer", "string", "scalar"))
    several = [
        f"{writer.make('key', 0)} => {writer.make(kind, depth - 1)}"
        for _ in range(writer.choose_integer(0, 3))
    ]
    return f"{{{', '.join(several)}}}"


@register_maker("rich", 2)
def make_sensitive(writer: Writer, depth: int) -> str:
    return f"Sensitive({writer.make('any', depth - 1)})"


@register_maker("sensitive")
def make_sensitive_string(writer: Writer, depth: int) -> str:
    return f"Sensitive({writer.make('string', 0)})"


@register_maker("version", 3)
def make_version(writer: Writer, depth: int) -> str:
    return f"SemVer('{writer.choose(VERSIONS)}')"


@register_maker("versions", 3)
def make_version_range(writer: Writer, depth: int) -> str:
    return f"SemVerRange('{writer.choose(RANGES)}')"


@register_maker("timestamp", 3)
def make_timestamp(writer: Writer, depth: int) -> str:
    if writer.decide(0.3):
        return f"Timestamp({writer.choose(('0', '1700000000', '1.5', '-1', '86399'))})"
    return f"Timestamp('{writer.choose(INSTANTS)}')"


@register_maker("timespan", 3)
def make_timespan(writer: Writer, depth: int) -> str:
    if writer.decide(0.4):
        return f"Timespan({writer.choose(('0', '90', '1.5', '-3600', '1, 2, 3, 4', '86400', '0.000001'))})"
    return f"Timespan('{writer.choose(SPANS)}')"


@register_maker("uri", 3)
def make_uri(writer: Writer, depth: int) -> str:
    return f"URI('{writer.choose(ADDRESSES)}')"


@register_maker("binary", 3)
def make_binary(writer: Writer, depth: int) -> str:
    return writer.choose(
        ("Binary('aGVsbG8=')", "Binary('', '%s')", "Binary('héllo', '%s')", "Binary([1, 255, 0])")
    )


for _kind in ("version", "versions", "timestamp", "timespan", "uri", "binary"):

    @register_maker("rich")
    def make_rich_value(writer: Writer, depth: int, kind: str = _kind) -> str:
        return writer.make(kind, depth)


@register_maker("number", 1)
def make_number(writer: Writer, depth: int) -> str:
    return writer.make(writer.choose(("integer", "small", "float")), depth)


@register_maker("scalar", 1)
def make_scalar(writer: Writer, depth: int) -> str:
    return writer.make(writer.choose(("integer", "float", "string", "string", "boolean")), depth)


@register_maker("collection")
def make_collection(writer: Writer, depth: int) -> str:
    return writer.make(writer.choose(("array", "hash")), depth)


@register_maker("iterator")
def make_iterator(writer: Writer, depth: int) -> str:
    name = writer.choose(("reverse_each", "step(2)", "reverse_each", "step(1)", "tree_each"))
    return f"{writer.make('array', depth - 1)}.{name}"


@register_maker("iterable", 3)
def make_iterable(writer: Writer, depth: int) -> str:
    kind = writer.choose(("array", "array", "hash", "hash", "small", "string", "iterator", "ranges"))
    return writer.make(kind, depth)


@register_maker("ranges")
def make_range(writer: Writer, depth: int) -> str:
    return writer.choose(("Integer[1, 4]", "Integer[-2, 2]", "Enum[a, b]", "Integer[0, 0]", "Integer[5, 9]"))


@register_maker("any", 2)
def make_anything(writer: Writer, depth: int) -> str:
    if depth <= 0:
        kinds: tuple[str, ...] = (
            "integer",
            "float",
            "string",
            "string",
            "boolean",
            "undef",
            "default",
            "regexp",
            "small",
            "number",
        )
        return writer.make(writer.choose(kinds), 0)
    kinds = (
        "integer",
        "float",
        "string",
        "boolean",
        "undef",
        "array",
        "hash",
        "type",
        "rich",
        "regexp",
        "collection",
    )
    return writer.make(writer.choose(kinds), depth)
