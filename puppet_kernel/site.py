"""A site on which the kernel runs in the browser.

python -m puppet_kernel.site OUT [--pyodide DIR] [--notebooks DIR]

OUT          the folder of the site, which any web server can serve
--pyodide    a folder with a distribution of Pyodide to include; by default the published one is used
--notebooks  the folder with the notebooks and the files that they read; by default those of this project
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

from puppet_kernel import __version__
from puppet_kernel.cli.options import UsageError, convert_to_usage_error, refuse_if

PACKAGE = Path(__file__).parent
STATIC = PACKAGE / "browser" / "static"
LOGOS = PACKAGE / "kernelspecs" / "puppet"
NOTEBOOKS = PACKAGE.parent / "notebooks"
NAME = "puppet-kernel"
VERSION = "314.0.7"  # of Pyodide
PUBLISHED = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
# The files of a distribution that the browser loads, and a package that some distributions contain.
NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = ("regex",)
# The packages whose code the kernel needs, each with its folders that the kernel does not need.
CODE = {
    "lexer_parser": (),
    "evaluator": (),
    "puppet_kernel": ("kernelspecs", "browser/static"),
    "yaml": (),
    "traitlets": ("config", "tests"),
    "pygments": ("lexers", "styles"),
}
LIST_NAME = ".puppet-kernel-site"  # the file that lists the files of a site that this program created
CELL_SECONDS = 30  # the time limit of a cell, because only a new kernel could stop it in a browser
KERNELS = (
    {"name": "puppet", "display_name": "Puppet", "language": "puppet", "dialect": "spec"},
    {
        "name": "puppet-released",
        "display_name": "Puppet (as released)",
        "language": "puppet",
        "dialect": "puppet",
    },
)
MANIFEST = {
    "name": NAME,
    "version": __version__,
    "description": "The Puppet language in a notebook, with nothing installed",
    "license": "Apache-2.0",
    "jupyterlab": {
        "extension": True,
        "_build": {"load": "static/extension.js", "extension": "./extension"},
    },
}


def build(out: Path, notebooks: Path = NOTEBOOKS, pyodide: Path | None = None) -> None:
    """Build the site, or raise UsageError if something is missing."""
    refuse_if(
        importlib.util.find_spec("jupyterlite_core") is None,
        "the site is built by JupyterLite: pip install 'puppet-kernel[site]'",
    )
    refuse_if(not list(notebooks.glob("*.ipynb")), f"there are no notebooks in {notebooks}")
    packages = list(PACKAGES) if pyodide is None else find_packages(pyodide)
    prepare_folder(out)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        address = PUBLISHED if pyodide is None else "../../../pyodide/"
        settings = {"pyodide": address, "packages": packages, "seconds": CELL_SECONDS, "kernels": KERNELS}
        make_extension(work / "extension", notebooks, settings)
        site = work / "site"
        build_application(work, site, notebooks.resolve())
        shutil.copy(site / "lab" / "favicon.ico", site)  # browsers request it before a page names another one
        if pyodide is not None:
            (site / "pyodide").mkdir(exist_ok=True)
            for name in (*NEEDED, *(entry["file_name"] for entry in read_lock(pyodide, packages))):
                shutil.copy(pyodide / name, site / "pyodide" / name)
        replace_site(out, site)


def prepare_folder(out: Path) -> list[str]:
    """Make the folder of the site, and return the names of the files of an earlier call.

    It is called before the long work, so that this is not done in vain, and again before files are replaced.

    Raises:
        UsageError: The folder cannot be written, or contains something that this program did not create.
    """
    with convert_to_usage_error(OSError, lead=f"cannot write {out}: "):
        out.mkdir(parents=True, exist_ok=True)
        list_file = out / LIST_NAME
        listed = (
            list_file.read_text(encoding="utf-8", errors="replace").splitlines()
            if list_file.is_file()
            else []
        )
        present = {*_list_names(out)}  # the list may come from somebody else and name files elsewhere
        created = [name for name in listed if name in present]
        others = sorted(present - {*created, LIST_NAME})
        if others:
            raise UsageError(
                f"{out} contains files that this program did not create, for example {others[0]}"
            )
        list_file.write_text("\n".join(created), encoding="utf-8")
    return created


def _list_names(folder: Path) -> list[str]:
    """Return the relative paths of everything in a folder; a folder precedes its contents."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def replace_site(out: Path, site: Path) -> None:
    """Replace the site in a folder.

    Raises:
        UsageError: The folder cannot be written, or contains something that this program did not create.
    """
    created, new = prepare_folder(out), _list_names(site)
    with convert_to_usage_error(OSError, shutil.Error, lead=f"cannot write {out}: "):
        (out / LIST_NAME).write_text("\n".join(sorted({*created, *new})), encoding="utf-8")
        for path in (out / name for name in reversed(created)):
            if path.is_dir() and not path.is_symlink():
                with suppress(OSError):  # something was added meanwhile
                    path.rmdir()
            else:
                path.unlink(missing_ok=True)
        shutil.copytree(site, out, dirs_exist_ok=True)
        (out / LIST_NAME).write_text("\n".join(new), encoding="utf-8")


