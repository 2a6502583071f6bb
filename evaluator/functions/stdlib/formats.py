"""stdlib: writers of JSON, YAML, TOML, Python and Ruby, and readers of JSON and YAML."""

from __future__ import annotations

import json
import re

from evaluator.calling.registry import function
from evaluator.catalog.rich_data import to_rich_json
from evaluator.functions.stdlib.removal import delete_undef_values
from evaluator.issues import Failure, require
from evaluator.limits import STRING
from evaluator.program import sandbox
from evaluator.program.definitions import Scope
from evaluator.values import RegexpValue, Value, format_value, iterate_items, to_ruby_text, yaml_format
from evaluator.values.chunked import join_checked
from evaluator.values.dag import count_values, memoize_recursion
from evaluator.values.ruby_values import (
    get_ruby_class,
    inspect_string,
    make_no_method_failure,
    require_string,
)
from lexer_parser.record import Record
from lexer_parser.validation.heredoc_syntax import VALUE_CODE, InvalidJsonError, JsonChecker

# --- JSON


def _format_json_text(string: str) -> str:
    return json.dumps(string, ensure_ascii=False)


def format_json_scalar(value: Value) -> str:
    """Return the JSON of a value that is no collection; types that JSON lacks become Strings."""
    if value is None:
        return "null"
    if type(value) in (bool, int, float):
        return format_value(value)
    return _format_json_text(value if type(value) is str else to_ruby_text(value))


@memoize_recursion
def to_json_text(recurse: Value, value: Value) -> str:
    """Return compact JSON."""
    if type(value) is list:
        return f"[{join_checked(',', map(recurse, value))}]"
    if type(value) is dict:
        pairs = (f"{_format_json_text(format_value(k))}:{recurse(v)}" for k, v in iterate_items(value))
        return "{" + join_checked(",", pairs) + "}"
    return format_json_scalar(value)


class JsonLayout(Record):
    """A writer of JSON on several lines, with its options."""

    max_nesting: int = 100
    indent: str = "  "
    space: str = " "
    space_before: str = ""
    object_nl: str = "\n"
    array_nl: str = "\n"
    allow_nan: bool = False  # an option of the function, which it ignores
    made: int = 0  # the characters of the layout so far; the result contains all of them

    def write(self, value: Value) -> str:
        """Return the JSON of a value."""
        return str(memoize_recursion(self._write)(value, 0))

    def _write(self, recurse: Value, value: Value, depth: int) -> str:
        if type(value) in (list, dict) and depth >= self.max_nesting > 0:
            raise Failure("NESTED_TOO_DEEPLY", number=self.max_nesting)
        if type(value) not in (list, dict):
            return format_json_scalar(value)
        line = self.array_nl if type(value) is list else f"{self.space_before}:{self.space}{self.object_nl}"
        self.made += len(value) * len(line) + len(self.indent) * ((depth + 1) * len(value) + depth)
        STRING.check(self.made)
        inner, outer = self.indent * (depth + 1), self.indent * depth
        if type(value) is list:
            elements = (inner + recurse(element, depth + 1) for element in value)
            inside = join_checked(f",{self.array_nl}", elements)
            return f"[{self.array_nl}{inside}{self.array_nl}{outer}]"
        if not value:
            return f"{{{self.object_nl}{outer}}}"
        entries = (
            f"{inner}{_format_json_text(format_value(k))}{self.space_before}:{self.space}{recurse(v, depth + 1)}"
            for k, v in iterate_items(value)
        )
        inside = join_checked(f",{self.object_nl}", entries)
        return f"{{{self.object_nl}{inside}{self.object_nl}{outer}}}"


@function("to_json(Any data)")
def to_json(data: Value) -> str:
    """Write data as JSON.

    > to_json({ 'a' => [1, undef] })
    '{"a":[1,null]}'
    """
    return _check_limit(to_json_text(data))


@function(
    "to_json_pretty(Variant[Hash, Array] data, Optional[Boolean] skip_undef?, Struct[{"
    " Optional['indent'] => Optional[String], Optional['space'] => Optional[String],"
    " Optional['space_before'] => Optional[String], Optional['object_nl'] => Optional[String],"
    " Optional['array_nl'] => Optional[String], Optional['allow_nan'] => Optional[Boolean],"
    " Optional['max_nesting'] => Optional[Integer[-1,default]] }] opts?)",
    usage=("to_json_pretty(Variant[Hash, Array] data, Boolean skip_undef?, Hash options?)",),
)
def to_json_pretty(
    data: Value, skip_undef: bool | None = False, options: dict[str, Value] | None = None
) -> str:
    r"""Write data as JSON on several lines; undef may be left out.

    > to_json_pretty({ 'a' => 1, 'b' => undef }, true)
    "{\n  \"a\": 1\n}\n"
    """
    if skip_undef:
        data = delete_undef_values.body()(data)
    settings = {name: value for name, value in (options or {}).items() if value is not None}
    return _check_limit(JsonLayout(**settings).write(data) + "\n")


