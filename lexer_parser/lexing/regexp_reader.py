"""Checks the form of a regular expression: brackets, groups, repetitions, ranges, escapes and references.

Names of properties are taken on trust.
"""

from __future__ import annotations

import re

_INTERVAL = re.compile(r"\{(?=\d|,\d)(\d*+)(,?)(\d*+)\}", re.ASCII)
_OPTIONS = re.compile(r"(?!\))[imxadu]*(?:-[imx]*)?(?=[:)])")
_POSIX = re.compile(r"\[:(\^?[^\]:]{0,20}):\]", re.ASCII)
_POSIX_CLASSES = "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit"
_POSIX_NAMES = frozenset(_POSIX_CLASSES.split())
_CLASSES = frozenset("wWdDsShHpPRX")
_MOST_REPEATS = 100_000


class Flaw(Exception):
    """Says what is wrong with a regular expression."""


class _Group:
    """An open parenthesis: the modes that held outside."""

    __slots__ = ("captures_barred", "extended", "look_behind")

    def __init__(self, reader: Reader) -> None:
        self.extended = reader.extended
        self.look_behind = reader.look_behind
        self.captures_barred = reader.captures_barred


class Reader:
    """One pass over the expression; `read` raises Flaw."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.repeatable = False  # whether something stands before, for a repetition to repeat
        self.extended = False
        self.look_behind = False
        self.captures_barred = False
        self.open: list[_Group] = []
        self.groups = 0
        self.names: set[str] = set()
        self.numbers_used: list[int] = []
        self.calls: list[str] = []

    def read(self) -> None:
        """Reads all of it."""
        pattern = self.pattern
        while self.position < len(pattern):
            character = pattern[self.position]
            self.position += 1
            step = _STEPS.get(character)
            if step is not None:
                step(self)
            elif self.extended and character.isspace():
                continue
            elif self.extended and character == "#":
                newline = pattern.find("\n", self.position)
                self.position = len(pattern) if newline < 0 else newline
            else:
                self.repeatable = True
        if self.open:
            raise Flaw("end pattern with unmatched parenthesis")
        self._check_references()

    def _check_references(self) -> None:
        for number in self.numbers_used:
            if self.names:
                raise Flaw("numbered backref/call is not allowed. (use name)")
            if number > self.groups:
                raise Flaw("invalid backref number/name")
        for name in self.calls:
            if name.isdigit() and int(name) > self.groups:
                raise Flaw(f"undefined group <{name}> reference")
            if not name.lstrip("+-").isdigit() and name not in self.names:
                raise Flaw(f"undefined name <{name}> reference")

    # --- Steps; each begins behind its character

    def escape(self) -> None:
        pattern, position = self.pattern, self.position
        if position == len(pattern):
            raise Flaw("too short escape sequence")
        letter = pattern[position]
        self.position += 1
        self.repeatable = True
        if letter in "123456789":
            digits = re.compile(r"\d+").match(pattern, position)[0]  # type: ignore[index]
            if len(digits) == 1 or int(digits[:9]) <= self.groups:
                self.position = position + len(digits)
                self.numbers_used.append(int(digits))
        elif letter in "kg" and pattern[position + 1 : position + 2] in ("<", "'"):
            self._reference(letter)
        elif letter in "pP" and pattern.startswith("{", position + 1):
            self._property(position + 1)
        elif letter in "xu" and pattern.startswith("{", position + 1):
            self.position = pattern.find("}", position) + 1
        elif letter in "RX" and self.look_behind:
            raise Flaw("invalid pattern in look-behind")

    def _property(self, brace: int) -> None:
        end = self.pattern.find("}", brace)
        name = self.pattern[brace + 1 : end] if end > 0 else ""
        if not name.strip("^"):
            raise Flaw(f"invalid character property name {{{name}}}")
        self.position = end + 1

    def _name(self, close: str) -> str:
        """Reads a name up to `close`, from the position on."""
        end = self.pattern.find(close, self.position)
        name = self.pattern[self.position : end] if end >= 0 else self.pattern[self.position :]
        if end < 0:
            raise Flaw(f"invalid group name <{name}>")
        if not name:
            raise Flaw("group name is empty")
        self.position = end + 1
        return name

    def _reference(self, letter: str) -> None:
        close = ">" if self.pattern[self.position] == "<" else "'"
        self.position += 1
        name = self._name(close)
        number = name.lstrip("+-")
        if letter == "g":
            if name == "0":
                raise Flaw("never ending recursion")
            self.calls.append(name)
        elif number.isdigit():
            value = int(number[:9])
            if value == 0 or value > self.groups:
                raise Flaw("invalid backref number/name")
        elif re.split(r"[+-]\d+$", name)[0] not in self.names:
            raise Flaw(f"undefined name <{name}> reference")

    def open_group(self) -> None:
        pattern = self.pattern
        kind = "("
        if pattern.startswith("?", self.position):
            self.position += 1
            kind = self._special_group()
            if kind == "":
                return
        else:
            self.groups += 1
            self._check_capture()
        self.open.append(_Group(self))
        self.look_behind |= kind.startswith("?<")
        self.captures_barred |= kind == "?<!"
        self.repeatable = False

    def _check_capture(self) -> None:
        if self.captures_barred:
            raise Flaw("invalid pattern in look-behind")

    def _special_group(self) -> str:
        """Reads what follows `(?`; gives the group's kind, "" when it is no group."""
        pattern, position = self.pattern, self.position
        for kind in ("<=", "<!", ":", "=", "!", ">", "~"):
            if pattern.startswith(kind, position):
                self.position += len(kind)
                return "?" + kind
        following = pattern[position : position + 1]
        if following == "#":
            return self._comment()
        if following in ("<", "'"):
            return self._named_group(following)
        if following == "(":
            return self._condition()
        options = _OPTIONS.match(pattern, position)
        if options is None:
            rest = pattern[position:].lstrip("imxadu-")
            raise Flaw("undefined group option" if rest else "end pattern in group")
        self.position = options.end() + 1
        on, _, off = options[0].partition("-")
        alone = pattern[options.end()] == ")"
        if not alone:
            self.open.append(_Group(self))
        self.extended = ("x" in on or self.extended) and "x" not in off
        self.repeatable = False
        return ""

    def _comment(self) -> str:
        end = self.pattern.find(")", self.position)
        if end < 0:
            raise Flaw("end pattern in group")
        self.position = end + 1
        return ""

    def _named_group(self, mark: str) -> str:
        self.position += 1
        name = self._name(">" if mark == "<" else "'")
        if name[0].isdecimal() or name[0] == "-":
            raise Flaw(f"invalid group name <{name}>")
        self.names.add(name)
        self._check_capture()
        return "("

    def _condition(self) -> str:
        self.position += 1
        name = self._name(")").strip("<>'")
        if (name.isdigit() and int(name[:9]) > self.groups) or not (name.isdigit() or name in self.names):
            raise Flaw("invalid backref number/name")
        return ":"

    def close_group(self) -> None:
        if not self.open:
            raise Flaw("unmatched close parenthesis")
        group = self.open.pop()
        self.extended, self.look_behind = group.extended, group.look_behind
        self.captures_barred = group.captures_barred
        self.repeatable = True

    def alternative(self) -> None:
        self.repeatable = False

    def repetition(self) -> None:
        if not self.repeatable:
            raise Flaw("target of repeat operator is not specified")
        if self.look_behind:
            raise Flaw("invalid pattern in look-behind")

    def interval(self) -> None:
        match = _INTERVAL.match(self.pattern, self.position - 1)
        if match is None:
            self.repeatable = True
            return
        if not self.repeatable:
            raise Flaw("target of repeat operator is not specified")
        self.position = match.end()
        numbers = [int(digits[:9]) for digits in (match[1], match[3]) if digits]
        if max(numbers) > _MOST_REPEATS:
            raise Flaw("too big number for repeat range")
        if len(numbers) == 2 and numbers[0] > numbers[1]:
            raise Flaw("upper is smaller than lower in repeat range")
        if match[2] and self.look_behind:
            raise Flaw("invalid pattern in look-behind")

    def character_class(self) -> None:
        """Reads `[…]`, with the classes inside it."""
        self.position -= 1
        depth = 0
        while True:
            character = self.pattern[self.position : self.position + 1]
            if not character:
                raise Flaw("premature end of char-class")
            if character == "[" and not (depth and self._posix()):
                depth += 1
                self._begin_class()
            elif character == "]":
                self.position += 1
                depth -= 1
                if depth == 0:
                    break
            elif character != "[":
                self._range()
        self.repeatable = True

    def _begin_class(self) -> None:
        self.position += 2 if self.pattern.startswith("^", self.position + 1) else 1
        if self.pattern.startswith("]", self.position):
            if self.pattern.find("]", self.position + 1) < 0:
                raise Flaw("empty char-class")
            self.position += 1

    def _posix(self) -> bool:
        match = _POSIX.match(self.pattern, self.position)
        if match is None:
            return False
        if match[1].lstrip("^") not in _POSIX_NAMES:
            raise Flaw("invalid POSIX bracket type")
        self.position = match.end()
        return True

    def _range(self) -> None:
        """Reads a character, or a range of them."""
        pattern = self.pattern
        low = self._member()
        if not pattern.startswith("-", self.position) or pattern[self.position + 1 : self.position + 2] in (
            "]",
            "[",
            "",
        ):
            return
        if low is None:
            raise Flaw("unmatched range specifier in char-class")
        self.position += 1
        high = self._member()
        if high is None:
            raise Flaw("char-class value at end of range")
        if low > high:
            raise Flaw("empty range in char class")

    def _member(self) -> int | None:
        """The code of the next character of a class; None for an escape that stands for many."""
        pattern, start = self.pattern, self.position
        self.position += 1
        if pattern[start] != "\\":
            return ord(pattern[start])
        letter = pattern[start + 1 : start + 2]
        if not letter:
            raise Flaw("premature end of char-class")
        self.position += 1
        if letter in _CLASSES:
            if letter in "pP" and pattern.startswith("{", self.position):
                self._property(self.position)
            return None
        code = re.compile(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4})|u\{(\w++)[^}]*+\}|([0-7]{1,3})").match(
            pattern, start + 1
        )
        if code is None:
            return {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "a": 7, "e": 27, "b": 8}.get(
                letter, ord(letter)
            )
        self.position = code.end()
        return int(code[4], 8) if code[4] else int(code[1] or code[2] or code[3], 16)


_STEPS = {
    "\\": Reader.escape,
    "[": Reader.character_class,
    "(": Reader.open_group,
    ")": Reader.close_group,
    "|": Reader.alternative,
    "*": Reader.repetition,
    "+": Reader.repetition,
    "?": Reader.repetition,
    "{": Reader.interval,
}
