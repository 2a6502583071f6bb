"""Assistance for users who type: completion, inspection, explanation, and the reference of the language."""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.assistance.assistant import Assistant
    from evaluator.assistance.candidates import Candidate
    from evaluator.assistance.cards import Card
    from evaluator.assistance.completion import Completions

__all__ = ["Assistant", "Candidate", "Card", "Completions"]

__getattr__ = lazy_attributes(
    __name__,
    {
        "Assistant": "assistant",
        "Candidate": "candidates",
        "Card": "cards",
        "Completions": "completion",
    },
)
