"""The generated tables do what PLY itself would do; `tests/test_regenerate.py` proves that they are up to date."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

import lexer_parser
from lexer_parser import PUPPET, SPEC, PuppetError
from lexer_parser.tree import nodes
from tests.parsing import stock_ply

DATA = Path(__file__).parent / "data"


def test_ply_stays_away():
    """Parsing imports nothing of PLY."""
    code = "import sys, lexer_parser; lexer_parser.parse('$a = 1'); sys.exit('ply' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def manifests():
    lines = (DATA / "released.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    return [case["source"] for case in cases if not case.get("epp") and "@(" not in case["source"]]


@pytest.mark.parametrize("dialect", [PUPPET, SPEC], ids=["puppet", "spec"])
def test_stock_ply(dialect):
    """PLY's own lexer and parser make the same tree of everything that parses."""
    compared = 0
    for source in manifests():
        try:
            ours = lexer_parser.parse(source, dialect=dialect, validate=False)
        except PuppetError:
            continue
        theirs = stock_ply.parse(source, dialect)
        assert ours == theirs, source
        places = [(node.start, node.end) for node in lexer_parser.tree.nodes.walk(ours)]
        assert places == [(node.start, node.end) for node in lexer_parser.tree.nodes.walk(theirs)], source
        compared += 1
    assert compared > 150


def test_inner_fields_hold_the_nodes():
    """A node's `inner` fields hold a node, nodes or None, its other fields neither: nothing is left out of a walk."""
    met = set()
    for source, dialect in itertools.product(manifests(), (PUPPET, SPEC)):
        try:
            program = lexer_parser.parse(source, dialect=dialect, validate=False)
        except PuppetError:
            continue
        for node in nodes.walk(program):
            met.add(type(node))
            for field in node.fields:
                value = getattr(node, field)
                inside = value if type(value) is list else [] if value is None else [value]
                if field in node.inner:
                    assert all(isinstance(each, nodes.Node) for each in inside), (node, field)
                else:
                    assert not any(isinstance(each, nodes.Node) for each in inside), (node, field)
    assert len(met) > 50