def _check_limit(result: str) -> str:
    STRING.check(len(result))
    return result


# --- YAML, TOML, Python, Ruby


@function("to_yaml(Any data, Hash options?)")
def to_yaml(data: Value, options: dict[str, Value] | None = None) -> str:
    r"""Write data as YAML.

    > to_yaml({ 'a' => [1, 'x'] })
    "---\na:\n- 1\n- x\n"
    """
    return yaml_format.write_yaml(data, (options or {}).get("indentation", 2))


@function("to_toml(Hash data)")
def to_toml(data: dict[Value, Value]) -> str:
    r"""Write a hash as TOML.

    > to_toml({ 'a' => 1, 'section' => { 'b' => 'x' } })
    "a = 1\n[section]\nb = \"x\"\n"
    """
    STRING.check(count_values(data))  # each value has at least one character
    return _check_limit("".join(_format_toml_table(data, ())))


def _format_toml_key(name: Value) -> str:
    """Return a key of TOML, in quotes unless it has only letters, digits, `_` and `-`."""
    text = format_value(name)
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else _format_json_text(text)


def _are_tables(value: Value) -> bool:
    return type(value) is list and bool(value) and all(type(element) is dict for element in value)


def _format_toml_table(table: dict[Value, Value], path: tuple[str, ...]) -> list[str]:
    """Return the lines of a table: its own entries first, then the tables inside it."""
    pairs = sorted(iterate_items(table), key=lambda pair: format_value(pair[0]))
    lines = [f"{_format_toml_key(k)} = {_format_toml_value(v)}\n" for k, v in pairs if not _is_section(v)]
    sections = sorted(((k, v) for k, v in pairs if _is_section(v)), key=lambda pair: _are_tables(pair[1]))
    for name, value in sections:
        inner = (*path, _format_toml_key(name))
        if type(value) is dict:
            own = any(not _is_section(v) for v in value.values()) or not value
            header = [f"[{'.'.join(inner)}]\n"] if own else []
            lines += header + _format_toml_table(value, inner)
        else:
            for element in value:
                lines += [f"[[{'.'.join(inner)}]]\n", *_format_toml_table(element, inner)]
    return lines


def _is_section(value: Value) -> bool:
    return type(value) is dict or _are_tables(value)


@memoize_recursion
def _format_toml_value(recurse: Value, value: Value) -> str:
    if type(value) is list:
        return f"[{join_checked(', ', map(recurse, value))}]"
    if type(value) is dict:
        return to_ruby_text(value)
    return (
        "nil"
        if value is None
        else format_json_scalar(format_value(value) if type(value) is RegexpValue else value)
    )


PYTHON = {None: "None", True: "True", False: "False"}
RUBY = {None: "nil", True: "true", False: "false"}


@memoize_recursion
def _write_literal(recurse: Value, value: Value, names: dict[Value, str], arrow: str) -> str:
    """Return data of JSON as a literal of Python or Ruby."""
    if type(value) is list:
        return f"[{join_checked(', ', (recurse(element, names, arrow) for element in value))}]"
    if type(value) is dict:
        pairs = (
            f"{inspect_string(name)}{arrow}{recurse(item, names, arrow)}" for name, item in value.items()
        )
        return "{" + join_checked(", ", pairs) + "}"
    if type(value) is str:
        return inspect_string(value)
    return names[value] if value is None or type(value) is bool else format_value(value)


@function("to_python(Any object)")
def to_python(value: Value) -> str:
    """Write data as a Python literal.

    > to_python({ 'a' => [true, undef, 'x'] })
    '{"a": [True, None, "x"]}'
    """
    return _check_limit(_write_literal(to_rich_json(value, True), PYTHON, ": "))


@function("to_ruby(Any object)")
def to_ruby(value: Value) -> str:
    """Write data as a Ruby literal.

    > to_ruby({ 'a' => [true, undef, 'x'] })
    '{"a" => [true, nil, "x"]}'
    """
    return _check_limit(_write_literal(to_rich_json(value, True), RUBY, " => "))


# --- readers


# An unterminated token extends to the end of the text, so that no part is scanned twice.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]++|\\.)*+"?|/\*.*?(?:\*/|\Z)|//[^\n]*\n?', re.DOTALL)
_WHOLE_COMMENT = re.compile(r"/\*.*\*/|//.*\n", re.DOTALL)
# An escape of JSON, or the backslash of another escape, which the released Puppet drops.
_ESCAPE = re.compile(r"(\\[\"\\/bfnrtu])|\\")


def _remove_comment(part: re.Match[str]) -> str:
    """Return the line ends of a comment, and a string as it is."""
    return "\n" * part[0].count("\n") if _WHOLE_COMMENT.fullmatch(part[0]) else part[0]


