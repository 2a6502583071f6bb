"""A small campaign with fixed seeds, and what it has to find its way through."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from pygments.token import Error

from lexer_parser import PUPPET, PuppetError, find_status, parse
from lexer_parser.grammar.driver import RELEASED, SPECIFICATION
from puppet_kernel.rendering.highlight import PuppetLexer
from tests.fuzzing.inputs import Input, generated, inputs, own_corpus
from tests.fuzzing.productions import productions
from tests.fuzzing.programs import campaign, iterate_inputs
from tests.fuzzing.properties import violations
from tests.fuzzing.released import find_differences
from tests.fuzzing.sentences import choices, sentence
from tests.fuzzing.spelling import SPELLINGS
from tests.fuzzing.strategies import mutants, sentences
from tests.released.asking import is_installed

COUNT = 1500


def test_inputs_of_all_kinds():
    """A tree or a PuppetError, a status that agrees, source printed as the same tree, nothing lost in colours."""
    cases = islice(inputs(20240601, own_corpus()), COUNT)
    found = [f"{violation}: {case!r}" for case in cases for violation in violations(case)]
    assert not found, "\n".join(found)


@given(case=sentences)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_sentences_of_the_grammar(case):
    assert not list(violations(case))


@given(case=mutants)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_mutations(case):
    assert not list(violations(case))


@pytest.mark.released
@pytest.mark.skipif(not is_installed(), reason="the released Puppet is not installed")
def test_as_the_released_puppet():
    """Accepted or refused alike; the same tree, or the same words and place."""
    found = list(find_differences(list(islice(inputs(7, own_corpus()), 2000))))
    assert not found, "\n".join(f"{case!r}: {difference}" for case, difference in found)


# --- The generator itself


@pytest.mark.parametrize("grammar", [RELEASED, SPECIFICATION], ids=["released", "specification"])
def test_every_terminal_can_be_spelled(grammar):
    rules = productions(grammar)
    terminals = {symbol for rights in rules.values() for right in rights for symbol in right} - set(rules)
    special = {symbol for symbol in terminals if symbol.startswith(("DQ", "EPP_", "RENDER_"))} | {
        "HEREDOC",
        "SUBLOCATE",
    }
    assert terminals - special <= set(SPELLINGS)


def test_every_production_is_derived():
    """No weight or limit keeps a production away."""
    table = choices(RELEASED)
    assert {left: set(rights[-1]) for left, rights in table.items()}.keys() == productions(RELEASED).keys()
    for left, rights in productions(RELEASED).items():
        assert set(rights) <= set(table[left][-1]), left
    assert any(len(sentence(Random(seed))) > 40 for seed in range(50))


def test_a_fair_share_parses():
    parsed = 0
    for seed in range(300):
        case = generated(Random(seed))
        try:
            parse(case.source, epp=case.epp, validate=False, dialect=PUPPET)
        except PuppetError:
            continue
        parsed += 1
    assert parsed > 100


# --- Incomplete inputs


def prefixes(source):
    """Return the positions at which a user may press Enter: before each blank of a program."""
    return [source[:index] for index, character in enumerate(source) if character in " \n"]


@pytest.mark.parametrize("case", own_corpus(), ids=lambda case: repr(case.source[:30]))
def test_what_begins_a_program_is_not_invalid(case):
    """The beginning of a program up to a blank is complete or incomplete, never invalid."""
    if case.epp or not parses(case.source) or "/" in case.source:
        return  # the beginning of a regular expression reads as a division
    for prefix in prefixes(case.source):
        assert find_status(prefix, PUPPET).kind != "invalid", prefix


def parses(source):
    try:
        parse(source, validate=False, dialect=PUPPET)
    except PuppetError:
        return False
    return True


CLOSERS = (
    "",
    "1",
    " 1",
    "\n1",
    "'",
    '"',
    "*/",
    ")",
    "]",
    "}",
    " }",
    "{}",
    " {}",
    "a {}",
    "|>",
    "|>>",
    "| {}",
    "=> 1",
    " => 1",
    ": ",
    "1 =>",
    "'a': ",
    "x",
    "X",
    "$x",
    '}"',
    '1}"',
    "\nX\n",
    ")\nX",
    ",",
    "$x|",
    "1:",
    " = 1",
    "=",
    " A",
    "/",
    "in 1",
    "name",
    " { 'a': }",
    " 1 => 1",
    "%>",
)


def completion(source, depth=4):
    """Some text behind which an incomplete source is a program, found by trying what closes and what fills in."""
    seen, level = {source}, [source]
    for _ in range(depth):
        longer = []
        for text in level:
            for closer in CLOSERS:
                candidate = text + closer
                if candidate in seen:
                    continue
                seen.add(candidate)
                kind = find_status(candidate, PUPPET).kind
                if kind == "complete":
                    return candidate
                if kind == "incomplete":
                    longer.append(candidate)
        level = sorted(longer, key=len)[:40]
    return None


@pytest.mark.parametrize(
    "source",
    [
        *(
            "if",
            "if $x",
            "if $x {",
            "case $x { 1:",
            "class a",
            "class a (",
            "define a::b",
            "$x =",
            "$x ? {",
            "f(",
            "@file",
        ),
        *(
            "file { 'a'",
            "file { 'a':",
            "File <|",
            "[1,",
            "{ a =>",
            "{ a",
            '"a ${',
            '"a ${x',
            "'a",
            "/* a",
            "@(X)",
            "1 +",
            "node a",
        ),
        *(
            "type A =",
            "function f",
            "f() |$x",
            "A ->",
            "unless 1 {} else",
            "file { 'a': mode",
            "@@file",
            "foo(@file",
            "a.",
        ),
    ],
)
def test_something_completes_what_is_incomplete(source):
    assert find_status(source, PUPPET).kind == "incomplete"
    assert completion(source) is not None


# --- Highlighting


@pytest.mark.parametrize("case", own_corpus(), ids=lambda case: repr(case.source[:30]))
def test_programs_are_highlighted_without_error(case: Input):
    if case.epp or not parses(case.source):
        return
    found = [text for _, token, text in PuppetLexer().get_tokens_unprocessed(case.source) if token is Error]
    assert not [text for text in found if text != "$"]  # a lone `$` is refused by validation


# --- Inputs of a person


def test_inputs_with_displays_and_commands():
    """A sample; `python -m tests.fuzzing.programs` runs as many as one likes."""
    assert not list(campaign(150, 7))


def test_all_forms_are_made():
    made = list(islice(iterate_inputs(1), 3000))
    assert len(set(made)) > 2000
    assert any(source.startswith("%") for source in made) and any("|$a|" in source for source in made)
