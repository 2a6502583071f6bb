"""Mismatches between the arguments of a call and the signatures of a function, and their failures."""

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
    """Return the failure of a call whose arguments match no signature of the function."""
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
    return describe_mismatches(function.name, signatures, args, block)


def describe_mismatches(
    name: str, signatures: list[Signature], args: Sequence[Value], block: LambdaBlock | None = None
) -> Failure:
    """Return the failure of a call of a function that matches none of some signatures."""
    alternatives = _find_of_signatures(signatures, args, block)
    single = _merge_signatures(alternatives)
    if single is not None:
        return _make_single_failure(name, signatures, single)
    if len(signatures) == 1:
        return make_rejection(f"'{name}'", signatures[0].listing, alternatives[0])
    forms = []
    for signature, mismatches in zip(signatures, alternatives, strict=True):
        forms.append(f"\n  {signature.listing}")
        forms += [f"\n    rejected: {to_sentence(mismatch)}" for mismatch in mismatches]
    return Failure("NO_SUCH_CALL", function=name, forms="".join(forms))


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
        _step_of(parameter.name): parameter.name
        for signature in signatures
        for parameter in signature.parameters
    }
    parameter = names.get(mismatch.path[0], "")
    return make_argument_failure(f"'{name}'", mismatch, function=name, parameter=parameter)


def make_argument_failure(subject: str, mismatch: Mismatch, **arguments: str) -> Failure:
    """Return the failure of an argument that does not match its parameter; `subject` is what was called."""
    reason = to_sentence(mismatch)
    return Failure(
        "ARGUMENT_MISMATCH", subject=subject, reason=reason, **arguments, **to_arguments([mismatch])
    )


def make_rejection(subject: str, listing: str, mismatches: Sequence[Mismatch]) -> Failure:
    """Return the failure of a call with several mismatches; `listing` is the one signature of its subject."""
    rejected = "".join(f"\n  rejected: {to_sentence(mismatch)}" for mismatch in mismatches)
    return Failure("ARGUMENTS_REJECTED", subject=subject, listing=listing, rejected=rejected)


def _step_of(parameter: str) -> str:
    """Return a parameter as a step of a path."""
    return f"parameter '{parameter}'"


def find_signature_mismatches(
    signature: Signature, args: Sequence[Value], block: LambdaBlock | None
) -> list[Mismatch]:
    """Return why one signature does not take a call, in the order of the arguments; nothing if it does."""
    return _find_in_arguments(signature, args) or _find_in_block(signature, block, is_checked=True)


def _find_of_signatures(
    signatures: list[Signature], args: Sequence[Value], block: LambdaBlock | None
) -> list[list[Mismatch]]:
    """Return the mismatches of each signature: of the block if all have one there, else of the arguments first."""
    alternatives = [_find_in_arguments(signature, args) for signature in signatures]
    if all(alternatives):
        return alternatives
    blocks = [_find_in_block(signature, block, is_checked=False) for signature in signatures]
    if all(blocks):
        return blocks
    return [arguments or own for arguments, own in zip(alternatives, blocks, strict=True)]


def _find_in_arguments(signature: Signature, args: Sequence[Value]) -> list[Mismatch]:
    count = len(args)
    if not signature.takes_count(count):
        return [CountMismatch((), signature.min, signature.max, (count, count))]
    for index, arg in enumerate(args):
        parameter = signature.parameter_at(index)
        mismatches = find_call_mismatches(_step_of(parameter.name), parameter.type, arg)
        if mismatches:
            return mismatches
    return []


def _find_in_block(signature: Signature, block: LambdaBlock | None, is_checked: bool) -> list[Mismatch]:
    """Return the mismatches of the block of a call.

    Args:
        is_checked: True for none if the parameters of the block accept what the function passes; the message
            of a rejected call, as released, compares the types the other way round.
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
    expected = expected_type.parameters.types or ()
    declared = [_resolve_declared(spec.type) for spec in block.parameters]
    if is_checked and all(own.assignable(kind) for kind, own in zip(expected, declared, strict=False)):
        return []
    return [
        TypeMismatch(("block", f"index {index}"), (kind,), own)
        for index, (kind, own) in enumerate(zip(expected, declared, strict=False))
        if not kind.assignable(own)
    ]


def _resolve_declared(kind: Any) -> Type:
    """Return the type of a block's parameter, which may be known only once the block is passed."""
    return ANY if kind is None else kind if isinstance(kind, Type) else kind.resolve()


def _merge_signatures(alternatives: list[list[Mismatch]]) -> Mismatch | None:
    """Return one mismatch if all signatures fail in the same way at the same place, else None."""
    mismatches = [mismatch for part in alternatives for mismatch in part]
    if len(mismatches) == 1:
        return mismatches[0]
    return merge_equivalent(mismatches, CountMismatch, len(alternatives))


def _make_legacy_count_failure(function: BuiltinFunction, signature: Signature, count: int) -> Failure:
    expected_count = str(signature.min) if signature.min == signature.max else f"minimum {signature.min}"
    return Failure(
        function.count_issue, function=function.name, number=count, expected=function.takes or expected_count
    )
