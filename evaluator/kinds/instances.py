"""`new`: finds the constructor of a type, calls it and checks what it made."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from evaluator.calling.constructors import Constructor
from evaluator.calling.signatures import Signature
from evaluator.issues import Failure

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

# keyword of a type -> module and name of what makes its values
CONSTRUCTORS = {
    "Array": ("containers", "ARRAY"),
    "Binary": ("scalars", "BINARY"),
    "Boolean": ("numbers", "boolean"),
    "Float": ("numbers", "floating"),
    "Hash": ("containers", "HASH"),
    "Integer": ("numbers", "integer"),
    "Numeric": ("numbers", "numeric"),
    "Regexp": ("scalars", "REGEXP"),
    "SemVer": ("scalars", "semver"),
    "SemVerRange": ("scalars", "SEMVER_RANGE"),
    "Sensitive": ("scalars", "SENSITIVE"),
    "String": ("scalars", "STRING"),
    "Struct": ("containers", "HASH"),
    "Timespan": ("scalars", "TIMESPAN"),
    "Timestamp": ("scalars", "TIMESTAMP"),
    "Tuple": ("containers", "ARRAY"),
    "URI": ("scalars", "URI"),
}
# where the Constructor that declares the signatures is another one than what makes the values
_DECLARED = {
    "Array": "_ARRAY",
    "Boolean": "BOOLEAN_CONSTRUCTOR",
    "Float": "FLOAT_CONSTRUCTOR",
    "Integer": "INTEGER_CONSTRUCTOR",
    "Numeric": "NUMERIC_CONSTRUCTOR",
    "SemVer": "_SEMVER",
    "Tuple": "_ARRAY",
}
_UNIT = Constructor("new_unit", ([("Any", "value", "")], lambda value: value))
_INIT = Constructor("new_Init", ([("Any", "value", "")], lambda value: value))


def new_instance(type: Any, args: list[Any], block: Any = None, runtime: Program | None = None) -> Any:
    """A value of the type, made of the arguments: what `T(args)`, `T.new(args)` and `new(T, args)` give.

    A value that is of the type already stays as it is. A block gets a new value and gives the result. Raises
    Failure for arguments that the type's constructor does not take, for a value that is not of the type after
    all, and for types that have no constructor. Without a program the texts of types name built-in ones only.
    """
    if block is not None and len(args) == 1 and type.keyword != "Init" and type.instance(args[0]):
        return args[0]
    value = _made(type, args, runtime)
    return value if block is None else block.call([value])


def _made(type: Any, args: list[Any], runtime: Program | None) -> Any:
    resolved = type.resolve()
    if type.keyword == "Init":  # an alias of one leaves what it could make something of as it is
        return _initialized(type, args, runtime)
    if len(args) == 1 and resolved.instance(args[0]):
        return args[0]
    value = _converted(resolved, args, runtime)
    if not resolved.instance(value):
        from evaluator.types.mismatch import check_converted

        check_converted(type, value)
    return value


def _converted(type: Any, args: list[Any], runtime: Program | None) -> Any:
    """What the type's constructor makes; it may not fit the type's parameters."""
    type = type.resolve()
    keyword = type.keyword
    if keyword in ("Optional", "NotUndef"):
        return _passed_on(type, args, runtime)
    object_type = getattr(type, "base", type)
    if keyword == "Object" and object_type.inner() != "Object":
        from evaluator.kinds.objects import new_object

        return new_object(object_type, args)
    if keyword == "Init":
        return _initialized(type, args, runtime)
    if keyword == "Type":
        from evaluator.kinds.scalars import type_of

        return type_of(args, runtime)
    constructor = _constructor(keyword)
    if constructor is not None:
        return constructor(args)
    if len(args) == 1 and type.instance(args[0]):
        return args[0]
    raise Failure("NOT_INSTANTIABLE", type=type)


def signatures(type: Any) -> list[Signature] | None:
    """What the type's own `new` takes; None for a type that has none.

    Optional, NotUndef and Init, which hand on what they are given, have one only where an alias stands for them.
    """
    constructor: Constructor
    if type.keyword == "TypeAlias":
        type = type.resolve()
        while type.keyword in ("Optional", "NotUndef") and type.type is not None:
            type = type.type.resolve()
        if type.keyword == "NotUndef" or (type.keyword == "Init" and type.type and signatures(type.type)):
            return [overload.signature for overload in _INIT.function.overloads]
    if type.keyword == "Object":
        from evaluator.kinds.objects import constructor_of

        constructor = constructor_of(getattr(type, "base", type))
    elif type.keyword == "Type":
        from evaluator.kinds.scalars import TYPE as constructor
    elif type.keyword in CONSTRUCTORS:
        module, name = CONSTRUCTORS[type.keyword]
        name = _DECLARED.get(type.keyword, name)
        constructor = getattr(import_module(f"evaluator.kinds.{module}"), name)
    else:
        return None
    return [overload.signature for overload in constructor.function.overloads]


_found: dict[str, Callable[[list[Any]], Any]] = {}


def _constructor(keyword: str) -> Callable[[list[Any]], Any] | None:
    found = _found.get(keyword)
    if found is None and keyword in CONSTRUCTORS:
        module, name = CONSTRUCTORS[keyword]
        found = _found[keyword] = getattr(import_module(f"evaluator.kinds.{module}"), name)
    return found


def _passed_on(type: Any, args: list[Any], runtime: Program | None) -> Any:
    """Optional[T] and NotUndef[T] are made as T is; undef and, without a T, any value stays as it is."""
    if len(args) == 1 and (type.type is None or (args[0] is None and type.keyword == "Optional")):
        return args[0]
    if type.type is not None:
        return _converted(type.type, args, runtime)
    if type.keyword == "NotUndef":
        return _UNIT(args)
    raise Failure("NOT_INSTANTIABLE", type=type)


def _initialized(type: Any, args: list[Any], runtime: Program | None) -> Any:
    """Init[T, more…] makes a T of one value and the further arguments; Init[T] also of those in an array."""
    if type.type is None or signatures(type.type) is None:
        raise Failure("NOT_INSTANTIABLE", type=type.type or type)
    type.taken()  # the further arguments must be some that T.new takes
    if len(args) == 1 and isinstance(args[0], list) and not type.extra and not type.type.instance(args[0]):
        return _made(type.type, args[0], runtime)
    return _made(type.type, [_INIT(args), *type.extra], runtime)
