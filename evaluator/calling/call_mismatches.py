"""The failures of calls whose arguments match no signature of a function.

It is imported when a call has been refused: `dispatch` tests the arguments of calls, without a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.types.base import ANY, Type
from evaluator.types.mismatches import (
    CountMismatch,
    Mismatch,
    MissingBlock,
    TypeMismatch,
    UnexpectedBlock,
    find_call_mismatches,
    merge_equivalent,
)
from evaluator.types.puppet_wording import to_arguments, to_sentence
from evaluator.types.references import CallableType

if TYPE_CHECKING:
    from evaluator.calling.registry import BuiltinFunction
    from evaluator.calling.signatures import Signature
    from evaluator.program.definitions import LambdaBlock, Scope
    from evaluator.values.kind import Value


def make_call_failure(
    function: BuiltinFunction, scope: Scope | None, args: Sequence[Value], block: LambdaBlock | None
) -> Failure:
    """Return the failure of a call whose arguments match no signature of the function.

    Args:
        function: The function.
        scope: The scope of the call; None if it is not known, as for constructors.
        args: The arguments without the block.
        block: The block, or None.
    """
    takes_block = any(overload.signature.block is not None for overload in function.overloads)
    if function.explain is not None and (block is None or takes_block):
        failure = function.explain(*args)
        if failure is not None:
            return failure
    signatures = [
        overload.signature
        for overload in function.overloads
        if not overload.switch or (scope is not None and overload.belongs_to(scope.runtime.dialect))
    ] or [overload.signature for overload in function.overloads]
    if signatures[0].legacy:
        return _make_legacy_count_failure(function, signatures[0], len(args))
    return make_mismatch_failure(function.name, signatures, args, block)


def make_mismatch_failure(
    name: str, signatures: list[Signature], args: Sequence[Value], block: LambdaBlock | None = None
) -> Failure:
    """Return the failure of a call of a function that matches none of some signatures."""
    mismatches_by_signature = _find_mismatches(signatures, args, block)
    common_mismatch = _merge_signatures(mismatches_by_signature)
    if common_mismatch is not None:
        return _make_single_failure(name, signatures, common_mismatch)
    if len(signatures) == 1:
        return make_rejection(f"'{name}'", signatures[0].listing, mismatches_by_signature[0])
    lines = []
    for signature, mismatches in zip(signatures, mismatches_by_signature, strict=True):
        lines.append(f"\n  {signature.listing}")
        lines += [f"\n    rejected: {to_sentence(mismatch)}" for mismatch in mismatches]
    return Failure("NO_SUCH_CALL", function=name, forms="".join(lines))


# The issues of mismatches that are about the call as a whole.
_CALL_ISSUES: dict[type[Mismatch], str] = {
    CountMismatch: "ARGUMENT_COUNT",
    MissingBlock: "MISSING_LAMBDA",
    UnexpectedBlock: "UNEXPECTED_LAMBDA",
}


def _make_single_failure(name: str, signatures: list[Signature], mismatch: Mismatch) -> Failure:
    """Return the failure of a call with which one thing is wrong."""
    if not mismatch.path:
        return Failure(_CALL_ISSUES[type(mismatch)], function=name, **to_arguments([mismatch]))
    if mismatch.path == ("block",) and isinstance(mismatch, CountMismatch):
        return Failure("LAMBDA_MISMATCH", function=name, **to_arguments([mismatch]))
    names = {
        _make_path_step(parameter.name): parameter.name
        for signature in signatures
        for parameter in signature.parameters
    }
    parameter = names.get(mismatch.path[0], "")
    return make_argument_failure(f"'{name}'", mismatch, function=name, parameter=parameter)


def make_argument_failure(subject: str, mismatch: Mismatch, **arguments: str) -> Failure:
    """Return the failure of an argument that does not match its parameter.

    Args:
        subject: What was called, as the message names it: `'join'`.
        mismatch: The mismatch.
        **arguments: Further arguments of the message.
    """
    reason = to_sentence(mismatch)
    return Failure(
        "ARGUMENT_MISMATCH", subject=subject, reason=reason, **arguments, **to_arguments([mismatch])
    )


def make_rejection(subject: str, listing: str, mismatches: Sequence[Mismatch]) -> Failure:
    """Return the failure of a call with several mismatches.

    Args:
        subject: What was called, as the message names it: `'join'`.
        listing: The parameters of its only signature, as `Signature.listing` lists them.
        mismatches: The mismatches.
    """
    rejected = "".join(f"\n  rejected: {to_sentence(mismatch)}" for mismatch in mismatches)
    return Failure("ARGUMENTS_REJECTED", subject=subject, listing=listing, rejected=rejected)


def _make_path_step(parameter: str) -> str:
    """Return the step that leads to a parameter in the path of a mismatch."""
    return f"parameter '{parameter}'"


def find_signature_mismatches(
    signature: Signature, args: Sequence[Value], block: LambdaBlock | None
) -> list[Mismatch]:
    """Return why one signature does not take a call; an empty list if it does."""
    return _find_argument_mismatches(signature, args) or _find_block_mismatches(
        signature, block, follows_calls=True
    )


def _find_mismatches(
    signatures: list[Signature], args: Sequence[Value], block: LambdaBlock | None
) -> list[list[Mismatch]]:
    """Return the mismatches that the message lists for each signature.

    They are about the arguments if these match no signature, else about the block if it matches none. Otherwise each
    signature lists those of the arguments or, if it has none, those of the block.
    """
    of_arguments = [_find_argument_mismatches(signature, args) for signature in signatures]
    if all(of_arguments):
        return of_arguments
    of_block = [_find_block_mismatches(signature, block, follows_calls=False) for signature in signatures]
    if all(of_block):
        return of_block
    return [first or second for first, second in zip(of_arguments, of_block, strict=True)]


def _find_argument_mismatches(signature: Signature, args: Sequence[Value]) -> list[Mismatch]:
    """Return the mismatch of the number of arguments, or those of the first wrong argument."""
    count = len(args)
    if not signature.takes_count(count):
        return [CountMismatch((), signature.min, signature.max, (count, count))]
    for index, arg in enumerate(args):
        parameter = signature.parameter_at(index)
        mismatches = find_call_mismatches(_make_path_step(parameter.name), parameter.type, arg)
        if mismatches:
            return mismatches
    return []


def _find_block_mismatches(
    signature: Signature, block: LambdaBlock | None, follows_calls: bool
) -> list[Mismatch]:
    """Return the mismatches of the block of a call.

    Args:
        signature: The signature.
        block: The block, or None.
        follows_calls: True to return none for a block that can be called: each of its types accepts the one that the
            function passes. The message of a rejected call, as released, lists the types of the block that the ones of
            the function do not accept, which is the other way round.
    """
    if signature.block is None:
        return [] if block is None else [UnexpectedBlock(())]
    if block is None:
        return [] if signature.block.mode == "?" else [MissingBlock(())]
    expected_type = signature.block.type.resolve()
    if not isinstance(expected_type, CallableType) or expected_type.parameters is None:
        return []
    low, high = expected_type.parameters.extent
    if block.min < low or (high is not None and (block.max is None or block.max > high)):
        return [CountMismatch(("block",), low, high, (block.min, block.max))]
    passed_types = expected_type.parameters.types or ()
    pairs = [
        (passed, _resolve_declared(spec.type))
        for passed, spec in zip(passed_types, block.parameters, strict=False)
    ]
    if follows_calls and all(declared.assignable(passed) for passed, declared in pairs):
        return []
    return [
        TypeMismatch(("block", f"index {index}"), (passed,), declared)
        for index, (passed, declared) in enumerate(pairs)
        if not passed.assignable(declared)
    ]


def _resolve_declared(declared: Any) -> Type:
    """Return the type of a block's parameter.

    Args:
        declared: The Type, an object that resolves it when the block is passed, or None for Any.
    """
    if declared is None:
        return ANY
    return declared if isinstance(declared, Type) else declared.resolve()


def _merge_signatures(mismatches_by_signature: list[list[Mismatch]]) -> Mismatch | None:
    """Return one mismatch if all signatures fail in the same way at the same place, else None."""
    mismatches = [mismatch for mismatches in mismatches_by_signature for mismatch in mismatches]
    if len(mismatches) == 1:
        return mismatches[0]
    return merge_equivalent(mismatches, CountMismatch, len(mismatches_by_signature))


def _make_legacy_count_failure(function: BuiltinFunction, signature: Signature, count: int) -> Failure:
    """Return the failure of a function of the old interface, which only counts its arguments."""
    expected_count = str(signature.min) if signature.min == signature.max else f"minimum {signature.min}"
    return Failure(
        function.count_issue, function=function.name, number=count, expected=function.takes or expected_count
    )
