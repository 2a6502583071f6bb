"""`garage` is a control repository; the released Puppet is asked, where it is installed, what its nodes get."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from tests.released import asking

HERE = Path(__file__).parent
GARAGE = HERE / "garage"
DEBIAN = {"os": {"name": "Debian", "family": "Debian"}}
ROCKY = {"os": {"name": "Rocky", "family": "RedHat"}}
QUESTIONS: dict[str, dict[str, Any]] = {
    "a name": {"node": "web1.example.com", "facts": DEBIAN, "parameters": {"role": "frontend"}},
    "a regular expression": {"node": "db1.example.com", "facts": ROCKY},
    "another one": {"node": "web7.staging", "facts": ROCKY},
    "no definition of its own": {"node": "lonely", "facts": DEBIAN},
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
    "a class that is not there": {"node": "lonely", "facts": DEBIAN, "classes": ["nope"]},
    "a class that is declared twice": {
        "node": "web1.example.com",
        "facts": DEBIAN,
        "classes": {"profile::web": {"port": 1}},
    },
    "a class with colons before its name": {"node": "lonely", "facts": DEBIAN, "classes": ["::Motd"]},
    "a class whose name begins with a blank": {"node": "lonely", "facts": {}, "classes": {" motd": None}},
    "a parameter that is not there": {"node": "lonely", "facts": {}, "classes": {"motd": {"a": 1}}},
    "a parameter that does not fit": {"node": "lonely", "facts": {}, "classes": {"motd": {"text": 1}}},
}


def session(question: dict[str, Any], **others: Any) -> Session:
    classification = {name: question[name] for name in ("classes", "parameters") if name in question}
    return Session(
        environment=question.get("environment", GARAGE),
        node=question["node"],
        facts=question.get("facts", {}),
        exported=question.get("exported"),
        classification=classification or None,
        modulepath=question.get("basemodulepath", ()),
        **others,
    )


def answer(question: dict[str, Any], **others: Any) -> dict[str, Any]:
    made = session(question, **others)
    assert made.beginning is not None
    logs = [f"{line.level}: {line.message}" for line in made.beginning.logs]
    if made.beginning.error is not None:
        return {"error": str(made.beginning.error), "logs": logs}
    data = made.catalog().to_json()
    settings = {
        name: made.run(f"$settings::{name}").value for name in ("manifest", "modulepath", "environmentpath")
    }
    return {
        "summary": made.catalog().summary(redact=False),
        "edges": data["edges"],
        "classes": data["classes"],
        "tags": data["tags"],
        "settings": settings,
        "logs": logs,
    }


def ask_release(questions: list[dict[str, Any]], options: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the answers of the installed release, or of the one that options of Ruby load."""
    if not asking.is_installed():
        pytest.skip("the released Puppet is not installed")
    asked = json.dumps([{"environment": str(GARAGE), **question} for question in questions])
    found: list[dict[str, Any]] = json.loads(asking.run_script(HERE / "released.rb", asked, options=options))
    for one in found:
        # what it says of facts that are not taken over is no part of an answer
        one["logs"] = [line for line in one["logs"] if "already set" not in line]
        one.get("settings", {}).pop("environment", None)
        if "error" in one:
            one["error"] = one["error"].removeprefix("Evaluation Error: ")
    return found


@pytest.mark.released
def test_nodes_get_what_the_released_puppet_gives_them() -> None:
    """In both dialects: the files of an environment are written for the released Puppet."""
    for (name, question), due in zip(QUESTIONS.items(), ask_release(list(QUESTIONS.values())), strict=True):
        for dialect in ("spec", "puppet7"):
            found = answer(question, dialect=dialect)
            assert found == due, (name, dialect)


def test_levels_of_data_follow_node_role_and_system() -> None:
    lines = session(QUESTIONS["a name"]).catalog().summary()
    assert "Class[Profile::Web] { port => 8080, service => 'nginx' }" in lines
    assert "Profile::Site[main] { root => '/srv/main', tls => true }" in lines
    assert [line for line in lines if line.startswith("Package[")][:2] == [
        "Package[apt-file] { ensure => 'installed' }",
        "Package[vim] { ensure => 'installed' }",
    ]


