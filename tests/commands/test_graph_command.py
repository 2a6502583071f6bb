"""`%graph` with each of its options."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from puppet_kernel.rendering.elements import Graph, NoteElement
from puppet_kernel.rendering.graphs.catalog_graph import MOST_BOXES
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell

WEB = """\
class web {
  package { 'nginx': }
  file { '/etc/nginx.conf': require => Package['nginx'], notify => Service['nginx'] }
  file { '/var/log/x y': }
  service { 'nginx': require => Package['nginx'] }
}
include web
user { 'www': before => Class['web'] }
notify { 'done': require => Service['nginx'] }
notify { 'apart': }
"""
LARGE = """\
define site($n) {
  file { "/srv/${title}": } -> file { "/srv/${title}/conf": } ~> service { $title: }
}
class sites { Integer[1, 60].each |$n| { site { "s${n}": n => $n } } }
class small { notify { ['a', 'b']: } }
class loose { Integer[1, 30].each |$n| { notify { "n${n}": } } }
include sites, small, loose
Class['small'] -> Class['sites']
"""


def asked(line: str, source: str = WEB) -> Reply:
    shell = Shell({"dialect": "puppet"})
    reply = shell.submit(source)
    assert reply.error is None, reply.error
    return shell.submit(line)


def drawn(line: str, source: str = WEB) -> Graph:
    reply = asked(line, source)
    assert reply.error is None, reply.error
    assert isinstance(reply.element, Graph)
    return reply.element


def edges(graph: Graph) -> list[str]:
    return [f"{source} → {target}" for source, target, _, _ in graph.edges]


def test_what_follows_from_others_is_left_out_and_told() -> None:
    graph = drawn("%graph")
    assert "Package[nginx] → Service[nginx]" not in edges(graph)
    assert [edge[:2] for edge in graph.implied] == [("Package[nginx]", "Service[nginx]")]
    assert graph.remarks[-1].text == "1 relationship follows from others and is not drawn"
    assert "follows from others" in render_plain(
        graph
    ) and "require, line 5, follows from others" in render_html(graph)


@pytest.mark.parametrize("reference", ["Class[web]", "Class['web']", "class[Web]"])
def test_a_container_with_what_is_in_it_and_next_to_it(reference: str) -> None:
    assert set(drawn(f"%graph {reference}").nodes) == {
        *("Class[Web]", "Package[nginx]", "File[/etc/nginx.conf]", "File[/var/log/x y]", "Service[nginx]"),
        *("User[www]", "Notify[done]"),
    }


def test_a_resource_with_its_neighbours() -> None:
    assert set(drawn("%graph Service[nginx]").nodes) == {
        *("Class[Web]", "File[/etc/nginx.conf]", "Service[nginx]", "Notify[done]"),
    }
    assert drawn("%graph File[/var/log/x y]").nodes == ["Class[Web]", "File[/var/log/x y]"]


def test_around() -> None:
    near = drawn("%graph --around Notify['done'] --depth 2")
    assert "File[/etc/nginx.conf]" in near.nodes and "Package[nginx]" not in near.nodes
    assert "Package[nginx]" in drawn("%graph --around Notify['done'] --depth 3").nodes


@pytest.mark.parametrize("line", ["--path Package[nginx] Notify[done]", "Package[nginx] -> Notify['done']"])
def test_a_path(line: str) -> None:
    assert set(edges(drawn(f"%graph {line}"))) == {
        "Package[nginx] → File[/etc/nginx.conf]",
        "File[/etc/nginx.conf] → Service[nginx]",
        "Service[nginx] → Notify[done]",
    }


def test_a_path_that_leads_through_a_container() -> None:
    assert "User[www] → Class[Web]" in edges(drawn("%graph --path User[www] Notify[done]"))


def test_no_path() -> None:
    reply = asked("%graph --path Notify[done] Package[nginx]")
    assert reply.error is not None
    assert str(reply.error.help) == "Notify[done] waits for Package[nginx]"
    reply = asked("%graph --path Notify[apart] Package[nginx]")
    assert reply.error is not None and reply.error.help == "neither waits for the other"


def test_changed() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.submit(WEB)
    shell.submit("file { '/new': require => Package['nginx'] }")
    graph = shell.submit("%graph --changed").element
    assert isinstance(graph, Graph)
    assert graph.added == {"File[/new]"}
    assert {"File[/new]", "Package[nginx]"} <= set(graph.nodes) and "Notify[apart]" not in graph.nodes
    shell.submit("1 + 1")
    told = shell.submit("%graph --changed").element
    assert isinstance(told, NoteElement) and told.text == "The last cell changed nothing in the catalog."


def test_large_catalogs_fold() -> None:
    graph = drawn("%graph", LARGE)
    assert 3 <= len(graph.nodes) <= MOST_BOXES
    assert "Class[Small]" in graph.nodes and "Notify[a]" in graph.nodes
    assert "`%graph --all` draws all 275 resources" in graph.remarks[0].text
    hidden = sum(
        int(words.split()[0])
        for counts in graph.counts.values()
        for words in counts.split(", ")
        if words[0].isdigit()
    )
    assert hidden > 0
    assert len(drawn("%graph --all", LARGE).nodes) == 275


def test_every_hidden_resource_is_counted_once() -> None:
    graph = drawn("%graph", LARGE)
    whole = drawn("%graph --all", LARGE)
    told = [graph.titles[name] if " × " in name else words for name, words in graph.counts.items()]
    hidden = sum(int(part.split()[0]) for words in told for part in words.split(", "))
    seen = [name for name in graph.nodes if " × " not in name]
    assert len(seen) + hidden == len(whole.nodes)


def test_what_is_folded_opens_by_its_reference() -> None:
    graph = drawn("%graph Class[sites]", LARGE)
    assert len(graph.nodes) <= MOST_BOXES and "Site[s1]" in graph.nodes
    assert "File[/srv/s44/conf]" in drawn("%graph Site[s44]", LARGE).nodes


def test_the_text_folds_the_same_way() -> None:
    told = render_plain(drawn("%graph", LARGE))
    assert told.count("\n") < 2 * MOST_BOXES + 10
    assert "`%graph --all` draws all 275 resources" in told


@pytest.mark.parametrize("count", [41, 60, 500])
def test_a_flat_catalog_folds_into_stacks(count: int) -> None:
    graph = drawn("%graph", f"Integer[1, {count}].each |$n| {{ notify {{ \"n${{n}}\": }} }} file {{ '/a': }}")
    assert len(graph.nodes) == MOST_BOXES
    assert f"Notify × {count - MOST_BOXES + 2} more" in graph.nodes


def test_many_types_fold_too() -> None:
    defines = "".join(
        f"define t{n} {{ notify {{ $title: }} }} t{n} {{ ['{n}a', '{n}b']: }}\n" for n in range(60)
    )
    graph = drawn("%graph", defines)
    assert len(graph.nodes) <= MOST_BOXES
    assert len(drawn("%graph --all", defines).nodes) == 240


def test_cycles_are_told_with_a_way_out() -> None:
    source = "notify { 'a': require => Notify['b'] }\nnotify { 'b': }\nNotify['a'] -> Notify['b']"
    graph = drawn("%graph", source)
    assert graph.cycles == [["Notify[a]", "Notify[b]"]]
    assert "remedy: without Notify[a] → Notify[b] (->, line 3) there is no such cycle" in render_plain(graph)
    assert "remedy" in render_html(graph) and "dependency cycle" in render_html(graph)


def test_a_cycle_deep_in_a_large_catalog_is_seen() -> None:
    graph = drawn("%graph", LARGE + "Service['s50'] -> File['/srv/s50']")
    assert {"Service[s50]", "File[/srv/s50]", "File[/srv/s50/conf]"} <= set(graph.nodes)


def test_stages() -> None:
    source = """\
