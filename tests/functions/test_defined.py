"""`defined` searches a name among types and defines before classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator import Session


@pytest.mark.parametrize(
    ("names", "results"),
    [
        ("'d', '::d', 'D', 'a::d', '::a::d', '::A::D'", "true true true true true true"),
        ("'file', '::file', 'File'", "true false true"),
        ("'c', '::c', 'C', '::nope', 'a'", "true true true false false"),
    ],
)
def test_names_of_defines_and_classes_may_begin_with_colons(names: str, results: str) -> None:
    calls = ", ".join(f"defined({name})" for name in names.split(", "))
    session = Session("puppet")
    outcome = session.run(f"define d() {{ }} define a::d() {{ }} class c {{ }} notice({calls})")
    assert outcome.error is None and [line.message for line in outcome.logs] == [results]


@pytest.mark.parametrize("name", ["firewall", "::firewall"])
def test_a_define_of_the_program_is_found_before_the_class_of_a_module(name: str, tmp_path: Path) -> None:
    manifests = tmp_path / "firewall" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class firewall { }")
    session = Session("puppet", modulepath=[str(tmp_path)])
    outcome = session.run(f"define firewall() {{ }} notice(defined('{name}'))")
    assert outcome.error is None and [line.message for line in outcome.logs] == ["true"]
