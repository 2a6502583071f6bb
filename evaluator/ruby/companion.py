"""The protocol with Ruby: requests to it, and its callbacks before it responds.

A function in Ruby, or one that renders ERB templates, gets the `RubyCompanion` for its code from `get_companion` and
sends it requests. `RubyCompanion.request` looks for a former exchange with the same callbacks; else `_exchange` sends
the message and handles callbacks until Ruby responds. `scripts/companion.rb` describes the messages.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING

from evaluator.catalog.scopes import find_declaring_scope
from evaluator.issues import Failure, make_error, require, require_found
from evaluator.limits import MEGA, MEMORY, RUBY, STRING
from evaluator.program import effects
from evaluator.program.definitions import LambdaBlock, ParameterSpec, Scope, Unwind
from evaluator.ruby.analysis import (
    is_isolated,
    is_repeatable,
    list_methods,
    needs_library,
    uses_names,
)
from evaluator.ruby.callbacks import (
    HANDLERS,
    PURE_HANDLERS,
    Handler,
    is_pure_call,
    is_repeatable_call,
    is_template_call,
)
from evaluator.ruby.processes import CodeKey, RubyProcess, keep_idle, take_idle
from evaluator.ruby.values import Exchange, Message, ValueCodec, parse_message
from evaluator.values import Value
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


_PATHS_OF_RUBY = ("/opt/puppetlabs/puppet/bin/ruby",)
_SCRIPT = os.path.join(os.path.dirname(__file__), "scripts", "companion.rb")
_OWN_MEMORY = 256 * MEGA  # bytes that Ruby and the library need before any code runs
_LIBRARY = True  # whether the released Puppet's library is used if it is installed
# The codes of errors that Puppet reports without the context of a call, by the class of the exception in Ruby.
_BARE_ERROR_CODES = {
    # code cannot run at all
    **dict.fromkeys(("LoadError", "SyntaxError", "NotImplementedError", "ScriptError"), "RUBY_NOT_RUNNABLE"),
    **dict.fromkeys(("SystemStackError", "Gem::LoadError", "Gem::ConflictError"), "RUBY_NOT_RUNNABLE"),
    **dict.fromkeys(("Gem::MissingSpecError", "Gem::MissingSpecVersionError"), "RUBY_NOT_RUNNABLE"),
    "Puppet::DataBinding::LookupError": "RUBY_LOOKUP_FAILED",
}
_MOST_VARIANTS = 2  # exchanges for the same request with different callbacks
_BYTES_PER_CHARACTER = 4  # bytes of a message for each character of a String


def get_companion(runtime: Runtime, name: str, text: str, *, is_template: bool = False) -> RubyCompanion:
    """Return the companion of a running program for Ruby code, and create it if there is none.

    Code that leaves nothing behind runs in a process that serves one program after the other; other code in one that
    ends with the program.

    Args:
        runtime: The program.
        name: The function that needs Ruby, for messages.
        text: The Ruby code, or the template.
        is_template: True for a template.

    Raises:
        Failure: There is no Ruby.
    """
    if _LIBRARY and "ruby" in runtime.settings.permissions and needs_library(text, is_template):
        kind, usable_kinds = _WITH_LIBRARY, [_WITH_LIBRARY]
    else:
        kind = _REUSED if is_isolated(text, is_template) else _FORKED
        usable_kinds = [_WITH_LIBRARY, _FORKED, _REUSED]
    for usable_kind in usable_kinds:
        busy = runtime.companions.get(usable_kind)
        if isinstance(busy, RubyCompanion) and busy.is_busy and not busy.gone:
            busy.is_reusable &= kind == _REUSED  # other code may leave something behind
            return busy  # code that runs in a callback of its request shares its objects
    companion = runtime.companions.get(kind)
    if not isinstance(companion, RubyCompanion) or companion.gone:
        companion = runtime.companions[kind] = RubyCompanion(runtime, name, kind)
    return companion


# The kinds of Ruby processes. The first two run each program in a fork.
_WITH_LIBRARY = "ruby with library"
_FORKED = "ruby"
_REUSED = "ruby for isolated code"
_MOST_PROGRAMS = 200  # then a process that does not fork is replaced, because its memory is limited


class RubyError(Failure):
    """An exception of Ruby.

    Attributes:
        kind: Its class.
        path: The file of its position; None if unknown.
        line: The line of its position, from 1; None if unknown.
        function: The name of the function that the code has called and that does not exist; "" for other exceptions.
    """

    def __init__(
        self, message: str, kind: str, path: str | None, line: int | None, function: str = ""
    ) -> None:
        super().__init__("RUBY_FAILED", message=message)
        self.kind = kind
        self.path = path
        self.line = line
        self.function = function

    def to_bare_error(self, file: str) -> PuppetError | None:
        """Return the error if Puppet shows it without context; else None.

        Args:
            file: The name of the code, used if Ruby does not know the position.
        """
        if self.kind not in _BARE_ERROR_CODES:
            return None
        place = file if self.path is None else f"{self.path}, line {self.line}"
        return make_error(_BARE_ERROR_CODES[self.kind], message=str(self).rstrip(), place=place)


class RubyCompanion:
    """A Ruby process for a program, and the values and scopes that its messages refer to.

    Ruby starts at the first request that cannot be replayed: the response of a former request is reused while its
    callbacks would have the same results.

    Requests are not collected in batches. A program needs the result of each call and template at once, and the message
    that loads code is part of its first call already. A process that compiles 184 catalogs of modules sends 252
    requests; with 55 microseconds of CPU for a round trip, on both sides together, that is 1 % of its CPU. Only the
    begin of a program could be joined with its first request, which would save 0.2 %.

    Attributes:
        gone: True if Ruby has ended or cannot be used any more.
        is_reusable: False if it has run code that may leave side effects behind.
        kind: The kind of its process.
        has_library: True if it has Puppet's library.
        loaded: The texts of the functions that Ruby has loaded.
        values: The codec of values, with the values that Ruby has handles of.
    """

    def __init__(self, runtime: Runtime, name: str, kind: str) -> None:
        ruby = require_found(
            shutil.which("ruby") or next(filter(os.path.exists, _PATHS_OF_RUBY), None),
            "NO_RUBY",
            function=name,
        )
        self.gone = False
        self.is_reusable = True
        self.loaded: dict[CodeKey, str] = {}
        self._used_code: dict[CodeKey, Message] = {}
        self.runtime = runtime
        self.values = ValueCodec(runtime)
        self.kind = kind
        self.has_library = kind == _WITH_LIBRARY
        features = "error_highlight" if self.has_library else "gems,error_highlight"
        mode = {_WITH_LIBRARY: "library", _REUSED: "reused"}.get(kind, "")
        self._command = (ruby, f"--disable={features}", _SCRIPT, str(int(MEMORY.value) + _OWN_MEMORY), mode)
        self._process: RubyProcess | None = None
        # True before the first request to a process that has served other programs: it must begin this one.
        self._must_begin = False
        # The methods that templates of the program have defined.
        self._template_methods: frozenset[str] = frozenset()
        # The number of requests that are being handled, each in a callback of the one before.
        self._request_depth = 0
        # Of the outermost request: the seconds so far, the scopes by number, the errors of callbacks by number.
        self._seconds_waited = 0.0
        self._scopes: list[Scope] = []
        self._callback_errors: list[Exception] = []

    def end(self) -> None:
        """Kill Ruby, whatever it does."""
        self.gone = True
        if self._process is not None:
            self._process.end()

    def release(self) -> None:
        """End the program in Ruby, with all that it has started; the process becomes idle."""
        process = self._process
        if self.gone or self._request_depth or process is None:
            self.end()
            return
        if self.kind == _REUSED:
            self._release_reused(process)
            return
        try:
            is_done = "ended" in self._exchange({"do": "end"}).ending and process.end_descendants()
        except BaseException as problem:
            self.end()
            if not isinstance(problem, Failure):
                raise
            return
        if not is_done or not process.is_quiet():  # the code has written to the pipe itself
            self.end()
            return
        self.gone = True
        process.note_used(self._used_code)
        keep_idle(self._command, process)

    def _release_reused(self, process: RubyProcess) -> None:
        """Make a process that does not fork idle, or end it if it cannot run another program."""
        process.programs += 1
        if self.is_reusable and process.programs < _MOST_PROGRAMS and process.is_quiet():
            self.gone = True
            process.prepared = self.loaded
            process.has_code = True
            keep_idle(self._command, process)
        else:
            self.end()

    @property
    def is_busy(self) -> bool:
        """True while it handles a request."""
        return self._request_depth > 0

    def note_used(self, key: CodeKey, code: Message) -> None:
        """Record that the program uses a function or template, to prepare it for the next one."""
        self._used_code[key] = code

    # --- requests

    def request(
        self,
        scope: Scope,
        make_message: Callable[[ValueCodec], Message],
        load: Callable[[], Message | None] = lambda: None,
        *,
        code: str = "",
        is_template: bool = False,
    ) -> Value:
        """Return Ruby's response to a request as JSON.

        It is the first of these whose callbacks have the same results: a response that this program has recorded in a
        former run, one of any program if the code is repeatable, or that of Ruby.

        Args:
            scope: The scope of the request.
            make_message: Returns the message, from the codec of its values.
            load: Returns the message that loads the code if Ruby has not loaded it; called only if Ruby must respond.
            code: The code that handles the request.
            is_template: True for the code of a template.

        Raises:
            RubyError: The code failed.
            Failure: The code called `exit` (RUBY_ENDED).
        """
        with self._enter_request(scope):
            message = make_message(self.values) | {"scope": self._scope_number(scope)}
            text = json.dumps(message)
            new_exchanges: list[Exchange] = []
            if is_template:
                self._template_methods |= list_methods(code)
            is_shareable = (
                self.kind == _REUSED
                and not uses_names(code, self._template_methods)
                and is_repeatable(code, is_template)
            )

            def find_or_send() -> Exchange:
                """Return a shared exchange, else a new one, which is also added to `new_exchanges`."""
                shared = self._find_shared(code, text) if is_shareable else None
                if shared is not None:
                    return shared
                load_message, length_before = load(), self.runtime.written
                exchange = (
                    self._exchange_or_end(message, text)
                    if load_message is None
                    else self._exchange_or_end(message | {"load": load_message})
                )
                new_exchanges.append(exchange)
                if is_shareable:
                    self._share(code, text, exchange, self.runtime.written - length_before)
                return exchange

            exchange: Exchange = effects.replay((effects.RUBY, text), find_or_send, self._repeat_callbacks)
            if not new_exchanges:  # the lines of a new exchange were logged when Ruby sent them
                for level, line in exchange.logs:
                    self.runtime.log(level, line)
            return exchange.response

    def _make_key(self, code: str, text: str) -> bytes:
        settings = self.runtime.settings
        # The two settings determine the value of a variable that is not set.
        parts = code, text, settings.strict, str(settings.strict_variables)
        return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def _find_shared(self, code: str, text: str) -> Exchange | None:
        """Return the first exchange of any program for the same request that is valid here, or None.

        Its callbacks have been handled, see `_repeat_callbacks`.
        """
        exchanges: list[Exchange] = self.runtime.environment.exchanges.get(self._make_key(code, text), [])
        return next((exchange for exchange in exchanges if self._repeat_callbacks(exchange)), None)

    def _share(self, code: str, text: str, exchange: Exchange, written: int) -> None:
        """Share a response unless it depends on more than values, has a secret, or is long.

        Args:
            code: The code.
            text: The request.
            exchange: The response, with the callbacks before it.
            written: The number of characters that were logged during the exchange.
        """
        are_repeatable = all(
            is_pure_call(self, query) or self._is_repeatable(query) for query, _ in exchange.callbacks
        )
        if are_repeatable and not self.values.handles and exchange.is_shareable(text, written):
            exchanges, key = self.runtime.environment.exchanges, self._make_key(code, text)
            exchanges[key] = [exchange, *exchanges.get(key, [])][:_MOST_VARIANTS]

    @contextmanager
    def _enter_request(self, scope: Scope) -> Iterator[None]:
        """Enter a request; one in a callback shares values and scopes with the outermost.

        The scope with the number 0 is the top scope, or that of a block in it which makes the request.
        """
        if not self._request_depth:
            top = self.runtime.state.top
            self.values.handles, self._callback_errors, self._seconds_waited = [], [], 0.0
            self._scopes = [scope if find_declaring_scope(scope) is top else top]
        self._request_depth += 1
        try:
            yield
        finally:
            self._request_depth -= 1

    def _scope_number(self, scope: Scope) -> int:
        for number, numbered in enumerate(self._scopes):
            if numbered is scope:
                return number
        self._scopes.append(scope)
        return len(self._scopes) - 1

    def get_scope(self, number: int) -> Scope:
        """Return the scope of a number."""
        return self._scopes[number]

    def _exchange_or_end(self, message: Message, text: str = "") -> Exchange:
        try:
            if self._process is None:
                self._start()
            if self._must_begin:
                message, text = message | {"begin": self._describe_settings()}, ""
                self._must_begin = False
            exchange = self._exchange(message, text)
        except BaseException:
            self.end()  # Ruby accepts no other request in the middle of an exchange
            raise
        if "raise" in exchange.ending:
            self._raise(exchange.ending, is_template=message["do"] == "template")
        return exchange

    def _start(self) -> None:
        """Begin a new program, in an idle Ruby process if there is one."""
        self._process = take_idle(self._command, self.runtime.settings.modulepath)
        if self._process is not None and self._process.programs:
            self.loaded = self._process.prepared
            self._must_begin = True
            return
        if self._process is None or not self._begin_program(self._process):
            if self._process is not None:
                self._process.end()  # code of a former program has written to the pipe itself
            self.gone = False
            try:
                self._process = RubyProcess(self._command, self.runtime.settings.modulepath)
            except OSError as cause:
                raise Failure("PROCESS_LIMIT", reason=cause.strerror) from None
            require(self._begin_program(self._process), "RUBY_ENDED")

    def _describe_settings(self) -> dict[str, str]:
        """Return what Ruby code can know of the session: its strictness, version and environment."""
        settings = self.runtime.settings
        version = f"{settings.dialect.of_modules.product.version}.0"
        return {"strict": settings.strict, "version": version, "environment": settings.environment}

    def _begin_program(self, process: RubyProcess) -> bool:
        """Begin a new program; return False if Ruby's response is invalid."""
        token = os.urandom(8).hex()
        unprepared = process.take_unprepared()
        message: Message = {"do": "reset", "libraries": list(process.modulepath), "token": token}
        message["settings"] = self._describe_settings()
        try:
            response = self._exchange(message | {"prepare": list(unprepared.values())}).ending.get("value")
        except Failure:
            return False
        if type(response) is not list or len(response) != 1 + len(unprepared) or response[0] != token:
            return False
        process.prepared |= {
            key: code["text"]
            for (key, code), done in zip(unprepared.items(), response[1:], strict=True)
            if done
        }
        self.loaded = dict(process.prepared)
        return True

    def _exchange(self, message: Message, text: str = "") -> Exchange:
        """Send a request, whose text may be known; handle Ruby's callbacks until it responds."""
        exchange = Exchange()
        self._send(message, text)
        while True:
            received = self._receive()
            if "query" in received:
                result = self._handle_callback(HANDLERS[received["query"]], received)
                exchange.callbacks.append((received, self._send(result)))
            elif "log" in received:
                exchange.logs.append((received["log"], received["text"]))
                self.runtime.log(received["log"], received["text"])
            elif "ended" in received and message["do"] != "end":
                self.gone = True  # the code has sent the message that ends a program
                raise Failure("RUBY_ENDED")
            else:
                exchange.ending = received
                return exchange

    def _raise(self, ending: Message, is_template: bool = False) -> None:
        """Raise Ruby's exception. An error of a callback is raised as it is, except by a template."""
        error = self._callback_errors[ending["number"]] if "number" in ending else None
        if error is not None and (not is_template or isinstance(error, Unwind)):
            raise error
        require(ending["kind"] != "exit", "RUBY_ENDED")
        if ending["kind"] == "NoMemoryError":
            self.end()
            raise MEMORY.make_error("MEMORY_EXCEEDED")
        unknown_function = (
            error.arguments["name"]
            if isinstance(error, PuppetError) and error.code == "UNKNOWN_FUNCTION"
            else ""
        )
        raise RubyError(
            ending["raise"], ending["kind"], ending.get("path"), ending.get("line"), unknown_function
        )

    # --- callbacks

    def _handle_callback(self, handler: Handler, query: Message) -> Message:
        """Return the result of a callback, or the exception that it raised, as a message."""
        try:
            return {"value": self.values.encode(handler(self, query))}
        except (PuppetError, Failure, Unwind) as problem:
            if self.gone:
                raise
            self._callback_errors.append(problem)
            text = problem.message if isinstance(problem, PuppetError) else str(problem)
            kind = "unwound" if isinstance(problem, Unwind) else ""
            if getattr(problem, "code", "") == "UNKNOWN_FUNCTION":
                kind = "unknown"
            return {"raise": text, "number": len(self._callback_errors) - 1, "kind": kind}

    def _repeat_callbacks(self, exchange: Exchange) -> bool:
        """Handle the callbacks of a former exchange; return True if all have the same results.

        Its response is then valid, and the callbacks have set the same variables. If one has another result, the
        variables that they have set are removed. If one cannot be handled again, none is handled.
        """
        callbacks = [(query, sent) for query, sent in exchange.callbacks if not is_pure_call(self, query)]
        if not all(self._is_repeatable(query) for query, _ in callbacks):
            return False
        variable_counts = [(scope.variables, len(scope.variables)) for scope in self._scopes]
        with self.runtime.hold_log() as lines:
            for query, sent in callbacks:
                name = query["query"]
                if (
                    json.dumps(self._handle_callback(PURE_HANDLERS.get(name) or HANDLERS[name], query))
                    != sent
                ):
                    for variables, count in variable_counts:
                        while len(variables) > count:
                            variables.popitem()
                    return False
        for line in lines:
            self.runtime.write(line)
        return True

    def _is_repeatable(self, query: Message) -> bool:
        """Return True for a callback that can be handled once more.

        It reads, renders a template, calls a function in Ruby, or sets a variable to a value without a handle.
        """
        if query["query"] in PURE_HANDLERS:
            return True
        if query["query"] != "set":
            return is_template_call(self, query) or is_repeatable_call(self, query)
        try:
            ValueCodec(self.runtime).decode(query["value"])
        except IndexError:  # the value has a handle, which a new codec does not have
            return False
        return True

    def make_block(self, description: Message | None) -> LambdaBlock | None:
        """Return the block in a callback: one of the program, or one that Ruby runs on request."""
        if description is None:
            return None
        if "given" in description:
            block: LambdaBlock = self.values.handles[description["given"]]
            return block
        takes, splat = description["takes"], description["splat"]

        def run(*arguments: Value) -> Value:
            exchange = self._exchange(
                {
                    "do": "yield",
                    "block": description["number"],
                    "arguments": self.values.encode(list(arguments)),
                }
            )
            if "raise" in exchange.ending:
                self._raise(exchange.ending)
            return self.values.decode(exchange.ending["value"])

        parameters = [ParameterSpec(f"p{position}") for position in range(takes)]
        if splat:
            parameters.append(ParameterSpec("rest", required=False, splat=True))
        return LambdaBlock(run, tuple(parameters), takes, None if splat else takes)

    # --- the pipes

    def _send(self, message: Message, text: str = "") -> str:
        """Send a message, whose text may be known, and return the text."""
        assert self._process is not None
        text = text or json.dumps(message)
        started = time.monotonic()
        try:
            self._process.send(text.encode(), RUBY.value - self._seconds_waited)
        except TimeoutError:
            raise RUBY.make_error() from None
        except (BrokenPipeError, ValueError):
            self.gone = True
            raise Failure("RUBY_ENDED") from None
        self._seconds_waited += time.monotonic() - started
        return text

    def _receive(self) -> Message:
        assert self._process is not None
        started = time.monotonic()
        try:
            line = self._process.receive(
                RUBY.value - self._seconds_waited, _BYTES_PER_CHARACTER * STRING.value + MEGA
            )
        except TimeoutError:
            raise RUBY.make_error() from None
        except OverflowError:
            raise STRING.make_error() from None
        self._seconds_waited += time.monotonic() - started
        message = parse_message(line)
        if message is None:  # Ruby has ended, or the code has written to the pipe itself
            self.gone = True
            raise Failure("RUBY_ENDED")
        return message
