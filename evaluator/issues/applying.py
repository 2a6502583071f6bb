"""Issues of applying: catalogs that compile, but that a machine would refuse."""

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "REFUSED_WHEN_APPLIED",
        "{resource} cannot be applied: {problem}",
        "warning",
        help="{help}",
        words=(
            "The compiler takes any value for an attribute. The resource type tests it on the machine, when the "
            "catalog is applied, and nothing of the catalog is applied then."
        ),
        wrong="service { 'nginx': ensure => runing }",
        right="service { 'nginx': ensure => running }",
    ),
    Issue(
        "DEPENDENCY_CYCLE",
        "{problem}",
        "warning",
        help="Give one of these relationships up: what waits for itself is never applied.",
        words=(
            "Each resource of the cycle waits for another one of it, so none can come first. The compiler makes the "
            "catalog, the machine refuses it."
        ),
        wrong="notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }",
        right="notify { 'a': require => Notify['b'] }\nnotify { 'b': }",
    ),
)
