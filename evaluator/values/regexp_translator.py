"""The translator from Ruby's regular expressions to the syntax of Python's engines.

`translate(source, flags)` returns a `Translation` whose `text` means in the `regex` package (version 1 behaviour)
what the source means in Ruby. `simple` says that Python's `re` gives the very same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from evaluator.issues import Failure
from lexer_parser.regexps.checks import RegexpPattern
from lexer_parser.regexps.escapes import RegexpSyntaxError, refuse_if
from lexer_parser.regexps.nodes import (
    MAX_DEPTH,
    Alternation,
    AnyCharacter,
    Capture,
    Character,
    CharacterClass,
    CharacterRange,
    ClassMember,
    ConditionalGroup,
    GroupCall,
    GroupReference,
    NamedClass,
    RegexpGroup,
    RegexpNode,
    RegexpSequence,
    Repetition,
    SpecialEscape,
    match_width,
    walk,
)
from lexer_parser.regexps.parser import parse_regexp
from lexer_parser.regexps.writing import show_source

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
# the properties of Ruby that the engine does not know, or defines otherwise
PROPERTY_SETS = {**POSIX_SETS, "punct": r"\p{P}", "any": r"\x00-\U0010ffff"}

ESCAPES = {
    "^": r"(?:\A|^(?!\Z))",  # not after a newline at the end of the string
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
SINGLE = Character | AnyCharacter | CharacterClass
MOST_WAYS = 10_000  # ways in which the parts of an expression can match
MOST_STEPS = 3_000  # steps of a search from one character on, up to which no time limit is needed
ANYWHERE_EQUAL = frozenset("^$AzZ")  # escapes that `re` treats the same way


class Translation:
    """An expression for Python's engines.

    Attributes:
        text: The expression; `icase`: True if all of it is compared without case.
        groups: The number of capturing groups.
        names: The numbers of the groups of each name.
        simple: True if `re` finds the same matches as `regex`.
        loops, ways: Bounds of the work of `re`: at most ways * n ** (loops + 1) steps for n characters.
        steps: The largest number of steps of a search that begins at one character, without the steps of repetitions at
            the end that need no backtracking; None if there are many.
        margin: The largest number of characters that are examined, also without those of such repetitions.
        overhang: The characters that one iteration of such a repetition examines; 0 if there are none.
        size: The number of characters and classes if its repetitions are written out.
        is_character: True if it matches one character, regardless of the context.
        shortest: The smallest number of characters in a match.
        is_eager: True if a match is empty only where no other match begins.
    """

    def __init__(self, pattern: RegexpPattern) -> None:
        refuse_if(pattern.depth > MAX_DEPTH, "too deep nest level")
        emitter = _RegexpEmitter(pattern)
        self.text = emitter.emit(pattern.body)
        self.icase = emitter.all_icase
        self.groups = len(pattern.captures)
        self.names = pattern.names
        self.loops = emitter.loops
        self.ways = emitter.ways
        self.size = _count_written_out(pattern.body)[0]
        self.shortest = match_width(pattern.body)[0]
        head, tail = _split_tail(_list_parts(pattern.body))
        meter = _SearchMeter(pattern)
        # of a repetition at the end only the least rounds count: the engine never goes back into the others
        rounds = [meter.measure_repetition(part.body, max(part.least, 1), 1) for part in tail]
        extent = meter.combine([*map(meter.measure, head), *rounds])
        steps = MOST_STEPS + 1 if extent is None else extent.ways * (extent.reach + 1)
        self.steps = steps if steps <= MOST_STEPS else None
        self.simple = emitter.simple and not pattern.names and not (emitter.nests and self.steps is None)
        self.margin = 0 if extent is None else extent.reach
        self.overhang = max((extent.reach for extent in rounds if extent is not None), default=0)
        is_single = len(head) == 1 and not tail and isinstance(head[0], SINGLE)
        self.is_character = is_single and extent == ONE_CHARACTER
        self.is_eager = all(map(_is_eager, walk(pattern.body)))


class SearchExtent(NamedTuple):
    """The cost of matching a part from one character on.

    Attributes:
        ways: The number of ways in which a search has to match it.
        reach: The number of characters that it examines.
    """

    ways: int
    reach: int


ONE_CHARACTER = SearchExtent(1, 1)
# With Unicode's rules for case, one character may equal three.
ONE_CHARACTER_WITHOUT_CASE = SearchExtent(1, 3)


class _SearchMeter:
    """Measures parts of an expression; a part with an unbounded or very large extent has none."""

    def __init__(self, pattern: RegexpPattern) -> None:
        widths = [match_width(capture)[1] for capture in pattern.captures]
        self._captured = None if None in widths else max((width or 0 for width in widths), default=0)

    def combine(self, parts: Iterable[SearchExtent | None]) -> SearchExtent | None:
        """Return the extent of parts that match one after the other."""
        ways, reach = 1, 0
        for part in parts:
            if part is None or ways * part.ways > MOST_WAYS or reach + part.reach > MOST_WAYS:
                return None
            ways, reach = ways * part.ways, reach + part.reach
        return SearchExtent(ways, reach)

    def measure_repetition(self, node: RegexpNode, most: int | None, choices: int) -> SearchExtent | None:
        """Return the extent of a repeated node.

        Args:
            node: The node.
            most: The greatest number of repetitions; None without a bound.
            choices: The number of numbers of repetitions that the engine tries.
        """
        body = self.measure(node)
        if body is None or most is None:
            return None
        # two ways, repeated as often as `MOST_WAYS` has bits, are more than it: larger powers need not be computed
        if most > (MOST_WAYS if body.ways == 1 else MOST_WAYS.bit_length()):
            return None
        return self.combine([SearchExtent(body.ways**most, body.reach * most), SearchExtent(choices, 0)])

    def measure(self, node: RegexpNode) -> SearchExtent | None:
        """Return the extent of a node."""
        if isinstance(node, AnyCharacter):
            return ONE_CHARACTER
        if isinstance(node, Character | CharacterClass):
            return ONE_CHARACTER_WITHOUT_CASE if node.icase else ONE_CHARACTER
        if isinstance(node, SpecialEscape):
            return None if node.kind in "GKX" else SearchExtent(1, 2)
        if isinstance(node, Repetition):
            return self.measure_repetition(node.body, node.most, (node.most or 0) - node.least + 1)
        if isinstance(node, GroupReference) and not isinstance(node, GroupCall):
            return None if self._captured is None else SearchExtent(1, self._captured)
        parts = [self.measure(child) for child in node.children()]
        is_other_group = isinstance(node, RegexpGroup) and node.opening != "?~"
        if isinstance(node, RegexpSequence | Capture) or is_other_group:
            return self.combine(parts)
        measured = [part for part in parts if part is not None]
        if isinstance(node, Alternation) and len(measured) == len(parts):
            return SearchExtent(sum(part.ways for part in measured), max(part.reach for part in measured))
        return None


def _list_parts(node: RegexpNode) -> list[RegexpNode]:
    """Return the parts of an expression that match one after the other."""
    if isinstance(node, Capture):
        return _list_parts(node.body)
    return (
        [part for item in node.items for part in _list_parts(item)]
        if isinstance(node, RegexpSequence)
        else [node]
    )


def _split_tail(parts: list[RegexpNode]) -> tuple[list[RegexpNode], list[Repetition]]:
    """Return the parts of an expression before its last repetitions, and these.

    For `ab*c?` they are `a`, and `b*` and `c?`. The first of these has no bound, the others may match nothing: none of
    them ever makes the engine try again.
    """
    tail = list[Repetition]()
    for place in range(len(parts) - 1, -1, -1):
        part = parts[place]
        if not isinstance(part, Repetition) or not match_width(part.body)[0]:
            break
        tail.insert(0, part)
        if part.least:
            break
    while tail and tail[0].most is not None:
        del tail[0]
    return parts[: len(parts) - len(tail)], tail


def _is_eager(node: RegexpNode) -> bool:
    """Return False for a node that may match nothing where it need not."""
    if isinstance(node, Repetition):
        return node.mode != "?"
    if isinstance(node, Alternation):
        return all(match_width(branch)[0] for branch in node.branches[:-1])
    if isinstance(node, SpecialEscape):
        return node.kind not in "GK"
    return not isinstance(node, ConditionalGroup | GroupCall) and getattr(node, "opening", "") != "?~"


def _count_written_out(node: RegexpNode) -> tuple[int, bool]:
    """Count the characters and classes of a node when its repetitions are written out, as the engine does.

    A repetition of a repetition counts once more: the engine goes through it again in each round.

    Returns:
        The number, and True if something in the node is repeated.
    """
    parts = [_count_written_out(child) for child in node.children()]
    if isinstance(node, Repetition):
        ((size, repeats),) = parts
        return (max(node.least, 1) + repeats) * size, True
    if isinstance(node, Character | AnyCharacter | CharacterClass | SpecialEscape | GroupReference):
        return 1, False
    return sum(size for size, _ in parts), any(repeats for _, repeats in parts)


def _escape_character(char: str) -> str:
    """Return a character as text of an expression, valid in a character class as well."""
    if char.isalnum() or ord(char) > 127:
        return char
    return "\\" + char if char.isprintable() else f"\\x{ord(char):02x}"


def _is_caseless(leaf: RegexpNode) -> bool:
    r"""Return whether a leaf has no case, as `\d` and `-` have none."""
    if isinstance(leaf, Character):
        return not leaf.text.isalpha() and leaf.text.lower() == leaf.text.upper()
    return (
        isinstance(leaf, CharacterClass)
        and len(leaf.operands) == 1
        and all(isinstance(member, NamedClass) and member.kind == "escape" for member in leaf.operands[0])
    )


class _RegexpEmitter:
    """A writer of the tree of one expression.

    Attributes:
        simple: True if `re` finds the same matches, as far as the tree has been written.
        nests: True if something that is no single character is repeated.
        loops: The number of repetitions without a bound.
        ways: The number of ways in which alternatives and bounded repetitions can match.
        all_icase: True if all of the expression is compared without case.
    """

    def __init__(self, pattern: RegexpPattern) -> None:
        self.pattern = pattern
        self.simple = True
        self.nests = False
        self.loops = 0
        self.ways = 1
        compared = [
            node
            for node in walk(pattern.body)
            if isinstance(node, Character | CharacterClass | GroupReference) and not _is_caseless(node)
        ]
        # a scoped flag loses the folding of `ß` to `ss`, so the flag is set globally if possible
        self.all_icase = bool(compared) and all(leaf.icase for leaf in compared)
        if any(leaf.icase for leaf in compared) or pattern.calls:
            self.simple = False
        self.writers: dict[type, Callable[[Any], str]] = {
            Character: self.write_character,
            AnyCharacter: self.write_any,
            CharacterClass: self.write_class,
            SpecialEscape: self.write_escape,
            RegexpSequence: self.write_sequence,
            Alternation: self.write_alternation,
            RegexpGroup: self.write_group,
            Capture: self.write_capture,
            Repetition: self.write_repetition,
            GroupReference: self.write_reference,
            GroupCall: self.write_call,
            ConditionalGroup: self.write_conditional,
        }

    def emit(self, node: RegexpNode) -> str:
        """Return the text of a node."""
        return self.writers[type(node)](node)

    def write_scoped(self, text: str, icase: bool) -> str:
        """Return the text of a part, with a flag of its own if only some parts ignore case."""
        return f"(?i:{text})" if icase and not self.all_icase else text

    # Leaves

    def write_character(self, node: Character) -> str:
        return self.write_scoped(_escape_character(node.text), node.icase and not _is_caseless(node))

    def write_any(self, node: AnyCharacter) -> str:
        return "(?s:.)" if node.multiline else "."

    def write_escape(self, node: SpecialEscape) -> str:
        if node.kind not in ANYWHERE_EQUAL:
            self.simple = False
        if node.charset == "a" and node.kind in ASCII_BOUNDARIES:
            return ASCII_BOUNDARIES[node.kind]
        return ESCAPES[node.kind]

    def write_class(self, node: CharacterClass) -> str:
        text = self.write_operands(node)
        if _is_caseless(node):
            return f"(?-i:{text})" if self.all_icase else text
        return self.write_scoped(text, node.icase)

    def write_operands(self, node: CharacterClass) -> str:
        operands = ["".join(map(self.write_member, operand)) for operand in node.operands]
        if len(operands) > 1:
            self.simple = False
            # an empty operand matches no character
            body = "&&".join(f"[{operand}]" if operand else r"[^\x00-\U0010ffff]" for operand in operands)
        else:
            body = operands[0]
        return f"[{'^' if node.negated else ''}{body}]"

    def write_member(self, member: ClassMember) -> str:
        if isinstance(member, CharacterRange):
            first = _escape_character(member.first)
            return first if member.first == member.last else f"{first}-{_escape_character(member.last)}"
        if isinstance(member, CharacterClass):
            self.simple = False
            return self.write_operands(member)
        return self.write_named_class(member)

    def write_named_class(self, named: NamedClass) -> str:
        """Return a named class as a part of a character class."""
        if named.kind == "escape":
            sets = UNICODE_SETS if named.charset == "u" and named.name != "h" else ASCII_SETS
            text = sets[named.name]
            if named.negated or sets is UNICODE_SETS:
                self.simple = False
        else:
            self.simple = False
            text = self.write_property(named)
        return f"[^{text}]" if named.negated else text

    def write_property(self, named: NamedClass) -> str:
        if named.kind == "posix":
            text = POSIX_SETS[named.name]
        else:
            bare = named.name.replace(" ", "").replace("_", "").replace("-", "").lower()
            text = PROPERTY_SETS.get(bare) or self.find_engine_property(named.name)
        return f"[{text}]&&[\\x00-\\x7f]" if named.charset == "a" and named.kind == "posix" else text

    def find_engine_property(self, name: str) -> str:
        try:
            import regex
        except ImportError:
            raise Failure("REGEXP_ENGINE_MISSING", pattern=f"with \\p{{{name}}}") from None
        if not set(name) & set("=:^&"):
            text = rf"\p{{{name}}}"
            with suppress(regex.error):
                regex.compile(text)
                return text
        raise RegexpSyntaxError(f"invalid character property name {{{name}}}")

    # Structure

    def write_sequence(self, node: RegexpSequence) -> str:
        return "".join(
            f"(?:{text})" if isinstance(item, Alternation) else text
            for item, text in ((item, self.emit(item)) for item in node.items)
        )

    def write_alternation(self, node: Alternation) -> str:
        self.ways *= len(node.branches)
        branches = []
        for branch in node.branches:
            text = self.emit(branch)
            # the engine would merge alternatives such as [^a]|[^b] into a single, wrong set
            is_negated = isinstance(branch, CharacterClass) and text.startswith("[^")
            branches.append(f"(?>{text})" if is_negated else text)
        return "|".join(branches)

    def write_group(self, node: RegexpGroup) -> str:
        if node.opening == "?~":
            return self.write_absence(node.body)
        if node.opening != "?:":
            self.simple = False
        return f"({node.opening}{self.emit(node.body)})"

    def write_absence(self, body: RegexpNode) -> str:
        """Return `(?~x)`: the longest text without an x in it; the x that ends it may begin inside."""
        self.simple = False
        shortest, _ = match_width(body)
        return f"(?:(?:(?!{self.emit(body)})(?s:.))*(?s:.){{0,{max(shortest - 1, 0)}}})"

    def write_capture(self, node: Capture) -> str:
        text = self.emit(node.body)
        if not node.number:
            return f"(?:{text})"
        return f"(?P<g{node.number}>{text})" if self.pattern.calls else f"({text})"

    def write_repetition(self, node: Repetition) -> str:
        text = self.emit(node.body)
        if not isinstance(node.body, SINGLE):
            if isinstance(node.body, Repetition | RegexpSequence | Alternation | SpecialEscape):
                text = f"(?:{text})"
            # repeating a group can match in exponentially many ways, unless its steps are limited
            self.nests = True
            if not match_width(node.body)[0] or any(isinstance(part, Capture) for part in walk(node.body)):
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

    # References

    def write_reference(self, node: GroupReference) -> str:
        self.simple = False
        texts = [
            self.write_scoped(f"(?P=g{number})" if self.pattern.calls else f"(?:\\{number})", node.icase)
            for number in reversed(self.pattern.group_numbers(node))
        ]
        return texts[0] if len(texts) == 1 else f"(?:{'|'.join(texts)})"

    def write_conditional(self, node: ConditionalGroup) -> str:
        self.simple = False
        number = self.pattern.group_numbers(node.test)[0]
        test = f"g{number}" if self.pattern.calls else number
        return f"(?({test})(?:{self.emit(node.yes)})|(?:{self.emit(node.no)}))"

    def write_call(self, node: GroupCall) -> str:
        """Return the text of the called group, which captures again; recursion is left to the engine."""
        number, _ = self.pattern.find_called_group(node)
        if number == 0:
            return "(?R)"
        if self.pattern.is_recursive(number):
            return f"(?&g{number})"
        return self.emit(self.pattern.captures[number - 1])


def translate(source: str, flags: str = "") -> Translation:
    """Translate an expression in Ruby's syntax.

    Args:
        source: The expression.
        flags: Any of the options "imx" (m: `.` matches newlines).

    Raises:
        Failure: Ruby rejects the expression; the reason is in Ruby's words.
    """
    try:
        return Translation(parse_regexp(source, flags))
    except RegexpSyntaxError as error:
        raise Failure(
            "INVALID_PATTERN",
            reason=str(error),
            pattern=show_source(source),
            options="".join(flag for flag in "mix" if flag in flags),
        ) from None
