"""What an Object type declares: attributes, functions and type parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from evaluator.issues import Failure
from evaluator.types.base import RULES, UNDEF, Type
from evaluator.types.callables import NO_ARGUMENTS, CallableType, count_words
from evaluator.values.printing import part

UNSET: Any = object()
Implementation = Callable[..., Any]


class Feature:
    """What an Object type declares under a name.

    owner           the name of the type that declares it
    override, final whether it replaces an inherited one, and whether none may replace it
    implementation  what gives the value of a function or derived attribute, for an object
    """

    __slots__ = ("annotations", "final", "implementation", "name", "override", "owner", "type")
    word: ClassVar[str]

    def __init__(
        self,
        owner: str,
        name: str,
        type: Type,
        *,
        override: bool = False,
        final: bool = False,
        annotations: dict[Any, Any] | None = None,
        implementation: Implementation | None = None,
    ) -> None:
        self.owner = owner
        self.name = name
        self.type = type
        self.override = override
        self.final = final
        self.annotations = annotations
        self.implementation = implementation

    @property
    def label(self) -> str:
        """How messages call it: `attribute P[x]`."""
        return f"{self.word} {self.owner}[{self.name}]"

    def entries(self) -> list[str]:
        """What its definition says besides the type."""
        noted = [] if self.annotations is None else [f"annotations => {part(self.annotations)}"]
        return [*noted, *(f"{flag} => true" for flag in ("final", "override") if getattr(self, flag))]

    def __str__(self) -> str:
        entries = self.entries()
        return f"{{type => {self.type.inner()}, {', '.join(entries)}}}" if entries else self.type.inner()

    def called(self, owner: Any, arguments: Sequence[Any], block: Any) -> Any:
        """What a call of it gives for an object. Raises Failure for what it does not take."""
        wrong = _wrong(self.takes(), arguments, block)
        if wrong:
            raise Failure("FEATURE_ARGUMENTS", name=self.label, reason=wrong)
        return self.value_in(owner, *arguments, *([] if block is None else [block]))

    def takes(self) -> Type:
        """The Callable of what a call of it takes."""
        return self.type

    def value_in(self, owner: Any, *arguments: Any) -> Any:
        """Its value for an object, with the arguments of a call. Raises Failure where nothing gives one."""
        own = owner.methods.get(self.name)
        if own is not None:
            return own(*arguments)
        if self.implementation is None:
            raise Failure("NO_METHOD", feature=self.label)
        return self.implementation(owner, *arguments)


class Attribute(Feature):
    """An attribute, or a constant.

    kind   "", "constant", "derived", "given_or_derived" or "reference"
    value  the default or constant value; UNSET when there is none
    """

    __slots__ = ("kind", "value")
    word = "attribute"

    def __init__(
        self, owner: str, name: str, type: Type, value: Any = UNSET, kind: str = "", **options: Any
    ) -> None:
        super().__init__(owner, name, type, **options)
        self.value = value
        self.kind = kind

    @property
    def optional(self) -> bool:
        """True when a new object need not be given it."""
        return self.value is not UNSET

    @property
    def given(self) -> bool:
        """True when a new object can be given it."""
        return self.kind not in ("constant", "derived")

    def entries(self) -> list[str]:
        found = super().entries()
        if self.kind == "constant":
            found = [entry for entry in found if not entry.startswith("final")]
        if self.kind:
            found.append(f"kind => {self.kind}")
        return found if self.value is UNSET else [*found, f"value => {part(self.value)}"]

    def takes(self) -> Type:
        return _NOTHING

    def value_in(self, owner: Any, *arguments: Any) -> Any:
        if self.name in owner.attributes:
            return owner.attributes[self.name]
        if self.optional:
            return self.value
        if self.implementation is None:
            raise Failure("NO_METHOD", feature=f"{self.kind} {self.label}")
        return self.implementation(owner)


class Method(Feature):
    """A function of a type; its type is a Callable."""

    __slots__ = ()
    word = "function"


class TypeParameter(Feature):
    """A type parameter: by its value the type takes the objects whose attribute of that name has it."""

    __slots__ = ("value",)
    word = "type_parameter"

    def __init__(self, owner: str, name: str, type: Type, value: Any = UNSET) -> None:
        super().__init__(owner, name, type)
        self.value = value

    def __str__(self) -> str:
        shown = self.type.inner()
        return shown if self.value is UNSET else f"{{'type' => {shown}, 'value' => {part(self.value)}}}"


_NOTHING = CallableType(NO_ARGUMENTS)


def _wrong(taken: Type, arguments: Sequence[Any], block: Any) -> str:
    """Why a Callable does not take the arguments and the block; "" when it does."""
    if not isinstance(taken, CallableType) or taken.parameters is None:
        return ""
    low, high = taken.parameters.extent
    count = len(arguments)
    if count < low or (high is not None and count > high):
        return count_words(low, high, count)
    kinds = taken.parameters.types or ()
    for kind, value in zip([*kinds, *kinds[-1:] * count], arguments, strict=False):
        if not kind.instance(value):
            return RULES.describe_mismatch("parameter ''", kind, value)
    if block is not None and taken.block is None:
        return "does not expect a block"
    return "expects a block" if block is None and not (taken.block or UNDEF).assignable(UNDEF) else ""
