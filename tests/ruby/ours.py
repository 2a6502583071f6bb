"""The results of this project for the programs of `programs.txt`, in the form of `released.rb`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluator import Session
from evaluator.values import format_literal

HERE = Path(__file__).parent
MODULES = HERE / "modules"
FACTS = {"os": {"family": "Debian"}, "role": "web"}


def session(**settings: Any) -> Session:
    """A session that runs the Ruby code of the modules beside this file."""
    given = {
        "facts": FACTS,
        "node": "testnode",
        "modulepath": [MODULES],
        "permissions": ("ruby", "templates"),
    }
    return Session(
        "puppet7", **{**given, "hiera_config": str(HERE / "hiera.yaml"), "interactive": True, **settings}
    )


def reply(made: Session, source: str) -> dict[str, Any]:
    """{"value", "logs", "resources"} or {"error", "logs"}, of a program alone in a session."""
    made.reset()
    outcome = made.run(source)
    logs = [f"{line.level}: {line.message}" for line in outcome.logs]
    if outcome.error is not None:
        return {"error": _plain(str(outcome.error)), "logs": logs}
    listed = sorted(map(_summary, made.catalog().to_json()["resources"][3:]))
    return {"value": _plain(format_literal(outcome.value)), "logs": logs, "resources": listed}


def _summary(resource: dict[str, Any]) -> str:
    shown = sorted(f"{name} => {value}" for name, value in resource.get("parameters", {}).items())
    return f"{resource['type']}[{resource['title']}] {', '.join(shown)}".strip()


def _plain(text: str) -> str:
    return text.replace(str(HERE), "").rstrip()
