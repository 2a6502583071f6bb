"""The known differences from the released Puppet: its result, as a pattern, and the reason for ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# (what is looked at: "error", "value", "type", "logs" or "any" of the released Puppet's answer, the "source", or
#  "both": the source, "=>" and "any"; pattern; reason)
KNOWN = (
    (
        "error",
        r"undefined (local variable or )?method|private method|PuppetStopIteration",
        "the released Puppet crashes: it calls what is not there",
    ),
    (
        "source",
        r"\bclass settings\b",
        "a class of this name is evaluated before the program there, which a session that has begun cannot do",
    ),
    (
        "any",
        r"is deprecated in favor of using 'Scope#call_function'",
        "functions of Ruby load each other in a way that is logged when it happens first",
    ),
    (
        "error",
        r"String: \d+: ",
        "texts in HOCON are read by another library, which reports mistakes in its own words",
    ),
    (
        "error",
        r"Execution of '[^'\n]*/validate_cmd",
        "the name of the file is made by chance, and a shell says which command it does not find",
    ),
    ("source", r"\b(component|whit) \{", "resources of these types of the agent become classes there"),
    (
        "error",
        r"Endless recursion detected|parameter 'name_or_init_hash' does not match",
        "recursive aliases and sets of types have no JSON in the released Puppet",
    ),
    (
        "logs",
        r"Puppet::Util::Log\b",
        "a warning of stdlib, which is the value too, is an object there",
    ),
    (
        "source",
        r"\bshell_split\([^)\n]*(/|Regexp)",
        "a String that Ruby has made of a Regexp is Binary in the catalog there",
    ),
    (
        "both",
        r"(?s)template\(.*\n=> .*(#<Puppet::|Puppet::Resource::Catalog)",
        "templates see objects of the released Puppet itself",
    ),
    ("any", r"#<Puppet::Util::TagSet", "the list of tags is an object of the released Puppet"),
    (
        "value",
        r"\(location: [^()]*\.rb:\d+",
        "a warning of stdlib, which is the value too, ends with the line of Ruby that logs it",
    ),
    ("any", r"!ruby/object:", "YAML has the parts of objects of the released Puppet itself"),
    ("error", r"cannot load such file -- scanf", "the library of scanf is not installed there"),
    ("error", r"stack level too deep", "the released Puppet overflows its stack on values such as Error"),
    ("error", r"uninitialized constant", "the released Puppet crashes: a message needs what does not exist"),
    (
        "error",
        r"(got|expects a) Runtime",
        "the iterator of tree_each is a foreign object in the released Puppet",
    ),
    ("error", r"got Type\[\]", "the released Puppet shortens Type[Object] to Type[]"),
    (
        "any",
        r"\ANone\n\[\]\nIterator\[",
        "what iterates in steps is used up by it in the released Puppet",
    ),
    (
        "both",
        r"(?s)\b(each|filter|map|any|all)\(each\([^\n]*(reverse_each|step)\b",
        "what iterates in steps is used up by it in the released Puppet",
    ),
    (
        "both",
        r"(?s)(Tuple|Struct)\[[^\n]*\b(Rich)?Data\b[^\n]*[\n,].*\n=> None\n(true\n|[^\n]*\n[^\n]*Type\[(Rich)?Data\])",
        "what follows a nested Data in a Tuple or Struct is not looked at by the released Puppet",
    ),
    (
        "both",
        r"(?s)Init\[[^\n]*[<>=].*\n=> None\nundef\nUndef",
        "whether an Init accepts a type is sometimes undef in the released Puppet",
    ),
    (
        "both",
        r"(?s)\$\{(true|false|default|undef)\}.*\n=> Could not parse",
        "of two errors of a text the released Puppet tells the one of its grammar",
    ),
    ("error", r"Pattern\[/\(\?x-mi:", "Ruby's pattern of a URI stands in the message"),
    ("any", r"\{:name=>", "a reference is a resource to functions of the old interface"),
    (
        "error",
        r"(convert|conversion of) Puppet::Resource",
        "a reference is a resource to functions of the old interface",
    ),
    ("source", r"\bcount\([A-Z]\w*\['", "a reference is a resource to functions of the old interface"),
    (
        "error",
        r"comparison of Float with nil failed",
        "the released Puppet crashes on ranges without a bound",
    ),
    (
        "both",
        r"(?s)(>> |[(,|] ?)[A-Z]\w*\['[^'\n]*', [^\]\n]*\] ?[{$].*parameter '\w+' expects",
        "a list of references where a type is due is told before wrong arguments",
    ),
    (
        "both",
        r"(?s)Regexp\[-?\d.*no implicit conversion of Integer into String",
        "the released Puppet crashes on a number where a pattern is due",
    ),
    ("error", r"(?s)\A.{200000}", "the text of a value of millions is cut in a message"),
    (
        "both",
        r"\bunique\([^\n]*\|[^|\n]*\|[^\n]*\bTime(span|stamp)\b",
        "equal times stay apart in the released Puppet's unique",
    ),
    (
        "error",
        r"= TypeReference\['UnresolvedReference'\]",
        "the released Puppet shows a type of its own among the parameters of a new object",
    ),
    (
        "error",
        r"Cannot use Object\[\{name =>",
        "an object where a type is due is shown by its type, and there by the whole definition",
    ),
    ("both", r"\"\$\{[^}\n]*\.tree_each\}\"", "an iterator of its own prints with its address"),
    (
        "both",
        r"(?s)Class\[(\[\]|\$\w+), -?\d+\].*Illegal Class name in class reference",
        "an empty array of titles is not counted in the place",
    ),
    ("error", r"new_Annotation", "an Annotation is made by a class of its own in the released Puppet"),
    ("error", r"new_Pcore::", "the types of types are made by hashes that only the released Puppet knows"),
    (
        "error",
        r"(?s)Could not parse[^\n]*: /.*\\u[0-9A-F]{4}",
        "a wrong pattern beyond ASCII is shown escaped",
    ),
    ("error", r"(NUMERIC_OVERFLOW. size|shift width) too big", "a shift by so much is beyond a limit here"),
    ("error", r"Is a directory @ io_", "files outside the modules are not read"),
    (
        "both",
        r"(?s)SemVerRange(\.new)?\((SemVer|default).*\n=> .*(>=\S+ <|\S - \S|Infinity|'[0-9a-f]{32,}')",
        "a range of two versions prints its ends the wrong way round",
    ),
    ("any", r"9223372036854775808", "the released Puppet rounds by way of a Float and leaves the integers"),
    ("both", r"(?s)Sensitive.*will be converted to the String", "a secret is not shown in a log line"),
    ("error", r"\Ainvalid byte sequence", "the released Puppet breaks on a text that it has made itself"),
    (
        "both",
        r"(?s)Timestamp.*\n=> .*\b20(2[5-9]|[3-9]\d)-\d\d-\d\dT",
        "both tell the time, and it goes on",
    ),
    ("error", r"got '[-+]0x[0-9a-f]{1000,}", "a shift by so much is beyond a limit here"),
    (
        "error",
        r"bignum too big|wrong number of arguments \(given",
        "the released Puppet crashes on large or odd values",
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
    ("both", r"(?s)\{ Time(span|stamp)\(.*\[Time(span|stamp)\(", "equal times are different keys there"),
    (
        "value",
        r"(Time(?:span|stamp)\('[^']*'\)) => .*\1 => ",
        "equal times are different keys to the released Puppet",
    ),
    ("value", r"#<[A-Z]\w+(::\w+)*", "the released Puppet prints an object of its own, with its address"),
    (
        "both",
        r"(?s)\bstep\b.*\n=> None\n[^\n]*\n[^\n]*Iterator\[[^\n]*(Array\[0, 0\]|(Tuple|Struct|Hash)\[)",
        "what steps come to prints as if its elements were given one by one: undef for `[]`, 1 for `[1]`",
    ),
    (
        "source",
        r"Regexp(\[[^\n]*\])?\['(\\\\)+'\]",
        "a wrong pattern is told where the type is made, not where it is used",
    ),
    ("type", r"Runtime\[ruby", "the released Puppet shows an iterator of its own as a foreign object"),
    (
        "both",
        r"(?s)\b(message|p) => .*\btree_each\b(?!.*Use of an Iterator is not supported)",
        "what tree_each gives is foreign to the released Puppet, so that attributes may have it",
    ),
)
# What the released Puppet answers, as a pattern; how it is written here; why. Nothing else may differ then.
REWRITTEN = (
    (
        r"\n   \(location: [^()]*\.rb:\d+:in `[^']*'\)",
        "",
        "a warning of stdlib ends with the line of Ruby that logs it",
    ),
    (
        r"\nDid you mean\?[^(]*(?= \(line|\Z)",
        "",
        "Ruby adds what is alike to the message of a missing key",
    ),
    (
        r"Instance of Sensitive(\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\])?",
        "#<Sensitive [value redacted]>",
        "of a Sensitive in an object not even the type is shown, as that of a Type or Regexp tells the value",
    ),
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


def rewritten(theirs: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """An answer of the released Puppet as this project writes it, and why; nothing where there is nothing to do."""
    for pattern, replacement, why in REWRITTEN:

        def again(text: str, pattern: str = pattern, replacement: str = replacement) -> str:
            return re.sub(pattern, replacement, text)

        answer = {
            name: [again(line) for line in part] if isinstance(part, list) else again(str(part))
            for name, part in theirs.items()
        }
        if answer != theirs:
            yield answer, why
