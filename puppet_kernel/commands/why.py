"""`%why`: the origin of attribute values, and the reason for the value of an expression."""

from __future__ import annotations

import re

from evaluator.catalog.model import Key, format_key
from evaluator.catalog.provenance import trace_provenance
from evaluator.catalog.references import parse_reference
from evaluator.resource_types import RELATIONSHIPS
from evaluator.types import ClassType, ResourceType
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import Answer, CommandContext
from puppet_kernel.commands.settings import show_lookup
from puppet_kernel.rendering import causes, reasons
from puppet_kernel.replies import CommandError

KINDS = "a match (=~, !~), types (<, <=), a case, a selector, a call, `node`"
EXAMPLES = ("%why File['/etc/motd'] mode", "%why 5 =~ String")
# what is asked about -> the command that shows it; the first that fits is told
INSTEAD = (
    (re.compile(r"\S\s*(->|~>|<-|<~)"), "%graph --path A B shows why one thing comes before another"),
    (
        re.compile(r"\$[\w:]+"),
        "?$name tells of a variable, %cells which cell gave it; %step computes with it",
    ),
    (re.compile(r"<<?\|"), "%why File['/x'] tells what a collector did to a resource"),
    (re.compile(r"."), "%step shows how a value is computed"),
)

# a reference, and the name of an attribute behind it; nothing is tried twice, as no interrupt is heard here
_REFERENCE = re.compile(
    r"(?P<reference>(?:::)?[A-Z][\w:]*+\s*+\[[^\[\]]*+\])(?:(?:\s++[.,]?|[.,])\s*+(?P<attribute>[a-z]\w*+))?"
)

_LOOKUP = re.compile(r"lookup\(\s*+['\"](?P<key>[\w:.]+)['\"]\s*+\)")
_CLASS = re.compile(r"(?:::)?(?P<name>[a-z]\w*+(?:::[a-z]\w*+)*+)(?P<parameter>(?!))?")
_PARAMETER = re.compile(r"\$(?:::)?(?P<name>[a-z]\w*+(?:::[a-z]\w*+)*?)::(?P<parameter>[a-z]\w*+)")


def why(context: CommandContext, argument: str) -> Answer:
    """Show the origin of values, or the reason for the value of an expression."""
    text = argument.strip()
    looked_up, parameter = _LOOKUP.fullmatch(text), (_PARAMETER.fullmatch(text) or _CLASS.fullmatch(text))
    if looked_up is not None:
        return show_lookup(context, looked_up["key"])
    if parameter is not None:
        known = context.session.catalog().find(("class", parameter["name"]))
        if known is not None and (
            parameter["parameter"] is None or parameter["parameter"] in known.parameters
        ):
            return _attributes(context, known.key, parameter["parameter"])
    asked = _REFERENCE.fullmatch(text)
    if asked is None:
        found = context.session.assistant.explain(argument) if text else None
        if found is None:
            instead = [words for pattern, words in INSTEAD if pattern.search(text)]
            raise CommandError(
                "%why takes a reference, or what decides: " + KINDS, help="; ".join([*EXAMPLES, *instead[:1]])
            )
        return context.supervise(lambda: reasons.reason(found, context.width()))
    return _attributes(context, _key(context, asked["reference"]), asked["attribute"])


def _key(context: CommandContext, text: str) -> Key:
    """Return the key of the resource in a reference, or raise PuppetError."""
    kind, _, rest = text.partition("[")
    title = rest.removesuffix("]").strip()
    if title[:1] in ("'", '"') or "$" in title:
        outcome = context.session.look(text)
        if outcome.error is not None:
            raise outcome.error
        if not isinstance(outcome.value, ResourceType | ClassType) or outcome.value.title is None:
            raise CommandError(f"{text} is no reference to one resource", help="; ".join(EXAMPLES))
        return outcome.value.key
    key = parse_reference(f"{kind.strip()}[{title}]")
    if key is None:
        raise CommandError(f"{text} is no reference to a resource", help="; ".join(EXAMPLES))
    return key


def _attributes(context: CommandContext, key: Key, name: str | None) -> Answer:
    """Return the origin of one attribute of a resource, or of each.

    The cells run once more for it.
    """
    here = context.session.catalog()
    if here.find(key) is None:
        known = [item.reference for item in here.resources.values()]
        raise CommandError(
            f"There is no resource {format_key(key)} in the catalog",
            suggestion=find_nearest(format_key(key), known),
            help="%catalog lists all",
        )
    resource = context.fork_session(recorded=True).catalog().find(key)
    if resource is None:  # what the cells give depends on more than the program
        raise CommandError(f"{format_key(key)} is not declared when the cells run again")
    if name is None:
        return context.supervise(lambda: causes.attributes(resource, context.width()))
    attributes = trace_provenance(resource)
    if name not in attributes:
        order = (
            f"; %graph --around {resource.reference} shows what it waits for" if name in RELATIONSHIPS else ""
        )
        if not attributes:
            raise CommandError(f"{resource.reference} has no attributes")
        raise CommandError(
            f"{resource.reference} has no attribute {name}",
            suggestion=find_nearest(name, attributes),
            help=f"it has {', '.join(attributes)}{order}",
        )
    return context.supervise(lambda: causes.attribute(resource, name, context.width()))
