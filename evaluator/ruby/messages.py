"""What may come from Ruby: code of modules can write to the pipe itself, and anything."""

from __future__ import annotations

import json
from typing import Any

from evaluator.ruby.questions import QUESTIONS

Message = dict[str, Any]

_MESSAGES = ({"ask"}, {"log", "text"}, {"value"}, {"raise", "kind"}, {"ended"})


def meant(line: bytes) -> Message | None:
    """The message that a line is; None for a line that is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or not any(shape <= message.keys() for shape in _MESSAGES):
        return None
    if "log" in message and not (type(message["log"]) is type(message["text"]) is str):
        return None
    return message if message.get("ask", "call") in list(QUESTIONS) else None
