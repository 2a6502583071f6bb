"""Nodes of the control repository `garage`, compared with the released Puppet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from tests.files import write_files
from tests.released import ruby_scripts

HERE = Path(__file__).parent
GARAGE = HERE / "garage"
DEBIAN = {"os": {"name": "Debian", "family": "Debian"}}
ROCKY = {"os": {"name": "Rocky", "family": "RedHat"}}
QUERIES: dict[str, dict[str, Any]] = {
    "a name": {"node": "web1.example.com", "facts": DEBIAN, "parameters": {"role": "frontend"}},
    "a regular expression": {"node": "db1.example.com", "facts": ROCKY},
    "another one": {"node": "web7.staging", "facts": ROCKY},
    "the default definition": {"node": "lonely", "facts": DEBIAN},
    "classes with parameters": {
        "node": "lonely",
        "facts": DEBIAN,
        "classes": {"motd": None, "profile::web": {"port": 99}, "profile::base": {}},
    },
    "classes that the definition includes": {
        "node": "db1.example.com",
        "facts": DEBIAN,
        "classes": ["profile::base", "profile::web"],
    },
    "a variable in place of a fact": {"node": "lonely", "facts": DEBIAN, "parameters": {"os": "none"}},
    "an unknown class": {"node": "lonely", "facts": DEBIAN, "classes": ["nope"]},
    "a class that is declared twice": {
        "node": "web1.example.com",
        "facts": DEBIAN,
        "classes": {"profile::web": {"port": 1}},
    },
    "a class with leading colons": {"node": "lonely", "facts": DEBIAN, "classes": ["::Motd"]},
    "a class with a leading blank": {"node": "lonely", "facts": {}, "classes": {" motd": None}},
    "an unknown parameter": {"node": "lonely", "facts": {}, "classes": {"motd": {"a": 1}}},
    "a parameter of another type": {"node": "lonely", "facts": {}, "classes": {"motd": {"text": 1}}},
}


def make_session(query: dict[str, Any], **others: Any) -> Session:
    classification = {name: query[name] for name in ("classes", "parameters") if name in query}
    return Session(
        environment=query.get("environment", GARAGE),
        node=query["node"],
        facts=query.get("facts", {}),
        exported=query.get("exported"),
        classification=classification or None,
        modulepath=query.get("basemodulepath", ()),
        **others,
    )


def compute_answer(query: dict[str, Any], **others: Any) -> dict[str, Any]:
    session = make_session(query, **others)
    assert session.beginning is not None
    logs = [f"{line.level}: {line.message}" for line in session.beginning.logs]
    if session.beginning.error is not None:
        return {"error": str(session.beginning.error), "logs": logs}
    data = session.catalog().to_json()
    settings = {
        name: session.run(f"$settings::{name}").value
        for name in ("manifest", "modulepath", "environmentpath")
    }
    return {
        "summary": session.catalog().summary(redact=False),
        "edges": data["edges"],
        "classes": data["classes"],
        "tags": data["tags"],
        "settings": settings,
        "logs": logs,
    }


def query_release(queries: list[dict[str, Any]], options: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the answers of the installed release, or of the one that `options` of Ruby load."""
    if not ruby_scripts.is_installed():
        pytest.skip("the released Puppet is not installed")
    text = json.dumps([{"environment": str(GARAGE), **query} for query in queries])
    answers: list[dict[str, Any]] = json.loads(
        ruby_scripts.run_script(HERE / "released.rb", text, options=options)
    )
    for row in answers:
        # Warnings about ignored facts are not part of an answer.
        row["logs"] = [line for line in row["logs"] if "already set" not in line]
        row.get("settings", {}).pop("environment", None)
        if "error" in row:
            row["error"] = row["error"].removeprefix("Evaluation Error: ")
    return answers


@pytest.mark.released
def test_nodes_have_the_catalogs_of_the_released_puppet() -> None:
    """Compare both dialects: the files of an environment have the syntax of a release."""
    for (name, query), expected in zip(QUERIES.items(), query_release(list(QUERIES.values())), strict=True):
        for dialect in ("spec", "puppet7"):
            result = compute_answer(query, dialect=dialect)
            assert result == expected, (name, dialect)


