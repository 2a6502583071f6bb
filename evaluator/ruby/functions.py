"""Functions of modules that are written in Ruby.

Ruby reads the declarations of a function; the dispatch of a call to one of its signatures is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from evaluator.calling.call_mismatches import make_call_failure
from evaluator.calling.registry import BuiltinFunction, Overload
from evaluator.calling.signatures import Signature, SignatureParameter
from evaluator.issues import Failure
from evaluator.program import effects, sandbox
from evaluator.program.definitions import LambdaBlock, Scope
from evaluator.program.environment import refers_to_same, trace_names
from evaluator.program.modules import LEGACY
from evaluator.ruby.analysis import is_repeatable
from evaluator.ruby.companion import RubyCompanion, RubyError, get_companion
from evaluator.ruby.values import Message, ValueCodec
from evaluator.types import AliasType, infer_block_type, parse_type
from evaluator.types.puppet_wording import check
from evaluator.values import Value
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


class RubyFunction(BuiltinFunction):
    """A Ruby function of a module, loaded at its first call and when its file has changed.

    Attributes:
        interface: The interface in which it is written, LEGACY or MODERN.
        path: Its file.
        file_name: The name of the function after which the file is named; such a file may define others.
    """

    __slots__ = ("_calls_itself", "_declared", "_stamp", "_text", "file_name", "interface", "path")

    def __init__(self, name: str, interface: int, path: str, file_name: str = "") -> None:
        super().__init__(name, "ruby", "ruby", "")
        self.interface = interface
        self.path = path
        self.file_name = file_name or name
        self.invoke = self._call
        self._calls_itself = False
        self._stamp: Value = None
        self._text = ""
        self._declared: list[RubyDispatch] = []

    # --- loading

    def load(self, running: RubyCompanion) -> bool:
        """Load the function into Ruby; return False if it needs another Ruby. Raises Failure and PuppetError."""
        needed = self._update(running.runtime.state.top)
        if needed is not running and not running.has_library:
            return False
        code = self._find_unloaded(running)
        if code is not None:
            running.request(running.runtime.state.top, lambda _: code)
        return True

    def accepts(self, scope: Scope, arguments: list[Value]) -> bool:
        """Return whether a call with these arguments is accepted; the older interface accepts all."""
        self._update(scope)
        return self.interface == LEGACY or super().accepts(scope, arguments)

    def is_repeatable(self, scope: Scope) -> bool:
        """Return True for code whose results depend on its arguments and callbacks alone."""
        try:
            self._update(scope)
        except (Failure, PuppetError):  # the call raises it
            return False
        return is_repeatable(self._text)

    def _update(self, scope: Scope) -> RubyCompanion:
        """Read the declarations if the file has changed. Raises Failure and PuppetError."""
        effects.depend_on_files()
        runtime = scope.runtime
        stamp = sandbox.get_stamp(runtime.settings, self.path)
        is_changed = stamp != self._stamp or stamp is None
        if is_changed:
            self._text = sandbox.read_source(runtime.settings, self.path)
        running = get_companion(runtime, self.name, self._text)
        if is_changed:
            self._declare(running, scope)
            self._stamp = stamp
        return running

    def _declare(self, running: RubyCompanion, scope: Scope) -> None:
        """Set the declarations: those that other programs have read of this text, or what Ruby reports."""
        runtime = scope.runtime
        known: SharedDeclaration | None = runtime.environment.functions.get((self.path, self.interface))
        if known is None or known.text != self._text:
            # replaying a recorded response would not define the function in Ruby
            with effects.EffectLog():
                described = self._request(
                    lambda: running.request(scope, lambda _: self._make_load_message(running))
                )
            known = SharedDeclaration(self._text, described)
            runtime.environment.functions[self.path, self.interface] = known
        if self.interface == LEGACY:
            others = known.described["others"]
            runtime.names.add_functions(
                {name: RubyFunction(name, LEGACY, self.path, self.file_name) for name in others}
            )
        else:
            self._calls_itself = known.described["calls_itself"]
            self._declared = known.get_dispatches(runtime, self.name)
            self.overloads = [
                Overload(each.signature, self._call, True, "") for each in self._declared if not each.explains
            ]

    def _make_load_message(self, running: RubyCompanion) -> Message:
        running.loaded[self.file_name, self.interface] = self._text
        file = {"name": self.file_name, "file": self.path, "text": self._text}
        code = {"do": "load", "interface": self.interface, **file}
        running.note_used((self.file_name, self.interface), code)
        return code

    def _find_unloaded(self, running: RubyCompanion) -> Message | None:
        """Return the message that loads the function unless Ruby has loaded the current text."""
        if running.loaded.get((self.file_name, self.interface)) == self._text:
            return None
        return self._make_load_message(running)

    # --- calling

    def _call(self, scope: Scope, arguments: Sequence[Value], block: LambdaBlock | None) -> Value:
        sandbox.require_permission(scope, "ruby", self.name)
        running = self._update(scope)
        if self.interface == LEGACY:
            return self._run(
                running, scope, lambda known: {"arguments": [known.encode_older(a) for a in arguments]}
            )
        if self._calls_itself:
            return self._run(running, scope, _make_call("call", arguments, block))
        return self.call_dispatch(running, scope, arguments, block)

    def call_dispatch(
        self, running: RubyCompanion, scope: Scope, arguments: Sequence[Value], block: LambdaBlock | None
    ) -> Value:
        """Call the first dispatch that accepts the arguments. Raises Failure if none does."""
        number = next((i for i, each in enumerate(self._declared) if each.accepts(arguments, block)), None)
        if number is None:
            raise make_call_failure(self, scope, arguments, block)
        declared = self._declared[number]
        value = self._run(running, scope, _make_call(number, arguments, block))
        if declared.explains:
            raise Failure(
                "ARGUMENT_MISMATCH", subject=f"'{self.name}'", reason=value, function=self.name, parameter=""
            )
        declared.check(value)
        return value

    def _run(
        self, running: RubyCompanion, scope: Scope, make_message: Callable[[ValueCodec], Message]
    ) -> Value:
        call = {"do": "call", "name": self.name, "file": self.path}
        answer = self._request(
            lambda: running.request(
                scope,
                lambda known: call | make_message(known),
                lambda: self._find_unloaded(running),
                code=self._text,
            )
        )
        try:
            return running.values.decode(answer)
        except (AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError):
            raise Failure("RUBY_ENDED") from None  # the function has written to the pipe itself

    def _request(self, send: Callable[[], Value]) -> Value:
        """Return the response to a request. Raises Failure for exceptions of Ruby."""
        try:
            return send()
        except RubyError as problem:
            passed_on = problem.to_bare_error(self.path)
            if passed_on is not None:
                raise passed_on from None
            place = self.path if problem.path is None else f"{problem.path}, line {problem.line}"
            raise Failure("RUBY_FUNCTION_FAILED", message=str(problem), place=place) from None
        except Failure as problem:
            if problem.code != "RUBY_ENDED":
                raise
            raise Failure("RUBY_FUNCTION_ENDED", function=self.name, path=self.path) from None


def _make_call(
    dispatch: int | str, arguments: Sequence[Value], block: LambdaBlock | None
) -> Callable[[ValueCodec], Message]:
    """Return the message of a call: of the dispatch with a number, or of the method "call"."""

    def message(known: ValueCodec) -> Message:
        passed = None if block is None else known.encode(block)
        return {"dispatch": dispatch, "arguments": known.encode(list(arguments)), "block": passed}

    return message


class SharedDeclaration(Record):
    """The declarations in a file of a function, for all programs that load the same text.

    Attributes:
        text: The text of the file.
        described: Ruby's description of the function.
    """

    text: str
    described: dict[str, Value]
    _dispatches: list[RubyDispatch] | None = None
    _names: dict[str, Value] = fresh(factory=dict)  # the types to which the dispatches refer

    def get_dispatches(self, program: Runtime, name: str) -> list[RubyDispatch]:
        """Return the dispatches, shared by programs in which the names of their types mean the same."""
        if self._dispatches is not None and refers_to_same(program.names, self._names):
            return self._dispatches
        with trace_names() as trace:
            types = FunctionTypes(program, name, self.described["locals"])
            found = [RubyDispatch(name, part, types) for part in self.described["dispatches"]]
        if trace.is_shareable and not self.described["locals"]:
            self._dispatches, self._names = found, trace.types
        return found


class FunctionTypes:
    """The types that a function can name: those of the program, and its own aliases."""

    def __init__(self, program: Runtime, function: str, texts: list[str]) -> None:
        self._program = program
        self._function = function
        self._own: dict[str, AliasType] = {}
        for text in texts:
            name, _, definition = (part.strip() for part in text.partition("="))
            self._own[name] = AliasType(name, partial(self.parse, definition))

    def parse(self, text: str) -> Value:
        """Return the Type of a text. Raises Failure for an invalid one."""
        names = self._program.names
        try:
            return parse_type(
                text, PUPPET, lambda name: self._own.get(name) or names.find_type_or_reference(PUPPET, name)
            )
        except (PuppetError, Failure) as problem:
            reason = problem.message if isinstance(problem, PuppetError) else str(problem)
            raise Failure("RUBY_TYPE", function=self._function, text=text, problem=reason) from None


class RubyDispatch:
    """A dispatch of a function: its signature, and whether it only explains a mismatch."""

    def __init__(self, name: str, described: dict[str, Value], types: FunctionTypes) -> None:
        parameters = [
            _make_parameter(types.parse(text), parameter, mode)
            for text, parameter, mode in described["parameters"]
        ]
        block = described["block"]
        own = None if block is None else _make_parameter(types.parse(block[0]), *block[1:])
        returns = described["returns"]
        self._method: str = described["method"]
        self.explains: bool = described["mismatch"]
        self.signature = Signature(name, parameters, own, returns or "")
        self._returns = None if returns is None else types.parse(returns)

    def accepts(self, arguments: Sequence[Value], block: LambdaBlock | None) -> bool:
        """Return whether the dispatch accepts these arguments."""
        signature, given = self.signature, enumerate(arguments)
        if not signature.takes_count(len(arguments)) or not all(
            signature.parameter_at(place).type.instance(value) for place, value in given
        ):
            return False
        declared = signature.block
        if block is None or declared is None:
            return block is None and (declared is None or declared.mode == "?")
        return bool(declared.type.assignable(infer_block_type(block)))

    def check(self, value: Value) -> None:
        """Raise Failure for a value that is not of the declared return type."""
        if self._returns is not None:
            subject = f"value returned from function '{self._method}'"
            check(subject, self._returns, value, "RETURN_MISMATCH", function=self.signature.name)


def _make_parameter(declared: Value, name: str, mode: str) -> SignatureParameter:
    """Return a parameter whose type is listed in its printed form."""
    return SignatureParameter(str(declared), name, mode, declared)
