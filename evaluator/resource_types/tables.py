"""The tables of the resource types that are built in, and of the metaparameters.

`evaluator.resource_types.records` describes the columns of their rows.
"""

from evaluator.resource_types import core, modules
from evaluator.resource_types.records import AttributeRow, TitlePattern, TypeRow

TYPES: dict[str, TypeRow] = {**core.TYPES, **modules.TYPES}

# Types of which two resources may manage the same thing.
NOT_UNIQUE = frozenset({"exec", "tidy"})

# The patterns of titles of types whose title sets several attributes, each with the attributes that its groups set.
PATTERNS: dict[str, tuple[TitlePattern, ...]] = {
    "package": (("(?m:(.*))", ("name",)),),
    "sshkey": ((r"^(.*?)@(.*)$", ("name", "type")), (r"^([^@]+)$", ("name",))),
}

METAPARAMETERS: dict[str, AttributeRow] = {
    "alias": ("metaparam", "extra title usable in references", ()),
    "audit": ("metaparam", "attribute names (or all) reported but not changed", ()),
    "before": ("metaparam", "reference(s) applied after this resource", ()),
    "loglevel": (
        "metaparam",
        "level used for its messages",
        ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose"),
    ),
    "noop": ("metaparam", "simulate only", ("true", "false")),
    "notify": ("metaparam", "as before, and send a refresh on change", ()),
    "require": ("metaparam", "reference(s) applied before this resource", ()),
    "schedule": ("metaparam", "name of a schedule resource that limits when it is applied", ()),
    "stage": ("metaparam", "run stage of a class (class declarations only)", ()),
    "subscribe": ("metaparam", "as require, and refresh when they change", ()),
    "tag": ("metaparam", "tag(s) added to the resource", ()),
}
