"""Built-in functions: declared with `@function`, found by name, called through `Function.invoke`.

    @function("join(Array arg, String delimiter?) >> String")
    def join(values, delimiter=""):
        \"""Joins the elements of an array into one string.

        > [1, 2, 3].join(', ')
        '1, 2, 3'
        \"""

The signatures are written in Puppet's own notation; the docstring contains the help and the examples, which are
tests. A function may have several signatures for one implementation, or more with `@join.overload("…")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from evaluator.calling.dispatch import DirectDispatchWriter, DispatchWriter
from evaluator.calling.index import MODULES
from evaluator.calling.signatures import Signature
from evaluator.issues import Failure
from evaluator.program.definitions import LambdaBlock, Scope
from evaluator.types import Type, parse_type
from evaluator.values.kind import Value
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.record import Record

REGISTRY: dict[str, BuiltinFunction] = {}
# The methods of a function that take a fixed number of arguments and no block, each with that number.
DIRECT = {f"invoke{count}": count for count in range(1, 4)}
_WRITERS: dict[str, Callable[[Any], DispatchWriter]] = {
    "invoke": DispatchWriter,
    **{name: partial(DirectDispatchWriter, count=count) for name, count in DIRECT.items()},
}
COUNT_ISSUE = "ARGUMENT_COUNT_GIVEN"  # the issue that most functions of the old interface report


class Example(Record):
    """An example of a docstring: a program, the log lines it writes, and its value or error.

    Attributes:
        result: The value as a literal; None if the example shows only logs or an error.
        error: The beginning of the message, or None.
    """

    source: str
    logs: tuple[str, ...]
    result: str | None
    error: str | None


class Overload(Record):
    """A signature and the Python function that implements it.

    Attributes:
        context: True if the Python function takes the caller's scope first.
        switch: The dialect switch that must be on for the overload, or off if its name begins with "!"; "" for none.
    """

    signature: Signature
    body: Callable[..., Value]
    context: bool
    switch: str

    def belongs_to(self, dialect: Dialect) -> bool:
        """Return True if code of a dialect can call the overload."""
        switch = self.switch.removeprefix("!")
        return not switch or getattr(dialect, switch) is (switch == self.switch)


class BuiltinFunction:
    """A built-in function.

    Attributes:
        name: The name of the function.
        family: The module that declares it, without `evaluator.`.
        origin: "puppet" or "stdlib".
        overloads: The overloads in the order in which they are tried.
        count_issue: The code of the error for a wrong number of arguments, for functions of the old interface.
        takes: The number of arguments as that error states it; "" for the number of the signature.
        explain: Returns the failure for arguments that no overload accepts, or None for the usual one; None if the
            usual one is always right.
        invoke: Calls the function: `invoke(scope, args, block)`, where `args` is a tuple or list of values and `block`
            a block or None. Raises Failure if no overload accepts the arguments. `invoke1`, `invoke2` … take this
            number of arguments and no block, see DIRECT.
    """

    invoke: Callable[[Scope, Sequence[Value], LambdaBlock | None], Value]

    __slots__ = (
        *("count_issue", "documentation", "explain", "family", "invoke", "name", "origin", "overloads"),
        *("takes", "usage_lines", *DIRECT),
    )

    def __init__(
        self,
        name: str,
        family: str,
        origin: str,
        documentation: str,
        count_issue: str = COUNT_ISSUE,
        takes: str = "",
        usage: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.family = family
        self.origin = origin
        self.documentation = documentation
        self.count_issue = count_issue
        self.takes = takes
        self.usage_lines = usage
        self.overloads: list[Overload] = []
        self.explain: Callable[..., Failure | None] | None = None

    def __repr__(self) -> str:
        return f"Function({self.name})"

    def __getattr__(self, name: str) -> Callable[..., Value]:
        """Compile `invoke`, or the call with a fixed number of arguments, on its first use."""
        if name not in _WRITERS:
            raise AttributeError(name)
        method = _WRITERS[name](self).compile()
        setattr(self, name, method)
        return method

    def accepts(self, scope: Scope, arguments: list[Value]) -> bool:
        """Return True if an overload takes these arguments without a block.

        Functions in Ruby and in Puppet, which have the same method, need the caller's scope for that.
        """
        return any(overload.signature.accepts(arguments) for overload in self.overloads)

    def is_repeatable(self, scope: Scope) -> bool:
        """Return True if the result depends on arguments and callbacks alone.

        Only functions in Ruby, which override this method, are examined for it.
        """
        return False

    def mismatch(self, explain: Callable[..., Failure | None]) -> Callable[..., Failure | None]:
        """Register the function that is called as `explain`: a decorator."""
        self.explain = explain
        return explain

    @property
    def signatures(self) -> list[str]:
        """The signatures as text."""
        return [overload.signature.text for overload in self.overloads]

    @property
    def returns(self) -> Type | None:
        """The declared return type; None without one."""
        text = self.overloads[0].signature.returns if self.overloads else ""
        return parse_type(text, PUPPET) if text else None

    @property
    def usage(self) -> list[str]:
        """The lines by which help and completion show how the function is called.

        These are its signatures, unless its declaration has others: functions of the old interface name their
        parameters p0, p1 and accept anything, and some signatures spell out aliases.
        """
        return [line.replace("{name}", self.name) for line in self.usage_lines] or self.signatures

    @property
    def words(self) -> str:
        """A description in a few sentences."""
        return parse_documentation(self.documentation)[0]

    @property
    def examples(self) -> list[Example]:
        """The examples of its docstring."""
        return parse_documentation(self.documentation)[1]

    def body(self, number: int = 0) -> Callable[..., Value]:
        """Return the Python function of an overload, which other functions may call directly.

        Args:
            number: The index of the overload.
        """
        return self.overloads[number].body

    @property
    def takes_any(self) -> bool:
        """True if the first argument can be of any type."""
        signatures = [overload.signature for overload in self.overloads]
        return any(
            signature.legacy or (signature.parameters and signature.parameters[0].text == "Any")
            for signature in signatures
        )

    @property
    def has_older_form(self) -> bool:
        """True if code in the older interface of Ruby can call the function."""
        return self.origin == "stdlib" or any(overload.signature.legacy for overload in self.overloads)

    def is_available(self, dialect: Dialect) -> bool:
        """Return True if at least one overload belongs to the dialect."""
        return any(overload.belongs_to(dialect) for overload in self.overloads)

    def add(self, texts: tuple[str, ...], body: Callable[..., Value], context: bool, switch: str) -> None:
        """Add overloads that `body` implements."""
        self.overloads += [Overload(Signature.parse(text), body, context, switch) for text in texts]

    def overload(
        self, *texts: str, context: bool = False, switch: str = ""
    ) -> Callable[[Callable[..., Value]], BuiltinFunction]:
        """Declare further signatures with an implementation of their own: a decorator."""

        def add(body: Callable[..., Value]) -> BuiltinFunction:
            self.add(texts, body, context, switch)
            return self

        return add


def function(
    *texts: str,
    context: bool = False,
    switch: str = "",
    origin: str | None = None,
    count: str = COUNT_ISSUE,
    takes: str = "",
    usage: tuple[str, ...] = (),
) -> Callable[[Callable[..., Value]], BuiltinFunction]:
    """Return a decorator that declares a function and returns the `BuiltinFunction`.

    Args:
        texts: The signatures in Puppet's notation.
        context: True if the Python function takes the caller's scope first.
        switch: The dialect switch that must be on for the overload, or off if its name begins with "!".
        origin: "puppet" or "stdlib"; by default determined by the package of the module.
        count: The code of the error for a wrong number of arguments, for functions of the old interface.
        takes: The number of arguments as that error states it, if it differs from that of the signature.
        usage: The lines that help shows in place of the signatures.
    """

    def declare(body: Callable[..., Value]) -> BuiltinFunction:
        family = body.__module__.removeprefix("evaluator.")
        name = texts[0].partition("(")[0]
        builtin = BuiltinFunction(
            name,
            family,
            origin or ("stdlib" if ".stdlib." in family else "puppet"),
            body.__doc__ or "",
            count,
            takes,
            usage,
        )
        builtin.add(texts, body, context, switch)
        REGISTRY[name] = builtin
        return builtin

    return declare


def rename_function(module: str, older: BuiltinFunction, name: str, *texts: str) -> None:
    """Declare a function under another name, with other signatures if they are given.

    Its documentation is that of the older function, with the new name in the examples.
    """
    documentation = re.sub(rf"(?<![\w:]){older.name}\(", f"{name}(", older.documentation)
    renamed = BuiltinFunction(name, module.removeprefix("evaluator."), older.origin, documentation)
    for overload in older.overloads:
        new_texts = texts or (overload.signature.text.replace(older.name, name, 1),)
        renamed.add(new_texts, overload.body, overload.context, overload.switch)
    REGISTRY[name] = renamed


def to_plain_name(name: str) -> str:
    """Return a name as it is registered: without `::` in front, in lower case."""
    return name.removeprefix("::").lower()


def find_function(name: str, dialect: Dialect | None = None) -> BuiltinFunction | None:
    """Return the built-in function of a name or None; import its module if needed.

    Args:
        name: The name as `to_plain_name` returns it.
        dialect: The dialect that must have the function; None for any.
    """
    if name not in REGISTRY and name in MODULES:
        import_module(f"evaluator.{MODULES[name]}")
    builtin = REGISTRY.get(name)
    return builtin if builtin is None or dialect is None or builtin.is_available(dialect) else None


def list_function_names() -> list[str]:
    """Return the names of all built-in functions, sorted."""
    return sorted(MODULES)


def parse_documentation(text: str) -> tuple[str, list[Example]]:
    """Return the description and the examples of a docstring.

    An example is one or more lines that begin with `> `, then its results: lines `level: text` for logs, a line
    with the value, or `! text` for an error.
    """
    from textwrap import dedent

    first, _, rest = text.partition("\n")
    lines = [first.strip(), *dedent(rest).splitlines()]
    words: list[str] = []
    examples: list[Example] = []
    source: list[str] = []
    result_lines: list[str] = []

    def end_example() -> None:
        if source:
            examples.append(_make_example("\n".join(source), result_lines))
            source.clear()
            result_lines.clear()

    for line in [*lines, ""]:
        if line.startswith("> "):
            if result_lines:
                end_example()
            source.append(line[2:])
        elif source and line:
            result_lines.append(line)
        elif source:
            end_example()
        else:
            words.append(line)
    return " ".join("\n".join(words).split()), examples


LEVELS = ("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg")


def _make_example(source: str, result_lines: list[str]) -> Example:
    """Return the example of a program and of the lines below it."""
    logs = tuple(line for line in result_lines if line.partition(": ")[0] in LEVELS)
    rest = "\n".join(line for line in result_lines if line not in logs)
    error = rest[2:] if rest.startswith("! ") else None
    return Example(source, logs, rest if rest and error is None else None, error)