def read_lock(pyodide: Path, names: list[str]) -> list[dict[str, Any]]:
    """Return the entries of packages in the lock file of Pyodide, or raise UsageError."""
    for name in NEEDED:
        refuse_if(
            not (pyodide / name).is_file(),
            f"{pyodide} is not a distribution of Pyodide {VERSION}: there is no {name}",
        )
    entries = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    return [entries[name] for name in names if name in entries]


def find_packages(pyodide: Path) -> list[str]:
    """Return the packages whose files are in a distribution."""
    return [
        entry["name"]
        for entry in read_lock(pyodide, list(PACKAGES))
        if (pyodide / entry["file_name"]).is_file()
    ]


def make_extension(folder: Path, notebooks: Path, settings: dict[str, Any]) -> None:
    """Make the extension of JupyterLite: JavaScript, Python, and files of notebooks."""
    static = folder / "static"
    shutil.copytree(STATIC, static)
    (folder / "package.json").write_text(json.dumps(MANIFEST, indent=2), encoding="utf-8")
    (static / "settings.json").write_text(json.dumps(settings, indent=2), encoding="utf-8")
    for source, target in (("logo-svg.svg", "logo.svg"), ("logo-64x64.png", "logo-64x64.png")):
        shutil.copy(LOGOS / source, static / target)
    pack(static / "code.zip", iterate_code())
    # Everybody can download the packed files.
    own = (path for path in notebooks.rglob("*") if not path.is_symlink())
    pack(static / "files.zip", ((path, path.relative_to(notebooks)) for path in own))


def iterate_code() -> Iterator[tuple[Path, Path]]:
    """Yield the files of the Python packages that the kernel needs, each with its target path."""
    for package, unneeded in CODE.items():
        root = Path(str(files(package)))
        for path in sorted(root.rglob("*")):
            inner = f"/{path.relative_to(root).as_posix()}"
            if path.suffix != ".so" and not any(f"/{name}/" in inner for name in ("__pycache__", *unneeded)):
                yield path, path.relative_to(root.parent)


def pack(archive: Path, paths: Iterator[tuple[Path, Path]]) -> None:
    """Write files into an archive, each with its target path; hidden ones are omitted."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, target in paths:
            if path.is_file() and not any(part.startswith(".") for part in target.parts):
                packed.write(path, target)


def build_application(work: Path, out: Path, notebooks: Path) -> None:
    """Let JupyterLite build its application with the extension, or raise UsageError.

    Args:
        work: The working folder, which contains the extension.
        out: The folder of the application.
        notebooks: The folder with the notebooks.
    """
    site = {"appName": "Puppet", "defaultKernelName": KERNELS[0]["name"]}
    config = {"jupyter-lite-schema-version": 0, "jupyter-config-data": site}
    (work / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "jupyterlite_core",
        "build",
        "--lite-dir",
        str(work),
        "--output-dir",
        str(out),
        "--contents",
        str(notebooks),
        # hidden files in the folder of the notebooks belong to other programs
        *("--LiteBuildConfig.extra_ignore_contents", r"/\."),
        *("--LiteBuildConfig.federated_extensions", str(work / "extension")),
        "--LiteBuildConfig.ignore_sys_prefix=True",
        "--no-sourcemaps",
        "--no-unused-shared-packages",
    ]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    refuse_if(done.returncode, f"JupyterLite could not build the site:\n{done.stdout}{done.stderr}")


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit code."""
    paths: dict[str, Path] = {}
    try:
        rest = iter(arguments)
        for argument in rest:
            name = argument if argument in ("--pyodide", "--notebooks") else "OUT"
            value = argument if name == "OUT" else next(rest, "")
            refuse_if(not value or value.startswith("-") or name in paths, f"unknown argument {argument}")
            paths[name] = Path(value)
        refuse_if("OUT" not in paths, "the folder for the site is missing")
        build(paths["OUT"], paths.get("--notebooks", NOTEBOOKS), paths.get("--pyodide"))
    except UsageError as problem:
        print(problem, __doc__, sep="\n\n", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
