"""Programs that declare each class and define of the modules found, required parameters with a value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes

MODULES = Path("/usr/share/puppet/modules")


# what a required parameter gets, by how its type is called; any other gets a word
VALUES = {
    "Array": "[]",
    "Boolean": "true",
    "Hash": "{}",
    "Integer": "1",
    "Optional": "undef",
    "Stdlib::Absolutepath": "'/srv/x'",
    "Stdlib::HTTPUrl": "'https://example.com/x'",
    "Stdlib::Host": "'example.com'",
    "Stdlib::Httpurl": "'https://example.com/x'",
    "Stdlib::Port": "8080",
    "Stdlib::Unixpath": "'/srv/x'",
    "Prometheus::Uri": "'https://example.com/x'",
}
WORD = "'pw'"


class Program:
    """A program: what it declares, the system it is for, and its source."""

    def __init__(self, name: str, system: str, source: str) -> None:
        self.name = name
        self.system = system
        self.source = source


def sources(modules: Path) -> Iterator[tuple[str, str]]:
    """The names of classes and defines, each with a program that declares it."""
    for path in sorted(modules.glob("*/manifests/**/*.pp")):
        try:
            program = parse(path.read_text(encoding="utf-8"), PUPPET, name=str(path))
        except (PuppetError, UnicodeDecodeError):
            continue
        for node in nodes.walk(program):
            if isinstance(node, nodes.Class | nodes.Define):
                yield node.name, _declaration(node)


def _declaration(node: Any) -> str:
    required = [parameter for parameter in node.parameters if parameter.default is None]
    given = "".join(f"  {parameter.name} => {_value(parameter.type)},\n" for parameter in required)
    if isinstance(node, nodes.Class):
        return f"class {{ '{node.name}':\n{given}}}\n"
    return f"{node.name} {{ 'title':\n{given}}}\n"


def _value(kind: Any) -> str:
    """A literal for a parameter of a type: of an Enum the first word, of a Variant the value of its first type."""
    keys = kind.keys if isinstance(kind, nodes.Access) else []
    name = getattr(kind.left if keys else kind, "value", "")
    if name == "Variant":
        return _value(keys[0])
    if name == "Enum" and isinstance(keys[0], nodes.String | nodes.Name):
        return f"'{keys[0].value}'"
    return VALUES.get(name, WORD)
