"""stdlib: words and lines of commands, for the shells of Unix and Windows."""

from __future__ import annotations

import re
from typing import Any

from evaluator.calling.registry import function
from evaluator.issues import Failure
from evaluator.values.host_messages import inspect
from evaluator.values.host_values import shown
from evaluator.values.slices import changed


def shell_word(word: str) -> str:
    """A word as a Unix shell reads it back."""
    if not word:
        return "''"
    return changed(word, _as_word)


def _as_word(word: str) -> str:
    return re.sub(r"[^A-Za-z0-9_\-.,:+/@\n]", r"\\\g<0>", word).replace("\n", "'\n'")


@function("shell_escape(Any string)")
def shell_escape(value: Any) -> str:
    r"""Escapes a text so that a Unix shell reads it as one word.

    > shell_escape('a b')
    'a\ b'
    """
    return shell_word(shown(value))


@function("shell_join(Any p0)")
def shell_join(words: Any) -> str:
    r"""Joins words into a command line, each escaped.

    > shell_join(['ls', 'a b'])
    'ls a\ b'
    """
    if type(words) is not list:
        raise Failure("SHELL_JOIN_ARRAY", value=inspect(words))
    return " ".join(shell_word(shown(word)) for word in words)


_WORD_PART = re.compile(
    r"""([^\s\\'"]+)|'([^']*)'|"((?:[^"\\]++|\\.)*+)"|(\\.?)|(\s+)|.""", re.DOTALL | re.ASCII
)


@function("shell_split(Any p0)")
def shell_split(line: Any) -> list[str]:
    """Splits a command line into words as a Unix shell does.

    > shell_split('ls "a b" c')
    ['ls', 'a b', 'c']
    """
    words: list[str] = []
    open_word = False
    for part in _WORD_PART.finditer(shown(line)):
        plain, single, double, escaped, gap = part.groups()
        if part.lastindex is None:
            raise Failure("UNMATCHED_QUOTE", value=inspect(shown(line)))
        if gap is None:
            words += [] if open_word else [""]
            words[-1] += plain or single or _unquoted(double or "") or (escaped or "")[-1:]
        open_word = gap is None
    return words


def _unquoted(string: str) -> str:
    """What stands in double quotes; a backslash only escapes what is special there."""
    # with a function in place of a text there are calls between which it can be stopped
    return re.sub(r'\\([$`"\\\n])', lambda found: found[1], string)


@function("batch_escape(Any string)")
def batch_escape(value: Any) -> str:
    """Quotes a text for a Windows batch file.

    > batch_escape('a b')
    '"a b"'
    """
    escaped = shown(value).replace('"', '""')
    return '"' + escaped.replace("\\", "\\\\").replace("$", "\\$") + '"'


@function("powershell_escape(Any string)")
def powershell_escape(value: Any) -> str:
    """Escapes a text for PowerShell.

    > powershell_escape('a b')
    'a` b'
    """
    return changed(shown(value), lambda part: re.sub(r"[ $'`|\n]", r"`\g<0>", part).replace('"', '\\`"'))
