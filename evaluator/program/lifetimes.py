"""The lifetimes of the processes that a program starts, and the secrets that it sees.

Neither may outlive the program. Everything that it starts registers itself in the `Lifetime` that the supervisor of the
program has made, which ends it; nothing depends on the program to clean up after itself. Secrets are noted, so that no
cache or history writes them to a file.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Protocol

from lexer_parser.lazy import LazyPattern


class Owned(Protocol):
    """An object that has to be ended."""

    def end(self) -> None:
        """End it; a second call does nothing."""


class Lifetime:
    """A period at whose end everything that was registered in it ends, in reverse order.

    It begins when it is made: from then on what programs start belongs to it. Lifetimes may be nested.
    """

    __slots__ = ("_outer", "_owned")

    def __init__(self) -> None:
        global _current
        self._owned: dict[int, Owned] = {}
        self._outer, _current = _current, self

    def own(self, thing: Owned) -> None:
        """End an object at the end."""
        self._owned[id(thing)] = thing

    def disown(self, thing: Owned) -> None:
        """Forget an object that has ended, or that has another owner from now on."""
        self._owned.pop(id(thing), None)

    def end(self) -> None:
        """End what is registered; if ending an object fails, the others are ended nevertheless."""
        global _current
        _current = self._outer
        while self._owned:
            with suppress(Exception):
                self._owned.popitem()[1].end()


_current: Lifetime | None = None


def own(thing: Owned) -> None:
    """Let an object end with the running program; outside of one, its user has to end it."""
    if _current is not None:
        _current.own(thing)


def disown(thing: Owned) -> None:
    """Take an object from all lifetimes, because it has ended or outlives the running program."""
    lifetime = _current
    while lifetime is not None:
        lifetime.disown(thing)
        lifetime = lifetime._outer


# --- secrets


# The latest secrets that programs of this process have seen, as the data that contains them is cached for all of them:
# decrypted values, and values that a program has made Sensitive.
_secrets: dict[str, None] = {}
_MOST_SECRETS = 1_000
_SHORTEST_SECRET = 4  # characters: a shorter secret also occurs by chance in many strings
_LONGEST_SECRET = 1_000  # characters: the beginning of a longer one is enough to find it
_PLAIN_WORD = LazyPattern("[a-z_]+")


def note_secret(text: str) -> None:
    """Note a secret, so that nothing writes it to a file of its own."""
    if len(text) >= _SHORTEST_SECRET:
        secret = text[:_LONGEST_SECRET]
        _secrets.pop(secret, None)
        _secrets[secret] = None
        while len(_secrets) > _MOST_SECRETS:
            del _secrets[next(iter(_secrets))]


def has_secret(text: str) -> bool:
    """Return True for a text with a secret.

    A secret that is a plain word, such as `admin`, does not count where it is a part of a longer word, the name of a
    variable, or that of an attribute (`admin => $x`).
    """
    return any(secret in text and _is_shown(secret, text) for secret in _secrets)


def _is_shown(secret: str, text: str) -> bool:
    is_word = _PLAIN_WORD.fullmatch(secret) is not None
    return not is_word or re.search(rf"(?<![\w$]){secret}(?!\w| *=>)", text) is not None
