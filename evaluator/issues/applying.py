"""Issues of applying: catalogs that compile, but that a machine would refuse.

`Issue` in `lexer_parser/errors.py` describes the columns of a row: the code, the message, and named ones.
"""

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "REFUSED_WHEN_APPLIED",
        "{resource} cannot be applied: {problem}",
        severity="warning",
        help="{help}",
        words=(
            "The compiler accepts any value for an attribute. The resource type checks it on the machine, "
            "when the catalog is applied. If the check fails, nothing of the catalog is applied."
        ),
        wrong="service { 'nginx': ensure => runing }",
        right="service { 'nginx': ensure => running }",
    ),
    Issue(
        "DEPENDENCY_CYCLE",
        "{problem}",
        severity="warning",
        help="Remove one of these relationships: a resource that waits for itself is never applied.",
        words=(
            "Each resource of the cycle waits for another resource of the cycle, so none can be applied "
            "first. The compiler makes the catalog, but the machine rejects it."
        ),
        wrong="notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }",
        right="notify { 'a': require => Notify['b'] }\nnotify { 'b': }",
    ),
)
