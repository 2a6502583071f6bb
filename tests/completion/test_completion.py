"""Completion depends on the code before the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import Session
from tests.files import write_files

CELLS = (
    "$port = 80",
    "$ports = { 'http' => 80, 'nested' => { 'deep' => 1 } }",
    "$secret = Sensitive('hunter2')",
    "$odd = { \"it's\" => 1, 'a' => 2, 'b\"c' => 3 }",
    "class ntp::server(String $srv = 'a') { $inner = 1 }",
    "class base { $x = 1 }",
    "define app::vhost(Integer $port, $docroot = '/', Enum['fast', 'slow'] $mode = 'fast', Boolean $enable = true) { }",
    "function my::twice($x) { $x * 2 }",
    "type My::Port = Integer[1, 65535]",
    "include base",
    "file { '/etc/motd': }",
)


@pytest.fixture(scope="module")
def session() -> Session:
    """Return a session with names of every kind."""
    session = Session(interactive=True)
    for source in CELLS:
        assert session.run(source).error is None
    return session


def complete_text(session: Session, text: str) -> set[str]:
    """Return the completions at the end of a text; each begins with the text that it replaces."""
    completion = session.complete(text, len(text))
    assert all(item.text.startswith(text[completion.start : completion.end]) for item in completion.items)
    return {item.text for item in completion.items}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$po", {"$port", "$ports"}),
        ("$::por", {"$::port", "$::ports"}),
        ("$base::x", {"$base::x"}),
        ('"a ${po', {"port", "ports"}),
        ('"a $por', {"$port", "$ports"}),
        ("'$po", set()),
        ("# $po", set()),
        ("$ports['h", {"http"}),
        ("$ports['nested']['", {"deep"}),
        ("\"${facts['os']['fam", {"family"}),
        ("notic", {"notice"}),
        ("[1].reduc", {"reduce"}),
        ("my::", {"my::twice"}),
        ("class { 'nt", {"ntp::server"}),
        ("include ba", {"base"}),
        ("class x inherits ba", {"base"}),
        ("file { '/x': own", {"owner"}),
        ("file { '/x':\n  ensure => file,\n  gro", {"group"}),
        ("file { '/x': owner => 1, own", set()),
        ("file { '/x': ensure => file; '/y': own", {"owner"}),
        ("@file { '/x': own", {"owner"}),
        ("File { own", {"owner"}),
        ("File['/etc/motd'] { own", {"owner"}),
        ("service { 'x': ensure => 'run", {"running"}),
        ("class { 'ntp::server': sr", {"srv"}),
        ("app::vhost { 'x': doc", {"docroot"}),
        ("File['/etc", {"/etc/motd"}),
        ("My", {"My::Port"}),
        ("Integ", {"Integer"}),
        ("App", {"App::Vhost"}),
        ("class x inheri", {"inherits"}),
        ("inheri", set()),
        ("els", set()),
        ("if true { } els", {"else", "elsif"}),
        ("$ports[", {"'http'", "'nested'"}),
        ("$ports['nested'][", {"'deep'"}),
        ("$ports['nested'].key", {"keys"}),
        ("Integer[", {"default"}),
        ("Class[", {"base", "ntp::server"}),
        ("Class['", {"base", "ntp::server"}),
        ("File[", {"'/etc/motd'"}),
        ("app::vhost { 'x': mode => ", {"fast", "slow"}),
        ("app::vhost { 'x': mode => 'f", {"fast"}),
        ("app::vhost { 'x': enable => ", {"true", "false"}),
        ("5.rou", {"round"}),
        ("'a'.rou", set()),
        ("$port.rou", {"round"}),
        ("$ports.rou", set()),
        ("['a'].joi", {"join"}),
        ("Integer[1, 3].redu", {"reduce"}),
        ("$a[0].camelc", {"camelcase"}),
        ("$list.each |$element| { $elem", {"$element"}),
    ],
)
def test_these_completions_are_offered_and_no_others(session: Session, text: str, expected: set[str]) -> None:
    assert complete_text(session, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("file { '/x': ", {"ensure", "owner", "require"}),
        ("file { '/x': ensure => ", {"file", "absent", "directory", "link", "present"}),
        ("app::vhost { 'x': ", {"port", "docroot", "require"}),
        ("i", {"if", "include", "inline_epp"}),
        ("$port i", {"if", "in"}),
        ("$port an", {"and", "any"}),
        ("Array[", {"Integer", "My::Port", "String"}),
        ("'abc'.", {"upcase", "length", "split", "notice"}),
        ("[1].", {"map", "each", "join"}),
        ("Type[", {"Integer"}),
        ("file { '/x': ensure => dir", {"directory", "dirname"}),
        ("if true { no", {"notice", "notify", "node"}),
        ("F", {"Float", "File"}),
    ],
)
def test_these_completions_are_offered_with_others(session: Session, text: str, expected: set[str]) -> None:
    assert expected <= complete_text(session, text)


PROGRAM = """
class web(Integer $port = 80) inherits base {
  if $port > 1024 and $ports['http'] =~ Integer { include ntp::server } else { notice("port ${port}") }
  file { "/etc/${port}": ensure => file, mode => '0644', require => File['/etc/motd'] }
  $list = [1, 2].map |$n| { $n * 2 }
  case $x { /a/, default: { fail('no') } }
  app::vhost { 'x': port => 1, mode => fast }
  $odd['it']
}
"""


@pytest.mark.parametrize("cursor", range(1, len(PROGRAM), 3))
def test_no_completion_makes_code_invalid(session: Session, cursor: int) -> None:
    head = PROGRAM[:cursor]
    completion = session.complete(head, cursor)
    if session.status(head).kind == "invalid" or session.status(head[: completion.start]).kind == "invalid":
        return
    for item in [*completion.items[:40], *completion.items[-10:]]:
        assert session.status(head[: completion.start] + item.text).kind != "invalid", item.text


def test_keys_with_the_quote_of_the_string_are_not_offered(session: Session) -> None:
    assert complete_text(session, "$odd['") == {"a", 'b"c'}
    assert complete_text(session, '$odd["') == {"a", "it's"}
    assert complete_text(session, "$odd[") == {"'a'", "'b\"c'"}


def test_names_of_the_module_path_are_offered_and_not_loaded(tmp_path: Path) -> None:
    files = {
        "manifests/init.pp": "class shop($size) { }",
        "manifests/stock.pp": "class shop::stock(Boolean $full = true) { }",
        "manifests/shelf.pp": "define shop::shelf($length) { }",
        "functions/price.pp": "function shop::price($x) { $x }",
        "types/coin.pp": "type Shop::Coin = Integer",
    }
    write_files(tmp_path / "shop", files)
    session = Session(modulepath=[str(tmp_path)], interactive=True)
    before = dict(session.runtime.state.definitions.classes)
    assert complete_text(session, "include sh") == {"shop"}
    assert complete_text(session, "include shop::") == {"shop::stock"}
    assert complete_text(session, "class { 'shop::") == {"shop::stock"}
    assert complete_text(session, "shop::") == {"shop::shelf", "shop::price"}
    assert complete_text(session, "Shop::C") == {"Shop::Coin"}
    assert complete_text(session, "class { 'shop::stock': fu") == {"full"}
    assert complete_text(session, "class { 'shop::stock': full => t") >= {"true"}
    assert complete_text(session, "shop::shelf { 'a': len") == {"length"}
    assert session.inspect("shop::price", 3).signatures == ("function shop::price($x)",)
    assert session.inspect("Shop::Coin", 3).signatures == ("type Shop::Coin = Integer",)
    assert session.runtime.state.definitions.classes == before


def test_the_table_of_methods_is_up_to_date() -> None:
    import evaluator.assistance.words.methods as written
    from tests.completion.method_table import compute_table

    assert {kind: names.split() for kind, names in written.METHODS.items()} == compute_table()


def test_only_code_before_the_cursor_is_replaced(session: Session) -> None:
    completion = session.complete("$po + 1", 3)
    assert (completion.start, completion.end, [item.text for item in completion.items]) == (
        0,
        3,
        ["$port", "$ports"],
    )


def test_a_completion_has_a_kind_and_a_description(session: Session) -> None:
    completions = {item.text: (item.kind, item.words) for item in session.complete("$por", 4).items}
    assert completions == {"$port": ("variable", "80"), "$ports": ("variable", "Hash, 2 elements")}
    (item,) = session.complete("camelc", 6).items
    assert (item.kind, item.words.partition("(")[0]) == ("function", "camelcase")


def test_a_completion_hides_sensitive_values(session: Session) -> None:
    (item,) = session.complete("$secre", 6).items
    assert "hunter2" not in item.words


def test_completion_does_not_change_the_session(session: Session) -> None:
    before = session.catalog().summary(), dict(session.runtime.state.top.variables)
    for text in ("$x = 1 notify { 'new': mess", "include ntp::ser", "fail('x') $po"):
        session.complete(text, len(text))
    assert (session.catalog().summary(), dict(session.runtime.state.top.variables)) == before


@given(st.text(alphabet="$abF:{}[]()'\"|.,=>@#\\ \n1${", max_size=40), st.data())
def test_completion_and_inspection_never_fail(session: Session, text: str, data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(text)))
    completion = session.complete(text, cursor)
    assert 0 <= completion.start <= completion.end <= cursor
    session.inspect(text, cursor)
