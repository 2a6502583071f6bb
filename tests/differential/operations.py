"""Random expressions with operators, access, conditionals, interpolation and lambdas."""

from __future__ import annotations

from tests.differential.literals import ESCAPES, STRINGS
from tests.differential.writer import Writer, register_maker

ARITHMETIC = ("+", "-", "*", "/", "%", "<<", ">>")
COMPARISON = ("==", "!=", "<", "<=", ">", ">=")


@register_maker("integer", 2, deep=True)
def make_integer_arithmetic(writer: Writer, depth: int) -> str:
    return f"({writer.make('integer|small', depth - 1)} {writer.choose(ARITHMETIC)} {writer.make('small', depth - 1)})"


@register_maker("small", deep=True)
def make_length(writer: Writer, depth: int) -> str:
    return f"{writer.make('array|string|hash', depth - 1)}.length"


@register_maker("float", deep=True)
def make_float_arithmetic(writer: Writer, depth: int) -> str:
    return f"({writer.make('number', depth - 1)} {writer.choose(ARITHMETIC[:5])} {writer.make('float', depth - 1)})"


@register_maker("boolean", 2, deep=True)
def make_comparison(writer: Writer, depth: int) -> str:
    kind = writer.choose(("any", "number", "string", "type", "scalar", "rich"))
    return f"({writer.make(kind, depth - 1)} {writer.choose(COMPARISON)} {writer.make(kind, depth - 1)})"


@register_maker("boolean", deep=True)
def make_logical_operation(writer: Writer, depth: int) -> str:
    if writer.decide(0.2):
        return f"!{writer.make('any', depth - 1)}"
    return f"({writer.make('any', depth - 1)} {writer.choose(('and', 'or'))} {writer.make('any', depth - 1)})"


@register_maker("boolean", 2, deep=True)
def make_match(writer: Writer, depth: int) -> str:
    operator = writer.choose(("=~", "=~", "!~"))
    if writer.decide(0.4):
        return f"({writer.make('string', depth - 1)} {operator} {writer.make('regexp|regexp|string', 0)})"
    return f"({writer.make('any', depth - 1)} {operator} {writer.make('type|type|type|any', depth)})"


@register_maker("boolean", deep=True)
def make_membership(writer: Writer, depth: int) -> str:
    return f"({writer.make('any', depth - 1)} in {writer.make('any|array|hash|string|type', depth - 1)})"


@register_maker("array", deep=True)
def make_concatenation(writer: Writer, depth: int) -> str:
    right = writer.make("any|array|hash", depth - 1)
    return f"({writer.make('array', depth - 1)} {writer.choose(('+', '+', '-', '<<'))} {right})"


@register_maker("hash", deep=True)
def make_merge(writer: Writer, depth: int) -> str:
    right = writer.make("hash|array|pairs", depth - 1)
    return f"({writer.make('hash', depth - 1)} {writer.choose(('+', '+', '-'))} {right})"


@register_maker("rich")
def make_rich_arithmetic(writer: Writer, depth: int) -> str:
    kind = writer.choose(("timestamp", "timespan", "version"))
    right = writer.make("timespan|timestamp|number", 0)
    return f"({writer.make(kind, 0)} {writer.choose(ARITHMETIC[:5])} {right})"


@register_maker("number", deep=True)
def make_negation(writer: Writer, depth: int) -> str:
    return f"(-{writer.make('number|number|string|timespan|any', depth - 1)})"


@register_maker("array", deep=True)
def make_splat(writer: Writer, depth: int) -> str:
    return f"[{writer.make('any', 0)}, *{writer.make('array|hash|any', depth - 1)}]"


@register_maker("any", deep=True)
def make_any_operation(writer: Writer, depth: int) -> str:
    operator = writer.choose((*ARITHMETIC, *COMPARISON, "in", "=~", "and"))
    return f"({writer.make('any', depth - 1)} {operator} {writer.make('any', depth - 1)})"


@register_maker("any", deep=True)
def make_access(writer: Writer, depth: int) -> str:
    kind = writer.choose(("array", "array", "hash", "hash", "string", "any", "type"))
    keys = writer.make_several({"hash": "key", "any": "any"}.get(kind, "small|small|any"), 0, 1, 2)
    return f"{_make_receiver(writer, kind, depth - 1)}[{', '.join(keys)}]"


