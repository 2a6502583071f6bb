"""Tests of the wording: names and docstrings use the words of the field, in plain English.

`python -m tests.test_vocabulary` prints each figure with its limit and the places it counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache

import pytest

from tests import structure
from tests.test_architecture import check_figure, print_figures

LONG_SENTENCE = 88  # characters

# Words that docstrings avoid, and the words to use. A place that uses one in its plain meaning gets an exception.
DICTIONARY = {
    "gives": "returns, yields, produces",
    "tells": "reports, describes",
    "told": "reported; the message",
    "stands": "is (in, at, before), precedes",
    "anew": "again; re-executes, recomputes",
    "asked": "queried, requested",
    "asks": "queries, requests",
    "person": "user",
    "persons": "users",
    "remembered": "cached, stored",
    "lately": "deferred, lazily",
    "settled": "finished; the fixed point",
    "settlement": "fixed point",
    "slip": "mistake, diagnostic",
    "slips": "mistakes, diagnostics",
    "steady": "unaffected",
    "alike": "structurally equal, dialect-independent",
    "desk": "command context",
    "steers": "mutates the session",
    "mould": "template",
    "moulds": "templates",
    "obeying": "dispatch",
}

# Words that names avoid, as a part between underscores or capitals.
NAMES = {
    *DICTIONARY,
    "gate",
    "hands",
    "moment",
    "given",
    "asking",
    "telling",
    "kept",
    "made",
    "mended",
    "ailing",
}

# Past participles that do not end in "-ed", and words on "-ed" that are none.
IRREGULAR_PARTICIPLE = re.compile(
    "begun|broken|brought|built|caught|chosen|come|done|drawn|driven|fallen|felt|forgotten|found|given|gone|grown|heard|"
    "held|hidden|kept|known|laid|led|left|lent|lost|made|meant|met|paid|said|seen|sent|shown|sold|spent|spoken|"
    "stood|struck|swept|taken|taught|thought|thrown|told|torn|understood|undone|withdrawn|won|worn|wound|written"
)
NO_PARTICIPLE = re.compile("embed|exceed|feed|indeed|need|proceed|red|seed|shed|speed|succeed")

# Places that use a word of the dictionary on purpose: `module name word`, with the reason.
EXCEPTIONS: dict[str, str] = {}


@cache
def list_sources(of_tests: bool) -> dict[str, tuple[ast.AST, ...]]:
    """Return all nodes of each module of the packages, or of each file of the tests."""
    if not of_tests:
        return {module: structure.list_nodes(module) for module in structure.find_modules()}
    paths = sorted((structure.ROOT / "tests").rglob("*.py"))
    return {
        ".".join(path.relative_to(structure.ROOT).with_suffix("").parts): (
            *ast.walk(ast.parse(path.read_text(encoding="utf-8"))),
        )
        for path in paths
    }


@cache
def find_docstrings(of_tests: bool = False) -> list[tuple[str, str]]:
    """Return the place and the text of every docstring of the packages, or of the tests."""
    found = []
    for module, module_nodes in list_sources(of_tests).items():
        for node in module_nodes:
            if isinstance(node, ast.Module | ast.ClassDef | structure.Function):
                text = ast.get_docstring(node)
                if text:
                    found.append((f"{module} {getattr(node, 'name', 'module')}", text))
    return found


def find_vague_beginnings(of_tests: bool = False) -> list[str]:
    """Return the docstrings that begin with a subordinate clause instead of a sentence."""
    pattern = re.compile(r"(What|Whether|Where|That)\b")
    return [
        f"{place}: {text.splitlines()[0]}" for place, text in find_docstrings(of_tests) if pattern.match(text)
    ]


def find_long_first_lines() -> list[str]:
    """Return the docstrings with a first line of more than `LONG_SENTENCE` characters."""
    return [
        f"{place}: {first}"
        for place, text in find_docstrings()
        if len(first := text.splitlines()[0]) > LONG_SENTENCE
    ]


def find_words(words: set[str], of_tests: bool = False) -> list[str]:
    """Return the uses of words in docstrings that have no exception."""
    pattern = re.compile(rf"\b({'|'.join(sorted(words))})\b", re.IGNORECASE)
    return [
        f"{place} {hit[0]}: {text[max(hit.start() - 40, 0) : hit.end() + 40]!r}"
        for place, text in find_docstrings(of_tests)
        for hit in pattern.finditer(text)
        if f"{place} {hit[0].lower()}" not in EXCEPTIONS
    ]


def split_name(name: str) -> list[str]:
    """Return the words of a name in lower case: `_LookupTrace` has lookup and trace."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def find_names(of_tests: bool = False) -> list[str]:
    """Return the functions, classes and modules whose name contains a word of `NAMES`."""
    found = []
    for module, module_nodes in list_sources(of_tests).items():
        found += [f"{module} {word}" for word in split_name(module.rpartition(".")[2]) if word in NAMES]
        for node in module_nodes:
            if isinstance(node, ast.ClassDef | structure.Function):
                found += [f"{module} {node.name} {word}" for word in split_name(node.name) if word in NAMES]
    return [place for place in found if place not in EXCEPTIONS]


