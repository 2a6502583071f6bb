"""The releases to compare with: the installed one and unpacked newer ones.

    python -m tests.released.unpacking FOLDER      unpack Debian's packages of the newer releases
    PUPPET_KERNEL_RELEASES=FOLDER pytest ...       compare with them, too

The newer releases share libraries with the installed one and are not installed themselves.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# By dialect: the package, the Debian suite that contains it, and options of Ruby for its library.
PACKAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "puppet": ("puppet-agent", "trixie", ()),
    "openvox9": ("ruby-openvox", "sid", ("-rset",)),
}
FOLDER = os.environ.get("PUPPET_KERNEL_RELEASES", "")


def find_options(dialect: str) -> list[str] | None:
    """Return the options of Ruby that load the release of a dialect, or None if it is missing."""
    if shutil.which("ruby") is None or shutil.which("puppet") is None:
        return None
    if dialect not in PACKAGES:
        return []
    package, _, options = PACKAGES[dialect]
    library = next(Path(FOLDER, package).glob("usr/**/puppet/version.rb"), None) if FOLDER else None
    return None if library is None else [*options, "-I", str(library.parent.parent)]


def unpack(folder: Path) -> None:
    """Download the packages of the newer releases into a folder and unpack them there."""
    for part in ("lists/partial", "cache/archives/partial", "sources"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    [keys, *_] = sorted(Path("/usr/share/keyrings").glob("debian-archive-keyring.*g*"))
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    addresses = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    archive = next(uri for uri in addresses if uri.rstrip("/").endswith("/debian"))
    for _, suite, _ in PACKAGES.values():
        source = f"Types: deb\nURIs: {archive}\nSuites: {suite}\nComponents: main\nSigned-By: {keys}\n"
        (folder / "sources" / f"{suite}.sources").write_text(source, encoding="utf-8")
    directories = {
        "Etc::sourcelist": "/dev/null",
        "Etc::sourceparts": folder / "sources",
        "State::lists": folder / "lists",
        "Cache": folder / "cache",
    }
    apt = [
        "apt-get",
        "-q",
        "-oAPT::Sandbox::User=root",
        *(f"-oDir::{name}={path}" for name, path in directories.items()),
    ]
    subprocess.run([*apt, "update"], check=True)
    for package, suite, _ in PACKAGES.values():
        subprocess.run([*apt, "download", f"{package}/{suite}"], check=True, cwd=folder)
        [downloaded, *_] = folder.glob(f"{package}_*.deb")
        subprocess.run(["dpkg", "-x", downloaded, folder / package], check=True)


if __name__ == "__main__":
    unpack(Path(sys.argv[1]).resolve())
