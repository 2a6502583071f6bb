"""Collectors find among many resources what they find among few, and arrows keep to their own resource."""

from __future__ import annotations

import pytest

from evaluator import Session

# how resources are declared, each of them as often as there is a filler
DECLARED = {
    "plain": "message => 'a', tag => 't1'",
    "upper": "message => 'A', tag => ['T1', 'x::y']",
    "array": "message => ['b', 'A']",
    "kelvin": "message => '\u212a'",
    "number": "message => 10",
    "secret": "message => Sensitive('a')",
    "none": "",
}
QUERIES = {
    "message == 'a'": {"plain", "upper", "array"},
    "message != 'a'": {"array", "kelvin", "number", "secret", "none"},
    "message == 'k'": set(),
    "message == '\u212a'": {"kelvin"},
    "message == '10'": set(),
    "message == 10": {"number"},
    "tag == 't1' and message == 'a'": {"plain", "upper"},
    "tag == 'y' or message == 'B'": {"upper", "array"},
    "tag == 'notify' and (title == 'none' or title == 'array')": {"none", "array"},
    "message == 'a' and title != 'plain'": {"upper", "array"},
    "(message == 'a' and tag == 'main') or message == 'k'": set(),
    "message == undef": {"none"},
}


@pytest.mark.parametrize("fillers", [0, 40])
@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_the_same_among_few_and_many(query: str, fillers: int) -> None:
    program = "".join(f"@notify {{ '{name}': {given} }}\n" for name, given in DECLARED.items())
    program += f'Integer[1, {fillers}].each |$i| {{ @notify {{ "f${{i}}": message => "f${{i}}" }} }}\n' * (
        fillers > 0
    )
    session = Session("puppet")
    assert session.run(f"{program}Notify <| {query} |>").error is None
    catalog = session.catalog()
    found = {name for name in DECLARED if not catalog.resources["notify", name].virtual}
    assert found == QUERIES[query]


def test_what_changes_what_is_asked_for_decides_about_the_next() -> None:
    session = Session("puppet")
    session.run("Integer[1, 30].each |$i| { notify { \"n${i}\": message => 'x', tag => 'a' } }")
    session.run("Notify <| message == 'x' or tag == 'b' |> { message => 'y', tag => 'b' }")
    resources = session.catalog().resources
    assert {one.parameters["message"] for one in resources.values() if one.type == "notify"} == {"y"}


def test_arrows_between_arrays_are_the_relationships_of_their_sources() -> None:
    session = Session("puppet")
    outcome = session.run(
        'define d() { notify { "in ${title}": } }\n'
        "d { ['a', 'b']: }\n@notify { 'v': }\nnotify { ['x', 'y']: }\n"
        "[D['a'], D['b']] -> [Notify['x'], Notify['v']]\nD['a'] -> Notify['y']\n"
        "[D['a']] -> [Notify['x'], Notify['y']]\n"
    )
    assert outcome.error is None
    told = {(edge.source[1], edge.target[1], edge.reason) for edge in outcome.change.edges_added}
    assert {one for one in told if one[2] == "->"} == {("a", "x", "->"), ("a", "y", "->"), ("b", "x", "->")}
    assert {one[0] for one in told if one[2] != "->"} <= {"in a", "in b"}
