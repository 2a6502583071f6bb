"""`$trusted` describes the node that is compiled, and the other arguments of the session."""

from __future__ import annotations

import pytest

from evaluator import Session


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize(
    ("node", "hostname", "domain"),
    [
        ("web01.example.com", "'web01'", "'example.com'"),
        ("web01", "'web01'", "undef"),
        ("a.b.c.d", "'a'", "'b.c.d'"),
    ],
)
def test_names_follow_from_the_node(dialect: str, node: str, hostname: str, domain: str) -> None:
    # as the released Puppet 7.23 answers when it compiles for this certname
    text = Session(dialect, node=node).run("$trusted").text
    assert text == (
        f"{{'authenticated' => 'local', 'certname' => '{node}', 'extensions' => {{}}, "
        f"'hostname' => {hostname}, 'domain' => {domain}, 'external' => {{}}}}"
    )


def test_trusted_arguments_replace_and_add_entries() -> None:
    arguments = {"authenticated": "remote", "extensions": {"pp_role": "web"}, "more": 1}
    session = Session("spec", node="web01.example.com", trusted=arguments)
    assert session.run("$trusted['extensions']['pp_role']").text == "'web'"
    assert session.run("[$trusted['authenticated'], $trusted['more']]").text == "['remote', 1]"
    assert session.run("$trusted['certname']").text == "'web01.example.com'"


def test_trusted_cannot_be_set() -> None:
    assert Session("spec").run("$trusted = 1").error is not None
