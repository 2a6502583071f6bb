"""The rules for errors of the lexer and of validation, by message and source text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from lexer_parser.diagnostics import Rule, RuleMatch, RuleTable
from lexer_parser.diagnostics.foreign_words import FOREIGN_WORDS
from lexer_parser.diagnostics.tokens import TokenContext
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import Note, PuppetError
from lexer_parser.issues.similarity import find_nearest
from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.lexing.tokens import STATEMENT_FUNCTIONS
from lexer_parser.source import Source, Span
from lexer_parser.tree.labels import capitalize_segments

APOSTROPHE = LazyPattern(r"'\w+'\w++[^']*+'[^']*$")
HEREDOC_TAG = LazyPattern(r"@\([ \t]*+\"?([^:/\r\n)\"]{1,200}+)\"?[^\r\n)]{0,200}+\)")
WORD = LazyPattern(r"[\w:]+")
PATH = LazyPattern(r"/[\w.+-]+(?:/[\w.+-]+)+/?")
BEFORE_VALUE = LazyPattern(r"(?:^|[{>:,\[(=])\s*$")
REGEXP_OPTIONS = LazyPattern(r"/[^/]+/[imx]+")  # In other languages letters may follow a pattern.
HUMP = LazyPattern(r"(?<=[a-z0-9])([A-Z])")
EMPTY_BRACES = LazyPattern(r"\{\s*\}\s*$")
HYPHENATED = LazyPattern(r"\$([a-z]\w*(?:-[a-z]\w*)+)[ \t]*=")
SEVERAL_VARIABLES = LazyPattern(r"\s*(\$\w+(?:, *\$\w+)+)\s*=(?!=)")
NEAR = 80  # characters before and behind an error in which a name is searched
LITERALS = frozenset(("undef", "default", "true", "false"))


class ErrorSite:
    """An error with a place in a source.

    Attributes:
        error: The error.
        source: The source that was parsed.
        span: The place of the error; `start` is its offset.
    """

    def __init__(self, error: PuppetError, source: Source, span: Span) -> None:
        self.error = error
        self.source = source
        self.span = span
        self.start = span.start

    @property
    def arguments(self) -> Mapping[str, str]:
        """The words of the error's message."""
        return self.error.arguments

    @property
    def text(self) -> str:
        """The source text that the error marks."""
        return self.span.source.text[self.span.start : self.span.end]

    @property
    def following(self) -> str:
        """The source text after the error."""
        return self.span.source.text[self.span.end :].lstrip()

    @property
    def line(self) -> str:
        """The line of the source on which the error begins."""
        return self.source.line(self.span.line)


Condition = Callable[[ErrorSite], bool]


def to_lower_case(name: str) -> str:
    """Return a name in lower case by segments, with underscores for hyphens and between words."""
    plain = [part for part in name.replace("-", "_").split("::") if part]
    return "::".join(HUMP.sub(r"_\1", part).lower() for part in plain)


# --- Strings and heredocs


def _find_opening(site: ErrorSite) -> tuple[int, int, bool]:
    """Return the offset and the line of an unclosed string, and whether a `${` is open in it."""
    lexer = Lexer(site.source, PUPPET)
    with suppress(PuppetError):
        lexer.scan()
    start = site.start - 1  # a string without interpolation: the error begins behind the opening quote
    if lexer.string_token is not None and lexer.string_token < len(lexer.tokens):
        start, _, _ = lexer.tokens[lexer.string_token]  # an interpolated string that has tokens
    elif lexer.string_token is None and site.source.text[start : start + 1] != "'":
        start = site.source.text.rfind('"', 0, site.start)  # one that has none yet
    return start, site.source.position(max(start, 0))[0], bool(lexer.suspended)


def find_apostrophe_in_string(site: ErrorSite) -> bool:
    """Recognize `'it's here'`, whose last quote opens a string."""
    start, line, _ = _find_opening(site)
    is_single = site.source.text[start : start + 1] == "'"
    return is_single and APOSTROPHE.search(site.source.line(line)) is not None


def find_unclosed_interpolation(site: ErrorSite) -> RuleMatch | None:
    """Recognize `"${x"`."""
    start, line, in_interpolation = _find_opening(site)
    note = Note("the string begins here", Span(site.source, start, start + 1))
    return RuleMatch(note, line=line) if in_interpolation else None


