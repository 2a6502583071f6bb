"""Sources of what fills a catalog: classes, defines, resources, their relations and changes."""

from __future__ import annotations

from tests.differential.writer import Writer, makes

NAMES = ("c1", "c2", "d1", "notify", "nope")
TITLES = ("a", "b", "c")
ARROWS = ("->", "~>", "<-", "<~")
# The released Puppet looks at the types of parameters when it reads a definition.
SAFE = (
    "Integer",
    "String[1]",
    "Array[Integer]",
    "Optional[String]",
    "Hash",
    "Variant[Boolean, Integer]",
    "Any",
)
METAPARAMETERS = ("require", "before", "notify", "subscribe", "tag", "noop", "loglevel")


@makes("reference", 3)
def reference(writer: Writer, depth: int) -> str:
    return f"Notify['{writer.one(TITLES)}']"


@makes("reference")
def other_reference(writer: Writer, depth: int) -> str:
    return writer.one(
        (
            "Class['c1']",
            "Class['c2']",
            "D1['a']",
            "File['/a']",
            "Notify['a', 'b']",
            "Notify",
            "Class",
            "Resource['notify', 'a']",
            "Class['c1', 'c2']",
        )
    )


@makes("class_name", 3)
def class_name(writer: Writer, depth: int) -> str:
    return f"'{writer.one(NAMES)}'"


@makes("class_name")
def odd_class_name(writer: Writer, depth: int) -> str:
    return writer.one(("'::c1'", "C1", "Class['c1']", "['c1', 'c2']", "''", "'x y'", "undef"))


@makes("any", deep=True)
def attribute_of(writer: Writer, depth: int) -> str:
    """The value of a resource's attribute."""
    return f"{writer.make('reference', 0)}['{writer.one(('message', 'p', 'title', 'name', 'x'))}']"


def class_definition(writer: Writer) -> list[str]:
    name = writer.one(NAMES[:2])
    inherits = " inherits c1" if name == "c2" and writer.chance(0.2) else ""
    return [f"class {name}{_parameters(writer)}{inherits} {{ notice({writer.make('any', 1)}) }}"]


def define_definition(writer: Writer) -> list[str]:
    body = writer.one(("notice($title)", "notice($name)", f"notice({writer.make('any', 1)})"))
    return [f"define d1{_parameters(writer)} {{ {body} }}"]


def _parameters(writer: Writer) -> str:
    if writer.chance(0.4):
        return ""
    declared = f"{writer.one(SAFE)} " if writer.chance(0.5) else ""
    given = f" = {writer.make('any', 0)}" if writer.chance(0.6) else ""
    return f"({declared}$p{given})"


def resource(writer: Writer) -> list[str]:
    kind = writer.one(("notify", "notify", "notify", "d1", "class"))
    titles = "'c1'" if kind == "class" else writer.one((f"'{writer.one(TITLES)}'", "['a', 'b']"))
    attributes = []
    if writer.chance(0.7):
        name = "message" if kind == "notify" else "p"
        attributes.append(f"{name} => {writer.make('any', 1)}")
    if writer.chance(0.2):
        attributes.append(
            f"{writer.one(METAPARAMETERS)} => {writer.make('reference|string|boolean|array', 0)}"
        )
    if writer.chance(0.1):
        attributes.append(f"* => {writer.make('hash', 0)}")
    prefix = writer.one(("", "", "", "", "@"))
    return [f"{prefix}{kind} {{ {titles}: {', '.join(attributes)} }}"]


def relation(writer: Writer) -> list[str]:
    operands = writer.several("reference", 0, 2, 3)
    if writer.chance(0.1):
        operands[0] = writer.make("any", 1)
    return [f" {writer.one(ARROWS)} ".join(operands)]


def adjustment(writer: Writer) -> list[str]:
    """Defaults, overrides and collectors."""
    value = writer.make("any", 0)
    return [
        writer.one(
            (
                f"Notify {{ message => {value} }}",
                f"Notify['a'] {{ message => {value} }}",
                f"Notify['a'] {{ tag +> {value} }}",
                "Notify <| |>",
                f"Notify <| message == {writer.make('string|small', 0)} |>",
                f"Notify <| title == 'a' or tag != 'x' |> {{ message => {value} }}",
            )
        )
    ]


STATEMENTS = (
    class_definition,
    class_definition,
    define_definition,
    resource,
    resource,
    resource,
    relation,
    adjustment,
)
