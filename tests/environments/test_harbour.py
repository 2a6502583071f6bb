"""Five nodes of `harbour`, a control repository with all features, compile as released.

Their resources are also in `harbour.txt`, for machines without the released Puppet.
`pytest tests/environments --update` writes the current output: review the diff.
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
from tests.environments.test_environments import query_release
from tests.environments.test_exported import make_row
from tests.hiera.encrypted import encrypt, make_key_pair, write_keys
from tests.real.answers import find_cause

HERE = Path(__file__).parent
RECORDED = HERE / "harbour.txt"
PERMISSIONS = ("ruby", "templates")
STORE = [
    make_row("old.harbour.example", "Profile::Target", "web old", tags=["web"], parameters={"port": 8000}),
    make_row(
        "db1.harbour.example", "Profile::Target", "web db1", tags=["web"], parameters={"port": 1, "of": "db"}
    ),
    make_row("old.harbour.example", "Profile::Target", "mail old", tags=["mail"], parameters={"port": 25}),
]
# By name: facts, extensions of the certificate, answer of the classifier.
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
    """Return a copy of the repository with new keys and secrets encrypted with them."""
    pytest.importorskip("cryptography", reason="the extra `eyaml` is not installed")
    folder = tmp_path_factory.mktemp("environments") / "harbour"
    shutil.copytree(HERE / "harbour", folder)
    key, certificate = make_key_pair()
    write_keys(folder / "keys", key, certificate)
    secrets = folder / "data" / "secrets"
    secrets.mkdir()
    for name, text in {"common": "of all: %{facts.os.name}", "db23.harbour.example": "only its own"}.items():
        line = f"profile::database::password: {json.dumps(encrypt(certificate, text))}\n"
        (secrets / f"{name}.eyaml").write_text(line)
    return folder


def make_query(folder: Path, name: str) -> dict[str, Any]:
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


def make_session(folder: Path, name: str, **others: Any) -> Session:
    system, extensions, classification = NODES[name]
    session = Session(
        environment=folder,
        node=name,
        facts=read_facts(system, name),
        trusted={"extensions": extensions},
        classification=classification or None,
        exported=STORE,
        permissions=PERMISSIONS,
        **others,
    )
    assert session.beginning is not None and session.beginning.error is None, (
        session.beginning and session.beginning.error
    )
    return session


@pytest.fixture(scope="module")
def released_answers(harbour: Path) -> list[dict[str, Any]]:
    """Return the answers of the released Puppet for the nodes."""
    return query_release([make_query(harbour, name) for name in NODES])


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["spec", "puppet7"])
def test_five_nodes_have_the_catalogs_of_the_released_puppet(
    harbour: Path, released_answers: list[dict[str, Any]], dialect: str
) -> None:
    for name, expected in zip(NODES, released_answers, strict=True):
        assert "error" not in expected, expected
        catalog = make_session(harbour, name, dialect=dialect).catalog()
        assert catalog.summary(redact=False) == expected["summary"], name
        assert find_cause(expected, {"catalog": catalog.to_json(redact=False)}) == "", name


@pytest.mark.released
@pytest.mark.parametrize("name", NODES)
def test_five_nodes_have_the_recorded_resources(
    harbour: Path, name: str, request: pytest.FixtureRequest
) -> None:
    if name not in WITHOUT_RUBY and not shutil.which("ruby"):
        pytest.skip("modules of this node have functions in Ruby, which is not installed")
    lines = [line.replace("\n", "\\n") for line in make_session(harbour, name).catalog().summary()]
    recorded = {
        part.partition("\n")[0]: part.split("\n")[1:-1] for part in RECORDED.read_text().split("=== ")[1:]
    }
    if request.config.getoption("--update", default=False):
        recorded[name] = lines
        parts = [f"=== {each}\n" + "".join(f"{line}\n" for line in recorded.get(each, ())) for each in NODES]
        RECORDED.write_text("".join(parts))
    assert recorded[name] == lines


def test_the_command_line_compiles_the_same_catalog(harbour: Path, tmp_path: Path) -> None:
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
    result = subprocess.run(
        [*command, "--json", "-e", "1"], capture_output=True, text=True, check=True, timeout=120
    )
    assert json.loads(result.stdout)["catalog"] == make_session(harbour, name).catalog().to_json()