def test_a_cell_runs_after_the_manifests_and_they_stay() -> None:
    made = session(QUESTIONS["a name"], interactive=True)
    assert made.run("$welcome").text == "'Welcome to web1'"
    assert made.run("notify { 'mine': }").error is None
    assert "Notify[mine]" in made.catalog().summary()
    made.reset()
    assert made.cells == [] and "Class[Role::Web]" in made.catalog().summary()
    assert not made.undo()
    assert made.run("$welcome = 1").error is not None


def test_the_session_knows_its_environment() -> None:
    made = session(QUESTIONS["a name"])
    assert (
        made.run("[$environment, $server_facts['environment'], $settings::environment]").value
        == ["garage"] * 3
    )
    assert made.catalog().to_json()["environment"] == "garage"
    named = Session(environment=GARAGE, node="lonely", classification={"environment": "staging"})
    assert named.run("lookup('garage::name')").value == "The Garage (testing)"


# --- environment.conf


def write(root: Path, **files: str) -> Path:
    folder = root / "environments" / "testing"
    for name, text in {"manifests/site.pp": "", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


SHOWN = "notice($settings::modulepath, '|', $settings::manifest)"
FOUND_BY = {
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


def found_by(tmp_path: Path, name: str) -> dict[str, Any]:
    """A question of an environment with that `environment.conf`."""
    folder = write(
        tmp_path,
        **{
            "environment.conf": FOUND_BY[name],
            "manifests/site.pp": f"notice('site') {SHOWN}",
            "manifests/b/a.pp": "notice('b/a')",
            "manifests/b.pp": "notice('b')",
            "manifests/.hidden/a.pp": "notice('hidden')",
            "manifests/B.pp": "notice('B')",
            "other.pp": f"notice('other') {SHOWN}",
            "m1/x": "",
            "m2/x": "",
            "modules/y/x": "",
        },
    )
    base = [str(tmp_path / "base")] if "basemodulepath" in FOUND_BY[name] or not FOUND_BY[name] else []
    return {"environment": str(folder), "node": "a", "basemodulepath": base}


@pytest.mark.released
def test_environment_conf_is_read_as_released(tmp_path: Path) -> None:
    questions = [found_by(tmp_path / str(number), name) for number, name in enumerate(FOUND_BY)]
    for name, question, due in zip(FOUND_BY, questions, ask_release(questions), strict=True):
        found = answer(question)
        for one in (due, found):
            lines = [line.removesuffix("\n   (file & line not available)") for line in one["logs"]]
            one["logs"] = list(dict.fromkeys(lines))  # one of its warnings it writes twice
        assert found == due, name


def test_modules_that_are_given_are_found_where_the_path_leaves_them_out(tmp_path: Path) -> None:
    folder = write(tmp_path, **{"environment.conf": "modulepath = modules"})
    assert Session(environment=folder, modulepath=["/given"]).modulepath == (
        str(folder / "modules"),
        "/given",
    )


@pytest.mark.parametrize(
    ("conf", "told"),
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
def test_what_environment_conf_cannot_mean(tmp_path: Path, conf: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Session(environment=write(tmp_path, **{"environment.conf": conf}))


def test_an_environment_must_be_there() -> None:
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


# Each asks by itself: what is said of an old version is said once in a process.
@pytest.mark.released
@pytest.mark.parametrize("name", HIERA)
def test_older_versions_of_hiera_yaml_are_taken_as_released(tmp_path: Path, name: str) -> None:
    folder = write(
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
    question = {"environment": str(folder), "node": "web"}
    assert answer(question) == ask_release([question])[0]


# --- errors


def test_an_error_of_a_manifest_has_its_file_and_goes_when_it_is_mended(tmp_path: Path) -> None:
    folder = write(tmp_path, **{"manifests/site.pp": "$a = 1\n$a = 2\n"})
    made = Session(environment=folder, interactive=True)
    assert made.beginning is not None and made.beginning.error is not None
    place = f"(file: {folder}/manifests/site.pp, line: 2, column: 4)"
    assert str(made.beginning.error) == f"Cannot reassign variable '$a' {place}"
    assert str(made.run("1").error) == str(made.beginning.error)
    with pytest.raises(Exception, match="Cannot reassign"):
        made.catalog()
    (folder / "manifests" / "site.pp").write_text("$a = 1")
    assert made.run("$a").text == "1"


def test_a_syntax_error_names_the_environment(tmp_path: Path) -> None:
    made = Session(environment=write(tmp_path, **{"manifests/site.pp": "class a {"}))
    assert made.beginning is not None
    assert str(made.beginning.error).startswith(
        "Could not parse for environment testing: Syntax error at end of input"
    )


def test_a_manifest_must_be_readable(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "manifests" / "latin.pp").write_bytes(b"notice('\xe4')")
    made = Session(environment=folder)
    assert made.beginning is not None
    assert str(made.beginning.error) == (
        f"Could not read the manifest {folder}/manifests/latin.pp of the environment: it is not UTF-8"
    )


def test_a_link_among_the_manifests_leads_nowhere_else(tmp_path: Path) -> None:
    folder = write(tmp_path)
    secret = tmp_path / "secret.pp"
    secret.write_text("notice('secret')")
    (folder / "manifests" / "link.pp").symlink_to(secret)
    made = Session(environment=folder)
    assert made.beginning is not None and made.beginning.error is not None
    assert made.beginning.error.code == "PATH_NOT_PERMITTED"
    assert made.beginning.error.needs == "permission:files"
    permitted = Session(environment=folder, permissions=["files"])
    assert permitted.beginning is not None and permitted.beginning.error is None


# --- classification


def test_what_a_classifier_cannot_say() -> None:
    for given in ({"class": []}, {"classes": {"a": 1}}, {"classes": "a"}, {"parameters": [1]}):
        with pytest.raises(ValueError, match=r"classification|parameters of class"):
            Session(classification=given)


def test_the_class_that_a_class_of_the_classifier_inherits_is_evaluated_first(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(
        "class base { contain first contain config contain last }\n"
        "class config inherits base { notify { 'config': } }\n"
        "class first { notify { 'first': } } class last { notify { 'last': } }\n"
    )
    in_order = ["Notify[first]", "Notify[config]", "Notify[last]"]
    for classes, due in (
        (["config"], in_order),
        ({"config": {}}, in_order),
        (["config", "base"], in_order),
        (["last", "config"], ["Notify[last]", "Notify[first]", "Notify[config]"]),
    ):
        made = Session(environment=tmp_path, classification={"classes": classes})
        assert made.beginning is not None and made.beginning.error is None
        assert [line for line in made.catalog().summary() if line.startswith("Notify")] == due


def test_a_class_of_the_classifier_may_come_with_a_later_cell() -> None:
    made = Session("puppet", classification={"classes": {"a": {"x": 2}}}, interactive=True)
    assert made.run("$y = 1").notes == ["pending: Could not find class a for localhost"]
    outcome = made.run('class a($x) { notify { "${x}${y}": } }')
    assert outcome.error is None and "Notify[21]" in made.catalog().summary()
    made.undo()
    assert made.catalog().summary() == []


def test_a_manifest_that_is_a_link_to_itself_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "manifests" / "round.pp").symlink_to("round.pp")
    made = Session(environment=folder)
    assert made.beginning is not None
    assert str(made.beginning.error) == (
        f"Could not read the manifest {folder}/manifests/round.pp of the environment:"
        " Too many levels of symbolic links"
    )


def test_the_line_of_wrong_json_is_told(tmp_path: Path) -> None:
    files = {
        "hiera.yaml": "version: 5\nhierarchy: [{name: J, data_hash: json_data, path: a.json}]\n",
        "data/a.json": '{"a": 1, /* a\ncomment */\n "b": }',
    }
    error = Session(environment=write(tmp_path, **files)).run("lookup('a')").error
    assert error.code == "DATA_FILE" and error.help == "Fix the content of the file in line 3, column 7."


# --- the older functions for data


@pytest.mark.parametrize(
    ("version", "expected"), [(5, "['module', {'b' => 1, 'a' => 2}]"), (4, "['none', 'none']")]
)
def test_the_older_functions_find_all_data_if_the_environment_has_data(
    version: int, expected: str, tmp_path: Path
) -> None:
    levels = "  - {name: common, path: common.yaml, backend: yaml}\n" if version == 4 else ""
    own = f"version: {version}\n" + (f"hierarchy:\n{levels}" if levels else "")
    folder = write(
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
    folder = write(
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
