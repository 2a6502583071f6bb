"""The linter: it finds code that is allowed but probably a mistake. Its rules are a table.

It examines the tree of a program without evaluating it. The caller passes the values of variables that were set before
the program. The hints are `PuppetError`s that stop nothing. A rule has the classes of nodes that it examines, a test
from `tests`, and an issue from `lexer_parser.issues.lint`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lexer_parser import issues
from lexer_parser.diagnostics import Rule, RuleMatch, RuleTable
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lint import tests
from lexer_parser.lint.context import LintContext
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes


def find_hints(
    body: nodes.Node, source: Source, dialect: Dialect, values: Mapping[str, object] | None = None
) -> list[PuppetError]:
    """Return the hints for a program in the order of its source text.

    Args:
        body: The tree of the program.
        source: The source from which it was parsed.
        dialect: The dialect in which it is written.
        values: The values of variables that were assigned before the program, by name.
    """
    return sorted(
        (
            issues.make_hint(issues.load_hints()[code], Span(source, *match.span), **match.words)
            for code, match in _iterate_matches(LintContext(body, source, dialect, values or {}), body)
            if match.span is not None
        ),
        key=lambda hint: hint.span.start if hint.span is not None else 0,
    )


def _iterate_matches(lint: LintContext, body: nodes.Node) -> Iterator[tuple[str, RuleMatch]]:
    """Yield the matches of all rules, each with the code of its issue."""
    for node in nodes.walk(body):
        for rule in RULES.rules_for(type(node)):
            for match in rule.matches(lint, node):
                yield rule.message, match
    last = body.statements[-1] if isinstance(body, nodes.Block) and body.statements else body
    if isinstance(last, nodes.Name):
        for match in LAST_EXPRESSION.matches(lint, last):
            yield LAST_EXPRESSION.message, match


CALLS = (nodes.Call, nodes.MethodCall)
CONDITIONALS = (nodes.If, nodes.Unless)
STRINGS = (nodes.Concat, nodes.String)

# The table calls each test with nodes of the class for which it is listed.
RULES: RuleTable[[LintContext, Any]] = RuleTable(
    (
        # Strings
        Rule(nodes.String, tests.find_braced_in_single_quotes, "INTERPOLATION_IN_SINGLE_QUOTES"),
        Rule(
            (nodes.Assignment, nodes.Attribute, *CALLS),
            tests.find_bare_in_single_quotes,
            "INTERPOLATION_IN_SINGLE_QUOTES",
        ),
        Rule(nodes.Concat, tests.find_index_without_braces, "INDEX_WITHOUT_BRACES"),
        Rule(STRINGS, tests.find_foreign_interpolation, "FOREIGN_INTERPOLATION"),
        Rule(STRINGS, tests.find_escape_in_path, "ESCAPE_IN_PATH"),
        Rule(STRINGS, tests.find_hiera_interpolation, "HIERA_INTERPOLATION"),
        Rule(CALLS, tests.find_escape_in_single_quotes, "ESCAPE_IN_SINGLE_QUOTES"),
        Rule(nodes.Heredoc, tests.find_literal_heredoc, "HEREDOC_AS_WRITTEN"),
        Rule(nodes.Regexp, tests.find_empty_pattern, "EMPTY_PATTERN"),
        # Statements
        Rule(nodes.Block, tests.find_not_as_word, "NOT_AS_WORD"),
        Rule(nodes.Block, tests.find_arguments_left_out, "ARGUMENTS_LEFT_OUT"),
        Rule(nodes.Block, tests.find_argument_comma, "ARGUMENT_COMMA"),
        Rule(nodes.Block, tests.find_typed_variable, "TYPED_VARIABLE"),
        Rule(nodes.Block, tests.find_block_end_word, "BLOCK_END_WORD"),
        Rule(nodes.Block, tests.find_class_name_alone, "CLASS_NAME_ALONE"),
        Rule((nodes.Block, nodes.CaseOption, *CONDITIONALS), tests.find_control_flow_word, "STEERING_WORD"),
        Rule(nodes.Block, tests.find_declaring_word, "DECLARING_WORD"),
        # Words, conditions and comparisons
        Rule((*CALLS, *CONDITIONALS), tests.find_word_for_variable, "WORD_FOR_VARIABLE"),
        Rule(CONDITIONALS, tests.find_constant_condition, "CONSTANT_CONDITION"),
        Rule(CONDITIONALS, tests.find_word_compared, "WORD_COMPARED"),
        Rule(nodes.Comparison, tests.find_pattern_compared, "PATTERN_COMPARED"),
        Rule(nodes.Comparison, tests.find_undef_as_string, "UNDEF_AS_TEXT"),
        Rule(nodes.Comparison, tests.find_type_for_string, "TYPE_FOR_TEXT"),
        Rule(nodes.Comparison, tests.find_number_and_string, "NUMBER_AND_TEXT"),
        Rule(nodes.Comparison, tests.find_word_for_variable, "WORD_FOR_VARIABLE"),
        Rule((nodes.Comparison, nodes.In, nodes.Match), tests.find_not_binds_first, "NOT_BINDS_FIRST"),
        Rule(nodes.Comparison, tests.find_references_compared, "REFERENCES_COMPARED"),
        Rule((nodes.And, nodes.Or), tests.find_string_as_alternative, "TEXT_IN_CONDITION"),
        # Values
        Rule((nodes.Assignment, nodes.Parameter), tests.find_foreign_undef, "UNDEF_AS_TEXT"),
        Rule(nodes.Assignment, tests.find_result_of_each, "RESULT_OF_EACH"),
        Rule(nodes.Lambda, tests.find_assigned_in_lambda, "SET_IN_LAMBDA"),
        Rule(nodes.Access, tests.find_dotted_key, "DOTTED_KEY"),
        Rule(nodes.Access, tests.find_misspelt_fact, "FACT_MISSPELT"),
        Rule(nodes.Access, tests.find_index_past_end, "INDEX_PAST_END"),
        Rule(nodes.Arithmetic, tests.find_whole_division, "WHOLE_DIVISION"),
        Rule(nodes.TypeName, tests.find_foreign_constant, "FOREIGN_CONSTANT"),
        Rule(CALLS, tests.find_string_as_pattern, "TEXT_AS_PATTERN"),
        Rule(CALLS, tests.find_each_of_string, "EACH_OF_TEXT"),
        # Resources and definitions
        Rule(nodes.Resource, tests.find_titles_in_one_string, "TITLES_IN_ONE_TEXT"),
        Rule(nodes.Resource, tests.find_ensure_as_target, "ENSURE_AS_TARGET"),
        Rule(nodes.Attribute, tests.find_server_in_source, "SERVER_IN_SOURCE"),
        Rule(nodes.NodeDefinition, tests.find_default_as_name, "DEFAULT_AS_NAME"),
    )
)
# The last expression of a program, whose value is shown.
LAST_EXPRESSION: Rule[[LintContext, nodes.Node]] = Rule(
    nodes.Name, tests.find_word_for_variable, "WORD_FOR_VARIABLE"
)
