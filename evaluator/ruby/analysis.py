"""Tests of the text of Ruby code, which decide how `companion` runs it.

* `needs_library`: Code that only uses what our scripts define runs in a Ruby without Puppet's library, which starts in
  a tenth of the time.
* `is_isolated`: Code that can change nothing but its own objects may run in one process for program after program.
* `is_repeatable`: The results of isolated code that depends on nothing but its arguments and callbacks may be shared.

The tests search the text by regular expressions and are on the safe side: what they do not know counts as used, as
changed, or as varying.
"""

from __future__ import annotations

import re

from lexer_parser.memo import memoize

# --- the library

# The names of Puppet's library that our scripts define as well, in the forms that behave the same.
_SHARED_NAMES = re.compile(
    r"Puppet::Functions\.create_function\b|Puppet::Functions::(?:Internal)?Function\b"
    r"|(?:module )?Puppet::Parser::Functions(?:\.newfunction\b|(?=\s*$))|Puppet::(?:Parse|DataBinding::Lookup)?Error\b"
    r"|Puppet::Pops::Types::PSensitiveType::Sensitive\b|Puppet\.(?:debug|info|notice|warning|err)\b"
    r"|Puppet\[:vardir\]",
    re.MULTILINE,
)
# Other names of the library.
_LIBRARY_NAMES = re.compile(r"Puppet|Facter|Hiera|\bPops\b|\bTypes::|known_resource_types")
# Names by which functions of the older interface call each other (`function_NAME`) and reach objects of the library.
_FUNCTION_NAMES = re.compile(r"function_\w|compiler|environment")
# Code that may find a constant by a string; then names in strings count, too.
_FINDING_BY_STRING = re.compile(r"eval|const_get|send|method")
_TAG = re.compile(r"<%[^%#].*?%>", re.DOTALL)
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_REQUIRED = re.compile(
    r"(?<!['\"\w:.])(?:require|require_relative|load|autoload)\b[ (]*(?::\w+, *)?(['\"\w][^\s)]*)"
)
# The libraries that come with Ruby.
_RUBY_LIBRARIES = frozenset(
    {
        *("base64", "bigdecimal", "cgi", "csv", "date", "digest", "digest/md5", "digest/sha1", "digest/sha2"),
        *("English", "erb", "etc", "fileutils", "ipaddr", "json", "open3", "openssl", "ostruct", "pathname"),
        *("securerandom", "set", "shellwords", "socket", "stringio", "strscan", "tempfile", "time", "tmpdir"),
        *("uri", "yaml", "zlib"),
    }
)


@memoize(500)
def needs_library(text: str, is_template: bool = False) -> bool:
    """Return True for Ruby code, or a template, that may use more than our scripts define."""
    source = _get_code(text, is_template)
    code = _SHARED_NAMES.sub(
        "", source if _FINDING_BY_STRING.search(source) is not None else _remove_literals(source)
    )
    if _LIBRARY_NAMES.search(code) is not None or (not is_template and _FUNCTION_NAMES.search(code)):
        return True
    return not _RUBY_LIBRARIES.issuperset(_list_required(source))


def _get_code(text: str, is_template: bool) -> str:
    """Return Ruby code, or that of a template, without lines of comments."""
    return _COMMENT.sub("", "\n".join(_TAG.findall(text)) if is_template else text)


def _list_required(code: str) -> list[str]:
    """Return the names of the libraries that code loads."""
    return [name.strip("\"';") for name in _REQUIRED.findall(code)]


# --- isolation

