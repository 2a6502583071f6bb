"""The syntax tree of a regular expression, and how many characters a part of it can match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

# Deeper trees are refused by what walks them recursively.
MAX_DEPTH = 200


class RegexpNode:
    """A part of an expression that matches text or a position."""

    __slots__ = ()

    def children(self) -> Iterable[RegexpNode]:
        """Return the parts of which this one is made."""
        return ()


class Character(RegexpNode):
    """One character; with `icase` it is compared without case."""

    __slots__ = ("icase", "text")

    def __init__(self, text: str, icase: bool) -> None:
        self.text = text
        self.icase = icase


class AnyCharacter(RegexpNode):
    """`.`: any character, a newline only with `multiline`."""

    __slots__ = ("multiline",)

    def __init__(self, multiline: bool) -> None:
        self.multiline = multiline


class CharacterRange:
    """The characters from `first` to `last` in a character class."""

    __slots__ = ("first", "last")

    def __init__(self, first: str, last: str) -> None:
        self.first = first
        self.last = last


class NamedClass:
    r"""A named character class: kind "posix" (`[:alpha:]`), "property" (`\p{Alpha}`) or "escape" (`\w`)."""

    __slots__ = ("charset", "kind", "name", "negated")

    def __init__(self, kind: str, name: str, negated: bool, charset: str) -> None:
        self.kind = kind
        self.name = name
        self.negated = negated
        self.charset = charset


class CharacterClass(RegexpNode):
    """`[…]`: the intersection (`&&`) of its operands, each of which is the union of its members."""

    __slots__ = ("icase", "negated", "operands")

    def __init__(self, negated: bool, icase: bool, *members: ClassMember) -> None:
        self.operands: list[list[ClassMember]] = [[*members]]
        self.negated = negated
        self.icase = icase


ClassMember = CharacterRange | NamedClass | CharacterClass


class SpecialEscape(RegexpNode):
    """A position, or an escape for several characters: one of `A Z z G b B K R X ^ $`."""

    __slots__ = ("charset", "kind")

    def __init__(self, kind: str, charset: str) -> None:
        self.kind = kind
        self.charset = charset


class RegexpSequence(RegexpNode):
    """Parts that match one after the other."""

    __slots__ = ("items",)

    def __init__(self, items: list[RegexpNode]) -> None:
        self.items = items

    def children(self) -> Iterable[RegexpNode]:
        return self.items


class Alternation(RegexpNode):
    """Branches of which the first that matches is taken."""

    __slots__ = ("branches",)

    def __init__(self, branches: list[RegexpNode]) -> None:
        self.branches = branches

    def children(self) -> Iterable[RegexpNode]:
        return self.branches


class RegexpGroup(RegexpNode):
    """A group that does not capture; its opening is "?:", "?>", "?=", "?!", "?<=", "?<!" or "?~"."""

    __slots__ = ("body", "opening")

    def __init__(self, opening: str, body: RegexpNode) -> None:
        self.opening = opening
        self.body = body

    def children(self) -> Iterable[RegexpNode]:
        return (self.body,)


class Capture(RegexpNode):
    """A capturing group; its number is 0 when it does not capture because other groups have names."""

    __slots__ = ("body", "name", "number")

    def __init__(self, number: int, name: str | None) -> None:
        self.number = number
        self.name = name
        self.body: RegexpNode = RegexpSequence([])

    def children(self) -> Iterable[RegexpNode]:
        return (self.body,)


class Repetition(RegexpNode):
    """`body` from `least` to `most` times (None: no limit); mode "", "?" (lazy) or "+" (possessive)."""

    __slots__ = ("body", "least", "mode", "most")

    def __init__(self, body: RegexpNode, least: int, most: int | None, mode: str) -> None:
        self.body = body
        self.least = least
        self.most = most
        self.mode = mode

    def children(self) -> Iterable[RegexpNode]:
        return (self.body,)


class GroupReference(RegexpNode):
    """A back reference, or the test of a conditional: a group by its number or name."""

    __slots__ = ("icase", "target")

    def __init__(self, target: int | str, icase: bool = False) -> None:
        self.target = target
        self.icase = icase


class GroupCall(GroupReference):
    r"""A call of a group, `\g<name>`; the target 0 is the whole expression."""

    __slots__ = ()


class ConditionalGroup(RegexpNode):
    """`(?(test)yes|no)`: a branch chosen by whether a group took part in the match."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, test: GroupReference, yes: RegexpNode, no: RegexpNode) -> None:
        self.test = test
        self.yes = yes
        self.no = no

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
    if isinstance(node, Character | AnyCharacter | CharacterClass):
        return 1, 1
    if isinstance(node, RegexpSequence | Alternation):
        widths = [match_width(child) for child in node.children()]
        longest = [most for _, most in widths if most is not None]
        combine, reduce = (sum, sum) if isinstance(node, RegexpSequence) else (min, max)
        return combine(least for least, _ in widths), reduce(longest) if len(longest) == len(widths) else None
    if isinstance(node, Repetition):
        least, most = match_width(node.body)
        return least * node.least, None if node.most is None or most is None else most * node.most
    if isinstance(node, Capture) or (isinstance(node, RegexpGroup) and node.opening in ("?:", "?>")):
        return match_width(node.body)
    if isinstance(node, SpecialEscape):
        return {"R": (1, 2), "X": (1, None)}.get(node.kind, (0, 0))
    return (0, 0) if isinstance(node, RegexpGroup) and node.opening != "?~" else (0, None)