def test_data_depends_on_node_role_and_operating_system() -> None:
    lines = make_session(QUERIES["a name"]).catalog().summary()
    assert "Class[Profile::Web] { port => 8080, service => 'nginx' }" in lines
    assert "Profile::Site[main] { root => '/srv/main', tls => true }" in lines
    assert [line for line in lines if line.startswith("Package[")][:2] == [
        "Package[apt-file] { ensure => 'installed' }",
        "Package[vim] { ensure => 'installed' }",
    ]


def test_cells_run_after_the_manifests_which_reset_and_undo_do_not_remove() -> None:
    session = make_session(QUERIES["a name"], interactive=True)
    assert session.run("$welcome").text == "'Welcome to web1'"
    assert session.run("notify { 'mine': }").error is None
    assert "Notify[mine]" in session.catalog().summary()
    session.reset()
    assert session.cells == [] and "Class[Role::Web]" in session.catalog().summary()
    assert not session.undo()
    assert session.run("$welcome = 1").error is not None


def test_variables_and_data_have_the_name_of_the_environment() -> None:
    session = make_session(QUERIES["a name"])
    assert (
        session.run("[$environment, $server_facts['environment'], $settings::environment]").value
        == ["garage"] * 3
    )
    assert session.catalog().to_json()["environment"] == "garage"
    named = Session(environment=GARAGE, node="lonely", classification={"environment": "staging"})
    assert named.run("lookup('garage::name')").value == "The Garage (testing)"


# --- environment.conf


def write_environment(root: Path, **files: str) -> Path:
    """Write the environment `testing` below a folder and return its folder."""
    return write_files(root / "environments" / "testing", {"manifests/site.pp": "", **files})


NOTICE_SETTINGS = "notice($settings::modulepath, '|', $settings::manifest)"
CONFIGURATIONS = {
    "nothing": "",
    "empty": "modulepath =\n",
    "quoted": "modulepath = \"a:b\"\nmanifest='other.pp'\n",
    "nothing for a manifest": "manifest =\nrich_data = True\nenvironment_timeout = 5m\n",
    "absolute": "modulepath = /nowhere:$basemodulepath:../up\nmanifest = /nowhere/site.pp",
    "globs": "modulepath = m*:modules/*:none*",
    "variables": "modulepath = $environmentpath/x:a$environment/y",
    "a section": "[main]\nmodulepath = a\n[other]\nmodulepath = b\n",
    "unknown": "# as it is spelled\nmanifests = other.pp\nx=1\nconfig_version = /bin/echo 1\nenvironment_timeout = 0\n",
}


def write_configuration(tmp_path: Path, name: str) -> dict[str, Any]:
    """Return the query for an environment with a text of `environment.conf`."""
    folder = write_environment(
        tmp_path,
        **{
            "environment.conf": CONFIGURATIONS[name],
            "manifests/site.pp": f"notice('site') {NOTICE_SETTINGS}",
            "manifests/b/a.pp": "notice('b/a')",
            "manifests/b.pp": "notice('b')",
            "manifests/.hidden/a.pp": "notice('hidden')",
            "manifests/B.pp": "notice('B')",
            "other.pp": f"notice('other') {NOTICE_SETTINGS}",
            "m1/x": "",
            "m2/x": "",
            "modules/y/x": "",
        },
    )
    base = (
        [str(tmp_path / "base")]
        if "basemodulepath" in CONFIGURATIONS[name] or not CONFIGURATIONS[name]
        else []
    )
    return {"environment": str(folder), "node": "a", "basemodulepath": base}


@pytest.mark.released
def test_environment_conf_is_read_as_released(tmp_path: Path) -> None:
    queries = [
        write_configuration(tmp_path / str(number), name) for number, name in enumerate(CONFIGURATIONS)
    ]
    for name, query, expected in zip(CONFIGURATIONS, queries, query_release(queries), strict=True):
        result = compute_answer(query)
        for compared in (expected, result):
            lines = [line.removesuffix("\n   (file & line not available)") for line in compared["logs"]]
            compared["logs"] = list(dict.fromkeys(lines))  # the released Puppet writes one warning twice
        assert result == expected, name


def test_the_module_path_of_the_session_follows_that_of_the_environment(tmp_path: Path) -> None:
    folder = write_environment(tmp_path, **{"environment.conf": "modulepath = modules"})
    assert Session(environment=folder, modulepath=["/given"]).modulepath == (
        str(folder / "modules"),
        "/given",
    )


