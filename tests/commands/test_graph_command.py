"""`%graph` and each of its options."""

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


def run_command(line: str, source: str = WEB) -> Reply:
    """Return the reply to a command after a program."""
    shell = Shell({"dialect": "puppet"})
    reply = shell.submit(source)
    assert reply.error is None, reply.error
    return shell.submit(line)


def draw_graph(line: str, source: str = WEB) -> Graph:
    """Return the graph that a command draws after a program."""
    reply = run_command(line, source)
    assert reply.error is None, reply.error
    assert isinstance(reply.element, Graph)
    return reply.element


def list_edges(graph: Graph) -> list[str]:
    """Return the relationships of a graph as text."""
    return [f"{source} → {target}" for source, target, _, _ in graph.edges]


def test_implied_relationships_are_omitted_and_counted() -> None:
    graph = draw_graph("%graph")
    assert "Package[nginx] → Service[nginx]" not in list_edges(graph)
    assert [edge[:2] for edge in graph.implied] == [("Package[nginx]", "Service[nginx]")]
    assert graph.remarks[-1].text == "1 relationship follows from others and is not drawn"
    assert "follows from others" in render_plain(
        graph
    ) and "require, line 5, follows from others" in render_html(graph)


@pytest.mark.parametrize("reference", ["Class[web]", "Class['web']", "class[Web]"])
def test_a_container_is_drawn_with_its_content_and_neighbours(reference: str) -> None:
    assert set(draw_graph(f"%graph {reference}").nodes) == {
        *("Class[Web]", "Package[nginx]", "File[/etc/nginx.conf]", "File[/var/log/x y]", "Service[nginx]"),
        *("User[www]", "Notify[done]"),
    }


def test_a_resource_is_drawn_with_its_neighbours() -> None:
    assert set(draw_graph("%graph Service[nginx]").nodes) == {
        *("Class[Web]", "File[/etc/nginx.conf]", "Service[nginx]", "Notify[done]"),
    }
    assert draw_graph("%graph File[/var/log/x y]").nodes == ["Class[Web]", "File[/var/log/x y]"]


def test_around_draws_the_resources_up_to_a_depth() -> None:
    near = draw_graph("%graph --around Notify['done'] --depth 2")
    assert "File[/etc/nginx.conf]" in near.nodes and "Package[nginx]" not in near.nodes
    assert "Package[nginx]" in draw_graph("%graph --around Notify['done'] --depth 3").nodes


@pytest.mark.parametrize("line", ["--path Package[nginx] Notify[done]", "Package[nginx] -> Notify['done']"])
def test_a_path_between_two_resources_is_drawn(line: str) -> None:
    assert set(list_edges(draw_graph(f"%graph {line}"))) == {
        "Package[nginx] → File[/etc/nginx.conf]",
        "File[/etc/nginx.conf] → Service[nginx]",
        "Service[nginx] → Notify[done]",
    }


def test_a_path_may_lead_through_a_container() -> None:
    assert "User[www] → Class[Web]" in list_edges(draw_graph("%graph --path User[www] Notify[done]"))


def test_a_missing_path_is_reported() -> None:
    reply = run_command("%graph --path Notify[done] Package[nginx]")
    assert reply.error is not None
    assert str(reply.error.help) == "Notify[done] waits for Package[nginx]"
    reply = run_command("%graph --path Notify[apart] Package[nginx]")
    assert reply.error is not None and reply.error.help == "neither waits for the other"


def test_the_changes_of_the_last_cell_are_drawn() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.submit(WEB)
    shell.submit("file { '/new': require => Package['nginx'] }")
    graph = shell.submit("%graph --changed").element
    assert isinstance(graph, Graph)
    assert graph.added == {"File[/new]"}
    assert {"File[/new]", "Package[nginx]"} <= set(graph.nodes) and "Notify[apart]" not in graph.nodes
    shell.submit("1 + 1")
    note = shell.submit("%graph --changed").element
    assert isinstance(note, NoteElement) and note.text == "The last cell changed nothing in the catalog."


def test_a_large_catalog_is_folded() -> None:
    graph = draw_graph("%graph", LARGE)
    assert 3 <= len(graph.nodes) <= MOST_BOXES
    assert "Class[Small]" in graph.nodes and "Notify[a]" in graph.nodes
    assert "`%graph --all` draws all 275 resources" in graph.remarks[0].text
    hidden = sum(
        int(text.split()[0])
        for counts in graph.counts.values()
        for text in counts.split(", ")
        if text[0].isdigit()
    )
    assert hidden > 0
    assert len(draw_graph("%graph --all", LARGE).nodes) == 275


def test_every_hidden_resource_is_counted_once() -> None:
    graph = draw_graph("%graph", LARGE)
    complete = draw_graph("%graph --all", LARGE)
    descriptions = [
        graph.titles[name] if " × " in name else description for name, description in graph.counts.items()
    ]
    hidden = sum(int(part.split()[0]) for description in descriptions for part in description.split(", "))
    visible = [name for name in graph.nodes if " × " not in name]
    assert len(visible) + hidden == len(complete.nodes)


def test_a_folded_container_is_drawn_by_its_reference() -> None:
    graph = draw_graph("%graph Class[sites]", LARGE)
    assert len(graph.nodes) <= MOST_BOXES and "Site[s1]" in graph.nodes
    assert "File[/srv/s44/conf]" in draw_graph("%graph Site[s44]", LARGE).nodes


def test_a_large_catalog_is_folded_as_text_too() -> None:
    output = render_plain(draw_graph("%graph", LARGE))
    assert output.count("\n") < 2 * MOST_BOXES + 10
    assert "`%graph --all` draws all 275 resources" in output


