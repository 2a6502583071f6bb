"""Functions of modules that are written in Ruby.

When the file of a function is loaded, Ruby describes what the function declares; `RubyFunction` selects the signature
for a call. Functions of the older interface (LEGACY) declare none.
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

    __slots__ = ("_calls_itself", "_dispatches", "_stamp", "_text", "file_name", "interface", "path")

    def __init__(self, name: str, interface: int, path: str, file_name: str = "") -> None:
        super().__init__(name, "ruby", "ruby", "")
        self.interface = interface
        self.path = path
        self.file_name = file_name or name
        self.invoke = self._call
        self._calls_itself = False
        self._stamp: Value = None
        self._text = ""
        self._dispatches: list[RubyDispatch] = []

    # --- loading

    def load(self, companion: RubyCompanion) -> bool:
        """Load the function into a Ruby process; return False if it needs one of another kind.

        Raises:
            Failure, PuppetError: The code cannot be loaded.
        """
        needed = self._update(companion.runtime.state.top)
        if needed is not companion and not companion.has_library:
            return False
        code = self._find_unloaded(companion)
        if code is not None:
            companion.request(companion.runtime.state.top, lambda _: code)
        return True

    def accepts(self, scope: Scope, arguments: list[Value]) -> bool:
        """Return True if a call with these arguments is accepted; the older interface accepts all."""
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
        """Return the companion for the code, after reading the declarations of a changed file.

        Raises:
            Failure, PuppetError: The code cannot be loaded.
        """
        effects.depend_on_files()
        runtime = scope.runtime
        stamp = sandbox.get_stamp(runtime.settings, self.path)
        is_changed = stamp != self._stamp or stamp is None
        if is_changed:
            self._text = sandbox.read_source(runtime.settings, self.path)
        companion = get_companion(runtime, self.name, self._text)
        if is_changed:
            self._declare(companion, scope)
            self._stamp = stamp
        return companion

    def _declare(self, companion: RubyCompanion, scope: Scope) -> None:
        """Set the declarations, from other programs that have loaded this text or from Ruby."""
        runtime = scope.runtime
        declaration: SharedDeclaration | None = runtime.environment.functions.get((self.path, self.interface))
        if declaration is None or declaration.text != self._text:
            # A new effect log prevents that the response is replayed, which would not define the function in Ruby.
            with effects.EffectLog():
                description = self._request(
                    lambda: companion.request(scope, lambda _: self._make_load_message(companion))
                )
            declaration = SharedDeclaration(self._text, description)
            runtime.environment.functions[self.path, self.interface] = declaration
        if self.interface == LEGACY:
            others = declaration.description["others"]
            runtime.names.ruby_functions.others.update(
                {name: RubyFunction(name, LEGACY, self.path, self.file_name) for name in others}
            )
        else:
            self._calls_itself = declaration.description["calls_itself"]
            self._dispatches = declaration.get_dispatches(runtime, self.name)
            self.overloads = [
                Overload(each.signature, self._call, True, "")
                for each in self._dispatches
                if not each.is_explanation
            ]

    def _make_load_message(self, companion: RubyCompanion) -> Message:
        companion.loaded[self.file_name, self.interface] = self._text
        file = {"name": self.file_name, "file": self.path, "text": self._text}
        code = {"do": "load", "interface": self.interface, **file}
        companion.note_used((self.file_name, self.interface), code)
        return code

    def _find_unloaded(self, companion: RubyCompanion) -> Message | None:
        """Return the message that loads the function unless Ruby has loaded the current text."""
        is_loaded = companion.loaded.get((self.file_name, self.interface)) == self._text
        return None if is_loaded else self._make_load_message(companion)

    # --- calling

    def _call(self, scope: Scope, arguments: Sequence[Value], block: LambdaBlock | None) -> Value:
        sandbox.require_permission(scope, "ruby", self.name)
        companion = self._update(scope)
        if self.interface == LEGACY:
            return self._run(
                companion,
                scope,
                lambda codec: {"arguments": [codec.encode_older(argument) for argument in arguments]},
            )
        if self._calls_itself:
            return self._run(
                companion, scope, lambda codec: _make_call(codec, _METHOD_CALL, arguments, block)
            )
        return self.call_dispatch(companion, scope, arguments, block)

    def call_dispatch(
        self, companion: RubyCompanion, scope: Scope, arguments: Sequence[Value], block: LambdaBlock | None
    ) -> Value:
        """Call the first dispatch that accepts the arguments. Raises Failure if none does."""
        number = next(
            (index for index, each in enumerate(self._dispatches) if each.accepts(arguments, block)), None
        )
        if number is None:
            raise make_call_failure(self, scope, arguments, block)
        dispatch = self._dispatches[number]
        value = self._run(companion, scope, lambda codec: _make_call(codec, number, arguments, block))
        if dispatch.is_explanation:
            raise Failure(
                "ARGUMENT_MISMATCH", subject=f"'{self.name}'", reason=value, function=self.name, parameter=""
            )
        dispatch.check(value)
        return value

    def _run(
        self, companion: RubyCompanion, scope: Scope, make_message: Callable[[ValueCodec], Message]
    ) -> Value:
        """Return the result of a call; `make_message` returns its arguments."""
        call = {"do": "call", "name": self.name, "file": self.path}
        response = self._request(
            lambda: companion.request(
                scope,
                lambda codec: call | make_message(codec),
                lambda: self._find_unloaded(companion),
                code=self._text,
            )
        )
        try:
            return companion.values.decode(response)
        except (AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError):
            raise Failure("RUBY_ENDED") from None  # the function has written to the pipe itself

    def _request(self, send: Callable[[], Value]) -> Value:
        """Return the response to a request. Raises Failure for exceptions of Ruby."""
        try:
            return send()
        except RubyError as problem:
            bare_error = problem.to_bare_error(self.path)
            if bare_error is not None:
                raise bare_error from None
            place = self.path if problem.path is None else f"{problem.path}, line {problem.line}"
            raise Failure("RUBY_FUNCTION_FAILED", message=str(problem), place=place) from None
        except Failure as problem:
            if problem.code != "RUBY_ENDED":
                raise
            raise Failure("RUBY_FUNCTION_ENDED", function=self.name, path=self.path) from None


# In place of the index of a dispatch: the method `call` of the function, which selects one itself.
_METHOD_CALL = "call"


def _make_call(
    codec: ValueCodec, dispatch: int | str, arguments: Sequence[Value], block: LambdaBlock | None
) -> Message:
    """Return the message of a call.

    Args:
        codec: The codec of its values.
        dispatch: The index of the dispatch, or `_METHOD_CALL`.
        arguments: The arguments.
        block: The block; None for none.
    """
    encoded_block = None if block is None else codec.encode(block)
    return {"dispatch": dispatch, "arguments": codec.encode(list(arguments)), "block": encoded_block}


class SharedDeclaration(Record):
    """The declarations in a file of a function, for all programs that load the same text.

    Attributes:
        text: The text of the file.
        description: Ruby's description of the function.
    """

    text: str
    description: dict[str, Value]
    _dispatches: list[RubyDispatch] | None = None
    _names: dict[str, Value] = fresh(factory=dict)  # the types to which the dispatches refer

    def get_dispatches(self, program: Runtime, name: str) -> list[RubyDispatch]:
        """Return the dispatches; programs share them if the names of their types mean the same."""
        if self._dispatches is not None and refers_to_same(program.names, self._names):
            return self._dispatches
        with trace_names() as trace:
            types = FunctionTypes(program, name, self.description["locals"])
            dispatches = [RubyDispatch(name, each, types) for each in self.description["dispatches"]]
        if trace.is_shareable and not self.description["locals"]:
            self._dispatches, self._names = dispatches, trace.types
        return dispatches


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
    """A dispatch of a function: a signature with a method in Ruby.

    Attributes:
        is_explanation: True if the method returns the message of an error, for arguments that are wrong.
        signature: The signature.
    """

    def __init__(self, name: str, description: dict[str, Value], types: FunctionTypes) -> None:
        parameters = [
            _make_parameter(types.parse(text), parameter, mode)
            for text, parameter, mode in description["parameters"]
        ]
        block = description["block"]
        block_parameter = None if block is None else _make_parameter(types.parse(block[0]), *block[1:])
        returns = description["returns"]
        self._method: str = description["method"]
        self.is_explanation: bool = description["mismatch"]
        self.signature = Signature(name, parameters, block_parameter, returns or "")
        self._returns = None if returns is None else types.parse(returns)

    def accepts(self, arguments: Sequence[Value], block: LambdaBlock | None) -> bool:
        """Return True if the dispatch accepts these arguments."""
        signature = self.signature
        if not signature.takes_count(len(arguments)) or not all(
            signature.parameter_at(index).type.instance(value) for index, value in enumerate(arguments)
        ):
            return False
        expected = signature.block
        if block is None:
            return expected is None or expected.mode == "?"
        return expected is not None and bool(expected.type.assignable(infer_block_type(block)))

    def check(self, value: Value) -> None:
        """Raise Failure for a value that is not of the declared return type."""
        if self._returns is not None:
            subject = f"value returned from function '{self._method}'"
            check(subject, self._returns, value, "RETURN_MISMATCH", function=self.signature.name)


def _make_parameter(declared: Value, name: str, mode: str) -> SignatureParameter:
    """Return a parameter; the signature prints its type as `str` does."""
    return SignatureParameter(str(declared), name, mode, declared)
