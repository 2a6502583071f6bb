"""The tables of the built-in resource types."""

import pytest

from evaluator import Session, resource_types
from evaluator.catalog import find_apply_errors
from evaluator.resource_types.tables import METAPARAMETERS


def test_the_names_of_metaparameters_are_those_of_the_table() -> None:
    assert METAPARAMETERS.keys() == resource_types.METAPARAMETERS


def test_every_type_has_a_description_and_described_attributes() -> None:
    for name in resource_types.list_names():
        facts = resource_types.get_facts(name)
        assert facts.words
        assert facts.module
        assert set(facts.namevars) <= facts.attributes.keys()
        for attribute in resource_types.get_attributes(name).values():
            assert attribute.words
            assert attribute.kind in ("property", "param", "metaparam")


def test_the_first_namevar_takes_the_title() -> None:
    assert [resource_types.get_facts(name).namevars[0] for name in ("file", "exec", "notify")] == [
        "path",
        "command",
        "name",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "ssh_authorized_key { 'k': user => 'ann', type => 'rsa', key => 'AAAA', options => 'from=\"a b\"' }",
        "sshkey { 'h': type => 'ed25519', key => 'AAAA', host_aliases => ['a', 'b'] }",
        "mount { '/m': ensure => present, device => '/dev/sdb1', fstype => 'ext4', atboot => true }",
        "file { '/a': mode => '00644', source => 'PUPPET:///modules/a/b' }",
        "cron { 'c': command => '/bin/true', hour => ['2-5', '*/6'], month => 'june', weekday => 'Mon' }",
        "schedule { 's': range => ['22:00 - 4:30', '2-4'], weekday => ['Tues', 0], repeat => '2' }",
        "exec { '/bin/true': timeout => '.5', environment => 'A-B=', umask => '22' }",
        "user { 'u': purge_ssh_keys => '%h/keys', password_max_age => '-1', groups => ['a b', '5x'] }",
        "tidy { '/tmp': age => '1week', size => '5MB', matches => '*.x', recurse => 2 }",
        "filebucket { 'b': path => false } resources { 'user': purge => true, unless_uid => ['0x10', 5] }",
    ],
)
def test_values_that_the_released_types_accept_are_no_errors(source: str) -> None:
    session = Session("puppet")
    assert session.run(source).error is None
    assert [*find_apply_errors(session.catalog())] == []
