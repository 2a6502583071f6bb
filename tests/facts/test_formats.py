"""The formats in which tools write the facts of nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.facts.forms import read_node_facts
from puppet_kernel.cli.options import parse
from puppet_kernel.cli.session_options import read_session_settings
from puppet_kernel.user_files.node_data import read_facts

FORMATS = [
    ({"kernel": "Linux"}, {"": {"kernel": "Linux"}}),
    (
        {"name": "web", "values": {"kernel": "Linux", "_timestamp": 1}, "timestamp": "x"},
        {"web": {"kernel": "Linux"}},
    ),
    (
        [
            {"certname": "web", "name": "kernel", "value": "Linux", "environment": "production"},
            {"certname": "db", "name": "kernel", "value": "FreeBSD"},
            {"certname": "web", "name": "id", "value": "root"},
        ],
        {"web": {"kernel": "Linux", "id": "root"}, "db": {"kernel": "FreeBSD"}},
    ),
    (
        [{"certname": "web", "facts": {"data": [{"name": "kernel", "value": "Linux"}], "href": "/x"}}],
        {"web": {"kernel": "Linux"}},
    ),
    ({"certname": "web", "facts": {"kernel": "Linux"}}, {"web": {"kernel": "Linux"}}),
]


@pytest.mark.parametrize(("data", "expected"), FORMATS)
def test_every_format_is_recognized(data: object, expected: object) -> None:
    assert read_node_facts(data) == expected


@pytest.mark.parametrize("data", [[], 1, "kernel", None, [1], [{"certname": "a"}]])
def test_data_without_facts_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="facts"):
        read_node_facts(data)


def write_file(folder: Path, name: str, text: str) -> str:
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text)
    return str(path)


SEVERAL = '[{"certname": "web", "name": "id", "value": "a"}, {"certname": "db", "name": "id", "value": "b"}]'
CACHED = """--- !ruby/object:Puppet::Node::Facts
name: web1.example.com
values:
  kernel: Linux
  os: !ruby/hash:Facts
    family: Debian
  roles: !ruby/array:Roles [a, b]
  since: 2024-01-01
  mark: !ruby/sym yes
  _timestamp: 2024-01-01 00:00:00
timestamp: 2024-01-01 00:00:00.000000000 Z
"""


def test_a_cache_of_facts_is_read_as_plain_data_with_its_node(tmp_path: Path) -> None:
    facts = read_facts(write_file(tmp_path, "web1.yaml", CACHED))
    assert facts == {
        "node": "web1.example.com",
        "facts": {
            "kernel": "Linux",
            "os": {"family": "Debian"},
            "roles": ["a", "b"],
            "since": "2024-01-01",
            "mark": "yes",
        },
    }


def test_a_tag_of_yaml_runs_no_code(tmp_path: Path) -> None:
    path = write_file(tmp_path, "f.yaml", "x: !!python/object/apply:os.system ['touch here']\n")
    with pytest.raises(ValueError, match="could not determine a constructor"):
        read_facts(path)


@pytest.mark.parametrize(("name", "text"), [("f.json", '{"id": "b"}'), ("f.yaml", "id: b")])
def test_a_byte_order_mark_is_ignored(name: str, text: str, tmp_path: Path) -> None:
    assert read_facts(write_file(tmp_path, name, f"\ufeff{text}"))["facts"] == {"id": "b"}


def test_the_node_selects_its_facts_from_those_of_several(tmp_path: Path) -> None:
    path = write_file(tmp_path, "all.json", SEVERAL)
    assert read_facts(path, "db") == {"facts": {"id": "b"}, "node": "db"}
    with pytest.raises(ValueError, match="of several nodes; select one of them as the node: db, web"):
        read_facts(path)


def test_the_requested_node_has_precedence_over_that_of_the_file(tmp_path: Path) -> None:
    path = write_file(tmp_path, "web1.yaml", CACHED)
    assert read_session_settings(parse(["--facts", path]))["node"] == "web1.example.com"
    assert read_session_settings(parse(["--facts", path, "--node", "other"]))["node"] == "other"


def test_a_file_without_facts_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read the facts in .*f\.json: these are not facts"):
        read_facts(write_file(tmp_path, "f.json", "[1]"))
