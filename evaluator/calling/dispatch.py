"""Dispatch: the signatures of a function become one Python function that selects the overload and calls it.

The tests of all overloads are written as Python source and compiled when the function is first called. A call then
costs a few comparisons more than the implementation itself. `join(Array arg, String delimiter?)` becomes:

    def invoke(scope, args, block):
        count = len(args)
        if block is None and count == 1:
            if type(args[0]) is list: return body0(args[0])
        if block is None and count == 2:
            if type(args[0]) is list and type(args[1]) is str: return body0(args[0], args[1])
        return reject(function, scope, args, block)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.calling.signatures import SignatureParameter, parse_signature_type, split_at_commas
from evaluator.catalog.references import to_attribute_value
from evaluator.issues import require
from evaluator.program.definitions import LambdaBlock, Scope
from evaluator.program.tracing import iterate_running
from evaluator.types import CatalogEntryType, ClassType, ResourceType, UnknownReference, get_predicate
from evaluator.types.base import make_no_entry_failure
from evaluator.values.core import PuppetIterator, iterate_items, make_hash
from evaluator.values.dag import memoize_recursion
from evaluator.values.kind import BINARY, SEMVER, SEMVER_RANGE, TIMESPAN, TIMESTAMP, Value, get_kind
from evaluator.values.regexps import RegexpValue
from lexer_parser.lazy import LazyPattern
from lexer_parser.tree.nodes import MethodCall

if TYPE_CHECKING:
    from evaluator.calling.registry import BuiltinFunction, Overload

# The tests of the most frequent types, by the text of the type, as Python expressions: `{0}` is the argument, and `{1}`
# the predicate of the type, by which all other types are tested.
TEST_SOURCES = {
    "Any": "True",
    "String": "type({0}) is str",
    "Integer": "type({0}) is int",
    "Float": "type({0}) is float",
    "Numeric": "(type({0}) is int or type({0}) is float)",
    "Boolean": "type({0}) is bool",
    "Array": "type({0}) is list",
    "Hash": "type({0}) is dict",
    "Collection": "(type({0}) is list or type({0}) is dict)",
    "Iterable": "(type({0}) is list or type({0}) is Iterator or {1}({0}))",
    "Undef": "{0} is None",
    "Integer[1]": "(type({0}) is int and {0} > 0)",
    # the most frequent case first
    "Variant[Array[String], String]": "(type({0}) is str or {1}({0}))",
    "Variant[String, Hash[String, String]]": "(type({0}) is str or {1}({0}))",
    "Variant[Collection, String, Binary]": "(type({0}) is str or {1}({0}))",
    "Variant[Regexp, Type[Regexp]]": "(type({0}) is Regexp or {1}({0}))",
    "Pattern[/^G?$/]": "({0} == 'G' or {1}({0}))",
    "Optional[Pattern[/^[GEIM]*$/]]": "({0} == 'G' or {1}({0}))",
    **dict.fromkeys(("SemVer", "Timespan", "Timestamp"), "(type({0}) not in ordinary and {1}({0}))"),
}
# Types whose instances are exactly those of these Python classes: any number of arguments is tested at once.
EXACT_CLASSES = {"Numeric": frozenset((int, float)), "String": frozenset((str,)), "Hash": frozenset((dict,))}

# The classes of values that functions of the old interface receive unchanged: as arguments, where undef becomes '', and
# inside collections.
UNCHANGED = frozenset((str, int, float, bool))
UNCHANGED_INSIDE = UNCHANGED | {type(None)}
# The kinds of values that functions of the old interface receive as strings.
RECEIVED_AS_STRINGS = frozenset((TIMESPAN, TIMESTAMP, SEMVER, SEMVER_RANGE, BINARY))
ORDINARY = UNCHANGED_INSIDE | {list, dict}  # the classes of most values


@memoize_recursion
def to_legacy(recurse: Any, value: Value) -> Any:
    """Return a value as functions of the old interface see it: rich values in it are strings."""
    value_class = type(value)
    if value_class is list:
        return [recurse(element) for element in value]
    if value_class is dict:
        if UNCHANGED_INSIDE.issuperset(map(type, value)) and UNCHANGED_INSIDE.issuperset(
            map(type, value.values())
        ):
            return value
        return make_hash([(recurse(key), recurse(element)) for key, element in iterate_items(value)])
    require(value_class is not PuppetIterator, "ITERATOR_NOT_SUPPORTED")
    if value_class is CatalogEntryType:
        raise make_no_entry_failure(value)
    if value_class in _REFERENCES:
        # The old interface converts a reference to a resource.
        require(value.type_name != "class" or value.title is not None, "NO_REFERENCE", text='"class"')
        return to_attribute_value(value)
    if value_class is RegexpValue:
        return value.plain_text()
    return value.text() if get_kind(value) in RECEIVED_AS_STRINGS else value


# The Python types of references, which functions of the old interface receive as resources.
_REFERENCES = frozenset({ClassType, ResourceType, UnknownReference})

# The name of a variable, and what may follow it; the second expression matches the same strings faster.
VARIABLE_PATH = r"\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)"
_VARIABLE_PATH = LazyPattern(r"(?:::)?(?:[a-z]\w*+::)*+[a-z_]\w*+(?:\.|\Z)", re.ASCII)


# Types of the parameters of single functions whose generic tests would be slow.
QUICK_TESTS: dict[str, Callable[[Any], bool]] = {
    f"Pattern[/{VARIABLE_PATH}/]": lambda value: (
        type(value) is str and _VARIABLE_PATH.match(value) is not None
    ),
}
UNROLLED = 3  # an overload with at most this many optional parameters has a test for each number of arguments


class DispatchWriter:
    """A writer of the source of a dispatcher: `invoke(scope, args, block)` for all overloads.

    Attributes:
        names: The globals to which the source refers.
        lines: The lines of the source so far.
        guard: The condition of the `if` whose body contains the last line; "" for none.
    """

    block = "block"  # the block, as an expression

    def __init__(self, function: BuiltinFunction) -> None:
        self.function = function
        self.names: dict[str, Any] = {
            "function": function,
            "reject": reject,
            "Regexp": RegexpValue,
            "Iterator": PuppetIterator,
            "ordinary": ORDINARY,
            "plain": UNCHANGED,
            "legacy": to_legacy,
        }
        self.lines: list[str] = []
        self.guard = ""

    def compile(self) -> Callable[..., Value]:
        """Return the dispatcher, which calls `reject` if no overload takes the arguments."""
        self._write_begin()
        if self.function.overloads[0].signature.legacy:
            self._write_legacy()
        for index, overload in enumerate(self.function.overloads):
            if _is_superfluous(overload, self.function.overloads[index + 1 :]):
                continue
            self.names[f"body{index}"] = overload.body
            self._write_overload(index, overload)
        self._write_end()
        exec(compile("\n".join(self.lines), f"<{self.function.name}>", "exec"), self.names)
        invoke: Callable[..., Value] = self.names["invoke"]
        return invoke

    def _write_begin(self) -> None:
        self.lines += ["def invoke(scope, args, block):", "    count = len(args)"]

    def _write_legacy(self) -> None:
        self.lines += [
            "    if not plain.issuperset(map(type, args)):",
            "        args = ['' if a is None else legacy(a) for a in args]",
        ]

    def _write_end(self) -> None:
        self.lines.append("    return reject(function, scope, args, block)")

    def _write_overload(self, index: int, overload: Overload) -> None:
        """Write the tests and the call of an overload, for each number of arguments if there are few."""
        signature = overload.signature
        least, most = signature.min, signature.max
        if most is not None and most - least <= UNROLLED:
            for count in range(least, most + 1):
                expressions = [f"args[{number}]" for number in range(count)]
                tests = [
                    self._write_test(parameter, arg)
                    for parameter, arg in zip(signature.parameters, expressions, strict=False)
                ]
                self._write_call(index, overload, [f"count == {count}"], tests, expressions)
            return
        counts = [f"count >= {least}"] if least else []
        counts += [f"count <= {most}"] if most is not None else []
        tests = []
        for number, parameter in enumerate(signature.parameters):
            rest = f"args[{number}:]" if number else "args"
            if parameter.mode == "":
                tests.append(self._write_test(parameter, f"args[{number}]"))
            elif parameter.text != "Any" and parameter.mode == "?":
                tests.append(f"(count <= {number} or {self._write_test(parameter, f'args[{number}]')})")
            elif parameter.text in EXACT_CLASSES:
                self.names[f"{parameter.text}_classes"] = EXACT_CLASSES[parameter.text]
                self.names[f"are_{parameter.text}"] = EXACT_CLASSES[parameter.text].issuperset
                # of calls that do not match, most differ in the first of these arguments
                first_test = f"not {rest} or type({rest}[0]) in {parameter.text}_classes"
                tests.append(f"({first_test}) and are_{parameter.text}(map(type, {rest}))")
            elif parameter.text != "Any":
                tests.append(f"all([{self._write_test(parameter, 'arg')} for arg in {rest}])")
        self._write_call(index, overload, counts, tests, ["*args"])

    def _write_call(
        self, index: int, overload: Overload, counts: list[str], tests: list[str], arguments: list[str]
    ) -> None:
        """Write the call of an overload; a condition that several overloads share is tested once.

        Args:
            index: The position of the overload.
            overload: The overload.
            counts: Conditions of the number of arguments, tested in the outer `if`.
            tests: Conditions of the arguments, tested in the inner one.
            arguments: The expressions that are passed.
        """
        signature = overload.signature
        arguments = ["scope", *arguments] if overload.context else arguments
        if signature.block is not None:
            arguments = [*arguments, f"block={self.block}"]
        if not signature.legacy:
            counts = [self._write_block_test(signature.block), *counts]
        # If all overloads belong to one dialect, the other dialect does not find the function, so no test is needed.
        if overload.switch and any(other.switch != overload.switch for other in self.function.overloads):
            switch = overload.switch.removeprefix("!")
            negation = "" if switch == overload.switch else "not "
            tests = [*tests, f"{negation}scope.runtime.dialect.{switch}"]
        guard, condition = _join_conditions(counts), _join_conditions(tests)
        if guard != self.guard:
            self.lines.append(f"    if {guard}:")
            self.guard = guard
        self.lines.append(f"        if {condition}: return body{index}({', '.join(arguments)})")

    def _write_test(self, parameter: SignatureParameter, arg: str) -> str:
        test = TEST_SOURCES.get(parameter.text, "{1}({0})")
        return test.format(arg, self._bind_predicate(parameter.text) if "{1}" in test else "")

    def _bind_predicate(self, text: str) -> str:
        """Return the name of a global that tests for a type, which is parsed on the first test."""
        name = f"is_{len(self.names)}"
        names = self.names
        if text in QUICK_TESTS:
            names[name] = QUICK_TESTS[text]
            return name

        def parse_and_test(value: Value) -> bool:
            names[name] = get_predicate(parse_signature_type(text))
            return bool(names[name](value))

        names[name] = parse_and_test
        return name

    def _write_block_test(self, block: SignatureParameter | None) -> str:
        if block is None:
            return "block is None"
        accepts = self._write_block_acceptance(block.text)
        if block.mode == "?":
            return "True" if accepts == "True" else f"(block is None or {accepts})"
        return "block is not None" if accepts == "True" else f"block is not None and {accepts}"

    def _write_block_acceptance(self, text: str) -> str:
        """Return the test that a block can be called as a type requires: `Callable[Any, Integer]`.

        The type has the types of the arguments, or their smallest and largest number: `Callable[1, 2]`. A name may
        precede it: `BlockType = Callable[…]`.
        """
        parameters = split_at_commas(text.partition("Callable[")[2][:-1])
        if not parameters:
            return "True"
        if parameters[-1].isdigit():
            least, most = parameters[-2:]
            return f"block.min <= {least} and (block.max is None or block.max >= {most})"
        name = f"takes_{len(self.names)}"
        self.names[name] = _make_block_test(parameters)
        return f"{name}(block)"


class DirectDispatchWriter(DispatchWriter):
    """A writer of `invoke(scope, arg, …)` for a number of arguments and no block."""

    block = "None"

    def __init__(self, function: BuiltinFunction, count: int) -> None:
        super().__init__(function)
        self.arguments = [f"arg{number}" for number in range(count)]

    def _write_begin(self) -> None:
        self.lines.append(f"def invoke(scope, {', '.join(self.arguments)}):")

    def _write_legacy(self) -> None:
        self.lines += [
            f"    if type({arg}) not in plain: {arg} = '' if {arg} is None else legacy({arg})"
            for arg in self.arguments
        ]

    def _write_end(self) -> None:
        self.lines.append(f"    return reject(function, scope, [{', '.join(self.arguments)}], None)")

    def _write_overload(self, index: int, overload: Overload) -> None:
        signature, count = overload.signature, len(self.arguments)
        needs_block = not signature.legacy and signature.block is not None and signature.block.mode != "?"
        if needs_block or not signature.takes_count(count):
            return
        declared = signature.parameters
        # the last parameter takes all arguments that follow
        parameters = [declared[min(number, len(declared) - 1)] for number in range(count)]
        tests = [
            self._write_test(parameter, arg)
            for parameter, arg in zip(parameters, self.arguments, strict=True)
        ]
        self._write_call(index, overload, [], tests, self.arguments)

    def _write_block_test(self, block: SignatureParameter | None) -> str:
        return "True"


def _join_conditions(tests: list[str]) -> str:
    """Return the condition that all tests hold."""
    return " and ".join(test for test in tests if test != "True") or "True"


def _is_superfluous(overload: Overload, later: list[Overload]) -> bool:
    """Return True if an overload needs no code: it exists for messages and for help only.

    A later overload takes its arguments, too, and calls the same body.

    Args:
        overload: The overload.
        later: Those after it. Only the ones up to the next overload with another body count.
    """
    own = overload.signature
    for other in later:
        wide = other.signature
        if other.body is not overload.body:
            return False
        has_same_block = _describe_block(own.block) == _describe_block(wide.block)
        has_same_counts = (own.min, own.max) == (wide.min, wide.max)
        if has_same_counts and has_same_block and other.switch in ("", overload.switch):
            pairs = zip(own.parameters, wide.parameters, strict=False)
            if all(a.mode == b.mode and _is_special_form(a.text, b.text) for a, b in pairs):
                return True
    return False


def _describe_block(block: SignatureParameter | None) -> tuple[str, str] | None:
    return None if block is None else (block.text, block.mode)


def _is_special_form(narrow: str, wide: str) -> bool:
    """Return True if the first type, by its text, is the other or a special form of it.

    Args:
        narrow: Such as `Array[String]`.
        wide: Such as `Array`.
    """
    return wide in (narrow, "Any") or narrow.startswith(f"{wide}[")


def _make_block_test(texts: list[str]) -> Callable[[LambdaBlock], bool]:
    """Return a test that the types of a block accept arguments of some types."""

    def can_take(block: LambdaBlock) -> bool:
        if not block.accepts(len(texts)):
            return False
        declared = [parameter.type for parameter in block.parameters[: len(texts)]]
        if not any(declared):
            return True
        return all(
            type is None or type.resolve().assignable(parse_signature_type(text))
            for type, text in zip(declared, texts, strict=False)
        )

    return can_take


def reject(function: BuiltinFunction, scope: Scope, args: Value, block: Any) -> Any:
    """Raise the failure of a call that no overload accepts, or call a method in its place.

    `value.name` is compiled to a call of the built-in function unless a type with a method of that name has been loaded
    before. If such a type is loaded later, the value may be one of its objects, for which the method is called here.

    Raises:
        Failure: The value has no such method.
    """
    find_method = getattr(args[0], "member", None) if args else None  # only objects have members
    method = find_method(function.name) if find_method is not None else None
    if method is not None:
        place = next(iterate_running(), None)
        if place is not None and isinstance(place.node, MethodCall):
            return method(scope.runtime, args[1:], block)
    from evaluator.calling.call_mismatches import make_call_failure

    raise make_call_failure(function, scope, args, block)
