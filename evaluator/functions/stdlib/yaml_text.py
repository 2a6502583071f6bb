"""YAML: written as libyaml lays it out, and read within limits."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from evaluator.functions.stdlib.strings import decode_base64
from evaluator.functions.stdlib.yaml_scalars import is_special, read_plain
from evaluator.issues import Failure
from evaluator.limits import STRING, YAML
from evaluator.values import hash_of, items, text
from evaluator.values.core import DEFAULT
from evaluator.values.sharing import once

# --- Writing

WIDTH = 80
SYMBOL_FIRST = re.compile(r'^\W[^"]*$', re.MULTILINE)
UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]|[^\x00-\uffff]")
NOT_PLAIN = re.compile(r"""^$|^[\s"'!&*@`%#|>{\[}\],?:-]|\s$|: |:$| #""", re.DOTALL)
ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e", '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip


def write(data: Any, step: int = 2) -> str:
    """A YAML document of the data, indented by `step`."""
    if type(data) in (list, dict) and data:
        return "---\n" + "".join(line + "\n" for line in _lines(data, step))
    scalar = _scalar(data, 2, 4)
    return f"--- {scalar}\n" if scalar else "---\n"


@once
def _lines(again: Any, data: Any, step: int) -> list[str]:
    """The lines of a collection that has elements."""
    lines = _list_lines(again, data, step) if type(data) is list else _hash_lines(again, data, step)
    STRING.check(sum(map(len, lines)))
    return lines


def _list_lines(again: Any, data: list[Any], step: int) -> list[str]:
    lines: list[str] = []
    for value in data:
        if type(value) in (list, dict) and value:
            first, *others = again(value, step)
            lines.append("-" + " " * (step - 1) + first)
            lines += [" " * step + line for line in others]
        else:
            lines += _entry("-", value, step)
    return lines


def _hash_lines(again: Any, data: dict[Any, Any], step: int) -> list[str]:
    lines: list[str] = []
    for name, value in items(data):
        key_lines, simple = _key(again, name, step)
        if not simple:
            lines += key_lines
        head = key_lines[0] if simple else ":"
        if type(value) is list and value:
            lines.append(head)
            lines += again(value, step)
        elif type(value) is dict and value:
            lines.append(head)
            lines += [" " * step + line for line in again(value, step)]
        else:
            lines += _entry(head, value, step)
    return lines


def _key(again: Any, name: Any, step: int) -> tuple[list[str], bool]:
    """A key as `key:`, or as lines that begin with `? `."""
    if type(name) in (list, dict) and name:
        nested = again(name, step)
    else:
        scalar = "! ''" if name is None else _scalar(name, step, 0)
        if "\n" not in scalar:
            return [f"{scalar}:"], True
        nested = scalar.split("\n")
    return [
        f"? {nested[0]}",
        *(f"  {line}" if type(name) in (list, dict) else line for line in nested[1:]),
    ], False


def _entry(head: str, value: Any, step: int) -> list[str]:
    """The lines of a scalar, or of an empty collection, after `head`."""
    scalar = _scalar(value, step, len(head) + 1)
    return f"{head} {scalar}".rstrip(" ").split("\n") if scalar else [head]


def _scalar(value: Any, step: int, column: int) -> str:
    if value is None:
        return ""
    if type(value) is str:
        return _string(value, step, column)
    if type(value) in (list, dict):
        return "[]" if type(value) is list else "{}"
    if value is DEFAULT:
        return ":default"
    shown = text(value)
    return shown if type(value) in (bool, int, float) else _string(shown, step, column)


def _string(string: str, step: int, column: int) -> str:
    if UNPRINTABLE.search(string):
        return _double(string)
    if re.search(r"\n(?!\n?\Z)", string):
        return _double(string) if string.endswith(" ") else _literal(string, step)
    if string == "<<":
        return "!!str '<<'"
    if string in ("y", "n") or SYMBOL_FIRST.search(string):
        return _double(string)
    if is_special(string) or NOT_PLAIN.search(string):
        return "'" + string.replace("'", "''").replace("\n", "\n\n" + " " * step) + "'"
    return _folded(string, step, column)


def _double(string: str) -> str:
    return '"' + "".join(_escaped(char) for char in string) + '"'


def _escaped(char: str) -> str:
    if char in ESCAPES:
        return "\\" + ESCAPES[char]
    if not UNPRINTABLE.match(char):
        return char
    code = ord(char)
    return f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}" if code < 65536 else f"\\U{code:08X}"


