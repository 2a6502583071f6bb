"""The form of all rules that recognize a mistake, and of tables of rules.

A rule is data: what it applies to, a test, a message and a fix. There are tables of rules for syntax errors and other
errors of the parser (`advice`), for programs that are allowed but hardly meant (`lexer_parser.lint`) and for errors of
evaluation (`evaluator.help`). The rules of a table are tried in its order: a more specific rule precedes a general one.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, ParamSpec

from lexer_parser.errors import Note
from lexer_parser.record import Record

P = ParamSpec("P")


class RuleMatch:
    """A mistake that a rule has recognized: the words for its message, and its places.

    Attributes:
        words: The values for the names in the rule's message and fix.
        notes: Secondary places that help to understand the mistake.
        span: The start and end offset in the source, for rules that examine a whole program.
    """

    def __init__(self, *notes: Note, span: tuple[int, int] | None = None, **words: object) -> None:
        self.words: dict[str, Any] = words
        self.notes = notes
        self.span = span


class Advice(Record):
    """The advice about an error: help, perhaps the text to write instead, and places."""

    help: str
    fix: str = ""
    notes: tuple[Note, ...] = ()


Matches = RuleMatch | Iterable[RuleMatch] | bool | None
Test = Callable[P, Matches]


class Rule(Generic[P]):
    """A rule that recognizes one mistake.

    Attributes:
        applies_to: The codes of the issues, or the classes of the nodes, to which the rule applies.
        test: Recognizes the mistake. It returns a RuleMatch, several of them, or simply True; None or False means that
            there is no mistake.
        message: A sentence in `str.format` syntax; for the linter, the code of an issue.
        fix: The code to write instead, in `str.format` syntax.
    """

    def __init__(
        self, applies_to: Hashable | tuple[Hashable, ...], test: Test[P], message: str, fix: str = ""
    ) -> None:
        self.applies_to = applies_to if isinstance(applies_to, tuple) else (applies_to,)
        self.test = test
        self.message = message
        self.fix = fix

    def matches(self, *args: P.args, **kwargs: P.kwargs) -> Iterable[RuleMatch]:
        """Return the matches of the test. No generator: the linter calls this for every node."""
        result = self.test(*args, **kwargs)
        if result is None or result is False:
            return ()
        if isinstance(result, RuleMatch):
            return (result,)
        return (RuleMatch(),) if result is True else result

    def advise(self, match: RuleMatch, words: dict[str, Any]) -> Advice:  # what `str.format` takes
        """Return the advice for a match; `words` has words that all rules of a table can use."""
        all_words = ChainMap(match.words, words)
        return Advice(self.message.format_map(all_words), self.fix.format_map(all_words), match.notes)


class RuleTable(Generic[P]):
    """Rules in the order in which they are tried, indexed by what they apply to."""

    def __init__(self, rules: Iterable[Rule[P]]) -> None:
        self._rules: dict[Hashable, list[Rule[P]]] = {}
        for rule in rules:
            for subject in rule.applies_to:
                self._rules.setdefault(subject, []).append(rule)

    def __contains__(self, subject: Hashable) -> bool:
        return subject in self._rules

    def rules_for(self, subject: Hashable) -> Sequence[Rule[P]]:
        """Return the rules for a subject in the order of the table."""
        return self._rules.get(subject, ())

    def first(
        self, subject: Hashable, /, *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Rule[P], RuleMatch] | None:
        """Return the first rule that recognizes its mistake, with its match; None if no rule does."""
        for rule in self.rules_for(subject):
            for match in rule.matches(*args, **kwargs):
                return rule, match
        return None
