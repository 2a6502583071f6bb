"""Rules for names: of variables, parameters and definitions."""

from __future__ import annotations

from itertools import repeat
from typing import Any

from lexer_parser.lexing.tokens import KEYWORDS
from lexer_parser.memo import memoize
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import add_article_to_label
from lexer_parser.validation.walk import MOST_NAMES, ValidationWalk, VisitFunction

# String methods recognize names. Compiling the regular expressions that the messages print would take longer than the
# rest of the start, and some of them backtrack without end.
HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


@memoize(MOST_NAMES)
def is_word(text: str, first: str) -> bool:
    """Return True for a text of letters, digits and underscores.

    Args:
        text: The text.
        first: "a" if it must begin with a lower-case letter, "A" with an upper-case one.
    """
    return (
        text.isascii() and text.isidentifier() and (text[0].islower() if first == "a" else text[0].isupper())
    )


def is_parameter(name: str) -> bool:
    """Return True for a lower-case word, possibly with an underscore first."""
    return name.isascii() and name.isidentifier() and not name[0].isupper()


def is_variable(name: str) -> bool:
    """Return True for lower-case words joined by `::`; only the last may begin with `_`."""
    if name.isidentifier():
        return name.isascii() and not name[0].isupper()
    *namespace, last = name.removeprefix("::").split("::")
    return is_parameter(last) and all(is_word(part, "a") for part in namespace)


def is_definition(name: str, first: str = "a") -> bool:
    """Return True for words joined by `::`, each of which begins with `first`, see `is_word`."""
    # A generator in place of `map` would cost twice as much.
    return all(map(is_word, name.split("::"), repeat(first)))


def is_number(name: str) -> bool:
    """Return True for digits, and for hexadecimal digits after `0x`."""
    return name.isdecimal() or (
        name[:2] in ("0x", "0X") and len(name) > 2 and HEXADECIMAL.issuperset(name[2:])
    )


RESERVED_TYPE_WORDS = (
    "any array boolean collection enum float hash init integer numeric object optional pattern regexp runtime"
    " scalar semver semverrange sensitive string struct timespan timestamp tuple type typeset unit variant"
)
RESERVED_TYPE_NAMES = frozenset(RESERVED_TYPE_WORDS.split())


def check_variable(walk: ValidationWalk, node: nodes.Variable) -> None:
    """Report a variable whose name is neither lower case by segments nor a decimal number."""
    name = node.name
    if is_variable(name):
        walk.variables[name] = True
    elif name[:1].isdigit():
        if name != "0" and not (name.isdecimal() and name[0] != "0"):
            walk.report("ILLEGAL_NUMERIC_VAR_NAME", node, name=name)
    else:
        walk.report("ILLEGAL_VAR_NAME", node, name=name)


def check_parameter(walk: ValidationWalk, node: nodes.Parameter) -> None:
    """Report a parameter whose name is not one lower-case segment."""
    if is_parameter(node.name):
        walk.parameter_names[node.name] = True
        return
    if is_number(node.name):
        walk.report("ILLEGAL_NUMERIC_PARAMETER", node, name=node.name)
    walk.report("ILLEGAL_PARAM_NAME", node, name=node.name)


def strip_namespace(walk: ValidationWalk, name: str) -> str:
    """Return a definition's name without the name of a class around it that is valid.

    Checking the whole name would make the time for nested classes grow with the square of their depth.
    """
    namespaces = walk.namespaces
    while namespaces:
        if name.startswith(namespaces[-1]):
            return name[len(namespaces[-1]) :]
        namespaces.pop()
    return name


def check_definition(walk: ValidationWalk, node: Any) -> None:
    """Report an invalid, misplaced or reserved name of a class, defined type or function."""
    name = node.name
    own = strip_namespace(walk, name)
    if not is_definition(own):
        walk.report("ILLEGAL_DEFINITION_NAME", node, name=name, label=add_article_to_label(node))
    elif walk.dialect.strict_names and not KEYWORDS.keys().isdisjoint(own.split("::")):
        walk.report("ILLEGAL_NAME", node, name=name)
    elif type(node) is nodes.Class:
        walk.namespaces.append(f"{name}::")
    if walk.module_file is not None:
        walk.module_file.check_definition(walk, node)
    if name in RESERVED_TYPE_NAMES:
        walk.report("RESERVED_TYPE_NAME", node, name=name, label=add_article_to_label(node))
    if name == "plan":
        walk.report("FUTURE_RESERVED_WORD", node, word=name)


def check_type_reference(walk: ValidationWalk, node: nodes.Node | None) -> None:
    """Report `Plan`, which is reserved as a type."""
    head = node.left if isinstance(node, nodes.Access) else node
    if isinstance(head, nodes.TypeName) and head.value.lower() == "plan":
        walk.report("FUTURE_RESERVED_WORD", head, word="plan")


def check_strict_variable(walk: ValidationWalk, node: nodes.Variable) -> None:
    """Report a variable with an `_` after `::`, as the specification forbids it."""
    if is_variable(node.name) and "::_" in node.name:
        walk.report("ILLEGAL_VAR_NAME", node, name=node.name)
    else:
        check_variable(walk, node)


def check_name(walk: ValidationWalk, node: nodes.Name) -> None:
    """Report a name with a segment that is a keyword, as the specification forbids it."""
    if "::" in node.value and not KEYWORDS.keys().isdisjoint(node.value.split("::")):
        walk.report("ILLEGAL_NAME", node, name=node.value)


STRICT_VISITS: dict[type[nodes.Node], VisitFunction] = {
    nodes.Name: check_name,
    nodes.Variable: check_strict_variable,
}
