"""The trace of a lookup: the layers, levels and places it queried, and their replies.

A trace is written only on request: `runtime.trace` is the one that is being written, or None.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program import sandbox
from evaluator.program.definitions import MISSING, Scope
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime
    from evaluator.values.kind import Value


ABSENT: Any = object()  # the answer of a place whose file does not exist


class LookupStep(Record):
    """A place that was queried.

    Attributes:
        layer: The label of the layer, with the file that lists its levels.
        level: The label of the level.
        place: The file or other location; "" for none.
        answer: The value; MISSING if the place has none, ABSENT if the file does not exist.
        line: The line of the value in the file; None where that is unknown.
        nested: The traces of names that were looked up to interpolate the value.
        is_reached: False if the value was decided before this place was queried.
    """

    layer: str
    level: str
    place: str
    answer: Value
    nested: list[LookupTrace]
    line: int | None = None
    is_reached: bool = True

    @property
    def has_value(self) -> bool:
        """True when the place has a value for the name."""
        return self.answer is not MISSING and self.answer is not ABSENT


class LookupTrace(Record):
    """A trace of how a name was looked up.

    Attributes:
        name: The name that was looked up.
        steps: The places that were queried, in order.
        layer: The label of the layer that is being queried.
        merge: The merge strategy; None for the first value.
        is_decided: True as soon as further places cannot change the result.
        convert: The type that the value was converted to; None for none.
        value: The result of the lookup; MISSING for none.
        options: The place of the name's lookup options.
        nested: The traces of other names that were looked up during the lookup and belong to no place.
    """

    name: str
    steps: list[LookupStep] = fresh(factory=list)
    layer: str = ""
    merge: Value = None
    is_decided: bool = False
    convert: Value = None
    value: Value = MISSING
    options: LookupStep | None = None
    nested: list[LookupTrace] = fresh(factory=list)

    def add_step(self, scope: Scope, level: str, place: str, keys: Sequence[Value], answer: Value) -> None:
        """Record the answer of a place.

        Args:
            scope: The scope of the lookup.
            level: The label of the level.
            place: The file or other location; "" for none.
            keys: The keys that lead to the value in the file, outermost first.
            answer: The value; MISSING or ABSENT for none.
        """
        step = LookupStep(self.layer, level, place, answer, self.nested, is_reached=not self.is_decided)
        self.nested = []  # they belong to this place
        if step.has_value and place:
            step.line = find_line(scope, place, keys)
        self.steps.append(step)

    def extract_options(self, scope: Scope, trace: LookupTrace, keys: Sequence[Value]) -> None:
        """Record the place of the name's options, taken from the trace of all lookup options.

        Args:
            scope: The scope of the lookup.
            trace: The trace of `lookup_options`, which is removed from `nested`.
            keys: The keys that lead to the options of the name in a file; the last one is the name.
        """
        self.nested.remove(trace)
        name = keys[-1]
        steps = [step for step in trace.steps if type(step.answer) is dict and name in step.answer]
        if steps:  # the layers of lower priority are queried first
            self.options = next(step for step in steps if step.layer == steps[-1].layer)
            self.options.answer = self.options.answer[name]
            self.options.line = find_line(scope, self.options.place, keys) if self.options.place else None


@contextmanager
def record_lookup(runtime: Runtime, name: str) -> Iterator[LookupTrace]:
    """Record the trace of a name, and add it to the trace of the lookup that contains it."""
    outer = runtime.trace
    trace = LookupTrace(name)
    try:
        runtime.trace = trace  # inside the block, because an interrupt may follow directly
        yield trace
    finally:
        runtime.trace = outer
        if outer is not None:
            outer.nested.append(trace)


def find_line(scope: Scope, path: str, keys: Sequence[Value]) -> int | None:
    """Return the line of a YAML or JSON file that has the value at some keys.

    Args:
        scope: The scope of the lookup.
        path: The file.
        keys: The keys that lead to the value, outermost first.

    Returns:
        The line, counted from 1, of the innermost of the keys that the file contains; None if it contains none of them.
    """
    import yaml

    try:
        node = yaml.compose(sandbox.read_text(scope, "lookup", path), Loader=yaml.SafeLoader)
    except (Failure, yaml.YAMLError):
        return None
    line = None
    for key in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        pair = next((pair for pair in pairs if pair[0].value == str(key)), None)
        if pair is None:
            return line
        line, node = pair[0].start_mark.line + 1, pair[1]
    return line