@pytest.mark.parametrize("count", [41, 60, 500])
def test_a_flat_catalog_is_folded_into_stacks(count: int) -> None:
    graph = draw_graph(
        "%graph", f"Integer[1, {count}].each |$n| {{ notify {{ \"n${{n}}\": }} }} file {{ '/a': }}"
    )
    assert len(graph.nodes) == MOST_BOXES
    assert f"Notify × {count - MOST_BOXES + 2} more" in graph.nodes


def test_many_types_are_folded() -> None:
    defines = "".join(
        f"define t{n} {{ notify {{ $title: }} }} t{n} {{ ['{n}a', '{n}b']: }}\n" for n in range(60)
    )
    graph = draw_graph("%graph", defines)
    assert len(graph.nodes) <= MOST_BOXES
    assert len(draw_graph("%graph --all", defines).nodes) == 240


def test_cycles_are_reported_with_a_remedy() -> None:
    source = "notify { 'a': require => Notify['b'] }\nnotify { 'b': }\nNotify['a'] -> Notify['b']"
    graph = draw_graph("%graph", source)
    assert graph.cycles == [["Notify[a]", "Notify[b]"]]
    assert "remedy: without Notify[a] → Notify[b] (->, line 3) there is no such cycle" in render_plain(graph)
    assert "remedy" in render_html(graph) and "dependency cycle" in render_html(graph)


def test_a_cycle_inside_folded_containers_is_drawn() -> None:
    graph = draw_graph("%graph", LARGE + "Service['s50'] -> File['/srv/s50']")
    assert {"Service[s50]", "File[/srv/s50]", "File[/srv/s50/conf]"} <= set(graph.nodes)


def test_stages_are_drawn_if_there_are_several() -> None:
    source = """\
stage { 'pre': before => Stage['main'] }
class repos { notify { 'r': } }
class base { notify { 'b': } }
class { 'repos': stage => 'pre' }
include base
notify { 'top': }
"""
    graph = draw_graph("%graph", source)
    assert "Stage[pre] → Stage[main]" in list_edges(graph)
    assert graph.inside["Class[Base]"] == graph.inside["Notify[top]"] == "Stage[main]"
    assert "Stage[main]" in render_html(graph)
    assert "Stage[main]" not in draw_graph("%graph").nodes


def test_automatic_relationships_are_drawn_on_request() -> None:
    source = """\
file { ['/a', '/a/b/c']: ensure => file, owner => 'me' }
user { 'me': gid => 'us' }
group { 'us': }
exec { '/a/b/c --run': }
"""
    assert list_edges(draw_graph("%graph", source)) == []
    assert set(list_edges(draw_graph("%graph --auto", source))) == {
        *("User[me] → File[/a]", "User[me] → File[/a/b/c]", "File[/a] → File[/a/b/c]"),
        *("Group[us] → User[me]", "File[/a/b/c] → Exec[/a/b/c --run]"),
    }


def test_the_order_of_application_is_numbered() -> None:
    graph = draw_graph("%graph --order")
    assert graph.labels["Notify[done]"] == f"{graph.numbers['Notify[done]']}. Notify[done]"
    assert ". Notify[done]" in render_plain(graph)


def test_the_graph_is_exported_as_dot_and_mermaid() -> None:
    output = render_plain(run_command("%graph --dot").element)  # type: ignore[arg-type]
    assert output.startswith("digraph resources {")
    assert 'label="Class[Web]"' in output and "style=dashed" in output
    output = render_plain(run_command("%graph --mermaid --path Package[nginx] Service[nginx]").element)  # type: ignore[arg-type]
    assert output.startswith("flowchart TB") and "subgraph" in output and '-.->|"notify, line 3"|' in output


def test_exported_titles_are_escaped() -> None:
    source = "notify { 'a\"]; b': }\nnotify { 'c': require => Notify['a\"]; b'] }"
    assert '\\"]; b' in render_plain(run_command("%graph --dot", source).element)  # type: ignore[arg-type]
    assert '"]' not in render_plain(run_command("%graph --mermaid", source).element).replace('"]\n', "\n")  # type: ignore[arg-type]


def test_the_picture_is_written_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    assert render_plain(run_command("%graph --svg sub/web.svg").element).startswith("sub/web.svg is written")  # type: ignore[arg-type]
    assert ElementTree.parse(tmp_path / "sub" / "web.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    "path", ["../out.svg", "/tmp/out.svg", "link/out.svg", "out.txt", ".svg/../..", "none/a.svg"]
)
def test_pictures_are_written_only_below_the_working_folder(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    monkeypatch.chdir(tmp_path / "in")
    reply = run_command(f"%graph --svg {path}")
    assert reply.error is not None and reply.error.code == "COMMAND"
    assert not list(tmp_path.rglob("*.svg"))


@pytest.mark.parametrize(
    ("line", "message"),
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
def test_wrong_arguments_of_graph_are_reported(line: str, message: str) -> None:
    reply = run_command(line)
    assert reply.error is not None and reply.error.code == "COMMAND"
    assert message in render_plain(reply.element)  # type: ignore[arg-type]


def test_an_empty_catalog_is_reported() -> None:
    assert render_plain(run_command("%graph --all", "1").element) == "The catalog is empty."  # type: ignore[arg-type]


def test_options_and_resources_are_completed() -> None:
    shell = Shell({"dialect": "puppet"})
    shell.submit(WEB)
    options = [item.text for item in shell.complete("%graph --p", 10).items]
    assert options == ["--path"]
    assert "Service[nginx]" in [item.text for item in shell.complete("%graph Ser", 10).items]
