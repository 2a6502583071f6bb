"""A small campaign with fixed seeds, its generators, incomplete inputs, highlighting."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from pygments.token import Error

from lexer_parser import PUPPET, PuppetError, find_status, parse
from lexer_parser.grammar.driver import RELEASED, SPECIFICATION
from puppet_kernel.rendering.highlight import PuppetLexer
from tests.fuzzing.inputs import Input, generate_inputs, generate_sentence, read_own_corpus
from tests.fuzzing.productions import collect_productions
from tests.fuzzing.programs import iterate_inputs, run_campaign
from tests.fuzzing.properties import find_violations
from tests.fuzzing.released import find_differences
from tests.fuzzing.sentences import derive_sentence, list_choices
from tests.fuzzing.spelling import SPELLINGS
from tests.fuzzing.strategies import mutants, sentences
from tests.printing.checks import can_parse
from tests.released.ruby_scripts import is_installed

COUNT = 1500


def test_random_inputs_have_all_properties():
    """For example, the status agrees with the parser, and printing preserves the tree."""
    cases = islice(generate_inputs(20240601, read_own_corpus()), COUNT)
    violations = [f"{violation}: {case!r}" for case in cases for violation in find_violations(case)]
    assert not violations, "\n".join(violations)


@given(case=sentences)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_sentences_of_the_grammar_have_all_properties(case):
    assert not list(find_violations(case))


@given(case=mutants)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_mutations_have_all_properties(case):
    assert not list(find_violations(case))


@pytest.mark.released
@pytest.mark.skipif(not is_installed(), reason="the released Puppet is not installed")
def test_random_inputs_have_the_tree_or_the_error_of_the_released_puppet():
    cases = islice(generate_inputs(7, read_own_corpus()), 2000)
    differences = list(find_differences(list(cases)))
    assert not differences, "\n".join(f"{case!r}: {difference}" for case, difference in differences)


# --- The generators


@pytest.mark.parametrize("grammar", [RELEASED, SPECIFICATION], ids=["released", "specification"])
def test_every_terminal_can_be_spelled(grammar):
    rules = collect_productions(grammar)
    terminals = {symbol for rights in rules.values() for right in rights for symbol in right} - set(rules)
    special = {symbol for symbol in terminals if symbol.startswith(("DQ", "EPP_", "RENDER_"))} | {
        "HEREDOC",
        "SUBLOCATE",
    }
    assert terminals - special <= set(SPELLINGS)


def test_every_production_is_among_the_choices():
    """No weight and no limit excludes a production."""
    table = list_choices(RELEASED)
    assert table.keys() == collect_productions(RELEASED).keys()
    for left, rights in collect_productions(RELEASED).items():
        assert set(rights) <= set(table[left][-1]), left
    assert any(len(derive_sentence(Random(seed))) > 40 for seed in range(50))


def test_a_third_of_the_sentences_parses():
    count = 0
    for seed in range(300):
        case = generate_sentence(Random(seed))
        try:
            parse(case.source, epp=case.epp, validate=False, dialect=PUPPET)
        except PuppetError:
            continue
        count += 1
    assert count > 100


# --- Incomplete inputs


def list_prefixes(source):
    """Return the beginnings of a program up to each blank, at which a user may press Enter."""
    return [source[:index] for index, character in enumerate(source) if character in " \n"]


@pytest.mark.parametrize("case", read_own_corpus(), ids=lambda case: repr(case.source[:30]))
def test_the_beginning_of_a_program_is_not_invalid(case):
    """The beginning of a program up to a blank is complete or incomplete."""
    if case.epp or not can_parse(case.source) or "/" in case.source:
        return  # the beginning of a regular expression is parsed as a division
    for prefix in list_prefixes(case.source):
        assert find_status(prefix, PUPPET).kind != "invalid", prefix


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


def complete(source, depth=4):
    """Return a program that begins with a source, completed with `CLOSERS`, or None."""
    tried, level = {source}, [source]
    for _ in range(depth):
        longer = []
        for text in level:
            for closer in CLOSERS:
                candidate = text + closer
                if candidate in tried:
                    continue
                tried.add(candidate)
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
def test_an_incomplete_source_can_be_completed(source):
    assert find_status(source, PUPPET).kind == "incomplete"
    assert complete(source) is not None


# --- Highlighting


@pytest.mark.parametrize("case", read_own_corpus(), ids=lambda case: repr(case.source[:30]))
def test_programs_are_highlighted_without_error(case: Input):
    if case.epp or not can_parse(case.source):
        return
    tokens = PuppetLexer().get_tokens_unprocessed(case.source)
    errors = [text for _, token, text in tokens if token is Error]
    assert not [text for text in errors if text != "$"]  # a lone `$` is refused by validation


# --- Inputs of a user


def test_inputs_of_a_user_have_all_properties():
    """A sample; `python -m tests.fuzzing.programs` runs any number."""
    assert not list(run_campaign(150, 7))


def test_inputs_of_a_user_have_all_forms():
    sources = list(islice(iterate_inputs(1), 3000))
    assert len(set(sources)) > 2000
    assert any(source.startswith("%") for source in sources)
    assert any("|$a|" in source for source in sources)
