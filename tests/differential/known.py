"""The accepted differences from the released Puppet, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# Each row has the text that is searched, a pattern, and the reason. The text is a part of the released result ("error",
# "value", "type", "logs", or "any" for all of them), the "source", or "both": the source, "=>" and "any".
KNOWN = (
    (
        "error",
        r"undefined (local variable or )?method|private method|PuppetStopIteration",
        "the released Puppet crashes: it calls a method that does not exist",
    ),
    (
        "source",
        r"\bclass settings\b",
        "a class of this name is evaluated before the program there, which a running session cannot do",
    ),
    (
        "any",
        r"is deprecated in favor of using 'Scope#call_function'",
        "the first load of one function of Ruby by another is logged",
    ),
    (
        "error",
        r"String: \d+: ",
        "texts in HOCON are parsed by another library, which has its own messages",
    ),
    (
        "error",
        r"Execution of '[^'\n]*/validate_cmd",
        "the name of the file is random, and a shell reports which command it does not find",
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
        "a warning of stdlib, which is also the value, is an object there",
    ),
    (
        "source",
        r"\bshell_split\([^)\n]*(/|Regexp)",
        "a String that Ruby has made from a Regexp is Binary in the catalog there",
    ),
    (
        "both",
        r"(?s)template\(.*\n=> .*(#<Puppet::|Puppet::Resource::Catalog)",
        "templates can access objects of the released Puppet itself",
    ),
    ("any", r"#<Puppet::Util::TagSet", "the list of tags is an object of the released Puppet"),
    (
        "value",
        r"\(location: [^()]*\.rb:\d+",
        "a warning of stdlib, which is also the value, ends with the line of Ruby that logs it",
    ),
    ("any", r"!ruby/object:", "YAML contains objects of the released Puppet itself"),
    ("error", r"cannot load such file -- scanf", "the library of scanf is not installed there"),
    ("error", r"stack level too deep", "the released Puppet overflows its stack on values such as Error"),
    (
        "error",
        r"uninitialized constant",
        "the released Puppet crashes: a message needs a constant that does not exist",
    ),
    (
        "error",
        r"(got|expects a) Runtime",
        "the iterator of tree_each is a foreign object in the released Puppet",
    ),
    ("error", r"got Type\[\]", "the released Puppet shortens Type[Object] to Type[]"),
    (
        "any",
        r"\ANone\n\[\]\nIterator\[",
        "an iterator with steps can be iterated only once in the released Puppet",
    ),
    (
        "both",
        r"(?s)\b(each|filter|map|any|all)\(each\([^\n]*(reverse_each|step)\b",
        "an iterator with steps can be iterated only once in the released Puppet",
    ),
    (
        "both",
        r"(?s)(Tuple|Struct)\[[^\n]*\b(Rich)?Data\b[^\n]*[\n,].*\n=> None\n(true\n|[^\n]*\n[^\n]*Type\[(Rich)?Data\])",
        "the released Puppet ignores the types after a nested Data in a Tuple or Struct",
    ),
    (
        "both",
        r"(?s)Init\[[^\n]*[<>=].*\n=> None\nundef\nUndef",
        "the comparison of an Init with a type is sometimes undef in the released Puppet",
    ),
    (
        "both",
        r"(?s)\$\{(true|false|default|undef)\}.*\n=> Could not parse",
        "of two errors in a source the released Puppet reports the syntax error",
    ),
    ("error", r"Pattern\[/\(\?x-mi:", "the message contains Ruby's pattern of a URI"),
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
        "a list of references instead of a type is reported before wrong arguments",
    ),
    (
        "both",
        r"(?s)Regexp\[-?\d.*no implicit conversion of Integer into String",
        "the released Puppet crashes on a number instead of a pattern",
    ),
    ("error", r"(?s)\A.{200000}", "the text of a value of millions is cut in a message"),
    (
        "both",
        r"\bunique\([^\n]*\|[^|\n]*\|[^\n]*\bTime(span|stamp)\b",
        "equal times are different values to the function `unique` of the released Puppet",
    ),
    (
        "error",
        r"= TypeReference\['UnresolvedReference'\]",
        "the released Puppet shows an internal type among the parameters of a new object",
    ),
    (
        "error",
        r"Cannot use Object\[\{name =>",
        "an object instead of a type is shown by its type, and there by its whole definition",
    ),
    ("both", r"\"\$\{[^}\n]*\.tree_each\}\"", "an internal iterator is printed with its address there"),
    (
        "both",
        r"(?s)Class\[(\[\]|\$\w+), -?\d+\].*Illegal Class name in class reference",
        "an empty array of titles is not counted in the position there",
    ),
    ("error", r"new_Annotation", "an internal class of the released Puppet makes an Annotation"),
    ("error", r"new_Pcore::", "types of types are made from hashes that only the released Puppet defines"),
    (
        "error",
        r"(?s)Could not parse[^\n]*: /.*\\u[0-9A-F]{4}",
        "an invalid pattern with characters beyond ASCII is shown with escapes there",
    ),
    ("error", r"(NUMERIC_OVERFLOW. size|shift width) too big", "a shift by so much is beyond a limit here"),
    ("error", r"Is a directory @ io_", "files outside the modules are not read"),
    (
        "both",
        r"(?s)SemVerRange(\.new)?\((SemVer|default).*\n=> .*(>=\S+ <|\S - \S|Infinity|'[0-9a-f]{32,}')",
        "a range of two versions is printed with its bounds in the wrong order there",
    ),
    ("any", r"9223372036854775808", "the released Puppet rounds through a Float and exceeds the integers"),
    ("both", r"(?s)Sensitive.*will be converted to the String", "a secret is not shown in a log line"),
    ("error", r"\Ainvalid byte sequence", "the released Puppet crashes on a text that it has made itself"),
    (
        "both",
        r"(?s)Timestamp.*\n=> .*\b20(2[5-9]|[3-9]\d)-\d\d-\d\dT",
        "the result contains the present time",
    ),
    ("error", r"got '[-+]0x[0-9a-f]{1000,}", "a shift by so much is beyond a limit here"),
    (
        "error",
        r"bignum too big|wrong number of arguments \(given",
        "the released Puppet crashes on large or unusual values",
    ),
    (
        "error",
        r"Use of a Ruby Integer outside",
        "integers that the released Puppet has made too large itself",
    ),
    (
        "any",
        r"DepthFirstTreeIterator|BreadthFirstTreeIterator",
        "the released Puppet shows an internal iterator as a foreign object",
    ),
    ("error", r"#<[A-Z]\w+(::\w+)*", "the released Puppet prints an internal object"),
    (
        "any",
        r"Array\[Unit\]",
        "an empty array next to one of undef hides the types of other arrays in the released Puppet",
    ),
    ("both", r"(?s)\{ Time(span|stamp)\(.*\[Time(span|stamp)\(", "equal times are different keys there"),
    (
        "value",
        r"(Time(?:span|stamp)\('[^']*'\)) => .*\1 => ",
        "equal times are different keys to the released Puppet",
    ),
    ("value", r"#<[A-Z]\w+(::\w+)*", "the released Puppet prints an internal object with its address"),
    (
        "both",
        r"(?s)\bstep\b.*\n=> None\n[^\n]*\n[^\n]*Iterator\[[^\n]*(Array\[0, 0\]|(Tuple|Struct|Hash)\[)",
        "the elements of an iterator with steps are printed like arguments there: undef for `[]`, 1 for `[1]`",
    ),
    (
        "source",
        r"Regexp(\[[^\n]*\])?\['(\\\\)+'\]",
        "an invalid pattern is reported where the type is made, and there where it is used",
    ),
    ("type", r"Runtime\[ruby", "the released Puppet shows an internal iterator as a foreign object"),
    (
        "both",
        r"(?s)\b(message|p) => .*\btree_each\b(?!.*Use of an Iterator is not supported)",
        "the released Puppet accepts the result of tree_each in attributes, as a foreign object",
    ),
)
# Each row has a pattern in the released result, our text for it, and the reason. Nothing else may differ.
REWRITES = (
    (
        r"\n   \(location: [^()]*\.rb:\d+:in `[^']*'\)",
        "",
        "a warning of stdlib ends with the line of Ruby that logs it",
    ),
    (
        r"\nDid you mean\?[^(]*(?= \(line|\Z)",
        "",
        "Ruby adds similar keys to the message of a missing key",
    ),
    (
        r"Instance of Sensitive(\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\])?",
        "#<Sensitive [value redacted]>",
        "not even the type of a Sensitive in an object is shown, since that of a Type or Regexp reveals the value",
    ),
)
_COMPILED = tuple((name, re.compile(pattern), reason) for name, pattern, reason in KNOWN)


def find_reason(source: str, theirs: dict[str, Any]) -> str | None:
    """Return the reason of the known difference that matches a program, or None."""
    texts = {**theirs, "source": source, "logs": "\n".join(theirs["logs"])}
    texts["any"] = "\n".join(
        map(str, (theirs.get("error"), theirs.get("value"), theirs.get("type"), texts["logs"]))
    )
    texts["both"] = f"{source}\n=> {texts['any']}"
    for name, pattern, reason in _COMPILED:
        if pattern.search(str(texts.get(name, ""))):
            return reason
    return None


def list_rewrites(theirs: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield a released result with each rewrite that changes it, and the reason."""
    for pattern, replacement, reason in REWRITES:

        def rewrite(text: str, pattern: str = pattern, replacement: str = replacement) -> str:
            return re.sub(pattern, replacement, text)

        result = {
            name: [rewrite(line) for line in part] if isinstance(part, list) else rewrite(str(part))
            for name, part in theirs.items()
        }
        if result != theirs:
            yield result, reason
