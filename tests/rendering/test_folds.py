"""Many resources fold by class and type, what is new stays open; arrays of like hashes are tables."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_kernel.rendering.catalogs import MOST_UNFOLDED
from puppet_kernel.rendering.elements import Element, Fold, Table, TextElement, make_line
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.markdown import render_markdown
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

CLASSES = """
class big { Integer[1, 30].each |$n| { file { "/srv/${n}": } } package { ['a', 'b']: } }
class small { service { 'x': ensure => running } }
"""
USES = "include big, small\nnotify { 'top': }"
MANY = CLASSES + USES


def drawn(*cells: str) -> Element:
    """Return the output of the last of these cells."""
    desk = Shell({})
    shown = [desk.submit(source, f"cell {number}", number) for number, source in enumerate(cells)][-1].element
    assert shown is not None
    return shown


def test_a_fold_shows_what_is_inside_when_it_is_open() -> None:
    inside = TextElement(make_line("a"), make_line("b"))
    assert render_plain(Fold(make_line("c"), inside, open=True)) == "▾ c\n  a\n  b"
    assert render_plain(Fold(make_line("c"), inside)) == "▸ c"
    assert "<details open" in render_html(Fold(make_line("c"), inside, open=True))
    closed = render_html(Fold(make_line("<c>"), inside))
    assert "<details>" in closed and "&lt;c&gt;" in closed and ">a\nb<" in closed
    assert render_markdown(Fold(make_line("c"), inside, open=True)) == "```\n▾ c\n  a\n  b\n```"


def test_what_a_cell_adds_folds_by_class_and_type_with_counts() -> None:
    text = render_plain(drawn(MANY))
    assert "▾ + outside of classes  2 Class, 1 Notify\n  + class { 'big': }\n" in text
    assert "▸ + Class[Big]  30 File, 2 Package\n" in text
    assert "▾ + Class[Small]  1 Service\n  + service { 'x':\n" in text
    assert "+ file {" not in text
    assert "%catalog TEXT" in text


def test_all_that_is_folded_can_be_opened_on_a_page() -> None:
    shown = render_html(drawn(MANY))
    assert all(f"&#x27;/srv/{n}&#x27;" in shown or f"'/srv/{n}'" in shown for n in range(1, 31))


def test_what_is_removed_folds_too() -> None:
    text = render_plain(drawn(CLASSES + f"if $trusted['certname'] != 'web1' {{ {USES} }}", "%node web1"))
    assert "▸ - Class[Big]  30 File, 2 Package" in text and "- file" not in text


def test_a_catalog_shows_what_is_new_and_counts_the_rest() -> None:
    text = render_plain(drawn(MANY, "notify { 'new': message => 'x' }", "%catalog"))
    assert "▾ outside of classes  2 Class, 2 Notify\n  notify { 'new':\n    message => 'x',\n  }\n" in text
    assert "  ▸ Class  2\n  ▸ Notify  1\n" in text
    assert "▸ Class[Big]  30 File, 2 Package\n▸ Class[Small]  1 Service\n" in text


@pytest.mark.parametrize(
    ("command", "there", "missing"),
    [
        ("%catalog Class[small]", "service { 'x':", "file {"),
        ("%catalog Class['small']", "class { 'small': }", "file {"),
        ("%catalog /srv/30", "file { '/srv/30': }", "'/srv/3': }"),
        ("%catalog NOTIFY", "notify { 'top': }", "file {"),
        ("%catalog --all", "file { '/srv/30': }", "▸"),
    ],
)
def test_a_catalog_is_looked_through(command: str, there: str, missing: str) -> None:
    text = render_plain(drawn(MANY, command))
    assert there in text and missing not in text


def test_few_resources_are_shown_one_after_the_other() -> None:
    text = render_plain(drawn('Integer[1, 20].each |$n| { notify { "${n}": } }', "%catalog"))
    assert text.count("notify { ") == MOST_UNFOLDED and "▸" not in text


def test_the_catalog_completes_with_what_it_holds() -> None:
    desk = Shell({})
    desk.submit(MANY)
    found = desk.complete("%catalog Class[B", 16)
    assert [item.text for item in found.items] == ["Class[Big]"]


# --- arrays of like hashes

SERVERS = (
    "Integer[1, 3].map |$n| { { 'name' => \"server number ${n}\", 'port' => 80 + $n, 'tags' => ['a', 'b'] } }"
)


def test_an_array_of_like_hashes_is_a_table() -> None:
    shown = drawn(SERVERS)
    assert render_plain(shown) == (
        "name               port  tags\n"
        "'server number 1'  81    ['a', 'b']\n"
        "'server number 2'  82    ['a', 'b']\n"
        "'server number 3'  83    ['a', 'b']\n"
        "Array[Hash[String[4, 4], Data]], 3 rows"
    )
    page = render_html(shown)
    assert "<th" in page and "as source code" in page and page.count("server number 3") == 2


@pytest.mark.parametrize(
    "source",
    [
        "[{ 'a' => 1 }, { 'a' => 2 }]",  # fits on a line
        f"[{{ 'a' => '{'x' * 60}' }}]",
        f"[{{ 'a' => '{'x' * 60}' }}, {{ 'b' => '{'y' * 60}' }}]",
        f"[{{ 'a' => '{'x' * 60}' }}, 1]",
        f"[{{ 'a' => '{'x' * 120}' }}, {{ 'a' => 1 }}]",
        f"[{{ 1 => '{'x' * 60}' }}, {{ 1 => '{'y' * 60}' }}]",
        f"[{{ 'a' => '{'x' * 50}', 'b' => '{'y' * 55}' }}, {{ 'a' => 1, 'b' => 2 }}]",
    ],
)
def test_other_values_stay_as_they_are_written(source: str) -> None:
    assert not _holds_table(drawn(source))


def _holds_table(element: Any) -> bool:
    return isinstance(element, Table) or any(map(_holds_table, getattr(element, "children", ())))


def test_rows_that_are_left_out_are_counted() -> None:
    text = render_plain(drawn("Integer[1, 1000].map |$n| { { 'number' => $n, 'even' => $n % 2 == 0 } }"))
    assert "… 800 more rows" in text and text.count("\n") == 202


def test_a_type_never_takes_the_room_of_its_value() -> None:
    shown = render_html(drawn('Integer[1, 40].map |$n| { "value number ${n}" }'))
    assert "max-width:100%" in shown and "float:right" in shown


@pytest.mark.parametrize(
    "source",
    [
        "Struct[{ 'host' => String[1], Optional['port'] => Integer[1, 65535], 'x' => Array[Enum['a, b', 'c]', 'd']] }]",
        "Enum[" + ", ".join(f"'name {n}'" for n in range(40)) + "]",
        "[{ 'a' => Variant[Pattern[/a,b[c]/], Enum['" + "x" * 50 + "', '" + "y" * 50 + "']] }]",
        "Callable[[String[1, 100], Integer[0, 65535], Optional[Hash[String[1], Array[Integer[0, 10]]]]], Boolean]",
    ],
)
def test_a_wide_type_is_folded_and_reads_back(source: str) -> None:
    desk = Shell({})
    shown = desk.submit(source).element
    assert shown is not None
    text = render_plain(shown)
    assert "\n" in text and all(len(row) <= 100 for row in text.split("\n"))
    same = desk.submit(f"({source}) == ({text})").element
    assert same is not None and render_plain(same) == "true"


def test_a_long_type_beside_a_value_is_told_by_its_name() -> None:
    shown = render_html(
        drawn("{ 'a' => 1, 'b' => 'x', 'c' => Integer[1, 2], 'd' => [1, 'a', true], 'e' => 1.5 }")
    )
    assert "…</span>" not in shown


# --- facts


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rel", "os.release  {'full' => '12', 'major' => '12'}"),
        ("192.0", "networking.ip  '192.0.2.10'\nipaddress      '192.0.2.10'"),
        ("FAMILY", "os.family  'Debian'\nosfamily   'Debian'"),
    ],
)
def test_facts_are_looked_through(text: str, shown: str) -> None:
    assert render_plain(drawn(f"%facts {text}")) == shown
