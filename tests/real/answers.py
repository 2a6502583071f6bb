"""The answer of this project to a program, and its difference from the released Puppet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evaluator import Session

Answer = dict[str, Any]
_PLACE = re.compile(
    r"\((?:file: (?P<file>[^,)]*))?(?:, )?(?:line: (?P<line>\d+))?(?:, column: (?P<column>\d+))?\)\s*$"
)
_NESTED_PLACE = re.compile(r" ?\((?:file|line): [^)]*\)")
_VARYING = re.compile(
    r"'[^']*'|\"[^\"]*\"|\b\d+\b|/[\w./-]+|\b[A-Z]\w*(?:::[A-Z]\w*)*\[[^\]]*\]|\b\w+::[\w:]+"
)


def compute_answer(
    source: str, facts: dict[str, Any], modulepath: Sequence[str], permissions: Sequence[str]
) -> Answer:
    """Return {"catalog": …} or {"error": …}, in the form of `released.rb`."""
    node = facts["networking"]["fqdn"]
    session = Session("puppet7", node=node, facts=facts, modulepath=modulepath, permissions=permissions)
    outcome = session.run(source)
    if outcome.error is not None:
        return {"error": str(outcome.error)}
    return {"catalog": session.catalog().to_json(redact=False)}


def _split_error(text: str) -> tuple[str, str]:
    """Return the message and the position of an error, without the prefix of the evaluator."""
    text = text.replace("Evaluation Error: ", "").strip()
    match = _PLACE.search(text)
    return (text[: match.start()].strip(), match[0].strip()) if match is not None else (text, "")


def find_cause(released: Answer, here: Answer) -> str:
    """Return the cause of a difference, the same for similar ones; "" without a difference."""
    if "error" in released and "error" in here:
        message, place = _split_error(released["error"])
        our_message, our_place = _split_error(here["error"])
        if message != our_message:
            return f"error: {generalize(message)} | here: {generalize(our_message)}"
        return "" if place == our_place else f"place of: {generalize(message)}"
    if "error" in released:
        return f"only released refuses: {generalize(_split_error(released['error'])[0])}"
    if "error" in here:
        return f"only here refused: {generalize(_split_error(here['error'])[0])}"
    return _compare_catalogs(released["catalog"], here["catalog"])


def generalize(message: str) -> str:
    """Return a message without names and numbers, or the innermost of nested messages."""
    last = message.rpartition("Error while evaluating a ")[2].partition("\n")[0]
    last = _NESTED_PLACE.sub("", last).partition(", ")[2] or last
    return last if last.startswith("Unknown function") else _VARYING.sub("…", last)[:140]


def _compare_catalogs(released: dict[str, Any], here: dict[str, Any]) -> str:
    theirs_by_reference = {_format_reference(resource): resource for resource in released["resources"]}
    ours_by_reference = {_format_reference(resource): resource for resource in here["resources"]}
    if theirs_by_reference.keys() != ours_by_reference.keys():
        return "catalog: resources"
    for name in ("parameters", "tags", "file", "line", "exported"):
        for reference, resource in theirs_by_reference.items():
            if _make_comparable(name, resource.get(name)) != _make_comparable(
                name, ours_by_reference[reference].get(name)
            ):
                return f"catalog: {name} of {reference.partition('[')[0]}"
    if list(theirs_by_reference) != list(ours_by_reference):
        return "catalog: order of resources"
    if any(
        list(resource.get("parameters", ())) != list(ours_by_reference[key].get("parameters", ()))
        for key, resource in theirs_by_reference.items()
    ):
        return "catalog: order of parameters"
    if _list_edges(released) != _list_edges(here):
        return "catalog: edges"
    return "" if released["classes"] == here["classes"] else "catalog: classes"


def _format_reference(resource: dict[str, Any]) -> str:
    return f"{resource['type']}[{resource['title']}]"


def _make_comparable(name: str, value: Any) -> Any:
    """Return an attribute of a resource in comparable form; a missing file may be "" or None."""
    return sorted(value or ()) if name == "tags" else value or None


def _list_edges(catalog: dict[str, Any]) -> list[tuple[str, str]]:
    return [(edge["source"], edge["target"]) for edge in catalog["edges"]]
