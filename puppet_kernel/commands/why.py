"""`%why`: where the values of a resource's attributes came from, and why an expression gives what it gives."""

from __future__ import annotations

import re

from evaluator.catalog.model import Key, reference
from evaluator.catalog.provenance import provenance
from evaluator.catalog.references import parse_reference
from evaluator.types import ClassType, ResourceType
from lexer_parser.issues.similar import nearest
from puppet_kernel.commands.command import Answer, Desk
from puppet_kernel.rendering import causes, reasons
from puppet_kernel.replies import CommandError

KINDS = "a match (=~, !~), types (<, <=), a case, a selector, a call, `node`"
EXAMPLES = ("%why File['/etc/motd'] mode", "%why 5 =~ String")

# a reference, and the name of an attribute behind it; nothing is tried twice, as no interrupt is heard here
_REFERENCE = re.compile(
    r"(?P<reference>(?:::)?[A-Z][\w:]*+\s*+\[[^\[\]]*+\])(?:(?:\s++[.,]?|[.,])\s*+(?P<attribute>[a-z]\w*+))?"
)


def why(desk: Desk, argument: str) -> Answer:
    """Tells where values came from, or why an expression gives what it gives."""
    asked = _REFERENCE.fullmatch(argument.strip())
    if asked is None:
        found = desk.session.reason(argument) if argument.strip() else None
        if found is None:
            raise CommandError("%why takes a reference, or what decides: " + KINDS, help="; ".join(EXAMPLES))
        return desk.supervised(lambda: reasons.reason(found, desk.width()))
    return _attributes(desk, _key(desk, asked["reference"]), asked["attribute"])


def _key(desk: Desk, text: str) -> Key:
    """The key of the resource that a reference means. Raises PuppetError."""
    kind, _, rest = text.partition("[")
    title = rest.removesuffix("]").strip()
    if title[:1] in ("'", '"') or "$" in title:
        outcome = desk.session.look(text)
        if outcome.error is not None:
            raise outcome.error
        if not isinstance(outcome.value, ResourceType | ClassType) or outcome.value.title is None:
            raise CommandError(f"{text} is no reference to one resource", help="; ".join(EXAMPLES))
        return outcome.value.key
    key = parse_reference(f"{kind.strip()}[{title}]")
    if key is None:
        raise CommandError(f"{text} is no reference to a resource", help="; ".join(EXAMPLES))
    return key


def _attributes(desk: Desk, key: Key, name: str | None) -> Answer:
    """Where one attribute of a resource, or each, has its value from: the cells run once more, and that is noted."""
    here = desk.session.catalog()
    if here.find(key) is None:
        known = [item.reference for item in here.resources.values()]
        raise CommandError(
            f"There is no resource {reference(key)} in the catalog",
            suggestion=nearest(reference(key), known),
            help="%catalog lists all",
        )
    resource = desk.twin(recorded=True).catalog().find(key)
    if resource is None:  # what the cells give depends on more than the program
        raise CommandError(f"{reference(key)} is not declared when the cells run again")
    if name is None:
        return desk.supervised(lambda: causes.attributes(resource, desk.width()))
    attributes = provenance(resource)
    if name not in attributes:
        raise CommandError(
            f"{resource.reference} has no attribute {name}",
            suggestion=nearest(name, attributes),
            help=f"it has {', '.join(attributes) or 'none'}",
        )
    return desk.supervised(lambda: causes.attribute(resource, name, desk.width()))
