"""The tests of the linter: each recognizes a mistake that the language allows.

The table in `lexer_parser.lint` lists the classes of nodes that a test takes, and the issue of its matches. A test
returns a match or None, or yields several; the words of a match are inserted into the message of the issue.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from lexer_parser.diagnostics import RuleMatch
from lexer_parser.issues.similarity import edit_distance, find_nearest
from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.tokens import STATEMENT_FUNCTIONS
from lexer_parser.lint.context import LintContext
from lexer_parser.tree import nodes

# In the source of strings: `${name}`, `$name`, the interpolation of other languages, an index.
BRACED = LazyPattern(r"\$\{((?:::)?\w+(?:::\w+)*)\b")
BARE = LazyPattern(r"\$((?:::)?[a-z]\w*(?:::\w+)*)\b")
FOREIGN = LazyPattern(r"#\{(\w+)\}|(?<![${%])\{\{? ?(\w+) ?\}?\}")
INDEX = LazyPattern(r"\[(?:-?\d+|'[^'\]]*')\]")
ESCAPE = LazyPattern(r"\\[nt]$")
SEVERAL_NAMES = LazyPattern(r"\w[\w.+-]*(?:, *\w[\w.+-]*)+")
HIERA = LazyPattern(r"%\{(?:::)?(?:facts|trusted|lookup|hiera)\b[^}]*\}")
WINDOWS_PATH = LazyPattern(r'"[A-Za-z]:(?:\\\\)?[^"\\]*?(\\[ntrs])')
SERVER = LazyPattern(r"puppet://(modules/.+)")

MESSAGE_FUNCTIONS = frozenset(["notice", "warning", "err", "info", "debug", "fail", "alert", "crit", "emerg"])
FOREIGN_MESSAGE_FUNCTIONS = frozenset(["echo", "log", "print", "printf", "println", "puts", "say", "write"])
DECLARING_WORDS = frozenset(["const", "final", "global", "let", "local", "my", "static", "val", "var"])
BLOCK_ENDS = frozenset(["end", "endif", "fi", "done", "esac"])
CONTROL_FLOW = frozenset(["break", "next", "return"])
ITERATION_FUNCTIONS = frozenset(["each", "map", "filter", "reduce", "any", "all", "reverse_each"])
# Functions whose arguments name something other than variables.
NAMING_FUNCTIONS = frozenset(
    [
        "include",
        "contain",
        "require",
        "lookup",
        "hiera",
        "defined",
        "tag",
        "tagged",
        "realize",
        "create_resources",
    ]
)
PATTERN_FUNCTIONS = frozenset(("split", "regsubst"))  # Their second argument is a pattern.
METACHARACTERS = frozenset(".|^$*+?")
RESOURCES_BY_NAME = frozenset(("package", "service", "user", "group"))
TYPES_BY_VALUE = frozenset(("Enum", "Pattern", "Runtime", "SemVer"))
FOREIGN_UNDEF = ("nil", "null")
FOREIGN_CONSTANTS = {
    **dict.fromkeys(("True", "TRUE"), "true"),
    **dict.fromkeys(("False", "FALSE"), "false"),
    **dict.fromkeys(("None", "Null", "Nil", "NULL", "NIL", "UNDEF"), "undef"),
}
ENSURE_VALUES = {
    "dir": "directory",
    "folder": "directory",
    "symlink": "link",
    "regular": "file",
    "exists": "present",
}
NEAR_FACT = 2  # the largest number of letters in which a misspelt fact differs

NUMBER, STRING = "a number", "a text"  # kinds of values, as messages name them
LITERALS = frozenset((nodes.Integer, nodes.Float, nodes.String))
PLAIN = (nodes.Name, nodes.String)
# Nodes that may be intended as the argument of the word before them.
ARGUMENTS = (
    *(*PLAIN, nodes.Concat, nodes.Integer, nodes.Float, nodes.Boolean, nodes.Variable, nodes.Access),
    *(nodes.Arithmetic, nodes.Comparison, nodes.MethodCall),
)
Call = nodes.Call | nodes.MethodCall


def match_node(node: nodes.Node, **words: object) -> RuleMatch:
    """Return a match at a node."""
    return RuleMatch(span=(node.start, node.end), **words)


def match_part(node: nodes.Node, start: int, end: int, **words: object) -> RuleMatch:
    """Return a match at a part of a node; `start` and `end` count from its beginning."""
    return RuleMatch(span=(node.start + start, node.start + end), **words)


# --- Strings


def find_braced_in_single_quotes(lint: LintContext, node: nodes.String) -> RuleMatch | None:
    """Recognize `'${n}'` with the name of a variable."""
    return _find_in_single_quotes(lint, node, BRACED)


def find_bare_in_single_quotes(
    lint: LintContext, node: nodes.Assignment | nodes.Attribute | Call
) -> Iterator[RuleMatch]:
    """Recognize `'$n'` as a value, or as the message of `notice`.

    Elsewhere it may be the name that is meant.
    """
    if isinstance(node, nodes.Assignment):
        values = [node.right]
    elif isinstance(node, nodes.Attribute):
        values = [node.value]
    else:
        values = node.arguments if nodes.get_callee_name(node) == "notice" else []
    for value in values:
        match = _find_in_single_quotes(lint, value, BARE) if isinstance(value, nodes.String) else None
        if match is not None:
            yield match


def _find_in_single_quotes(lint: LintContext, node: nodes.String, pattern: LazyPattern) -> RuleMatch | None:
    """Return the first match of a pattern in single quotes whose group is a variable."""
    text = lint.text_of(node)
    for match in pattern.finditer(text) if text.startswith("'") else ():
        is_escaped = text[match.start() - 1 : match.start()] == "\\"
        if lint.is_variable(match[1]) and not is_escaped:
            return match_part(node, *match.span(), text=f"${{{match[1]}}}")
    return None


def find_index_without_braces(lint: LintContext, node: nodes.Concat) -> Iterator[RuleMatch]:
    """Recognize `"$list[0]"`."""
    for segment, following in pairwise(node.segments):
        variable = getattr(segment, "expr", None)
        if isinstance(variable, nodes.Variable) and isinstance(following, nodes.String):
            index = INDEX.match(following.value)
            start = lint.source.text.rfind("$", 0, variable.end)
            if index and not lint.source.text.startswith("${", start):
                yield RuleMatch(span=(start, variable.end), name=variable.name, text=index[0])


def find_foreign_interpolation(lint: LintContext, node: nodes.String | nodes.Concat) -> RuleMatch | None:
    """Recognize `"#{n}"`, `"{n}"` and `"{{ n }}"` with the name of a variable."""
    text = lint.text_of(node)
    for match in FOREIGN.finditer(text) if text.startswith('"') else ():
        name = match[1] or match[2]
        if lint.is_variable(name):
            return match_part(node, *match.span(), name=name, text=match[0])
    return None


def find_hiera_interpolation(lint: LintContext, node: nodes.String | nodes.Concat) -> RuleMatch | None:
    """Recognize `"%{facts.os.family}"`."""
    match = HIERA.search(lint.text_of(node))
    return match_part(node, *match.span(), text=match[0]) if match is not None else None


def find_escape_in_path(lint: LintContext, node: nodes.String | nodes.Concat) -> RuleMatch | None:
    r"""Recognize `"C:\new"`."""
    match = WINDOWS_PATH.match(lint.text_of(node))
    return match_part(node, match.start(1), match.start(1) + 2, text=match[1]) if match is not None else None


def find_escape_in_single_quotes(lint: LintContext, node: Call) -> Iterator[RuleMatch]:
    r"""Recognize `notice('a\n')`."""
    for argument in node.arguments if nodes.get_callee_name(node) in MESSAGE_FUNCTIONS else ():
        text = lint.text_of(argument) if isinstance(argument, nodes.String) else ""
        escape = ESCAPE.search(text[:-1]) if text.startswith("'") else None
        if escape is not None:
            yield match_part(argument, escape.start(), escape.start() + 2, text=escape[0])


def find_literal_heredoc(lint: LintContext, node: nodes.Heredoc) -> RuleMatch | None:
    """Recognize `@(END)` with `${n}` in it, the name of a variable."""
    for match in BRACED.finditer(node.text.value) if isinstance(node.text, nodes.String) else ():
        if lint.is_variable(match[1]):
            return match_node(node, text=f"${{{match[1]}}}")
    return None


def find_empty_pattern(lint: LintContext, node: nodes.Regexp) -> RuleMatch | None:
    """Recognize `// a comment`."""
    return match_node(node) if node.pattern == "" and lint.is_after_slashes(node) else None


# --- Statements


def find_arguments_left_out(lint: LintContext, node: nodes.Block) -> Iterator[RuleMatch]:
    """Recognize `notify 'hello'`: a word, and on the same line what may be its argument."""
    for word, argument in _find_words_with_arguments(lint, node):
        if word.value != "not":
            text = lint.full_text_of(argument)
            is_title = isinstance(argument, (*PLAIN, nodes.Concat, nodes.Variable))
            yield match_node(
                word, name=word.value, text=text, help=_make_call_help(word.value, text, is_title)
            )


def find_not_as_word(lint: LintContext, node: nodes.Block) -> Iterator[RuleMatch]:
    """Recognize `not $x`."""
    for statement, following in pairwise(node.statements):
        is_not = isinstance(statement, nodes.Name) and statement.value == "not"
        if is_not and not isinstance(following, ARGUMENTS) and lint.is_followed_closely(statement, following):
            yield match_node(statement, text=lint.text_of(following))
    for word, argument in _find_words_with_arguments(lint, node):
        if word.value == "not":
            yield match_node(word, text=lint.full_text_of(argument))


def _find_words_with_arguments(
    lint: LintContext, node: nodes.Block
) -> Iterator[tuple[nodes.Name, nodes.Node]]:
    """Yield each word, and what follows it on the same line if that may be its argument."""
    for word, following in pairwise(node.statements):
        is_word = isinstance(word, nodes.Name) and word.value and isinstance(following, ARGUMENTS)
        if is_word and lint.is_followed_closely(word, following) and not lint.is_after_slashes(word):
            yield word, following  # type: ignore[misc]  # `is_word` has checked the class


def find_argument_comma(lint: LintContext, node: nodes.Block) -> Iterator[RuleMatch]:
    """Recognize `include 'a' 'b'`."""
    for call, following in pairwise(node.statements):
        if not isinstance(call, nodes.Call) or not isinstance(following, PLAIN):
            continue
        is_bare = call.arguments and not lint.text_of(call).endswith(")")
        if is_bare and lint.is_followed_closely(call, following) and not lint.is_after_slashes(call):
            yield match_node(following, name=nodes.get_callee_name(call), text=lint.full_text_of(following))


def _make_call_help(name: str, text: str, is_title: bool) -> str:
    """Return the help for a word and its argument, which may be a title (`is_title`)."""
    if name == "notify" and is_title:
        return f"A message of the catalog is `notify {{ {text}: }}`; to say something now, write `notice({text})`."
    if name in FOREIGN_MESSAGE_FUNCTIONS:
        return f"Write `notice({text})`."
    if name in DECLARING_WORDS:
        return "Variables need no keyword: `$x = 1`."
    near = find_nearest(name, STATEMENT_FUNCTIONS)
    if near is not None:
        return f"Did you mean `{near} {text}`?"
    resource = f"; a resource is `{name} {{ {text}: }}`" if is_title else ""
    return f"A function is called with parentheses: `{name}({text})`{resource}."


def find_block_end_word(lint: LintContext, node: nodes.Block) -> Iterator[RuleMatch]:
    """Recognize `if $x { … } end`."""
    return _find_words(node.statements[1:], BLOCK_ENDS)


def find_class_name_alone(lint: LintContext, node: nodes.Block) -> Iterator[RuleMatch]:
    """Recognize the name of a class as a statement."""
    classes = {statement.name for statement in node.statements if isinstance(statement, nodes.Class)}
    return _find_words(node.statements, classes)


def find_control_flow_word(
    lint: LintContext, node: nodes.Block | nodes.CaseOption | nodes.Conditional
) -> Iterator[RuleMatch]:
    """Recognize `if $x { next }`."""
    return _find_words(node.statements if isinstance(node, nodes.Block) else [node.then], CONTROL_FLOW)


def _find_words(statements: Sequence[nodes.Node], words: Collection[str]) -> Iterator[RuleMatch]:
    """Yield a match for each statement that is nothing but one of some words."""
    for statement in statements:
        if isinstance(statement, nodes.Name) and statement.value in words:
            yield match_node(statement, word=statement.value)


def find_declaring_word(lint: LintContext, node: nodes.Block) -> Iterator[RuleMatch]:
    """Recognize `let $x = 1`."""
    for word, following in pairwise(node.statements):
        is_word = isinstance(word, nodes.Name) and word.value in DECLARING_WORDS
        if is_word and isinstance(following, nodes.Assignment):
            yield match_node(word, word=lint.text_of(word), text=f"{lint.text_of(following.left)} = …")


def find_typed_variable(lint: LintContext, node: nodes.Block) -> Iterator[RuleMatch]:
    """Recognize `Integer $port = 80`."""
    for statement, following in pairwise(node.statements):
        is_typed = nodes.is_type(statement) and lint.is_followed_closely(statement, following)
        if is_typed and isinstance(following, nodes.Assignment):
            yield match_node(statement, text=lint.text_of(statement), name=lint.text_of(following.left))


# --- Words, conditions and comparisons


def find_word_for_variable(lint: LintContext, node: nodes.Node) -> Iterator[RuleMatch]:
    """Recognize a word where a variable has that name: `port == 80`, `notice(port)`, `if port`."""
    if isinstance(node, nodes.Comparison):
        words = [] if lint.is_in_query(node) else [node.left, node.right]
    elif isinstance(node, Call):
        words = [] if nodes.get_callee_name(node) in NAMING_FUNCTIONS else node.arguments
    elif isinstance(node, nodes.Conditional):
        words = [nodes.strip_parentheses(node.test)]
    else:  # the last expression of the program
        words = [node]
    for word in words:
        if isinstance(word, nodes.Name) and lint.is_variable(word.value):
            yield match_node(word, name=word.value)


def find_constant_condition(lint: LintContext, node: nodes.Conditional) -> RuleMatch | None:
    """Recognize `if 'false'`, `if ''` and `if 0`."""
    test = nodes.strip_parentheses(node.test)
    is_variable = isinstance(test, nodes.Name) and lint.is_variable(test.value)
    is_constant = isinstance(test, nodes.String | nodes.Name | nodes.Integer) and not is_variable
    return match_node(test, text=lint.text_of(test), truth="true") if is_constant else None


def find_word_compared(lint: LintContext, node: nodes.Conditional) -> RuleMatch | None:
    """Recognize `if role == 'web'`, where no variable is called `role`."""
    test = nodes.strip_parentheses(node.test)
    word = test.left if isinstance(test, nodes.Comparison) and type(test.right) in LITERALS else None
    return (
        match_node(word, name=word.value)
        if isinstance(word, nodes.Name) and not lint.is_variable(word.value)
        else None
    )


def find_pattern_compared(lint: LintContext, node: nodes.Comparison) -> Iterator[RuleMatch]:
    """Recognize `$x == /a/`."""
    for side in _list_compared(lint, node):
        if isinstance(side, nodes.Regexp):
            yield match_node(node)


def find_undef_as_string(lint: LintContext, node: nodes.Comparison) -> Iterator[RuleMatch]:
    """Recognize `$x == 'undef'`."""
    for side in _list_compared(lint, node):
        if isinstance(side, PLAIN) and side.value in lint.undef_words:
            yield match_node(side, text=lint.text_of(side))


def _list_compared(lint: LintContext, node: nodes.Comparison) -> tuple[nodes.Node, ...]:
    """Return the two sides of `==` or `!=` outside of queries; nothing for other comparisons."""
    is_equality = node.operator in ("==", "!=") and not lint.is_in_query(node)
    return (node.left, node.right) if is_equality else ()


def find_foreign_undef(lint: LintContext, node: nodes.Assignment | nodes.Parameter) -> RuleMatch | None:
    """Recognize `$x = null` and `class web($root = nil)`."""
    value = node.right if isinstance(node, nodes.Assignment) else node.default
    return (
        match_node(value, text=value.value)
        if isinstance(value, nodes.Name) and value.value in FOREIGN_UNDEF
        else None
    )


def find_type_for_string(lint: LintContext, node: nodes.Comparison) -> RuleMatch | None:
    """Recognize `$facts['os']['name'] == Debian`: facts hold data, and never a type."""
    if not _list_compared(lint, node) or not isinstance(node.right, nodes.TypeName):
        return None
    accessed = node.left
    while isinstance(accessed, nodes.Access):
        accessed = accessed.left
    is_fact = isinstance(accessed, nodes.Variable) and (
        accessed.name.removeprefix("::") in ("facts", "trusted")
    )
    return match_node(node.right, name=node.right.value) if is_fact and accessed is not node.left else None


def find_number_and_string(lint: LintContext, node: nodes.Comparison) -> RuleMatch | None:
    """Recognize `$port == '80'` with a number in `$port`, where a number never equals a string."""
    if lint.dialect.string_numbers or not _list_compared(lint, node):
        return None
    kinds = [_get_kind(lint.literal_of(side)) for side in (node.left, node.right)]
    is_experiment = type(node.left) in LITERALS and type(node.right) in LITERALS  # somebody tries `1 == '1'`
    if is_experiment or sorted(kinds) != [NUMBER, STRING]:
        return None
    left_kind, right_kind = kinds
    return match_node(
        node,
        left=lint.text_of(node.left),
        right=lint.text_of(node.right),
        left_kind=left_kind,
        right_kind=right_kind,
    )


def _get_kind(literal: object) -> str:
    """Return the kind of a result of `literal_of`: `NUMBER`, `STRING`, or "" for any other."""
    if isinstance(literal, nodes.Integer | nodes.Float | float) or type(literal) is int:
        return NUMBER
    return STRING if isinstance(literal, nodes.String | nodes.Concat | str) else ""


def find_not_binds_first(
    lint: LintContext, node: nodes.Comparison | nodes.In | nodes.Match
) -> RuleMatch | None:
    """Recognize `! $a == $b`, `! 'a' in $list` and `! $x =~ /a/`."""
    is_in_query = isinstance(node, nodes.Comparison) and lint.is_in_query(node)
    is_negated = isinstance(node.left, nodes.Not) and not isinstance(node.right, nodes.Boolean | nodes.Not)
    if is_in_query or not is_negated:
        return None
    operator = "in" if isinstance(node, nodes.In) else node.operator
    return RuleMatch(span=(node.left.start, node.left.start + 1), operator=operator)


def find_references_compared(lint: LintContext, node: nodes.Comparison) -> RuleMatch | None:
    """Recognize `Package['a'] > Service['b']`."""
    if node.operator not in ("<", ">") or not all(map(_is_reference, (node.left, node.right))):
        return None
    arrow = "->" if node.operator == ">" else "<-"
    return match_node(node, mended=f"{lint.text_of(node.left)} {arrow} {lint.text_of(node.right)}")


def _is_reference(node: nodes.Node) -> bool:
    """Return True for a type with names in brackets, unless it is a type that takes values."""
    if not (isinstance(node, nodes.Access) and isinstance(node.left, nodes.TypeName)):
        return False
    return node.left.value not in TYPES_BY_VALUE and all(isinstance(key, PLAIN) for key in node.keys)


def find_string_as_alternative(lint: LintContext, node: nodes.And | nodes.Or) -> RuleMatch | None:
    """Recognize `$x == 'a' or 'b'`."""
    right = node.right
    if not isinstance(right, PLAIN) or lint.is_in_query(node):
        return None
    compared = node.left
    while isinstance(compared, nodes.Or | nodes.And):
        compared = compared.left
    mended = "`$x == 'a' or $x == 'b'`, or `$x in ['a', 'b']`"
    if isinstance(compared, nodes.Comparison) and isinstance(compared.left, nodes.Variable | nodes.Access):
        first = compared.right
        if isinstance(first, PLAIN) and compared.operator == "==":
            mended = (
                f"write `{lint.text_of(compared.left)} in [{lint.text_of(first)}, {lint.text_of(right)}]`"
            )
    return match_node(right, text=lint.text_of(right), mended=mended)


# --- Values


def find_result_of_each(lint: LintContext, node: nodes.Assignment) -> RuleMatch | None:
    """Recognize `$twice = $list.each …`."""
    right = node.right
    name = nodes.get_callee_name(right) if isinstance(right, Call) and right.block is not None else ""
    return match_node(right, name=name) if name in ("each", "reverse_each") else None


def find_assigned_in_lambda(lint: LintContext, node: nodes.Lambda) -> Iterator[RuleMatch]:
    """Recognize `each |$x| { $sum = $sum + $x }`."""
    for statement in nodes.list_statements(node.body):
        if isinstance(statement, nodes.Assignment) and isinstance(statement.left, nodes.Variable):
            name = statement.left.name
            used = (part.name for part in nodes.walk(statement.right) if isinstance(part, nodes.Variable))
            if lint.is_variable(name) and name in used:
                yield match_node(statement.left, name=name)


def find_dotted_key(lint: LintContext, node: nodes.Access) -> RuleMatch | None:
    """Recognize `$facts['os.name']`."""
    key = _get_fact_key(node)
    if not isinstance(key, nodes.String) or "." not in key.value:
        return None
    keys = "".join(f"['{part}']" for part in key.value.split("."))
    return match_node(key, text=key.value, mended=lint.text_of(node.left) + keys)


def find_misspelt_fact(lint: LintContext, node: nodes.Access) -> RuleMatch | None:
    """Recognize `$facts['osfamly']`."""
    key, facts = _get_fact_key(node), lint.variable_values.get("facts")
    if not isinstance(facts, dict) or not isinstance(key, PLAIN):
        return None
    name = key.value
    if name in facts or len(name) <= 3 or "." in name:
        return None
    distance, nearest = min(
        ((edit_distance(name, fact, NEAR_FACT), fact) for fact in facts if isinstance(fact, str)),
        default=(NEAR_FACT + 1, ""),
    )
    return match_node(key, name=name, near=nearest) if distance <= NEAR_FACT else None


def _get_fact_key(node: nodes.Access) -> nodes.Node | None:
    """Return the key in the brackets behind `$facts`."""
    is_facts = isinstance(node.left, nodes.Variable) and node.left.name in ("facts", "::facts")
    return node.keys[0] if is_facts and len(node.keys) == 1 else None


def find_index_past_end(lint: LintContext, node: nodes.Access) -> RuleMatch | None:
    """Recognize `$list[3]` of three elements; an index of a literal is an experiment."""
    left = lint.literal_of(node.left) if isinstance(node.left, nodes.Variable) else None
    elements = left.values if isinstance(left, nodes.Array) else None
    key = node.keys[0] if len(node.keys) == 1 else None
    if not elements or any(isinstance(element, nodes.Splat) for element in elements):
        return None
    if isinstance(key, nodes.Integer) and key.value >= len(elements):
        return match_node(key, index=key.value, count=len(elements), last=len(elements) - 1)
    return None


def find_whole_division(lint: LintContext, node: nodes.Arithmetic) -> RuleMatch | None:
    """Recognize `7 / 2`."""
    left, right = node.left, node.right
    if node.operator != "/" or not isinstance(left, nodes.Integer) or not isinstance(right, nodes.Integer):
        return None
    if not right.value or not left.value % right.value:
        return None
    return RuleMatch(
        span=(left.start, right.end),
        text=f"{lint.text_of(left)} / {lint.text_of(right)}",
        result=left.value // right.value,
        mended=f"{left.value}.0 / {right.value}",
    )


def find_foreign_constant(lint: LintContext, node: nodes.TypeName) -> RuleMatch | None:
    """Recognize `True` and `None`."""
    word = FOREIGN_CONSTANTS.get(node.value)
    return match_node(node, name=node.value, word=word) if word is not None else None


def find_string_as_pattern(lint: LintContext, node: Call) -> RuleMatch | None:
    """Recognize `split('10.0.0.1', '.')`."""
    arguments = nodes.list_arguments(node)
    pattern = (
        arguments[1] if len(arguments) > 1 and nodes.get_callee_name(node) in PATTERN_FUNCTIONS else None
    )
    if isinstance(pattern, nodes.String) and pattern.value in METACHARACTERS:
        return match_node(pattern, text=pattern.value, mended=f"/\\{pattern.value}/")
    return None


def find_each_of_string(lint: LintContext, node: Call) -> RuleMatch | None:
    """Recognize `'a, b'.each |$x| { … }`."""
    name, arguments = nodes.get_callee_name(node), nodes.list_arguments(node)
    if name not in ITERATION_FUNCTIONS or not arguments or node.block is None:
        return None
    value = lint.literal_of(arguments[0])
    text = value.value if isinstance(value, nodes.String) else value
    if isinstance(text, str) and "," in text:
        return match_node(arguments[0], name=name, text=lint.text_of(arguments[0]))
    return None


# --- Resources and definitions


def find_titles_in_one_string(lint: LintContext, node: nodes.Resource) -> Iterator[RuleMatch]:
    """Recognize `package { 'vim, git': }`."""
    name = node.type_name.value if isinstance(node.type_name, nodes.Name) else ""
    for body in node.bodies if name in RESOURCES_BY_NAME else ():
        title = body.title
        if isinstance(title, nodes.String) and SEVERAL_NAMES.fullmatch(title.value):
            quoted = ", ".join(f"'{word}'" for word in re.split(r", *", title.value))
            yield match_node(title, text=title.value, mended=f"{name} {{ [{quoted}]: }}")


def find_ensure_as_target(lint: LintContext, node: nodes.Resource) -> Iterator[RuleMatch]:
    """Recognize `file { '/srv': ensure => dir }`."""
    is_file = isinstance(node.type_name, nodes.Name) and node.type_name.value.removeprefix("::") == "file"
    for body in node.bodies if is_file else ():
        values = {item.name: item.value for item in body.operations if isinstance(item, nodes.Attribute)}
        ensure = values.get("ensure") if "target" not in values else None
        if isinstance(ensure, PLAIN) and ensure.value in ENSURE_VALUES:
            yield match_node(ensure, text=ensure.value, word=ENSURE_VALUES[ensure.value])


def find_server_in_source(lint: LintContext, node: nodes.Attribute) -> RuleMatch | None:
    """Recognize `source => 'puppet://modules/ntp/ntp.conf'`."""
    value = node.value if node.name == "source" else None
    match = SERVER.fullmatch(value.value) if isinstance(value, nodes.String) else None
    return match_node(node.value, rest=match[1]) if match is not None else None


def find_default_as_name(lint: LintContext, node: nodes.NodeDefinition) -> Iterator[RuleMatch]:
    """Recognize `node 'default' { }`."""
    for host in node.matches:
        if isinstance(host, nodes.String) and host.value == "default":
            yield match_node(host)
