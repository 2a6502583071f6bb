"""How the value of a name was found: the layers, levels and places that were asked, and what each gave.

An account is kept only while somebody asks for one: `runtime.account` is the one that is being written, or None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program import sandbox
from evaluator.program.scope import MISSING, Scope

if TYPE_CHECKING:
    from evaluator.program.protocols import ProgramContext


class Absent:
    """What stands for the answer of a file that is not there."""


ABSENT = Absent()


class LookupStep:
    """A place that was asked.

    layer   what the layer is called, with the file that lists its levels;  level  what the level is called
    place   the file or other location, "" for none
    answer  the value, MISSING when the place has none, ABSENT when there is no such file
    line    where the value stands in the file, None where that cannot be said
    nested  the accounts of names that were looked up to fill in what the value names
    reached false when others had decided before it was asked
    """

    __slots__ = ("answer", "is_reached", "layer", "level", "line", "nested", "place")

    def __init__(self, layer: str, level: str, place: str, answer: Any, nested: list[LookupTrace]) -> None:
        self.layer = layer
        self.level = level
        self.place = place
        self.answer = answer
        self.line: int | None = None
        self.nested = nested
        self.is_reached = True

    @property
    def has_value(self) -> bool:
        """Whether the place has the name."""
        return self.answer is not MISSING and self.answer is not ABSENT


class LookupTrace:
    """How a name was looked up.

    asked    the places that were asked, in order;  layer  what the layer is called that is being asked
    value    what came out in the end, MISSING for nothing
    merge    the strategy, None for the first value;  found  the value before it was converted
    decided  whether those that are asked from now on make no difference
    convert  what the value was converted to, None for nothing;  options  where the options of the name stand
    nested   accounts of names that were looked up meanwhile and belong to no place
    """

    __slots__ = (
        "convert",
        "found",
        "is_decided",
        "layer",
        "merge",
        "name",
        "nested",
        "options",
        "steps",
        "value",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.steps: list[LookupStep] = []
        self.layer = ""
        self.merge: Any = None
        self.convert: Any = None
        self.is_decided = False
        self.options: LookupStep | None = None
        self.found: Any = MISSING
        self.value: Any = MISSING
        self.nested: list[LookupTrace] = []

    def add_step(self, scope: Scope, level: str, place: str, path: Sequence[Any], answer: Any) -> None:
        """Notes down the answer of a place of a level: of the file, in which the value stands under `path`."""
        entry = LookupStep(self.layer, level, place, answer, self.nested)
        self.nested = []
        entry.is_reached = not self.is_decided
        if entry.has_value and place:
            entry.line = find_line(scope, place, path)
        self.steps.append(entry)

    def extract_options(self, scope: Scope, told: LookupTrace, path: Sequence[Any]) -> None:
        """Keeps of the account of all options where those of the name stand, if there are: under `path` in a file."""
        self.nested.remove(told)
        name = path[-1]
        holding = [one for one in told.steps if type(one.answer) is dict and name in one.answer]
        if holding:  # the less important layers are asked first
            self.options = next(one for one in holding if one.layer == holding[-1].layer)
            self.options.answer = self.options.answer[name]
            self.options.line = find_line(scope, self.options.place, path) if self.options.place else None


@contextmanager
def recording(runtime: ProgramContext, name: str) -> Iterator[LookupTrace]:
    """Keeps the account of a name, and adds it to the one within which it is looked up."""
    outer = runtime.trace
    account = LookupTrace(name)
    try:
        runtime.trace = account  # in here, as an interrupt may come right behind it
        yield account
    finally:
        runtime.trace = outer
        if outer is not None:
            outer.nested.append(account)


def find_line(scope: Scope, path: str, names: Sequence[Any]) -> int | None:
    """The line of a file of YAML or JSON in which the value stands that names lead to; None where it has none."""
    import yaml

    try:
        node = yaml.compose(sandbox.read_text(scope, "lookup", path), Loader=yaml.SafeLoader)
    except (Failure, yaml.YAMLError):
        return None
    line = None
    for name in names:
        if not isinstance(node, yaml.MappingNode):
            return line
        pair = next((pair for pair in node.value if pair[0].value == str(name)), None)
        if pair is None:
            return line
        line, node = pair[0].start_mark.line + 1, pair[1]
    return line
