"""Regexp values: Ruby's regular expressions, matched by the engines that Python has.

All matching goes through `CompiledRegexp`, which stops after a time limit. There are two engines: `re` is fast but
cannot be stopped, so it searches only where few steps are certain; the package `regex` has a time limit. After it come
`RegexpValue`, and the operations of Ruby's strings on it: `find_matches`, `split` and `substitute`.

`Translation` computes two bounds of the work of a search, and what a search examines behind the beginning of a match:
    ways, loops: `re` takes at most ways * (n + 1) ** (loops + 1) steps for n characters.
    steps: The largest number of steps from one character on; None if there are many. With it the work is linear.
    margin: The number of characters that are examined, one round of each repetition at the end included.
    overhang: The number of characters that one further round of such a repetition examines; 0 without one.

A window is a part of a long text that is searched in one call. With windows of 10 characters, `/ab+/`, whose margin is
2 and overhang 1, is first searched from `begin` 0 to `stop` 14: matches begin before `end` 10, and then follow the
margin and `CONTEXT`. A match that ends behind `last_certain_end` 11 may be longer than it seems; `_complete` matches it
again with a later end.
"""

from __future__ import annotations

import _thread  # `threading` cannot be interrupted at every point
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from evaluator.issues import Failure, require_found
from evaluator.limits import PATTERN, REGEXP
from evaluator.values import kind as kinds
from evaluator.values.chunked import iterate_text_chunks, join_replaced, map_text
from lexer_parser.lazy import LazyPattern
from lexer_parser.memo import LONGEST, memoize
from lexer_parser.regexps.writing import (
    escape_slashes,
    format_with_options,
    is_fixed_to_unicode,
    remove_anchors,
)

# The greatest number of steps, of a few nanoseconds each, that a search with `re` may take: it has no time limit.
SIMPLE_STEPS = 10_000_000
UNINTERRUPTED_SECONDS = 0.04  # the time that `regex` may run without a check for an interrupt
POLL_SECONDS = 0.02  # the time between two checks whether a thread has ended
WINDOW = 500_000  # characters that `re` searches in one call
CONTEXT = 2  # characters after a match that an expression without look-ahead may examine
# A replacement may be this many times as long as its match, and chunks are still replaced in one call.
MOST_GROWTH = 20
# The steps that `re` may take, which last seconds, if there is no other engine.
MOST_STEPS = 100 * SIMPLE_STEPS


@memoize(unbounded_because="one result")
def load_engine() -> Any:
    """Return the package `regex`, which has more features than `re` and a time limit; None if it is missing."""
    try:
        import regex
    except ImportError:
        return None
    return regex


Expander = Callable[[re.Match[str]], str]


