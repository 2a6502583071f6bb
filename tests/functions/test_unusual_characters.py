"""No function has an internal error with unusual characters.

They are a lone surrogate, which no file contains, but which a program can compute; a NUL; and a control character for
text direction. Each function is called with each text in a third of the ways to pass it; `PUPPET_KERNEL_ALL_CALLS=1`
tries all.
"""

import os

import pytest

from evaluator import Session
from evaluator.calling.registry import list_function_names

STEP = 1 if os.environ.get("PUPPET_KERNEL_ALL_CALLS") else 3
TEXTS = ("a\ud800", "\0", "\u202e{")

CALLS = ("$t", "$t, $t", "'%s', $t", "'a', $t, $t", "$t, 3", "3, $t", "[$t]", "{ $t => $t }, $t")


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_no_function_has_an_internal_error(text):
    session = Session("puppet")
    defects = []
    for number, name in enumerate(list_function_names()):
        for arguments in CALLS[(number + TEXTS.index(text)) % STEP :: STEP]:
            outcome = session.run(f"with({quote_text(text)}) |$t| {{ {name}({arguments}) }}")
            if outcome.error is not None and outcome.error.code == "INTERNAL_ERROR":
                defects.append((name, arguments, ascii(str(outcome.error))))
    assert not defects


def quote_text(text):
    return "'" + text + "'"
