"""Random inputs of the parser: sentences of the grammar, and mutated programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from lexer_parser.grammar.driver import RELEASED, SPECIFICATION
from tests.fuzzing.mutations import mutate
from tests.fuzzing.sentences import derive_sentence
from tests.fuzzing.spelling import Speller

MODULES = Path("/usr/share/puppet/modules")
WINDOW = 12  # lines of a manifest that are mutated at a time


class Input(NamedTuple):
    """A source, and whether it is a template."""

    source: str
    epp: bool


def read_own_corpus() -> list[Input]:
    """Return the programs in the file beside this module; the inputs of a seed depend on them."""
    lines = Path(__file__).with_name("corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return [Input(case["source"], case.get("epp", False)) for case in map(json.loads, lines)]


def read_installed_corpus() -> list[Input]:
    """Return the manifests and templates of the installed modules, if any."""
    corpus = []
    for folder in sorted(MODULES.iterdir()) if MODULES.is_dir() else ():
        for path in sorted(folder.resolve().rglob("*")):
            if path.suffix in (".pp", ".epp") and path.is_file():
                corpus.append(Input(path.read_bytes().decode(errors="replace"), path.suffix == ".epp"))
    return corpus


def generate_sentence(random: Random) -> Input:
    """Return the text of a random sentence of one of the two grammars."""
    grammar = random.choice((RELEASED, RELEASED, SPECIFICATION))
    terminals = derive_sentence(random, grammar)
    source = Speller(random, random.choice((0, 0, 0.05, 0.3))).spell(terminals)
    return Input(source, "EPP_START" in terminals)


def cut_window(random: Random, case: Input) -> Input:
    """Return some consecutive lines of a program."""
    lines = case.source.splitlines(keepends=True)
    if len(lines) <= WINDOW:
        return case
    start = random.randrange(len(lines) - WINDOW // 2)
    return Input("".join(lines[start : start + random.randint(1, WINDOW)]), case.epp)


def make_mutant(random: Random, corpus: Sequence[Input]) -> Input:
    """Return a mutation of some lines of the corpus, or of a generated sentence."""
    is_sentence = random.randrange(5) == 0
    origin = generate_sentence(random) if is_sentence else cut_window(random, random.choice(corpus))
    other = cut_window(random, random.choice(corpus))
    epp = origin.epp if random.randrange(40) else not origin.epp
    return Input(mutate(random, origin.source, other.source), epp)


def generate_inputs(seed: int, corpus: Sequence[Input]) -> Iterator[Input]:
    """Yield inputs without end; a seed and a corpus always have the same ones."""
    random = Random(seed)
    while True:
        yield generate_sentence(random) if random.randrange(5) < 2 else make_mutant(random, corpus)
