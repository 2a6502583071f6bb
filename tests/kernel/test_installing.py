"""Kernels are installed for another environment or for the user."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpecManager

from puppet_kernel.__main__ import main


@pytest.mark.parametrize("form", ["--prefix={}", "--prefix {}"])
def test_kernels_are_installed_for_this_python(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", *form.format(tmp_path).split(" ")]) == 0
    kernels = tmp_path / "share" / "jupyter" / "kernels"
    specifications = KernelSpecManager(kernel_dirs=[str(kernels)], ensure_native_kernel=False).get_all_specs()
    assert specifications.keys() == {"puppet", "puppet-released"}
    specification = json.loads((kernels / "puppet-released" / "kernel.json").read_text())
    assert specification["argv"][:5] == [sys.executable, "-P", "-m", "puppet_kernel", "kernel"]
    assert specification["argv"][-2:] == ["--dialect", "puppet"]
    assert (kernels / "puppet" / "logo-64x64.png").exists()
    assert capsys.readouterr().out.count("installed ") == 2


def test_kernels_are_installed_for_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    assert main(["install", "--user"]) == 0
    assert (tmp_path / "kernels" / "puppet" / "kernel.json").exists()


@pytest.mark.parametrize("arguments", [[], ["--prefix"], ["--user", "--sys-prefix"], ["--elsewhere"]])
def test_unknown_or_contradictory_options_are_a_usage_error(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", *arguments]) == 2
    assert "--user, --sys-prefix and --prefix DIR" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["install", "--prefix", str(tmp_path / "file")]) == 2
    assert "cannot install the kernels" in capsys.readouterr().err
