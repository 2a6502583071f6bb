"""What cells provide to each other: found by comparing states and by reading the names that a cell mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from evaluator.program.state import State
from lexer_parser.tree import nodes


class Provided:
    """What a cell adds: variables of the top scope, named things, and resources.

    words      names of classes, defines, functions and types defined, and of classes evaluated, lower case
    resources  keys (type, title) of resources declared
    """

    __slots__ = ("resources", "variables", "words")

    def __init__(
        self,
        variables: Iterable[str] = (),
        words: Iterable[str] = (),
        resources: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.variables = set(variables)
        self.words = set(words)
        self.resources = set(resources)

    def add(self, other: Provided) -> None:
        """Also counts what another cell provides."""
        self.variables |= other.variables
        self.words |= other.words
        self.resources |= other.resources


# Functions that read variables which no node names: those of a template in a file, those that a text names.
_READERS_OF_FILES = {"epp", "template"}
_READERS_OF_TEXTS = {"getvar", "defined", "inline_epp", "inline_template"}
_VARIABLE_IN_TEXT = re.compile(r"(?:^|[$@])(?:::)?([a-z_]\w*)")


class Mentions:
    """The names that occur in a cell: enough to tell what it may depend on.

    anything  true when the cell may read any variable
    """

    __slots__ = ("anything", "strings", "variables", "words")

    def __init__(self, program: nodes.Node) -> None:
        self.variables: set[str] = set()
        self.words: set[str] = set()
        self.strings: set[str] = set()
        for node in nodes.walk(program):
            self._read(node)
        self.anything = not self.words.isdisjoint(_READERS_OF_FILES)
        if not self.words.isdisjoint(_READERS_OF_TEXTS):
            self.variables.update(name for text in self.strings for name in _VARIABLE_IN_TEXT.findall(text))

    def _read(self, node: Any) -> None:
        if isinstance(node, nodes.Variable):
            owner, _, name = node.name.removeprefix("::").rpartition("::")
            if owner:
                self.words.add(owner)
            else:
                self.variables.add(name)
        elif isinstance(node, nodes.Name | nodes.TypeName | nodes.String):
            self.words.add(node.value.removeprefix("::").lower())
            self.strings.add(node.value)
        elif isinstance(node, nodes.Class) and node.parent:
            self.words.add(node.parent.removeprefix("::"))

    def depend_on(self, provided: Provided) -> bool:
        """True when something provided is mentioned."""
        return bool(
            (provided.variables if self.anything else self.variables & provided.variables)
            or self.words & provided.words
            or any(type_ in self.words and title in self.strings for type_, title in provided.resources)
        )


def provided(before: State, after: State) -> Provided:
    """What running a cell added."""
    words: set[str] = after.classes.keys() - before.classes.keys()
    for kind in ("classes", "defines", "functions", "types"):
        words |= getattr(after.definitions, kind).keys() - getattr(before.definitions, kind).keys()
    return Provided(
        after.top.variables.keys() - before.top.variables.keys(),
        words,
        after.catalog.resources.keys() - before.catalog.resources.keys(),
    )
