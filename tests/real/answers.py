"""The result of this project for a program, and how it differs from that of the released Puppet."""

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


def ours(source: str, facts: dict[str, Any], modulepath: Sequence[str], permissions: Sequence[str]) -> Answer:
    """{"catalog": …} or {"error": …}, as `released.rb` answers."""
    node = facts["networking"]["fqdn"]
    session = Session("puppet7", node=node, facts=facts, modulepath=modulepath, permissions=permissions)
    outcome = session.run(source)
    if outcome.error is not None:
        return {"error": str(outcome.error)}
    return {"catalog": session.catalog().to_json(redact=False)}


def _error(text: str) -> tuple[str, str]:
    """Message and place; a message of the evaluator is one with or without its prefix."""
    text = text.replace("Evaluation Error: ", "").strip()
    found = _PLACE.search(text)
    return (text[: found.start()].strip(), found[0].strip()) if found is not None else (text, "")


def cause(released: Answer, found: Answer) -> str:
    """Why two answers differ, in words that are alike for one cause; "" when they are the same."""
    if "error" in released and "error" in found:
        message, place = _error(released["error"])
        our_message, our_place = _error(found["error"])
        if message != our_message:
            return f"error: {kind(message)} | here: {kind(our_message)}"
        return "" if place == our_place else f"place of: {kind(message)}"
    if "error" in released:
        return f"only released refuses: {kind(_error(released['error'])[0])}"
    if "error" in found:
        return f"only here refused: {kind(_error(found['error'])[0])}"
    return _difference(released["catalog"], found["catalog"])


def kind(message: str) -> str:
    """A message without what varies from program to program; of nested ones the innermost."""
    last = message.rpartition("Error while evaluating a ")[2].partition("\n")[0]
    last = _NESTED_PLACE.sub("", last).partition(", ")[2] or last
    return last if last.startswith("Unknown function") else _VARYING.sub("…", last)[:140]


def _difference(released: dict[str, Any], found: dict[str, Any]) -> str:
    theirs = {_reference(one): one for one in released["resources"]}
    here = {_reference(one): one for one in found["resources"]}
    if theirs.keys() != here.keys():
        return "catalog: resources"
    for name in ("parameters", "tags", "file", "line", "exported"):
        for reference, one in theirs.items():
            if _plain(name, one.get(name)) != _plain(name, here[reference].get(name)):
                return f"catalog: {name} of {reference.partition('[')[0]}"
    if list(theirs) != list(here):
        return "catalog: order of resources"
    if any(
        list(one.get("parameters", ())) != list(here[key].get("parameters", ()))
        for key, one in theirs.items()
    ):
        return "catalog: order of parameters"
    if _edges(released) != _edges(found):
        return "catalog: edges"
    return "" if released["classes"] == found["classes"] else "catalog: classes"


def _reference(resource: dict[str, Any]) -> str:
    return f"{resource['type']}[{resource['title']}]"


def _plain(name: str, value: Any) -> Any:
    """A part of a resource in a form to compare; the program itself, which has no file, is called in two ways."""
    return sorted(value or ()) if name == "tags" else value or None


def _edges(catalog: dict[str, Any]) -> list[tuple[str, str]]:
    return [(edge["source"], edge["target"]) for edge in catalog["edges"]]
