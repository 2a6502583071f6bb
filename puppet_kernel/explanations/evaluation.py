"""Explanations of what can go wrong while a program runs: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    # variables
    # operators
    # access and types
    # calls
    # resources
    "NOT_PERMITTED": (
        "A notebook may compute anything, but programs, Ruby templates and files outside its own folders are off "
        "until the one who starts it permits them: `puppet-repl --allow templates`, or the environment variable "
        "PUPPET_KERNEL_ALLOW for a kernel.",
        "inline_template('<%= 1 + 1 %>')",
        "inline_epp('<%= 1 + 1 %>')",
    ),
}
