"""`--lookup`: what the data has for keys, and with `--explain` how it was found."""

from __future__ import annotations

import json
from typing import Any

from evaluator import Session
from evaluator.program.scope import MISSING
from puppet_kernel.as_json import problem_data
from puppet_kernel.batch import OK, PUPPET_ERROR, run
from puppet_kernel.options import Options
from puppet_kernel.rendering import lookups, problems, views
from puppet_kernel.rendering.elements import Text
from puppet_kernel.terminal.terminal import Terminal


def look_up(options: Options, terminal: Terminal) -> int:
    """Runs the inputs, then looks each key up. Gives the exit code: 1 when one has no value."""

    def tell(session: Session) -> int:
        given = [_told(key, options, terminal, session) for key in options.lookup]
        if options.json:
            terminal.write(json.dumps(given, indent=2, ensure_ascii=True) + "\n")
        return OK if all("value" in one for one in given) else PUPPET_ERROR

    return run(options, terminal, tell)


def _told(key: str, options: Options, terminal: Terminal, session: Session) -> dict[str, Any]:
    """What there is for a key, as JSON has it; it is shown unless JSON is asked for."""
    outcome, account = session.lookup(key, options.merge)
    has_value = outcome.error is None and account.value is not MISSING
    if not options.json:
        for entry in outcome.logs:
            terminal.show(views.log(entry), to_stderr=True)
        if options.explain:
            terminal.show(lookups.lookup(account))
        elif has_value:
            terminal.show(views.value(outcome) or Text())
        elif outcome.error is None:
            terminal.complain(f"the data has no value for '{key}'; --explain tells what was asked")
        if outcome.error is not None:
            terminal.show(problems.error(outcome.error), to_stderr=True)
    found: dict[str, Any] = {"key": key}
    if has_value:
        found |= {"value": outcome.text, "type": outcome.type}
    if outcome.error is not None:
        found["error"] = problem_data(outcome.error)
    return found
