"""Values within values without end do not end the runtime: a worker of a browser has little stack, and only one."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.site import NOTEBOOKS, iterate_code, pack
from tests.pyodide.distribution import FOLDER, NODE, SECONDS, missing
from tests.pyodide.test_kernel import execute
from tests.reliability.hostile_cells import CELLS, SHAPES, USES

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
WORKER_STACK = 480  # kB, of which a browser gives its workers a little more
CELL_SECONDS = 1  # two do not end; others take as long at most
DEEP = {shape: source for shape, source in SHAPES.items() if shape.startswith(("deep", "doubled"))}
PROGRAMS = {
    **{name: code for name, code in CELLS.items() if "recursi" in name or "deep" in name},
    "deep hashes": "{a=>" * 5000 + "1" + "}" * 5000,
    "deep lambdas": "[1].each |$x| {" * 2000 + "}" * 2000,
    "deep types": "Array[" * 3000 + "Integer" + "]" * 3000,
    "recursion in lambdas": "function f($x) { [1].map |$y| { f([$x]) } } f(1)",
    "recursion in a reduce": "function f($x) { [1, 2].reduce |$y, $z| { f([$x]) } } f(1)",
    "recursion in a text": 'function f($x) { "a${f($x)}b" } f(1)',
    "classes in classes": "\n".join(f"class c{i} {{ include c{i + 1} }}" for i in range(2000)) + "include c0",
    "laid out": "%format " + "[" * 3000 + "]" * 3000,
    "catalog of deep values": f"notify {{ 'a': message => {SHAPES['deep array']} }}",
    "catalog": "%catalog --json",
}


def groups() -> Iterator[tuple[str, list[str]]]:
    """What each is called, and its cells: a shape is made once for all its uses.

    What is deep is used in every way; of what is doubled, which lives in little stack, each way takes every sixth.
    """
    for place, (shape, source) in enumerate(DEEP.items()):
        start, step = (0, 1) if shape.startswith("deep") else (place % 6, 6)
        yield shape, ["%reset", f"$v = {source} notice(1)"]
        yield from ((f"{shape}, {use}", [USES[use]]) for use in list(USES)[start::step])
    yield from ((name, [cell]) for name, cell in PROGRAMS.items())


def test_it_lives_on(tmp_path: Path) -> None:
    cells = [(name, cell) for name, sources in groups() for cell in sources]
    given = [
        *(execute(cell) for _, cell in cells),
        execute("%reset"),
        execute("'it ' + 'lives'"),
        execute("1 + 1"),
    ]
    (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
    pack(tmp_path / "code.zip", iterate_code())
    pack(tmp_path / "files.zip", ((path, path.relative_to(NOTEBOOKS)) for path in NOTEBOOKS.rglob("*")))
    command = [
        *(NODE or "node", f"--stack-size={WORKER_STACK}", FOLDER / "hostile.mjs", os.environ["PYODIDE"]),
        *(tmp_path / "given.json", tmp_path / "code.zip", tmp_path / "files.zip", str(CELL_SECONDS)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=2 * SECONDS)
    answers: list[Any] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[[")]
    ended = cells[len(answers)][0] if len(answers) < len(cells) else "nothing"
    assert len(answers) == len(given), f"{ended} has ended it: {done.stderr[-500:]}"
    odd = [
        (name, answer)
        for (name, _), answer in zip(cells, answers, strict=False)
        if "INTERNAL_ERROR" in str(answer)
    ]
    assert not odd
    assert any(kind == "execute_result" and '"2"' in content for kind, content in answers[-1])
