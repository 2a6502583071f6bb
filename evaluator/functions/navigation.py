"""Functions that read data: navigation in nested values, sizes, keys, joined Strings."""

from __future__ import annotations

import operator
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from evaluator.calling.registry import function
from evaluator.issues import Failure, require
from evaluator.limits import COLLECTION, STRING
from evaluator.program.definitions import MISSING, LambdaBlock, Scope
from evaluator.program.log import log_deprecation
from evaluator.types import find_builtin_type, infer
from evaluator.values import Value, dag, list_keys, to_ruby_text
from evaluator.values import get as at_key
from evaluator.values.chunked import find_run_end
from evaluator.values.objects import PuppetObject
from lexer_parser.dialect import PUPPET
from lexer_parser.memo import LONGEST, memoize

# --- dig, get, getvar


class PathBlocked(Failure):
    """Raised when a path leads into a value that is no collection, or has a key that is no index.

    Attributes:
        count: The number of steps that lead to that value.
        details: The details of an Error value: the steps, and under the name `kind` the type of the culprit.
    """

    def __init__(self, code: str, count: int, walked: list[Value], kind: str, culprit: Value) -> None:
        actual = infer(culprit, PUPPET)
        super().__init__(code, path=to_ruby_text(walked), actual=actual)
        self.count = count
        self.details = {"walked_path": walked, kind: actual}


def walk(data: Value, path: Sequence[Value]) -> Value:
    """Return the value at a path of keys and indices; undef if it does not exist.

    Raises `PathBlocked`.
    """
    for count, step in enumerate(path):
        if type(data) is dict:
            data = data.get(step) if type(step) is str else at_key(data, step)
        elif data is None:
            return None
        elif type(data) is list:
            if type(step) is not int:
                raise PathBlocked("EXPECTED_INTEGER_INDEX", count, [*path[: count + 1]], "index_type", step)
            data = data[step] if -len(data) <= step < len(data) else None
        else:
            raise PathBlocked("EXPECTED_COLLECTION", count, [*path[:count]], "value_type", data)
    return data


def get_part(collection: Value, step: Value) -> Value:
    """Return the value at a key of a hash, or at an index of an array; undef without one."""
    if type(collection) is dict:
        return at_key(collection, step)
    is_index = type(collection) is list and type(step) is int and -len(collection) <= step < len(collection)
    return collection[step] if is_index else None


@function("dig(Optional[Collection] data, Any arg*)")
def dig(data: Value, *path: Value) -> Value:
    """Return the value at a path of keys and indices in nested hashes and arrays.

    Undef if there is none.

    A path that leads into a String or number is an error.

    > dig({ 'a' => [1, { 'b' => 2 }] }, 'a', 1, 'b')
    2

    > { 'a' => 1 }.dig('b', 'c')
    undef

    > dig({ 'a' => 'text' }, 'a', 'b')
    ! Error while evaluating a Function Call, The given data does not contain a Collection at ["a"], got 'String'
    """
    if None in path:
        walk(data, path[: path.index(None)])
        return None
    return walk(data, path)


_PLAIN = re.compile(r"""[^'".]*""")
_DIGITS = re.compile(r"\d*")


@memoize(5000, longest=LONGEST)
def split_path(text: str) -> tuple[Value, ...]:
    """Return the parts of a dotted path: names, Integers, and quoted parts as Strings.

    Raises Failure.
    """
    if not text:
        return ()
    parts: list[Value] = []
    position = 0
    while True:
        quote = text[position : position + 1]
        quoted = quote in ("'", '"')
        begin = position + quoted
        end = text.find(quote, begin) if quoted else find_run_end(_PLAIN, text, begin)
        require(end > begin, "NAVIGATION_SYNTAX", path=text)
        part = text[begin:end]
        parts.append(int(part) if not quoted and _is_whole(part) else part)
        position = end + quoted
        if position == len(text):
            return tuple(parts)
        require(text[position] == ".", "NAVIGATION_SYNTAX", path=text)
        position += 1


def _is_whole(text: str) -> bool:
    """Return whether a part of a path is an index."""
    sign = text.startswith("-")
    return len(text) > sign and find_run_end(_DIGITS, text, sign) == len(text)


