"""Sources of expressions made of operators, access, conditionals, interpolation and blocks."""

from __future__ import annotations

from tests.differential.literals import ESCAPES, STRINGS
from tests.differential.writer import Writer, makes

ARITHMETIC = ("+", "-", "*", "/", "%", "<<", ">>")
COMPARISON = ("==", "!=", "<", "<=", ">", ">=")


@makes("integer", 2, deep=True)
def integer_arithmetic(writer: Writer, depth: int) -> str:
    return f"({writer.make('integer|small', depth - 1)} {writer.one(ARITHMETIC)} {writer.make('small', depth - 1)})"


@makes("small", deep=True)
def length(writer: Writer, depth: int) -> str:
    return f"{writer.make('array|string|hash', depth - 1)}.length"


@makes("float", deep=True)
def float_arithmetic(writer: Writer, depth: int) -> str:
    return (
        f"({writer.make('number', depth - 1)} {writer.one(ARITHMETIC[:5])} {writer.make('float', depth - 1)})"
    )


@makes("boolean", 2, deep=True)
def comparison(writer: Writer, depth: int) -> str:
    kind = writer.one(("any", "number", "string", "type", "scalar", "rich"))
    return f"({writer.make(kind, depth - 1)} {writer.one(COMPARISON)} {writer.make(kind, depth - 1)})"


@makes("boolean", deep=True)
def logic(writer: Writer, depth: int) -> str:
    if writer.chance(0.2):
        return f"!{writer.make('any', depth - 1)}"
    return f"({writer.make('any', depth - 1)} {writer.one(('and', 'or'))} {writer.make('any', depth - 1)})"


@makes("boolean", 2, deep=True)
def matching(writer: Writer, depth: int) -> str:
    operator = writer.one(("=~", "=~", "!~"))
    if writer.chance(0.4):
        return f"({writer.make('string', depth - 1)} {operator} {writer.make('regexp|regexp|string', 0)})"
    return f"({writer.make('any', depth - 1)} {operator} {writer.make('type|type|type|any', depth)})"


@makes("boolean", deep=True)
def membership(writer: Writer, depth: int) -> str:
    return f"({writer.make('any', depth - 1)} in {writer.make('any|array|hash|string|type', depth - 1)})"


@makes("array", deep=True)
def concatenation(writer: Writer, depth: int) -> str:
    right = writer.make("any|array|hash", depth - 1)
    return f"({writer.make('array', depth - 1)} {writer.one(('+', '+', '-', '<<'))} {right})"


@makes("hash", deep=True)
def merging(writer: Writer, depth: int) -> str:
    right = writer.make("hash|array|pairs", depth - 1)
    return f"({writer.make('hash', depth - 1)} {writer.one(('+', '+', '-'))} {right})"


@makes("rich")
def rich_arithmetic(writer: Writer, depth: int) -> str:
    kind = writer.one(("timestamp", "timespan", "version"))
    right = writer.make("timespan|timestamp|number", 0)
    return f"({writer.make(kind, 0)} {writer.one(ARITHMETIC[:5])} {right})"


@makes("number", deep=True)
def negation(writer: Writer, depth: int) -> str:
    return f"(-{writer.make('number|number|string|timespan|any', depth - 1)})"


@makes("array", deep=True)
def splatted(writer: Writer, depth: int) -> str:
    return f"[{writer.make('any', 0)}, *{writer.make('array|hash|any', depth - 1)}]"


@makes("any", deep=True)
def any_operation(writer: Writer, depth: int) -> str:
    operator = writer.one((*ARITHMETIC, *COMPARISON, "in", "=~", "and"))
    return f"({writer.make('any', depth - 1)} {operator} {writer.make('any', depth - 1)})"


@makes("any", deep=True)
def access(writer: Writer, depth: int) -> str:
    kind = writer.one(("array", "array", "hash", "hash", "string", "any", "type"))
    keys = writer.several({"hash": "key", "any": "any"}.get(kind, "small|small|any"), 0, 1, 2)
    return f"{_receiver(writer, kind, depth - 1)}[{', '.join(keys)}]"


