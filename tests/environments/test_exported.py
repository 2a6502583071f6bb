"""Exported resources of other nodes, compared with the released Puppet and its store."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from tests.environments.test_environments import compute_answer, query_release, write_environment


def make_row(certname: str, kind: str, title: str, **others: Any) -> dict[str, Any]:
    fields = {"tags": [kind.lower()], "parameters": {}, "exported": True, **others}
    return {"certname": certname, "type": kind, "title": title, **fields}


STORE = [
    make_row(
        "db1", "Notify", "from db1", tags=["notify", "db"], parameters={"message": "m", "withpath": True}
    ),
    make_row("me", "Notify", "own"),
    make_row("db2", "Notify", "not exported", exported=False),
    make_row("db2", "D", "defined", tags=["d", "mine"], parameters={"a": [1, 2]}),
    make_row("db2", "File", "/a/", parameters={"owner": "x", "require": "Notify[own]"}),
]
PROGRAMS = (
    "Notify <<| |>>",
    """define d($a, $b = 2) { notify { "in ${title} ${a} ${b}": } }
    class c { Notify { loglevel => debug } D <<| tag == 'mine' |>> @@notify { 'mine': } Notify <<| |>> }
    include c""",
    "@@notify { 'from db1': } Notify <<| |>>",
    "notify { 'from db1': } Notify <<| tag == db |>>",
    """Notify <<| message == 'm' |>> { message => 'n', tag => 'other' }
    Notify <<| tag == 'other' |>> { loglevel => info }
    Notify <<| |>> { noop => true }""",
    "Notify <<| |>> { nonsense => true }",
    "@@notify { 'v': } @notify { 'w': } Notify <| |>",
    "@@notify { 'v': } @notify { 'w': } Notify <<| |>>",
    "@@notify { 'v': } Notify <<| title == 'v' |>> -> notify { 'z': }",
    """Notify <<| title != 'v' and message != 'q' or title == 'v' |>>
    notify { 'z': } -> Notify <<| tag == 'db' |>>""",
    "notify { 'z': } -> Notify <<| tag == 'db' |>>",
    "File <<| |>>",
    "File <<| |>> @@notify { 'own': } Notify <<| title == own |>>",
    "Nothing <<| |>>",
    "class k { Notify <<| |>> } class j { Notify <<| |>> } include k include j",
    "tag('foo') realize(Notify['from db1']) Notify <<| |>>",
    "Notify <| |> Notify <<| |>> Notify <| tag == db |> { message => 'x' }",
    "define d() { } D <<| |>>",
)


def test_collectors_match_exported_resources_as_in_the_released_puppet(tmp_path: Path) -> None:
    queries = [
        {
            "environment": str(write_environment(tmp_path / str(number), **{"manifests/site.pp": program})),
            "node": "me",
            "exported": STORE,
        }
        for number, program in enumerate(PROGRAMS)
    ]
    for program, query, expected in zip(PROGRAMS, queries, query_release(queries), strict=True):
        for dialect in ("spec", "puppet7"):
            assert compute_answer(query, dialect=dialect) == expected, (program, dialect)


MODULES = {
    "c": "class c($x = 1) { Notify <<| |>> notify { 'in c': } @@notify { 'of c': } }",
    "d": "class d { @@notify { 'of d': } notify { 'in d': } e { 'own': } Notify <<| tag == db |>> }",
    "e": 'define e() { notify { "e ${title}": } @@notify { "of e ${title}": tag => "mine" } }',
    "f": "class f { include g E <<| |>> Notify <<| title == 'of d' |>> ~> notify { 'z': } }",
    "g": "class g { @@e { 'xg': } @e { 'vg': } E <| |> Notify <<| tag == mine |>> }",
    "wrong": "class wrong { Nothing <<| |>> }",
    "fails": "class fails { fail('no') }",
}
MANIFESTS = (
    "",
    "Notify <<| |>>",
    "node default { Notify <<| |>> include c }",
    "node default { include f }",
    "class { 'c': }",
)
CLASSES: tuple[Any, ...] = (
    ["c"],
    ["D", "c"],
    {"c": {"x": 2}, "d": None},
    ["f", "c"],
    {"g": None, "f": None},
    ["wrong"],
    ["fails"],
)


def test_classified_classes_are_evaluated_in_the_order_of_the_released_puppet(tmp_path: Path) -> None:
    files = {f"modules/{name}/manifests/init.pp": text for name, text in MODULES.items()}
    queries = [
        {
            "environment": str(
                write_environment(tmp_path / str(number), **{"manifests/site.pp": manifest}, **files)
            ),
            "node": "me",
            "exported": [*STORE, make_row("db3", "E", "from db3")],
            "classes": classes,
        }
        for number, (manifest, classes) in enumerate(product(MANIFESTS, CLASSES))
    ]
    for query, expected in zip(queries, query_release(queries), strict=True):
        assert compute_answer(query, dialect="puppet7") == expected, query["classes"]


def summarize(exported: Any, *sources: str) -> list[str]:
    session = Session(exported=exported, interactive=True)
    for source in sources:
        assert session.run(source).error is None
    return session.catalog().summary()


def test_all_forms_of_a_store_are_read() -> None:
    resource = {"type": "Notify", "title": "a", "exported": True, "tags": [], "parameters": {"message": "x"}}
    for exported in (
        [{"certname": "db1", **resource}],
        {"name": "db1", "resources": [resource]},
        [{"certname": "db1", "resources": {"data": [resource]}}],
        {"catalog": {"name": "db1", "resources": []}, "exports": [{"certname": "db1", **resource}]},
        [[{"certname": "db1", "name": "os", "value": {}}], {"name": "db1", "resources": [resource]}],
    ):
        assert summarize(exported, "Notify <<| |>>") == ["Notify[a] { message => 'x' }"]
    for exported in (
        "text",
        [1],
        [{"type": "Notify"}],
        {"name": "a", "resources": [{"type": 1}]},
        [[[[[[]]]]]],
    ):
        with pytest.raises(ValueError, match="resource"):
            Session(exported=exported)


def test_another_node_collects_the_exports_of_a_catalog() -> None:
    first = Session(node="web1")
    first.run("@@notify { 'web1': message => [1, { 'a' => undef }], tag => 'x' } @notify { 'no': }")
    rows = first.catalog().exports()
    assert rows[0]["certname"] == "web1" and "x" in rows[0]["tags"] and len(rows) == 1
    assert summarize(rows, "Notify <<| tag == x |>>")[0].startswith("Notify[web1] { message => [1, ")


def test_each_cell_collects_exported_resources() -> None:
    """A later cell may declare the resource that conflicts, and the failed cell has no effect."""
    session = Session(exported=STORE, interactive=True)
    session.run("Notify <<| tag == db |>>")
    assert session.run("notify { 'b': }").error is None
    assert session.run("notify { 'from db1': }").error.code == "EXPORTED_TWICE"
    assert session.run("Notify <| |> { message => 'all' }").error is None
    assert session.catalog().summary() == [
        "Notify[b] { message => 'all' }",
        "Notify[from db1] { message => 'all', withpath => true }",
    ]
    session.undo()
    assert session.catalog().summary()[1] == "Notify[from db1] { message => 'm', withpath => true }"
    assert session.run("@@notify { 'c': }").logs == []


def test_a_missing_store_is_a_warning() -> None:
    lines = [line.message for line in Session("puppet").run("Notify <<| |>> @@notify { 'c': }").logs]
    assert all("without storeconfigs being set" in line for line in lines) and len(lines) == 2


def test_without_a_store_the_specification_collects_the_exports_of_the_program() -> None:
    session = Session()
    assert session.run("Notify <<| |>> @@notify { 'c': } @notify { 'd': }").logs == []
    assert session.catalog().summary() == ["Notify[c]", "@Notify[d]"]


def test_a_warning_of_a_missing_store_has_its_line() -> None:
    logs = Session("puppet").run("\n@@notify { 'a': }\n\nNotify <<| |>>").logs
    assert [(line.span.line, line.message.rpartition("; ")[2]) for line in logs if line.span] == [
        (2, "the export is ignored"),
        (4, "the collection will be ignored"),
    ]
