"""`--enc`: the classification of a node from a file, or from a program that may be run."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from puppet_kernel.__main__ import main
from puppet_kernel.user_files import node_data


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, an environment with a class that a classifier can declare."""
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text('class a($x) { notify { "${x} on ${y}": } }')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_classifier(site: Path, text: str) -> None:
    """Write an executable shell script `classify`."""
    path = site / "classify"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


ARGUMENTS = ["--environment", ".", "--enc", "classify", "--node", "web01", "--catalog"]


def test_a_program_classifies_the_node(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_classifier(site, 'printf "classes: {a: {x: $1}}\\nparameters: {y: here}\\n"')
    assert main([*ARGUMENTS, "--allow", "generate"]) == 0
    assert "notify { 'web01 on here':" in capsys.readouterr().out.lower()


@pytest.mark.parametrize(
    ("text", "allowed", "message"),
    [
        ("touch ran", False, "classify is a program: it runs only with `--allow generate`"),
        ("echo no such node >&2; exit 3", True, "classify web01 ended with 3: no such node"),
        ("echo '- 1'", True, "the classification in classify web01: expected a mapping of names to values"),
        ("printf '\\377'", True, "cannot read the classification in classify web01: it is not UTF-8"),
    ],
)
def test_a_program_without_a_classification_is_an_error(
    site: Path, capsys: pytest.CaptureFixture[str], text: str, allowed: bool, message: str
) -> None:
    write_classifier(site, text)
    assert main([*ARGUMENTS, *(["--allow", "generate"] if allowed else [])]) == 2
    assert message in capsys.readouterr().err
    assert not (site / "ran").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("yes", "classify web01 wrote more than 64,000,000 bytes"),
        ("sleep 99", "classify web01 did not answer within 1 seconds"),
        ("exec >&- 2>&-; sleep 99", "classify web01 did not answer within 1 seconds"),
        ("yes >&2 & sleep 99", "classify web01 did not answer within 1 seconds"),
    ],
)
def test_a_program_is_stopped_at_its_limits(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.setattr(node_data, "CLASSIFIER_SECONDS", 1)
    write_classifier(site, text)
    assert main([*ARGUMENTS, "--allow", "generate"]) == 2
    assert message in capsys.readouterr().err


def test_processes_that_a_program_leaves_behind_are_ended(site: Path) -> None:
    write_classifier(
        site, 'echo "classes: {}"; (touch early; sleep 0.5; touch late) & while [ ! -e early ]; do :; done'
    )
    assert main([*ARGUMENTS, "--allow", "generate"]) == 0
    time.sleep(1)
    assert (site / "early").exists() and not (site / "late").exists()


def test_data_is_read_up_to_the_limit(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_data, "MAX_BYTES", 3_000_000)
    assert main(["--facts", "/dev/zero", "-e", "1"]) == 2
    assert "cannot read the facts in /dev/zero: it has more than 3,000,000 bytes" in capsys.readouterr().err


def test_a_file_that_is_no_program_is_an_error(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "classify").write_bytes(b"\0")
    (site / "classify").chmod(0o755)
    assert main([*ARGUMENTS, "--allow", "generate"]) == 2
    assert "cannot run classify" in capsys.readouterr().err
