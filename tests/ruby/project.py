"""The answers of this project to the programs of `programs.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluator import Session
from evaluator.values import format_literal

HERE = Path(__file__).parent
MODULES = HERE / "modules"
FACTS = {"os": {"family": "Debian"}, "role": "web"}


def make_session(**settings: Any) -> Session:
    """Return a session that runs the Ruby code of the modules beside this file."""
    defaults = {
        "facts": FACTS,
        "node": "testnode",
        "modulepath": [MODULES],
        "permissions": ("ruby", "templates"),
    }
    return Session(
        "puppet7", **{**defaults, "hiera_config": str(HERE / "hiera.yaml"), "interactive": True, **settings}
    )


def compute_answer(session: Session, source: str) -> dict[str, Any]:
    """Return {"value", "logs", "resources"} or {"error", "logs"} of a program.

    Args:
        session: A session that is reset before the program.
        source: The program.
    """
    session.reset()
    outcome = session.run(source)
    logs = [f"{line.level}: {line.message}" for line in outcome.logs]
    if outcome.error is not None:
        return {"error": _remove_folder(str(outcome.error)), "logs": logs}
    resources = sorted(map(_format_resource, session.catalog().to_json()["resources"][3:]))
    return {"value": _remove_folder(format_literal(outcome.value)), "logs": logs, "resources": resources}


def _format_resource(resource: dict[str, Any]) -> str:
    attributes = sorted(f"{name} => {value}" for name, value in resource.get("parameters", {}).items())
    return f"{resource['type']}[{resource['title']}] {', '.join(attributes)}".strip()


def _remove_folder(text: str) -> str:
    return text.replace(str(HERE), "").rstrip()
