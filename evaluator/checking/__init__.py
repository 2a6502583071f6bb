"""Checks what programs name, without running them: functions, classes, types, attributes, variables; and cycles.

Most programs name what is built in or their own, which is told by tables; the rest is loaded when a name is none of
them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evaluator import resource_types
from evaluator.calling.index import MODULES
from evaluator.checking.reading import FILLED, Body, Reading, Use
from evaluator.checking.relations import Part, Parts, orders, parts_of
from lexer_parser.check import findings
from lexer_parser.dialect import DIALECTS, PUPPET, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes
from lexer_parser.validation.walk import Diagnostic

if TYPE_CHECKING:
    from evaluator.checking.world import Inputs, World

# the data types that most programs name, so that few need to load what knows them all
COMMON = frozenset(
    {
        *("any", "array", "boolean", "callable", "catalogentry", "class", "collection", "data", "default"),
        *("enum", "float", "hash", "integer", "notundef", "numeric", "optional", "pattern", "regexp"),
        *("resource", "scalar", "sensitive", "string", "struct", "tuple", "type", "undef", "variant"),
    }
)


def check(source: str, dialect: str = "spec", name: str | None = None, **settings: Any) -> list[Diagnostic]:
    """The errors, ten at most, and warnings of a manifest in the order of its text; nothing is run.

    settings  what a Session is given by name, such as `modulepath`, `facts`, `environment` and `strict`
    Raises ValueError for an unknown dialect, and for an environment that is none.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"there is no dialect '{dialect}'; there are: {', '.join(DIALECTS)}")
    checks = Checks([("code", source)], read_text, lambda: settings)
    language = DIALECTS[dialect]
    modulepath = [os.path.abspath(root) for root in settings.get("modulepath", ())]
    return findings(
        *(source, language, name),
        modulepath=modulepath,
        look=lambda program: checks.check(program, language, name and os.path.abspath(name)),
    )


def read_text(path: str) -> str:
    """The text of a file. Raises ValueError when it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as problem:
        raise ValueError(f"cannot read {path}: {problem.strerror}") from None


class Checks:
    """Checks the names of programs that belong together, one after the other.

    inputs    pairs ("code", text) or ("file", path): what one defines the others may name
    read      gives the text of a file; raises ValueError when it cannot be read
    settings  gives what a Session of theirs would be given, by name: `modulepath`, `environment`, `facts` …
    """

    def __init__(
        self, inputs: Inputs, read: Callable[[str], str], settings: Callable[[], Mapping[str, Any]]
    ) -> None:
        self._given = inputs, read, settings
        self._world: World | None = None
        self._parts: dict[str, Parts] = {}  # of the files that were checked

    @property
    def world(self) -> World:
        """What there is to name. Raises ValueError for an environment that is none."""
        if self._world is None:
            from evaluator.checking.world import World

            inputs, read, settings = self._given
            self._world = World(inputs, read, settings())
        return self._world

    def check(self, program: nodes.Program, dialect: Dialect, path: str | None = None) -> list[Diagnostic]:
        """What is wrong with the names of a program, and the cycles that it certainly makes."""
        reading = Reading(program)
        uses = [use for use in reading.uses if not is_plain(use, reading)]
        found: list[Diagnostic] = []
        if uses:
            from evaluator.checking.judging import Judge

            judge = Judge(self.world, reading, program.source, path, dialect)
            found += judge.judge(uses)
        parts = parts_of(program)
        if path is not None and program.source.name is not None:
            self._parts[program.source.name] = parts
        closed = [order for order in orders(parts) if order.has_cycle]
        if closed:
            from evaluator.checking.ordering import cycles

            severity = "error" if dialect is PUPPET else "warning"
            found += (Diagnostic(cycle, severity) for cycle in cycles(closed, program.source))
        return found

    def cycles_together(self) -> Iterator[tuple[str, PuppetError]]:
        """The cycles that files which were checked make together, each with the name of the file where it is told."""
        files = self._parts
        if len(files) < 2 or not any(part.steps for parts in files.values() for part in parts.values()):
            return
        from evaluator.checking.together import Together

        _, read, settings = self._given
        yield from Together(files, read, settings().get("modulepath", ())).cycles()

    @property
    def shared(self) -> list[Any]:
        """What is kept of the files that were checked, as plain data, for another process."""
        return [
            (name, [(key, part.data) for key, part in parts.items()]) for name, parts in self._parts.items()
        ]

    def take(self, shared: list[Any]) -> None:
        """Takes what another process has kept."""
        for name, parts in shared:
            self._parts[name] = {key: Part.from_data(data) for key, data in parts}


def is_plain(use: Use, reading: Reading) -> bool:
    """Whether a name is the program's own, or known to everybody."""
    if use.kind == "variable":
        return _is_visible(use.name, use.body)
    if use.kind == "function":
        return use.name in MODULES or ("function", use.name) in reading.defined
    if use.kind == "data type":
        name = use.name.lower()
        known = name in COMMON or resource_types.is_known(name)
        return known or ("type", name) in reading.defined or ("define", name) in reading.defined
    if use.kind == "type":
        return resource_types.is_known(use.name) or ("define", use.name) in reading.defined
    if use.kind == "attribute":
        kind = use.owner[0]
        own = resource_types.facts(kind).attributes if resource_types.is_known(kind) else ()
        return use.name in resource_types.METAPARAMETERS or use.name in own
    return ("class", use.name) in reading.defined


def _is_visible(name: str, body: Body | None) -> bool:
    while body is not None:
        if name in body.names:
            return True
        body = body.around
    return name in FILLED
