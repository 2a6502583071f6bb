"""The facts about resource types."""

from evaluator import resource_types
from evaluator.resource_types.tables import METAPARAMETERS


def test_the_names_at_hand_are_those_of_the_table() -> None:
    assert METAPARAMETERS.keys() == resource_types.METAPARAMETERS


def test_every_type_says_what_it_is() -> None:
    for name in resource_types.list_names():
        facts = resource_types.get_facts(name)
        assert facts.words
        assert facts.module
        assert set(facts.namevars) <= facts.attributes.keys()
        assert ("ensure" in facts.attributes) >= facts.ensurable
        for attribute in resource_types.get_attributes(name).values():
            assert attribute.words
            assert attribute.kind in ("property", "param", "metaparam")


def test_what_the_title_stands_for() -> None:
    assert [resource_types.get_facts(name).namevars[0] for name in ("file", "exec", "notify")] == [
        "path",
        "command",
        "name",
    ]