def _make_receiver(writer: Writer, kind: str, depth: int) -> str:
    source = writer.make(kind, depth)
    return source if source.startswith(("[", "$")) or source[0].isupper() else f"({source})"


@register_maker("any", deep=True)
def make_selector(writer: Writer, depth: int) -> str:
    options = [
        f"{_make_option(writer, depth)} => {writer.make('any', depth - 1)}"
        for _ in range(writer.choose_integer(1, 3))
    ]
    if writer.decide(0.7):
        options.insert(writer.choose_integer(0, len(options)), f"default => {writer.make('any', depth - 1)}")
    return f"({writer.make('any|string|number', depth - 1)} ? {{ {', '.join(options)} }})"


def _make_option(writer: Writer, depth: int) -> str:
    return writer.make("string|regexp|type|any|number|array", min(depth - 1, 1))


@register_maker("any", deep=True)
def make_conditional(writer: Writer, depth: int) -> str:
    test, then, otherwise = (writer.make("any|boolean", depth - 1) for _ in range(3))
    kind = writer.choose_integer(0, 3)
    if kind == 0:
        return f"if {test} {{ {then} }} else {{ {otherwise} }}"
    if kind == 1:
        return f"unless {test} {{ {then} }} else {{ {otherwise} }}"
    if kind == 2:
        return f"if {test} {{ {then} }} elsif {otherwise} {{ '$0' }}"
    options = [
        f"{_make_option(writer, depth)}: {{ {writer.make('any', depth - 1)} }}"
        for _ in range(writer.choose_integer(1, 3))
    ]
    if writer.decide(0.7):
        options.append(f"default: {{ {writer.make('any', depth - 1)} }}")
    return f"case {writer.make('any|string|number', depth - 1)} {{ {' '.join(options)} }}"


@register_maker("string", 2, deep=True)
def make_interpolation(writer: Writer, depth: int) -> str:
    parts = []
    for _ in range(writer.choose_integer(1, 3)):
        if writer.decide(0.4):
            text = writer.choose(STRINGS)
            parts.append("".join(ESCAPES.get(char, char) for char in text))
        elif writer.variables and writer.decide(0.5):
            name = writer.choose(writer.variables)[0]
            parts.append(writer.choose((f"${name}", f"${{{name}}}", f"${{{name}[0]}}", f"${{{name}['a']}}")))
        else:
            parts.append(f"${{{writer.make('any', depth - 1)}}}")
    return f'"{"".join(parts)}"'


@register_maker("string")
def make_match_variable(writer: Writer, depth: int) -> str:
    test = f"{writer.make('string', 0)} =~ {writer.make('regexp', 0)}"
    return f"if {test} {{ \"$0-$1-${{2}}\" }} else {{ 'none' }}" if depth == 2 else '"$0"'


@register_maker("string")
def make_unusual_string(writer: Writer, depth: int) -> str:
    return writer.choose(("'a' ", "'x'", '"a\\u00e9\\u{1F600}"', "'\\\\'", '"\\s\\t|"', "'%'"))


def make_lambda(writer: Writer, depth: int, parameters: int = 1, kind: str = "any") -> str:
    """Return a lambda with a number of parameters.

    Args:
        kind: The kind of expression that the lambda returns.
    """
    names = [writer.make_name() for _ in range(parameters)]
    sources = []
    for index, name in enumerate(names):
        type_source = f"{writer.make('type', 0)} " if writer.decide(0.06) else ""
        is_last = index == parameters - 1
        default = f" = {writer.make('any', 0)}" if is_last and writer.decide(0.04) else ""
        star = "*" if is_last and not default and writer.decide(0.03) else ""
        sources.append(f"{type_source}{star}${name}{default}")
    outer_variables = list(writer.variables)
    writer.variables += [(name, writer.choose(("any", kind, "integer", "string"))) for name in names]
    body = writer.make(kind, depth - 1)
    if writer.decide(0.15):
        body = f"notice(${writer.choose(names)}) {body}" if names else f"notice('b') {body}"
    if writer.decide(0.1):
        test = writer.make("boolean", 0)
        leave = writer.choose(("next()", "next(7)", "break()", "return()", "return(7)"))
        body = f"if {test} {{ {leave} }} {body}"
    writer.variables = outer_variables
    return f"|{', '.join(sources)}| {{ {body} }}"
