"""Ruby scripts for the released Puppet, each in a fork of a process that has loaded it."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

FORKING = Path(__file__).with_name("forking.rb")


def is_installed() -> bool:
    """Return True if the released Puppet is installed."""
    return shutil.which("ruby") is not None and shutil.which("puppet") is not None


@cache
def _start(options: tuple[str, ...]) -> subprocess.Popen[str]:
    """Return the process that has loaded Puppet, which takes almost a second."""
    process = subprocess.Popen(
        ["ruby", "-E", "UTF-8:UTF-8", *options, str(FORKING)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    atexit.register(process.communicate)
    return process


def run_script(script: Path, text: str, *arguments: object, options: Sequence[str] = ()) -> str:
    """Return the output of a script for an input; it must succeed.

    Args:
        script: The script.
        text: The input.
        arguments: The arguments of the script.
        options: The options of Ruby that load another release.
    """
    process = _start(tuple(options))
    assert process.stdin is not None and process.stdout is not None
    with TemporaryDirectory() as folder:
        input_file, output_file, errors = (Path(folder, name) for name in ("input", "output", "errors"))
        input_file.write_text(text, encoding="utf-8", newline="")
        command = [*map(str, (script, input_file, output_file, errors, *arguments))]
        process.stdin.write(json.dumps(command) + "\n")
        process.stdin.flush()
        assert process.stdout.readline() == "true\n", errors.read_text(encoding="utf-8")
        return output_file.read_text(encoding="utf-8")
