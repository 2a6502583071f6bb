"""Random classes, defines, resources, relations and overrides, which fill a catalog."""

from __future__ import annotations

from tests.differential.writer import Writer, register_maker

NAMES = ("c1", "c2", "d1", "notify", "nope")
TITLES = ("a", "b", "c")
ARROWS = ("->", "~>", "<-", "<~")
# Types of parameters that exist: the released Puppet resolves them when it parses a definition.
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


@register_maker("reference", 3)
def make_reference(writer: Writer, depth: int) -> str:
    return f"Notify['{writer.choose(TITLES)}']"


@register_maker("reference")
def make_other_reference(writer: Writer, depth: int) -> str:
    return writer.choose(
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


@register_maker("class_name", 3)
def make_class_name(writer: Writer, depth: int) -> str:
    return f"'{writer.choose(NAMES)}'"


@register_maker("class_name")
def make_unusual_class_name(writer: Writer, depth: int) -> str:
    return writer.choose(("'::c1'", "C1", "Class['c1']", "['c1', 'c2']", "''", "'x y'", "undef"))


@register_maker("any", deep=True)
def make_attribute_access(writer: Writer, depth: int) -> str:
    """Return an expression for the value of an attribute of a resource."""
    return f"{writer.make('reference', 0)}['{writer.choose(('message', 'p', 'title', 'name', 'x'))}']"


def make_class(writer: Writer) -> list[str]:
    name = writer.choose(NAMES[:2])
    inherits = " inherits c1" if name == "c2" and writer.decide(0.2) else ""
    return [f"class {name}{_make_parameters(writer)}{inherits} {{ notice({writer.make('any', 1)}) }}"]


def make_define(writer: Writer) -> list[str]:
    body = writer.choose(("notice($title)", "notice($name)", f"notice({writer.make('any', 1)})"))
    return [f"define d1{_make_parameters(writer)} {{ {body} }}"]


def _make_parameters(writer: Writer) -> str:
    if writer.decide(0.4):
        return ""
    type_source = f"{writer.choose(SAFE)} " if writer.decide(0.5) else ""
    default = f" = {writer.make('any', 0)}" if writer.decide(0.6) else ""
    return f"({type_source}$p{default})"


def make_resource(writer: Writer) -> list[str]:
    kind = writer.choose(("notify", "notify", "notify", "d1", "class"))
    titles = "'c1'" if kind == "class" else writer.choose((f"'{writer.choose(TITLES)}'", "['a', 'b']"))
    attributes = []
    if writer.decide(0.7):
        name = "message" if kind == "notify" else "p"
        attributes.append(f"{name} => {writer.make('any', 1)}")
    if writer.decide(0.2):
        attributes.append(
            f"{writer.choose(METAPARAMETERS)} => {writer.make('reference|string|boolean|array', 0)}"
        )
    if writer.decide(0.1):
        attributes.append(f"* => {writer.make('hash', 0)}")
    prefix = writer.choose(("", "", "", "", "@"))
    return [f"{prefix}{kind} {{ {titles}: {', '.join(attributes)} }}"]


def make_relation(writer: Writer) -> list[str]:
    operands = writer.make_several("reference", 0, 2, 3)
    if writer.decide(0.1):
        operands[0] = writer.make("any", 1)
    return [f" {writer.choose(ARROWS)} ".join(operands)]


def make_override(writer: Writer) -> list[str]:
    """Return a statement with defaults, an override or a collector."""
    value = writer.make("any", 0)
    return [
        writer.choose(
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
    make_class,
    make_class,
    make_define,
    make_resource,
    make_resource,
    make_resource,
    make_relation,
    make_override,
)
