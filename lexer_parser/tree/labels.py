"""The words of messages: the labels of nodes, such as "Literal Integer", articles, names and numbers."""

from __future__ import annotations

from lexer_parser.tree import nodes

NAMES: dict[type[nodes.Node], str] = {
    nodes.Program: "Program",
    nodes.Nop: "Nop Expression",
    nodes.Undef: "'undef' expression",
    nodes.Default: "'default' expression",
    nodes.Boolean: "Boolean",
    nodes.Integer: "Literal Integer",
    nodes.Float: "Literal Float",
    nodes.String: "String",
    nodes.Concat: "Double Quoted String",
    nodes.Text: "Expression in Interpolated String",
    nodes.Regexp: "Regular Expression",
    nodes.Name: "Name",
    nodes.TypeName: "Type-Name",
    nodes.Variable: "Variable",
    nodes.Array: "Array Expression",
    nodes.Hash: "Hash Expression",
    nodes.Pair: "Hash Entry",
    nodes.Paren: "Parenthesized Expression",
    nodes.Not: "'not' expression",
    nodes.Minus: "Unary Minus",
    nodes.Splat: "Unfold",
    nodes.In: "'in' expression",
    nodes.And: "'and' expression",
    nodes.Or: "'or' expression",
    nodes.Access: "'[]' expression",
    nodes.Block: "Block Expression",
    nodes.If: "'if' statement",
    nodes.Unless: "'unless' Statement",
    nodes.Case: "'case' statement",
    nodes.CaseOption: "Case Option",
    nodes.Selector: "Selector Expression",
    nodes.SelectorEntry: "Selector Option",
    nodes.Call: "Function Call",
    nodes.MethodCall: "Method call",
    nodes.Lambda: "Lambda",
    nodes.Parameter: "Parameter Definition",
    nodes.Class: "Host Class Definition",
    nodes.Define: "'define' expression",
    nodes.Function: "Function Definition",
    nodes.Plan: "Plan Definition",
    nodes.NodeDefinition: "Node Definition",
    nodes.TypeAlias: "Type Alias",
    nodes.TypeMapping: "Type Mapping",
    nodes.TypeDefinition: "Type Definition",
    nodes.Resource: "Resource Statement",
    nodes.ResourceBody: "Resource Instance Definition",
    nodes.ResourceDefaults: "Resource Defaults Expression",
    nodes.ResourceOverride: "Resource Override",
    nodes.AttributesSplat: "'* =>' expression",
    nodes.Epp: "Epp Template",
    nodes.RenderText: "Epp Text",
    nodes.Render: "Epp Interpolated Expression",
}

# The classes in the released implementation whose names do not follow from those of ours
_RELEASED_CLASSES: dict[type[nodes.Node], str] = {
    nodes.Integer: "LiteralInteger",
    nodes.Float: "LiteralFloat",
    nodes.String: "LiteralString",
    nodes.Boolean: "LiteralBoolean",
    nodes.Name: "QualifiedName",
    nodes.Concat: "ConcatenatedString",
    nodes.Paren: "ParenthesizedExpression",
    nodes.Undef: "LiteralUndef",
    nodes.TypeName: "QualifiedReference",
    nodes.Default: "LiteralDefault",
    nodes.Regexp: "LiteralRegularExpression",
    nodes.Array: "LiteralList",
    nodes.Hash: "LiteralHash",
    nodes.Call: "CallNamedFunctionExpression",
    nodes.MethodCall: "CallMethodExpression",
    nodes.Minus: "UnaryMinusExpression",
    nodes.Splat: "UnfoldExpression",
    nodes.Arithmetic: "ArithmeticExpression",
}


def make_label(node: nodes.Node) -> str:
    """Return the name of `node` in messages, such as "Literal Integer" or "'==' expression"."""
    name = NAMES.get(type(node))
    if name is not None:
        return name
    match node:
        case nodes.Collector():
            return make_label(node.query)
        case nodes.Query():
            return "Exported Query" if node.exported else "Virtual Query"
        case nodes.Heredoc():
            return f"'@({node.syntax or ''})' expression"
        case nodes.Reserved():
            return f"Reserved Word '{node.word}'"
    return f"'{getattr(node, 'operator', '')}' expression"


def add_article(words: str) -> str:
    """Return the words with the indefinite article: `an Integer`, `a '+' expression`.

    Quotes are ignored: `an 'in' expression`.
    """
    begins_with_vowel = words.lstrip("'").lower().startswith(("a", "e", "i", "o", "u"))
    return f"an {words}" if begins_with_vowel else f"a {words}"


def add_capital_article(words: str) -> str:
    """Return the same as `add_article`, to begin a sentence."""
    return "A" + add_article(words)[1:]


def add_article_to_label(node: nodes.Node) -> str:
    """Return the label with its article, for the middle of a sentence: "a Literal Integer"."""
    return add_article(make_label(node))


def begin_with_label(node: nodes.Node) -> str:
    """Return the label with its article, for the start of a sentence: "A Literal Integer"."""
    return add_capital_article(make_label(node))


def get_released_class(node: nodes.Node) -> str:
    """Return the name of the class of a node in the released implementation: `LiteralInteger`."""
    return _RELEASED_CLASSES.get(type(node), f"{type(node).__name__}Expression")


def capitalize_segments(name: str) -> str:
    """Return the name of a type with capital segments: `foo::bar` is `Foo::Bar`."""
    return "::".join(segment[:1].upper() + segment[1:] for segment in name.split("::"))


def format_finite_float(value: float) -> str:
    """Return a Float as Puppet writes it: the shortest digits that read back, `0.0001`, `1.0e-05`, `1.0e+16`.

    A whole number of 16 digits has an exponent already.
    """
    is_long = 1e15 <= abs(value) < 1e16 and value.is_integer()
    mantissa, mark, exponent = (f"{value:.15e}" if is_long else repr(value)).partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if mark else mantissa
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{mark}{exponent}"
