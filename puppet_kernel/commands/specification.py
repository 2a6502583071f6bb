"""The rules of the specification, each with its status and programs: `%spec`, `?§004`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evaluator.specification import (
    DOCUMENTS,
    IMPLEMENTED,
    STATUSES,
    RuleExample,
    SpecificationDocument,
    SpecificationRule,
    correct_query,
    find_rules,
    list_places,
    load_document,
    load_documents,
)
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Group,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    make_line,
)
from puppet_kernel.rendering.layout import mark_up
from puppet_kernel.replies import CommandError

# Up to this many rules are shown with their programs; if there are more, only their sentences are shown.
MOST_DETAILED = 12
DECISIONS = (
    "The documents contradict each other, and some sentences are mistakes. `%spec overruled`, `%spec slip` and `%spec"
    " undecided` list what was decided and why; all other rules are implemented as they are written."
)


@command(
    "spec",
    arguments="[WORDS]",
    complete_argument=lambda context: list_places(),
    examples=(
        "%spec collector virtual",
        "%spec 004 Collector Expressions",
        "%spec 003:268",
        "?§000 IN operator",
    ),
    demo="%spec selector default",
)
def show_rules(context: CommandContext, argument: str) -> Answer:
    """Show rules of the specification, by words or section."""
    if not argument:
        return describe_documents(load_documents())
    if argument.strip("§: ") in DOCUMENTS:
        return describe_sections(load_document(argument.strip("§: ")))
    rules = find_rules(argument)
    if not rules:
        near = correct_query(argument) or find_nearest(argument.removeprefix("§"), list_places())
        raise CommandError(
            f"No rule of the specification has '{argument}'",
            suggestion=f"%spec {near}" if near else None,
            help="%spec lists the documents; try a word of the language, or a section: %spec 004 Collector Expressions",
        )
    return describe_rules(rules)


def describe_documents(documents: Iterable[SpecificationDocument]) -> Element:
    """Return a table of the documents with the number of their rules by status."""
    rows = []
    for document in documents:
        counts = Counter(find_kind(rule) for rule in document.rules)
        numbers = [make_line(("number", str(counts[kind]))) for kind in STATUSES]
        rows.append((make_line(("strong", document.number)), make_line(document.title), *numbers))
    return Group(Table(rows, ("document", "title", *STATUSES)), Paragraphs(DECISIONS), spaced=True)


def describe_sections(document: SpecificationDocument) -> Element:
    """Return a table of the sections of a document with how many rules they have."""
    rows = []
    for section in document.sections:
        decided = sum(rule.status != IMPLEMENTED for rule in section.rules)
        numbers = [
            make_line(("number", str(number) if number else "")) for number in (len(section.rules), decided)
        ]
        place = make_line(("name", f"{document.number}:{section.line}"))
        rows.append((place, make_line(section.title), *numbers))
    text = f"{document.about} `%spec {document.number} {document.sections[-1].title}` shows the rules of a section."
    return Group(Paragraphs(text), Table(rows, ("line", "section", "rules", "decisions")), spaced=True)


def find_kind(rule: SpecificationRule) -> str:
    """Return the status of a rule without its reason."""
    return next(kind for kind in STATUSES if rule.status.startswith(kind))


def describe_rules(rules: list[SpecificationRule]) -> Element:
    """Return rules with their programs, or a table of their sentences if there are many."""
    if len(rules) <= MOST_DETAILED:
        return Group(*map(describe_rule, rules), spaced=True)
    sections = {f"{rule.section.document.number} {rule.section.title}" for rule in rules}
    rows = []
    for rule in rules:
        section = () if len(sections) == 1 else (make_line(("dim", rule.section.title)),)
        decision = () if rule.status == IMPLEMENTED else make_line(("note", f" Decision: {rule.status}."))
        rows.append((make_line(("name", rule.place)), *section, (*mark_up(rule.words), *decision)))
    text = f"`%spec {rules[0].place}` shows the programs of a rule."
    title = [TextElement(make_line(("strong", name))) for name in sections] if len(sections) == 1 else []
    return Group(*title, Table(rows), Paragraphs(text), spaced=True)


def describe_rule(rule: SpecificationRule) -> Element:
    """Return a rule: its place, its sentence, its status, and its programs with their results."""
    title = TextElement(make_line(("name", rule.place), ("dim", f"  {rule.section.title}")))
    parts: list[Element] = [title, Paragraphs(rule.words)]
    if rule.status != IMPLEMENTED:
        parts.append(NoteElement("note", rule.status, "decision"))
    parts += [Code(write_program(example)) for example in rule.examples]
    return Group(*parts)


def write_program(example: RuleExample) -> str:
    """Return a program with comments: what it needs above it, and its results below it."""
    needs = [f"# with the data {example.data}"] if example.data else []
    needs += [f"# with the file {path}: {text.splitlines()[0]}" for path, text in example.modules]
    needs += ["# with strict_variables"] if example.strict_variables else []
    results = [f"#   {_MARKS.get(mark, f'{mark}: ')}{text}" for mark, text in example.expected]
    return "\n".join([*needs, example.program, *results])


# The beginning of a comment about a result, by the mark of the result in the file of the specification.
_MARKS = {"=": "=> ", "::": "type: ", "!": "error: ", "+": "catalog: ", "-": "not in the catalog: "}
