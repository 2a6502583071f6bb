"""Data files that a command names: they are read, or refused with a message, in bounded time."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from puppet_kernel.jupyter.display import make_bundle
from puppet_kernel.shell import Shell
from tests.effort import run_within

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted

SECONDS = 3.0  # of CPU
ALIASES = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
MERGES = [f"a{n}: &a{n}\n  <<: [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
REFUSED = {
    "aliases.yaml": "\n".join(["a0: &a0 [lol]", *ALIASES]),
    "merges.yaml": "\n".join(["a0: &a0 { x: 1 }", *MERGES]),
    "circle.yaml": "a: &a\n  b: *a\n",
    "circle_of_lists.yaml": "a: &a [*a]\n",
    "circle_of_keys.yaml": "&a ? *a\n: 1\n",
    "deep.yaml": "a: " + "[" * 5_000 + "]" * 5_000,
    "deep_mappings.yaml": "a: " + "{ a: " * 3_000 + "1" + "}" * 3_000,
    "deep.json": '{"a": ' + "[" * 200_000 + "]" * 200_000 + "}",
    "deep_objects.json": '{"a":' * 90_000 + "1" + "}" * 90_000,
    "just_too_deep.json": '{"a":' * 102 + "1" + "}" * 102,
    "objects.yaml": "a: !!python/object/apply:os.system ['true']\n",
    "no_bool.yaml": "a: !!bool x\n",
    "no_integer.yaml": "a: !!int ''\n",
    "no_float.yaml": "a: !!float ''\n",
    "keys.yaml": "? [1]\n: 2\n",
    "keys_of_sets.yaml": "? !!set { a }\n: 1\n",
    "rows.yaml": "certname: x\nfacts: { data: [1] }\n",
    "rows_without_values.yaml": "certname: x\nfacts: { data: [{ name: a }] }\n",
    "rows_of_text.yaml": "certname: x\nfacts: { data: text }\n",
    "text.yaml": "5",
    "torn.json": '{"a": ',
}
ACCEPTED = {
    "others.yaml": "a: !!set { x, y }\nb: !!omap [z: 1]\nc: !!binary aGk=\nd: !ruby/object:X { e: 1 }\nf: 2024-01-01\n",
    "numbers.yaml": "a: .nan\nb: .inf\nc: 0x1F\nd: { 1: 2, 1.5: 3, true: 4, null: 5 }\n",
    "names.json": '{"": 1, "::": 2, "A-b": 3, "os": 5, "\\u001b[2J": "\\ud800", "trusted": 1, "title": 2, "facts": 3}',
    "systems.yaml": "os: { family: [1] }\nnetworking: { fqdn: [] }\nhostname: {}\nclientcert: [2]\n",
    "aliases.yaml": "a: &a { x: 1 }\nb: [*a, *a]\nc: { <<: *a, y: 2 }\n",
    "nested.json": '{"a":' * 90 + "1" + "}" * 90,
}


def run_commands(folder: Path, name: str, content: str, dialect: str) -> list[str]:
    """Return the error code of each command that reads a data file, after using the data in other inputs."""
    (folder / name).write_text(content)

    def run_command(command: str) -> str:
        shell = Shell({"dialect": dialect, "facts": {}}, guarded=True)
        sources = (f"{command} {name}", command, "$facts", "%whatif a=1", "%fleet a=1,2", "Notify <<| |>>")
        replies = [shell.submit(source) for source in sources]
        for source in ("$facts.", "$facts['", "%facts "):
            shell.complete(source, len(source))
        for reply in replies:
            make_bundle(reply.element)
            assert reply.error is None or reply.error.code != "INTERNAL_ERROR", reply.error
        return replies[0].error.code if replies[0].error is not None else ""

    return [
        run_within(SECONDS, partial(run_command, command))
        for command in ("%facts", "%fleet", "%diff facts", "%exported")
    ]


FILES = [
    *((name, text, "COMMAND") for name, text in REFUSED.items()),
    *((name, text, "") for name, text in ACCEPTED.items()),
]


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize(("name", "text", "code"), FILES, ids=[f"{name}-{code}" for name, _, code in FILES])
def test_odd_data_is_accepted_and_unusable_data_is_refused(
    name: str, text: str, code: str, dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_commands(tmp_path, name, text, dialect)[:3] == [code] * 3


HIERA = {
    "left open": "%{" * 200_000,
    "left open behind one": "%{facts.a}" + "%{" * 200_000,
    "one in another": "%{" * 100_000 + "}",
    "many": "%{facts.a}" * 20_000,
    "itself": "%{alias('k')}",
    "itself many times": "%{lookup('k')}" * 50,
}


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize("name", HIERA)
def test_interpolated_strings_of_hiera_are_read_in_time(
    name: str, dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hiera.yaml").write_text("version: 5\nhierarchy: [{ name: all, path: all.yaml }]\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "all.yaml").write_text(f'k: "{HIERA[name]}"\n')
    shell = Shell({"dialect": dialect, "facts": {"a": "x"}, "hiera_config": "hiera.yaml"}, guarded=True)
    for source in ("lookup('k')", "%lookup k"):
        error = run_within(SECONDS, partial(shell.submit, source)).error
        assert error is None or error.code not in ("INTERNAL_ERROR", "INTERRUPTED"), error