# Libraries that every process has loaded, or loads when they are named. Others would stay loaded after the program.
_PRELOADED = _RUBY_LIBRARIES - {
    *("bigdecimal", "cgi", "csv", "English", "etc", "open3", "ostruct", "pathname"),
    *("socket", "strscan", "tempfile", "tmpdir", "zlib"),
}
# Code that may change objects other than its own, read what other code has left, or use the system. It is applied to
# code without literals, in which "\0" is in place of each, so any quote left is of a literal that was not recognized.
_CHANGING = re.compile(
    r"@@|\$[A-Za-z_0:*\"<>-]|\$[^\s\w]\s*=[^=~]|['\"`]|\$\0|(?<!\w)\?\0|^=begin|^__END__"
    r"|%x|%[qQwWiIrs](?![\w\s])|%[|!/^~]|<<[-~]?['\"A-Z\0]|<<[-~]\w"
    r"|\b(?:BEGIN|END|alias|undef|module|refine|using|binding|send|__send__|public_send|eval|\w+_eval|\w+_exec"
    r"|method_missing|define_\w+|remove_\w+|undef_\w+|\w*const_\w+|instance_variable_\w+|class_variable\w*|attr(?:_\w+)?"
    r"|(?:public_|instance_|singleton_)?method|global_variables|singleton\w*|_id2ref|fork|exec|system|spawn|popen|trap"
    r"|at_exit|autoload|require_relative|load|exit|abort|gets|srand|set_trace_func|untrace_var|trace_var|callcc"
    r"|allocate|gem)\b"
    r"|\b(?:open|test|syscall)[ (]|\.(?:include|prepend|extend)\b(?!\?)"
    r"|(?<!\.)\bclass\b|\.class\b\s*\.(?!name\b|to_s\b)"
    r"|\b[A-Z]\w*\.freeze"
    r"|\b[A-Z]\w*(?:\.\w+)?\s*(?:\[[^\]]*\]\s*)?[-+*|&<]*=(?![=~>])|\bdef\s+(?:[A-Z(]|[a-z_]\w*\.)"
    # modules with settings that their other methods change
    r"|\b(?:JSON|YAML|Psych)\b(?!::\w|\.(?:parse|generate|pretty_generate|dump|load|safe_load)\b)"
    r"|\bURI\b(?![(]|::\w|\.(?:parse|join|split|extract|(?:en|de)code_www_form(?:_component)?)\b)"
    r"|\bCGI\b(?!\.(?:un)?escape\w*)|\b(?:OpenSSL|Gem)\b(?!::\w)",
    re.MULTILINE,
)
_UNKNOWN_CHANGE = " @@ "  # a text that `_CHANGING` matches, in place of code of which the effect is not known
# Constants of Ruby and of our scripts whose methods change only their results.
_PURE_CONSTANTS = frozenset(
    {
        *("Array", "Hash", "String", "Integer", "Float", "Symbol", "Numeric", "NilClass", "TrueClass"),
        *("FalseClass", "Regexp", "Range", "Set", "Enumerable", "Comparable", "ArgumentError", "Exception"),
        *("IndexError", "KeyError", "NameError", "NoMethodError", "RangeError", "RuntimeError"),
        *("StandardError", "TypeError", "ZeroDivisionError", "SyntaxError", "JSON", "ParserError"),
        *("GeneratorError", "URI", "InvalidURIError", "IPAddr", "InvalidAddressError", "Base64", "Digest"),
        *("MD5", "SHA1", "SHA256", "SHA512", "OpenSSL", "HMAC", "KDF", "PBKDF2", "YAML", "Psych", "CGI"),
        *("Math", "Shellwords", "Gem", "Version", "RUBY_VERSION", "Time", "Date", "SecureRandom"),
    }
)
# Code whose results may differ for the same arguments.
_VARYING = re.compile(
    r"\b(?:Time|Date|SecureRandom|\w*rand\w*|shuffle!?|sample|object_id|__id__|caller\w*|sleep)\b|\$\$"
    r"|\.hash\b"
)
_CONSTANT = re.compile(r"\b[A-Z]\w*")
_INTERPOLATION = r"#\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
# Comments and literals: strings, lists of words, regular expressions. `#{}` in them contains code.
_LITERAL = re.compile(
    r"(?P<comment>(?:(?<=\s)|(?<=%-)|^)#[^\n]*)|(?P<plain>'(?:[^'\\\n]|\\.)*'|%[qwi](?:\[[^]\\]*\]|\([^)\\]*\)|\{[^}\\]*\}))"
    rf"|(?P<string>\"(?:[^\"\\#\n]|\\.|{_INTERPOLATION}|#(?!\{{))*\"|%[QWI](?:\[[^]\\]*\]|\([^)\\]*\)))"
    rf"|(?P<regexp>/(?:[^/\\\n#]|\\.|{_INTERPOLATION}|#(?!\{{))*/[a-z]*|%r\{{(?:[^{{}}\\#]|\\.|\{{[^{{}}]*\}}|#(?!\{{))*\}}[a-z]*)",
    re.MULTILINE,
)
# The end of code after which `/` begins a regular expression rather than a division.
_BEFORE_REGEXP = re.compile(
    r"(?:^|[(,=~!|&{;\[:?>\n]|\b(?:if|unless|while|until|when|and|or|not|return|then|else|in))\s*\Z"
)
_OWN_NAME = re.compile(r"(?<!@)@[a-z_]\w*|(?<!:):[a-z_]\w*")  # of a variable of the template, or a symbol
_DEFINITION = re.compile(r"\bdef\s+(\w*)")
# The methods of `TemplateWrapper`, which a template must not replace; others that it defines are removed after the
# program.
_METHODS_OF_TEMPLATES = frozenset(
    {
        *("all_tags", "classes", "file", "has_variable", "initialize", "inspect", "report_changes", "result"),
        *("scope", "send", "tags", "to_s", ""),
    }
)
_OWN_VARIABLE = re.compile(r"@\w")  # a variable of the function's object, which outlives the call
_HEREDOC = re.compile(r"<<[-~](['\"]?)([A-Z]\w*)\1(.*)\n((?:.*\n)*?)\s*\2\n")
_BODY = r"\n(?:[ \t].*\n|\n)*end\s*"
# A file that only creates a function, without strings and comments.
_FUNCTION = re.compile(
    rf"\s*(?:require ''\s*)*(?:Puppet::Functions\.create_function\((?:''|:''|:\w+)\) do{_BODY}"
    rf"|Puppet::Parser::Functions(?:\.|::)newfunction\b.*do \|\w+\|{_BODY}"
    rf"|module Puppet::Parser::Functions\n\s*newfunction\b.*{_BODY})"
)


