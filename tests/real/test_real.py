"""The comparison of real modules finds all differences, and none for small modules."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from evaluator.facts import read_facts
from tests.differential.released import Released
from tests.files import write_files
from tests.real import types
from tests.real.__main__ import print_report
from tests.real.answers import compute_answer, find_cause
from tests.real.programs import Program, generate_programs
from tests.released.ruby_scripts import is_installed

CATALOG: dict[str, Any] = {
    "resources": [
        {"type": "Notify", "title": "a", "tags": ["notify", "a"], "parameters": {"x": 1, "y": 2}},
        {"type": "Notify", "title": "b", "tags": ["notify"], "line": 1},
    ],
    "edges": [{"source": "Class[main]", "target": "Notify[a]"}],
    "classes": ["settings"],
}


def change_resource(**parts: Any) -> dict[str, Any]:
    first, second = CATALOG["resources"]
    return {"catalog": {**CATALOG, "resources": [{**first, **parts}, second]}}


CAUSES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"catalog": CATALOG}, {"catalog": CATALOG}, ""),
    ({"catalog": CATALOG}, change_resource(tags=["a", "notify"]), ""),
    ({"catalog": CATALOG}, change_resource(tags=["a"]), "catalog: tags of Notify"),
    ({"catalog": CATALOG}, change_resource(parameters={"y": 2, "x": 1}), "catalog: order of parameters"),
    ({"catalog": CATALOG}, change_resource(parameters={"x": 1}), "catalog: parameters of Notify"),
    ({"catalog": CATALOG}, change_resource(title="c"), "catalog: resources"),
    (
        {"catalog": CATALOG},
        {"catalog": {**CATALOG, "resources": CATALOG["resources"][::-1]}},
        "catalog: order of resources",
    ),
    ({"catalog": CATALOG}, {"catalog": {**CATALOG, "edges": []}}, "catalog: edges"),
    ({"catalog": CATALOG}, {"catalog": {**CATALOG, "classes": []}}, "catalog: classes"),
    ({"error": "Evaluation Error: a (line: 1)"}, {"error": "a (line: 1)"}, ""),
    ({"error": "a 'x' (line: 1)"}, {"error": "a 'x' (line: 2)"}, "place of: a …"),
    ({"error": "a (line: 1)"}, {"error": "b (line: 1)"}, "error: a | here: b"),
    (
        {"catalog": CATALOG},
        {"error": "Unknown function: 'x'. (line: 1)"},
        "only here refused: Unknown function: 'x'.",
    ),
    ({"error": "a"}, {"catalog": CATALOG}, "only released refuses: a"),
]


@pytest.mark.parametrize(("released", "here", "expected"), CAUSES)
def test_the_cause_of_a_difference_is_found(
    released: dict[str, Any], here: dict[str, Any], expected: str
) -> None:
    assert find_cause(released, here) == expected


FILES = {
    "kit/manifests/init.pp": "class kit($port, $name_of = $title) { include kit::base kit::thing { 'x': a => $port } }",
    "kit/manifests/base.pp": "class kit::base { Package { ensure => present } package { ['a', 'b']: tag => 't' } }",
    "kit/manifests/thing.pp": 'define kit::thing($a, Optional[String] $b = undef) {\n  kit { "${a}-${title}":\n'
    "    what => $b,\n    require => Package['a'],\n  }\n}",
    "kit/manifests/wrong.pp": "class kit::wrong inherits kit::base {\n  kit { 'x-y':\n    nope => 1,\n  }\n}",
    "kit/manifests/title.pp": "class kit::title {\n\n  kit { 'x': }\n}",
    "kit/manifests/outer.pp": "class kit::outer { contain kit::inner }",
    "kit/manifests/inner.pp": "class kit::inner inherits kit::outer { notify { $caller_module_name: } }",
    "kit/manifests/broken.pp": "class kit::broken {",
    "kit/manifests/missing.pp": "class kit::missing {\n  file { '/a':\n    ensure  => present,\n"
    "    require => File['/x'],\n  }\n}",
    "kit/lib/puppet/type/kit.rb": "Puppet::Type.newtype(:kit) do\n  ensurable\n  newparam(:name, namevar: true)\n"
    "  %w[what else].each { |one| newproperty(one) }\n  newparam(:part) { isnamevar }\n"
    "  def self.title_patterns\n    [[/^(.*)-(.*)$/, [[:name], [:part]]]]\n  end\nend\n",
    "kit/lib/puppet/type/kit_b.rb": "Puppet::Type.newtype(:kit_b) do\n  newparam(:path, namevar: true)\nend\n",
}


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    return write_files(tmp_path, FILES)


def test_programs_declare_all_that_files_define(modules: Path) -> None:
    programs = dict(generate_programs(modules))
    names = ["base", "inner", "missing", "outer", "thing", "title", "wrong"]
    assert sorted(programs) == ["kit", *(f"kit::{name}" for name in names)]
    assert programs["kit"] == "class { 'kit':\n  port => 'pw',\n}\n"
    assert programs["kit::thing"] == "kit::thing { 'title':\n  a => 'pw',\n}\n"


@pytest.mark.skipif(not is_installed(), reason="the released Puppet is not installed")
def test_small_modules_have_the_released_answers(modules: Path) -> None:
    facts, modulepath = read_facts("debian-11", "node1.example.com"), [str(modules)]
    programs = [source for _, source in generate_programs(modules)]
    with Released(Path(types.__file__).with_name("released.rb")) as released:
        theirs = released.run(
            {"source": source, "facts": facts, "modulepath": modulepath} for source in programs
        )
    answers = [compute_answer(source, facts, modulepath, ()) for source in programs]
    assert sum("catalog" in (answer or {}) for answer in theirs) == 4
    assert [find_cause(answer or {}, here) for answer, here in zip(theirs, answers, strict=True)] == [
        ""
    ] * len(programs)


@pytest.mark.skipif(not is_installed(), reason="the released Puppet is not installed")
def test_types_of_small_modules_are_read_as_ruby_defines_them(modules: Path) -> None:
    modulepath, names = [str(modules)], ["kit", "kit_b"]
    theirs, here = types.query_release(modulepath, names), types.read_types(modulepath, names)
    assert [types.compare_type(theirs[name], here[name]) for name in names] == ["same", "same"]
    assert types.compare_type({**theirs["kit"], "isomorphic": False}, here["kit"]) == "wrong"


def test_the_report_has_the_shares_of_all_programs_and_of_those_without_ruby(
    capsys: pytest.CaptureFixture[str],
) -> None:
    right, wrong = ({"error": "a"}, {"error": "a"}), ({"error": "a"}, {"error": "b"})
    programs = [Program(name, "debian-11", "") for name in "abcd"]
    answers = [(*right, False), (*right, True), (*wrong, True), (*right, False)]
    print_report(programs, answers, Namespace(show=1, full=False))
    printed = capsys.readouterr().out
    assert "75.00 % of 4 programs have the released answer" in printed
    assert "100.00 % of 2 that need no Ruby have the released answer" in printed
    assert "     1  error: a | here: b" in printed
