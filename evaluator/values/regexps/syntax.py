"""The syntax of Ruby's regular expressions (Onigmo), read into a tree.

`parse(source, flags)` gives a Pattern. What Ruby refuses raises Failure in Ruby's words, such as
`premature end of char-class: /[/`.
"""

from __future__ import annotations

from typing import Any

from evaluator.values.regexps.characters import Reader
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
    Reference,
    Repeat,
    Sequence,
    Set,
)

MAX_REPEAT = 100_000
MAX_DEPTH = 200


class Parser(Reader):
    """Reads a whole expression."""

    def __init__(self, source: str, flags: str) -> None:
        super().__init__(source, flags)
        self.captures: list[Capture] = []
        self.calls = False
        self.depth = 0

    # structure

    def pattern(self) -> Pattern:
        body = self.alternation()
        if self.position < len(self.source):
            self.fail("unmatched close parenthesis")
        return Pattern(body, self.captures, self.calls)

    def alternation(self) -> Node:
        self.depth += 1
        if self.depth > 200:
            self.fail("too deep nest level")
        saved = self.options.copy()
        branches = [self.sequence()]
        while self.accept("|"):
            branches.append(self.sequence())
        self.options = saved
        self.depth -= 1
        return branches[0] if len(branches) == 1 else Alternation(branches)

    def sequence(self) -> Node:
        items: list[Node] = []
        while self.position < len(self.source) and self.peek() not in "|)":
            start = self.position
            item = self.atom()
            if item is not None:
                if isinstance(item, list):
                    items.extend(item[:-1])
                    item = item[-1]
                items.append(self.quantified(item))
            elif self.position == start:
                break
        return items[0] if len(items) == 1 else Sequence(items)

    def skip_extended(self) -> None:
        while self.options.extended and self.peek():
            if self.peek() in " \t\n\r\f\v":
                self.position += 1
            elif self.peek() == "#":
                end = self.source.find("\n", self.position)
                self.position = len(self.source) if end < 0 else end + 1
            else:
                break

    def quantified(self, item: Node) -> Node:
        while True:
            self.skip_extended()
            while self.accept("(?#"):
                self.comment()
            bounds = self.quantifier()
            if bounds is None:
                return item
            least, most, interval = bounds
            mode = ""
            if self.accept("?"):
                if interval and least == most:
                    least, interval = 0, False  # Ruby reads {n}? as "n times or not at all"
                    item = Repeat(item, most or 0, most, "")
                    most = 1
                else:
                    mode = "?"
            elif not interval and self.accept("+"):
                mode = "+"
            item = Repeat(item, least, most, mode)

    def quantifier(self) -> tuple[int, int | None, bool] | None:
        char = self.peek()
        if char and char in "*+?":
            self.position += 1
            return (1 if char == "+" else 0), (1 if char == "?" else None), False
        return self.interval() if char == "{" else None

    def interval(self) -> tuple[int, int | None, bool] | None:
        """`{n}`, `{n,}`, `{,m}`, `{n,m}`; anything else is text and gives None."""
        start = self.position
        self.position += 1
        low = self.take("0123456789", len(self.source))
        comma = self.accept(",")
        high = self.take("0123456789", len(self.source)) if comma else low
        if not (low or high) or not self.accept("}"):
            self.position = start
            return None
        least, most = int(low[:9] or 0), int(high[:9]) if high else None
        if max(least, most or 0) > MAX_REPEAT:
            self.fail("too big number for repeat range")
        if most is not None and most < least:
            self.fail("upper is smaller than lower in repeat range")
        return least, most, True

    # atoms

    def atom(self) -> Any:
        """A node, a list of nodes (a quantifier takes the last), or None for what stands for nothing."""
        if self.options.extended:
            start = self.position
            self.skip_extended()
            if self.position > start:
                return None
        char = self.next()
        if char == "\\":
            return self.escape()
        if char == "(":
            return self.group()
        if char == "[":
            return self.set()
        if char == ".":
            return Dot(self.options.multiline)
        if char in "^$":
            return Escape(char)
        if char in "*+?":
            self.fail("target of repeat operator is not specified")
        if char == "{":
            self.position -= 1
            if self.interval():
                self.fail("target of repeat operator is not specified")
            self.position += 1
        return Char(char, self.options.icase)

    def group(self) -> Node | None:
        if not self.accept("?"):
            return self.capture(None)
        if not self.peek():
            self.fail("end pattern in group")
        if self.accept("#"):
            self.comment()
            return None
        for opening in (":", ">", "=", "!", "<=", "<!", "~"):
            if self.accept(opening):
                return self.closed(Group("?" + opening, self.alternation()))
        if self.peek() == "(":
            return self.conditional()
        if self.accept("<"):
            if not self.peek():
                self.fail("end pattern with unmatched parenthesis")
            return self.capture(self.group_name(">"))
        if self.accept("'"):
            return self.capture(self.group_name("'"))
        return self.option_group()

    def comment(self) -> None:
        while True:
            char = self.next()
            if not char:
                self.fail("end pattern in group")
            if char == ")":
                return
            if char == "\\":
                self.position += 1

    def closed(self, node: Node) -> Node:
        if not self.accept(")"):
            self.fail("end pattern with unmatched parenthesis")
        return node

    def capture(self, name: str | None) -> Node:
        capture = Capture(len(self.captures) + 1, name)
        self.captures.append(capture)
        capture.body = self.alternation()
        return self.closed(capture)

    def group_name(self, end: str) -> str:
        start = self.position
        stop = self.source.find(end, start)
        name = self.source[start:] if stop < 0 else self.source[start:stop]
        if not name:
            self.fail("group name is empty")
        if stop < 0 or name[0].isdigit() or name[0] == "-" or ")" in name:
            self.fail(f"invalid group name <{name}>")
        self.position = stop + 1
        return name

    def option_group(self) -> Node:
        options = self.options.copy()
        value = True
        while True:
            char = self.next()
            if char == "-":
                value = False
            elif char == "i":
                options.icase = value
            elif char == "m":
                options.multiline = value
            elif char == "x":
                options.extended = value
            elif char and char in "adu" and value:
                options.charset = char
            elif char == ":":
                saved, self.options = self.options, options
                body = self.alternation()
                self.options = saved
                return self.closed(Group("?:", body))
            elif char == ")":
                # holds for the rest of the enclosing group, its further branches included
                self.options = options
                return Group("?:", self.alternation())
            else:
                self.fail("undefined group option" if char else "end pattern in group")

    def conditional(self) -> Node:
        self.next()
        if self.peek() in ("<", "'"):
            end = ">" if self.next() == "<" else "'"
            target = self.target(self.until(end + ")", "invalid conditional pattern"))
        else:
            target = self.target(self.until(")", "invalid conditional pattern"))
        body = self.closed(self.alternation())
        branches = body.branches if isinstance(body, Alternation) else [body, Sequence([])]
        if len(branches) > 2:
            self.fail("invalid conditional pattern")
        return Conditional(Reference(target), branches[0], branches[1])

    def target(self, text: str) -> int | str:
        """What a reference names: a number (relative ones made absolute) or a group name."""
        if not text:
            self.fail("group name is empty")
        digits = text.lstrip("+-")
        if not digits.isdecimal():
            return text
        if text[0] == "-":
            number = len(self.captures) + 1 - int(digits)
            if number < 1:
                self.fail("invalid backref number/name")
            return number
        return len(self.captures) + int(digits) if text[0] == "+" else int(digits)

    # escapes outside of sets

    def escape(self) -> Any:
        char = self.next()
        if not char:
            self.fail("too short escape sequence")
        if char in "wWdDsShH":
            return self.named_set("escape", char)
        if char in "AZzGbBKRX":
            return Escape(char, self.options.charset)
        if char in "pP" and self.peek() == "{":
            self.position -= 1
            return Set([[self.property()]], icase=self.options.icase)
        if char in "123456789":
            return self.back_reference(char)
        if char in "kg" and self.peek() in ("<", "'"):
            return self.named_reference(char)
        self.position -= 1
        return [Char(text, self.options.icase) for text in self.characters()]

    def named_set(self, kind: str, name: str) -> Set:
        named = Named(kind, name.lower(), name.isupper(), self.options.charset)
        return Set([[named]])

    def back_reference(self, first: str) -> Any:
        start = self.position
        digits = first + self.take("0123456789", 5)
        if len(digits) == 1 or int(digits) <= len(self.captures):
            return Reference(int(digits), self.options.icase)
        self.position = start - 1
        return [Char(text, self.options.icase) for text in self.characters()]

    def named_reference(self, kind: str) -> Node:
        end = ">" if self.next() == "<" else "'"
        stop = self.source.find(end, self.position)
        if stop < 0:
            self.fail(f"invalid group name <{self.source[self.position :]}>")
        text = self.source[self.position : stop]
        self.position = stop + 1
        if kind == "g":
            self.calls = True
            return Call(self.target(text), self.options.icase)
        name, sign, level = text, "", ""
        for sign in "+-":
            head, found, level = text.rpartition(sign)
            if found and head and level.isdecimal():
                name = head  # a level of recursion: the group's last text serves as well
        target = self.target(name)
        if isinstance(target, str) and all(capture.name != target for capture in self.captures):
            self.fail(f"undefined name <{target}> reference")
        return Reference(target, self.options.icase)


def parse(source: str, flags: str = "") -> Pattern:
    """Reads a regular expression in Ruby's syntax; `flags` out of "imx". Raises Failure in Ruby's words."""
    return Parser(source, flags).pattern()