def find_unclosed_string(site: ErrorSite) -> RuleMatch:
    """Return the place of the opening quote, and of an earlier string that may lack its own."""
    start, line, _ = _find_opening(site)
    opening = Note("the string begins here", Span(site.source, start, start + 1))
    tokens = TokenContext(site.source, start)
    over_lines = [
        index
        for index in range(tokens.index)
        if tokens.kinds[index] == "STRING" and "\n" in tokens.text_of(index)
    ]
    missing = "or the quote is missing at the end of this one"
    return RuleMatch(opening, *(tokens.note_at(index, missing) for index in over_lines[-1:]), line=line)


def find_unclosed_heredoc(site: ErrorSite) -> RuleMatch | None:
    """Recognize a heredoc whose end line has another tag, or more than the tag."""
    text = site.source.text
    headers = list(HEREDOC_TAG.finditer(text, 0, site.start))
    if not headers:
        return None
    tag = headers[-1][1].strip()
    offset, lines = site.start, {}
    for line in text[site.start :].splitlines(keepends=True):
        lines[line.strip().lstrip("|-").strip()] = Span(site.source, offset, offset + len(line.rstrip()))
        offset += len(line)
    near = find_nearest(tag, lines) or next((line for line in lines if line and line.split()[0] == tag), None)
    return RuleMatch(*((Note("is this the end?", lines[near]),) if near else ()), tag=tag)


# --- Names, numbers, paths


def find_class_reference(site: ErrorSite) -> RuleMatch | None:
    """Recognize `Apache::vhost`."""
    for match in WORD.finditer(site.source.text, max(0, site.start - NEAR), site.start + NEAR):
        if match.end() >= site.start:
            return RuleMatch(name=capitalize_segments(match[0]))
    return None


def find_decimal_with_zero(site: ErrorSite) -> RuleMatch | None:
    """Recognize `08`: a decimal number with a leading zero, or a mode."""
    digits = site.arguments["value"]
    return RuleMatch(digits=digits, number=digits.lstrip("0")) if digits.isdecimal() else None


def find_unquoted_path(site: ErrorSite) -> RuleMatch | None:
    """Recognize `/etc/motd`.

    The specification takes what follows the second slash for options of a pattern.
    """
    text = site.source.text
    path = PATH.match(text, max(text.rfind(" ", 0, site.start) + 1, 0))
    line = site.source.line(site.source.position(site.start)[0])
    if path is None or not BEFORE_VALUE.search(line[: line.find(path[0])]):
        return None
    return None if REGEXP_OPTIONS.fullmatch(path[0]) else RuleMatch(path=path[0])


def find_variable_name(site: ErrorSite) -> RuleMatch | None:
    """Recognize `$Port`."""
    name = to_lower_case(site.arguments["name"]).lstrip("0123456789")
    return RuleMatch(name=name) if name else None


def find_assigned_name(site: ErrorSite) -> RuleMatch | None:
    """Recognize `port = 80`."""
    return RuleMatch(name=site.text) if site.arguments["label"] == "a Name" else None


def find_assigned_hyphen(site: ErrorSite) -> RuleMatch | None:
    """Recognize `$my-port = 80`."""
    hyphenated = HYPHENATED.search(site.line)
    if site.arguments["label"] != "a '-' expression" or hyphenated is None:
        return None
    return RuleMatch(name=to_lower_case(hyphenated[1]))


def find_type_alias_name(site: ErrorSite) -> RuleMatch | None:
    """Recognize `type port = Integer`."""
    name = "::".join(filter(None, capitalize_segments(site.arguments["name"]).split("::")))
    return RuleMatch(name=name) if site.arguments["label"] == "a Type Alias" else None


def find_quoted_name(site: ErrorSite) -> RuleMatch | None:
    """Recognize `class 'app'`."""
    name = to_lower_case(site.text.strip("'\""))
    return RuleMatch(name=name) if name else None


def find_comma_list(site: ErrorSite) -> RuleMatch | None:
    """Recognize `$a, $b = [1, 2]`."""
    variables = SEVERAL_VARIABLES.match(site.line)
    return RuleMatch(variables=variables[1].strip()) if variables is not None else None


# --- Calls and expressions


def make_message_test(also: Condition | None = None, *, feature: str = "", label: str = "") -> Condition:
    """Return the test of a rule about one form of an error's message.

    Args:
        also: A further condition; None for none.
        feature: The word for `{feature}` in the message; "" if the message has none.
        label: The word for `{label}` in the message; "" for any.
    """

    def test(site: ErrorSite) -> bool:
        words = site.arguments
        is_same = words.get("feature", "") == feature and label in ("", words.get("label"))
        return is_same and (also is None or also(site))

    return test


