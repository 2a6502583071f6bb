"""Deep values and recursion do not end the runtime: the worker of a browser has one small stack."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.site import NOTEBOOKS, iterate_code, pack
from tests.pyodide.distribution import FOLDER, NODE, SECONDS, find_missing_requirement
from tests.pyodide.test_kernel import make_execution
from tests.reliability.hostile_cells import CELLS, SHAPES, USES

pytestmark = pytest.mark.skipif(bool(find_missing_requirement()), reason=find_missing_requirement())
WORKER_STACK = 480  # kB; the workers of browsers have a little more.
CELL_SECONDS = 1  # Two cells do not end; the others take at most as long.
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


def iterate_programs() -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the cells of each program; one cell makes a value for all its uses.

    Deep values have all uses. Doubled values need little stack: each has every sixth use.
    """
    for index, (shape, source) in enumerate(DEEP.items()):
        start, step = (0, 1) if shape.startswith("deep") else (index % 6, 6)
        yield shape, ["%reset", f"$v = {source} notice(1)"]
        yield from ((f"{shape}, {use}", [USES[use]]) for use in list(USES)[start::step])
    yield from ((name, [cell]) for name, cell in PROGRAMS.items())


def test_the_runtime_survives_deep_values_and_recursion(tmp_path: Path) -> None:
    cells = [(name, cell) for name, sources in iterate_programs() for cell in sources]
    requests = [
        *(make_execution(cell) for _, cell in cells),
        make_execution("%reset"),
        make_execution("'it ' + 'lives'"),
        make_execution("1 + 1"),
    ]
    (tmp_path / "requests.json").write_text(json.dumps(requests), encoding="utf-8")
    pack(tmp_path / "code.zip", iterate_code())
    pack(tmp_path / "files.zip", ((path, path.relative_to(NOTEBOOKS)) for path in NOTEBOOKS.rglob("*")))
    command = [
        *(NODE or "node", f"--stack-size={WORKER_STACK}", FOLDER / "hostile.mjs", os.environ["PYODIDE"]),
        *(tmp_path / "requests.json", tmp_path / "code.zip", tmp_path / "files.zip", str(CELL_SECONDS)),
    ]
    process = subprocess.run(command, capture_output=True, text=True, timeout=2 * SECONDS)
    replies: list[Any] = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("[[")]
    last = cells[len(replies)][0] if len(replies) < len(cells) else "nothing"
    assert len(replies) == len(requests), f"{last} ended the runtime: {process.stderr[-500:]}"
    failures = [
        (name, reply)
        for (name, _), reply in zip(cells, replies, strict=False)
        if "INTERNAL_ERROR" in str(reply)
    ]
    assert not failures
    assert any(kind == "execute_result" and '"2"' in content for kind, content in replies[-1])
