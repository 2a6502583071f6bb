"""The measurements. Each returns {name: (seconds of the project, seconds of the comparison or None)}."""

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


def released(*arguments: str) -> dict[str, float] | None:
    """Return what `released.rb` measures; None where the released Puppet is not installed."""
    if shutil.which("puppet") is None or shutil.which("ruby") is None:
        return None
    done = subprocess.run(["ruby", str(HERE / "released.rb"), *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least CPU time of some rounds, in seconds."""
    times = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def corpus() -> list[Path]:
    """The manifests of the installed modules."""
    return sorted(
        Path(folder, name)
        for folder, _, names in os.walk(MODULES, followlinks=True)
        for name in names
        if name.endswith(".pp")
    )


def parsing() -> Ratios:
    """Lexing, parsing, and parsing with validation of all installed modules, in one process."""
    import lexer_parser

    files = corpus()
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
        theirs = released("parse", names.name) or {}

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

    ours = {"lex": best(lex), "parse": best(parse), "validate": best(validate)}
    return {f"{name} {len(readable)} files": (seconds, theirs.get(name)) for name, seconds in ours.items()}


def workloads(folder: Path | None = None) -> Ratios:
    """Programs that exercise one thing each; numbers from 10 up compile a whole catalog."""
    from evaluator.compiler.definitions import LazyBody, collect_definitions
    from evaluator.compiler.emitter import CompilationUnit
    from evaluator.compiler.unit import CompiledSource
    from evaluator.running.registration import register_definitions
    from evaluator.session.session import Session
    from evaluator.session.supervisor import call_supervised
    from lexer_parser import parse

    folder = folder or HERE / "workloads"
    theirs = released("evaluate", str(folder)) or {}
    found: Ratios = {}
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
                lambda body=body, runtime=runtime: best(lambda: body(runtime.state.top))
            )
        else:
            seconds = best(lambda text=text: _compile(Session("puppet"), text))
        found[path.stem] = (seconds, theirs.get(path.stem))
    return found


def _compile(session: object, text: str) -> None:
    outcome = session.run(text)  # type: ignore[attr-defined]
    if outcome.error is not None:
        raise outcome.error


def _process(command: list[str], rounds: int) -> float:
    """The median CPU time of a whole process, in seconds (user and system, children included)."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(rounds):
        before = children_seconds()
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        times.append(children_seconds() - before)
    return statistics.median(times)


def children_seconds() -> float:
    """The CPU time of all programs that this process has run and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # finer than the ticks of os.times()
    return used.ru_utime + used.ru_stime


def processes() -> Ratios:
    """Whole processes: one expression, and checking files."""
    command = str(Path(sys.executable).with_name("puppet-repl"))
    _process([command, "-e", "1 + 1"], 2)
    found: Ratios = {"puppet-repl -e '1 + 1'": (_process([command, "-e", "1 + 1"], 9), None)}
    if shutil.which("puppet") is None:
        return found
    with tempfile.TemporaryDirectory() as empty:
        apply = ["puppet", "apply", "--modulepath", empty, "-e", "notice(1 + 1)"]
        found["puppet-repl -e '1 + 1'"] = (found["puppet-repl -e '1 + 1'"][0], _process(apply, 3))
    files = corpus()
    if files:
        one = str(files[0])
        found["--check of one file"] = (
            _process([command, "--check", one], 7),
            _process(["puppet", "parser", "validate", one], 3),
        )
    return found
