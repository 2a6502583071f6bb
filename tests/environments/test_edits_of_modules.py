"""After each edit of module files, a compilation has the result of a new process."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evaluator import Session
from evaluator.program import stat_cache
from tests.files import write_files
from tests.structure import ROOT

EDITS = 60
METADATA = {"name": "x-m", "version": "1", "source": "", "author": "", "license": "", "dependencies": []}
# The texts of each file; some define nothing or another name, or have errors.
TEXTS = {
    "types/a.pp": (
        "type M::A = Integer[1, 9]",
        "type M::A = String[1, 9]",
        "type M::A = M::B",
        "type M::X = Any",
        "x",
    ),
    "types/b.pp": (
        "type M::B = Array[M::A]",
        "type M::B = Variant[M::A, Boolean]",
        "type M::B = Type[M::D]",
        "",
    ),
    "types/c.pp": ("type M::C = Struct[{ a => M::A, Optional[b] => M::B }]", "type M::C = Tuple[M::B, M::A]"),
    "manifests/init.pp": (
        'class m (M::A $a = 1, M::C $c = { a => 1 }) { notify { "${a} ${c}": } include m::e }',
        "class m ($a = 'd') { m::d { 'x': a => $a } contain m::e }",
        "class m inherits m::e { notify { m::f(3): } }",
        "class m {",
    ),
    "manifests/d.pp": (
        'define m::d (M::A $a = 1) { notify { "d ${title} ${a}": } }',
        "define m::d ($a = undef) { m_t { $title: size => 1 } }",
    ),
    "manifests/e.pp": ("class m::e ($v = 'none') { notice($v) }", "class m::e { $v = 2 notice(m::f($v)) }"),
    "functions/f.pp": ('function m::f($x) { "f${x}" }', 'function m::f(M::A $x) >> String { "g${x}" }'),
    "lib/puppet/type/m_t.rb": (
        "Puppet::Type.newtype(:m_t) { newparam(:name) {}; newproperty(:size) {} }\n",
        "Puppet::Type.newtype(:m_t) { newparam(:name) {}; newproperty(:wide) {} }\n",
    ),
    "hiera.yaml": (
        "version: 5\nhierarchy: [{ name: c, path: common.yaml }]\n",
        "version: 5\nhierarchy: [{ name: c, path: other.yaml }]\n",
        "version: 5\nhierarchy: [1]\n",
    ),
    "data/common.yaml": ("m::a: 5\nm::e::v: one\n", "m::a: text\n", "m::a: [", "m::e::v: two\n"),
    "data/other.yaml": ("m::e::v: six\n", "m::a: 7\n"),
    "metadata.json": ('{"name": "x-m"}', json.dumps(METADATA)),
}
KINDS = ("write", "write", "write", "dated", "delete", "rename", "folder", "link", "file link", "copy")
PROGRAMS = (
    "include m",
    "m::d { 't': }",
    "[m::f(1), 1 =~ M::A, [1] =~ M::B, true =~ M::B, { a => 1 } =~ M::C]",
    "m_t { 'x': size => 2 }",
    "notice(lookup('m::e::v', { default_value => 'none' }))\ninclude m::e",
)
# A process that forks for each line of its input, and compiles in the child. Such a child has no caches, like a new
# process, but needs no time for imports: the parent imports the modules that its children have imported.
NEW_PROCESS = """
import importlib, os, sys
from contextlib import suppress
from tests.environments.test_edits_of_modules import compile_all
for line in sys.stdin:
    reader, writer = os.pipe()
    if not os.fork():
        print(repr(compile_all(line.rstrip())), flush=True)
        os.write(writer, " ".join(sys.modules).encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as names:
        for name in {*names.read().split()} - {*sys.modules}:
            with suppress(ImportError):
                importlib.import_module(name)
    os.wait()
"""


def compile_all(modulepath: str) -> str:
    """Return the results of all programs, each in a session of its own."""
    results = []
    for program in PROGRAMS:
        session = Session("puppet", modulepath=[modulepath])
        outcome = session.run(program)
        logs = [f"{line.level}: {line.message}" for line in outcome.logs]
        result = (
            str(outcome.error) if outcome.error is not None else [outcome.text, session.catalog().summary()]
        )
        results.append([result, logs])
    return json.dumps(results, default=str, indent=1)


def write_module(module: Path, random: Random) -> None:
    write_files(
        module,
        {path: texts[0] if random.random() < 0.7 else random.choice(texts) for path, texts in TEXTS.items()},
    )


def edit_module(root: Path, random: Random) -> str:
    """Change a file or the folder of the module at random and return a description."""
    module = root / "modules" / "m"
    path = random.choice(list(TEXTS))
    file, text = module / path, random.choice(TEXTS[path])
    kind = random.choice(KINDS)
    if kind in ("folder", "link", "copy"):
        if module.is_symlink():
            module.unlink()
        else:
            shutil.rmtree(module, ignore_errors=True)
        other = root / random.choice(["one", "two"])
        if kind == "link":
            module.symlink_to(random.choice([other, Path("..", other.name)]))
        elif kind == "copy":
            shutil.copytree(other, module, symlinks=True)
        else:
            write_module(module, random)
        return kind
    if kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "rename" and file.exists():
        target = file.with_name(f"away_{file.name}")
        file.replace(target) if random.random() < 0.5 else file.parent.replace(
            file.parent.with_name(f"away{random.random()}")
        )
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        status = file.stat() if file.exists() else None
        if kind == "file link":
            file.unlink(missing_ok=True)
            (root / "linked").mkdir(exist_ok=True)
            target = module / f"linked_{file.name}"
            target.write_text(text)
            file.symlink_to(target.name)
        else:
            file.write_text(text)
        if kind == "dated" and status is not None:  # some tools preserve the times of files
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    return f"{kind} {path}"


@pytest.mark.slow
@pytest.mark.parametrize("watches", [True, False])
@pytest.mark.parametrize("trusts_stamps", [True, False])
def test_each_edit_is_detected_by_the_next_compilation(
    trusts_stamps: bool, watches: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if watches:  # watch all folders from the first run
        monkeypatch.setattr(stat_cache, "_LEAST_QUIET_RUNS", 0)
        monkeypatch.setattr(stat_cache, "_watch", stat_cache._FolderWatch())
    if trusts_stamps:  # treat each file as old
        monkeypatch.setattr(stat_cache, "_YOUNG_NANOSECONDS", 0)
    random = Random(trusts_stamps + 2 * watches)
    for name in ("one", "two", "modules/m"):
        write_module(tmp_path / name, random)
    edits = []
    modulepath = str(tmp_path / "modules")
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", NEW_PROCESS], cwd=ROOT, **pipes) as new_process:
        compile_all(modulepath)
        for _ in range(EDITS // 4):
            edits.append(edit_module(tmp_path, random))
            result = compile_all(modulepath)
            print(modulepath, file=new_process.stdin, flush=True)
            assert result == ast.literal_eval(new_process.stdout.readline()), edits
            assert not watches or stat_cache._watch.stamps or sys.platform != "linux"
    stat_cache._watch.end()
