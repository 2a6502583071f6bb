"""The parser of Ruby's regular expressions.

`parse_regexp` returns the tree of an expression, `find_regexp_error` only the reason why it is refused. The open groups
are on an explicit stack, so that no nesting makes the parser recurse too deeply. Names of properties are not checked
here: the engine that matches knows which exist.
"""

from __future__ import annotations

import re

from lexer_parser.memo import memoize
from lexer_parser.record import Record, fresh
from lexer_parser.regexps.checks import RegexpPattern, check_pattern
from lexer_parser.regexps.escapes import RegexpSyntaxError, refuse_if, replace_character_escapes
from lexer_parser.regexps.nodes import (
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
)

# The quantifiers are possessive: with backtracking a long run of digits would take the square of its length.
_INTERVAL = re.compile(r"\{(?=[0-9]|,[0-9])([0-9]*+)(,?)([0-9]*+)\}")
_OPTIONS = re.compile(r"(?!\))([imxadu]*)(?:-([imx]*))?")
_POSIX_CLASS = re.compile(r":(\^?)([^\]:]{0,20}):\]")
_OCTAL = re.compile(r"[0-7]{1,3}")
_COMMENT_END = re.compile(r"(?:[^\\)]|\\[\s\S])*+\)")
_POSIX_CLASSES = "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit"
_POSIX_NAMES = frozenset(_POSIX_CLASSES.split())
_SIMPLE_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
# Matches most expressions, in which no error is possible. All others are parsed.
_HARMLESS = re.compile(r"(?:[\w\s/.,:;=@%&~\"'<>#!-]|\\[.AZabdefhnrstvwzBDGHKSW/-]|\^|\$)*", re.ASCII)
# How often a quantifier repeats its item: at least and, if there is a limit, at most.
_QUANTIFIERS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_GROUP_OPENINGS = (":", ">", "=", "!", "<=", "<!", "~")
_MAX_REPEATS = 100_000  # the greatest number in a quantifier


class _Options(Record):
    """The options that `(?imx-imx)` and `(?adu)` set.

    Attributes:
        icase: True to ignore case.
        multiline: True if `.` matches a newline.
        extended: True to ignore blanks and comments.
        charset: "d", the default, "a" (ASCII) or "u" (Unicode): which characters belong to classes such as `\\w`.
    """

    icase: bool
    multiline: bool
    extended: bool
    charset: str

    def with_changes(self, on: str, off: str) -> _Options:
        """Return the options after some are switched on and others off."""
        return _Options(
            (self.icase or "i" in on) and "i" not in off,
            (self.multiline or "m" in on) and "m" not in off,
            (self.extended or "x" in on) and "x" not in off,
            next((letter for letter in reversed(on) if letter in "adu"), self.charset),
        )


class _OpenGroup(Record):
    """A group whose closing parenthesis has not been read.

    Attributes:
        node: The node that gets the body of the group; None for the whole expression.
        options: The options outside of the group.
        ends_with_outer: True for the group of `(?i)`, which extends to the end of the group around it.
        branches: The alternatives that are complete.
        items: The parts of the last alternative so far.
    """

    node: RegexpNode | None
    options: _Options
    ends_with_outer: bool = False
    branches: list[RegexpNode] = fresh(factory=list)
    items: list[RegexpNode] = fresh(factory=list)

    def end_branch(self) -> None:
        """Complete the last alternative."""
        self.branches.append(self.items[0] if len(self.items) == 1 else RegexpSequence(self.items))
        self.items = []

    def close(self) -> RegexpNode:
        """Return the node of the group with its body."""
        self.end_branch()
        body = self.branches[0] if len(self.branches) == 1 else Alternation(self.branches)
        if isinstance(self.node, ConditionalGroup):
            refuse_if(len(self.branches) > 2, "invalid conditional pattern")
            # Without a second branch, `no` is an empty sequence.
            self.node.yes, self.node.no = [*self.branches, RegexpSequence([])][:2]
        elif isinstance(self.node, RegexpGroup | Capture):
            self.node.body = body
        return self.node or body


