"""What the code of an error means, and how to mend it: `%explain CODE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.issues import explained
from lexer_parser.issues.similar import nearest
from puppet_kernel.commands.command import Answer, CommandContext
from puppet_kernel.rendering import views
from puppet_kernel.replies import CommandError


def explain(context: CommandContext, argument: str) -> Answer:
    """What an error means and how to mend it."""
    found = explained().get(argument.strip().upper())
    if found is None:
        raise CommandError(
            f"No error has the code {argument}" if argument else "%explain takes the code of an error",
            suggestion=nearest(argument.upper(), codes(context)),
            help="the code stands in brackets behind `error`",
        )
    return views.explanation(found)


def codes(context: CommandContext) -> Iterable[str]:
    """All codes that can be explained."""
    return sorted(explained())


def explanation(name: str) -> Any:
    """What an issue code means; None for other names."""
    if not name.replace("_", "").isalnum() or not ("_" in name or name.isupper()):
        return None
    return explained().get(name.upper())
