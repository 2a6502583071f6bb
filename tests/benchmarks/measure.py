"""Measurements, each {name: (seconds of the project, seconds of the comparison or None)}."""

from __future__ import annotations

import gc
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from lexer_parser.dialect import PUPPET

HERE = Path(__file__).parent
MODULES = Path("/usr/share/puppet/modules")
ROUNDS = 3

Ratios = dict[str, tuple[float, float | None]]


def run_release(*arguments: str) -> dict[str, float] | None:
    """Return the seconds that `released.rb` measures, or None without the released Puppet."""
    if shutil.which("puppet") is None or shutil.which("ruby") is None:
        return None
    result = subprocess.run(["ruby", str(HERE / "released.rb"), *arguments], capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return json.loads(result.stdout)


def measure_best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the least CPU seconds of some rounds of an action."""
    times = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def list_manifests() -> list[Path]:
    """Return the manifests of the installed modules."""
    return sorted(
        Path(folder, name)
        for folder, _, names in os.walk(MODULES, followlinks=True)
        for name in names
        if name.endswith(".pp")
    )


def measure_parsing() -> Ratios:
    """Measure lexing, parsing, and parsing with validation of all installed modules."""
    import lexer_parser

    files = list_manifests()
    if not files:
        return {}
    texts = [(str(path), path.read_text(encoding="utf-8")) for path in files]
    readable = []
    for name, text in texts:
        try:
            lexer_parser.parse(text, name=name, validate=False, dialect=PUPPET)
        except lexer_parser.PuppetError:
            continue
        readable.append((name, text))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as names:
        names.write("\n".join(name for name, _ in readable))
        names.flush()
        theirs = run_release("parse", names.name) or {}

    def lex() -> None:
        for _, text in readable:
            lexer_parser.tokenize(text, lexer_parser.PUPPET)

    def parse() -> None:
        for name, text in readable:
            lexer_parser.parse(text, name=name, validate=False, dialect=PUPPET)

    def validate() -> None:
        for name, text in readable:
            try:
                lexer_parser.parse(text, name=name, dialect=PUPPET)
            except lexer_parser.PuppetError:
                continue

    ours = {"lex": measure_best(lex), "parse": measure_best(parse), "validate": measure_best(validate)}
    return {f"{name} {len(readable)} files": (seconds, theirs.get(name)) for name, seconds in ours.items()}


def measure_workloads(folder: Path | None = None) -> Ratios:
    """Measure small programs; those with numbers from 10 up compile a whole catalog."""
    from evaluator.compiler.compiled_source import CompiledSource
    from evaluator.compiler.definitions import LazyBody, collect_definitions
    from evaluator.compiler.emitter import CompilationUnit
    from evaluator.running.registration import register_definitions
    from evaluator.session.session import Session
    from evaluator.session.supervisor import call_supervised
    from lexer_parser import parse

    folder = folder or HERE / "workloads"
    theirs = run_release("evaluate", str(folder)) or {}
    ratios: Ratios = {}
    for path in sorted(folder.glob("*.pp")):
        text = path.read_text()
        if int(path.name[:2]) < 10:
            session = Session("puppet")
            runtime = session.runtime
            program = parse(text, dialect=PUPPET)
            unit = CompilationUnit(runtime, CompiledSource(program), runtime.dialect)
            register_definitions(unit, collect_definitions(unit), runtime.state.definitions)
            body = LazyBody(unit, program.body)
            call_supervised(lambda body=body, runtime=runtime: body(runtime.state.top))
            seconds = call_supervised(
                lambda body=body, runtime=runtime: measure_best(lambda: body(runtime.state.top))
            )
        else:
            seconds = measure_best(lambda text=text: _compile(Session("puppet"), text))
        ratios[path.stem] = (seconds, theirs.get(path.stem))
    return ratios


def _compile(session: object, text: str) -> None:
    outcome = session.run(text)  # type: ignore[attr-defined]
    if outcome.error is not None:
        raise outcome.error


def _run_process(command: list[str], rounds: int) -> float:
    """Return the median CPU seconds of a process from start to end, with its children."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(rounds):
        before = measure_children()
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        times.append(measure_children() - before)
    return statistics.median(times)


def measure_children() -> float:
    """Return the CPU seconds of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # finer than the ticks of os.times()
    return used.ru_utime + used.ru_stime


def measure_processes() -> Ratios:
    """Measure processes that evaluate one expression and that check a file."""
    command = str(Path(sys.executable).with_name("puppet-repl"))
    _run_process([command, "-e", "1 + 1"], 2)
    ratios: Ratios = {"puppet-repl -e '1 + 1'": (_run_process([command, "-e", "1 + 1"], 9), None)}
    if shutil.which("puppet") is None:
        return ratios
    with tempfile.TemporaryDirectory() as empty:
        apply = ["puppet", "apply", "--modulepath", empty, "-e", "notice(1 + 1)"]
        ratios["puppet-repl -e '1 + 1'"] = (ratios["puppet-repl -e '1 + 1'"][0], _run_process(apply, 3))
    files = list_manifests()
    if files:
        one = str(files[0])
        ratios["--check of one file"] = (
            _run_process([command, "--check", one], 7),
            _run_process(["puppet", "parser", "validate", one], 3),
        )
    return ratios
