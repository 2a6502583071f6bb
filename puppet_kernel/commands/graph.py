"""`%graph`: containment and order of the resources, folded, whole or in part, or exported."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from evaluator.catalog.model import format_key
from evaluator.catalog.references import parse_reference
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import CommandContext, command
from puppet_kernel.commands.files import write_file
from puppet_kernel.rendering.elements import Element, Graph, NoteElement, TextElement, make_line
from puppet_kernel.rendering.graphs.catalog_graph import (
    add_implied_remark,
    find_neighbours,
    find_paths,
    fold_graph,
    make_graph,
    restrict,
)
from puppet_kernel.rendering.graphs.svg import draw
from puppet_kernel.rendering.graphs.text import to_dot, to_mermaid
from puppet_kernel.replies import CommandError, refuse_if

# By each option the number of words that follow it; a reference is one word.
OPTIONS = {
    **dict.fromkeys(("--all", "--changed", "--auto", "--order", "--dot", "--mermaid"), 0),
    **dict.fromkeys(("--around", "--depth", "--svg"), 1),
    "--path": 2,
}
WRITERS: dict[str, Callable[[Graph], list[str]]] = {"--dot": to_dot, "--mermaid": to_mermaid}
USAGE = "[REFERENCE] [OPTION …]"
EXAMPLES = {
    "%graph Class[web]": "opens one container, or shows one resource with its neighbours",
    "%graph --all": "draws all resources, regardless of their number",
    "%graph --around File['/a'] --depth 2": "shows everything up to this many relationships away",
    "%graph --path File['/a'] Service[web]": "shows all paths from one to the other",
    "%graph --changed": "shows what the last cell changed, with its neighbours",
    "%graph --auto": "also draws automatic requirements of resources",
    "%graph --order": "adds numbers in the order of application",
    "%graph --svg web.svg": "writes the picture below the working folder",
    "%graph --dot": "prints text for Graphviz",
    "%graph --mermaid": "prints text for Mermaid",
}
# A reference, a text in quotes, or anything without a blank.
_WORDS = re.compile(r"""(?:::)?[A-Za-z][\w:]*\[(?:'[^']*'|"[^"]*"|[^\]]*)\]|"[^"]*"|'[^']*'|\S+""")
_ARROWS = ("->", "~>", "→")  # `%graph A -> B` is short for `%graph --path A B`


@command(
    "graph",
    arguments=USAGE,
    complete_argument=lambda context: [*OPTIONS, *make_graph(context.session.catalog()).nodes],
    examples=tuple(f"{example}  # {words}" for example, words in EXAMPLES.items()),
    refreshable=True,
    demo="%graph",
)
def show_graph(context: CommandContext, argument: str) -> Element:
    """Draw the resources, their containers and their order."""
    options, names = _parse(argument)
    catalog = context.session.catalog()
    added, changed = _find_changes(context) if "--changed" in options else (frozenset(), [])
    graph = make_graph(catalog, auto="--auto" in options, added=added)
    selected, first = _select(options, names, graph, partial(_find_node, catalog, graph), changed)
    if graph.nodes and not selected.nodes:
        return NoteElement("hint", "The last cell changed nothing in the catalog.")
    for option, write in WRITERS.items():
        if option in options:
            return TextElement(*(make_line(text) for text in write(selected)))
    if "--all" not in options:
        selected = fold_graph(selected, first)
    if "--order" in options:
        numbered = {name: f"{number}. {name}" for name, number in selected.numbers.items()}
        selected.labels = {**selected.labels, **numbered}
    if "--svg" in options:
        return _save(context, selected, options["--svg"][0])
    return add_implied_remark(selected)


def _parse(argument: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the options with their words, and the references; raise CommandError."""
    options: dict[str, list[str]] = {}
    names: list[str] = []
    words = [word for word in _WORDS.findall(argument) if word not in _ARROWS]
    if len(words) == 2 and any(arrow in _WORDS.findall(argument) for arrow in _ARROWS):
        return {"--path": words}, []
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            names.append(word)
            continue
        if word not in OPTIONS:
            raise CommandError(
                f"%graph has no option {word}", suggestion=find_nearest(word, OPTIONS), help=_list_options()
            )
        count = OPTIONS[word]
        if len(words) < count:
            operands = {"--path": "two references", "--svg": "the name of a file", "--depth": "a number"}
            raise CommandError(f"{word} takes {operands.get(word, 'a reference')}", help=_list_options())
        options[word], words = words[:count], words[count:]
    refuse_if(len(names) > 1, f"%graph takes one reference, not {len(names)}", help=_list_options())
    return options, names


def _list_options() -> str:
    return f"the options are {', '.join(OPTIONS)}; `%help graph` shows their use"


def _find_node(catalog: Any, graph: Graph, text: str) -> str:
    """Return the node that a reference names, or raise CommandError."""
    kind, bracket, rest = text.partition("[")
    title = rest.removesuffix("]")
    if len(title) > 1 and title[0] == title[-1] and title[0] in "'\"":
        title = title[1:-1]
    key = parse_reference(f"{kind}[{title}]") if bracket else None
    resource = catalog.find(key) if key is not None else None
    if resource is not None and resource.reference in graph.nodes:
        return str(resource.reference)
    raise CommandError(
        f"There is no resource {text} in the catalog" if key else f"{text} is not a reference to a resource",
        suggestion=find_nearest(f"{kind}[{title}]", graph.nodes),
        help="%graph File['/tmp/a'] shows that resource with its neighbours; %catalog lists all",
    )


def _select(
    options: dict[str, list[str]],
    names: list[str],
    graph: Graph,
    find: Callable[[str], str],
    changed: list[str],
) -> tuple[Graph, list[str]]:
    """Return the selected part of the graph, and the containers to open first.

    Args:
        options: The options, each with its words.
        names: The references that are not words of an option.
        graph: The whole graph.
        find: Returns the node that a reference names.
        changed: The nodes that the last cell changed, for `--changed`.
    """
    depth = _parse_depth(options["--depth"][0]) if "--depth" in options else 1
    if "--path" in options:
        source, target = map(find, options["--path"])
        paths = find_paths(graph, source, target)
        if paths is not None:
            return paths, [source, target]
        reverse = (
            f"{source} waits for {target}"
            if find_paths(graph, target, source)
            else "neither waits for the other"
        )
        raise CommandError(f"No path leads from {source} to {target}", help=reverse)
    if "--changed" in options:
        near = [node for name in changed for node in find_neighbours(graph, name, depth).nodes]
        return restrict(graph, near), []
    centres = [*options.get("--around", []), *names]
    if centres:
        name = find(centres[0])
        return find_neighbours(graph, name, depth), [name]
    refuse_if(
        "--depth" in options,
        "use --depth with a reference: it is the number of relationships from there",
        help=_list_options(),
    )
    return graph, []


def _parse_depth(text: str) -> int:
    refuse_if(
        not text.isdecimal() or len(text) > 6, f"--depth takes a number, not '{text}'", help=_list_options()
    )
    return int(text)


def _find_changes(context: CommandContext) -> tuple[frozenset[str], list[str]]:
    """Return the references that the last cell added to the catalog, and all that it changed."""
    cells = context.session.cells
    change = cells[-1].outcome.change if cells else None
    if change is None:
        return frozenset(), []
    added = [item.reference for item in change.added]
    changed = [
        *added,
        *(item.reference for _, item in change.changed),
        *(format_key(key) for edge in change.edges_added for key in (edge.source, edge.target)),
    ]
    return frozenset(added), list(dict.fromkeys(changed))


def _save(context: CommandContext, graph: Graph, path: str) -> Element:
    """Write a picture, replacing an earlier one; raise CommandError or PuppetError."""
    path = path.strip("'\"")
    refuse_if(not path.endswith(".svg"), f"{path} does not end in .svg", help="%graph --svg resources.svg")
    write_file(context, path, lambda: draw(graph), forced=True, command="%graph --svg")
    return NoteElement(
        "hint", f"{path} is written: {len(graph.nodes)} boxes, {len(graph.edges)} relationships"
    )
