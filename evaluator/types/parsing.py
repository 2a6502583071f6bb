"""Types from source text: `type X = …` statements, and strings that name a type.

The released Puppet evaluates such texts with another parser than programs: type parameters are checked by other rules
and with other messages than by `[]` in a program. A `ParameterRule` states them for one type, and converts the
parameters into those that `Type.apply_parameters` takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import lexer_parser
from evaluator.issues import Failure, make_error, require
from evaluator.types import base
from evaluator.types.aliases import (
    TypeReference,
    can_have_parameters,
    evaluate_definition,
    get_name_being_defined,
    parameterize,
)
from evaluator.types.base import Type, is_bound
from evaluator.types.collections import Member, StructType, TupleType
from evaluator.types.object_definitions import (
    NAME,
    check_references,
    define_members,
    define_type_set,
    make_reference_resolver,
)
from evaluator.types.objects import OBJECT
from evaluator.types.puppet_wording import check
from evaluator.types.references import CLASS, RESOURCE, ClassType, ResourceType, to_type
from evaluator.types.scalars import (
    ENUM,
    PATTERN,
    REGEXP,
    STRING,
    IntegerType,
    PatternType,
    RegexpType,
)
from evaluator.types.variants import NOT_UNDEF, OptionalType, TypeType, VariantType
from evaluator.values.core import DEFAULT, make_hash
from evaluator.values.kind import Value
from evaluator.values.regexps import RegexpValue
from evaluator.values.ruby_values import get_ruby_class, make_comparison_failure, to_float
from evaluator.values.uris import PARTS
from evaluator.values.versions import SemVerRange
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import get_released_class

# Returns the failure "… is not a type expression" for the type with its parameters, whose text is composed only then.
MakeFailure = Callable[[], Failure]
# Takes the parameters.
Prepare = Callable[[list[Any], MakeFailure], list[Any]]
# Takes the keyword of the type and the parameter.
MakeRefusal = Callable[[str, Any, MakeFailure], Failure]


class ParameterCount(NamedTuple):
    """The numbers of parameters that a type takes, and the words for them in messages."""

    numbers: range
    words: str


class ParameterRule(NamedTuple):
    """How a kind of type takes its parameters in source text.

    Attributes:
        permitted: The numbers of parameters that it takes; None for any number.
        takes_arrays: True if a parameter may be an array.
        prepare: Returns the parameters as in a program; none for parameters without effect. Raises Failure.
        make_refusal: Returns the failure for a parameter that the type does not accept.
    """

    permitted: ParameterCount | None = None
    takes_arrays: bool = True
    prepare: Prepare = lambda arguments, make_failure: arguments
    make_refusal: MakeRefusal = lambda keyword, argument, make_failure: make_failure()


def prepare_parameters(type_: Any, arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    """Return the parameters as in a program; none if they have no effect.

    Args:
        type_: The type without parameters.
        arguments: The parameters in source text.
        make_failure: Returns the failure for the expression as a whole.

    Raises:
        Failure: The rule of the type refuses them.
    """
    rule = _find_rule(type_)
    if rule.permitted is not None:
        require(
            len(arguments) in rule.permitted.numbers,
            "TYPE_PARAMETER_COUNT",
            type=type_.simple_name,
            expected=rule.permitted.words,
            actual=len(arguments),
        )
    arrays = [argument for argument in arguments if type(argument) is list]
    if arrays and not rule.takes_arrays:
        raise rule.make_refusal(type_.keyword, arrays[0], make_failure)
    return rule.prepare(arguments, make_failure)


def _find_rule(type: Any) -> ParameterRule:
    """Return the rule of a type. `Object` has one, but Object types of programs have none."""
    if type.keyword == "Resource" and type.type_name:
        return _RESOURCE_OF_A_TYPE
    return _RULES.get(type.simple_name if type.keyword == "Object" else type.keyword, _WITHOUT_RULE)


def _make_pattern_refusal(keyword: str, argument: Value, make_failure: MakeFailure) -> Failure:
    return Failure("PATTERN_PARAMETER", actual=get_ruby_class(argument))


def _make_time_refusal(keyword: str, argument: Value, make_failure: MakeFailure) -> Failure:
    return Failure("NO_TIME", type=keyword, actual="Array") if type(argument) is list else make_failure()


def _prepare_float(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    if len(arguments) == 1 and type(arguments[0]) is list:
        raise make_failure()
    if len(arguments) == 1:
        return arguments
    return [end if end is DEFAULT else to_float(end) for end in _prepare_bounds(arguments, make_failure)]


def _prepare_bounds(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    """Return the ends of a range, where undef is `default`; a single one as it is."""
    return [DEFAULT if end is None else end for end in arguments] if len(arguments) > 1 else arguments


def _prepare_integer(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    """Return the ends of a range. Raise Failure for a number and a value that is none."""
    ends = _prepare_bounds(arguments, make_failure)
    if len(ends) == 2:
        low, high = (
            infinity if end is DEFAULT else end
            for end, infinity in zip(ends, (-math.inf, math.inf), strict=True)
        )
        is_low_number, is_high_number = type(low) in (int, float), type(high) in (int, float)
        if (is_low_number and not is_high_number) or (type(low) is str and is_high_number):
            raise make_comparison_failure(low, high)
    return ends


def _prepare_array(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    if type(arguments[0]) is list:
        raise make_failure()
    # `Array[1, 2]`, a size alone, has elements of the type Default, as released.
    return [base.DEFAULT, *arguments] if len(arguments) == 2 and is_bound(arguments[0]) else arguments


def _prepare_hash(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    if len(arguments) == 2 and all(map(is_bound, arguments)):
        return [base.DEFAULT, base.DEFAULT, *arguments]
    sizes = arguments[2:]
    if not all(isinstance(argument, Type) for argument in arguments[:2]) or not (
        all(map(is_bound, sizes)) or (len(sizes) == 1 and isinstance(sizes[0], Type))
    ):
        raise make_failure()
    return arguments


def _prepare_tuple(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    count = 2 if len(arguments) > 1 and is_bound(arguments[-2]) else int(is_bound(arguments[-1]))
    types, size = arguments[: len(arguments) - count], arguments[len(arguments) - count :]
    if not all(map(is_bound, size)):
        raise make_failure()
    return [*map(to_type, types), *size] if types else []


def _prepare_callable(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    if type(arguments[0]) is not list:
        return arguments
    require(
        len(arguments) <= 2,
        "TYPE_PARAMETER_COUNT",
        type="callable",
        expected="2 when first parameter is an array",
        actual=len(arguments),
    )
    if len(arguments) == 2:
        return [arguments[0], to_type(arguments[1])]
    return [to_type(arguments[0])]


def _prepare_enum(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    names = arguments[:-1] if type(arguments[-1]) is bool else arguments
    require(names, "TYPE_PARAMETER_COUNT", type="Enum", expected="1 or more", actual=0)
    require(all(type(name) is str for name in names), "ENUM_PARAMETER")
    return arguments


def _prepare_pattern(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    for argument in arguments:
        if not isinstance(argument, str | RegexpValue | PatternType | RegexpType):
            raise _make_pattern_refusal("Pattern", argument, make_failure)
    return arguments


def _prepare_uri(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    if type(arguments[0]) is dict:
        check("URI-Type parameter", URI_PARAMETER, arguments[0])
    return arguments if type(arguments[0]) in (dict, str) else []


def _prepare_runtime(arguments: list[Value], make_failure: MakeFailure) -> list[Value]:
    check("Runtime 'runtime'", STRING, arguments[0])
    check("Runtime 'name_or_pattern'", _RUNTIME_NAME, arguments[1])
    return arguments


# The types of the parameters of Runtime and URI.
_RUNTIME_NAME = VariantType((NAME, TupleType((REGEXP, NAME))))
_STRING_TYPES = tuple(TypeType(each) for each in (PATTERN, ENUM, NOT_UNDEF, base.UNDEF))
_URI_PART = OptionalType(VariantType((NAME, REGEXP, *_STRING_TYPES)))
_URI_PORT = OptionalType(VariantType((IntegerType(0), *_STRING_TYPES[2:])))
URI_PARAMETER = VariantType(
    (
        NAME,
        StructType(
            [Member(part, _URI_PORT if part == "port" else _URI_PART, required=False) for part in PARTS]
        ),
    )
)
_WITHOUT_RULE = ParameterRule()
# The words are those of the releases, which write "1 or 2" and "1 to 2".
_ONE = ParameterCount(range(1, 2), "1")
_ONE_OR_TWO = ParameterCount(range(1, 3), "1 or 2")
_UP_TO_ONE = ParameterCount(range(2), "0 to 1")
_RESOURCE_OF_A_TYPE = ParameterRule(_ONE)
_RULES = {
    **dict.fromkeys(("Init", "Variant"), ParameterRule(takes_arrays=False)),
    **dict.fromkeys(
        ("Iterable", "Iterator", "Optional", "Regexp", "Struct", "Type"),
        ParameterRule(_ONE, takes_arrays=False),
    ),
    **dict.fromkeys(("Class", "Object"), ParameterRule(_ONE)),
    **dict.fromkeys(("NotUndef", "Sensitive"), ParameterRule(_UP_TO_ONE, takes_arrays=False)),
    **dict.fromkeys(
        ("Collection", "String"), ParameterRule(ParameterCount(range(1, 3), "1 to 2"), takes_arrays=False)
    ),
    **dict.fromkeys(
        ("Timespan", "Timestamp"),
        ParameterRule(
            ParameterCount(range(3), "0 to 2"), takes_arrays=False, make_refusal=_make_time_refusal
        ),
    ),
    "Array": ParameterRule(ParameterCount(range(1, 4), "1 to 3"), prepare=_prepare_array),
    "Boolean": ParameterRule(_ONE, takes_arrays=False, make_refusal=lambda *_: Failure("BOOLEAN_PARAMETER")),
    "Callable": ParameterRule(prepare=_prepare_callable),
    "Enum": ParameterRule(prepare=_prepare_enum, make_refusal=lambda *_: Failure("ENUM_PARAMETER")),
    "Float": ParameterRule(_ONE_OR_TWO, prepare=_prepare_float),
    "Hash": ParameterRule(ParameterCount(range(2, 5), "2 to 4"), prepare=_prepare_hash),
    "Integer": ParameterRule(_ONE_OR_TWO, takes_arrays=False, prepare=_prepare_integer),
    "Pattern": ParameterRule(prepare=_prepare_pattern, make_refusal=_make_pattern_refusal),
    "Resource": ParameterRule(_ONE_OR_TWO),
    "Runtime": ParameterRule(ParameterCount(range(2, 3), "2"), prepare=_prepare_runtime),
    "Tuple": ParameterRule(prepare=_prepare_tuple),
    "URI": ParameterRule(_ONE, prepare=_prepare_uri),
}


# --- evaluation of type expressions

Resolve = Callable[[str], Any]
FindBuiltin = Callable[[str], "Type | None"]


def raise_unknown_type(name: str) -> Any:
    """Raise UNKNOWN_RESOURCE_TYPE for a name that refers to no type."""
    raise make_error("UNKNOWN_RESOURCE_TYPE", name=name)


def parse(
    text: str, find_builtin: FindBuiltin, dialect: Dialect, resolve: Resolve = raise_unknown_type
) -> Type:
    """Return the Type of a source text such as `Array[Integer, 1]`.

    Args:
        text: The source.
        find_builtin: Returns the built-in type of a name, or None.
        dialect: The dialect of the source.
        resolve: Returns the type of any other name.

    Raises:
        PuppetError: The text is not Puppet code, or names an unknown type.
        Failure: The text is not a type expression.
    """
    try:
        program = lexer_parser.parse(text, dialect=dialect, validate=False)
    except PuppetError as problem:
        if problem.incomplete and problem.code == "SYNTAX_ERROR":
            raise Failure("TYPE_UNFINISHED") from None
        raise
    return evaluate_type_node(program.body, text, find_builtin, dialect, resolve)


def evaluate_type_node(
    node: Any,
    text: str,
    find_builtin: FindBuiltin,
    dialect: Dialect,
    resolve: Resolve,
    begin: int | None = None,
) -> Type:
    """Return the type of an expression in source text. Raise Failure for other expressions.

    Args:
        node: The expression.
        text: The whole source text.
        find_builtin: Returns the built-in type of a name, or None.
        dialect: The dialect of the source.
        resolve: Returns the type of any other name.
        begin: The offset from which messages quote a type with parameters, for a `type` statement that of the name;
            None to quote the expression.
    """
    evaluator = TypeEvaluator(text, find_builtin, dialect, resolve)
    if begin is not None and isinstance(node, nodes.Access):
        evaluator.statement_node = node
        evaluator.statement_text = text[begin : max(part.end for part in nodes.walk(node.keys[-1]))]
    value = evaluator.evaluate(node)
    if not isinstance(value, Type):
        raise _make_invalid_failure(evaluator.source_of(node))
    return value


def _make_invalid_failure(text: str) -> Failure:
    return Failure("NO_TYPE_EXPRESSION", text=text)


class TypeEvaluator(Record):
    """An evaluator of type expressions in source text.

    Attributes:
        text: The source text.
        find_builtin: Returns the built-in type of a name, or None.
        resolve: Returns the type of any other name.
        statement_node: The expression of a `type` statement; None elsewhere.
        statement_text: What messages quote for that expression.
    """

    text: str
    find_builtin: FindBuiltin
    dialect: Dialect
    resolve: Resolve
    statement_node: nodes.Access | None = None
    statement_text: str = ""

    def evaluate(self, node: Any) -> Value:
        """Return the value of a type expression or of a parameter. Raise Failure for others."""
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise _make_invalid_failure(self.source_of(node))
        return handler(node, self)

    def evaluate_member(self, node: Any, resolve: Resolve) -> Any:
        """Return the type, or the hash of an Object type, that a TypeSet declares.

        Args:
            node: The expression.
            resolve: Returns the type of a name that is not built in, such as another type of the set.

        Raises:
            Failure: The expression is none of them.
        """
        evaluator = TypeEvaluator(self.text, self.find_builtin, self.dialect, resolve)
        member = (
            _evaluate_short_form(node, evaluator)
            if isinstance(node, nodes.ResourceDefaults)
            else evaluator.evaluate(node)
        )
        if not isinstance(member, Type | dict):
            raise _make_invalid_failure(evaluator.source_of(node))
        return member

    def source_of(self, node: Any) -> str:
        """Return the text of a node as messages quote it: up to its last part, without `)`."""
        if node is self.statement_node:
            return self.statement_text
        parts = list(nodes.walk(nodes.strip_parentheses(node)))
        start = min(node.start, *(part.start for part in parts))
        end = max(part.end for part in parts if not isinstance(part, _ENDING_IN_PARTS))
        return self.text[start:end] or self.text.strip()


def _evaluate_name(node: Any, evaluator: TypeEvaluator) -> Value:
    return evaluator.find_builtin(node.value) or evaluator.resolve(node.value)


def _evaluate_access(node: Any, evaluator: TypeEvaluator) -> Value:
    """Return the type of `Name[…]`. Raise Failure if the type does not take the parameters."""
    name = node.left.value.lower() if isinstance(node.left, nodes.Name | nodes.TypeName) else ""
    if name == "typeset" and len(node.keys) == 1:
        return _evaluate_type_set(node.keys[0], evaluator)
    keys = node.keys
    if name == "object" and get_name_being_defined():
        keys = keys[:1]  # the others have no effect where an alias is defined
        if not isinstance(keys[0], nodes.Hash):
            raise Failure(
                "WRONG_TYPE",
                reason="object initializer has wrong type, expects a Struct value,"
                f" got Puppet::AST::{get_released_class(keys[0])}",
            )
    # Object types among the parameters have no name.
    arguments = evaluate_definition("", lambda: [evaluator.evaluate(key) for key in keys])
    if not isinstance(node.left, nodes.TypeName):  # after the arguments, whose errors come first
        raise _make_invalid_failure(evaluator.source_of(node))
    type = evaluator.evaluate(node.left)
    is_reference = isinstance(type, TypeReference)
    require(
        name != "typereference" and (is_reference or can_have_parameters(type)),
        "TYPE_WITHOUT_PARAMETERS",
        name=node.left.value,
    )
    if is_reference:
        return TypeReference(evaluator.source_of(node))
    return _apply_parameters(type, arguments, node, evaluator)


def _apply_parameters(type_: Type, arguments: list[Value], node: Any, evaluator: TypeEvaluator) -> Value:
    """Return a type with the parameters of an expression. Raise Failure for wrong ones."""
    parameters = prepare_parameters(
        type_, arguments, lambda: _make_invalid_failure(evaluator.source_of(node))
    )
    if isinstance(type_, ClassType | ResourceType) and not evaluator.dialect.catalog_grammar:
        # In the released Puppet undef is no name.
        parameters = [parameter for parameter in parameters if parameter is not None]
    if not parameters:
        return type_
    # Any string is the name of a class, so `ClassType.apply_parameters`, which checks it, is not called.
    if type_ == CLASS and len(parameters) == 1 and type(parameters[0]) is str:
        class_type = ClassType()
        class_type.name = parameters[0].removeprefix("::")
        return class_type
    try:
        return parameterize(type_, parameters, evaluator.dialect)
    except PuppetError as problem:
        if problem.operand is None:
            raise
        raise _make_parameter_failure(type_, parameters, problem, evaluator.source_of(node)) from None


def _evaluate_type_set(node: Any, evaluator: TypeEvaluator) -> Any:
    """Return a TypeSet; the names of its types and references may be written without quotes."""
    if not isinstance(node, nodes.Hash):
        return define_type_set([evaluator.evaluate(node)])
    fields: dict[str, Any] = {}
    types: dict[Any, Any] | None = None
    for pair in node.entries:
        name = (
            pair.key.value
            if isinstance(pair.key, nodes.Name | nodes.String)
            else evaluator.evaluate(pair.key)
        )
        if not isinstance(pair.value, nodes.Hash) or name not in ("types", "references"):
            fields[name] = evaluator.evaluate(pair.value)
            continue
        nodes_by_name: dict[Any, Any] = {
            getattr(member.key, "value", None): member.value for member in pair.value.entries
        }
        if name == "types":
            fields[name], types = {}, nodes_by_name  # its types may refer to names of references that follow
        else:
            fields[name] = {alias: evaluator.evaluate(entry) for alias, entry in nodes_by_name.items()}
    if types is not None:
        resolve = make_reference_resolver(fields.get("references"), evaluator.resolve)
        fields["types"] = define_members(types, evaluator.evaluate_member, resolve)
    type_set = define_type_set([fields])
    check_references(type_set, evaluator.resolve)
    return type_set


def _evaluate_short_form(node: nodes.ResourceDefaults, evaluator: TypeEvaluator) -> Any:
    """Return the hash of `Object { … }` or `Parent { … }`, by which a set declares a type."""
    parent = evaluator.evaluate(node.type_ref)
    entries = [] if parent == OBJECT else [("parent", parent)]
    for entry in node.operations:
        if not isinstance(entry, nodes.Attribute):
            raise _make_invalid_failure(evaluator.source_of(node))
        entries.append((entry.name, evaluator.evaluate(entry.value)))
    return make_hash(entries)


def _make_parameter_failure(type_: Any, arguments: list[Value], problem: PuppetError, text: str) -> Failure:
    """Return the failure of parameters that a type does not take, worded for source text.

    Args:
        type_: The type without parameters.
        arguments: The parameters.
        problem: The error in the words for programs; its operand is 1 + the index of the wrong parameter, or 0.
        text: The source of the expression.
    """
    if type_.keyword == "SemVer":  # a string before the wrong parameter may be no range, which fails first
        for argument in arguments[: (problem.operand or 1) - 1]:
            if type(argument) is str:
                SemVerRange.parse(argument)
    if problem.code == "ILLEGAL_TYPE_REFERENCE":
        return Failure("ILLEGAL_TYPE_NAME", name=problem.arguments["name"])
    if type_ == RESOURCE and type(arguments[0]) is not str:
        return Failure("TYPE_NAME_NOT_STRING", actual=get_ruby_class(arguments[0]))
    refused = arguments[min(problem.operand or 1, len(arguments)) - 1]
    return _find_rule(type_).make_refusal(type_.keyword, refused, lambda: _make_invalid_failure(text))


_ENDING_IN_PARTS = (nodes.If, nodes.Selector)  # messages quote them without their last brace
_HANDLERS: dict[type, Callable[[Any, TypeEvaluator], Any]] = {
    nodes.TypeName: _evaluate_name,
    nodes.Access: _evaluate_access,
    nodes.Array: lambda node, evaluator: [evaluator.evaluate(value) for value in node.values],
    nodes.Hash: lambda node, evaluator: make_hash(
        (evaluator.evaluate(pair.key), evaluator.evaluate(pair.value)) for pair in node.entries
    ),
    nodes.Regexp: lambda node, evaluator: RegexpValue(node.pattern),
    nodes.Default: lambda node, evaluator: DEFAULT,
    nodes.Undef: lambda node, evaluator: None,
    nodes.Minus: lambda node, evaluator: -evaluator.evaluate(node.expr),
    **dict.fromkeys(
        (nodes.Integer, nodes.Float, nodes.String, nodes.Boolean, nodes.Name),
        lambda node, evaluator: node.value,
    ),
}