def _navigate(scope: Scope, value: Value, path: str, default: Value, block: LambdaBlock | None) -> Value:
    """Return the value at a dotted path in another one, or the default; see `get`."""
    if value is None:
        return default
    steps = split_path(path)
    if not steps:
        return value
    try:
        if type(value) not in (list, dict):
            return dig.invoke(scope, [value, *steps], None)
        part = walk(value, steps)
    except PathBlocked as stuck:
        if block is None:
            raise
        attributes = {
            "msg": str(stuck),
            "kind": "SLICE_ERROR",
            "details": stuck.details,
            "issue_code": stuck.code,
        }
        return block.fn(PuppetObject(find_builtin_type("Error", scope.runtime.dialect), attributes))
    return default if part is None else part


@function("get(Any value, String dotted_string, Any default_value?, Callable[1, 1] block?)", context=True)
def get(
    scope: Scope, value: Value, path: str, default: Value = None, block: LambdaBlock | None = None
) -> Value:
    """Return the value at a dotted path in nested hashes and arrays.

    Names are keys, numbers are indices.

    If there is none it returns the default. A block is called with an Error if the path leads into a value that is not
    a collection.

    > get({ 'a' => [1, { 'b' => 2 }] }, 'a.1.b')
    2

    > get({ 'a' => 1 }, 'x.y', 'default')
    'default'

    > get({ 'a.b' => 1 }, "'a.b'")
    1

    > get({ 'a' => 1 }, 'a.b') |$error| { $error.issue_code }
    'EXPECTED_COLLECTION'
    """
    return _navigate(scope, value, path, default, block)


@function(
    r"getvar(Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] get_string, Any default_value?,"
    " Callable[1, 1] block?)",
    context=True,
    usage=("getvar(String path, Any default?, Callable[1, 1] block?)",),
)
def getvar(scope: Scope, path: str, default: Value = None, block: LambdaBlock | None = None) -> Value:
    """Return the value of a variable, or the value at a dotted path in it as `get` does.

    For a variable that is not set it returns the default or undef, without a warning.

    > $data = { 'ports' => [80, 443] }
    > getvar('data.ports.1')
    443

    > getvar('facts.no.such', 'default')
    'default'
    """
    name, _, rest = path.partition(".")
    value = scope.runtime.names.find_variable(scope, name)
    if value is MISSING or value is None:
        return default
    return _navigate(scope, value, rest, default, block) if rest else value


@getvar.mismatch
def getvar_mismatch(*args: Value) -> Failure | None:
    """Return the failure for a String that names no variable."""
    is_string = args and type(args[0]) is str and len(args) < 3
    return Failure("NO_VARIABLE_NAME", function="getvar") if is_string else None


# --- keys, values, length, empty


@function("keys(Hash hsh)")
def keys(hash_value: dict[Value, Value]) -> list[Value]:
    """Return the keys of a hash, in the order in which they were added.

    > keys({ 'a' => 1, 2 => 3 })
    ['a', 2]
    """
    return list_keys(hash_value)


@function("values(Hash hsh)")
def values(hash_value: dict[Value, Value]) -> list[Value]:
    """Return the values of a hash, in the order of the keys.

    > values({ 'a' => 1, 'b' => 3 })
    [1, 3]
    """
    return list(hash_value.values())


@function("length(Collection arg)", "length(String arg)", "length(Binary arg)")
def length(arg: Value) -> int:
    """Return the number of elements of an array or hash, or the length of a String or Binary.

    > length('héllo')
    5

    > [1, 2].length
    2
    """
    return len(arg)


@function("size(Variant[Collection, String, Binary] arg)")
def size(arg: Value) -> int:
    """Return the number of elements, characters or bytes: `length` under another name.

    > size({ 'a' => 1 })
    1

    > 'abc'.size
    3
    """
    return len(arg)


@function("empty(Collection coll)")
def empty(arg: Value) -> bool:
    """Return whether a collection or String has no elements.

    Undef is empty, blanks and numbers are not.

    > empty([])
    true

    > empty('a')
    false

    > empty(undef)
    true
    """
    return not arg


