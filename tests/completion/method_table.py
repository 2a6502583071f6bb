"""The generator of `evaluator/assistance/words/methods.py`: `python -m tests.completion.method_table` writes it."""

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
    """Return each kind with the functions for it: those whose first parameter takes it, and not any value."""
    known = {kind: type for kind in KINDS if (type := find_builtin_type(kind, PUPPET)) is not None}
    found: dict[str, list[str]] = {kind: [] for kind in (*KINDS, "Any")}
    for name in list_function_names():
        function = find_function(name)
        assert function is not None
        signatures = map(Signature.parse, function.usage)
        firsts = [signature.parameters[0].type for signature in signatures if signature.parameters]
        taking = [kind for kind, type in known.items() if any(_is_suitable(first, type) for first in firsts)]
        for kind in ["Any"] if len(taking) == len(KINDS) else taking:
            found[kind].append(name)
    return found


def _is_suitable(first: Type, kind: Type) -> bool:
    if isinstance(first, VariantType):
        return any(_is_suitable(member, kind) for member in first.types)
    return bool(first.assignable(kind) or (kind.assignable(first) and str(first) != "Undef"))


def table_source() -> str:
    """Return the text of the module with the table."""
    rows = []
    for kind, suited in compute_table().items():
        lines = wrap(" ".join(suited), 100) or [""]
        rows += [
            f'    "{kind}": (',
            *(f'        "{text} "' for text in lines[:-1]),
            f'        "{lines[-1]}"',
            "    ),",
        ]
    return _HEAD + "\n".join([*rows, "}", "# fmt: on", ""])


if __name__ == "__main__":
    Path(methods.__file__).write_text(table_source(), encoding="utf-8")
