"""Where the released Puppet is not followed: what it answers, as a pattern, and why this project answers otherwise."""

from __future__ import annotations

import re
from typing import Any

# (what is looked at: "error", "value", "type", "logs" or "any" of the released Puppet's answer, or the "source";
#  pattern; reason)
KNOWN = (
    (
        "error",
        r"undefined (local variable or )?method",
        "the released Puppet crashes: it calls what is not there",
    ),
    ("error", r"stack level too deep", "the released Puppet overflows its stack on values such as Error"),
    (
        "error",
        r"Creation of new instance of type",
        "a type that has no `new` fails while the result is printed",
    ),
    (
        "error",
        r"does not represent a valid set of parameters",
        "such an Init fails while the result is printed",
    ),
    ("error", r"uninitialized constant", "the released Puppet crashes: a message needs what does not exist"),
    (
        "error",
        r"(got|expects a) Runtime",
        "the iterator of tree_each is a foreign object in the released Puppet",
    ),
    ("error", r"got Type\[\]", "the released Puppet shortens Type[Object] to Type[]"),
    ("error", r"no implicit conversion of Puppet::Resource", "the released Puppet crashes on references"),
    ("type", r"\AIterator\[", "what iterates in steps is used up by it in the released Puppet"),
    (
        "source",
        r"SemVerRange(\.new)?\((SemVer|default)",
        "a range of two versions prints its ends the wrong way round",
    ),
    ("any", r"\(\?-mix:[^\n]*?[^\x00-\x7f]", "a pattern beyond ASCII prints with Ruby's options around it"),
    (
        "error",
        r"Object\[\{name => '\w+'",
        "the released Puppet prints the definition of Deferred among the signatures of call",
    ),
    ("error", r"Runtime 'name_or_pattern'", "an empty text where a type is due is taken for a foreign class"),
    ("value", r"9223372036854775808", "the released Puppet rounds by way of a Float and leaves the integers"),
    ("error", r"\Ainvalid byte sequence", "the released Puppet breaks on a text that it has made itself"),
    ("error", r"got Type\[.*Collection", "a normalized Collection loses its size in the released Puppet"),
    ("source", r"Timestamp(\.new\(\)|\(\))|new\(Timestamp\)", "both tell the time, and it goes on"),
    ("error", r"got '[-+]0x[0-9a-f]{1000,}", "a shift by so much is beyond a limit here"),
    ("error", r"new_unit", "the released Puppet converts to a bare NotUndef by a type of its own"),
    (
        "error",
        r"bignum too big|wrong number of arguments \(given",
        "the released Puppet crashes on large or odd values",
    ),
    ("error", r"Object\[\{\}\]", "the released Puppet prints the empty definition of Object"),
    (
        "source",
        r"(Integer\[[^]]*\]|\d)\.slice|slice\((Integer\[|\d)",
        "slices longer than a range of integers end one too early",
    ),
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
    for where, pattern, why in _COMPILED:
        if pattern.search(str(told.get(where, ""))):
            return why
    return None
