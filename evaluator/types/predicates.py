"""Fast tests of values: a type becomes Python source, and that a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, Protocol

from evaluator.values.dag import CONTAINERS, is_worth_memoizing
from evaluator.values.kind import Value
from lexer_parser.memo import LONGEST, memoize

Test = Callable[[Any], bool]


class Testable(Protocol):
    """A type, as the compiler of tests sees it: it writes the source of its test and stores the test."""

    _test: Test

    def write_test(self, variable: str, code: TestCode) -> str:
        """Return Python source, an expression, that tests whether `variable` is an instance."""


ABSENT: Any = object()


class TestCode:
    """Python source of a test under construction, with the objects it refers to by name."""

    __slots__ = ("lines", "names", "written")

    def __init__(self) -> None:
        # the sources of types so far, by type and variable, with the type
        self.written: dict[tuple[int, str], tuple[str, Testable]] = {}
        self.names: dict[str, Any] = {}
        self.lines: list[str] = []

    def bind(self, value: Value) -> str:
        """Return a name that refers to `value` in the source."""
        name = f"c{len(self.names)}"
        self.names[name] = value
        return name

    def write_constant(self, value: int | float | str) -> str:
        """Return source of a constant; big numbers and long strings are bound, not spelled."""
        if type(value) is int and -(10**18) < value < 10**18:
            return str(value)
        return self.bind(value)

    def write_range(self, variable: str, low: Value, high: Value) -> str:
        """Return source that tests `low <= variable <= high`, where None is no bound."""
        if low is None and high is None:
            return "True"
        if low is not None and low == high:
            return f"{variable} == {self.write_constant(low)}"
        left = "" if low is None else f"{self.write_constant(low)} <= "
        right = "" if high is None else f" <= {self.write_constant(high)}"
        return f"{left}{variable}{right}"

    def write_size_test(self, variable: str, size: tuple[int, int | None] | None) -> str:
        """Return source that tests the length of `variable`."""
        if size is None:
            return "True"
        low, high = size
        return self.write_range(
            f"len({variable})", low or None if high is not None and high > low else low or high, high
        )

    def define_function(self, body: list[str]) -> str:
        """Define a function of one argument `v` with these lines, and return its name."""
        name = f"f{len(self.names)}"
        self.names[name] = None
        self.lines += [f"def {name}(v):", *(f"    {line}" for line in body)]
        return name


def join_and(*sources: str) -> str:
    """Return the conjunction of sources, in brackets where it has several parts."""
    parts = [source for source in sources if source != "True"]
    if not parts:
        return "True"
    return parts[0] if len(parts) == 1 else f"({' and '.join(parts)})"


def join_or(*sources: str) -> str:
    """Return the disjunction of sources."""
    if "True" in sources:
        return "True"
    parts = [source for source in sources if source != "False"]
    if not parts:
        return "False"
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def predicate(type: Testable) -> Test:
    """Return the fastest test for instances of the type; it is compiled once for each type object."""
    try:
        return type._test
    except AttributeError:
        test = type._test = _compile(type)
        return test


# a test of so many lines is of types within types: what it looks at may occur many times
_MANY_LINES = 50
_AT_ONCE = 500  # lines that are compiled


def _memoize_functions(names: dict[str, Any]) -> None:
    """Make the functions of a test store their results for arrays and hashes while the outermost one runs."""
    known: dict[tuple[str, int], bool] = {}
    running: list[str] = []

    def remembering(name: str, test: Test) -> Test:
        def answer(value: Value) -> bool:
            if type(value) not in CONTAINERS or not is_worth_memoizing(value):
                return test(value)
            place = (name, id(value))
            if place in known:
                return known[place]
            running.append(name)
            try:
                found = known[place] = test(value)
            finally:
                running.pop()
                if not running:
                    known.clear()
            return found

        return answer

    for name, test in list(names.items()):
        if name.startswith("f"):
            names[name] = remembering(name, test)


def _compile(type: Testable) -> Test:
    code = TestCode()
    source = type.write_test("v", code)
    names = code.names
    if code.lines:
        for part in _split_functions(code.lines):
            exec(_compile_source(part, "exec"), names)
        if len(code.lines) > _MANY_LINES:
            _memoize_functions(names)
    known = names.get(source[:-3]) if source.endswith("(v)") else None
    test: Test = known or eval(_compile_source(f"lambda v: {source}", "eval"), names)
    return test


def _split_functions(lines: list[str]) -> Iterator[str]:
    """Yield the functions of a test in groups, because no interrupt is delivered while Python compiles."""
    begin = 0
    for end, line in enumerate(lines):
        if end - begin > _AT_ONCE and line.startswith("def "):
            yield "\n".join(lines[begin:end])
            begin = end
    yield "\n".join(lines[begin:])


@memoize(2048, longest=LONGEST)
def _compile_source(text: str, mode: str) -> CodeType:
    """Return the code of a test: programs that run one after the other make the same types."""
    return compile(text, "<string>", mode)
