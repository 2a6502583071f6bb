"""Tests of the text of Ruby code: the libraries that it needs, and the changes that outlive it.

Code that only uses what our scripts define runs in a Ruby without Puppet's library, which starts in a tenth of the
time. Code that can change nothing but its own objects leaves no trace, so that one process may run it for one program
after the other. Both tests are on the safe side: what they do not know counts as used, or changed.
"""

from __future__ import annotations

import re

from lexer_parser.memo import memoize

# The names of Puppet's library that our scripts define as well, in the forms in which they behave the same.
_DEFINED = re.compile(
    r"Puppet::Functions\.create_function\b|Puppet::Functions::(?:Internal)?Function\b"
    r"|(?:module )?Puppet::Parser::Functions(?:\.newfunction\b|(?=\s*$))|Puppet::(?:Parse)?Error\b"
    r"|Puppet::Pops::Types::PSensitiveType::Sensitive\b|Puppet\.(?:debug|info|notice|warning|err)\b"
    r"|Puppet\[:vardir\]",
    re.MULTILINE,
)
# Names of the library. Functions of the older interface that call each other share its values, too.
_LIBRARY_NAMES = re.compile(r"Puppet|Facter|Hiera|\bPops\b|\bTypes::|known_resource_types")
_FUNCTION_NAMES = re.compile(r"function_\w|compiler|environment")
_TAG = re.compile(r"<%[^%#].*?%>", re.DOTALL)
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_REQUIRED = re.compile(
    r"(?<!['\"\w:.])(?:require|require_relative|load|autoload)\b[ (]*(?::\w+, *)?(['\"\w][^\s)]*)"
)
_RUBY_LIBRARIES = frozenset(
    {
        "base64",
        "bigdecimal",
        "cgi",
        "csv",
        "date",
        "digest",
        "digest/md5",
        "digest/sha1",
        "digest/sha2",
        "English",
        "erb",
    }
    | {"etc", "fileutils", "ipaddr", "json", "open3", "openssl", "ostruct", "pathname", "securerandom", "set"}
    | {"shellwords", "socket", "stringio", "strscan", "tempfile", "time", "tmpdir", "uri", "yaml", "zlib"}
)


@memoize(500)
def needs_library(text: str, is_template: bool = False) -> bool:
    """Return True for Ruby code, or a template, that may use more than our scripts define."""
    code = "\n".join(_TAG.findall(text)) if is_template else _COMMENT.sub("", text)
    code = _DEFINED.sub("", code)
    if _LIBRARY_NAMES.search(code) is not None or (not is_template and _FUNCTION_NAMES.search(code)):
        return True
    return any(found.strip("\"';") not in _RUBY_LIBRARIES for found in _REQUIRED.findall(code))


