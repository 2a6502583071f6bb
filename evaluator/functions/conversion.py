"""Functions of types: assertion, conversion, the type of a value, formats of times."""

from __future__ import annotations

from evaluator import kinds, types, values
from evaluator.calling.registry import function
from evaluator.issues import Failure, require
from evaluator.program.definitions import LambdaBlock, Scope
from evaluator.program.log import log_deprecation
from evaluator.types import infer, infer_detailed, infer_specified
from evaluator.types.scalars import FAST_CONVERSIONS
from evaluator.values import Value
from lexer_parser.dialect import PUPPET

# --- assert_type


def _assert_instance(type_: Value, value: Value, block: LambdaBlock | None) -> Value:
    if type_.instance(value):
        return value
    if block is not None:
        return block.fn(type_, infer_detailed(value, PUPPET))
    raise Failure("ASSERTION_FAILED", **types.describe_as_arguments("assert_type():", type_, value))


@function("assert_type(Type type, Any value, Callable[Type, Type] block?)")
def assert_type(type_: Value, value: Value, block: LambdaBlock | None = None) -> Value:
    """Return the value if it is an instance of the type, and fail otherwise.

    Instead of failing, a block is called with the expected and the actual type; its value is the result.

    > assert_type(Integer, 5)
    5

    > assert_type(Integer, 'a')
    ! Error while evaluating a Function Call, assert_type(): expects an Integer value, got String

    > assert_type(Integer, 'a') |$expected, $actual| { "${expected}, not ${actual}" }
    'Integer, not String'
    """
    return _assert_instance(type_, value, block)


@assert_type.overload("assert_type(String type_string, Any value, Callable[Type, Type] block?)", context=True)
def assert_type_text(scope: Scope, text: str, value: Value, block: LambdaBlock | None = None) -> Value:
    """Accept the type as a String."""
    return _assert_instance(scope.runtime.names.parse_type_or_reference(text), value, block)


# --- new, convert_to


def convert(scope: Scope, type_: Value, args: list[Value], block: LambdaBlock | None = None) -> Value:
    """Return a new instance of the type, or the value of a block called with it.

    A single argument that is an instance already is returned without a call of the block.

    Args:
        scope: The scope of the call.
        type_: The type.
        args: The value to convert, and further arguments of the constructor.
        block: The block, or None.
    """
    convert_fast = FAST_CONVERSIONS.get(id(type_)) if len(args) == 1 and block is None else None
    instance = None if convert_fast is None else convert_fast(args[0])
    if instance is not None:
        return instance
    return kinds.make_instance(type_, args, block, scope.runtime)


def _convert_for_block(scope: Scope, type_: Value, args: list[Value], block: LambdaBlock | None) -> Value:
    """Return an instance of the type, or the value of a block, which is always called with it."""
    value = convert(scope, type_, args)
    return value if block is None else block.call([value])


@function("new(Type type, Any args*, Callable block?)", context=True)
def new(scope: Scope, type_: Value, *args: Value, block: LambdaBlock | None = None) -> Value:
    """Create an instance of a type.

    `Integer('12')`, `Integer.new('12')` and `new(Integer, '12')` are the same.

    > new(Integer, '12')
    12

    > Integer('0xFF', 16)
    255

    > Integer('many')
    ! Error while evaluating a Function Call, 'new' The string 'many' cannot be converted to Integer
    """
    return convert(scope, type_, list(args), block)


@function("convert_to(Any value, Type type, Any args*, Callable[1, 1] block?)", context=True)
def convert_to(
    scope: Scope, value: Value, type_: Value, *args: Value, block: LambdaBlock | None = None
) -> Value:
    """Convert a value to a type: `new` with the value first, which reads well in a chain.

    > '12'.convert_to(Integer)
    12

    > convert_to(3, String, '%03d')
    '003'

    > '12'.convert_to(Integer) |$x| { $x * 2 }
    24
    """
    return _convert_for_block(scope, type_, [value, *args], block)


@convert_to.overload(
    "convert_to(Type type, Any value, Any args*, Callable[1, 1] block?)",
    context=True,
    switch="former_functions",
)
def convert_to_type_first(
    scope: Scope, type_: Value, value: Value, *args: Value, block: LambdaBlock | None = None
) -> Value:
    """Convert a value to the type before it, as the specification orders the arguments.

    > convert_to(String, 32, 16)
    '0x20'
    """
    return _convert_for_block(scope, type_, [value, *_replace_radix(type_, value, args)], block)


