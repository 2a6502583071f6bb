"""The text of a list of terminals, with blanks, comments, heredocs and template tags.

The lists come from `tests/fuzzing/sentences.py`, which derives them from the grammar.
"""

from __future__ import annotations

from random import Random

from lexer_parser.lexing.tokens import KEYWORDS, OPERATORS

UNICODE_BLANKS = "\u00a0\u1680\u2000\u2003\u200a\u202f\u205f\u3000"
# The texts of each kind of token, separated by spaces.
_SPELLINGS = {
    "NAME": "a b c foo notice include file class1 x::y ::z fail tag length each plan new site require contain",
    "WORD": "a-b _a _a::b a::_b a::b-c x--y a1-2",
    "CLASSREF": "A Foo File Foo::Bar ::A Class Integer Array Resource Optional Runtime Object Plan",
    "VARIABLE": "$x $y $x $y $z $v $w $_z $a::b $::c $a::_b $1 $0 $title $name",
    "NUMBER": "0 1 2 7 10 42 0x1F 017 1.5 1e5 2.5E-3 9223372036854775807",
    "BOOLEAN": "true false",
    "REGEX": r"/a/ /b.c/ /^x$/ /\d+/ // /(?i:a)/ /a\/b/ /(?<n>a)\k<n>/ /\Ax\Z/ /é/",
    "LBRACE": "{",
    "SELBRACE": "{",
    "RBRACE": "}",
    "LPAREN": "(",
    "WSLPAREN": "(",
    "LBRACK": "[",
    "LISTSTART": "[",
    "DIV": "/",
}
_STRINGS = (
    *(
        "'a'",
        "'b'",
        "''",
        '""',
        '"a"',
        "'it\\'s'",
        '"\\n\\t\\"\\$"',
        "'é'",
        '"\\u2713"',
        '"\\q"',
        "'A::B'",
        '"a $ b"',
    ),
    *("'/tmp/a'", "'a b'", "'{}'", '"\\u{1F600}"', "'two\nlines'", '"%>"', "'#'", '"\\\n"', "'a\\\\'"),
)
_TEXTS = ("", "", "a", " b ", "é", "\\n", "$", "#", "\n", "{", "}", "\\\\", "'", "$$", "\\u0041")
_TEMPLATE_TEXTS = (
    "a",
    " b\n",
    "\n",
    "  ",
    "<%% x %%>",
    "é",
    "<%# c %>",
    "<%#- c -%>",
    "$x",
    "'",
    '"',
    "%",
    "<",
    "{",
)
_HEREDOC_LINES = ("a\n", "  b\n", "\n", "$x\n", "\\n\\\n", "  é ${x}\n", "'\n", '"\n', "# no\n", "| a\n")
_TAGS = ("END", "A", "E T", "X-1")
_COMMENTS = ("# c\n", "/* c */", "/* a\nb */", "#\n", "# é '\n", "/***/")
SPELLINGS: dict[str, tuple[str, ...]] = {
    **{token: (text,) for text, token in OPERATORS.items()},
    **{token: (word,) for word, token in KEYWORDS.items()},
    **{token: tuple(texts.split(" ")) for token, texts in _SPELLINGS.items()},
    "STRING": _STRINGS,
}


