"""Texts that no file holds may still be typed or computed: half a surrogate pair, NUL. No function fails over them."""

import pytest

from evaluator import Session
from evaluator.calling.registry import names

TEXTS = ("a\ud800", "\0", "\u202e{")


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_no_function_has_a_defect(text):
    session = Session("puppet", interactive=True)
    defects = []
    for name in names():
        for arguments in (
            "$t",
            "$t, $t",
            "'%s', $t",
            "'a', $t, $t",
            "$t, 3",
            "3, $t",
            "[$t]",
            "{ $t => $t }, $t",
        ):
            outcome = session.run(f"with({_literal(text)}) |$t| {{ {name}({arguments}) }}")
            if outcome.error is not None and outcome.error.code == "INTERNAL_ERROR":
                defects.append((name, arguments, ascii(str(outcome.error))))
    assert not defects


def _literal(text):
    return "'" + text + "'"
