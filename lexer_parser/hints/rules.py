"""The rules: each looks at nodes of one kind and reports what is hardly meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from lexer_parser.hints.view import View
from lexer_parser.tree import nodes

BRACED = re.compile(r"\$\{((?:::)?\w+(?:::\w+)*)\b")
BARE = re.compile(r"\$((?:::)?[a-z]\w*(?:::\w+)*)\b")
FOREIGN = re.compile(r"#\{(\w+)\}|(?<![${%])\{\{? ?(\w+) ?\}?\}")
INDEX = re.compile(r"\[(?:-?\d+|'[^'\]]*')\]")
ESCAPE = re.compile(r"\\[nt]$")
NAMES = re.compile(r"\w[\w.+-]*(?:, *\w[\w.+-]*)+")
FOREIGN_UNDEF = ("nil", "null")
SAYING = frozenset(("notice", "warning", "err", "info", "debug", "fail", "alert", "crit", "emerg"))
SAYING_ELSEWHERE = frozenset(("echo", "log", "print", "printf", "println", "puts", "say", "write"))
DECLARING = frozenset(("const", "final", "global", "let", "local", "my", "static", "val", "var"))
# Functions whose arguments are names of something else than variables.
NAMING = frozenset(
    (
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
    )
)
NAMED_ONCE = frozenset(("package", "service", "user", "group"))
NUMBER, TEXT = "a number", "a text"
LITERALS = frozenset((nodes.Integer, nodes.Float, nodes.String))
PLAIN = (nodes.Name, nodes.String)
# What may be meant as the argument of a word before it.
ARGUMENTS = (
    *(*PLAIN, nodes.Concat, nodes.Integer, nodes.Float, nodes.Boolean, nodes.Variable, nodes.Access),
    *(nodes.Arithmetic, nodes.Comparison, nodes.MethodCall),
)


def function_name(node: Any) -> str:
    """The name of the function that a node calls, "" when it has none."""
    name = node.name if isinstance(node, nodes.MethodCall) else node.functor
    return name.value if isinstance(name, nodes.Name) else ""


# --- Texts


def single_quotes(view: View, node: nodes.String, pattern: re.Pattern[str] = BRACED) -> None:
    """`'${n}'` with the name of a variable."""
    text = view.text(node)
    if not text.startswith("'"):
        return
    for match in pattern.finditer(text):
        if match[1] in view.names and not _is_escaped(text, match.start()):
            start, end = node.start + match.start(), node.start + match.end()
            view.report("INTERPOLATION_IN_SINGLE_QUOTES", start, end, text=f"${{{match[1]}}}")
            return


def value(view: View, node: Any) -> None:
    """`'$n'` as what is set; in a message `$n` may well be the name."""
    if isinstance(node, nodes.String):
        single_quotes(view, node, BARE)


def _is_escaped(text: str, place: int) -> bool:
    return text[place - 1 : place] == "\\"


def interpolated(view: View, node: nodes.Concat) -> None:
    """`"$list[0]"`."""
    for one, other in pairwise(node.segments):
        variable = getattr(one, "expr", None)
        if not isinstance(variable, nodes.Variable) or not isinstance(other, nodes.String):
            continue
        index = INDEX.match(other.value)
        start = view.source.text.rfind("$", 0, variable.end)
        if index and not view.source.text.startswith("${", start):
            view.report("INDEX_WITHOUT_BRACES", start, variable.end, name=variable.name, text=index[0])
    foreign(view, node)


def foreign(view: View, node: nodes.Node) -> None:
    """`"#{n}"`, `"{n}"`, `"{{ n }}"` with the name of a variable."""
    text = view.text(node)
    for match in FOREIGN.finditer(text) if text.startswith('"') else ():
        name = match[1] or match[2]
        if name in view.names:
            start = node.start + match.start()
            view.report("FOREIGN_INTERPOLATION", start, node.start + match.end(), name=name, text=match[0])
            return


# --- Calls


def call(view: View, node: Any) -> None:
    """`notice(port)`, `notice('a\\n')`."""
    name = function_name(node)
    for argument in node.arguments:
        if isinstance(argument, nodes.Name) and name not in NAMING and argument.value in view.names:
            _word(view, argument)
        if name == "notice":
            value(view, argument)
        if isinstance(argument, nodes.String) and name in SAYING:
            text = view.text(argument)
            escape = ESCAPE.search(text[:-1]) if text.startswith("'") else None
            if escape is not None:
                start = argument.start + escape.start()
                view.report("ESCAPE_IN_SINGLE_QUOTES", start, start + 2, text=escape[0])


def _word(view: View, node: nodes.Name) -> None:
    view.report("WORD_FOR_VARIABLE", node.start, node.end, name=node.value)


def block(view: View, node: nodes.Block) -> None:
    """`include 'a' 'b'`, `notify 'hello'`: statements on one line that are two by mistake; `// …`."""
    for one, other in pairwise(node.statements):
        word = one.value if isinstance(one, nodes.Name) else ""
        if not isinstance(other, ARGUMENTS if word else PLAIN):
            if word == "not" and not _between(view, one, other).strip(" "):
                view.report("NOT_AS_WORD", one.start, one.end, text=view.text(other))
            continue
        if _between(view, one, other).strip(" ") or _after_slashes(view, one):
            continue
        start, end = view.whole(other)
        text = view.source.text[start:end]
        if word == "not":
            view.report("NOT_AS_WORD", one.start, one.end, text=text)
        elif word:
            help = _called(word, text, isinstance(other, (*PLAIN, nodes.Concat, nodes.Variable)))
            view.report("ARGUMENTS_LEFT_OUT", one.start, one.end, name=word, text=text, help=help)
        elif isinstance(one, nodes.Call) and one.arguments and not view.text(one).endswith(")"):
            view.report("ARGUMENT_COMMA", other.start, other.end, name=function_name(one), text=text)


def _between(view: View, one: nodes.Node, other: nodes.Node) -> str:
    """What is written between two statements."""
    return view.source.text[one.end : view.whole(other)[0]]


def _called(name: str, text: str, titled: bool) -> str:
    """The help for a word and what may be its argument; `titled` when that could be a title."""
    if name == "notify" and titled:
        return f"A message of the catalog is `notify {{ {text}: }}`; to say something now, write `notice({text})`."
    if name in SAYING_ELSEWHERE:
        return f"Write `notice({text})`."
    if name in DECLARING:
        return "Variables need no keyword: `$x = 1`."
    resource = f"; a resource is `{name} {{ {text}: }}`" if titled else ""
    return f"A function is called with parentheses: `{name}({text})`{resource}."


def value_of_all(view: View, body: nodes.Node) -> None:
    """`port` as all that is asked for, where a variable has that name."""
    last = body.statements[-1] if isinstance(body, nodes.Block) and body.statements else body
    if isinstance(last, nodes.Name) and last.value in view.names:
        _word(view, last)


def _after_slashes(view: View, node: nodes.Node) -> bool:
    """True on a line that begins like a comment of other languages."""
    return view.source.line(view.source.position(node.start)[0]).lstrip().startswith("//")


def pattern(view: View, node: nodes.Regexp) -> None:
    """`// a comment`."""
    if node.pattern == "" and _after_slashes(view, node):
        view.report("EMPTY_PATTERN", node.start, node.end)


# --- Conditions and comparisons


def condition(view: View, node: Any) -> None:
    """`if 'false'`, `if ''`, `if 0`."""
    test = node.test
    while isinstance(test, nodes.Paren):
        test = test.expr
    if isinstance(test, nodes.Name) and test.value in view.names:
        _word(view, test)
    elif isinstance(test, nodes.String | nodes.Name | nodes.Integer):
        view.report("CONSTANT_CONDITION", test.start, test.end, text=view.text(test), truth="true")
    elif isinstance(test, nodes.Comparison) and type(test.right) in LITERALS:
        _constant_word(view, test.left)


def _constant_word(view: View, node: nodes.Node) -> None:
    """`if role == 'web'`: a word that is no variable's name."""
    if isinstance(node, nodes.Name) and node.value not in view.names:
        view.report("WORD_COMPARED", node.start, node.end, name=node.value)


