"""Signatures of functions, their dispatch, and the registry."""

from __future__ import annotations

import sys

import pytest

from evaluator.calling.dispatch import DispatchWriter
from evaluator.calling.registry import (
    BuiltinFunction,
    find_function,
    list_function_names,
    parse_documentation,
)
from evaluator.calling.signatures import Signature, split_at_commas
from evaluator.issues import Failure
from evaluator.limits import COLLECTION
from evaluator.program.definitions import LambdaBlock, ParameterSpec
from evaluator.types import INTEGER
from lexer_parser.dialect import PUPPET, SPEC
from lexer_parser.errors import PuppetError


def make_block(call, count: int) -> LambdaBlock:
    return LambdaBlock(call, tuple(ParameterSpec(f"p{index}") for index in range(count)), count, count)


def test_a_signature_is_parsed_into_its_parts() -> None:
    signature = Signature.parse(
        "f(Hash[String, Integer] a, Enum['x', 'y'] b?, Any c*, Callable[2, 2] block?) >> Array"
    )
    assert [(part.text, part.name, part.mode) for part in signature.parameters] == [
        ("Hash[String, Integer]", "a", ""),
        ("Enum['x', 'y']", "b", "?"),
        ("Any", "c", "*"),
    ]
    assert (signature.min, signature.max, signature.returns) == (1, None, "Array")
    assert signature.block is not None and signature.block.mode == "?"
    assert signature.listing == "(Hash[String, Integer] a, Enum['x', 'y'] b?, Any c*, Callable[2, 2] block?)"


def test_a_signature_is_not_split_at_commas_in_brackets() -> None:
    assert split_at_commas("Struct[{'a' => Integer, 'b' => String}] x, Any y") == [
        "Struct[{'a' => Integer, 'b' => String}] x",
        "Any y",
    ]
    assert split_at_commas("  ") == []


def declare(*texts: str, body) -> BuiltinFunction:
    function = BuiltinFunction("f", "tests", "puppet", "")
    function.add(texts, body, False, "")
    return function


def test_optional_and_rest_parameters_may_be_absent() -> None:
    function = declare("f(Integer a, String b?, Boolean c*)", body=lambda *args: args)
    call = DispatchWriter(function).compile()
    assert call(None, (1,), None) == (1,)
    assert call(None, [1, "x", True, False], None) == (1, "x", True, False)
    for arguments in ((), ("x",), (1, 2), (1, "x", 3), (True,)):
        with pytest.raises(Failure):
            call(None, arguments, None)


def test_the_first_overload_that_matches_is_called() -> None:
    function = declare("f(Integer a)", body=lambda a: "one")
    function.overload("f(Any a)")(lambda a: "two")
    function.overload("f(Any a, Callable[2, 2] block)")(lambda a, block: "block")
    assert function.invoke(None, (1,), None) == "one"
    assert function.invoke(None, ("x",), None) == "two"
    assert function.invoke(None, (1,), make_block(max, 2)) == "block"
    with pytest.raises(Failure, match="expects one of"):
        function.invoke(None, (1,), make_block(max, 1))


@pytest.mark.parametrize(
    ("signature", "args", "message"),
    [
        ("f(Integer a)", (), "'f' expects 1 argument, got none"),
        ("f(Integer a, Any b?)", (1, 2, 3), "'f' expects between 1 and 2 arguments, got 3"),
        ("f(Integer a, Any b+)", (1,), "'f' expects at least 2 arguments, got 1"),
        ("f(Integer a)", ("x",), "'f' parameter 'a' expects an Integer value, got String"),
        ("f(Integer[1] a)", (0,), "'f' parameter 'a' expects an Integer[1] value, got Integer[0, 0]"),
        ("f(Integer a, Callable[1, 1] block)", (1,), "'f' expects a block"),
        ("f(Any p0, Any p1*)", (), "f(): Wrong number of arguments given (0 for minimum 1)"),
        ("f(Any p0)", (1, 2), "f(): Wrong number of arguments given (2 for 1)"),
    ],
)
def test_a_mismatch_with_one_signature_is_described(signature: str, args: tuple, message: str) -> None:
    with pytest.raises(Failure) as caught:
        declare(signature, body=lambda *args: None).invoke(None, args, None)
    assert str(caught.value) == message


def test_mismatches_of_the_same_parameter_are_described_together() -> None:
    function = declare("f(Integer a)", "f(String a)", body=lambda a: None)
    with pytest.raises(
        Failure, match=r"^'f' parameter 'a' expects a value of type Integer or String, got Boolean$"
    ):
        function.invoke(None, (True,), None)


def test_a_block_matches_by_its_parameters() -> None:
    typed_block = LambdaBlock(len, (ParameterSpec("x", INTEGER),), 1, 1)
    function = declare("f(Callable[String] block)", body=lambda block: "called")
    assert function.invoke(None, (), make_block(len, 1)) == "called"
    with pytest.raises(Failure):
        function.invoke(None, (), typed_block)


def test_a_function_is_found_in_the_dialects_that_have_it() -> None:
    assert find_function("nope") is None
    assert find_function("typeof", SPEC) is not None
    assert find_function("typeof", PUPPET) is None
    assert find_function("map", PUPPET) is find_function("map")
    assert list_function_names() == sorted(list_function_names())


def test_a_module_of_functions_is_imported_when_it_is_needed() -> None:
    import subprocess

    program = (
        "import sys; from evaluator.calling.registry import find_function; find_function('upcase');"
        "print([m for m in sys.modules if m.startswith('evaluator.functions.') and m.endswith(('strings', 'files'))])"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "['evaluator.functions.strings']"


def test_a_docstring_is_parsed_into_a_description_and_examples() -> None:
    description, examples = parse_documentation(
        "First.\n\n    > f(1)\n    notice: a\n    2\n\n    > x\n    > y\n    ! no\n"
    )
    assert description == "First."
    assert [(e.source, e.logs, e.result, e.error) for e in examples] == [
        ("f(1)", ("notice: a",), "2", None),
        ("x\ny", (), None, "no"),
    ]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("map", 1), ("map", 2), ("filter", 1), ("filter", 2), ("unique", 0), ("slice", 0)],
)
def test_the_size_of_a_result_is_limited(name: str, parameters: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(COLLECTION, "value", 100)
    function = find_function(name)
    assert function is not None
    args = (1000,) if name != "slice" else (1000, 1)
    block = make_block(lambda *values: values[-1] + 1, parameters) if parameters else None
    with pytest.raises(PuppetError, match="max_collection_size"):
        function.invoke(None, args, block)
    assert function.invoke(None, (100, *args[1:]), block)