def read_json(source: Value) -> Value:
    """Return the data of JSON, which may contain comments. Raises Failure."""

    def refuse(name: str) -> Value:
        raise ValueError(name)

    require_string(type(source) is str, get_ruby_class(source))
    try:
        plain = _STRING_OR_COMMENT.sub(_remove_comment, source) if "/" in source else source
        try:
            return json.loads(plain, parse_constant=refuse)
        except json.JSONDecodeError as problem:
            if "\\escape" not in problem.msg:
                raise
            return json.loads(_ESCAPE.sub(lambda part: part[1] or "", plain), parse_constant=refuse)
    except json.JSONDecodeError as problem:
        place = f" in line {problem.lineno}, column {problem.colno}"
        raise _make_json_failure(source, place=place) from None
    except (ValueError, RecursionError):
        raise _make_json_failure(source) from None


def _make_json_failure(source: str, **place: str) -> Failure:
    """Return the failure for invalid JSON; it quotes the text where the released Puppet stops.

    Args:
        **place: Where the mistake is, for help.
    """
    checker = JsonChecker(source)
    error = checker.make_error(VALUE_CODE, 0)
    try:
        checker.check()
    except InvalidJsonError as problem:
        error = problem if problem.rest is not None else error
    return Failure("JSON_SYNTAX", message=str(error), **place)


def read_yaml(source: Value, *, aliases: bool = False) -> Value:
    """Return the data of the first YAML document.

    Raises Failure, also for aliases unless they are allowed.
    """
    require_string(type(source) is str, get_ruby_class(source))
    return yaml_format.read_yaml(source, aliases=aliases)


def read_or_default(read: Value, source: Value, default: tuple[Value, ...]) -> Value:
    """Return the data of a text; the default, if there is one, for invalid or no data.

    Args:
        read: Reads the text; raises Failure if it is invalid.
        source: The text.
        default: The default, or nothing. Further arguments of a call are ignored.
    """
    try:
        data = read(source)
    except Failure:
        if default:
            return default[0]
        raise
    return data if data is not None and data is not False else (*default, None)[0]


@function(
    "parsejson(Any p0, Any p1*)",
    count="READER_ARGUMENT_COUNT",
    usage=("parsejson(String text, Any default?)",),
)
def parsejson(source: Value, *default: Value) -> Value:
    """Parse JSON; return the second argument, if there is one, for invalid JSON.

    > parsejson('{"a": [1, null]}')
    {'a' => [1, undef]}

    > parsejson('{', 'default')
    'default'
    """
    return read_or_default(read_json, source, default)


@function("parsepson(String[1] pson_string, Any default?)")
def parsepson(source: Value, *default: Value) -> Value:
    """Parse PSON, an old form of JSON.

    > parsepson('{"a": 1}')
    {'a' => 1}
    """
    return read_or_default(_read_pson, source, default)


def _read_pson(source: str) -> Value:
    require(re.match(r"\s*+[\[{]", source), "NO_PSON", text=source)
    return read_json(source)


@function(
    "parseyaml(Any p0, Any p1*)",
    count="READER_ARGUMENT_COUNT",
    usage=("parseyaml(String text, Any default?)",),
)
def parseyaml(source: Value, *default: Value) -> Value:
    """Parse YAML; return the second argument, if there is one, for invalid YAML.

    > parseyaml('a: 1')
    {'a' => 1}

    > parseyaml('a: [', 'default')
    'default'
    """
    return read_or_default(read_yaml, source, default)


def _load(scope: Scope, name: str, path: Value, default: tuple[Value, ...], read: Value) -> Value:
    """Return the data of a file; the default, if there is one, without a file or data."""
    if type(path) is not str:
        if default:
            return default[0]
        raise make_no_method_failure("start_with?", path)
    require(not re.match(r"https?://", path), "NO_NETWORK", function=name)
    location = sandbox.locate(scope, name, path, "files")
    if location is None:
        scope.runtime.log("warning", f"Can't load '{format_value(path)}' File does not exist!")
        return default[0] if default else None
    return read_or_default(read, sandbox.read_text(scope, name, location), default)


@function("loadyaml(Any p0, Any p1*)", context=True, usage=("loadyaml(String path, Any default?)",))
def loadyaml(scope: Scope, path: Value, *default: Value) -> Value:
    """Return the data of a YAML file, or the second argument if it does not exist.

    > loadyaml('no_such_module/such.yaml', { 'a' => 1 })
    warning: Can't load 'no_such_module/such.yaml' File does not exist!
    {'a' => 1}
    """
    return _load(scope, "loadyaml", path, default, read_yaml)


@function("loadjson(Any p0, Any p1*)", context=True, usage=("loadjson(String path, Any default?)",))
def loadjson(scope: Scope, path: Value, *default: Value) -> Value:
    """Return the data of a JSON file, or the second argument if it does not exist.

    > loadjson('no_such_module/such.json', {})
    warning: Can't load 'no_such_module/such.json' File does not exist!
    {}
    """
    return _load(scope, "loadjson", path, default, read_json)
