"""Completion by context: what comes before the cursor decides what is offered."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import Session

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
    """A session with something of everything."""
    made = Session(interactive=True)
    for source in CELLS:
        assert made.run(source).error is None
    return made


def offered(session: Session, text: str) -> set[str]:
    """The texts offered at the end of `text`, each of which begins as what is there."""
    found = session.complete(text, len(text))
    assert all(item.text.startswith(text[found.start : found.end]) for item in found.items)
    return {item.text for item in found.items}


@pytest.mark.parametrize(
    ("text", "all_offered"),
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
def test_exactly_this_is_offered(session: Session, text: str, all_offered: set[str]) -> None:
    assert offered(session, text) == all_offered


@pytest.mark.parametrize(
    ("text", "among"),
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
def test_this_is_among_what_is_offered(session: Session, text: str, among: set[str]) -> None:
    assert among <= offered(session, text)


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
def test_what_can_be_right_stays_so(session: Session, cursor: int) -> None:
    head = PROGRAM[:cursor]
    found = session.complete(head, cursor)
    if session.status(head).kind == "invalid" or session.status(head[: found.start]).kind == "invalid":
        return
    for item in [*found.items[:40], *found.items[-10:]]:
        assert session.status(head[: found.start] + item.text).kind != "invalid", item.text


def test_keys_that_would_end_the_string_are_left_out(session: Session) -> None:
    assert offered(session, "$odd['") == {"a", 'b"c'}
    assert offered(session, '$odd["') == {"a", "it's"}
    assert offered(session, "$odd[") == {"'a'", "'b\"c'"}


def test_the_module_path_is_offered_and_not_loaded(tmp_path: Path) -> None:
    files = {
        "manifests/init.pp": "class shop($size) { }",
        "manifests/stock.pp": "class shop::stock(Boolean $full = true) { }",
        "manifests/shelf.pp": "define shop::shelf($length) { }",
        "functions/price.pp": "function shop::price($x) { $x }",
        "types/coin.pp": "type Shop::Coin = Integer",
    }
    for name, text in files.items():
        path = tmp_path / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    session = Session(modulepath=[str(tmp_path)], interactive=True)
    before = dict(session.runtime.state.definitions.classes)
    assert offered(session, "include sh") == {"shop"}
    assert offered(session, "include shop::") == {"shop::stock"}
    assert offered(session, "class { 'shop::") == {"shop::stock"}
    assert offered(session, "shop::") == {"shop::shelf", "shop::price"}
    assert offered(session, "Shop::C") == {"Shop::Coin"}
    assert offered(session, "class { 'shop::stock': fu") == {"full"}
    assert offered(session, "class { 'shop::stock': full => t") >= {"true"}
    assert offered(session, "shop::shelf { 'a': len") == {"length"}
    assert session.inspect("shop::price", 3).signatures == ("function shop::price($x)",)
    assert session.inspect("Shop::Coin", 3).signatures == ("type Shop::Coin = Integer",)
    assert session.runtime.state.definitions.classes == before


def test_the_table_of_methods_is_fresh() -> None:
    import evaluator.assistance.words.methods as written
    from tests.completion.method_table import compute_table

    assert {kind: names.split() for kind, names in written.METHODS.items()} == compute_table()


def test_only_the_part_before_the_cursor_counts(session: Session) -> None:
    found = session.complete("$po + 1", 3)
    assert (found.start, found.end, [item.text for item in found.items]) == (0, 3, ["$port", "$ports"])


def test_kinds_and_words(session: Session) -> None:
    told = {item.text: (item.kind, item.words) for item in session.complete("$por", 4).items}
    assert told == {"$port": ("variable", "80"), "$ports": ("variable", "Hash, 2 elements")}
    (item,) = session.complete("camelc", 6).items
    assert (item.kind, item.words.partition("(")[0]) == ("function", "camelcase")


def test_sensitive_is_not_told(session: Session) -> None:
    (item,) = session.complete("$secre", 6).items
    assert "hunter2" not in item.words


def test_nothing_changes(session: Session) -> None:
    before = session.catalog().summary(), dict(session.runtime.state.top.variables)
    for text in ("$x = 1 notify { 'new': mess", "include ntp::ser", "fail('x') $po"):
        session.complete(text, len(text))
    assert (session.catalog().summary(), dict(session.runtime.state.top.variables)) == before


@given(st.text(alphabet="$abF:{}[]()'\"|.,=>@#\\ \n1${", max_size=40), st.data())
def test_it_never_fails(session: Session, text: str, data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(text)))
    found = session.complete(text, cursor)
    assert 0 <= found.start <= found.end <= cursor
    session.inspect(text, cursor)
