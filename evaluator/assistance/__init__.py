"""Help while typing: completion, inspection, and the words about the language."""

from evaluator.assistance.candidates import all_variables
from evaluator.assistance.completion import complete
from evaluator.assistance.inspection import inspect, named_cards
from evaluator.assistance.reasons import reason
from evaluator.assistance.topics import topics

__all__ = ["all_variables", "complete", "inspect", "named_cards", "reason", "topics"]
