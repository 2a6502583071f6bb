"""The protocol with Ruby: requests to it, and its callbacks before it responds.

`scripts/companion.rb` describes the messages.
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
from evaluator.ruby.processes import RubyProcess, Used, keep_idle, take_idle
from evaluator.ruby.values import Exchange, Message, ValueCodec, parse_message
from evaluator.values import Value
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


_PATHS_OF_RUBY = ("/opt/puppetlabs/puppet/bin/ruby",)
_SCRIPT = os.path.join(os.path.dirname(__file__), "scripts", "companion.rb")
_OWN_MEMORY = 256 * MEGA  # bytes that Ruby and the library need before any code runs
_LIBRARY = True  # whether the released Puppet's library is used if it is installed
# The codes of errors that have no context in Puppet.
_WITHOUT_CONTEXT = {
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
    library = _LIBRARY and "ruby" in runtime.settings.permissions and needs_library(text, is_template)
    kind = _WITH_LIBRARY if library else _REUSED if is_isolated(text, is_template) else _FORKED
    for busy in (_WITH_LIBRARY,) if library else (_WITH_LIBRARY, _FORKED, _REUSED):
        running = runtime.companions.get(busy)
        if isinstance(running, RubyCompanion) and running.is_busy and not running.gone:
            running.is_reusable &= kind == _REUSED
            return running  # code that runs in a callback of its request shares its objects
    companion = runtime.companions.get(kind)
    if not isinstance(companion, RubyCompanion) or companion.gone:
        companion = runtime.companions[kind] = RubyCompanion(runtime, name, kind)
    return companion


# The kinds of Ruby processes. Those of two kinds run each program in a fork.
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
        if self.kind not in _WITHOUT_CONTEXT:
            return None
        place = file if self.path is None else f"{self.path}, line {self.line}"
        return make_error(_WITHOUT_CONTEXT[self.kind], message=str(self).rstrip(), place=place)


class RubyCompanion:
    """A Ruby process, and the values and scopes that its messages refer to.

    Ruby starts at the first request that cannot be replayed: the result of a former request is reused while its
    callbacks would return the same.

    Requests are not collected in batches. A program needs the result of each call and template at once, and the message
    that loads code is part of its first call already. A process that compiles 184 catalogs of modules sends 252
    requests; with 55 microseconds of CPU for a round trip, on both sides together, that is 1 % of its CPU. Only the
    begin of a program could be joined with its first request, which would save 0.2 %.

    Attributes:
        gone: True if Ruby has ended or cannot be used any more.
        is_reusable: False if it has run code that may leave side effects behind.
        kind: The kind of its process.
        has_library: True if it has Puppet's library.
        loaded: The texts of the functions that Ruby has loaded, by name and interface.
    """

    def __init__(self, runtime: Runtime, name: str, kind: str) -> None:
        ruby = require_found(
            shutil.which("ruby") or next(filter(os.path.exists, _PATHS_OF_RUBY), None),
            "NO_RUBY",
            function=name,
        )
        self.gone = False
        self.is_reusable = True
        self.loaded: dict[Used, str] = {}
        self._used: dict[Used, Message] = {}
        self.runtime = runtime
        self.values = ValueCodec(runtime)
        self.kind = kind
        self.has_library = kind == _WITH_LIBRARY
        features = "error_highlight" if self.has_library else "gems,error_highlight"
        mode = {_WITH_LIBRARY: "library", _REUSED: "reused"}.get(kind, "")
        self._words = (ruby, f"--disable={features}", _SCRIPT, str(int(MEMORY.value) + _OWN_MEMORY), mode)
        self._program: RubyProcess | None = None
        self._is_first = False  # True before a program's first request to a process that has served others
        self._methods: frozenset[str] = frozenset()  # those that templates of the program have defined
        self._depth = 0
        self._waited = 0.0
        self._scopes: list[Scope] = []
        self._raised: list[Exception] = []

    def end(self) -> None:
        """Kill Ruby, whatever it does."""
        self.gone = True
        if self._program is not None:
            self._program.end()

    def release(self) -> None:
        """End the program in Ruby, with all that it has started; its parent is reused."""
        program = self._program
        if self.gone or self._depth or program is None:
            self.end()
            return
        if self.kind == _REUSED:
            self._keep(program)
            return
        try:
            is_done = "ended" in self._exchange({"do": "end"}).ending and program.end_descendants()
        except BaseException as problem:
            self.end()
            if not isinstance(problem, Failure):
                raise
            return
        if not is_done or not program.is_quiet():  # the code has written to the pipe itself
            self.end()
            return
        self.gone = True
        program.note_used(self._used)
        keep_idle(self._words, program)

    def _keep(self, program: RubyProcess) -> None:
        """Keep a process that does not fork for the next program."""
        program.programs += 1
        if self.is_reusable and program.programs < _MOST_PROGRAMS and program.is_quiet():
            self.gone = True
            program.prepared = self.loaded
            program.has_code = True
            keep_idle(self._words, program)
        else:
            self.end()

    @property
    def is_busy(self) -> bool:
        """True while it handles a request."""
        return self._depth > 0

    def note_used(self, key: Used, code: Message) -> None:
        """Record that the program uses a function or a template, which may be prepared for the next one."""
        self._used[key] = code

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

        A former response is reused if its callbacks would return the same.

        Args:
            scope: The scope of the request.
            make_message: Returns the message.
            code: The code that handles the request; programs share responses that are repeatable.
            is_template: True for the code of a template.
            load: Returns the message that loads the code if it is not loaded yet; not called during a replay.

        Raises:
            RubyError: The code failed.
            Failure: The code called `exit` (RUBY_ENDED).
        """
        with self._enter_request(scope):
            message = make_message(self.values) | {"scope": self._scope_number(scope)}
            text = json.dumps(message)
            fresh: list[Exchange] = []
            if is_template:
                self._methods |= list_methods(code)
            is_plain = self.kind == _REUSED and not uses_names(code, self._methods)
            is_shareable = is_plain and is_repeatable(code, is_template)

            def send() -> Exchange:
                shared = self._find_shared(code, text) if is_shareable else None
                if shared is not None:
                    return shared
                unloaded, written = load(), self.runtime.written
                if unloaded is None:
                    fresh.append(self._exchange_or_end(message, text))
                else:
                    fresh.append(self._exchange_or_end(message | {"load": unloaded}))
                if is_shareable:
                    self._share(code, text, fresh[0], self.runtime.written - written)
                return fresh[0]

            exchange: Exchange = effects.replay((effects.RUBY, text), send, self._is_unchanged)
            if not fresh:
                for level, text in exchange.logs:
                    self.runtime.log(level, text)
            return exchange.response

    def _make_key(self, code: str, text: str) -> bytes:
        settings = self.runtime.settings  # the settings that determine the value of an unset variable
        parts = code, text, settings.strict, str(settings.strict_variables)
        return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def _find_shared(self, code: str, text: str) -> Exchange | None:
        """Return an earlier response of any program to the same request, or None."""
        exchanges: list[Exchange] = self.runtime.environment.exchanges.get(self._make_key(code, text), [])
        return next((exchange for exchange in exchanges if self._is_unchanged(exchange)), None)

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
        """Enter a request; a nested one shares values and scopes. The first scope is global."""
        if not self._depth:
            top = self.runtime.state.top
            self.values.handles, self._raised, self._waited = [], [], 0.0
            self._scopes = [scope if find_declaring_scope(scope) is top else top]
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

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
            if self._program is None:
                self._start()
            if self._is_first:
                message, text = message | {"begin": self._describe_settings()}, ""
                self._is_first = False
            exchange = self._exchange(message, text)
        except BaseException:
            self.end()  # Ruby accepts no other request in the middle of an exchange
            raise
        if "raise" in exchange.ending:
            self._raise(exchange.ending, keeps_own=message["do"] != "template")
        return exchange

    def _start(self) -> None:
        """Begin a new program, in an idle Ruby process if there is one."""
        self._program = take_idle(self._words, self.runtime.settings.modulepath)
        if self._program is not None and self._program.programs:
            self.loaded = self._program.prepared
            self._is_first = True
            return
        if self._program is None or not self._begin_program(self._program):
            if self._program is not None:
                self._program.end()  # code of a former program has written to the pipe itself
            self.gone = False
            try:
                self._program = RubyProcess(self._words, self.runtime.settings.modulepath)
            except OSError as cause:
                raise Failure("PROCESS_LIMIT", reason=cause.strerror) from None
            require(self._begin_program(self._program), "RUBY_ENDED")

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
        """Send a request, whose text may be known, and handle Ruby's callbacks until it responds."""
        exchange = Exchange()
        self._send(message, text)
        while True:
            received = self._receive()
            if "query" in received:
                result = self._find_result(HANDLERS[received["query"]], received)
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

    def _raise(self, ending: Message, keeps_own: bool = True) -> None:
        """Raise Ruby's exception; with `keeps_own`, that of a callback is raised unchanged."""
        problem = self._raised[ending["number"]] if "number" in ending else None
        if problem is not None and (keeps_own or isinstance(problem, Unwind)):
            raise problem
        require(ending["kind"] != "exit", "RUBY_ENDED")
        if ending["kind"] == "NoMemoryError":
            self.end()
            raise MEMORY.make_error("MEMORY_EXCEEDED")
        function = ""
        if isinstance(problem, PuppetError) and problem.code == "UNKNOWN_FUNCTION":
            function = problem.arguments["name"]
        raise RubyError(ending["raise"], ending["kind"], ending.get("path"), ending.get("line"), function)

    # --- callbacks

    def _find_result(self, handler: Handler, query: Message) -> Message:
        """Return the result of a callback, or the exception that it raised, as a message."""
        try:
            return {"value": self.values.encode(handler(self, query))}
        except (PuppetError, Failure, Unwind) as problem:
            if self.gone:
                raise
            self._raised.append(problem)
            text = problem.message if isinstance(problem, PuppetError) else str(problem)
            kind = "unwound" if isinstance(problem, Unwind) else ""
            if getattr(problem, "code", "") == "UNKNOWN_FUNCTION":
                kind = "unknown"
            return {"raise": text, "number": len(self._raised) - 1, "kind": kind}

    def _is_unchanged(self, exchange: Exchange) -> bool:
        """Handle the callbacks of a former exchange; return True if all have the same result, as far as is known.

        The variables that they set are removed if one has another result.
        """
        callbacks = [(query, sent) for query, sent in exchange.callbacks if not is_pure_call(self, query)]
        if not all(self._is_repeatable(query) for query, _ in callbacks):
            return False
        former = [(scope.variables, len(scope.variables)) for scope in self._scopes]
        with self.runtime.hold_log() as lines:
            for query, sent in callbacks:
                name = query["query"]
                if json.dumps(self._find_result(PURE_HANDLERS.get(name) or HANDLERS[name], query)) != sent:
                    for variables, count in former:
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
        if (name := query["query"]) != "set":
            return name in PURE_HANDLERS or is_template_call(self, query) or is_repeatable_call(self, query)
        try:
            ValueCodec(self.runtime).decode(query["value"])
        except IndexError:  # of a handle
            return False
        return True

    def make_block(self, described: Message | None) -> LambdaBlock | None:
        """Return the Block in a callback: one of the program, or one that Ruby runs on request."""
        if described is None:
            return None
        if "given" in described:
            block: LambdaBlock = self.values.handles[described["given"]]
            return block
        takes, splat = described["takes"], described["splat"]

        def run(*arguments: Value) -> Value:
            exchange = self._exchange(
                {
                    "do": "yield",
                    "block": described["number"],
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
        """Send a message and return its text, which may be known."""
        assert self._program is not None
        text = text or json.dumps(message)
        started = time.monotonic()
        try:
            self._program.send(text.encode(), RUBY.value - self._waited)
        except TimeoutError:
            raise RUBY.make_error() from None
        except (BrokenPipeError, ValueError):
            self.gone = True
            raise Failure("RUBY_ENDED") from None
        self._waited += time.monotonic() - started
        return text

    def _receive(self) -> Message:
        assert self._program is not None
        started = time.monotonic()
        try:
            line = self._program.receive(
                RUBY.value - self._waited, _BYTES_PER_CHARACTER * STRING.value + MEGA
            )
        except TimeoutError:
            raise RUBY.make_error() from None
        except OverflowError:
            raise STRING.make_error() from None
        self._waited += time.monotonic() - started
        message = parse_message(line)
        if message is None:  # Ruby has ended, or the code has written to the pipe itself
            self.gone = True
            raise Failure("RUBY_ENDED")
        return message
