"""The graph for other tools: DOT for Graphviz, and Mermaid."""

from __future__ import annotations

from collections.abc import Iterable

from puppet_kernel.rendering.elements import Graph
from puppet_kernel.rendering.escape import one_line, printable


def dot(graph: Graph) -> list[str]:
    """Return the lines of a DOT file, with containers as clusters."""
    ids = {node: f"n{number}" for number, node in enumerate(graph.nodes)}
    inner = _inner(graph)
    lines = ["digraph resources {", "  compound=true;", "  node [shape=box];"]
    for depth, node, opens in _iterate_nested(graph, inner):
        indent = "  " * (depth + 1)
        if not opens:
            lines.append(f"{indent}}}")
        elif node in inner:  # the point in a cluster is where its relationships end
            lines.append(f"{indent}subgraph cluster_{ids[node]} {{ label={_quote(node)};")
            lines.append(f"{indent}  {ids[node]} [shape=point, style=invis];")
        else:
            lines.append(f"{indent}{ids[node]} [label={_quote(_label(graph, node))}];")
    for source, target, kind, reason in graph.edges:
        more = [f"tooltip={_quote(f'{source} → {target}: {reason}')}"]
        more += ["style=dashed"] if kind == "notify" else ["style=dotted"] if kind == "auto" else []
        more += (
            [f"ltail=cluster_{ids[source]}"] if source in inner and not _within(graph, target, source) else []
        )
        more += (
            [f"lhead=cluster_{ids[target]}"] if target in inner and not _within(graph, source, target) else []
        )
        lines.append(f"  {ids[source]} -> {ids[target]} [{', '.join(more)}];")
    return [*lines, "}"]


def mermaid(graph: Graph) -> list[str]:
    """Return the lines of a Mermaid flowchart, with containers as subgraphs."""
    ids = {node: f"n{number}" for number, node in enumerate(graph.nodes)}
    inner = _inner(graph)
    lines = ["flowchart TB"]
    for depth, node, opens in _iterate_nested(graph, inner):
        indent = "  " * (depth + 1)
        if not opens:
            lines.append(f"{indent}end")
        elif node in inner:
            lines.append(f"{indent}subgraph {ids[node]}[{_entities(node)}]")
        else:
            lines.append(f"{indent}{ids[node]}[{_entities(_label(graph, node))}]")
    for source, target, kind, reason in graph.edges:
        arrow = "-->" if kind == "before" else "-.->"
        words = f"|{_entities(reason)}|" if reason else ""
        lines.append(f"  {ids[source]} {arrow}{words} {ids[target]}")
    return lines


def _label(graph: Graph, node: str) -> str:
    label = graph.labels.get(node, node)
    return f"{label}\n{graph.counts[node]}" if graph.counts.get(node) else label


def _inner(graph: Graph) -> dict[str, list[str]]:
    inner: dict[str, list[str]] = {}
    for node in graph.nodes:
        if node in graph.inside:
            inner.setdefault(graph.inside[node], []).append(node)
    return inner


def _iterate_nested(graph: Graph, inner: dict[str, list[str]]) -> Iterable[tuple[int, str, bool]]:
    """Yield (depth, node, True) as each node begins, and (depth, node, False) as a container ends."""
    stack = [(0, node, True) for node in reversed(graph.nodes) if node not in graph.inside]
    while stack:
        depth, node, opens = stack.pop()
        yield depth, node, opens
        if opens and node in inner:
            stack.append((depth, node, False))
            stack += [(depth + 1, child, True) for child in reversed(inner[node])]


def _within(graph: Graph, node: str, container: str) -> bool:
    while node in graph.inside:
        node = graph.inside[node]
        if node == container:
            return True
    return False


def _quote(text: str) -> str:
    """Return a text as a string of DOT."""
    escaped = (
        printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("\t", " ").replace("\n", "\\n")
    )
    return f'"{escaped}"'


def _entities(text: str) -> str:
    """Return a text as a string of Mermaid, with entities for special characters."""
    lines = [one_line(row) for row in text.split("\n")]
    kept = (
        "".join(
            character if character.isalnum() or character in " /.,:-_" else f"#{ord(character)};"
            for character in "\n".join(lines)
            if character != "\n"
        )
        if len(lines) == 1
        else "<br>".join(_entities(row).strip('"') for row in text.split("\n"))
    )
    return f'"{kept}"'
