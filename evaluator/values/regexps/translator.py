"""Ruby's regular expressions in the syntax of Python's engines.

`translate(source, flags)` gives a Translation whose `text` means in the `regex` package (version 1 behaviour)
what the source means in Ruby. Where Python's `re` gives the very same result, `simple` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure
from evaluator.values.regexps.analysis import leaves, looked_behind, widths, written_out
from evaluator.values.regexps.characters import refusal
from evaluator.values.regexps.nodes import (
    Alternation,
    Call,
    Capture,
    Char,
    Conditional,
    Dot,
    Escape,
    Group,
    Named,
    Node,
    Pattern,
    Range,
    Reference,
    Repeat,
    Sequence,
    Set,
)
from evaluator.values.regexps.syntax import parse

WORD = r"\p{L}\p{M}\p{Nd}\p{Pc}"
ASCII_SETS = {"w": "a-zA-Z0-9_", "d": "0-9", "s": r"\t-\r\ ", "h": "0-9a-fA-F"}
UNICODE_SETS = {"w": WORD, "d": r"\p{Nd}", "s": r"\p{White_Space}", "h": "0-9a-fA-F"}
GRAPHIC = r"\P{Cc}&&\P{Cn}&&\P{Cs}"
POSIX_SETS = {
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "alpha": r"\p{Alphabetic}",
    "ascii": r"\x00-\x7f",
    "blank": r"\p{Zs}\t",
    "cntrl": r"\p{Cc}",
    "digit": r"\p{Nd}",
    "graph": rf"[{GRAPHIC}&&\P{{White_Space}}]",
    "lower": r"\p{Lowercase}",
    "print": rf"[[{GRAPHIC}&&\P{{White_Space}}]\p{{Zs}}]",
    "punct": r"\p{P}\$\+<=>\^`\|\~",
    "space": r"\p{White_Space}",
    "upper": r"\p{Uppercase}",
    "xdigit": "0-9a-fA-F",
    "word": WORD,
}
# the properties of Ruby that the engine does not know, or knows as something else
PROPERTY_SETS = {**POSIX_SETS, "punct": r"\p{P}", "any": r"\x00-\U0010ffff"}

ESCAPES = {
    "^": r"(?:\A|^(?!\Z))",  # not after a newline that ends the text
    "$": "$",
    "A": r"\A",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "G": r"\G",
    "b": r"\b",
    "B": r"\B",
    "K": r"\K",
    "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])",
    "X": r"\X",
}
ASCII_BOUNDARIES = {
    "b": r"(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))",
    "B": r"(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))",
}
ANYWHERE_EQUAL = frozenset("^$AzZ")  # escapes that `re` treats the same way


class Translation:
    """A pattern for Python's engines.

    text, icase  the expression; compared without case as a whole
    groups       how many groups capture;  names  the groups' numbers by name
    simple       True when `re` gives the same result as `regex`
    loops, ways  bound the work of `re`: at most ways * n ** (loops + 1) steps for n characters
    size         how many characters and sets it has when its repetitions are written out
    shortest     how many characters a match has at least
    """

    __slots__ = ("groups", "icase", "loops", "names", "shortest", "simple", "size", "text", "ways")

    def __init__(self, source: str, flags: str) -> None:
        pattern = parse(source, flags)
        emitter = Emitter(pattern, source, flags)
        self.text = emitter.emit(pattern.body)
        self.icase = emitter.all_icase
        self.groups = len(pattern.captures)
        self.names = pattern.names
        self.simple = emitter.simple and not pattern.names
        self.loops = emitter.loops
        self.ways = emitter.ways
        self.size = written_out(pattern.body)
        self.shortest = widths(pattern.body)[0]


def escaped(char: str) -> str:
    """A character as text of a pattern, inside a set as well."""
    if char.isalnum() or ord(char) > 127:
        return char
    return "\\" + char if char.isprintable() else f"\\x{ord(char):02x}"


class Emitter:
    """Writes the tree of one pattern."""

    def __init__(self, pattern: Pattern, source: str, flags: str) -> None:
        self.pattern = pattern
        self.source = source
        self.flags = flags
        self.simple = True
        self.loops = 0
        self.ways = 1
        cased = [leaf for leaf in leaves(pattern.body) if not self.caseless(leaf)]
        # a scoped flag loses the folding of `ß` to `ss`, so the flag is global where it can be
        self.all_icase = bool(cased) and all(leaf.icase for leaf in cased)  # type: ignore[attr-defined]
        if any(leaf.icase for leaf in cased) or pattern.calls:  # type: ignore[attr-defined]
            self.simple = False
        self.writers: dict[type, Callable[[Any], str]] = {
            Char: self.char,
            Dot: self.dot,
            Set: self.set_node,
            Escape: self.escape,
            Sequence: self.sequence,
            Alternation: self.alternation,
            Group: self.group,
            Capture: self.capture,
            Repeat: self.repeat,
            Reference: self.reference,
            Call: self.call,
            Conditional: self.conditional,
        }

    def fail(self, message: str) -> Failure:
        return refusal(message, self.source, self.flags)

    @staticmethod
    def caseless(leaf: Node) -> bool:
        """True for what has no case: `\\d`, `-`."""
        if isinstance(leaf, Char):
            return not leaf.text.isalpha() and leaf.text.lower() == leaf.text.upper()
        return (
            isinstance(leaf, Set)
            and len(leaf.operands) == 1
            and all(isinstance(member, Named) and member.kind == "escape" for member in leaf.operands[0])
        )

    def emit(self, node: Node) -> str:
        return self.writers[type(node)](node)

    def scoped(self, text: str, icase: bool) -> str:
        return f"(?i:{text})" if icase and not self.all_icase else text

    # leaves

    def char(self, node: Char) -> str:
        return self.scoped(escaped(node.text), node.icase and not self.caseless(node))

    def dot(self, node: Dot) -> str:
        return "(?s:.)" if node.multiline else "."

    def escape(self, node: Escape) -> str:
        if node.kind not in ANYWHERE_EQUAL:
            self.simple = False
        if node.charset == "a" and node.kind in ASCII_BOUNDARIES:
            return ASCII_BOUNDARIES[node.kind]
        return ESCAPES[node.kind]

    def set_node(self, node: Set) -> str:
        text = self.set_text(node)
        if self.caseless(node):
            return f"(?-i:{text})" if self.all_icase else text
        return self.scoped(text, node.icase)

    def set_text(self, node: Set) -> str:
        operands = ["".join(map(self.member, operand)) for operand in node.operands]
        if len(operands) > 1:
            self.simple = False
            # an empty operand has no characters at all
            body = "&&".join(f"[{operand}]" if operand else r"[^\x00-\U0010ffff]" for operand in operands)
        else:
            body = operands[0]
        return f"[{'^' if node.negated else ''}{body}]"

    def member(self, member: Any) -> str:
        if isinstance(member, Range):
            if member.first == member.last:
                return escaped(member.first)
            return f"{escaped(member.first)}-{escaped(member.last)}"
        if isinstance(member, Set):
            self.simple = False
            return self.set_text(member)
        return self.named(member)

    def named(self, named: Named) -> str:
        """A named set of characters, as a part of a set."""
        if named.kind == "escape":
            sets = UNICODE_SETS if named.charset == "u" and named.name != "h" else ASCII_SETS
            text = sets[named.name]
            if named.negated or sets is UNICODE_SETS:
                self.simple = False
        else:
            self.simple = False
            text = self.property(named)
        return f"[^{text}]" if named.negated else text

    def property(self, named: Named) -> str:
        if named.kind == "posix":
            text = POSIX_SETS[named.name]
        else:
            bare = named.name.replace(" ", "").replace("_", "").replace("-", "").lower()
            text = PROPERTY_SETS.get(bare) or self.engine_property(named.name)
        return f"[{text}]&&[\\x00-\\x7f]" if named.charset == "a" and named.kind == "posix" else text

    def engine_property(self, name: str) -> str:
        try:
            import regex
        except ImportError:
            raise Failure("REGEXP_ENGINE_MISSING", pattern=f"with \\p{{{name}}}") from None
        if not set(name) & set("=:^&"):
            text = rf"\p{{{name}}}"
            try:
                regex.compile(text)
                return text
            except regex.error:
                pass
        raise self.fail(f"invalid character property name {{{name}}}")

    # structure

    def sequence(self, node: Sequence) -> str:
        return "".join(
            f"(?:{text})" if isinstance(item, Alternation) else text
            for item, text in ((item, self.emit(item)) for item in node.items)
        )

    def alternation(self, node: Alternation) -> str:
        self.ways *= len(node.branches)
        branches = []
        for branch in node.branches:
            text = self.emit(branch)
            # the engine would merge alternatives such as [^a]|[^b] into one, wrong, set
            branches.append(f"(?>{text})" if isinstance(branch, Set) and text.startswith("[^") else text)
        return "|".join(branches)

    def group(self, node: Group) -> str:
        if node.opening == "?~":
            return self.absence(node.body)
        if node.opening not in ("?:",):
            self.simple = False
        if node.opening in ("?<=", "?<!"):
            self.check_lookbehind(node)
        return f"({node.opening}{self.emit(node.body)})"

    def absence(self, body: Node) -> str:
        """`(?~x)`: the longest text without an x in it; the x that ends it may begin inside."""
        self.simple = False
        shortest, _ = widths(body)
        return f"(?:(?:(?!{self.emit(body)})(?s:.))*(?s:.){{0,{max(shortest - 1, 0)}}})"

    def capture(self, node: Capture) -> str:
        text = self.emit(node.body)
        if not node.number:
            return f"(?:{text})"
        return f"(?P<g{node.number}>{text})" if self.pattern.calls else f"({text})"

    def repeat(self, node: Repeat) -> str:
        text = self.emit(node.body)
        if not isinstance(node.body, (Char, Dot, Set)):
            if isinstance(node.body, (Repeat, Sequence, Alternation, Escape)):
                text = f"(?:{text})"
            self.simple = False
        if node.mode == "+":
            self.simple = False
        if node.most is None:
            self.loops += 1
        else:
            self.ways *= node.most - node.least + 1
        bounds = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((node.least, node.most))
        if bounds is None:
            bounds = f"{{{node.least},{'' if node.most is None else node.most}}}"
        return text + bounds + node.mode

    # references

    def numbers(self, node: Reference, missing: str = "invalid backref number/name") -> list[int]:
        """The numbers of the groups that a reference means."""
        target = node.target
        if isinstance(target, str):
            if target not in self.pattern.names:
                raise self.fail(f"undefined name <{target}> reference")
            return self.pattern.names[target]
        if self.pattern.names:
            raise self.fail("numbered backref/call is not allowed. (use name)")
        if not 0 < target <= len(self.pattern.captures):
            raise self.fail(missing)
        return [target]

    def reference(self, node: Reference) -> str:
        self.simple = False
        texts = [
            self.scoped(f"(?P=g{number})" if self.pattern.calls else f"(?:\\{number})", node.icase)
            for number in reversed(self.numbers(node))
        ]
        return texts[0] if len(texts) == 1 else f"(?:{'|'.join(texts)})"

    def conditional(self, node: Conditional) -> str:
        self.simple = False
        number = self.numbers(node.test)[0]
        test = f"g{number}" if self.pattern.calls else number
        yes, no = (f"(?:{self.emit(branch)})" for branch in (node.yes, node.no))
        return f"(?({test}){yes}|{no})"

    def call(self, node: Call) -> str:
        """The called group's text once more, as it captures anew; recursion is left to the engine."""
        if node.target == 0:
            self.check_recursion(0, self.pattern.body)
            return "(?R)"
        number = self.numbers(node, f"undefined group <{node.target}> reference")[0]
        capture = self.pattern.captures[number - 1]
        if self.recursive(number):
            self.check_recursion(number, capture.body)
            return f"(?&g{number})"
        return self.emit(capture)

    def recursive(self, number: int) -> bool:
        """True when a group calls itself, through other groups as well."""
        seen: set[int] = set()
        pending = [number]
        while pending:
            for leaf in leaves(self.pattern.captures[pending.pop() - 1].body):
                if isinstance(leaf, Call):
                    called = 0 if leaf.target == 0 else self.numbers(leaf)[0]
                    if called in (number, 0):
                        return True
                    if called not in seen:
                        seen.add(called)
                        pending.append(called)
        return False

    def check_recursion(self, number: int, body: Node) -> None:
        if self.endless(body, frozenset((number,))) or self.begins(body, frozenset((number,))):
            raise self.fail("never ending recursion")

    def begins(self, node: Node, active: frozenset[int]) -> bool:
        """True when a match of the node can call an active group before it takes a character."""
        if isinstance(node, Call):
            number = 0 if node.target == 0 else self.numbers(node)[0]
            if number in active:
                return True
            return self.begins(self.pattern.captures[number - 1].body, active | frozenset((number,)))
        if isinstance(node, Sequence):
            for item in node.items:
                if self.begins(item, active):
                    return True
                if widths(item)[0]:
                    break
            return False
        if isinstance(node, Alternation):
            return any(self.begins(branch, active) for branch in node.branches)
        return isinstance(node, (Group, Capture, Repeat)) and self.begins(node.body, active)

    def endless(self, node: Node, active: frozenset[int]) -> bool:
        """True when no match of the node can do without a call of an active group."""
        if isinstance(node, Call):
            number = 0 if node.target == 0 else self.numbers(node)[0]
            if number in active:
                return True
            return self.endless(self.pattern.captures[number - 1].body, active | frozenset((number,)))
        if isinstance(node, Sequence):
            return any(self.endless(item, active) for item in node.items)
        if isinstance(node, Alternation):
            return all(self.endless(branch, active) for branch in node.branches)
        if isinstance(node, Repeat):
            return node.least > 0 and self.endless(node.body, active)
        return isinstance(node, (Group, Capture)) and self.endless(node.body, active)

    def check_lookbehind(self, node: Group) -> None:
        """Ruby looks behind only for texts of one length; alternatives at the top may differ."""
        body = node.body
        while isinstance(body, Group) and body.opening == "?:":
            body = body.body
        branches = body.branches if isinstance(body, Alternation) else [body]
        if not all(looked_behind(branch, node.opening == "?<!") for branch in branches):
            raise self.fail("invalid pattern in look-behind")


def translate(source: str, flags: str = "") -> Translation:
    """Translates an expression in Ruby's syntax; `flags` out of "imx". Raises Failure in Ruby's words."""
    return Translation(source, flags)