def is_participle(name: str) -> bool:
    """Return whether a name is one word, and a past participle."""
    word = name.strip("_")
    if IRREGULAR_PARTICIPLE.fullmatch(word):
        return True
    return word.isalpha() and word.endswith("ed") and not NO_PARTICIPLE.fullmatch(word)


def find_participles(of_tests: bool = False) -> list[str]:
    """Return the functions and methods that have a participle for a name."""
    return [
        f"{module} {node.name}"
        for module, module_nodes in list_sources(of_tests).items()
        for node in module_nodes
        if isinstance(node, structure.Function) and is_participle(node.name)
    ]


# As in `test_architecture`, the limits only fall.
FIGURES: dict[str, tuple[Callable[[], list[str]], int]] = {
    "docstrings that begin with What, Whether, Where or That": (find_vague_beginnings, 0),
    "docstrings with a long first line": (find_long_first_lines, 189),
    "gives, tells, told and stands in docstrings": (
        lambda: find_words({"gives", "tells", "told", "stands"}),
        1,
    ),
    "other words of the dictionary in docstrings": (
        lambda: find_words(DICTIONARY.keys() - {"gives", "tells", "told", "stands"}),
        1,
    ),
    "words of the dictionary in names": (find_names, 0),
    "functions named by a participle": (find_participles, 10),
    "tests: vague beginnings of docstrings": (lambda: find_vague_beginnings(of_tests=True), 0),
    "tests: words of the dictionary in docstrings": (lambda: find_words({*DICTIONARY}, of_tests=True), 0),
    "tests: words of the dictionary in names": (lambda: find_names(of_tests=True), 0),
    "tests: functions named by a participle": (lambda: find_participles(of_tests=True), 0),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_within_its_limit(name: str) -> None:
    check_figure(FIGURES, name)


def test_each_exception_is_needed() -> None:
    places = {
        f"{place} {word}" for place, text in find_docstrings() for word in re.findall(r"\w+", text.lower())
    }
    places |= {
        f"{module} {node.name} {word}"
        for module in structure.find_modules()
        for node in structure.list_nodes(module)
        if isinstance(node, ast.ClassDef | structure.Function)
        for word in split_name(node.name)
    }
    assert EXCEPTIONS.keys() <= places


@pytest.mark.parametrize(
    ("name", "expected"),
    [("told", True), ("_listed", True), ("need", False), ("is_kept", False), ("parse", False)],
)
def test_participles_are_recognized(name: str, expected: bool) -> None:
    assert is_participle(name) is expected


if __name__ == "__main__":
    print_figures(FIGURES)
