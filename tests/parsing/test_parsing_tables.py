"""The generated tables have the results of PLY.

`tests/test_regenerate.py` checks that they are up to date.
"""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

import lexer_parser
from lexer_parser import PUPPET, SPEC, PuppetError
from lexer_parser.tree import nodes
from tests.parsing import original_ply

DATA = Path(__file__).parent / "data"


def test_parsing_does_not_import_ply():
    code = "import sys, lexer_parser; lexer_parser.parse('$a = 1'); sys.exit('ply' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def read_manifests():
    lines = (DATA / "released.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    return [case["source"] for case in cases if not case.get("epp") and "@(" not in case["source"]]


@pytest.mark.parametrize("dialect", [PUPPET, SPEC], ids=["puppet", "spec"])
def test_a_manifest_has_the_tree_of_the_original_ply(dialect):
    compared = 0
    for source in read_manifests():
        try:
            ours = lexer_parser.parse(source, dialect=dialect, validate=False)
        except PuppetError:
            continue
        theirs = original_ply.parse(source, dialect)
        assert ours == theirs, source
        spans = [(node.start, node.end) for node in nodes.walk(ours)]
        assert spans == [(node.start, node.end) for node in nodes.walk(theirs)], source
        compared += 1
    assert compared > 150


def test_the_inner_fields_of_a_node_contain_all_its_nodes():
    """A walk visits the nodes in the `inner` fields, so no other field may contain a node."""
    classes = set()
    for source, dialect in itertools.product(read_manifests(), (PUPPET, SPEC)):
        try:
            program = lexer_parser.parse(source, dialect=dialect, validate=False)
        except PuppetError:
            continue
        for node in nodes.walk(program):
            classes.add(type(node))
            for field in node.fields:
                value = getattr(node, field)
                parts = value if type(value) is list else [] if value is None else [value]
                if field in node.inner:
                    assert all(isinstance(each, nodes.Node) for each in parts), (node, field)
                else:
                    assert not any(isinstance(each, nodes.Node) for each in parts), (node, field)
    assert len(classes) > 50
