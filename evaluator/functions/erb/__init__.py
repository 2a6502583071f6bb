"""ERB templates: Ruby code, rendered by the Ruby of the machine, which asks for variables and calls functions.

Only for sessions that permit it: a template can do all that a program can. `renderer.rb` tells the messages.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.limits import STRING
from evaluator.program import companions, outside
from evaluator.program.callables import Block, ParameterSpec
from evaluator.program.scope import MISSING, Scope
from evaluator.values import DEFAULT, Sensitive, hash_of, items, text
from evaluator.values.host_classes import host_class
from evaluator.values.kind import REGEXP, kind_of
from evaluator.values.regexps.regexps import Regexp
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

_PLACES_OF_RUBY = ("/opt/puppetlabs/puppet/bin/ruby",)
_RENDERER = os.path.join(os.path.dirname(__file__), "renderer.rb")
_VARIABLE = re.compile(r"@([a-z_]\w*)")
_ABSENT = (None, MISSING)  # for Ruby a variable that is undef is not there
_PRIMITIVES = (bool, int, float, str)


def renderer(runtime: Program, name: str) -> Renderer:
    """Ruby, ready to render templates until the program that runs has ended.

    name  the function that renders. Raises Failure when there is no Ruby.
    """
    found = runtime.companions.get("ruby")
    if not isinstance(found, Renderer) or found.gone:
        found = runtime.companions["ruby"] = Renderer(runtime, name)
    return found


class Renderer:
    """Ruby, and the scope in which a template is rendered.

    Ruby starts when it is first needed: a template whose text and variables are what they were gives what it gave.
    gone  true when Ruby has ended
    """

    def __init__(self, runtime: Program, name: str) -> None:
        ruby = shutil.which("ruby") or next(filter(os.path.exists, _PLACES_OF_RUBY), None)
        if ruby is None:
            raise Failure("NO_RUBY", function=name)
        self.gone = False
        self._scope: Scope = runtime.state.top
        self._given: list[Any] = []  # values that Ruby only hands back, by their number
        self._answers = {
            "variable": self._variable,
            "known": self._known,
            "valued": self._valued,
            "all": self._all,
            "classes": self._classes,
            "call": self._call,
        }
        self._words = [ruby, _RENDERER]
        self._program: companions.Program | None = None

    def end(self) -> None:
        """Ends Ruby, whatever it does."""
        if self._program is not None:
            self._program.end()

    def render(self, scope: Scope, source: str, file: str | None = None) -> str:
        """The text of a template. Raises TemplateFailure with the message of Ruby, and the line in a file."""
        before, self._scope = self._scope, scope
        try:
            return self._rendered(source, file)
        except TemplateFailure:
            raise
        except BaseException:
            self.gone = True  # in the middle of the conversation nothing more can be asked
            self.end()
            raise
        finally:
            self._scope = before

    def _rendered(self, source: str, file: str | None) -> str:
        names = dict.fromkeys(_VARIABLE.findall(source))
        found = ((name, self._scope.find(name)) for name in names)
        variables = [[name, self._encode(value)] for name, value in found if value not in _ABSENT]
        template = {"text": source, "file": file, "variables": variables}
        question = ("template", json.dumps(template))
        conversation: Conversation = outside.answer(question, lambda: self._asked(template), self._holds)
        return conversation.text

    def _asked(self, template: dict[str, Any]) -> Conversation:
        """What Ruby makes of a template."""
        questions: list[tuple[dict[str, Any], str]] = []
        self._send(template)
        while True:
            message = self._receive()
            if "ask" in message:
                questions.append((message, self._answer(message)))
            elif "raise" in message:
                raise TemplateFailure(message["raise"], message["line"])
            else:
                STRING.check(len(message["text"]))
                return Conversation(message["text"], questions)

    def _holds(self, conversation: Conversation) -> bool:
        """True when the questions of a template would be answered in the same way; nobody knows what functions do."""
        if any(question["ask"] == "call" for question, _ in conversation.questions):
            return False
        found = [(self._found(question), answer) for question, answer in conversation.questions]
        return all(json.dumps({"value": self._encode(value)}) == answer for value, answer in found)

    def _found(self, question: dict[str, Any]) -> Any:
        if question["ask"] != "variable":
            return self._answers[question["ask"]](question)
        value = self._scope.runtime.names.find_variable(self._scope, question["name"])
        return None if value is MISSING else value

    # --- questions of the template

    def _answer(self, question: dict[str, Any]) -> str:
        """Sends the answer to a question, and gives it."""
        answer: dict[str, Any]
        try:
            answer = {"value": self._encode(self._answers[question["ask"]](question))}
        except PuppetError as problem:
            answer = {"raise": problem.message, "unknown": problem.code == "UNKNOWN_FUNCTION"}
        except Failure as failure:
            answer = {"raise": str(failure), "unknown": False}
        return self._send(answer)

    def _variable(self, question: dict[str, Any]) -> Any:
        name = question["name"]
        value = self._scope.runtime.names.find_variable(self._scope, name)
        if value is MISSING:
            self._scope.runtime.unknown_variable(name)
            return None
        return value

    def _known(self, question: dict[str, Any]) -> bool:
        return self._scope.runtime.names.find_variable(self._scope, question["name"]) is not MISSING

    def _valued(self, question: dict[str, Any]) -> bool:
        return self._scope.runtime.names.find_variable(self._scope, question["name"]) not in _ABSENT

    def _all(self, question: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        scope: Scope | None = self._scope
        while scope is not None:
            found = scope.variables | found
            scope = scope.parent
        return {name: value for name, value in found.items() if value is not None}

    def _classes(self, question: dict[str, Any]) -> list[str]:
        return list(self._scope.runtime.state.classes)

    def _call(self, question: dict[str, Any]) -> Any:
        block = None if question["block"] is None else self._block(**question["block"])
        arguments = [self._decode(argument) for argument in question["arguments"]]
        return self._scope.runtime.call_function(question["name"], arguments, block, self._scope)

    def _block(self, number: int, takes: int, splat: bool) -> Any:
        def run(*arguments: Any) -> Any:
            self._send({"yield": number, "arguments": self._encode(list(arguments))})
            while "ask" in (message := self._receive()):
                self._answer(message)
            if "raise" in message:
                raise Failure("RUBY_FAILED", message=message["raise"])
            return self._decode(message["value"])

        parameters = [ParameterSpec(f"p{position}") for position in range(takes)]
        if splat:
            parameters.append(ParameterSpec("rest", required=False, splat=True))
        return Block(run, tuple(parameters), takes, None if splat else takes)

    # --- values

    def _encode(self, value: Any) -> Any:
        if value is None or isinstance(value, _PRIMITIVES):
            return value
        if type(value) is list:
            return [self._encode(entry) for entry in value]
        if type(value) is dict:
            return {"h": [[self._encode(key), self._encode(entry)] for key, entry in items(value)]}
        if isinstance(value, Sensitive):
            return {"s": self._encode(value.value)}
        if value is DEFAULT:
            return {"d": 1}
        if kind_of(value) is REGEXP:
            return {"r": value.text()[1:-1] if value.flags else value.source}
        self._given.append(value)
        return {"o": len(self._given) - 1, "class": host_class(value), "text": text(value)}

    def _decode(self, value: Any) -> Any:
        if type(value) is list:
            return [self._decode(entry) for entry in value]
        if type(value) is not dict:
            return value
        if "h" in value:
            return hash_of((self._decode(key), self._decode(entry)) for key, entry in value["h"])
        if "s" in value:
            return Sensitive(self._decode(value["s"]))
        if "r" in value:
            return Regexp(value["r"])
        return DEFAULT if "d" in value else self._given[value["o"]]

    # --- the conversation

    def _send(self, message: dict[str, Any]) -> str:
        """Sends a message, to Ruby that starts for the first one; gives the text of it."""
        if self._program is None:
            self._program = companions.Program(self._words, talks=True)
        text = json.dumps(message)
        try:
            self._program.send(text.encode())
        except BrokenPipeError:
            self.gone = True
            raise Failure("RUBY_ENDED") from None
        return text

    def _receive(self) -> dict[str, Any]:
        assert self._program is not None
        line = self._program.receive()
        if not line:
            self.gone = True
            raise Failure("RUBY_ENDED")
        message: dict[str, Any] = json.loads(line)
        return message


class Conversation:
    """The text of a template, and what it asked with the answers as they were sent."""

    __slots__ = ("questions", "text")

    def __init__(self, text: str, questions: list[tuple[dict[str, Any], str]]) -> None:
        self.text = text
        self.questions = questions


class TemplateFailure(Failure):
    """What Ruby raised in a template; `line` is the line there, when it is known."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__("RUBY_FAILED", message=message)
        self.line = line
