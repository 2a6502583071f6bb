"""The syntax tree of a regular expression, and how many characters a part of it can match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lexer_parser.record import Record

MAX_DEPTH = 200  # levels of nesting; functions that walk a tree recursively are not called for deeper trees


class RegexpNode(Record):
    """A part of an expression that matches text or a position."""

    def children(self) -> Iterable[RegexpNode]:
        """Return the parts of which this one is made."""
        return ()


class Character(RegexpNode):
    """One character; with `icase` it is compared without case."""

    text: str
    icase: bool


class AnyCharacter(RegexpNode):
    """`.`: any character, a newline only with `multiline`."""

    multiline: bool


class CharacterRange(Record):
    """The characters from `first` to `last` in a character class."""

    first: str
    last: str


class NamedClass(Record):
    r"""A named character class: kind "posix" (`[:alpha:]`), "property" (`\p{Alpha}`) or "escape" (`\w`).

    The charset is "a", "d" or "u": the option that decides which characters belong to it.
    """

    kind: str
    name: str
    negated: bool
    charset: str


class CharacterClass(RegexpNode):
    """`[…]`: the intersection (`&&`) of its operands, each of which is the union of its members."""

    negated: bool
    icase: bool
    operands: list[list[ClassMember]]


ClassMember = CharacterRange | NamedClass | CharacterClass


class SpecialEscape(RegexpNode):
    """A position, or an escape for several characters: one of `A Z z G b B K R X ^ $`.

    The charset is "a", "d" or "u": the option that decides which characters belong to a word.
    """

    kind: str
    charset: str


class RegexpSequence(RegexpNode):
    """Parts that match one after the other."""

    items: list[RegexpNode]

    def children(self) -> Iterable[RegexpNode]:
        return self.items


class Alternation(RegexpNode):
    """Branches of which the first that matches is taken."""

    branches: list[RegexpNode]

    def children(self) -> Iterable[RegexpNode]:
        return self.branches


class _EnclosingNode(RegexpNode):
    """A node around one other."""

    body: RegexpNode

    def children(self) -> Iterable[RegexpNode]:
        return (self.body,)


class RegexpGroup(_EnclosingNode):
    """A group that does not capture; its opening is "?:", "?>", "?=", "?!", "?<=", "?<!" or "?~"."""

    opening: str


class Capture(_EnclosingNode):
    """A capturing group; its number is 0 when it does not capture because other groups have names."""

    number: int
    name: str | None


class Repetition(_EnclosingNode):
    """`body` from `least` to `most` times (None: no limit); mode "", "?" (lazy) or "+" (possessive)."""

    least: int
    most: int | None
    mode: str


class GroupReference(RegexpNode):
    """A back reference, or the test of a conditional: a group by its number or name."""

    target: int | str
    icase: bool = False


class GroupCall(GroupReference):
    r"""A call of a group, `\g<name>`; the target 0 is the whole expression."""


class ConditionalGroup(RegexpNode):
    """`(?(test)yes|no)`: a branch chosen by whether a group took part in the match."""

    test: GroupReference
    yes: RegexpNode
    no: RegexpNode

    def children(self) -> Iterable[RegexpNode]:
        return self.yes, self.no


def walk(node: RegexpNode) -> Iterator[RegexpNode]:
    """Yield a node and everything in it, in the order of the source."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend([*current.children()][::-1])


def match_width(node: RegexpNode) -> tuple[int, int | None]:
    """Return the least and the greatest number of characters that a node matches; None: no limit."""
    match node:
        case Character() | AnyCharacter() | CharacterClass():
            return 1, 1
        case RegexpSequence() | Alternation():
            widths = [match_width(child) for child in node.children()]
            limits = [most for _, most in widths if most is not None]
            combine_least, combine_most = (sum, sum) if isinstance(node, RegexpSequence) else (min, max)
            most = combine_most(limits) if len(limits) == len(widths) else None
            return combine_least(least for least, _ in widths), most
        case Repetition():
            least, most = match_width(node.body)
            return least * node.least, None if node.most is None or most is None else most * node.most
        case Capture() | RegexpGroup(opening="?:" | "?>"):
            return match_width(node.body)
        case RegexpGroup(opening="?~"):
            return 0, None
        case RegexpGroup():
            return 0, 0
        case SpecialEscape():
            return {"R": (1, 2), "X": (1, None)}.get(node.kind, (0, 0))
    return 0, None  # references, calls and conditionals, whose widths are not computed
