"""What every issue code means, with a program that meets it and the same program mended, for `%explain CODE`."""

from __future__ import annotations

from functools import cache


class Explanation:
    """`words` say what the issue means; `wrong` is a program that has it, `right` the program mended."""

    __slots__ = ("code", "right", "words", "wrong")

    def __init__(self, code: str, words: str, wrong: str, right: str) -> None:
        self.code = code
        self.words = words
        self.wrong = wrong
        self.right = right

    @property
    def epp(self) -> bool:
        """Tells whether the examples are templates."""
        return self.code.startswith("EPP_") or self.code == "ILLEGAL_EPP_PARAMETERS"


@cache
def explanations() -> dict[str, Explanation]:
    """All explanations by code."""
    from evaluator.issues import every

    told = {code: (row.words, row.wrong, row.right) for code, row in every().items() if row.wrong}
    return {code: Explanation(code, *row) for code, row in told.items()}


def explain(code: str) -> Explanation | None:
    """The explanation of a code in any case; None when there is no such code."""
    return explanations().get(code.strip().upper())
