"""Rules for names: of variables, parameters and definitions."""

from __future__ import annotations

from typing import Any

from lexer_parser.lexing.tokens import KEYWORDS
from lexer_parser.memo import memoize
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import add_article_to_label
from lexer_parser.validation.walk import MOST_NAMES, ValidationWalk, VisitFunction

# String methods recognize names. Compiling the regular expressions that the messages print would take longer than the
# rest of the start, and some of them backtrack without end.
HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


# A word consists of letters, digits and underscores; only its first letter decides whether it is lower-case.


@memoize(MOST_NAMES)
def is_lower_word(text: str) -> bool:
    """Return True for a word that begins with a lower-case letter."""
    return text.isascii() and text.isidentifier() and text[0].islower()


def is_capitalized_word(text: str) -> bool:
    """Return True for a word that begins with an upper-case letter."""
    return text.isascii() and text.isidentifier() and text[0].isupper()


def is_parameter_name(name: str) -> bool:
    """Return True for a word that begins with a lower-case letter or an underscore."""
    return name.isascii() and name.isidentifier() and not name[0].isupper()


def is_variable_name(name: str) -> bool:
    """Return True for lower-case words joined by `::`; only the last may begin with `_`."""
    if name.isidentifier():  # one word, as most names are
        return name.isascii() and not name[0].isupper()
    *namespace, last = name.removeprefix("::").split("::")
    return is_parameter_name(last) and all(map(is_lower_word, namespace))


def is_definition_name(name: str) -> bool:
    """Return True for lower-case words joined by `::`."""
    # A generator in place of `map` would cost twice as much.
    return all(map(is_lower_word, name.split("::")))


def is_type_alias_name(name: str) -> bool:
    """Return True for capitalized words joined by `::`."""
    return all(map(is_capitalized_word, name.split("::")))


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
    if is_variable_name(name):
        walk.variables[name] = True
    elif name[:1].isdigit():
        if name != "0" and not (name.isdecimal() and name[0] != "0"):
            walk.report("ILLEGAL_NUMERIC_VAR_NAME", node, name=name)
    else:
        walk.report("ILLEGAL_VAR_NAME", node, name=name)


def check_parameter(walk: ValidationWalk, node: nodes.Parameter) -> None:
    """Report a parameter whose name is not one lower-case segment."""
    if is_parameter_name(node.name):
        walk.parameters[node.name] = True
        return
    if is_number(node.name):
        walk.report("ILLEGAL_NUMERIC_PARAMETER", node, name=node.name)
    walk.report("ILLEGAL_PARAM_NAME", node, name=node.name)


def strip_namespace(walk: ValidationWalk, name: str) -> str:
    """Return the part of a definition's name that no class around it has been checked for.

    Checking the whole name would make the time for nested classes grow with the square of their depth. The namespaces
    that do not begin the name belong to classes that have ended, so they are removed.
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
    if not is_definition_name(own):
        walk.report("ILLEGAL_DEFINITION_NAME", node, name=name, label=add_article_to_label(node))
    elif walk.dialect.strict_names and not KEYWORDS.keys().isdisjoint(own.split("::")):
        walk.report("ILLEGAL_NAME", node, name=name)
    elif type(node) is nodes.Class:
        walk.namespaces.append(f"{name}::")
    if walk.module_file is not None and not walk.module_file.may_define(name):
        walk.report("ILLEGAL_DEFINITION_LOCATION", node, name=name, file=walk.module_file.path)
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
    if is_variable_name(node.name) and "::_" in node.name:
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
