"""Where the released Puppet is not followed: what it answers, as a pattern, and why this project answers otherwise."""

from __future__ import annotations

import re
from typing import Any

# (what is looked at: "error", "value", "type", "logs" or "any" of the released Puppet's answer, the "source", or
#  "both": the source, "=>" and "any"; pattern; reason)
KNOWN = (
    (
        "error",
        r"undefined (local variable or )?method",
        "the released Puppet crashes: it calls what is not there",
    ),
    ("error", r"stack level too deep", "the released Puppet overflows its stack on values such as Error"),
    ("error", r"uninitialized constant", "the released Puppet crashes: a message needs what does not exist"),
    (
        "error",
        r"(got|expects a) Runtime",
        "the iterator of tree_each is a foreign object in the released Puppet",
    ),
    ("error", r"got Type\[\]", "the released Puppet shortens Type[Object] to Type[]"),
    ("type", r"\AIterator\[", "what iterates in steps is used up by it in the released Puppet"),
    (
        "source",
        r"(?s)(tree_each|reverse_each|step\().*\b(each|all|any)\b|\b(each|all|any)\b.*(tree_each|reverse_each|step\()",
        "what iterates in steps is used up by it in the released Puppet",
    ),
    (
        "both",
        r"(?s)(Tuple|Struct)\[.*Data.*\n=> .*\n(true|.*Type\[(Rich)?Data\])",
        "what follows a nested Data in a Tuple or Struct is not looked at by the released Puppet",
    ),
    (
        "both",
        r"(?s)Init\[.*\nundef\n",
        "whether an Init accepts a type is sometimes undef in the released Puppet",
    ),
    (
        "both",
        r"(?s)\$\{(true|false|default|undef)\}.*\n=> Could not parse",
        "of two errors of a text the released Puppet tells the one of its grammar",
    ),
    ("error", r"Pattern\[/\(\?x-mi:", "Ruby's pattern of a URI stands in the message"),
    (
        "error",
        r"is not a valid type specification",
        "a wrong definition of an alias is told with a part of its text",
    ),
    ("error", r"Puppet::Pops::Types::StepIterator", "an iterator in steps is of a class of its own"),
    ("any", r"\{:name=>", "a reference is a resource to functions of the old interface"),
    (
        "error",
        r"(convert|conversion of) Puppet::Resource",
        "a reference is a resource to functions of the old interface",
    ),
    (
        "error",
        r"comparison of Float with nil failed",
        "the released Puppet crashes on ranges without a bound",
    ),
    ("error", r"new_Annotation", "an Annotation is made by a class of its own in the released Puppet"),
    (
        "source",
        r"(?s)reverse_each.*step\(|step\(.*reverse_each",
        "an iterator over an iterator takes arrays apart in the released Puppet",
    ),
    ("error", r"new_Pcore::", "the types of types are made by hashes that only the released Puppet knows"),
    (
        "error",
        r"Selector Expression, Creation of new instance",
        "an Init that nothing can be tested for is blamed on the whole selector",
    ),
    (
        "both",
        r"(?s)[^\x00-\x7f].*\n=> .*'[0-9a-f]{32,}'",
        "a pattern beyond ASCII prints with Ruby's options around it",
    ),
    ("error", r"NUMERIC_OVERFLOW. size too big", "a shift by so much is beyond a limit here"),
    (
        "source",
        r"SemVerRange(\.new)?\((SemVer|default)",
        "a range of two versions prints its ends the wrong way round",
    ),
    (
        "any",
        r"\(\?[mix]*-[mix]*:[^\n]*?([^\x00-\x7f]|\\u)",
        "a pattern beyond ASCII prints with Ruby's options around it",
    ),
    ("error", r"Runtime 'name_or_pattern'", "an empty text where a type is due is taken for a foreign class"),
    ("any", r"9223372036854775808", "the released Puppet rounds by way of a Float and leaves the integers"),
    ("error", r"\Ainvalid byte sequence", "the released Puppet breaks on a text that it has made itself"),
    (
        "both",
        r"(?s)Timestamp.*\n=> .*\b20(2[5-9]|[3-9]\d)-\d\d-\d\dT",
        "both tell the time, and it goes on",
    ),
    ("error", r"got '[-+]0x[0-9a-f]{1000,}", "a shift by so much is beyond a limit here"),
    ("error", r"new_unit", "the released Puppet converts to a bare NotUndef by a type of its own"),
    (
        "error",
        r"bignum too big|wrong number of arguments \(given",
        "the released Puppet crashes on large or odd values",
    ),
    ("error", r"Object\[\{\}\]", "the released Puppet prints the empty definition of Object"),
    (
        "error",
        r"Use of a Ruby Integer outside",
        "integers that the released Puppet has made too large itself",
    ),
    (
        "any",
        r"DepthFirstTreeIterator|BreadthFirstTreeIterator",
        "an iterator of its own is foreign to the released Puppet",
    ),
    ("error", r"#<[A-Z]\w+(::\w+)*", "the released Puppet prints an object of its own"),
    (
        "any",
        r"Array\[Unit\]",
        "an empty array beside one of undef hides the other arrays in the released Puppet",
    ),
    (
        "value",
        r"(Time(?:span|stamp)\('[^']*'\)).*\1",
        "equal times are different keys to the released Puppet",
    ),
    ("value", r"#<[A-Z]\w+(::\w+)*", "the released Puppet prints an object of its own, with its address"),
    ("type", r"Runtime\[ruby", "the released Puppet shows an iterator of its own as a foreign object"),
)
_COMPILED = tuple((where, re.compile(pattern), reason) for where, pattern, reason in KNOWN)


def reason(source: str, theirs: dict[str, Any]) -> str | None:
    """Why a difference in the answers to a program is expected; None when it is not."""
    told = {**theirs, "source": source, "logs": "\n".join(theirs["logs"])}
    told["any"] = "\n".join(
        map(str, (theirs.get("error"), theirs.get("value"), theirs.get("type"), told["logs"]))
    )
    told["both"] = f"{source}\n=> {told['any']}"
    for where, pattern, why in _COMPILED:
        if pattern.search(str(told.get(where, ""))):
            return why
    return None
