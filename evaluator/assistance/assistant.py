"""The assistance of a session as one object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaluator.assistance.candidates import Candidate, iterate_variables
from evaluator.assistance.cards import Card
from evaluator.assistance.completion import Completions, complete
from evaluator.assistance.explain.expressions import explain_expression
from evaluator.assistance.inspection import find_cards, inspect, list_names, list_topics

if TYPE_CHECKING:
    from evaluator.session.session import Session
    from evaluator.types.learner_wording import Explanation
    from evaluator.values import Value


class Assistant:
    """The assistance of a session for users who type. It reads the session and changes nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def complete(self, source: str, cursor: int) -> Completions:
        """Return the candidates for the word at the cursor, an offset in characters."""
        return complete(self._session, source, cursor)

    def inspect(self, source: str, cursor: int) -> Card | None:
        """Return a card about the name at the cursor, or about the function around it; None if there is neither."""
        return inspect(self._session, source, cursor)

    def find_cards(self, name: str) -> list[Card]:
        """Return the cards of everything with a name, in the program and in the language."""
        return find_cards(self._session, name)

    def list_names(self, table: str, text: str = "") -> list[Candidate]:
        """Return the "functions" or "classes" (`table`) with a text in their name or description."""
        return list_names(self._session, table, text)

    def list_topics(self) -> list[str]:
        """Return the names that `find_cards` knows, except variables."""
        return list_topics(self._session)

    def explain(self, source: str) -> Explanation | None:
        """Return why an expression has its value, None if there is nothing to explain.

        Raises:
            PuppetError: The expression cannot be parsed, or evaluating its parts fails.
        """
        return explain_expression(self._session, source)

    def iterate_variables(self) -> Iterator[tuple[str, Value]]:
        """Yield the names and values of the top scope's variables, then of each evaluated class's, qualified."""
        return iterate_variables(self._session)
