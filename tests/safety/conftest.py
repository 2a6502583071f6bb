"""A module path with links, a working folder, and a folder outside that must stay unknown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


class Folders:
    """The folders of a test.

    Attributes:
        modules: The module path, with the module `m`.
        outside: A folder that programs may not access.
        work: The working folder.
    """

    def __init__(self, root: Path) -> None:
        self.modules = root / "modules"
        self.outside = root / "outside"
        self.work = root / "work"
        for folder in (self.outside, self.work, self.modules):
            folder.mkdir()
        for folder in ("files", "templates", "manifests", "functions", "types", "lib"):
            (self.modules / "m" / folder).mkdir(parents=True)
            (self.modules / "m" / folder / "link").symlink_to(self.outside / "secret")
            (self.modules / "m" / folder / "folder").symlink_to(self.outside)
        for folder in ("manifests", "functions", "types"):
            (self.modules / "m" / folder / "stolen.pp").symlink_to(self.outside / "secret.pp")
        (self.modules / "linked").symlink_to(self.modules / "m")
        (self.modules / "m" / "hiera.yaml").symlink_to(self.outside / "secret.yaml")
        (self.modules / "m" / "metadata.json").symlink_to(self.outside / "secret.json")
        (self.modules / "m" / "files" / "motd").write_text("hello")
        (self.work / "note").write_text("here")
        (self.work / "link").symlink_to(self.outside / "secret")
        (self.work / "facts.yaml").symlink_to(self.outside / "secret.yaml")
        os.mkfifo(self.work / "pipe")

    NAMES = ("secret", "secret.pp", "secret.yaml", "secret.json", "secret.epp")

    def fill(self) -> None:
        """Write files into the folder outside."""
        for name in self.NAMES:
            (self.outside / name).write_text("class m::stolen { notify { 'stolen': } }\n")

    def empty(self) -> None:
        """Remove the files of the folder outside."""
        for name in self.NAMES:
            (self.outside / name).unlink(missing_ok=True)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    made = Folders(tmp_path)
    monkeypatch.chdir(made.work)
    return made