class _RegexpParser:
    """One pass over an expression whose character escapes have been replaced.

    Attributes:
        source: The expression.
        position: The offset of the next character.
        options: The options at the position.
        open: The open groups, the innermost last.
        depth: The greatest nesting of groups and character classes.
        captures: The capturing groups in the order of their parentheses.
    """

    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.position = 0
        self.options = _Options("i" in flags, "m" in flags, "x" in flags, "d")
        self.open = [_OpenGroup(None, self.options)]
        self.depth = 0
        self.captures: list[Capture] = []

    def parse(self) -> RegexpPattern:
        """Return the whole expression."""
        while self.position < len(self.source):
            self.step()
        while self.open[-1].ends_with_outer:
            self.close_innermost()
        refuse_if(len(self.open) > 1, "end pattern with unmatched parenthesis")
        return RegexpPattern(self.open[0].close(), self.captures, self.depth)

    # --- The source

    def peek(self, length: int = 1) -> str:
        """Return the next characters; fewer at the end."""
        return self.source[self.position : self.position + length]

    def next(self) -> str:
        """Return the next character, "" at the end, and skip it."""
        char = self.peek()
        self.position += 1
        return char

    def accept(self, text: str) -> bool:
        """Return True if a text is next, and skip it."""
        is_next = self.source.startswith(text, self.position)
        if is_next:
            self.position += len(text)
        return is_next

    def read_name(self, end: str) -> str:
        """Read the name of a group and the mark that ends it."""
        stop = self.source.find(end, self.position)
        name = self.source[self.position :] if stop < 0 else self.source[self.position : stop]
        refuse_if(not name, "group name is empty")
        refuse_if(stop < 0, f"invalid group name <{name}>")
        self.position = stop + len(end)
        return name

    # --- Structure

    def step(self) -> None:
        """Read one element: an atom, a quantifier, a bar or a parenthesis."""
        char = self.next()
        innermost = self.open[-1]
        if self.options.extended and char in " \t\n\r\f\v":
            return
        if self.options.extended and char == "#":
            newline = self.source.find("\n", self.position)
            self.position = len(self.source) if newline < 0 else newline + 1
            return
        match char:
            case "\\":
                innermost.items.extend(self.read_escape())
            case "(":
                self.open_group()
            case ")":
                self.close_group()
            case "|":
                innermost.end_branch()
            case "[":
                innermost.items.append(self.read_class())
            case ".":
                innermost.items.append(AnyCharacter(self.options.multiline))
            case "^" | "$":
                innermost.items.append(SpecialEscape(char, self.options.charset))
            case "*" | "+" | "?":
                self.repeat(*_QUANTIFIERS[char])
            case "{" if interval := _INTERVAL.match(self.source, self.position - 1):
                self.position = interval.end()
                self.repeat_interval(interval)
            case _:
                innermost.items.append(Character(char, self.options.icase))

    def repeat(self, least: int, most: int | None, is_interval: bool = False) -> None:
        """Apply a quantifier to the item before it.

        Args:
            least: How often the item is repeated at least.
            most: How often at most; None for no limit.
            is_interval: True for a quantifier in braces, which has no possessive form: a `+` behind it is another one.
        """
        items = self.open[-1].items
        refuse_if(not items, "target of repeat operator is not specified")
        if is_interval and least == most and self.accept("?"):  # Ruby reads {n}? as "n times or not at all"
            items[-1] = Repetition(Repetition(items[-1], least, most, ""), 0, 1, "")
            return
        mode = "?" if self.accept("?") else "+" if not is_interval and self.accept("+") else ""
        items[-1] = Repetition(items[-1], least, most, mode)

    def repeat_interval(self, interval: re.Match[str]) -> None:
        """Apply `{n}`, `{n,}`, `{,m}` or `{n,m}`."""
        low, comma, high = interval.groups()
        # Nine digits show that a number is too big; a longer one would take the time of its length to read.
        least = int(low[:9] or 0)
        most = least if not comma else int(high[:9]) if high else None
        refuse_if(max(least, most or 0) > _MAX_REPEATS, "too big number for repeat range")
        refuse_if(most is not None and most < least, "upper is smaller than lower in repeat range")
        self.repeat(least, most, is_interval=True)

    def push(self, node: RegexpNode, options: _Options | None = None, ends_with_outer: bool = False) -> None:
        """Open a group; `options` hold inside it."""
        self.open.append(_OpenGroup(node, self.options, ends_with_outer))
        self.options = options or self.options
        self.depth = max(self.depth, len(self.open))

    def close_innermost(self) -> None:
        """Close the innermost group, which becomes an item of the group around it."""
        group = self.open.pop()
        self.options = group.options
        self.open[-1].items.append(group.close())

    def close_group(self) -> None:
        """Close the group that a `)` ends, and the groups of options in it that extend to its end."""
        while self.open[-1].ends_with_outer:
            self.close_innermost()
        refuse_if(len(self.open) == 1, "unmatched close parenthesis")
        self.close_innermost()

    def open_group(self) -> None:
        """Read the beginning of a group behind its `(`."""
        if not self.accept("?"):
            self.open_capture(None)
        elif not self.peek():
            raise RegexpSyntaxError("end pattern in group")
        elif self.accept("#"):
            end = _COMMENT_END.match(self.source, self.position)
            if end is None:
                raise RegexpSyntaxError("end pattern in group")
            self.position = end.end()
        elif opening := next(filter(self.accept, _GROUP_OPENINGS), ""):
            self.push(RegexpGroup(RegexpSequence([]), f"?{opening}"))
        elif self.accept("("):
            self.open_conditional()
        elif self.peek() in ("<", "'"):
            end_mark = ">" if self.next() == "<" else "'"
            refuse_if(not self.peek(), "end pattern with unmatched parenthesis")
            name = self.read_name(end_mark)
            refuse_if(name[0].isdigit() or name[0] == "-" or ")" in name, f"invalid group name <{name}>")
            self.open_capture(name)
        else:
            self.read_options()

    def open_capture(self, name: str | None) -> None:
        """Open a capturing group."""
        self.captures.append(Capture(RegexpSequence([]), 0, name))  # `RegexpPattern` numbers the groups
        self.push(self.captures[-1])

    def open_conditional(self) -> None:
        """Open the group of `(?(1)yes|no)` or `(?(<name>)yes|no)`, behind `(?(`."""
        refuse_if(not self.peek(), "undefined group option")
        mark = self.peek()
        if mark in ("<", "'"):
            self.position += 1
            target = self.read_target(self.read_name(">" if mark == "<" else "'"))
            self.check_name(target)
            refuse_if(not self.accept(")"), "invalid conditional pattern")
        else:
            target = self.read_target(self.read_name(")"))
            refuse_if(isinstance(target, str), "invalid conditional pattern")
        self.push(ConditionalGroup(GroupReference(target), RegexpSequence([]), RegexpSequence([])))

    def read_options(self) -> None:
        """Read `(?imx-imx)` or the beginning of `(?imx-imx:…)`, behind `(?`."""
        options = _OPTIONS.match(self.source, self.position)
        self.position = options.end() if options else self.position
        end = self.next()
        if options is None or not end or end not in ":)":
            raise RegexpSyntaxError("undefined group option" if end else "end pattern in group")
        changed = self.options.with_changes(options[1], options[2] or "")
        self.push(RegexpGroup(RegexpSequence([]), "?:"), changed, ends_with_outer=end == ")")

    # --- Escapes outside of character classes

    def read_escape(self) -> list[RegexpNode]:
        """Read what follows a backslash."""
        char = self.next()
        options = self.options
        if char in "wWdDsShH":
            return [CharacterClass(False, False, [[self.escape_class(char)]])]
        if char in "AZzGbBKRX":
            return [SpecialEscape(char, options.charset)]
        if char in "pP" and self.peek() == "{":
            return [CharacterClass(False, options.icase, [[self.read_property(char)]])]
        if char in "123456789":
            digits = re.compile(r"[0-9]{1,6}").match(self.source, self.position - 1)
            assert digits is not None
            if len(digits[0]) == 1 or int(digits[0]) <= len(self.captures):
                self.position = digits.end()
                return [GroupReference(int(digits[0]), options.icase)]
        if char in "kg" and self.peek() in ("<", "'"):
            return [self.read_named_reference(char)]
        return [Character(self.read_character(char), options.icase)]

    def read_character(self, char: str) -> str:
        """Return the character of an escape whose first letter is `char`."""
        if char == "x":
            self.position += 2
            return chr(int(self.source[self.position - 2 : self.position], 16))
        if octal := _OCTAL.match(self.source, self.position - 1):
            self.position = octal.end()
            return chr(int(octal[0], 8))
        return _SIMPLE_ESCAPES.get(char, char)

    def escape_class(self, char: str) -> NamedClass:
        r"""Return the class of `\w`, `\W` and the like; a capital negates."""
        return NamedClass("escape", char.lower(), char.isupper(), self.options.charset)

    def read_property(self, letter: str) -> NamedClass:
        r"""Read the braces of `\p{Name}`, `\p{^Name}` or `\P{Name}`."""
        name, brace, _ = self.source[self.position + 1 :].partition("}")
        bare = name.removeprefix("^") if brace else name
        refuse_if(not bare or not brace, f"invalid character property name {{{bare}}}")
        self.position += len(name) + 2
        return NamedClass("property", bare, (letter == "P") != (bare != name), self.options.charset)

    def read_target(self, text: str) -> int | str:
        """Return the group that a reference names: its number (a relative one made absolute) or its name."""
        digits = text.lstrip("+-")
        if not digits.isdecimal():
            return text
        number = int(digits[:9])
        if text[0] == "-":
            number = len(self.captures) + 1 - number
            refuse_if(number < 1, "invalid backref number/name")
        return len(self.captures) + number if text[0] == "+" else number

    def check_name(self, target: int | str) -> None:
        """Raise if a reference names no group before it."""
        exists = isinstance(target, int) or any(capture.name == target for capture in self.captures)
        refuse_if(not exists, f"undefined name <{target}> reference")

    def read_named_reference(self, kind: str) -> GroupReference:
        r"""Read the rest of `\k<name>` or `\g<name>`."""
        text = self.read_name(">" if self.next() == "<" else "'")
        if kind == "g":
            return GroupCall(self.read_target(text), self.options.icase)
        # A level of recursion after the name is ignored: the last text of the group is used instead.
        target = self.read_target(re.sub(r"(?<=.)[+-]\d+\Z", "", text))
        self.check_name(target)
        return GroupReference(target, self.options.icase)

    # --- Character classes

    def read_class(self) -> CharacterClass:
        """Read a character class behind its `[`, with the classes in it."""
        classes = [self.begin_class()]
        while True:
            innermost = classes[-1]
            refuse_if(not self.peek(), "premature end of char-class")
            if self.accept("]"):
                classes.pop()
                if not classes:
                    return innermost
                classes[-1].operands[-1].append(innermost)
            elif self.accept("&&"):
                innermost.operands.append([])
            elif self.accept("["):
                posix = self.read_posix_class()
                if posix is None:
                    classes.append(self.begin_class())
                    self.depth = max(self.depth, len(self.open) + len(classes))
                else:
                    innermost.operands[-1].append(posix)
                    self.check_no_range()
            else:
                innermost.operands[-1].extend(self.read_members())

    def begin_class(self) -> CharacterClass:
        """Return a new character class; a `]` at its beginning is a member of it."""
        new = CharacterClass(self.accept("^"), self.options.icase, [[]])
        if self.peek() == "]":
            refuse_if("]" not in self.source[self.position + 1 :], "empty char-class")
            new.operands[0].extend(self.read_members())
        return new

    def read_posix_class(self) -> NamedClass | None:
        """Read a bracket such as `[:alpha:]` behind its `[`; return None when it is none."""
        match = _POSIX_CLASS.match(self.source, self.position)
        if match is None:
            return None
        refuse_if(match[2] not in _POSIX_NAMES, "invalid POSIX bracket type")
        self.position = match.end()
        return NamedClass("posix", match[2], bool(match[1]), self.options.charset)

    def check_no_range(self) -> None:
        """Raise if a range begins with a named class."""
        refuse_if(self.is_range_next(), "unmatched range specifier in char-class")

    def is_range_next(self) -> bool:
        """Return True at a hyphen between two members; before the end of a class it is a member."""
        return self.peek() == "-" and self.peek(2) != "-]" and self.peek(3) != "-&&"

    def read_members(self) -> list[ClassMember]:
        """Read a character, a range of characters or a named class."""
        first = self.read_member()
        if isinstance(first, NamedClass):
            self.check_no_range()
            return [first]
        if not self.is_range_next():
            return [CharacterRange(first, first)]
        self.position += 1
        refuse_if(not self.peek(), "premature end of char-class")
        last = self.read_posix_class() if self.accept("[") else self.read_member()
        if last is None:  # a nested class follows: the hyphen is a character
            self.position -= 1
            return [CharacterRange(first, first), CharacterRange("-", "-")]
        if isinstance(last, NamedClass):
            raise RegexpSyntaxError("char-class value at end of range")
        refuse_if(last < first, "empty range in char class")
        return [CharacterRange(first, last)]

    def read_member(self) -> str | NamedClass:
        """Read a character, perhaps as an escape, or the escape of a named class."""
        char = self.next()
        if char != "\\":
            return char
        char = self.next()
        if char in "wWdDsShH":
            return self.escape_class(char)
        if char in "pP" and self.peek() == "{":
            return self.read_property(char)
        return "\b" if char == "b" else self.read_character(char)


def parse_regexp(source: str, flags: str = "") -> RegexpPattern:
    """Parse a regular expression in Ruby's syntax.

    Args:
        source: The text between the slashes.
        flags: The initial options: any of "imx".

    Raises:
        RegexpSyntaxError: Ruby rejects the expression.
    """
    pattern = _RegexpParser(replace_character_escapes(source), flags).parse()
    check_pattern(pattern)
    return pattern


# Parsing the expressions takes a fifth of the time that reading a manifest takes; that of IPv6 addresses is long.
@memoize(1000, longest=10_000)
def find_regexp_error(source: str) -> str | None:
    """Return the reason why Ruby refuses an expression; None if it is well formed."""
    if _HARMLESS.fullmatch(source):
        return None
    try:
        parse_regexp(source)
    except RegexpSyntaxError as error:
        return str(error)
    return None
