"""`--lookup`: print the values of keys in the data, or with `--explain` the search."""

from __future__ import annotations

from evaluator import Session
from evaluator.program.definitions import MISSING
from puppet_kernel.cli.batch import run
from puppet_kernel.cli.options import OK, PUPPET_ERROR, Options
from puppet_kernel.cli.session_options import Json, convert_error_to_json, format_json
from puppet_kernel.rendering import explanations, views
from puppet_kernel.rendering.elements import TextElement
from puppet_kernel.terminal.terminal import Terminal


def look_up(options: Options, terminal: Terminal) -> int:
    """Run the inputs, look each key up, and return the exit code: 1 if a key has no value."""

    def print_lookups(session: Session) -> int:
        results = [_look_up_key(key, options, terminal, session) for key in options.lookup]
        if options.json:
            terminal.write(format_json(results))
        return OK if all("value" in result for result in results) else PUPPET_ERROR

    return run(options, terminal, print_lookups)


def _look_up_key(key: str, options: Options, terminal: Terminal, session: Session) -> Json:
    """Return the result for a key as JSON, and print it unless JSON is requested."""
    outcome, trace = session.lookup(key, options.merge)
    has_value = outcome.error is None and trace.value is not MISSING
    if not options.json:
        for entry in outcome.evaluation.logs:
            terminal.show(views.describe_log(entry), to_stderr=True)
        if options.explain:
            terminal.show(explanations.describe_lookup(trace))
        elif has_value:
            terminal.show(views.describe_value(outcome) or TextElement())
        elif outcome.error is None:
            terminal.complain(f"the data has no value for '{key}'; --explain shows where it was searched")
        if outcome.error is not None:
            terminal.show(views.describe_error(outcome.error), to_stderr=True)
    result: Json = {"key": key}
    if has_value:
        result |= {"value": outcome.text, "type": outcome.type}
    if outcome.error is not None:
        result["error"] = convert_error_to_json(outcome.error)
    return result