@memoize(1000)
def is_isolated(text: str, is_template: bool = False) -> bool:
    """Return True for code that changes only its own objects and reads no others.

    The file of a function then defines nothing besides the function.
    """
    if needs_library(text, is_template) or "Puppet[:vardir]" in text:
        return False
    source = _get_code(text, is_template)
    if not _PRELOADED.issuperset(_list_required(source)):
        return False
    code = _remove_literals(source)
    if is_template:
        names = _DEFINITION.findall(code)
        if any(name in _METHODS_OF_TEMPLATES or name.startswith("template_") for name in names):
            return False
    elif (
        code.count("newfunction") > 1
        or _FUNCTION.fullmatch(code) is None
        or _OWN_VARIABLE.search(code) is not None
    ):
        return False
    code = _OWN_NAME.sub("", _SHARED_NAMES.sub("", code)).replace("''", "\0")  # see `_CHANGING`
    return _CHANGING.search(code) is None and _PURE_CONSTANTS.issuperset(_CONSTANT.findall(code))


@memoize(1000)
def is_repeatable(text: str, is_template: bool = False) -> bool:
    """Return True for isolated code whose results depend on its inputs alone."""
    if is_template and list_methods(text):
        return False
    return is_isolated(text, is_template) and _VARYING.search(_get_code(text, is_template)) is None


@memoize(1000)
def list_methods(template: str) -> frozenset[str]:
    """Return the names of the methods that a template defines for itself and later templates."""
    return frozenset(_DEFINITION.findall(_get_code(template, is_template=True)))


@memoize(1000)
def uses_names(text: str, names: frozenset[str]) -> bool:
    """Return True for a text in which one of the names occurs as a word."""
    return any(re.search(rf"\b{name}\b", text) is not None for name in names)


# --- literals


def _remove_literals(code: str) -> str:
    """Return Ruby code without comments, and with '' in place of each literal."""
    # A heredoc with an interpolation remains, as its code does.
    code = _HEREDOC.sub(lambda match: match[0] if "#{" in match[4] else f"''{match[3]}\n", code)
    parts: list[str] = []
    copied = position = 0  # the code is in the parts up to `copied`; the search goes on at `position`
    while (match := _LITERAL.search(code, position)) is not None:
        position = match.end()
        before = code[max(0, match.start() - 40) : match.start()]
        if match[0][0] == "/" and _BEFORE_REGEXP.search(before) is None:
            position = match.start() + 1  # a division
            if before[-1].isspace() and not match[0][1].isspace():
                parts.append(_UNKNOWN_CHANGE)  # or a regular expression, as an argument without parentheses
            continue
        parts.append(code[copied : match.start()])
        copied = position
        if match["comment"] is None:
            parts.append("''")
        if match["regexp"] is not None and "o" in re.split(r"[/}]", match[0])[-1]:
            parts.append(_UNKNOWN_CHANGE)  # with this option Ruby stores the first interpolated value
        if match["plain"] is None and match["comment"] is None:
            interpolations = re.findall(_INTERPOLATION, match[0])
            parts += [f" {_remove_literals(each[2:-1])} " for each in interpolations]
    return "".join((*parts, code[copied:]))
