"""libyaml and PyYAML read the same values from YAML."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml

from evaluator.issues import Failure
from evaluator.values import yaml_format

HARD = (
    *(
        "a: 1\nb: [1, 2, {c: d}]\n",
        "- &x [1]\n- *x\n",
        "--- |\n text\n  more\n",
        "{a: b, ? f : g}",
        "? a\n: b\n",
    ),
    "a: >-\n  fold\n  ed\n\n  x\nb: 'it''s'\nc: \"\\x41\\u0042\\n\"\n",
    *(
        "<<: {a: 1}\nb: 2\n",
        "a: &b {c: 1}\nd:\n  <<: *b\n  e: 2\n",
        "!!binary aGk=\n",
        "%YAML 1.1\n---\na\n...\n",
        "%YAML 1.3\n---\na\n",
        "%OTHER x\n---\na\n",
    ),
    *(
        "- !ruby/sym x\n- :sym\n",
        "- !ruby/object:Foo {}\n",
        "!!omap [a: 1, b: 2]\n",
        "!!set {a, b}\n",
        "- ! x\n",
    ),
    *(
        "- !local x\n",
        "!",
        "a: !!str 1\nb: !!float 2\n",
        "a: !<tag:yaml.org,2002:str> 2\n",
        "- ~\n- null\n- 1_000",
    ),
    *("- 0x1f\n- 1.5e+3\n- 12:30:45\n", "- 2001-01-01\n", "[a:b, c::d, http://x]", "[a?b]", "{a:1, b : 2}"),
    *(
        "- |2\n   x\n- |+\n  y\n\n- end\n",
        "a\tb: c\n",
        "key:\tvalue\n",
        "a\t",
        "- a\n -b\n",
        "x: @a\n",
        "x: a #b\n",
    ),
    *(
        "\ufeffa: 1\n",
        "\n\ufeff",
        "a: \u2028b\n",
        "a: \x85b\n",
        "a: b\r\nc: d\r\n",
        "é: ü\n",
        "a: 😀\n",
        "a: \ud800",
    ),
    *(
        "...\n---\na\n",
        "--- a\n--- b\n",
        "a: 'x\n",
        "a: [1,\n2\n",
        "a: {b\n",
        "\t- a\n",
        ">#",
        "|\n",
        "a: - b\n",
    ),
    *(
        "[-x, - y]",
        "{-a: b}",
        '"\\/\\e\\_\\N\\U0001F600"',
        "'a'b",
        '{"a":b}',
        "[a, b]: c",
        "[,]",
        "[a,,b]",
        "&a *a",
    ),
    *("&x\na: 1\n", "- &a\n- *a\n", "a: *none\n", "x" * 2000 + ": y", "a: &a [*a]\n", "\x07", "a: \x00", ""),
    *(
        "[" * 200 + "]" * 200,
        "- " * 200 + "a",
        "a: &a b\n" + "c: *a\n" * 20,
        "'\\n'",
        '"\\q"',
        "a: b: c\n",
        "- - - a",
    ),
)
SIGNS = (
    *"abc: -[]{},#&*!|>'\"%@?~<\n\t\\ 01.=/",
    "\n  ",
    "\n- ",
    ": ",
    "&a ",
    "*a ",
    "!!str ",
    "--- ",
    "é",
    "<<: ",
)
needs_libyaml = pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="PyYAML has no libyaml here")


def read_yaml(source: str, *, aliases: bool = True) -> tuple[str, str]:
    """Return "value" and the value of a text, or "failure" and the message."""
    try:
        return "value", repr(yaml_format.read_yaml(source, aliases=aliases))
    except Failure as failure:
        return "failure", str(failure)
    except AttributeError:  # an `!!omap` with an item that is no pair
        return "failure", ""


def read_without_libyaml(
    source: str, monkeypatch: pytest.MonkeyPatch, *, aliases: bool = True
) -> tuple[str, str]:
    """Return the result of `read_yaml` if PyYAML reads the text."""
    with monkeypatch.context() as patch:
        patch.setattr(yaml_format, "_is_ambiguous", lambda source: True)
        return read_yaml(source, aliases=aliases)


@needs_libyaml
@pytest.mark.parametrize("source", HARD, ids=ascii)
@pytest.mark.parametrize("aliases", [True, False])
def test_libyaml_and_pyyaml_read_the_same(
    source: str, aliases: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_yaml(source, aliases=aliases) == read_without_libyaml(source, monkeypatch, aliases=aliases)


def mutate(source: str, chance: random.Random) -> str:
    """Return a text with some signs inserted or deleted."""
    signs = list(source[:200])
    for _ in range(chance.randint(0, 4)):
        index = chance.randint(0, len(signs))
        if chance.random() < 0.6:
            signs.insert(index, chance.choice(SIGNS))
        else:
            del signs[index : index + chance.randint(1, 3)]
    return "".join(signs)


@needs_libyaml
def test_libyaml_and_pyyaml_read_the_same_from_mutated_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(20)
    for _ in range(1500):
        source = mutate(chance.choice(HARD), chance)
        assert read_yaml(source) == read_without_libyaml(source, monkeypatch), source


@needs_libyaml
def test_plain_data_is_read_by_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    get_loader = yaml_format._get_loader

    def record_name(name: str) -> Any:
        names.append(name)
        return get_loader(name)

    monkeypatch.setattr(yaml_format, "_get_loader", record_name)
    assert yaml_format.read_yaml("a: [1, 'x']\nb: &c {d: e}\n") == {"a": [1, "x"], "b": {"d": "e"}}
    assert names == ["CSafeLoader"]


def test_pyyaml_reads_plain_data_if_libyaml_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    get_loader = yaml_format._get_loader
    monkeypatch.setattr(
        yaml_format, "_get_loader", lambda name: None if name == "CSafeLoader" else get_loader(name)
    )
    assert yaml_format.read_yaml("a: [1, 'x']\n") == {"a": [1, "x"]}
