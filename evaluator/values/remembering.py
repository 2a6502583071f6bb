"""Answers that are remembered by texts of programs: of short texts only, as long ones would stay in memory."""

from __future__ import annotations

from collections.abc import Callable, Sized
from functools import lru_cache
from typing import Concatenate, ParamSpec, TypeVar

LONGEST = 1000  # characters of a text

_More = ParamSpec("_More")
_Answer = TypeVar("_Answer")
_Function = Callable[Concatenate[str, _More], _Answer]


def remembered(most: int) -> Callable[[_Function[_More, _Answer]], _Function[_More, _Answer]]:
    """Decorates a function of a text, and perhaps of something else with a length, whose last answers are remembered.

    most  how many answers
    """

    def decorate(function: _Function[_More, _Answer]) -> _Function[_More, _Answer]:
        known = lru_cache(most)(function)

        def call(text: str, *more: Sized) -> _Answer:
            if len(text) > LONGEST or (more and len(more[0]) > LONGEST):
                return function(text, *more)  # type: ignore[call-arg, arg-type]
            return known(text, *more)  # type: ignore[arg-type]

        call.__doc__ = function.__doc__
        return call  # type: ignore[return-value]

    return decorate
