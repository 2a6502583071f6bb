"""The generator of `evaluator/assistance/words/methods.py`.

`python -m tests.completion.method_table` writes the file.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

from evaluator.assistance.completion import KINDS
from evaluator.assistance.words import methods
from evaluator.calling.signatures import Signature
from evaluator.functions import find_function, list_function_names
from evaluator.types import Type, VariantType, find_builtin_type
from lexer_parser.dialect import PUPPET

_HEAD = '''"""The functions that suit each kind of value; `python -m tests.completion.method_table` writes them."""

# fmt: off
METHODS = {
'''


def compute_table() -> dict[str, list[str]]:
    """Return each kind of value with the functions that suit it.

    The first parameter of such a function accepts the kind, and not any value.
    """
    kinds = {kind: type for kind in KINDS if (type := find_builtin_type(kind, PUPPET)) is not None}
    table: dict[str, list[str]] = {kind: [] for kind in (*KINDS, "Any")}
    for name in list_function_names():
        function = find_function(name)
        assert function is not None
        signatures = map(Signature.parse, function.usage)
        firsts = [signature.parameters[0].type for signature in signatures if signature.parameters]
        accepted = [kind for kind, type in kinds.items() if any(is_suitable(first, type) for first in firsts)]
        for kind in ["Any"] if len(accepted) == len(KINDS) else accepted:
            table[kind].append(name)
    return table


def is_suitable(first: Type, kind: Type) -> bool:
    """Return whether the type of a first parameter accepts values of a kind."""
    if isinstance(first, VariantType):
        return any(is_suitable(member, kind) for member in first.types)
    return bool(first.assignable(kind) or (kind.assignable(first) and str(first) != "Undef"))


def format_table() -> str:
    """Return the source of the module with the table."""
    rows = []
    for kind, functions in compute_table().items():
        lines = wrap(" ".join(functions), 100) or [""]
        rows += [
            f'    "{kind}": (',
            *(f'        "{text} "' for text in lines[:-1]),
            f'        "{lines[-1]}"',
            "    ),",
        ]
    return _HEAD + "\n".join([*rows, "}", "# fmt: on", ""])


if __name__ == "__main__":
    Path(methods.__file__).write_text(format_table(), encoding="utf-8")
