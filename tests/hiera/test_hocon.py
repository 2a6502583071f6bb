"""`hocon_data`: a parser for HOCON with the results of the library in Ruby."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.hiera.hocon import read_hocon
from evaluator.issues import Failure
from lexer_parser.errors import PuppetError
from tests.files import write_files

TEXTS = Path(__file__).with_name("hocon.txt").read_text(encoding="utf-8").split("\n----\n")


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_the_recorded_data_or_error(text: str) -> None:
    source, mark, expected = text.rstrip("\n").rpartition("\n=> ")
    if mark:
        assert json.dumps(read_hocon(source)) == json.dumps(json.loads(expected))
        return
    source, mark, expected = text.rstrip("\n").rpartition("\n!! ")
    with pytest.raises(Failure) as caught:
        read_hocon(source)
    assert mark and str(caught.value) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 200,
        "a { " * 200,
        "a.b = ${a}\n" + "\n".join(f"k{n} = ${{k{n + 1}}}" for n in range(300)) + "\nk300 = 1",
        "a0 = [1]\n" + "\n".join(f"a{n + 1} = ${{a{n}}} ${{a{n}}}" for n in range(60)),
        "a0 = x\n" + "\n".join(f"a{n + 1} = ${{a{n}}}${{a{n}}}" for n in range(60)),
        "a = 1\n" + "b = [" + "${a}," * 10_001 + "]",
    ],
)
def test_deep_nesting_and_large_substitutions_are_refused(text: str) -> None:
    with pytest.raises((Failure, PuppetError)):
        read_hocon(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = 1" + " " * 2_000_000,
        'a = "' + "\\\\" * 1_000_000 + '"',
        'a = """' + 'x""y' * 500_000 + '"""',
        "a = " + "x/" * 1_000_000,
    ],
)
def test_the_memory_for_a_long_text_is_linear(text: str) -> None:
    tracemalloc.start()
    try:
        assert list(read_hocon(text)) == ["a"]
        assert tracemalloc.get_traced_memory()[1] < 20 * len(text)
    finally:
        tracemalloc.stop()


def test_many_substitutions_on_one_level_are_permitted() -> None:
    assert read_hocon("a = 1\n" + "b = [" + "${a}," * 9_000 + "]")["b"] == [1] * 9_000


def test_a_message_quotes_a_part_of_a_long_text() -> None:
    with pytest.raises(Failure) as caught:
        read_hocon("x" * 1_000_000)
    assert len(str(caught.value)) < 300


def test_a_level_of_hocon_is_read_and_its_errors_are_reported(tmp_path: Path) -> None:
    files = {
        "hiera.yaml": "version: 5\nhierarchy: [{name: H, data_hash: hocon_data, path: a.conf}]\n",
        "data/a.conf": 'base { port = 80 }\n"site::web" = ${base} { host = "%{facts.x}.example" }\n',
        "manifests/site.pp": "",
    }
    session = Session("puppet", environment=write_files(tmp_path, files), facts={"x": "y"})
    assert session.run("lookup('site::web')").text == "{'host' => 'y.example', 'port' => 80}"
    (tmp_path / "data/a.conf").write_text("a = 1\n\nb = ${HOME}\n")
    error = Session("puppet", environment=tmp_path).run("lookup('a')").error
    assert error.code == "DATA_FILE"
    assert (
        f"Unable to parse ({tmp_path}/data/a.conf): String: 3: Could not resolve substitution to a value: ${{HOME}}"
        in str(error)
    )