def find_mistyped_definition(site: ErrorSite) -> RuleMatch | None:
    """Recognize `clas web { … }`."""
    before = site.source.text[: site.start].split()
    near = find_nearest(before[-1], ("class", "define", "function", "node")) if before else None
    return RuleMatch(keyword=near) if near is not None else None


def find_mistyped_statement(site: ErrorSite) -> RuleMatch | None:
    """Recognize `inlude web`."""
    near = find_nearest(site.text, STATEMENT_FUNCTIONS) if site.following else None
    return RuleMatch(name=near) if near is not None and site.arguments.get("label") == "Name" else None


def find_foreign_word(word: str) -> RuleMatch | None:
    """Recognize a word of another language."""
    advice, fix = FOREIGN_WORDS.get(word, ("", ""))
    return RuleMatch(advice=advice, fix=fix) if advice else None


def find_called_string(site: ErrorSite) -> RuleMatch | None:
    """Recognize `'my-function'()`."""
    is_string = site.arguments["feature"] == "function name" and site.arguments["label"] == "A String"
    return RuleMatch(name=to_lower_case(site.text.strip("'\""))) if is_string else None


def find_collected_name(site: ErrorSite) -> RuleMatch | None:
    """Recognize `file <| |>`."""
    is_name = site.arguments["feature"] == "type name" and site.text.isidentifier()
    return RuleMatch(type=site.text.capitalize()) if is_name else None


FUNCTION_NAME = "function name"
NO_EFFECT = ("IDEM_EXPRESSION_NOT_LAST", "IDEM_NOT_ALLOWED_LAST")
LOWER_CASE_NAME = "Names are lower-case words joined by `::`, without hyphens: `{name}`."