# Words of code that may change more than its own objects, read what other code has left, or reach the system.
_CHANGING = re.compile(
    r"@@|\$[A-Za-z_]|\$[^\s\w]\s*=[^=~]|`|%x|<<[-~]?['\"A-Z]"
    r"|\b(?:BEGIN|END|alias|undef|module|refine|using|binding|send|__send__|public_send|eval|\w+_eval|\w+_exec"
    r"|method_missing|define_\w+|remove_\w+|undef_\w+|\w*const_\w+|instance_variable_\w+|class_variable\w*|attr\w*"
    r"|instance_method|global_variables|singleton\w*|_id2ref|fork|exec|system|spawn|popen|trap|at_exit|autoload"
    r"|require_relative|load|exit|abort|gets|srand|set_trace_func|untrace_var|trace_var|callcc|setvar|allocate)\b"
    r"|\b(?:open|test|syscall)[ (]|\.(?:include|prepend|extend)\b(?!\?)"
    r"|(?<!\.)\bclass\b|\.class\b\s*\.(?!name\b|to_s\b)"
    r"|\bscope\s*\[[^\]]*\]\s*=(?![=~])|\brequire (?!'')|\b[A-Z]\w*\.freeze"
    r"|\b[A-Z]\w*(?:\.\w+)?\s*(?:\[[^\]]*\]\s*)?[-+*|&<]*=(?![=~>])|\bdef\s+(?:[A-Z(]|[a-z_]\w*\.)"
)
# Constants of Ruby and of our scripts with methods that change nothing but their results.
_PURE_CONSTANTS = frozenset(
    {
        "Array",
        "Hash",
        "String",
        "Integer",
        "Float",
        "Symbol",
        "Numeric",
        "NilClass",
        "TrueClass",
        "FalseClass",
    }
    | {
        "Regexp",
        "Range",
        "JSON",
        "Time",
        "Date",
        "URI",
        "IPAddr",
        "Base64",
        "Digest",
        "MD5",
        "SHA1",
        "SHA256",
        "SHA512",
    }
    | {
        "SecureRandom",
        "Math",
        "ArgumentError",
        "StandardError",
        "TypeError",
        "RuntimeError",
        "KeyError",
        "Set",
        "YAML",
    }
    | {"Enumerable", "Comparable", "Shellwords", "ERB", "OpenSSL", "HMAC", "KDF", "PBKDF2", "Psych", "CGI"}
    | {"Gem", "Version", "RUBY_VERSION"}
)
_CONSTANT = re.compile(r"\b[A-Z]\w*")
_STRING_OR_COMMENT = re.compile(
    r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|(?:(?<=\s)|(?<=%-)|^)#(?!\{).*$", re.MULTILINE
)
_NAME = re.compile(r"(?<!@)@[a-z_]\w*|(?<!:):[a-z_]\w*")  # of a variable of the template, or a symbol
_DEFINITION = re.compile(r"\bdef\b")
# A call of a template, which may define methods for the outer one, or of a function that the text does not name.
_NESTED_TEMPLATE = re.compile(
    r"template\b\W*[\[(]|call_function(?![ (]+['\"])|call_function[ (]+['\"](?:inline_)?template\b"
)
_OWN_VARIABLE = re.compile(r"@\w")  # of the object of a function, which lives on
_HEREDOC = re.compile(r"<<[-~](['\"]?)([A-Z]\w*)\1(.*)\n((?:.*\n)*?)\s*\2\n")
_INSIDE = r"\n(?:[ \t].*\n|\n)*end\s*"
# A file that only creates a function, without strings and comments.
_FUNCTION = re.compile(
    rf"\s*(?:require ''\s*)*(?:Puppet::Functions\.create_function\((?:''|:''|:\w+)\) do{_INSIDE}"
    rf"|Puppet::Parser::Functions(?:\.|::)newfunction\b.*do \|\w+\|{_INSIDE}"
    rf"|module Puppet::Parser::Functions\n\s*newfunction\b.*{_INSIDE})"
)


@memoize(1000)
def is_isolated(text: str, is_template: bool = False) -> bool:
    """Return True for Ruby code, or a template, that leaves nothing behind and sees nothing that other code has left.

    The file of a function defines nothing else then.
    """
    if needs_library(text, is_template) or "vardir" in text:
        return False
    code = "\n".join(_TAG.findall(text)) if is_template else _HEREDOC.sub(_strip_heredoc, text)
    code = _STRING_OR_COMMENT.sub(_strip, code)
    if is_template:
        if _DEFINITION.search(code) is not None or _NESTED_TEMPLATE.search(text) is not None:
            return False
    elif _FUNCTION.fullmatch(code) is None or _OWN_VARIABLE.search(code) is not None:
        return False
    code = _NAME.sub("", _DEFINED.sub("", code))
    return _CHANGING.search(code) is None and _PURE_CONSTANTS.issuperset(_CONSTANT.findall(code))


def _strip(found: re.Match[str]) -> str:
    """Return the code in a string: nothing for most, and for comments."""
    if found[0][0] == "#":
        return ""
    _, *parts = found[0].split("#{")
    codes = (part.partition("}")[0] if "}" in part else part for part in parts)
    return " ".join(("''", *codes)) if found[0][0] == '"' else "''"


def _strip_heredoc(found: re.Match[str]) -> str:
    """Return a string without its text, unless it contains code."""
    return found[0] if "#{" in found[4] else f"''{found[3]}\n"