@pytest.mark.parametrize(
    ("conf", "message"),
    [
        ("modulepath a", r"environment\.conf, line 1: 'modulepath a' is not a setting"),
        ("\nmodulepath = ${environmentpath}/a", r"environment\.conf, line 2: braces are not permitted here"),
        ("manifest = $nope/a", r"environment\.conf: there is no setting \$nope for the manifest"),
        (
            "environment_timeout = 5w",
            r"environment\.conf, line 1: environment_timeout takes `unlimited` or a time",
        ),
        ("environment_timeout =", r"environment\.conf, line 1: environment_timeout takes .*, not ''"),
        (
            "static_catalogs = yes",
            r"environment\.conf, line 1: static_catalogs takes `true` or `false`, not 'yes'",
        ),
    ],
)
def test_an_invalid_environment_conf_is_refused(tmp_path: Path, conf: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Session(environment=write_environment(tmp_path, **{"environment.conf": conf}))


def test_an_unknown_environment_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no directory 'nowhere' for an environment"):
        Session(environment="nowhere")


HIERA = {
    "version 3": ":backends: [yaml]\n:hierarchy: [common]\n",
    "version 4": "version: 4\ndatadir: hieradata\nhierarchy:\n"
    "  - {name: Node, backend: yaml, path: 'nodes/%{trusted.certname}'}\n"
    "  - {name: more, backend: json}\n  - {name: Rest, backend: yaml, paths: [none, common]}\n",
    "version 4, nothing else": "version: 4\n",
    "none": "",
}


# Each queries the release in its own process, which warns of an old version only once.
@pytest.mark.released
@pytest.mark.parametrize("name", HIERA)
def test_older_versions_of_hiera_yaml_are_read_as_released(tmp_path: Path, name: str) -> None:
    folder = write_environment(
        tmp_path,
        **{
            "manifests/site.pp": "['a', 'b', 'c', 'd'].each |$key| { notice(lookup($key, default_value => 'none')) }",
            "hieradata/nodes/web.yaml": "a: node\n",
            "hieradata/more.json": '{"a": "json", "b": "json"}',
            "hieradata/common.yaml": "a: common\nc: common\n",
            "data/common.yaml": "d: data\n",
        },
    )
    if HIERA[name]:
        (folder / "hiera.yaml").write_text(HIERA[name])
    query = {"environment": str(folder), "node": "web"}
    assert compute_answer(query) == query_release([query])[0]


# --- errors


def test_an_error_of_a_manifest_has_its_file_and_disappears_when_it_is_fixed(tmp_path: Path) -> None:
    folder = write_environment(tmp_path, **{"manifests/site.pp": "$a = 1\n$a = 2\n"})
    session = Session(environment=folder, interactive=True)
    assert session.beginning is not None and session.beginning.error is not None
    place = f"(file: {folder}/manifests/site.pp, line: 2, column: 4)"
    assert str(session.beginning.error) == f"Cannot reassign variable '$a' {place}"
    assert str(session.run("1").error) == str(session.beginning.error)
    with pytest.raises(Exception, match="Cannot reassign"):
        session.catalog()
    (folder / "manifests" / "site.pp").write_text("$a = 1")
    assert session.run("$a").text == "1"


def test_a_syntax_error_names_the_environment(tmp_path: Path) -> None:
    session = Session(environment=write_environment(tmp_path, **{"manifests/site.pp": "class a {"}))
    assert session.beginning is not None
    assert str(session.beginning.error).startswith(
        "Could not parse for environment testing: Syntax error at end of input"
    )


def test_a_manifest_must_be_readable(tmp_path: Path) -> None:
    folder = write_environment(tmp_path)
    (folder / "manifests" / "latin.pp").write_bytes(b"notice('\xe4')")
    session = Session(environment=folder)
    assert session.beginning is not None
    assert str(session.beginning.error) == (
        f"Could not read the manifest {folder}/manifests/latin.pp of the environment: it is not UTF-8"
    )


def test_a_manifest_that_is_a_link_to_a_file_outside_needs_permission(tmp_path: Path) -> None:
    folder = write_environment(tmp_path)
    secret = tmp_path / "secret.pp"
    secret.write_text("notice('secret')")
    (folder / "manifests" / "link.pp").symlink_to(secret)
    session = Session(environment=folder)
    assert session.beginning is not None and session.beginning.error is not None
    assert session.beginning.error.code == "PATH_NOT_PERMITTED"
    assert session.beginning.error.needs == "permission:files"
    permitted = Session(environment=folder, permissions=["files"])
    assert permitted.beginning is not None and permitted.beginning.error is None


# --- classification


def test_an_invalid_classification_is_refused() -> None:
    for classification in ({"class": []}, {"classes": {"a": 1}}, {"classes": "a"}, {"parameters": [1]}):
        with pytest.raises(ValueError, match=r"classification|parameters of class"):
            Session(classification=classification)


def test_the_parent_of_a_classified_class_is_evaluated_first(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(
        "class base { contain first contain config contain last }\n"
        "class config inherits base { notify { 'config': } }\n"
        "class first { notify { 'first': } } class last { notify { 'last': } }\n"
    )
    in_order = ["Notify[first]", "Notify[config]", "Notify[last]"]
    for classes, expected in (
        (["config"], in_order),
        ({"config": {}}, in_order),
        (["config", "base"], in_order),
        (["last", "config"], ["Notify[last]", "Notify[first]", "Notify[config]"]),
    ):
        session = Session(environment=tmp_path, classification={"classes": classes})
        assert session.beginning is not None and session.beginning.error is None
        assert [line for line in session.catalog().summary() if line.startswith("Notify")] == expected


def test_a_later_cell_may_define_a_classified_class() -> None:
    session = Session("puppet", classification={"classes": {"a": {"x": 2}}}, interactive=True)
    assert session.run("$y = 1").notes == ["pending: Could not find class a for localhost"]
    outcome = session.run('class a($x) { notify { "${x}${y}": } }')
    assert outcome.error is None and "Notify[21]" in session.catalog().summary()
    session.undo()
    assert session.catalog().summary() == []


def test_a_manifest_that_is_a_link_to_itself_is_reported(tmp_path: Path) -> None:
    folder = write_environment(tmp_path)
    (folder / "manifests" / "round.pp").symlink_to("round.pp")
    session = Session(environment=folder)
    assert session.beginning is not None
    assert str(session.beginning.error) == (
        f"Could not read the manifest {folder}/manifests/round.pp of the environment:"
        " Too many levels of symbolic links"
    )


def test_the_line_and_column_of_invalid_json_are_reported(tmp_path: Path) -> None:
    files = {
        "hiera.yaml": "version: 5\nhierarchy: [{name: J, data_hash: json_data, path: a.json}]\n",
        "data/a.json": '{"a": 1, /* a\ncomment */\n "b": }',
    }
    error = Session(environment=write_environment(tmp_path, **files)).run("lookup('a')").error
    assert error.code == "DATA_FILE" and error.help == "Fix the content of the file in line 3, column 7."


# --- the older functions for data


@pytest.mark.parametrize(
    ("version", "expected"), [(5, "['module', {'b' => 1, 'a' => 2}]"), (4, "['none', 'none']")]
)
def test_the_older_functions_find_all_data_if_the_environment_has_a_hierarchy(
    version: int, expected: str, tmp_path: Path
) -> None:
    levels = "  - {name: common, path: common.yaml, backend: yaml}\n" if version == 4 else ""
    own = f"version: {version}\n" + (f"hierarchy:\n{levels}" if levels else "")
    folder = write_environment(
        tmp_path,
        **{
            "hiera.yaml": own,
            "data/common.yaml": "m::h: {a: 2}\n",
            "modules/m/hiera.yaml": "version: 5\n",
            "modules/m/data/common.yaml": "m::x: module\nm::h: {b: 1}\n",
            "modules/m/manifests/init.pp": "class m { }\n",
        },
    )
    outcome = Session("puppet", environment=folder).run("[hiera('m::x', 'none'), hiera_hash('m::h', 'none')]")
    assert outcome.text == expected, outcome.error


def test_data_are_read_before_an_unknown_strategy_is_refused(tmp_path: Path) -> None:
    folder = write_environment(
        tmp_path,
        **{
            "modules/m/hiera.yaml": "version: 5\n",
            "modules/m/data/common.yaml": "other: 1\n",
            "modules/m/manifests/init.pp": "class m { }\n",
        },
    )
    outcome = Session("puppet", environment=folder).run("lookup('m::x', { merge => 'nope' })")
    assert outcome.error is not None and outcome.error.code == "UNKNOWN_MERGE_STRATEGY"
    assert ["must use keys qualified" in log.message for log in outcome.logs] == [True]
