"""Completion scripts and the manual page contain every option and are valid."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from puppet_kernel.__main__ import main
from puppet_kernel.cli.man import SHELLS
from puppet_kernel.cli.options import EXIT_CODES, OPTIONS


def run_main(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command, which must succeed, and return its standard output."""
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_script_contains_every_option(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    text = run_main(capsys, "--completion", shell)
    for option in OPTIONS:
        for name in option.names:
            assert (name.lstrip("-") if shell == "fish" else name) in text


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_script_is_valid_in_its_shell(
    capsys: pytest.CaptureFixture[str], shell: str, tmp_path: Path
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    script = tmp_path / "script"
    script.write_text(run_main(capsys, "--completion", shell))
    assert subprocess.run([shell, "-n", str(script)], check=False).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--dialect", ""], ["spec", "puppet", "puppet7", "openvox9"]),
        (["--dialect", "p"], ["puppet", "puppet7"]),
        (["--strict-"], ["--strict-variables"]),
        (["--node", ""], []),
    ],
)
def test_bash_completes_options_and_their_values(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], expected: list[str]
) -> None:
    script = tmp_path / "script"
    script.write_text(run_main(capsys, "--completion", "bash"))
    line = " ".join(f"'{word}'" for word in ["puppet-repl", *arguments])
    code = f'source {script}; COMP_WORDS=({line}); COMP_CWORD={len(arguments)}; _puppet_repl; echo "${{COMPREPLY[@]}}"'
    result = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == expected


def test_the_manual_describes_every_option(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "puppet-repl.1"
    page.write_text(run_main(capsys, "--man"))
    assert EXIT_CODES.partition(": ")[2] in page.read_text()
    for option in OPTIONS:
        assert option.words.replace("-", r"\-") in page.read_text()
    if shutil.which("man") is None:
        pytest.skip("there is no man here")
    result = subprocess.run(
        ["man", "-l", "--warnings", str(page)], capture_output=True, text=True, check=True
    )
    assert not result.stderr
    assert "--hiera-config FILE" in result.stdout