@function("convert(Type type, Any value, Any args*)", context=True, switch="former_functions")
def convert_method(scope: Scope, type_: Value, value: Value, *args: Value) -> Value:
    """Convert a value to the type, as the specification writes it: `Type.convert(value)`.

    A String made from an Integer and a radix has the prefix of the radix.

    > Boolean.convert('true')
    true

    > String.convert(32, 16)
    '0x20'
    """
    return convert(scope, type_, [value, *_replace_radix(type_, value, args)])


def _replace_radix(type_: Value, value: Value, args: Value) -> Value:
    """Return the further arguments of a conversion, with a radix replaced by a format."""
    formats = {2: "%#b", 8: "%#o", 10: "%d", 16: "%#x"}
    if type(value) is int and len(args) == 1 and args[0] in formats and type_.simple_name == "String":
        return (formats[args[0]],)
    return args


# --- type, is_a


@function("type(Any value, Enum['detailed'] inference_method?)", context=True)
def type_(scope: Scope, value: Value, method: str = "detailed") -> Value:
    """Return the type of a value.

    It is 'detailed', 'reduced' to one element type, or 'generalized' without values.

    `=~` tests whether a value is an instance of a type, `assert_type` requires it.

    > type([1, 'a'])
    Tuple[Integer[1, 1], String]

    > type([1, 2], 'reduced')
    Array[Integer[1, 2], 2, 2]

    > type(1.5, 'generalized')
    Float
    """
    return infer_detailed(value, PUPPET)


@type_.overload("type(Any value, Enum['reduced'] inference_method)", context=True)
def type_reduced(scope: Scope, value: Value, method: str) -> Value:
    """Return the type with one type for all elements."""
    return infer(value, scope.runtime.dialect)


@type_.overload("type(Any value, Enum['generalized'] inference_method)", context=True)
def type_generalized(scope: Scope, value: Value, method: str) -> Value:
    """Return the type without values and sizes."""
    return infer(value, scope.runtime.dialect).generalize()


@function("typeof(Any value)", switch="former_functions")
def typeof(value: Value) -> Value:
    """Return the type of a value: another name of `type_of`.

    > typeof([Enum[a, b], Enum[c]])
    Array[Type[Enum['a', 'b', 'c']]]
    """
    return infer_specified(value)


# --- strftime, annotate


@function(
    "strftime(Timespan time_object, String format)",
    "strftime(Timestamp time_object, String format, String timezone?)",
)
def strftime(time: Value, pattern: str, *timezone: str) -> str:
    """Format a Timestamp or Timespan.

    The format is such as `%Y-%m-%d %H:%M:%S`; `%F` is the date, `%T` the time, `%z` the zone.

    For a Timespan, `%D` is the days and `%H` the hours; without `%D` the hours include the days. `%-d` omits leading
    zeros, `%3N` or `%L` are milliseconds. The time is in UTC unless a zone is passed.

    > strftime(Timestamp(0), '%F %T %z', '+02:00')
    '1970-01-01 02:00:00 +0200'

    > Timespan(3661).strftime('%H:%M:%S')
    '01:01:01'

    > Timestamp(0).strftime('%A, %-d %B %Y')
    'Thursday, 1 January 1970'

    > [Timespan(90000).strftime('%D days %H hours'), Timespan(90000).strftime('%H hours')]
    ['1 days 01 hours', '25 hours']
    """
    return str(time.strftime(pattern, *timezone))


@strftime.overload("strftime(String format, String timezone?)", context=True)
def strftime_now(scope: Scope, pattern: str, timezone: str | None = None) -> str:
    """Format the current time (deprecated)."""
    log_deprecation(
        scope.runtime,
        "The argument signature (String format, [String timezone]) is deprecated for #strftime."
        " See #strftime documentation and Timespan type for more info",
        once_per_line=True,
    )
    return values.Timestamp.now().strftime(pattern, timezone)


@function(
    "annotate(Type[Annotation] type, Any value, Callable[0, 0] block?)",
    "annotate(Type[Annotation] type, Any value, Variant[Enum['clear'], Hash[Pcore::MemberName, Any]] annotation_hash)",
)
def annotate(
    type_: Value, value: Value, annotation: Value = "clear", block: LambdaBlock | None = None
) -> None:
    """Read or clear annotations of values. No value can have any here: the result is undef.

    > annotate(Annotation, 1)
    undef
    """
    require(annotation == "clear", "NO_ANNOTATIONS")


@annotate.overload(
    "annotate(Type[Pcore] type, Any value, Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] annotations)"
)
def annotate_all(type_: Value, value: Value, annotations: dict[Value, Value]) -> Value:
    """Set annotations of a value and return it; without annotations this does nothing."""
    require(not annotations, "NO_ANNOTATIONS")
    return value
