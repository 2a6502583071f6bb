"""Why a value is not an instance of a type: the mismatches as values, and their wording for two kinds of reader.

* `mismatches` compares an expected with an actual type, as the released Puppet does, and returns findings. A finding
  carries the types it is about and the path to the part that is wrong; it has no wording.
* `puppet_wording` prints findings in the words of the released Puppet, for error messages.
* `learner_wording` prints what makes a value fit ("Put it in quotes"), and explains part by part why a value is an
  instance of a type or is none, as a `tree` of explanations.

Nothing reads a type back out of a message: an error carries its findings under the argument `mismatches`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.types.explain.mismatches import (
        CountMismatch,
        InvalidParameter,
        Mismatch,
        MissingParameter,
        TypeMismatch,
        find_argument_mismatches,
        find_mismatches,
        find_value_mismatches,
    )
    from evaluator.types.explain.puppet_wording import (
        describe_as_arguments,
        to_arguments,
        to_message_arguments,
        to_sentence,
    )

__all__ = [
    "CountMismatch",
    "InvalidParameter",
    "Mismatch",
    "MissingParameter",
    "TypeMismatch",
    "describe_as_arguments",
    "find_argument_mismatches",
    "find_mismatches",
    "find_value_mismatches",
    "to_arguments",
    "to_message_arguments",
    "to_sentence",
]

# Most programs have no mismatch: the modules are imported for the first of them.
__getattr__ = lazy_attributes(
    __name__,
    {
        **dict.fromkeys(
            (
                "CountMismatch",
                "InvalidParameter",
                "Mismatch",
                "MissingParameter",
                "TypeMismatch",
                "find_argument_mismatches",
                "find_mismatches",
                "find_value_mismatches",
            ),
            "mismatches",
        ),
        **dict.fromkeys(
            ("describe_as_arguments", "to_message_arguments", "to_arguments", "to_sentence"), "puppet_wording"
        ),
    },
)