def comparison(view: View, node: nodes.Comparison) -> None:
    """`80 == '80'`, `$x == 'undef'`, `$x == /a/`, `! $a == $b`."""
    if view.in_query(node):
        return
    if node.operator in ("==", "!="):
        sides = (node.left, node.right)
        for side in sides:
            if isinstance(side, nodes.Regexp):
                view.report("PATTERN_COMPARED", node.start, node.end)
            elif isinstance(side, PLAIN) and side.value in view.undef_words:
                view.report("UNDEF_AS_TEXT", side.start, side.end, text=view.text(side))
        _type_for_text(view, node.left, node.right)
        _kinds(view, node)
    _words(view, node)
    _negated(view, node, node.operator)


def _type_for_text(view: View, left: nodes.Node, right: nodes.Node) -> None:
    """`$facts['os']['name'] == Debian`: what facts hold is data."""
    asked = left
    while isinstance(asked, nodes.Access):
        asked = asked.left
    is_fact = isinstance(asked, nodes.Variable) and asked.name.removeprefix("::") in ("facts", "trusted")
    if is_fact and asked is not left and isinstance(right, nodes.TypeName):
        view.report("TYPE_FOR_TEXT", right.start, right.end, name=right.value)


def _kinds(view: View, node: nodes.Comparison) -> None:
    """A number and a text, where they are not equal."""
    left, right = (_kind(view.literal(side)) for side in (node.left, node.right))
    tried_out = type(node.left) in LITERALS and type(node.right) in LITERALS
    if not (view.dialect.string_numbers or tried_out) and {left, right} == {NUMBER, TEXT}:
        shown = [view.text(side) for side in (node.left, node.right)]
        view.report(
            *("NUMBER_AND_TEXT", node.start, node.end),
            left=shown[0],
            right=shown[1],
            left_kind=left,
            right_kind=right,
        )


