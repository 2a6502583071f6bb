"""The conversation with Ruby: requests, what Ruby asks before it answers them, and what is kept of both.

`host/companion.rb` tells the messages.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evaluator.catalog.scopes import find_declaring_scope
from evaluator.issues import Failure, error
from evaluator.limits import MEGA, MEMORY, RUBY, STRING
from evaluator.program import companions, effects
from evaluator.program.callables import Block, ParameterSpec
from evaluator.program.scope import Scope
from evaluator.program.unwinding import Unwind
from evaluator.ruby.questions import QUESTIONS, REPEATED
from evaluator.ruby.values import Message, Values, meant
from evaluator.values import Value
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


_PLACES_OF_RUBY = ("/opt/puppetlabs/puppet/bin/ruby",)
_HOST = os.path.join(os.path.dirname(__file__), "host", "companion.rb")
_OWN_MEMORY = 256 * MEGA  # what Ruby and the library take before anything runs
_LIBRARY = True  # whether the released Puppet's library is used where it is installed
# what Ruby may know of the environment of this process: nothing in it is secret
_SHARED = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "GEM_HOME", "GEM_PATH", "RUBYLIB")
# what is no fault of a program that runs, but of one that cannot
_PASSED_ON = frozenset(
    {"LoadError", "SyntaxError", "NotImplementedError", "ScriptError", "SystemStackError", "Gem::LoadError"}
    | {"Gem::MissingSpecError", "Gem::MissingSpecVersionError", "Gem::ConflictError"}
)
_LONGEST = 4  # bytes of a message for each character that a text may have


def companion(runtime: Program, name: str) -> Companion:
    """Ruby, ready to be asked by a running program.

    name  the function that needs it. Raises Failure when there is no Ruby.
    """
    found = runtime.companions.get("ruby")
    if not isinstance(found, Companion) or found.gone:
        found = runtime.companions["ruby"] = Companion(runtime, name)
    return found


class RubyError(Failure):
    """What Ruby raised: `kind` is its class, `path` and `line` tell where, as far as that is known."""

    def __init__(self, message: str, kind: str, path: str | None, line: int | None) -> None:
        super().__init__("RUBY_FAILED", message=message)
        self.kind = kind
        self.path = path
        self.line = line

    def told(self, file: str) -> PuppetError | None:
        """What the released Puppet passes on as it is, without saying what it was evaluating; None for the rest.

        file  what holds the code, where Ruby does not know the place
        """
        if self.kind not in _PASSED_ON:
            return None
        place = file if self.path is None else f"{self.path}, line {self.line}"
        return error("RUBY_NOT_RUNNABLE", message=str(self).rstrip(), place=place)


class Exit(Failure):
    """The code called `exit`."""

    def __init__(self) -> None:
        super().__init__("RUBY_ENDED")


class Companion:
    """Ruby, and the values and scopes that the conversation is about.

    Ruby starts when it is first needed: what is asked again, while all that it asked back is as it was, is answered
    as before.
    gone    true when Ruby has ended, or is not to be asked any more
    loaded  the texts of the functions that Ruby has read, by name and interface
    """

    def __init__(self, runtime: Program, name: str) -> None:
        ruby = shutil.which("ruby") or next(filter(os.path.exists, _PLACES_OF_RUBY), None)
        if ruby is None:
            raise Failure("NO_RUBY", function=name)
        self.gone = False
        self.loaded: dict[tuple[str, int], str] = {}
        self.runtime = runtime
        self.values = Values(runtime)
        self._amount = int(MEMORY.value)
        library = _LIBRARY and "ruby" in runtime.settings.permissions
        features = "error_highlight" if library else "gems,error_highlight"
        self._words = (
            *(ruby, f"--disable={features}", _HOST),
            *(str(self._amount + _OWN_MEMORY), "library" if library else ""),
        )
        self._program: companions.Program | None = None
        self._is_new = True  # the program that asks has not asked before
        self._depth = 0
        self._waited = 0.0
        self._scopes: list[Scope] = []
        self._raised: list[Exception] = []

    def end(self) -> None:
        """Ends Ruby, whatever it does."""
        self.gone = True
        if self._program is not None:
            self._program.end()

    def leave(self) -> None:
        """Ends the program's part in it. Ruby, as it was before, waits for the next session that needs it."""
        program = self._program
        if self.gone or self._depth or program is None:
            self.end()
            return
        try:
            is_done = "ended" in self._talk({"do": "end"}).ending and program.is_quiet()
        except BaseException as problem:
            self.end()
            if not isinstance(problem, Failure):
                raise
            return
        if not is_done:  # code has written to the pipe itself
            self.end()
            return
        self.gone = True
        program.forget()
        _rest(self._words, program)

    def rests(self) -> bool:
        """Makes ready for the next program; false when Ruby must be started anew for it."""
        self._is_new = True
        return not self.gone and not self._depth and self._amount == int(MEMORY.value)

    # --- requests

    def request(
        self, scope: Scope, make: Callable[[Values], Message], before: Callable[[], None] = lambda: None
    ) -> Value:
        """What Ruby answers to a request, as JSON has it: as before, where all that it asked is as it was.

        scope  where it is asked;  make  gives the message;  before  what is done first when Ruby is asked indeed
        Raises RubyError, Exit, and what was raised when Ruby asked back.
        """
        with self._deeper(scope):
            message = make(self.values) | {"scope": self._number(scope)}
            fresh: list[Conversation] = []

            def ask() -> Conversation:
                before()
                fresh.append(self._converse(message))
                return fresh[0]

            found: Conversation = effects.replay(("ruby", json.dumps(message)), ask, self._holds)
            if not fresh:
                for level, text in found.logs:
                    self.runtime.log(level, text)
            return found.answer

    @contextmanager
    def _deeper(self, scope: Scope) -> Iterator[None]:
        """A request within another one goes on with its values and scopes; the first of them is the global one."""
        if not self._depth:
            top = self.runtime.state.top
            self.values.given, self._raised, self._waited = [], [], 0.0
            self._scopes = [scope if find_declaring_scope(scope) is top else top]
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def _number(self, scope: Scope) -> int:
        for number, known in enumerate(self._scopes):
            if known is scope:
                return number
        self._scopes.append(scope)
        return len(self._scopes) - 1

    def scope(self, number: int) -> Scope:
        """The scope of a number."""
        return self._scopes[number]

    def _converse(self, message: Message) -> Conversation:
        try:
            if self._program is None or self._is_new:
                self._start()
            found = self._talk(message)
        except BaseException:
            self.end()  # in the middle of the conversation nothing more can be asked
            raise
        if "raise" in found.ending:
            self._fail(found.ending, keeps=message["do"] != "template")
        return found

    def _start(self) -> None:
        if self._program is not None and not self._begin():
            self._program.end()  # code of the program before has written to the pipe itself
            self._program = None
        if self._program is None:
            self.gone = False
            self._program = _started(self._words)
            if not self._begin():
                raise Failure("RUBY_ENDED")
        self._is_new = False

    def _begin(self) -> bool:
        """Begins a new program; false when what Ruby answers means something else."""
        assert self._program is not None
        try:
            found = self._talk({"do": "reset", "libraries": list(self.runtime.settings.modulepath)})
        except Failure:
            return False
        return self._program.add(found.ending.get("value"))

    def _talk(self, message: Message) -> Conversation:
        """Sends a request, and answers what Ruby asks until it has an answer."""
        found = Conversation()
        self._send(message)
        while True:
            got = self._receive()
            if "ask" in got:
                found.questions.append((got, self._answer(got)))
            elif "log" in got:
                found.logs.append((got["log"], got["text"]))
                self.runtime.log(got["log"], got["text"])
            elif "ended" in got and message["do"] != "end":
                self.gone = True  # the code looked as if it had been asked to end
                raise Failure("RUBY_ENDED")
            else:
                found.ending = got
                return found

    def _fail(self, ending: Message, keeps: bool = True) -> None:
        """Raises what Ruby has raised; when it `keeps` what was raised here, that goes on as it was."""
        known = self._raised[ending["number"]] if "number" in ending else None
        if known is not None and (keeps or isinstance(known, Unwind)):
            raise known
        if ending["kind"] == "exit":
            raise Exit
        if ending["kind"] == "NoMemoryError":
            self.end()
            raise MEMORY.exceeded("MEMORY_EXCEEDED")
        raise RubyError(ending["raise"], ending["kind"], ending.get("path"), ending.get("line"))

    # --- what Ruby asks

    def _answer(self, question: Message) -> str:
        """Sends the answer to a question, and gives it."""
        answer: Message
        try:
            answer = {"value": self.values.encode(QUESTIONS[question["ask"]](self, question))}
        except (PuppetError, Failure, Unwind) as problem:
            if self.gone:
                raise
            self._raised.append(problem)
            text = problem.message if isinstance(problem, PuppetError) else str(problem)
            kind = "unwound" if isinstance(problem, Unwind) else ""
            if getattr(problem, "code", "") == "UNKNOWN_FUNCTION":
                kind = "unknown"
            answer = {"raise": text, "number": len(self._raised) - 1, "kind": kind}
        return self._send(answer)

    def _holds(self, conversation: Conversation) -> bool:
        """True when the questions would be answered in the same way; nobody knows what functions do."""
        if any(question["ask"] not in REPEATED for question, _ in conversation.questions):
            return False
        found = [
            (REPEATED[question["ask"]](self, question), answer) for question, answer in conversation.questions
        ]
        return all(json.dumps({"value": self.values.encode(value)}) == answer for value, answer in found)

    def block(self, given: Message | None) -> Block | None:
        """The Block that a question brings: one that Ruby was given, or one of Ruby, which is asked to run it."""
        if given is None:
            return None
        if "given" in given:
            known: Block = self.values.given[given["given"]]
            return known
        takes, splat = given["takes"], given["splat"]

        def run(*arguments: Value) -> Value:
            found = self._talk(
                {"do": "yield", "block": given["number"], "arguments": self.values.encode(list(arguments))}
            )
            if "raise" in found.ending:
                self._fail(found.ending)
            return self.values.decode(found.ending["value"])

        parameters = [ParameterSpec(f"p{position}") for position in range(takes)]
        if splat:
            parameters.append(ParameterSpec("rest", required=False, splat=True))
        return Block(run, tuple(parameters), takes, None if splat else takes)

    # --- the pipes

    def _send(self, message: Message) -> str:
        """Sends a message; gives the text of it."""
        assert self._program is not None
        text = json.dumps(message)
        started = time.monotonic()
        try:
            self._program.send(text.encode(), RUBY.value - self._waited)
        except TimeoutError:
            raise RUBY.exceeded() from None
        except (BrokenPipeError, ValueError):
            self.gone = True
            raise Failure("RUBY_ENDED") from None
        self._waited += time.monotonic() - started
        return text

    def _receive(self) -> Message:
        assert self._program is not None
        started = time.monotonic()
        try:
            line = self._program.receive(RUBY.value - self._waited, _LONGEST * STRING.value + MEGA)
        except TimeoutError:
            raise RUBY.exceeded() from None
        except OverflowError:
            raise STRING.exceeded() from None
        self._waited += time.monotonic() - started
        if not line:
            self.gone = True
            raise Failure("RUBY_ENDED")
        message = meant(line)
        if message is None:  # the code wrote to the pipe itself
            self.gone = True
            raise Failure("RUBY_ENDED")
        return message


