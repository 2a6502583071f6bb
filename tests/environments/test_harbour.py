"""Five nodes of `harbour`, a control repository with all features, compile as in the released Puppet.

Their resources are kept in `harbour.txt` too, for machines without it; `pytest tests/environments --update` writes
what comes out now: review the difference.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from evaluator.facts import read_facts
from tests.environments.test_environments import ask_release
from tests.environments.test_exported import row
from tests.hiera.encrypted import key_pair, secret, write_keys
from tests.real.answers import cause

HERE = Path(__file__).parent
KEPT = HERE / "harbour.txt"
PERMISSIONS = ("ruby", "templates")
STORE = [
    row("old.harbour.example", "Profile::Target", "web old", tags=["web"], parameters={"port": 8000}),
    row(
        "db1.harbour.example", "Profile::Target", "web db1", tags=["web"], parameters={"port": 1, "of": "db"}
    ),
    row("old.harbour.example", "Profile::Target", "mail old", tags=["mail"], parameters={"port": 25}),
]
# name -> facts, extensions of the certificate, answer of the classifier
NODES: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "lamp.harbour.example": (
        "debian-12",
        {"pp_role": "web", "pp_zone": "quay"},
        {"parameters": {"duties": ["backup", "watch"], "calm": "no"}},
    ),
    "beacon.harbour.example": ("rocky-9", {"pp_role": "web"}, {"parameters": {"duties": "watch"}}),
    "db1.harbour.example": ("debian-12", {"pp_role": "database"}, {}),
    "db23.harbour.example": ("redhat-8", {}, {"classes": {"profile::clock": {}}}),
    "crane.other.example": (
        "ubuntu-24.04",
        {"1.3.6.1.4.1.34380.1.2.1": "x"},
        {"classes": ["profile::told", "profile::users"]},
    ),
}
WITHOUT_RUBY = {"crane.other.example"}


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with keys of its own, and secrets that only they open."""
    pytest.importorskip("cryptography", reason="the extra `eyaml` is not installed")
    folder = tmp_path_factory.mktemp("environments") / "harbour"
    shutil.copytree(HERE / "harbour", folder)
    key, certificate = key_pair()
    write_keys(folder / "keys", key, certificate)
    secrets = folder / "data" / "secrets"
    secrets.mkdir()
    for name, text in {"common": "of all: %{facts.os.name}", "db23.harbour.example": "only its own"}.items():
        line = f"profile::database::password: {json.dumps(secret(certificate, text))}\n"
        (secrets / f"{name}.eyaml").write_text(line)
    return folder


def question(folder: Path, name: str) -> dict[str, Any]:
    system, extensions, classification = NODES[name]
    return {
        "environment": str(folder),
        "node": name,
        "facts": read_facts(system, name),
        "extensions": extensions,
        "exported": STORE,
        "whole": True,
        **classification,
    }


def session(folder: Path, name: str, **others: Any) -> Session:
    system, extensions, classification = NODES[name]
    made = Session(
        environment=folder,
        node=name,
        facts=read_facts(system, name),
        trusted={"extensions": extensions},
        classification=classification or None,
        exported=STORE,
        permissions=PERMISSIONS,
        **others,
    )
    assert made.beginning is not None and made.beginning.error is None, (
        made.beginning and made.beginning.error
    )
    return made


@pytest.fixture(scope="module")
def told(harbour: Path) -> list[dict[str, Any]]:
    """Return what the released Puppet compiles for the nodes."""
    return ask_release([question(harbour, name) for name in NODES])


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["spec", "puppet7"])
def test_five_nodes_get_what_the_released_puppet_gives_them(
    harbour: Path, told: list[dict[str, Any]], dialect: str
) -> None:
    for name, due in zip(NODES, told, strict=True):
        assert "error" not in due, due
        catalog = session(harbour, name, dialect=dialect).catalog()
        assert catalog.summary(redact=False) == due["summary"], name
        assert cause(due, {"catalog": catalog.to_json(redact=False)}) == "", name


@pytest.mark.released
@pytest.mark.parametrize("name", NODES)
def test_five_nodes_get_what_they_got(harbour: Path, name: str, request: pytest.FixtureRequest) -> None:
    if name not in WITHOUT_RUBY and not shutil.which("ruby"):
        pytest.skip("modules of this node have functions in Ruby, which is not installed")
    found = [line.replace("\n", "\\n") for line in session(harbour, name).catalog().summary()]
    kept = {part.partition("\n")[0]: part.split("\n")[1:-1] for part in KEPT.read_text().split("=== ")[1:]}
    if request.config.getoption("--update", default=False):
        kept[name] = found
        parts = [f"=== {each}\n" + "".join(f"{line}\n" for line in kept.get(each, ())) for each in NODES]
        KEPT.write_text("".join(parts))
    assert kept[name] == found


def test_the_command_line_gives_the_same_catalog(harbour: Path, tmp_path: Path) -> None:
    name = "crane.other.example"
    system, extensions, classification = NODES[name]
    files = {"facts": read_facts(system, name), "trusted": {"extensions": extensions}, "exported": STORE}
    options = []
    for option, data in {**files, "enc": classification}.items():
        path = tmp_path / f"{option}.json"
        path.write_text(json.dumps(data))
        options += [f"--{option}", str(path)]
    command = [sys.executable, "-m", "puppet_kernel", "--environment", str(harbour), "--node", name]
    command += ["--dialect", "spec", *options]
    done = subprocess.run(
        [*command, "--json", "-e", "1"], capture_output=True, text=True, check=True, timeout=120
    )
    assert json.loads(done.stdout)["catalog"] == session(harbour, name).catalog().to_json()
