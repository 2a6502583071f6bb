"""The rules of the specification: each with its place, examples that run, and its status.

The language is described by five documents, named `000` to `004`. Their rules are in the file of the document in this
folder, in our own words:

    000 Expressions
    == 215 + operator
    224 The sum of an Integer and a Float is a Float.
      > 1 + 1.0
      = 2.0

A rule has the line of the document, a sentence, a status unless it is implemented (`* undecided: …`), and examples.
The lines of a program begin with `>`; below it is its result (`=`), type (`::`), error (`!`), log line (`notice:`), a
resource of the catalog (`+`), or one that is not in the catalog (`-`). `@ data`, `@ file` and `@ strict_variables`
precede a program that needs Hiera data, a file of a module, or the check of variables. `include 000 1-488` includes
rules of another document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from operator import itemgetter

from lexer_parser.issues.similarity import find_nearest
from lexer_parser.memo import memoize
from lexer_parser.record import Record, fresh

DOCUMENTS = ("000", "001", "002", "003", "004")
# The documents in order of precedence: if two of them differ, the earlier one applies.
AUTHORITY = ("004", "003", "000", "001", "002")
IMPLEMENTED = "implemented"
STATUSES = (IMPLEMENTED, "slip of the text", "overruled by", "undecided")
_SECTION = re.compile(r"== (\d+) (.+)")
_RULE = re.compile(r"(\d+)(?:-(\d+))? (.+)")
_PLACE = re.compile(r"§?\s*(\d{3})(?:(?::|\s+)(.+))?:?\s*")
_WORD = re.compile(r"\$?\w+(?:\.\w+)*|[^\w\s`$]+|\$")
_NEAR = 3  # lines after the last rule of a document that still belong to it


class RuleExample(Record):
    """A program and its results.

    Attributes:
        program: The source.
        expected: Its results: pairs of a mark (`=`, `::`, `!`, `+`, `-`, or the level of a log line) and a text.
        data: The Hiera data that the program needs, in YAML.
        modules: The files of modules that the program needs: pairs of a path and a text.
        strict_variables: True if the check of variables is on.
    """

    program: str = ""
    expected: list[tuple[str, str]] = fresh(factory=list)
    data: str = ""
    modules: list[tuple[str, str]] = fresh(factory=list)
    strict_variables: bool = False

    @property
    def error(self) -> str:
        """The code of the expected error, or ""."""
        return next((text for mark, text in self.expected if mark == "!"), "")


class SpecificationRule(Record):
    """A rule of a document.

    Attributes:
        section: The section that states it.
        line: The line of the document that states it.
        end: The last such line.
        words: The rule, in a sentence of our own.
        status: `implemented`, or how the rule is treated instead and why.
        examples: Programs that show it.
    """

    section: Section
    line: int
    end: int
    words: str
    status: str = IMPLEMENTED
    examples: list[RuleExample] = fresh(factory=list)

    @property
    def place(self) -> str:
        """The document and the line, such as `003:268`."""
        return f"{self.section.document.number}:{self.line}"

    def move_to(self, section: Section) -> SpecificationRule:
        """Return the same rule as a rule of another document's section."""
        moved = SpecificationRule(section, self.line, self.end, self.words)
        moved.status, moved.examples = self.status, self.examples
        return moved


class Section(Record):
    """A section of a document: its heading, the line of the heading, and its rules."""

    document: SpecificationDocument
    line: int
    title: str
    rules: list[SpecificationRule] = fresh(factory=list)


class SpecificationDocument(Record):
    """A document: its number, its title, its sections, and a sentence about it."""

    number: str
    title: str
    about: str = ""
    sections: list[Section] = fresh(factory=list)

    @property
    def rules(self) -> Iterator[SpecificationRule]:
        """All rules of the document, in its order."""
        for section in self.sections:
            yield from section.rules


@memoize(unbounded_because="one for each document")
def load_document(number: str) -> SpecificationDocument:
    """Return a document with its rules; `number` is one of DOCUMENTS."""
    return parse_document((files(__name__) / f"{number}.txt").read_text(encoding="utf-8"))


def load_documents() -> list[SpecificationDocument]:
    """Return all documents."""
    return [load_document(number) for number in DOCUMENTS]


def parse_document(text: str) -> SpecificationDocument:
    """Return the document that the text of a file describes; see the docstring of the package.

    Raises:
        ValueError: A line is invalid at its position.
    """
    lines = text.splitlines()
    number, _, title = lines[0].partition(" ")
    document = SpecificationDocument(number, title)
    about = []
    for line in lines[1:]:
        if not line.strip():
            continue
        if section := _SECTION.fullmatch(line):
            document.sections.append(Section(document, int(section[1]), section[2]))
        elif line.startswith("include "):
            _include(document, *line.split()[1:])
        elif rule := _RULE.fullmatch(line):
            within = document.sections[-1]
            within.rules.append(SpecificationRule(within, int(rule[1]), int(rule[2] or rule[1]), rule[3]))
        elif line.startswith("  ") and document.sections:
            _add_line(document.sections[-1].rules[-1], line[2:])
        elif not document.sections:
            about.append(line)
        else:
            raise ValueError(f"{number}: no meaning: {line}")
    document.about = " ".join(about)
    return document


def _include(document: SpecificationDocument, number: str, lines: str) -> None:
    """Add the sections of another document that are within a range of lines."""
    first, _, last = lines.partition("-")
    for other in load_document(number).sections:
        if int(first) <= other.line <= int(last):
            section = Section(document, other.line, other.title)
            section.rules = [rule.move_to(section) for rule in other.rules]
            document.sections.append(section)


