"""The rule for all files that this program writes: they hold no input with a secret.

The history of inputs, the files of `%save`, and the messages of log points follow it.
"""

from __future__ import annotations

import re

from evaluator.program import lifetimes
from lexer_parser import SPEC, PuppetError, tokenize

NOT_WRITTEN = "# an input with a secret is not written"
_WORD = "Sensitive"
_TYPES = (_WORD, f"::{_WORD}")
_CODE_IN_STRING = "<%"  # of a template
# The lines at the beginning of an input that ask for help about names, and comments.
_QUESTIONS = re.compile(r"\A(?:[ \t]*+(?:(?:\?|%help\b)[^\n'\"]*+|#[^\n]*+)(?:\n|\Z))++")


def holds_secret(source: str, shown: str = "") -> bool:
    """Return True for an input that must not be written to a file.

    That is one in whose code the lexer finds the word `Sensitive`, and one that has shown a value which the data of
    Hiera keep encrypted.

    Args:
        source: The input: commands and code.
        shown: What the input has shown.
    """
    if lifetimes.has_secret(source) or lifetimes.has_secret(shown):
        return True
    if _WORD not in source:
        return False
    code = _QUESTIONS.sub("", source)
    try:
        tokens = tokenize(code, SPEC)
    except PuppetError:  # not even a program: it is not known which part is code
        return _WORD in code
    return any(
        value in _TYPES if kind == "CLASSREF" else _CODE_IN_STRING in (text := str(value)) and _WORD in text
        for kind, value, *_ in tokens
    )