# Each rule has the codes of its errors, a test, the advice, and the code that replaces the marked code. The first rule
# whose test succeeds counts. Its texts may use the words of the match and of the error, and the marked `{text}`.
RULES: RuleTable[[ErrorSite]] = RuleTable(
    (
        Rule(
            "UNCLOSED_QUOTE",
            find_apostrophe_in_string,
            "A string in single quotes ends at the next one: write \\' inside it, or quote it with \".",
        ),
        Rule(
            "UNCLOSED_QUOTE",
            find_unclosed_interpolation,
            "Close the `${{` with a `}}` and the string of line {line} with its quote.",
        ),
        Rule("UNCLOSED_QUOTE", find_unclosed_string, "Close the string that begins on line {line}."),
        Rule(
            "HEREDOC_WITHOUT_END_TAGGED_LINE",
            find_unclosed_heredoc,
            "End the text with a line that holds only the tag: `| {tag}`.",
        ),
        # `=~ /*web/`
        Rule(
            "UNCLOSED_MLCOMMENT",
            lambda site: site.source.text[: site.start].rstrip().endswith(("=~", "!~")),
            "`/*` begins a comment. In a pattern any text is `.*`: `/.*web/`, or just `/web/`.",
        ),
        Rule(
            "ILLEGAL_CLASS_REFERENCE",
            find_class_reference,
            "In the name of a type every segment begins with a capital: `{name}`.",
            "{name}",
        ),
        Rule(
            "INVALID_OCTAL_NUMBER",
            find_decimal_with_zero,
            "A number that begins with 0 is octal: write `{number}`, or quote it: `'{digits}'`.",
            "'{digits}'",
        ),
        Rule("REGEXP_OPTIONS", find_unquoted_path, "Put a path in quotes: `'{path}'`.", "'{path}'"),
        Rule(
            ("ILLEGAL_VAR_NAME", "ILLEGAL_PARAM_NAME"),
            lambda site: not site.arguments["name"],
            "After `$` comes a name. For a plain dollar sign use a string: `'$'`.",
        ),
        Rule(
            ("ILLEGAL_VAR_NAME", "ILLEGAL_PARAM_NAME"),
            find_variable_name,
            "Variables begin with a lower-case letter or an underscore: `${name}`.",
            "${name}",
        ),
        Rule(
            "ILLEGAL_DEFINITION_NAME",
            find_type_alias_name,
            "The name of a type begins with a capital: `{name}`.",
            "{name}",
        ),
        # `class My-App`
        Rule(
            "ILLEGAL_DEFINITION_NAME",
            lambda site: RuleMatch(name=to_lower_case(site.arguments["name"]).lstrip("_")),
            LOWER_CASE_NAME,
            "{name}",
        ),
        Rule("QUOTED_NAME", find_quoted_name, "Write the name without quotes: `{name}`.", "{name}"),
        Rule(
            "ILLEGAL_ASSIGNMENT",
            find_assigned_name,
            "A variable begins with a dollar sign: `${name} = …`.",
            "${name}",
        ),
        Rule(
            "ILLEGAL_ASSIGNMENT",
            find_assigned_hyphen,
            "A variable's name has no hyphen, which is a minus: `${name} = …`.",
            "${name}",
        ),
        # `$x > 1 = 2`
        Rule(
            "ILLEGAL_ASSIGNMENT",
            lambda site: site.arguments["label"].endswith("' expression"),
            "Write a variable on the left of `=`; to compare, write `==`.",
            "==",
        ),
        Rule(
            "ILLEGAL_COMMA_LIST",
            find_comma_list,
            "Several variables are set from a list: `[{variables}] = [1, 2]`.",
            "[",
        ),
        # `undef()`
        Rule(
            "ILLEGAL_EXPRESSION",
            make_message_test(lambda site: site.text in LITERALS, feature=FUNCTION_NAME),
            "`{text}` is a value: write it without parentheses.",
            "{text}",
        ),
        # `$(hostname)`
        Rule(
            "ILLEGAL_EXPRESSION",
            make_message_test(lambda site: site.text == "$", feature=FUNCTION_NAME),
            "No command runs while a catalog is compiled; facts describe the machine: `$facts['os']`.",
        ),
        # `$f()`
        Rule(
            "ILLEGAL_EXPRESSION",
            make_message_test(feature=FUNCTION_NAME, label="A Variable"),
            "A variable cannot be called; a function can by its name: `call({text}, …)`.",
        ),
        Rule(
            "ILLEGAL_EXPRESSION",
            find_called_string,
            "The name of a function has no quotes and no hyphens: `{name}(…)`.",
            "{name}",
        ),
        Rule(
            "ILLEGAL_EXPRESSION",
            find_collected_name,
            "A collector begins with a type: `{type} <| |>`.",
            "{type}",
        ),
        # A heredoc as host.
        Rule(
            "ILLEGAL_EXPRESSION",
            make_message_test(feature="hostname"),
            "A host is a name, a string, a regular expression or `default`.",
        ),
        # `type Port = 80`
        Rule(
            "ILLEGAL_EXPRESSION",
            make_message_test(feature="a type reference"),
            "Write a type on the right: `type Port = Integer[1, 65535]`.",
        ),
        # `puts 'a'`
        Rule(NO_EFFECT, lambda site: find_foreign_word(site.text), "{advice}", "{fix}"),
        Rule(
            NO_EFFECT,
            make_message_test(lambda site: site.text == "notify" and site.following != "", label="Name"),
            "A message of the catalog is `notify {{ 'text': }}`; to say something now, write `notice('text')`.",
        ),
        # `inlude web`
        Rule(
            NO_EFFECT,
            find_mistyped_statement,
            "Few functions can be called without parentheses; `{name}` is one of them.",
            "{name}",
        ),
        # `my_function 'a'`
        Rule(
            NO_EFFECT,
            make_message_test(lambda site: site.following != "", label="Name"),
            "If `{text}` is a function, put its arguments in parentheses: `{text}(…)`.",
        ),
        # `Integer $x = 1`
        Rule(
            NO_EFFECT,
            make_message_test(lambda site: site.following.startswith("$"), label="Type-Name"),
            "A variable has no type: write `$x = 1`, or check the value with `assert_type`.",
        ),
        # `$x == 1`
        Rule(
            NO_EFFECT,
            make_message_test(label="'==' expression"),
            "To assign, write `=`; to use the result, `if` or `notice(…)`.",
            "=",
        ),
        # `while { … }`
        Rule(
            "RESOURCE_WITHOUT_TITLE",
            lambda site: find_foreign_word(site.arguments["name"]),
            "{advice}",
            "{fix}",
        ),
        Rule(
            "RESOURCE_WITHOUT_TITLE",
            find_mistyped_definition,
            "If it is meant to define something, it begins with `{keyword}`.",
            "{keyword}",
        ),
        # `ntp { }`
        Rule(
            "RESOURCE_WITHOUT_TITLE",
            lambda site: EMPTY_BRACES.search(site.text) is not None,
            "A resource has a title, `{name} {{ 'title': }}`; a class is declared by `include {name}`.",
        ),
    )
)
