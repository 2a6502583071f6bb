"""A fleet has the catalogs of the released Puppet, for a module that Debian packages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from evaluator.facts import read_facts
from tests.released import ruby_scripts

HERE = Path(__file__).parent
MODULES = Path("/usr/share/puppet/modules")
SYSTEMS = ("debian-12", "rocky-9", "sles-15", "ubuntu-24.04", "freebsd-14")
COUNT = 20

pytestmark = pytest.mark.skipif(
    not (MODULES / "ntp").exists() or shutil.which("puppet") is None,
    reason="no released Puppet with ntp here",
)


def normalize_catalog(catalog: dict[str, Any]) -> dict[str, Any]:
    """Return the comparable part of a catalog.

    The settings and file paths of the server are removed.
    """
    resources = [
        {name: sorted(value) if name == "tags" else value for name, value in resource.items()}
        for resource in catalog["resources"]
        if resource["title"] != "Settings"
    ]
    for resource in resources:
        resource.pop("file", None)
    return {
        "name": catalog["name"],
        "resources": resources,
        "edges": [edge for edge in catalog["edges"] if edge["target"] != "Class[Settings]"],
        "classes": catalog["classes"],
    }


def test_catalogs_of_twenty_nodes_are_those_of_the_release(tmp_path: Path) -> None:
    nodes = {
        f"web{number}.example.com": read_facts(SYSTEMS[number % len(SYSTEMS)], f"web{number}.example.com")
        for number in range(COUNT)
    }
    (tmp_path / "facts.json").write_text(json.dumps(nodes))
    arguments = (HERE / "site.pp", MODULES, tmp_path / "facts.json", 0, "yes")
    released = json.loads(ruby_scripts.run_script(HERE / "released.rb", "", *arguments))["catalogs"]
    session = Session("puppet7", modulepath=[MODULES])
    fleet = session.fleet(nodes, sources=[(HERE / "site.pp").read_text()])
    assert not fleet.errors
    for node, catalog in fleet.catalogs.items():
        assert normalize_catalog(catalog) == normalize_catalog(released[node]), node
