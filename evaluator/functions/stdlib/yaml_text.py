"""A writer of YAML in the layout of libyaml."""

from __future__ import annotations

import re

from evaluator.functions.stdlib.yaml_scalars import is_special
from evaluator.limits import STRING
from evaluator.values import Value, items, text
from evaluator.values.core import DEFAULT
from evaluator.values.sharing import once
from evaluator.values.slices import slices

WIDTH = 80
# a plain scalar that begins with a colon, as Ruby's symbols do
SYMBOL_FIRST = re.compile(r'^\W[^"]*$', re.MULTILINE)
# characters that need an escape in double quotes
UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]|[^\x00-\uffff]")
# text that is not read as a String: an indicator of YAML, and a blank or a colon at the end
NOT_PLAIN_FIRST = re.compile(r"""$|[\s"'!&*@`%#|>{\[}\],?:-]""")
NOT_PLAIN_LAST = re.compile(r"[\s:]$")
ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e", '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip


def write(data: Value, step: int = 2) -> str:
    """Return a YAML document of the data, indented by `step` columns."""
    if type(data) in (list, dict) and data:
        return "---\n" + "".join(line + "\n" for line in _lines(data, step))
    scalar = _scalar(data, 2, 4)
    return f"--- {scalar}\n" if scalar else "---\n"


@once
def _lines(again: Value, data: Value, step: int) -> list[str]:
    """Return the lines of a collection with elements."""
    lines = _list_lines(again, data, step) if type(data) is list else _hash_lines(again, data, step)
    STRING.check(sum(map(len, lines)))
    return lines


def _list_lines(again: Value, data: list[Value], step: int) -> list[str]:
    lines: list[str] = []
    for value in data:
        if type(value) in (list, dict) and value:
            first, *others = again(value, step)
            lines.append("-" + " " * (step - 1) + first)
            lines += [" " * step + line for line in others]
        else:
            lines += _entry("-", value, step)
    return lines


def _hash_lines(again: Value, data: dict[Value, Value], step: int) -> list[str]:
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


def _key(again: Value, name: Value, step: int) -> tuple[list[str], bool]:
    """Return a key as `key:`, or as lines that begin with `? `."""
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


def _entry(head: str, value: Value, step: int) -> list[str]:
    """Return the lines of a scalar, or of an empty collection, after `head`."""
    scalar = _scalar(value, step, len(head) + 1)
    return f"{head} {scalar}".rstrip(" ").split("\n") if scalar else [head]


def _scalar(value: Value, step: int, column: int) -> str:
    """Return the text of a value without elements.

    Its first line begins at `column`, the others at `step`.
    """
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
    """Return a String in the first form that fits: escaped, as a block, in quotes, or plain."""
    if any(map(UNPRINTABLE.search, slices(string))):
        return _double(string)
    if re.search(r"\n(?!\n?\Z)", string):  # a line end before the end
        return _double(string) if string.endswith(" ") else _literal(string, step)
    if string == "<<":  # a key of that name merges another hash
        return "!!str '<<'"
    if string in ("y", "n") or SYMBOL_FIRST.search(string):
        return _double(string)
    if is_special(string) or not _is_plain(string):
        return "'" + string.replace("'", "''").replace("\n", "\n\n" + " " * step) + "'"
    return _folded(string, step, column)


def _is_plain(string: str) -> bool:
    """Return whether a String can be written without quotes, judged by its characters."""
    if NOT_PLAIN_FIRST.match(string) or NOT_PLAIN_LAST.search(string, max(len(string) - 2, 0)):
        return False
    return ": " not in string and " #" not in string


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
    """Return a literal block.

    A number is its indentation if the text begins with a blank, `-` no final line end.
    """
    hint = str(step) if string[0] in " \n" else ""
    chomp = "" if string.endswith("\n") else "-"
    body = string.removesuffix("\n").split("\n")
    return "\n".join([f"|{hint}{chomp}", *(" " * step + line if line else "" for line in body)])


def _folded(string: str, step: int, column: int) -> str:
    """Return plain text, broken at single blanks where a line exceeds the width."""
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
