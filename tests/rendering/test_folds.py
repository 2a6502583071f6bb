"""Many resources are folded by class and type, and arrays of similar hashes are tables."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_kernel.rendering.catalogs import MOST_UNFOLDED
from puppet_kernel.rendering.elements import Element, Fold, Table, TextElement, make_line
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.markdown import render_markdown
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

CLASS_DEFINITIONS = """
class big { Integer[1, 30].each |$n| { file { "/srv/${n}": } } package { ['a', 'b']: } }
class small { service { 'x': ensure => running } }
"""
DECLARATIONS = "include big, small\nnotify { 'top': }"
MANY_RESOURCES = CLASS_DEFINITIONS + DECLARATIONS


def run_cells(*cells: str) -> Element:
    """Return the output of the last of these cells."""
    shell = Shell({})
    replies = [shell.submit(source, f"cell {number}", number) for number, source in enumerate(cells)]
    assert replies[-1].element is not None
    return replies[-1].element


def test_a_fold_shows_its_content_when_it_is_open() -> None:
    inside = TextElement(make_line("a"), make_line("b"))
    assert render_plain(Fold(make_line("c"), inside, open=True)) == "▾ c\n  a\n  b"
    assert render_plain(Fold(make_line("c"), inside)) == "▸ c"
    assert "<details open" in render_html(Fold(make_line("c"), inside, open=True))
    closed = render_html(Fold(make_line("<c>"), inside))
    assert "<details>" in closed and "&lt;c&gt;" in closed and ">a\nb<" in closed
    assert render_markdown(Fold(make_line("c"), inside, open=True)) == "```\n▾ c\n  a\n  b\n```"


def test_added_resources_are_folded_by_class_and_type_with_counts() -> None:
    text = render_plain(run_cells(MANY_RESOURCES))
    assert "▾ + outside of classes  2 Class, 1 Notify\n  + class { 'big': }\n" in text
    assert "▸ + Class[Big]  30 File, 2 Package\n" in text
    assert "▾ + Class[Small]  1 Service\n  + service { 'x':\n" in text
    assert "+ file {" not in text
    assert "%catalog TEXT" in text


def test_html_contains_all_folded_resources() -> None:
    page = render_html(run_cells(MANY_RESOURCES))
    assert all(f"&#x27;/srv/{n}&#x27;" in page or f"'/srv/{n}'" in page for n in range(1, 31))


def test_removed_resources_are_folded() -> None:
    text = render_plain(
        run_cells(CLASS_DEFINITIONS + f"if $trusted['certname'] != 'web1' {{ {DECLARATIONS} }}", "%node web1")
    )
    assert "▸ - Class[Big]  30 File, 2 Package" in text and "- file" not in text


def test_a_catalog_shows_new_resources_and_counts_the_others() -> None:
    text = render_plain(run_cells(MANY_RESOURCES, "notify { 'new': message => 'x' }", "%catalog"))
    assert "▾ outside of classes  2 Class, 2 Notify\n  notify { 'new':\n    message => 'x',\n  }\n" in text
    assert "  ▸ Class  2\n  ▸ Notify  1\n" in text
    assert "▸ Class[Big]  30 File, 2 Package\n▸ Class[Small]  1 Service\n" in text


@pytest.mark.parametrize(
    ("command", "expected", "missing"),
    [
        ("%catalog Class[small]", "service { 'x':", "file {"),
        ("%catalog Class['small']", "class { 'small': }", "file {"),
        ("%catalog /srv/30", "file { '/srv/30': }", "'/srv/3': }"),
        ("%catalog NOTIFY", "notify { 'top': }", "file {"),
        ("%catalog --all", "file { '/srv/30': }", "▸"),
    ],
)
def test_the_catalog_command_selects_resources(command: str, expected: str, missing: str) -> None:
    text = render_plain(run_cells(MANY_RESOURCES, command))
    assert expected in text and missing not in text


def test_few_resources_are_not_folded() -> None:
    text = render_plain(run_cells('Integer[1, 20].each |$n| { notify { "${n}": } }', "%catalog"))
    assert text.count("notify { ") == MOST_UNFOLDED and "▸" not in text


def test_the_catalog_command_completes_its_containers() -> None:
    shell = Shell({})
    shell.submit(MANY_RESOURCES)
    completion = shell.complete("%catalog Class[B", 16)
    assert [item.text for item in completion.items] == ["Class[Big]"]


SERVERS = (
    "Integer[1, 3].map |$n| { { 'name' => \"server number ${n}\", 'port' => 80 + $n, 'tags' => ['a', 'b'] } }"
)


def test_an_array_of_similar_hashes_is_a_table() -> None:
    element = run_cells(SERVERS)
    assert render_plain(element) == (
        "name               port  tags\n"
        "'server number 1'  81    ['a', 'b']\n"
        "'server number 2'  82    ['a', 'b']\n"
        "'server number 3'  83    ['a', 'b']\n"
        "Array[Hash[String[4, 4], Data]], 3 rows"
    )
    page = render_html(element)
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
def test_other_values_are_not_tables(source: str) -> None:
    assert not has_table(run_cells(source))


def has_table(element: Any) -> bool:
    """Return whether an element is a table or contains one."""
    return isinstance(element, Table) or any(map(has_table, getattr(element, "children", ())))


def test_omitted_rows_are_counted() -> None:
    text = render_plain(run_cells("Integer[1, 1000].map |$n| { { 'number' => $n, 'even' => $n % 2 == 0 } }"))
    assert "… 800 more rows" in text and text.count("\n") == 202


def test_a_type_does_not_narrow_its_value() -> None:
    page = render_html(run_cells('Integer[1, 40].map |$n| { "value number ${n}" }'))
    assert "max-width:100%" in page and "float:right" in page


@pytest.mark.parametrize(
    "source",
    [
        "Struct[{ 'host' => String[1], Optional['port'] => Integer[1, 65535], 'x' => Array[Enum['a, b', 'c]', 'd']] }]",
        "Enum[" + ", ".join(f"'name {n}'" for n in range(40)) + "]",
        "[{ 'a' => Variant[Pattern[/a,b[c]/], Enum['" + "x" * 50 + "', '" + "y" * 50 + "']] }]",
        "Callable[[String[1, 100], Integer[0, 65535], Optional[Hash[String[1], Array[Integer[0, 10]]]]], Boolean]",
    ],
)
def test_a_wide_type_is_wrapped_and_evaluates_to_itself(source: str) -> None:
    shell = Shell({})
    element = shell.submit(source).element
    assert element is not None
    text = render_plain(element)
    assert "\n" in text and all(len(row) <= 100 for row in text.split("\n"))
    comparison = shell.submit(f"({source}) == ({text})").element
    assert comparison is not None and render_plain(comparison) == "true"


def test_a_long_type_beside_a_value_is_shortened_to_its_name() -> None:
    page = render_html(
        run_cells("{ 'a' => 1, 'b' => 'x', 'c' => Integer[1, 2], 'd' => [1, 'a', true], 'e' => 1.5 }")
    )
    assert "…</span>" not in page


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rel", "os.release  {'full' => '12', 'major' => '12'}"),
        ("192.0", "networking.ip  '192.0.2.10'\nipaddress      '192.0.2.10'"),
        ("FAMILY", "os.family  'Debian'\nosfamily   'Debian'"),
    ],
)
def test_the_facts_command_selects_facts(text: str, expected: str) -> None:
    assert render_plain(run_cells(f"%facts {text}")) == expected
