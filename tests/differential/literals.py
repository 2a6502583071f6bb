"""Sources of values of every kind."""

from __future__ import annotations

from tests.differential.writer import Writer, makes, words

INTEGERS = words(
    "0 1 2 3 5 7 -1 -2 -7 10 16 62 63 64 100 255 0x1F 017 1000000 2147483648 4611686018427387904"
    " 9223372036854775807 -9223372036854775807"
)
FLOATS = words(
    "0.0 1.0 -1.0 -0.0 0.5 1.5 -2.5 3.14159 100.0 0.1 2.675 123456789.125 9007199254740993.0 1e10"
    " 1e15 1e16 1e20 1.5e-5 1e-4 1e308 1e-308"
)
STRINGS = words(
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
PATTERNS = words(
    "a ^a b$ . a+ (a)(b)? [a-z]+ \\d+ ^(\\d+)\\.(\\d+) (?i)HELLO \\s+ x* (?<n>a)b \\A\\w+\\z"
    " [[:alpha:]] a|b \\bw é (.)(.) [^,]+ \\/ ,",
    "",
    "o(?= )",
)
VERSIONS = words("1.2.3 1.2.4-rc1 2.0.0 0.0.1 1.2.3+b5 10.0.0-alpha.1 1.2.3-rc1")
RANGES = words(
    "1.x >=1.0.0 ~1.2.3 ^1.2.0 1.2.3 * >1.2.3-rc1", "1.0.0 - 2.0.0", ">=1.0.0 <2.0.0", "<0.5.0 || >3.0.0"
)
INSTANTS = words(
    "2024-02-29 2024-02-29T12:30:45",
    "1970-01-01T00:00:00.5 UTC",
    "1999-12-31T23:59:59.999 UTC",
    "2012-06-05T04:03:02 CET",
)
SPANS = words("1-02:03:04.5 00:00:01 3-00:00:00 10:20 59 -1-00:00:00 0.5")
ADDRESSES = words(
    "http://a.b/c?d=e#f https://u:p@h:8080/x/y file:///etc/x mailto:a@b.c /just/path http://example.com"
)
KEYS = ("a", "b", "c", "key", "A", "x y", "1")
ESCAPES = {"\\": "\\\\", '"': '\\"', "$": "\\$", "\n": "\\n", "\t": "\\t"}


def single(text: str) -> str:
    """Single-quoted source."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def double(text: str) -> str:
    """Double-quoted source without interpolation."""
    return '"' + "".join(ESCAPES.get(char, char) for char in text) + '"'


@makes("integer", 6)
def integer(writer: Writer, depth: int) -> str:
    return writer.one(INTEGERS)


@makes("small", 6)
def small(writer: Writer, depth: int) -> str:
    return str(writer.number(-3, 6))


@makes("float", 5)
def decimal(writer: Writer, depth: int) -> str:
    return writer.one(FLOATS)


@makes("boolean", 4)
def boolean(writer: Writer, depth: int) -> str:
    return writer.one(("true", "false"))


@makes("undef")
def undefined(writer: Writer, depth: int) -> str:
    return "undef"


@makes("default")
def default(writer: Writer, depth: int) -> str:
    return "default"


@makes("string", 7)
def string(writer: Writer, depth: int) -> str:
    text = writer.one(STRINGS)
    return single(text) if writer.chance(0.6) else double(text)


@makes("regexp", 6)
def regexp(writer: Writer, depth: int) -> str:
    return f"/{writer.one(PATTERNS)}/"


@makes("array", 3)
def array(writer: Writer, depth: int) -> str:
    kind = writer.one(("any", "any", "integer", "string", "number", "scalar", "array"))
    return f"[{', '.join(writer.several(kind, depth - 1, 0, 4 if depth > 0 else 2))}]"


@makes("integers", 4)
def integers(writer: Writer, depth: int) -> str:
    return f"[{', '.join(str(writer.number(-5, 20)) for _ in range(writer.number(0, 5)))}]"


@makes("strings", 4)
def strings(writer: Writer, depth: int) -> str:
    return f"[{', '.join(string(writer, 0) for _ in range(writer.number(0, 4)))}]"


@makes("pairs")
def pairs(writer: Writer, depth: int) -> str:
    several = [
        f"[{writer.make('key', 0)}, {writer.make('any', depth - 1)}]" for _ in range(writer.number(0, 3))
    ]
    return f"[{', '.join(several)}]"


@makes("array", 2)
def special_array(writer: Writer, depth: int) -> str:
    return writer.make(writer.one(("integers", "strings", "pairs")), depth)


@makes("key", 5)
def plain_key(writer: Writer, depth: int) -> str:
    return single(writer.one(KEYS))


@makes("key")
def odd_key(writer: Writer, depth: int) -> str:
    return writer.make("any", 0)


@makes("hash", 4)
def hash_of(writer: Writer, depth: int) -> str:
    kind = writer.one(("any", "integer", "string", "scalar"))
    several = [
        f"{writer.make('key', 0)} => {writer.make(kind, depth - 1)}" for _ in range(writer.number(0, 3))
    ]
    return f"{{{', '.join(several)}}}"


@makes("rich", 2)
def sensitive(writer: Writer, depth: int) -> str:
    return f"Sensitive({writer.make('any', depth - 1)})"


@makes("sensitive")
def sensitive_string(writer: Writer, depth: int) -> str:
    return f"Sensitive({writer.make('string', 0)})"


@makes("version", 3)
def version(writer: Writer, depth: int) -> str:
    return f"SemVer('{writer.one(VERSIONS)}')"


@makes("versions", 3)
def versions(writer: Writer, depth: int) -> str:
    return f"SemVerRange('{writer.one(RANGES)}')"


@makes("timestamp", 3)
def timestamp(writer: Writer, depth: int) -> str:
    if writer.chance(0.3):
        return f"Timestamp({writer.one(('0', '1700000000', '1.5', '-1', '86399'))})"
    return f"Timestamp('{writer.one(INSTANTS)}')"


@makes("timespan", 3)
def timespan(writer: Writer, depth: int) -> str:
    if writer.chance(0.4):
        return f"Timespan({writer.one(('0', '90', '1.5', '-3600', '1, 2, 3, 4', '86400', '0.000001'))})"
    return f"Timespan('{writer.one(SPANS)}')"


@makes("uri", 3)
def uri(writer: Writer, depth: int) -> str:
    return f"URI('{writer.one(ADDRESSES)}')"


@makes("binary", 3)
def binary(writer: Writer, depth: int) -> str:
    return writer.one(
        ("Binary('aGVsbG8=')", "Binary('', '%s')", "Binary('héllo', '%s')", "Binary([1, 255, 0])")
    )


for _kind in ("version", "versions", "timestamp", "timespan", "uri", "binary"):

    @makes("rich")
    def rich(writer: Writer, depth: int, kind: str = _kind) -> str:
        return writer.make(kind, depth)


@makes("number", 1)
def number(writer: Writer, depth: int) -> str:
    return writer.make(writer.one(("integer", "small", "float")), depth)


@makes("scalar", 1)
def scalar(writer: Writer, depth: int) -> str:
    return writer.make(writer.one(("integer", "float", "string", "string", "boolean")), depth)


@makes("collection")
def collection(writer: Writer, depth: int) -> str:
    return writer.make(writer.one(("array", "hash")), depth)


@makes("iterator")
def iterator(writer: Writer, depth: int) -> str:
    name = writer.one(("reverse_each", "step(2)", "reverse_each", "step(1)", "tree_each"))
    return f"{writer.make('array', depth - 1)}.{name}"


@makes("iterable", 3)
def iterable(writer: Writer, depth: int) -> str:
    kind = writer.one(("array", "array", "hash", "hash", "small", "string", "iterator", "ranges"))
    return writer.make(kind, depth)


@makes("ranges")
def ranges(writer: Writer, depth: int) -> str:
    return writer.one(("Integer[1, 4]", "Integer[-2, 2]", "Enum[a, b]", "Integer[0, 0]", "Integer[5, 9]"))


@makes("any", 2)
def anything(writer: Writer, depth: int) -> str:
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
        return writer.make(writer.one(kinds), 0)
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
    return writer.make(writer.one(kinds), depth)