# Ruby that no session talks to: as it was when it had just been started, and what it was started with.
_resting: list[tuple[Hashable, companions.Program]] = []


def _started(words: tuple[str, ...]) -> companions.Program:
    """Ruby for a session, which may have waited for it. Raises OSError."""
    environment = _environment()
    key = _key(words, environment)
    while _resting:
        known, program = _resting.pop()
        if known == key and program.is_quiet():
            return program
        program.end()
    return companions.Program(words, talks=True, environment=environment)


def _rest(words: tuple[str, ...], program: companions.Program) -> None:
    """Lets Ruby wait for the next session; one is enough, as one program runs at a time."""
    _resting.append((_key(words, _environment()), program))
    while len(_resting) > 1:
        _resting.pop(0)[1].end()


def _key(words: tuple[str, ...], environment: dict[str, str]) -> Hashable:
    return os.getpid(), words, tuple(sorted(environment.items()))


def _environment() -> dict[str, str]:
    """What Ruby knows of the environment of this process."""
    known = {name: os.environ[name] for name in _SHARED if name in os.environ}
    return known | {name: value for name, value in os.environ.items() if name.startswith("LC_")}


class Conversation:
    """A request that was answered: the last message, what Ruby asked with the answers as sent, what it logged."""

    __slots__ = ("ending", "logs", "questions")

    def __init__(self) -> None:
        self.ending: Message = {}
        self.questions: list[tuple[Message, str]] = []
        self.logs: list[tuple[str, str]] = []

    @property
    def answer(self) -> Value:
        """What was answered."""
        return self.ending["value"]
