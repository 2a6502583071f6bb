"""A chunk of nodes, compiled in the process where it has arrived."""

from __future__ import annotations

import pickle
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize
from lexer_parser.record import Record

Facts = Mapping[str, Any]
Node = tuple[str, str, Facts]  # its name in the fleet, its certname, its facts


class NodeCompiler(Protocol):
    """A loaded program that compiles the catalog of one node after the other."""

    def supervisor(self) -> Any:
        """Return the supervisor under which nodes are compiled, within the limits of the program."""

    def keeping(self) -> AbstractContextManager[None]:
        """Store compiled files for other processes while the context lasts, if they are stored at all."""

    def catalog(self, node: str, facts: Facts) -> str:
        """Return the catalog of a node as JSON text."""

    def explained(self, problem: BaseException) -> PuppetError:
        """Return the error of a node, whatever was raised."""


class NodeResult(Record):
    """The result of a node: its catalog as JSON text or its error, and the seconds of CPU it took."""

    node: str
    catalog: str | None
    error: PuppetError | None
    seconds: float


def compile_chunk(program: bytes, nodes: Sequence[Node]) -> list[NodeResult]:
    """Return the results of nodes, in order. An error of a node is its result.

    Args:
        program: A pickled object whose method `warm()` returns the program to run.
        nodes: The nodes of the chunk.
    """
    warm = _load_program(program)
    with warm.supervisor() as supervisor, warm.keeping():
        return [_compile_node(warm, supervisor, *node) for node in nodes]


@memoize(1)  # the last one: the chunks of one fleet follow each other
def _load_program(program: bytes) -> NodeCompiler:
    warm: NodeCompiler = pickle.loads(program).warm()
    return warm


def _compile_node(warm: NodeCompiler, supervisor: Any, name: str, certname: str, facts: Facts) -> NodeResult:
    begun = time.process_time()
    catalog = error = None
    try:
        catalog = supervisor.run(lambda: warm.catalog(certname, facts))
    except Exception as problem:
        error = problem if isinstance(problem, PuppetError) else warm.explained(problem)
        error.__traceback__ = error.__context__ = error.__cause__ = None
    return NodeResult(name, catalog, error, time.process_time() - begun)
