"""`new`: finds the constructor of a type, calls it and checks what it made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.calling.constructors import Constructor
from evaluator.calling.signatures import Signature
from evaluator.issues import Failure, require
from evaluator.types import AliasType, NotUndefType, OptionalType
from evaluator.types.aliases import InitType
from evaluator.types.puppet_wording import check
from evaluator.values.kind import INIT, NOT_UNDEF, OPTIONAL, Value

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


# Constructors that return their only argument, the parameter `value`.
_UNIT = Constructor("new_unit", ([("Any", "value", "")], lambda value: value))
_INIT = Constructor("new_Init", ([("Any", "value", "")], lambda value: value))


def make_instance(type: Any, args: list[Value], block: Any = None, runtime: Runtime | None = None) -> Value:
    """Return a value of the type: the result of `T(args)`, `T.new(args)` and `new(T, args)`.

    A value that is an instance already is returned as it is. A block receives a new value and returns the result.

    Args:
        type: The type.
        args: The arguments of its constructor.
        block: The block of the call, or None.
        runtime: The program, which resolves names of types in strings; without it only built-in names are known.

    Raises:
        Failure: The constructor does not accept the arguments, the result is not an instance, or there is no
            constructor.
    """
    if block is not None and len(args) == 1 and not isinstance(type, InitType) and type.instance(args[0]):
        return args[0]
    value = _make(type, args, runtime)
    return value if block is None else block.call([value])


def _make(type: Any, args: list[Value], runtime: Runtime | None) -> Value:
    """Return the only argument if it is an instance, else a new one. Raise Failure."""
    resolved = type.resolve()
    # An alias of an Init type returns unchanged what the Init type would convert.
    if isinstance(type, InitType):
        return _make_init(type, args, runtime)
    if len(args) == 1 and resolved.instance(args[0]):
        return args[0]
    value = _convert(resolved, args, runtime)
    if not resolved.instance(value):
        check(f"Converted value from {type}.new()", type, value)
    return value


def _convert(type: Any, args: list[Value], runtime: Runtime | None) -> Value:
    """Return the result of the constructor of the type; it may not match the parameters of the type."""
    type = type.resolve()
    if type.instance_kind is not None:
        return type.instance_kind.new(type, args, runtime)
    if len(args) == 1 and type.instance(args[0]):
        return args[0]
    raise Failure("NOT_INSTANTIABLE", type=type)


def find_signatures(type: Any) -> list[Signature] | None:
    """Return the signatures of the type's own `new`; None for a type that has none.

    Optional, NotUndef and Init, which pass their arguments on, have one only if they are the definition of an alias.
    """
    if isinstance(type, AliasType):
        type = type.resolve()
        while isinstance(type, OptionalType | NotUndefType) and type.type is not None:
            type = type.type.resolve()
        # NotUndef without a T, and an Init, take one value.
        if isinstance(type, NotUndefType) or (
            isinstance(type, InitType) and type.type and find_signatures(type.type)
        ):
            return _INIT.signatures
    if type.instance_kind is None or isinstance(type, OptionalType | NotUndefType | InitType):
        return None
    signatures: list[Signature] = type.instance_kind.signatures(type)
    return signatures


def _make_optional(type: OptionalType, args: list[Value], runtime: Runtime | None) -> Value:
    """Return the result of `Optional[T]`: a T, or undef for undef."""
    if len(args) == 1 and args[0] is None:
        return None
    require(type.type is not None, "NOT_INSTANTIABLE", type=type)
    return _convert(type.type, args, runtime)


def _make_init(type: Any, args: list[Value], runtime: Runtime | None) -> Value:
    """Return the result of `Init[T, more…]`: a T made of one value and the further arguments.

    `Init[T]` passes an array to T as one value if T can be made of such an array, else its elements as arguments.
    """
    require(
        type.type is not None and find_signatures(type.type) is not None,
        "NOT_INSTANTIABLE",
        type=type.type or type,
    )
    # This raises Failure if no signature of T.new takes the further arguments.
    value_types, _ = type.accepted_types
    is_array = len(args) == 1 and isinstance(args[0], list)
    if is_array and not type.extra and not any(each.instance(args[0]) for each in (type.type, *value_types)):
        return _make(type.type, args[0], runtime)
    return _make(type.type, [_INIT(args), *type.extra], runtime)


OPTIONAL.set_rules(new=_make_optional)
NOT_UNDEF.set_rules(  # NotUndef[T] converts as T does; NotUndef without a T returns the value unchanged
    new=lambda type, args, runtime: _UNIT(args) if type.type is None else _convert(type.type, args, runtime)
)
INIT.set_rules(new=_make_init, signatures=find_signatures)