class CompiledRegexp:
    """A compiled expression: `search(text, position)`.

    Attributes:
        names: The numbers of the groups of each name.
        groups: The number of capturing groups.
        simple: The pattern that searches without a time limit; None if that may take long.
        quick: The length of a text up to which `simple` takes few steps; -1 without `simple`.
    """

    __slots__ = ("_engine", "_source", "_translation", "groups", "names", "quick", "simple")

    def __init__(self, source: str, flags: str) -> None:
        from evaluator.values.regexp_translator import translate

        translation = translate(source, flags)
        self.names = translation.names
        self.groups = translation.groups
        self._source = source
        self._translation = translation
        self.simple: Any = None
        self._engine: Any = None
        self.quick = -1
        if translation.size <= PATTERN.value:  # `_compile` refuses a larger one, when it is first searched
            if translation.simple:
                self.simple = re.compile(translation.text, re.MULTILINE)
                # the greatest length for which `ways` and `loops` are few steps
                self.quick = int((SIMPLE_STEPS / translation.ways) ** (1 / (translation.loops + 1))) - 1
            else:
                self._compile()
            if translation.steps is not None:  # so few from each character that no engine needs a time limit
                self.simple = self.simple or self._engine
                self.quick = SIMPLE_STEPS // translation.steps

    def _compile(self) -> None:
        """Compile the expression for the engine with more features. Raise Failure."""
        PATTERN.check(self._translation.size)
        shown = f"/{escape_slashes(self._source)}/"
        regex = require_found(load_engine(), "REGEXP_ENGINE_MISSING", pattern=shown)
        flags = regex.VERSION1 | regex.MULTILINE
        if self._translation.icase:
            flags |= regex.IGNORECASE | regex.FULLCASE
        try:
            self._engine = regex.compile(self._translation.text, flags)
        except (regex.error, RecursionError) as cause:
            raise Failure(
                "INVALID_PATTERN", reason=str(cause), pattern=self._translation.text, options=""
            ) from None

    def _is_quick(self, text: str) -> bool:
        """Return whether the simple engine can match the expression, in few steps for this text."""
        if len(text) <= self.quick:
            return True
        if self.simple is None or load_engine() is not None:
            return False
        # without the other engine, a search of some seconds has to be possible
        translation = self._translation
        return bool((len(text) + 1) ** (translation.loops + 1) * translation.ways <= MOST_STEPS)

    def replace(self, text: str, expand: Expander, growth: int, everywhere: bool) -> str:
        """Return a text that `can_iterate` with its matches replaced.

        Args:
            text: The text.
            expand: Returns the replacement of a match.
            growth: The largest number of characters in a replacement for each character of its match.
            everywhere: False to replace only the first match.
        """
        if self._is_quick(text) and len(text) * max(growth, 1) <= WINDOW:
            return str(self.simple.sub(expand, text, 0 if everywhere else 1))
        # each match is one character, so chunks can be replaced separately
        if (
            self._translation.is_character
            and self.simple is not None
            and everywhere
            and growth <= MOST_GROWTH
        ):
            return map_text(text, partial(self.simple.sub, expand))
        return _replace_matches(text, self.iterate(text), expand, everywhere)

    @property
    def excludes_empty_matches(self) -> bool:
        """True if no match is empty."""
        return bool(self._translation.shortest)

    def can_iterate(self, text: str) -> bool:
        """Return whether `iterate` finds all matches as Ruby does, and the search can be stopped."""
        is_same = self.excludes_empty_matches or self._translation.is_eager
        return is_same and (sys.platform != "emscripten" or self._is_quick(text))

    def iterate(self, text: str) -> Iterator[re.Match[str]]:
        """Return the matches in a text that `can_iterate`; they are found in short calls."""
        if self._window:
            return self._iterate_windows(text)
        return self.simple.finditer(text) if self._is_quick(text) else self._iterate_with_limit(text)

    @property
    def _window(self) -> int:
        """The number of characters in a window; 0 without a bound."""
        steps = self._translation.steps
        return 0 if self.simple is None or steps is None else min(WINDOW, SIMPLE_STEPS // steps)

    def _iterate_windows(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches that begin in one window after the other.

        A search may read on into the margin behind its window; matches that begin there belong to the next window.
        """
        begin, size, margin = 0, self._window, self._translation.margin + CONTEXT
        overhang = self._translation.overhang
        while begin <= len(text):
            end = begin + size
            stop = min(end + margin, len(text))
            # a match that ends behind it might be longer, or shorter, if the window ended later
            last_certain_end = stop - overhang - CONTEXT if overhang and stop < len(text) else stop
            for match in self.simple.finditer(text, begin, stop):
                if match.start() >= end:  # the next window finds it, with its own margin
                    break
                if match.end() > last_certain_end:
                    match = self._complete(text, match)
                    yield match
                    begin = end = _find_next_position(match)
                    break
                yield match
                begin = match.end()
            begin = max(begin, end)

    def _complete(self, text: str, match: re.Match[str]) -> re.Match[str]:
        """Return a match that may continue behind its window, as it is without an end of the window.

        It is matched again from its beginning, in larger and larger windows, until it ends well before one.
        """
        start, size = match.start(), max(match.endpos - match.start(), 1)
        while match.endpos < len(text) and match.end() > match.endpos - self._translation.overhang - CONTEXT:
            size *= 4
            match = self.simple.match(text, start, start + size)
        return match

    def _iterate_with_limit(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches of the engine that has a time limit."""
        if self._engine is None:
            self._compile()
        position = 0
        while position <= len(text):
            start = position
            with suppress(TimeoutError):
                for match in self._engine.finditer(text, position, timeout=UNINTERRUPTED_SECONDS):
                    position = _find_next_position(match)
                    yield match
                return
            if position == start:  # the first match takes longer than a call
                match = self._search_in_thread(text, position)
                if match is None:
                    return
                position = _find_next_position(match)
                yield match

    def split(self, text: str) -> list[str] | None:
        """Return the parts between matches; None if that is not quick, or a group captures."""
        if not self.excludes_empty_matches or self.simple is None or self.simple.groups:
            return None
        if self._translation.is_character:
            parts = [""]
            for part in iterate_text_chunks(text):
                first, *others = self.simple.split(part)
                parts[-1] += first
                parts += others
            return parts
        return self.simple.split(text) if self._is_quick(text) else None

    def search(self, text: str, position: int = 0) -> Any:
        """Return the first match at or after `position`, None without one. Raise PuppetError."""
        if self._is_quick(text):
            return self.simple.search(text, position)
        if self._engine is None:
            if len(text) - position < self._translation.shortest:
                return None
            self._compile()
        is_alone = sys.platform == "emscripten"  # emscripten has no threads
        seconds = REGEXP.value if is_alone else UNINTERRUPTED_SECONDS
        try:
            return self._engine.search(text, position, timeout=seconds)
        except TimeoutError:
            if is_alone:
                raise REGEXP.make_error() from None
            return self._search_in_thread(text, position)

    def _search_in_thread(self, text: str, position: int) -> Any:
        """Search in another thread, so that this one can be interrupted meanwhile.

        The engine releases Python's lock while it searches.
        """
        results: list[Any] = []
        done = _thread.allocate_lock()
        done.acquire()
        seconds = max(REGEXP.value - UNINTERRUPTED_SECONDS, POLL_SECONDS)
        deadline = time.monotonic() + seconds

        def search() -> None:
            try:
                results.append(self._engine.search(text, position, timeout=seconds))
            except (TimeoutError, MemoryError):
                pass
            finally:
                done.release()

        _thread.start_new_thread(search, ())
        # the engine measures processor time and would run longer on a busy machine
        while not done.acquire(timeout=POLL_SECONDS) and time.monotonic() < deadline:
            pass
        if not results:
            raise REGEXP.make_error()
        return results[0]


def _find_next_position(match: re.Match[str]) -> int:
    """Return where the search goes on behind a match: after an empty one, a character later."""
    return match.end() + (match.end() == match.start())


@memoize(1000, longest=LONGEST)
def compile_ruby(source: str, flags: str = "") -> CompiledRegexp:
    """Compile an expression in Ruby's syntax; `flags` are out of "imx" (m: `.` matches newlines).

    Raises:
        Failure: Ruby rejects it; the reason is in Ruby's words: `premature end of char-class: /[/`.
    """
    return CompiledRegexp(source, flags)


@memoize(5000)
def _has_match(compiled: CompiledRegexp, text: str) -> bool:
    """Return True if there is a match in a text."""
    return compiled.search(text) is not None


class RegexpValue(kinds.RichValue):
    """A Regexp value: equal to another of the same source and flags.

    Attributes:
        compiled: The compiled pattern, created on first use, which raises Failure in Ruby's words if the source is not
            an expression.
    """

    __slots__ = ("compiled", "flags", "source")

    kind = kinds.REGEXP
    compiled: CompiledRegexp

    def __init__(self, source: str, flags: str = "") -> None:
        self.source = source
        self.flags = flags

    def __getattr__(self, name: str) -> CompiledRegexp:
        if name == "compiled":
            self.compiled = compile_ruby(self.source, self.flags)
            return self.compiled
        raise AttributeError(name)

    def compile(self) -> RegexpValue:
        """Return the Regexp itself, compiled now: a bad expression is reported here."""
        _ = self.compiled
        return self

    def search(self, text: str, position: int = 0) -> re.Match[str] | None:
        """Return the first match at or after `position`. Raise if matching takes longer than the limit."""
        compiled = self.compiled
        # `CompiledRegexp.search`, inlined for speed
        match: re.Match[str] | None = (compiled.simple if len(text) <= compiled.quick else compiled).search(
            text, position
        )
        return match

    def is_found(self, text: str) -> bool:
        """Return True if there is a match in a text; the types of parameters test the same texts repeatedly."""
        compiled = self.compiled
        if len(text) <= compiled.quick:
            return compiled.simple.search(text) is not None
        return _has_match(compiled, text) if len(text) <= LONGEST else compiled.search(text) is not None

    def get_identity(self) -> tuple[str, str]:
        """Return the source and the flags."""
        return self.source, self.flags

    def text(self) -> str:
        """Return the form of interpolation: `/a\\/b/`, with options in front if there are any: `/(?-mix:é)/`."""
        return f"/{self.ruby_text()}/" if self.has_options() else f"/{escape_slashes(self.source)}/"

    literal = text

    def plain_text(self) -> str:
        """Return the source between slashes, as functions of the old interface see it."""
        return f"/{self.ruby_text() if self.flags else escape_slashes(self.source)}/"

    def bare_text(self) -> str:
        """Return the source without slashes, as a String made of it is: `a/b`, `(?-imx:é)`."""
        if not self.has_options():
            return self.source
        off = "".join(flag for flag in "imx" if flag not in self.flags)
        return f"(?{self.flags}{f'-{off}' if off else ''}:{self.source})"

    def has_options(self) -> bool:
        """Return whether Ruby shows options: for flags, and for an expression that it ties to Unicode."""
        return bool(self.flags) or is_fixed_to_unicode(self.source)

    def ruby_text(self) -> str:
        """Return what Ruby's `to_s` returns: options that the source begins with are in front too."""
        return format_with_options(self.source, self.flags)


_ESCAPES = str.maketrans(
    {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f", "\v": "\\v"}
    | {character: f"\\{character}" for character in "[]{}()|-*.\\?+^$# "}
)


def escape_regexp(text: str) -> str:
    """Return the expression that matches just `text`, as Ruby's Regexp.escape writes it."""
    return text.translate(_ESCAPES)


def find_matches(regexp: RegexpValue, text: str) -> Iterator[re.Match[str]]:
    """Yield the matches in a text from left to right; after an empty one the search continues a character later."""
    if regexp.compiled.can_iterate(text):
        yield from regexp.compiled.iterate(text)
        return
    position = 0
    while position <= len(text) and (match := regexp.search(text, position)) is not None:
        yield match
        position = _find_next_position(match)


def split(text: str, regexp: RegexpValue) -> list[str]:
    """Return the parts between matches and the captured groups, without empty ones at the end (String#split)."""
    parts = regexp.compiled.split(text)
    if parts is None:
        parts, begin = [], 0
        for match in find_matches(regexp, text):
            start, end = match.span()
            if end > start or start > begin:  # an empty match splits only after a character
                parts.append(text[begin:start])
                parts += [group for group in match.groups() if group is not None]
                begin = end
        parts.append(text[begin:])
    return remove_empty_end(parts)


def remove_empty_end(parts: list[str]) -> list[str]:
    """Remove the empty parts at the end of a list, and return the list."""
    while parts and not parts[-1]:
        parts.pop()
    return parts


def substitute(regexp: RegexpValue, text: str, replacement: str | dict[str, str], everywhere: bool) -> str:
    """Return a text with matches replaced: Ruby's String#sub, or #gsub for `everywhere`.

    `replacement` holds `\\0` to `\\9`, `\\&`, `\\k<name>`, `` \\` ``, `\\'` and `\\\\`, or is a hash from
    matched text to new text. Where groups have names, `\\1` and so on are empty. Raises Failure for a name that no
    group has.
    """
    compiled = regexp.compiled
    expand = _make_expander(replacement, compiled)
    if compiled.can_iterate(text):
        return compiled.replace(text, expand, _measure_growth(replacement), everywhere)
    return _replace_matches(text, find_matches(regexp, text), expand, everywhere)


def _replace_matches(text: str, matches: Iterator[re.Match[str]], expand: Expander, everywhere: bool) -> str:
    """Return a text with matches replaced by what `expand` returns for them."""
    replaced = matches if everywhere else islice(matches, 1)
    return join_replaced(text, ((*match.span(), expand(match)) for match in replaced))


def _measure_growth(replacement: str | dict[str, str]) -> int:
    """Return how many characters replace one character of a match, at most."""
    if isinstance(replacement, dict):
        return max(map(len, replacement.values()), default=0)
    # the text before or after the match may have any length
    return sys.maxsize if "\\`" in replacement or "\\'" in replacement else len(replacement)


def _make_expander(replacement: str | dict[str, str], compiled: CompiledRegexp) -> Expander:
    """Return a function that returns what takes the place of a match."""
    if isinstance(replacement, dict):
        return lambda match: replacement.get(match[0]) or ""
    references = list(_REFERENCE.finditer(replacement))
    if not references:
        return lambda match: replacement
    if not all(reference[1] and reference[1] != "&" for reference in references):
        return lambda match: _expand(replacement, match, compiled)
    # the usual case: a text, then numbers of groups, each with the text that follows it
    first = replacement[: references[0].start()]
    ends = [*(reference.start() for reference in references[1:]), len(replacement)]
    groups = [
        (int(reference[1]), replacement[reference.end() : end])
        for reference, end in zip(references, ends, strict=True)
    ]
    most = 0 if compiled.names else compiled.groups
    only, last = groups[0]
    if len(groups) == 1 and only <= most:
        return lambda match: f"{first}{match[only] or ''}{last}"
    return lambda match: (
        first
        + "".join([(match[number] or "" if number <= most else "") + literal for number, literal in groups])
    )


# A reference in a replacement; its groups are a number or "&", the name of a group, or any other character.
_REFERENCE = LazyPattern(r"\\(?:([0-9&])|k<([^>]*)>|(.))", re.DOTALL)


def _expand(template: str, match: re.Match[str], compiled: CompiledRegexp) -> str:
    """Return the replacement of a match by a template of `substitute`."""
    most = 0 if compiled.names else compiled.groups

    def expand_reference(reference: re.Match[str]) -> str:
        if reference[1]:
            number = 0 if reference[1] == "&" else int(reference[1])
            return match[number] or "" if number <= most else ""
        if reference[2] is not None:
            numbers = require_found(compiled.names.get(reference[2]), "UNKNOWN_GROUP", name=reference[2])
            texts = (match[number] for number in reversed(numbers))
            return next((text for text in texts if text is not None), "")
        if reference[3] in ("`", "'"):
            return match.string[: match.start()] if reference[3] == "`" else match.string[match.end() :]
        return "\\" if reference[3] == "\\" else reference[0]

    return _REFERENCE.sub(expand_reference, template)


def make_regexp(text: str, drops_anchors: bool) -> RegexpValue:
    """Return the compiled Regexp of a string of the program; `drops_anchors` is the switch of the dialect."""
    return RegexpValue(remove_anchors(text) if drops_anchors else text).compile()