@empty.overload("empty(Sensitive[String] str)")
def empty_sensitive(arg: Value) -> bool:
    """Return whether the String inside is empty."""
    return not arg.value


empty.overload("empty(String str)")(operator.not_)


@empty.overload("empty(Numeric num)", context=True)
def empty_number(scope: Scope, arg: Value) -> bool:
    """Return false for a number, which is deprecated."""
    log_deprecation(
        scope.runtime, "Calling function empty() with Numeric value is deprecated.", once_per_line=True
    )
    return False


empty.overload("empty(Binary bin)", "empty(Undef x)")(operator.not_)


# --- flatten, join

FEW = 8  # elements up to which a loop takes less time than the preparations for many
MANY = 100_000  # elements whose texts are not stored before their total length is known


def flatten_arrays(values: Value) -> list[Value]:
    """Return the elements of nested arrays in one list, hashes and Iterators unchanged."""
    result: list[Value] = []
    for value in values:
        if type(value) is not list:
            result.append(value)
        elif len(value) > FEW and list not in map(type, value):
            result += value
        else:
            for element in value:
                if type(element) is not list:
                    result.append(element)
                else:
                    result += dag.flatten_lists(element) if list in map(type, element) else element
    COLLECTION.check(len(result))
    return result


@function("flatten(Any args*)")
def flatten(*args: Value) -> list[Value]:
    """Return one array with the elements of nested arrays and Iterators.

    Other arguments become elements.

    > flatten([1, [2, [3]]], 4)
    [1, 2, 3, 4]

    > [['a'], { 'b' => [1] }].flatten
    ['a', {'b' => [1]}]
    """
    return flatten_arrays(args)


@function("join(Array arg, String delimiter?)")
def join(array: list[Value], delimiter: str = "") -> str:
    """Join the elements of an array into one String, nested arrays too; undef counts as empty.

    `split` does the reverse. For a hash, join the result of `map`.

    > join(['a', 'b', 1], ', ')
    'a, b, 1'

    > [1, [2, undef, 'a']].join('-')
    '1-2--a'

    > { 'a' => 1, 'b' => 2 }.map |$key, $value| { "${key}=${value}" }.join('&')
    'a=1&b=2'
    """
    # check the total length before storing strings: those of 10 M numbers would fill the memory
    if len(array) > MANY:
        deque(_check_texts(array, delimiter), maxlen=0)  # computes them and stores none
        return delimiter.join(_check_texts(array, delimiter))
    if len(array) <= FEW:
        return _join_few(array, delimiter)
    if int in map(type, array):
        array = [str(element) if type(element) is int else element for element in array]
    try:
        STRING.check(sum(map(len, array)) + len(delimiter) * len(array))
        return delimiter.join(array)
    except TypeError:
        return delimiter.join(_check_texts(array, delimiter))


def _join_few(array: list[Value], delimiter: str) -> str:
    """Return the joined elements, by a loop that is fast for a few."""
    texts = []
    room = STRING.value - len(delimiter) * len(array)
    for element in array:
        kind = type(element)
        if kind is int:
            element = str(element)
        elif kind is not str:
            return delimiter.join(_check_texts(array, delimiter))
        room -= len(element)
        texts.append(element)
    if room < 0:
        raise STRING.make_error()
    return delimiter.join(texts)


@dag.memoize_recursion
def _join_inner(recurse: Value, value: Value, delimiter: str) -> str:
    """Return the text of an element; an array's elements are joined with the same delimiter."""
    if type(value) is list:
        return delimiter.join(_check_texts(value, delimiter, recurse))
    return to_ruby_text(value)


def _check_texts(array: list[Value], delimiter: str, text: Callable[..., str] = _join_inner) -> Iterator[str]:
    """Yield the texts to join. Raise PuppetError when they exceed the limit of a String."""
    room = STRING.value + len(delimiter)
    for element in array:
        kind = type(element)
        piece = element if kind is str else str(element) if kind is int else text(element, delimiter)
        room -= len(piece) + len(delimiter)
        if room < 0:
            raise STRING.make_error()
        yield piece