def _literal(string: str, step: int) -> str:
    hint = str(step) if string[0] in " \n" else ""
    chomp = "" if string.endswith("\n") else "-"
    body = string.removesuffix("\n").split("\n")
    return "\n".join([f"|{hint}{chomp}", *(" " * step + line if line else "" for line in body)])


def _folded(string: str, step: int, column: int) -> str:
    """Plain text, broken at single blanks once a line is wider than the width."""
    if len(string) + column <= WIDTH:
        return string
    parts: list[str] = []
    for piece in re.split(r"(?<! ) (?! )", string):
        if parts and column > WIDTH:
            parts.append("\n" + " " * step)
            column = step
        elif parts:
            parts.append(" ")
            column += 1
        parts.append(piece)
        column += len(piece)
    return "".join(parts)


# --- Reading

MAX_DEPTH = 100
MAX_ALIASES = 10_000


def read(source: str, *, aliases: bool = False) -> Any:
    """The data of the first document. Raises Failure; tags of other types are refused, as aliases are by default."""
    import yaml

    YAML.check(len(source))
    try:
        _check_events(source, MAX_ALIASES if aliases else 0)
        loader = _plain_loader()(source)
        node = loader.get_node() if loader.check_node() else None
        return _Values().of(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1} column {mark.column + 1}" if mark else ""
        raise Failure("YAML_SYNTAX", problem=f"{error.problem} {error.context or ''}{where}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise Failure("YAML_SYNTAX", problem=str(error)) from None


def _check_events(source: str, most_aliases: int) -> None:
    import yaml

    depth = aliases = 0
    for event in yaml.parse(source, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.DocumentEndEvent):
            break
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
            if not most_aliases:
                raise Failure("YAML_ALIAS", name=event.anchor)
            if aliases > most_aliases:
                raise Failure("YAML_ALIASES", number=f"{most_aliases:,}")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise Failure("YAML_DEPTH", number=MAX_DEPTH)


_TAG = "tag:yaml.org,2002:"
_PLAIN = "plain"  # the tag of text that stands without quotes and without a tag
_REFUSED = re.compile(r"!ruby/(?!sym)(?:\w+:)?(\w)([\w:]*)")


@cache
def _plain_loader() -> Any:
    import yaml

    class PlainLoader(yaml.SafeLoader):
        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            if kind is yaml.ScalarNode and implicit[0]:
                return _PLAIN
            resolve: Any = super().resolve
            return resolve(kind, value, implicit)

    return PlainLoader


class _Values:
    """Makes the values of nodes; where aliases stand for a node, its value is shared."""

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}

    def of(self, node: Any) -> Any:
        """The value of a node. Raises Failure."""
        if node.id == "scalar":
            return _scalar_value(_checked(node))
        if id(node) not in self._known:
            self._known[id(node)] = _UNFINISHED
            self._known[id(node)] = self._collection(_checked(node))
        found = self._known[id(node)]
        if found is _UNFINISHED:
            raise Failure("YAML_CYCLE")
        return found

    def _collection(self, node: Any) -> Any:
        if node.id == "mapping":
            return self._mapping(node)
        parts = [self.of(child) for child in node.value]
        return hash_of(pair for part in parts for pair in items(part)) if node.tag == f"{_TAG}omap" else parts

    def _mapping(self, node: Any) -> dict[Any, Any]:
        pairs: list[tuple[Any, Any]] = []
        for key_node, value_node in node.value:
            name, value = self.of(key_node), self.of(value_node)
            merged = value[::-1] if type(value) is list else [value]
            if name == "<<" and all(type(part) is dict for part in merged):
                pairs += [pair for part in merged for pair in items(part)]
            else:
                pairs.append((name, value))
        return hash_of(pairs)


_UNFINISHED = object()


def _checked(node: Any) -> Any:
    refused = _REFUSED.match(node.tag)
    if refused is not None:
        raise Failure("YAML_CLASS", name=f"{refused[1].upper()}{refused[2]}")
    if node.tag == f"{_TAG}set":
        raise Failure("YAML_CLASS", name="Psych::Set")
    return node


def _scalar_value(node: Any) -> Any:
    if node.tag == f"{_TAG}binary":
        return decode_base64(node.value)
    if node.tag == f"{_TAG}str":
        return node.value
    value = read_plain(node.value)
    return float(value) if node.tag == f"{_TAG}float" and type(value) is int else value