def _kind(literal: Any) -> str:
    if isinstance(literal, nodes.Integer | nodes.Float | float) or type(literal) is int:
        return NUMBER
    return TEXT if isinstance(literal, nodes.String | nodes.Concat | str) else ""


def _words(view: View, node: Any) -> None:
    """A word where a variable of that name is there: `port == 80`."""
    for side in (node.left, node.right):
        if isinstance(side, nodes.Name) and side.value in view.names:
            _word(view, side)


def membership(view: View, node: nodes.In) -> None:
    """`! 'a' in $list`."""
    _negated(view, node, "in")


def match(view: View, node: nodes.Match) -> None:
    """`! $x =~ /a/`."""
    _negated(view, node, node.operator)


def _negated(view: View, node: Any, operator: str) -> None:
    right = node.right.value if isinstance(node.right, nodes.Boolean) else None
    if isinstance(node.left, nodes.Not) and right is None and not isinstance(node.right, nodes.Not):
        view.report("NOT_BINDS_FIRST", node.left.start, node.left.start + 1, operator=operator)


# --- Values


def assignment(view: View, node: nodes.Assignment) -> None:
    """`$x = null`, `$twice = $list.each …`."""
    right = node.right
    value(view, right)
    if isinstance(right, nodes.Name) and right.value in FOREIGN_UNDEF:
        view.report("UNDEF_AS_TEXT", right.start, right.end, text=right.value)
    if isinstance(right, nodes.Call | nodes.MethodCall) and right.block is not None:
        name = function_name(right)
        if name in ("each", "reverse_each"):
            view.report("RESULT_OF_EACH", right.start, right.end, name=name)


def lambda_(view: View, node: nodes.Lambda) -> None:
    """`each |$x| { $sum = $sum + $x }`."""
    statements = node.body.statements if isinstance(node.body, nodes.Block) else [node.body]
    for statement in statements:
        if not isinstance(statement, nodes.Assignment) or not isinstance(statement.left, nodes.Variable):
            continue
        name = statement.left.name
        used = (part.name for part in nodes.walk(statement.right) if isinstance(part, nodes.Variable))
        if name in view.names and name in used:
            view.report("SET_IN_LAMBDA", statement.left.start, statement.left.end, name=name)


def access(view: View, node: nodes.Access) -> None:
    """`$facts['os.name']`."""
    key = node.keys[0] if len(node.keys) == 1 else None
    is_facts = isinstance(node.left, nodes.Variable) and node.left.name in ("facts", "::facts")
    if is_facts and isinstance(key, nodes.String) and "." in key.value:
        parts = "".join(f"['{part}']" for part in key.value.split("."))
        mended = view.text(node.left) + parts
        view.report("DOTTED_KEY", key.start, key.end, text=key.value, mended=mended)


def arithmetic(view: View, node: nodes.Arithmetic) -> None:
    """`7 / 2`."""
    left, right = node.left, node.right
    if not isinstance(left, nodes.Integer) or not isinstance(right, nodes.Integer):
        return
    if node.operator == "/" and right.value and left.value % right.value:
        text = f"{view.text(left)} / {view.text(right)}"
        result, mended = left.value // right.value, f"{left.value}.0 / {right.value}"
        view.report("WHOLE_DIVISION", left.start, right.end, text=text, result=result, mended=mended)


def attribute(view: View, node: nodes.Attribute) -> None:
    """`content => '$n'`."""
    value(view, node.value)


def resource(view: View, node: nodes.Resource) -> None:
    """`package { 'vim, git': }`."""
    if not isinstance(node.type_name, nodes.Name) or node.type_name.value not in NAMED_ONCE:
        return
    for body in node.bodies:
        title = body.title
        if isinstance(title, nodes.String) and NAMES.fullmatch(title.value):
            quoted = ", ".join(f"'{name}'" for name in re.split(r", *", title.value))
            mended = f"{node.type_name.value} {{ [{quoted}]: }}"
            view.report("TITLES_IN_ONE_TEXT", title.start, title.end, text=title.value, mended=mended)


RULES: dict[type[nodes.Node], tuple[Callable[[View, Any], None], ...]] = {
    nodes.Access: (access,),
    nodes.Arithmetic: (arithmetic,),
    nodes.Assignment: (assignment,),
    nodes.Attribute: (attribute,),
    nodes.Block: (block,),
    nodes.Call: (call,),
    nodes.Comparison: (comparison,),
    nodes.Concat: (interpolated,),
    nodes.If: (condition,),
    nodes.In: (membership,),
    nodes.Lambda: (lambda_,),
    nodes.Match: (match,),
    nodes.MethodCall: (call,),
    nodes.Regexp: (pattern,),
    nodes.Resource: (resource,),
    nodes.String: (single_quotes, foreign),
    nodes.Unless: (condition,),
}
