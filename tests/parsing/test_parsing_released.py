"""The parser has the results of the released Puppet, recorded and installed."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lexer_parser import PUPPET, PuppetError, parse, to_pn, tokenize

DATA = Path(__file__).parent / "data"
MODULES = Path("/usr/share/puppet/modules")


def read_cases(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize(
    "case", read_cases("released.jsonl"), ids=lambda case: case["source"][:40] or "nothing"
)
def test_a_source_has_the_tree_or_the_error_of_the_released_puppet(case):
    try:
        result = {"pn": to_pn(parse(case["source"], epp=case.get("epp", False), dialect=PUPPET))}
    except PuppetError as error:
        text = str(error)
        if "(line" not in case.get("error", "(line"):  # the released Puppet reports no position
            text = re.sub(r" \(line: \d+, column: \d+\)$", "", text)
        result = {"error": text}
    assert result == {key: case[key] for key in ("pn", "error") if key in case}


@pytest.mark.parametrize("case", read_cases("tokens.jsonl"), ids=lambda case: case["source"][:40])
def test_a_source_has_the_tokens_of_the_released_puppet(case):
    """Values of tokens are compared if those of the released lexer are texts."""
    ours = [
        (name, "" if value is None else str(value))
        for name, value, *_ in tokenize(case["source"], PUPPET, epp=case.get("epp", False))
    ]
    theirs = [tuple(token) for token in case["tokens"]]
    assert [name for name, _ in ours] == [name for name, _ in theirs]
    for (name, value), (_, text) in zip(ours, theirs, strict=True):
        if name == "REGEX":
            assert text == f"(?-mix:{value})"
        elif name not in ("SUBLOCATE", "EPP_START", "RENDER_EXPR"):
            assert value == text


@pytest.mark.skipif(not shutil.which("puppet"), reason="the released Puppet is not installed")
@pytest.mark.skipif(not MODULES.is_dir(), reason="no Puppet modules are installed")
def test_manifests_of_installed_modules_have_the_tree_of_the_installed_puppet():
    """Every second manifest is compared."""
    files = sorted(str(path) for folder in MODULES.iterdir() for path in folder.resolve().rglob("*.pp"))[::2]
    compared = 0
    for start in range(0, len(files), 500):
        batch = files[start : start + 500]
        command = ["puppet", "parser", "dump", "--format", "pn", *batch]
        dump = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        if len(batch) == 1:
            dump = f"--- {batch[0]}{dump}"
        for part in dump.split("--- /")[1:]:
            path = next(each for each in batch if part.startswith(each[1:]))
            text = Path(path).read_bytes().decode()
            expected = part.removeprefix(path[1:]).strip()
            assert to_pn(parse(text, name=path, validate=False, dialect=PUPPET)) == expected, path
            compared += 1
    assert compared > 0.95 * len(files)
