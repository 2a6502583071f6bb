"""Printing preserves the tree of heredocs next to strings of several lines."""

from hypothesis import given
from hypothesis import strategies as st

from lexer_parser import PUPPET, PuppetError, parse
from lexer_parser.printing.layout import format_program

HEADER = "@(A)"
TEXT = "  text\n  | A\n"


def _make_compound_operands(inner):
    """Return a strategy for operands, as lists of tokens, that contain other operands."""
    return st.one_of(
        inner.map(lambda one: [*one, "<|", "|>"]),
        inner.map(lambda one: ["File", "<|", "a", "==", *one, "|>"]),
        inner.map(lambda one: ["notify", "{", "'x':", "message", "=>", *one, "}"]),
        inner.map(lambda one: ["f", "(", *one, ")", "|$x|", "{", "$x", "}"]),
        st.tuples(inner, inner).map(lambda both: ["[", *both[0], ",", *both[1], "]"]),
        _make_chains(inner).map(lambda one: ["(", *one, ")"]),
    )


def _make_chains(operands):
    """Return a strategy for operands with operators between them."""
    rest = st.lists(st.tuples(st.sampled_from(["->", "~>", "<-", "+", "or"]), operands), max_size=3)
    return st.tuples(operands, rest).map(
        lambda parts: [*parts[0], *(token for operator, one in parts[1] for token in (operator, *one))]
    )


LEAVES = st.sampled_from([HEADER, "'x\ny'", HEADER, '"${a}\n${b}c"', "$v"])
OPERANDS = st.recursive(LEAVES.map(lambda token: [token]), _make_compound_operands, max_leaves=3)


@given(
    st.sampled_from([[], ["$x", "="], ["notice"]]), _make_chains(OPERANDS), st.randoms(use_true_random=False)
)
def test_a_program_with_heredocs_is_printed_stably(head, tokens, chance):
    source, pending = "", 0
    for token in [*head, *tokens]:
        if pending and ("\n" in token or chance.random() < 0.1):
            source, pending = f"{source}\n{TEXT * pending}", 0
        source += token + chance.choice(" " * 9 + ("" if pending else "\n"))
        pending += token == HEADER
    source += "\n" + TEXT * pending
    try:
        program = parse(source, dialect=PUPPET, validate=False)
    except PuppetError:  # `$x or 'x' -> notify { }` and the like
        return
    printed = format_program(program, PUPPET)
    reparsed = parse(printed, dialect=PUPPET, validate=False)
    assert reparsed == program
    assert format_program(reparsed, PUPPET) == printed