def _receiver(writer: Writer, kind: str, depth: int) -> str:
    source = writer.make(kind, depth)
    return source if source.startswith(("[", "$")) or source[0].isupper() else f"({source})"


@makes("any", deep=True)
def choice(writer: Writer, depth: int) -> str:
    """A selector."""
    options = [
        f"{_option(writer, depth)} => {writer.make('any', depth - 1)}" for _ in range(writer.number(1, 3))
    ]
    if writer.chance(0.7):
        options.insert(writer.number(0, len(options)), f"default => {writer.make('any', depth - 1)}")
    return f"({writer.make('any|string|number', depth - 1)} ? {{ {', '.join(options)} }})"


def _option(writer: Writer, depth: int) -> str:
    return writer.make("string|regexp|type|any|number|array", min(depth - 1, 1))


@makes("any", deep=True)
def branches(writer: Writer, depth: int) -> str:
    test, then, otherwise = (writer.make("any|boolean", depth - 1) for _ in range(3))
    kind = writer.number(0, 3)
    if kind == 0:
        return f"if {test} {{ {then} }} else {{ {otherwise} }}"
    if kind == 1:
        return f"unless {test} {{ {then} }} else {{ {otherwise} }}"
    if kind == 2:
        return f"if {test} {{ {then} }} elsif {otherwise} {{ '$0' }}"
    options = [
        f"{_option(writer, depth)}: {{ {writer.make('any', depth - 1)} }}" for _ in range(writer.number(1, 3))
    ]
    if writer.chance(0.7):
        options.append(f"default: {{ {writer.make('any', depth - 1)} }}")
    return f"case {writer.make('any|string|number', depth - 1)} {{ {' '.join(options)} }}"


@makes("string", 2, deep=True)
def interpolation(writer: Writer, depth: int) -> str:
    parts = []
    for _ in range(writer.number(1, 3)):
        if writer.chance(0.4):
            text = writer.one(STRINGS)
            parts.append("".join(ESCAPES.get(char, char) for char in text))
        elif writer.variables and writer.chance(0.5):
            name = writer.one(writer.variables)[0]
            parts.append(writer.one((f"${name}", f"${{{name}}}", f"${{{name}[0]}}", f"${{{name}['a']}}")))
        else:
            parts.append(f"${{{writer.make('any', depth - 1)}}}")
    return f'"{"".join(parts)}"'


@makes("string")
def match_variable(writer: Writer, depth: int) -> str:
    test = f"{writer.make('string', 0)} =~ {writer.make('regexp', 0)}"
    return f"if {test} {{ \"$0-$1-${{2}}\" }} else {{ 'none' }}" if depth == 2 else '"$0"'


@makes("string")
def odd_text(writer: Writer, depth: int) -> str:
    return writer.one(("'a' ", "'x'", '"a\\u00e9\\u{1F600}"', "'\\\\'", '"\\s\\t|"', "'%'"))


def block(writer: Writer, depth: int, parameters: int = 1, kind: str = "any") -> str:
    """A lambda with that many parameters."""
    names = [writer.fresh() for _ in range(parameters)]
    written = []
    for index, name in enumerate(names):
        typed = f"{writer.make('type', 0)} " if writer.chance(0.06) else ""
        last = index == parameters - 1
        given = f" = {writer.make('any', 0)}" if last and writer.chance(0.04) else ""
        star = "*" if last and not given and writer.chance(0.03) else ""
        written.append(f"{typed}{star}${name}{given}")
    before = list(writer.variables)
    writer.variables += [(name, writer.one(("any", kind, "integer", "string"))) for name in names]
    body = writer.make(kind, depth - 1)
    if writer.chance(0.15):
        body = f"notice(${writer.one(names)}) {body}" if names else f"notice('b') {body}"
    if writer.chance(0.1):
        test = writer.make("boolean", 0)
        leave = writer.one(("next()", "next(7)", "break()", "return()", "return(7)"))
        body = f"if {test} {{ {leave} }} {body}"
    writer.variables = before
    return f"|{', '.join(written)}| {{ {body} }}"
