"""Facts of the bundled operating systems, with their legacy names."""

from __future__ import annotations

import pytest

from evaluator import Session
from evaluator.facts import list_fact_sets, read_facts
from evaluator.facts.forms import NAMES

STRUCTURED = {"os", "networking", "processors", "memory", "kernel", "identity", "virtual", "timezone"}


@pytest.mark.parametrize("name", list_fact_sets())
def test_a_system_has_structured_facts_and_their_legacy_names(name: str) -> None:
    facts = read_facts(name, "web01.example.com")
    assert set(facts) >= STRUCTURED
    assert facts["osfamily"] == facts["os"]["family"]
    assert facts["operatingsystemmajrelease"] == facts["os"]["release"]["major"]
    assert facts["networking"]["fqdn"] == facts["fqdn"] == "web01.example.com"
    assert (facts["hostname"], facts["domain"]) == ("web01", "example.com")
    (interface,) = facts["networking"]["interfaces"]
    assert facts["interfaces"] == interface and facts[f"ipaddress_{interface}"] == facts["ipaddress"]


def test_legacy_names_are_facts_of_some_system() -> None:
    names = {fact for name in list_fact_sets() for fact in read_facts(name, "a.b")}
    assert names >= set(NAMES)


@pytest.mark.parametrize(
    ("name", "expression", "expected"),
    [
        ("ubuntu-24.04", "$facts['os']['release']['major']", "'24.04'"),
        ("rocky-9", "$facts['os']['family']", "'RedHat'"),
        ("redhat-8", "$facts['os']['selinux']['enabled']", "true"),
        ("windows-2022", "$kernel", "'windows'"),
        ("freebsd-14", "$facts['os']['release']['major']", "'14'"),
        ("debian-12", "$lsbdistcodename", "'bookworm'"),
        ("sles-15", "$facts['os']['name']", "'SLES'"),
        ("amazon-2023", "$osfamily", "'RedHat'"),
    ],
)
def test_a_program_reads_the_facts_of_a_system(name: str, expression: str, expected: str) -> None:
    assert Session("puppet", facts=name).run(expression).text == expected


def test_an_unknown_system_is_reported_with_the_bundled_ones() -> None:
    with pytest.raises(ValueError, match=r"no fact set 'beos'; bundled are: .*debian-12"):
        read_facts("beos", "a")


def test_facts_without_a_value_are_empty_strings() -> None:
    session = Session("puppet", facts={"ip6": None, "list": [1, None], "os": {"name": None}})
    outcome = session.run("[$ip6, $facts['list'], $facts['os']['name'], $ip6 =~ Undef]")
    assert str(outcome.value) == str(["", [1, ""], "", False])
