"""Texts that no file holds may still be typed or computed: half a surrogate pair, NUL. No function fails over them.

Each function gets each text in a third of the ways to call it; PUPPET_KERNEL_ALL_CALLS=1 makes all calls.
"""

import os

import pytest

from evaluator import Session
from evaluator.calling.registry import list_function_names

STEP = 1 if os.environ.get("PUPPET_KERNEL_ALL_CALLS") else 3
TEXTS = ("a\ud800", "\0", "\u202e{")

CALLS = ("$t", "$t, $t", "'%s', $t", "'a', $t, $t", "$t, 3", "3, $t", "[$t]", "{ $t => $t }, $t")


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_no_function_has_a_defect(text):
    session = Session("puppet")
    defects = []
    for number, name in enumerate(list_function_names()):
        for arguments in CALLS[(number + TEXTS.index(text)) % STEP :: STEP]:
            outcome = session.run(f"with({_literal(text)}) |$t| {{ {name}({arguments}) }}")
            if outcome.error is not None and outcome.error.code == "INTERNAL_ERROR":
                defects.append((name, arguments, ascii(str(outcome.error))))
    assert not defects


def _literal(text):
    return "'" + text + "'"
