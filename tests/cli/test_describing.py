"""Completion scripts and the manual page: each names every option, and its reader understands it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from puppet_kernel.__main__ import main
from puppet_kernel.cli.man import SHELLS
from puppet_kernel.cli.options import EXIT_CODES, OPTIONS


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_knows_every_option(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    text = printed(capsys, "--completion", shell)
    for option in OPTIONS:
        for name in option.names:
            assert (name.lstrip("-") if shell == "fish" else name) in text


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_can_be_read(capsys: pytest.CaptureFixture[str], shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    script = tmp_path / "script"
    script.write_text(printed(capsys, "--completion", shell))
    assert subprocess.run([shell, "-n", str(script)], check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--dialect", ""], ["spec", "puppet", "puppet7", "openvox9"]),
        (["--dialect", "p"], ["puppet", "puppet7"]),
        (["--strict-"], ["--strict-variables"]),
        (["--node", ""], []),
    ],
)
def test_bash_completes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], found: list[str]
) -> None:
    script = tmp_path / "script"
    script.write_text(printed(capsys, "--completion", "bash"))
    line = " ".join(f"'{word}'" for word in ["puppet-repl", *words])
    code = f'source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _puppet_repl; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == found


def test_the_manual_tells_every_option(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "puppet-repl.1"
    page.write_text(printed(capsys, "--man"))
    assert EXIT_CODES.partition(": ")[2] in page.read_text()
    for option in OPTIONS:
        assert option.words.replace("-", r"\-") in page.read_text()
    if shutil.which("man") is None:
        pytest.skip("there is no man here")
    done = subprocess.run(["man", "-l", "--warnings", str(page)], capture_output=True, text=True, check=True)
    assert not done.stderr
    assert "--hiera-config FILE" in done.stdout
