"""Why a call fits no signature, in the words of the released Puppet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.types.base import ANY, Type
from evaluator.types.callables import CallableType
from evaluator.types.inference import infer_detailed
from evaluator.types.mismatch import describe
from evaluator.types.problems import CountMismatch, MissingBlock, Problem, TypeMismatch, UnexpectedBlock
from lexer_parser.dialect import PUPPET

if TYPE_CHECKING:
    from evaluator.calling.registry import Function
    from evaluator.calling.signatures import Signature


def call_failure(function: Function, scope: Scope | None, args: Sequence[Any], block: Any) -> Failure:
    """What is wrong with the arguments of a call that no signature takes."""
    takes_block = any(overload.signature.block is not None for overload in function.overloads)
    if function.explain is not None and (block is None or takes_block):
        found = function.explain(*args)
        if found is not None:
            return found
    signatures = [
        overload.signature
        for overload in function.overloads
        if not overload.switch or (scope is not None and getattr(scope.runtime.dialect, overload.switch))
    ] or [overload.signature for overload in function.overloads]
    if signatures[0].legacy:
        return _legacy_count(function, signatures, len(args))
    alternatives = _problems(signatures, args, block)
    alone = merged(alternatives)
    if alone:
        return _single(function.name, signatures, alone[0])
    if len(signatures) == 1:
        return listed_mismatch(f"'{function.name}'", signatures[0].listing, alternatives[0])
    forms = []
    for signature, problems in zip(signatures, alternatives, strict=True):
        forms.append(f"\n  {signature.listing}")
        forms += [f"\n    rejected: {problem.text()}" for problem in problems]
    return Failure("NO_SUCH_CALL", function=function.name, forms="".join(forms))


# the kinds of problems that are about the call as a whole
_OF_CALLS: dict[type[Problem], str] = {
    CountMismatch: "ARGUMENT_COUNT",
    MissingBlock: "MISSING_LAMBDA",
    UnexpectedBlock: "UNEXPECTED_LAMBDA",
}


def _single(name: str, signatures: list[Signature], problem: Problem) -> Failure:
    """The one thing that is wrong with a call."""
    if not problem.path:
        return Failure(_OF_CALLS[type(problem)], function=name, **problem.told())
    if problem.path == ("block",) and isinstance(problem, CountMismatch):
        return Failure("LAMBDA_MISMATCH", function=name, **problem.told())
    names = {_step(parameter.name): parameter.name for each in signatures for parameter in each.parameters}
    return argument_mismatch(f"'{name}'", problem, function=name, parameter=names.get(problem.path[0], ""))


def argument_mismatch(subject: str, problem: Problem, **arguments: str) -> Failure:
    """An argument that does not fit its parameter; `subject` is what was called."""
    return Failure("ARGUMENT_MISMATCH", subject=subject, reason=problem.text(), **arguments, **problem.told())


def listed_mismatch(subject: str, listing: str, problems: Sequence[Problem]) -> Failure:
    """Several things that are wrong with the arguments of what has one signature, listed so."""
    rejected = "".join(f"\n  rejected: {problem.text()}" for problem in problems)
    return Failure("ARGUMENTS_REJECTED", subject=subject, listing=listing, rejected=rejected)


def _step(parameter: str) -> str:
    """A parameter, as a step of a problem's path."""
    return f"parameter '{parameter}'"


def signature_problems(signature: Signature, args: Sequence[Any], block: Any) -> list[Problem]:
    """Why one signature does not take a call, in the order of the arguments; nothing where it does."""
    return _argument_problems(signature, args) or _block_problems(signature, block)


def _problems(signatures: list[Signature], args: Sequence[Any], block: Any) -> list[list[Problem]]:
    """The problems of each signature: of the block where all have one, else of the arguments first."""
    alternatives = [_argument_problems(signature, args) for signature in signatures]
    if all(alternatives):
        return alternatives
    blocks = [_block_problems(signature, block) for signature in signatures]
    if all(blocks):
        return blocks
    return [arguments or own for arguments, own in zip(alternatives, blocks, strict=True)]


def _argument_problems(signature: Signature, args: Sequence[Any]) -> list[Problem]:
    count = len(args)
    if count < signature.min or (signature.max is not None and count > signature.max):
        return [CountMismatch((), signature.min, signature.max, (count, count))]
    for index, arg in enumerate(args):
        parameter = signature.parameter_at(index)
        expected, actual = parameter.type.normalize(), infer_detailed(arg, PUPPET).normalize()
        if expected.assignable(actual):
            continue
        problems = describe(expected, actual, (_step(parameter.name),))
        if problems:
            return problems
    return []


def _block_problems(signature: Signature, block: Any) -> list[Problem]:
    if signature.block is None:
        return [] if block is None else [UnexpectedBlock(())]
    if block is None:
        return [] if signature.block.mode == "?" else [MissingBlock(())]
    wanted = signature.block.type.resolve()
    if not isinstance(wanted, CallableType) or wanted.parameters is None:
        return []
    low, high = wanted.parameters.extent
    if block.min < low or (high is not None and (block.max is None or block.max > high)):
        return [CountMismatch(("block",), low, high, (block.min, block.max))]
    expected = wanted.parameters.types or ()
    declared = [_declared(spec.type) for spec in block.parameters]
    if all(own.assignable(kind) for kind, own in zip(expected, declared, strict=False)):
        return []
    return [
        TypeMismatch(("block", f"index {index}"), kind, own)
        for index, (kind, own) in enumerate(zip(expected, declared, strict=False))
        if not kind.assignable(own)
    ]


def _declared(kind: Any) -> Type:
    """The type of a block's parameter, which may have been known only when the block was passed."""
    return ANY if kind is None else kind if isinstance(kind, Type) else kind.resolve()


def merged(alternatives: list[list[Problem]]) -> list[Problem]:
    """One problem for several signatures that all fail in the same way at the same place, else none."""
    problems = [problem for part in alternatives for problem in part]
    if len(problems) == 1:
        return problems
    for kind in (CountMismatch, MissingBlock, UnexpectedBlock, TypeMismatch):
        alike = [problem for problem in problems if isinstance(problem, kind)]
        if len(alike) == len(alternatives) and len({problem.place for problem in alike}) == 1:
            whole: Problem = alike[0]
            for problem in alike[1:]:
                whole = whole.merge(problem)
            return [whole]
    return []


def _legacy_count(function: Function, signatures: list[Signature], count: int) -> Failure:
    signature = signatures[0]
    wanted = str(signature.min) if signature.min == signature.max else f"minimum {signature.min}"
    return Failure(
        function.count_issue, function=function.name, number=count, expected=function.takes or wanted
    )