def _add_line(rule: SpecificationRule, line: str) -> None:
    """Add an indented line to its rule."""
    mark, _, text = line.partition(" ")
    examples = rule.examples
    if mark == "*":
        rule.status = text
    elif mark in (">", "@"):
        if not examples or examples[-1].expected:
            examples.append(RuleExample())
        if mark == ">":
            examples[-1].program += f"\n{text}" if examples[-1].program else text
        else:
            _add_setting(examples[-1], text)
    elif mark in ("=", "::", "!", "+", "-") or mark.endswith(":"):
        examples[-1].expected.append((mark.removesuffix(":") or mark, text))
    elif not examples and line.startswith("  "):
        rule.words += f" {line.strip()}"
    else:
        raise ValueError(f"{rule.place}: no meaning: {line}")


def _add_setting(example: RuleExample, text: str) -> None:
    """Add what a program needs: a line that begins with `@`."""
    kind, _, rest = text.partition(" ")
    match kind:
        case "data":
            example.data = rest
        case "file":
            path, _, source = rest.partition(" ")
            example.modules.append((path, source.replace("\\n", "\n")))
        case "strict_variables":
            example.strict_variables = True
        case _:
            raise ValueError(f"no setting: {text}")


def find_section(document: SpecificationDocument, title: str) -> Section | None:
    """Return the section whose title is or begins with a text, in any case; None without one."""
    folded = title.strip().casefold()
    titles = [(section.title.casefold(), section) for section in document.sections]
    exact = (section for name, section in titles if name == folded)
    return next(exact, next((section for name, section in titles if name.startswith(folded)), None))


def find_rules(query: str) -> list[SpecificationRule]:
    """Return the rules for a query, the best first.

    A query is `004`, `004:38`, `004 Collector Expressions`, a name, or words.
    """
    place = _PLACE.fullmatch(query)
    if place is not None and place[1] in DOCUMENTS:
        document, within = load_document(place[1]), (place[2] or "").strip()
        if not within:
            return list(document.rules)
        if within.isdigit():
            return _find_line(document, int(within))
        section = find_section(document, within)
        return section.rules if section is not None else find_words(within, list(document.rules))
    # The rules of 001 are included from 000.
    rules = [rule for document in load_documents() if document.number != "001" for rule in document.rules]
    return find_words(query.removeprefix("§"), rules)


def _find_line(document: SpecificationDocument, line: int) -> list[SpecificationRule]:
    """Return the rules of a line.

    Of a heading these are those of the section, of a line without a rule the nearest ones of its section.
    """
    sections = [section for section in document.sections if section.line <= line]
    if not sections or line > sections[-1].rules[-1].end + _NEAR:
        return []
    rules = sections[-1].rules
    if line == sections[-1].line and line < rules[0].line:
        return rules
    distances = [max(rule.line - line, line - rule.end, 0) for rule in rules]
    return [rule for rule, distance in zip(rules, distances, strict=True) if distance == min(distances)]


def list_places() -> list[str]:
    """Return the documents and sections, as `find_rules` takes them."""
    documents = load_documents()
    sections = [
        f"{document.number} {section.title}" for document in documents for section in document.sections
    ]
    return [*DOCUMENTS, *sections]


def find_words(query: str, rules: list[SpecificationRule]) -> list[SpecificationRule]:
    """Return the rules that contain all words of a query, the best first.

    A word may be in the title, the sentence, the status, or an example. It is also found by its beginning, and a
    plural by its singular.
    """
    words = _split_words(query)
    if not words:
        return []
    ranked = []
    for rule in rules:
        title, sentence = _split_words(rule.section.title), _split_words(rule.words)
        programs = _split_words("\n".join([rule.status, *(example.program for example in rule.examples)]))
        # for each word 0 if it is in the title, 1 if in the sentence, 2 if only in a program, None if it is missing
        ranks = [
            next(
                (rank for rank, part in enumerate((title, sentence, programs)) if _has_form(word, part)),
                None,
            )
            for word in words
        ]
        # The fewer words are not in the title, and the fewer only in a program, the better.
        if None not in ranks:
            ranked.append(((len(words) - ranks.count(0), ranks.count(2)), rule))
    return [rule for _, rule in sorted(ranked, key=itemgetter(0))]


# Words of a query that is corrected: comparing one word with all words of the rules takes 4 ms.
_MOST_WORDS = 20


def correct_query(query: str) -> str | None:
    """Return a query with similar words of the rules for its unknown ones.

    None is returned if there are none, and for a long text.
    """
    vocabulary = {
        word
        for document in load_documents()
        for rule in document.rules
        for word in _split_words(f"{rule.section.title} {rule.words}")
        if word.isalpha()
    }
    place = _PLACE.fullmatch(query)
    parts = (place[2] or "" if place else query.removeprefix("§")).split()
    if len(parts) > _MOST_WORDS:
        return None
    near = [
        part if _has_form(part.casefold(), vocabulary) else find_nearest(part, vocabulary) or part
        for part in parts
    ]
    corrected = " ".join([place[1], *near] if place else near)
    return corrected if near != parts and find_rules(corrected) else None


def _has_form(word: str, words: Iterable[str]) -> bool:
    """Return True if a word, one that begins with it, or its singular is among others."""
    return any(
        other == word
        or (len(word) > 2 and other.startswith(word))
        or (len(other) > 3 and other in (word.removesuffix("s"), word.removesuffix("es")))
        for other in words
    )


def _split_words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