stage { 'pre': before => Stage['main'] }
class repos { notify { 'r': } }
class base { notify { 'b': } }
class { 'repos': stage => 'pre' }
include base
notify { 'top': }
"""
    graph = drawn("%graph", source)
    assert "Stage[pre] → Stage[main]" in edges(graph)
    assert graph.inside["Class[Base]"] == graph.inside["Notify[top]"] == "Stage[main]"
    assert "Stage[main]" in render_html(graph)
    assert "Stage[main]" not in drawn("%graph").nodes


def test_autorequires() -> None:
    source = """\
file { ['/a', '/a/b/c']: ensure => file, owner => 'me' }
user { 'me': gid => 'us' }
group { 'us': }
exec { '/a/b/c --run': }
"""
    assert edges(drawn("%graph", source)) == []
    assert set(edges(drawn("%graph --auto", source))) == {
        *("User[me] → File[/a]", "User[me] → File[/a/b/c]", "File[/a] → File[/a/b/c]"),
        *("Group[us] → User[me]", "File[/a/b/c] → Exec[/a/b/c --run]"),
    }


def test_the_order_of_application() -> None:
    graph = drawn("%graph --order")
    assert graph.labels["Notify[done]"] == f"{graph.numbers['Notify[done]']}. Notify[done]"
    assert ". Notify[done]" in render_plain(graph)


def test_dot_and_mermaid() -> None:
    told = render_plain(asked("%graph --dot").element)  # type: ignore[arg-type]
    assert told.startswith("digraph resources {") and 'label="Class[Web]"' in told and "style=dashed" in told
    told = render_plain(asked("%graph --mermaid --path Package[nginx] Service[nginx]").element)  # type: ignore[arg-type]
    assert told.startswith("flowchart TB") and "subgraph" in told and '-.->|"notify, line 3"|' in told


def test_texts_for_other_tools_are_escaped() -> None:
    source = "notify { 'a\"]; b': }\nnotify { 'c': require => Notify['a\"]; b'] }"
    assert '\\"]; b' in render_plain(asked("%graph --dot", source).element)  # type: ignore[arg-type]
    assert '"]' not in render_plain(asked("%graph --mermaid", source).element).replace('"]\n', "\n")  # type: ignore[arg-type]


def test_a_picture_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    assert render_plain(asked("%graph --svg sub/web.svg").element).startswith("sub/web.svg is written")  # type: ignore[arg-type]
    assert ElementTree.parse(tmp_path / "sub" / "web.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    "path", ["../out.svg", "/tmp/out.svg", "link/out.svg", "out.txt", ".svg/../..", "none/a.svg"]
)
def test_pictures_are_written_below_the_working_folder_only(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    monkeypatch.chdir(tmp_path / "in")
    reply = asked(f"%graph --svg {path}")
    assert reply.error is not None and reply.error.code == "COMMAND"
    assert not list(tmp_path.rglob("*.svg"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("%graph Service[ngin]", "did you mean Service[nginx]?"),
        ("%graph nonsense", "nonsense is not a reference to a resource"),
        ("%graph --arround", "did you mean --around?"),
        ("%graph --path Service[nginx]", "--path takes two references"),
        ("%graph --around", "--around takes a reference"),
        ("%graph --around Service[nginx] --depth x", "--depth takes a number, not 'x'"),
        ("%graph --depth 2", "use --depth with a reference"),
        ("%graph Service[nginx] Notify[done]", "%graph takes one reference, not 2"),
    ],
)
def test_what_cannot_be_drawn(line: str, told: str) -> None:
    reply = asked(line)
    assert reply.error is not None and reply.error.code == "COMMAND"
    assert told in render_plain(reply.element)  # type: ignore[arg-type]


def test_an_empty_catalog() -> None:
    assert render_plain(asked("%graph --all", "1").element) == "The catalog is empty."  # type: ignore[arg-type]


def test_completion_knows_options_and_resources() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.submit(WEB)
    found = [item.text for item in shell.complete("%graph --p", 10).items]
    assert found == ["--path"]
    assert "Service[nginx]" in [item.text for item in shell.complete("%graph Ser", 10).items]