class Speller:
    """A writer of terminals as text.

    Attributes:
        disorder: The probability that a blank is unusual, missing, or a comment.
        heredocs: The texts of heredocs that follow the present line.
        template: The text is a template.
        in_text: The position is in the text between two tags of a template, not in a tag.
    """

    def __init__(self, random: Random, disorder: float) -> None:
        self.random = random
        self.disorder = disorder
        self.pieces: list[str] = []
        self.heredocs: list[str] = []
        self.in_text = False
        self.template = False

    def spell(self, terminals: list[str]) -> str:
        """Return the text of a sentence."""
        index = 0
        while index < len(terminals):
            terminal = terminals[index]
            if terminal == "HEREDOC":
                index = self.write_heredoc(terminals, index)
            elif terminal.startswith(("EPP_", "RENDER_")):
                self.write_tag(terminal)
            else:
                self.write_blank(terminal)
                self.pieces.append(self.choose_spelling(terminal))
            index += 1
        if self.template and not self.in_text:
            self.pieces.append(self.random.choice((" %>", " -%>", "\n%>")))
        self.write_heredoc_texts()
        return "".join(self.pieces)

    def choose_spelling(self, terminal: str) -> str:
        """Return one of the texts of a terminal."""
        if terminal == "DQPRE":
            return f'"{self.random.choice(_TEXTS)}${{'
        if terminal == "DQMID":
            return f"}}{self.random.choice(_TEXTS)}${{"
        if terminal == "DQPOST":
            return f'}}{self.random.choice(_TEXTS)}"'
        return self.random.choice(SPELLINGS[terminal])

    def write_blank(self, terminal: str) -> None:
        """Write the blank, or the start of a tag, before a terminal."""
        random = self.random
        if self.in_text:
            self.pieces.append(random.choice(("<% ", "<%- ", "<%\n")))
            self.in_text = False
        elif terminal in ("LBRACK", "DQMID", "DQPOST") and random.random() >= self.disorder:
            return
        elif terminal == "LPAREN":
            self.pieces.append(random.choice(("", "", " ")))
        elif random.random() < self.disorder:
            self.write_unusual_blank()
        elif terminal == "WSLPAREN" or random.random() < 0.08:
            self.write_newline()
        elif self.pieces:
            self.pieces.append(" ")

    def write_unusual_blank(self) -> None:
        """Write nothing, a comment, or a rarely used blank."""
        kind = self.random.randrange(4)
        if kind == 0:
            return
        if kind == 1 and not self.heredocs:
            self.pieces.append(f" {self.random.choice(_COMMENTS)}")
        elif kind == 2:
            self.pieces.append(f" {self.random.choice(UNICODE_BLANKS)}")
        else:
            self.pieces.append(self.random.choice((" ", "\t", "\r", " \r", "  ")))
            if self.random.randrange(2):
                self.write_newline()

    def write_newline(self) -> None:
        """Write the end of a line, and the texts of the heredocs that began on it."""
        self.pieces.append("\r\n" if self.random.random() < self.disorder else "\n")
        self.write_heredoc_texts()

    def write_heredoc_texts(self) -> None:
        """Write the texts of the heredocs that began on the line."""
        if self.heredocs and not self.pieces[-1].endswith("\n"):
            self.pieces.append("\n")
        self.pieces += self.heredocs
        self.heredocs.clear()

    def write_heredoc(self, terminals: list[str], index: int) -> int:
        """Write a header, store its text, and return the index of the last terminal used.

        The terminals are HEREDOC, SUBLOCATE, and then either STRING or DQPRE … DQPOST.
        """
        random = self.random
        self.write_blank("HEREDOC")
        stop = index + 2
        if terminals[stop] == "DQPRE":
            # The first one, even if it belongs to a nested string: such a text is a useful input, too.
            while terminals[stop] != "DQPOST":
                stop += 1
        tag = random.choice(_TAGS)
        is_interpolated = stop > index + 2 or random.random() < 0.2
        quoted_tag = f'"{tag}"' if is_interpolated else tag
        syntax = random.choice(("", "", "", ":json", ": pp "))
        flags = random.choice(("", "", "", "/", "/tn", "/L", "/$", "/tt", "/q"))
        self.pieces.append(f"@({quoted_tag}{syntax}{flags})")
        lines = [random.choice(_HEREDOC_LINES) for _ in range(random.randrange(3))]
        if stop > index + 2:
            inner = Speller(random, 0).spell(terminals[index + 2 : stop + 1])
            lines.append(f"{inner[1:-1]}\n")
        end = random.choice(("", "| ", "  | ", "- ", "  |- ")) + tag + random.choice(("", "", " "))
        self.heredocs.append(f"{''.join(lines)}{end}\n")
        return stop

    def write_tag(self, terminal: str) -> None:
        """Write a tag of a template, or the text between two of them."""
        random = self.random
        if terminal == "EPP_START":
            self.in_text = self.template = True
        elif terminal.startswith("EPP_END"):
            self.pieces.append(" -%>" if terminal == "EPP_END_TRIM" else " %>")
            self.in_text = True
        else:
            if not self.in_text:
                self.pieces.append(random.choice((" %>", " -%>")))
            self.in_text = terminal == "RENDER_STRING"
            self.pieces.append(random.choice(_TEMPLATE_TEXTS) if self.in_text else "<%=")
