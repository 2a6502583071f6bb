"""Programs that declare each class and define of modules with their required parameters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes

MODULES = Path("/usr/share/puppet/modules")


# The value of a required parameter by the name of its type; others have the value WORD.
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
    """A program.

    Attributes:
        name: The class or define that it declares.
        system: The name of its set of facts.
        source: The source.
    """

    def __init__(self, name: str, system: str, source: str) -> None:
        self.name = name
        self.system = system
        self.source = source


def generate_programs(modules: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of each class and define with a program that declares it."""
    for path in sorted(modules.glob("*/manifests/**/*.pp")):
        try:
            program = parse(path.read_text(encoding="utf-8"), PUPPET, name=str(path))
        except (PuppetError, UnicodeDecodeError):
            continue
        for node in nodes.walk(program):
            if isinstance(node, nodes.Class | nodes.Define):
                yield node.name, _write_declaration(node)


def _write_declaration(node: Any) -> str:
    required = [parameter for parameter in node.parameters if parameter.default is None]
    attributes = "".join(
        f"  {parameter.name} => {_choose_value(parameter.type)},\n" for parameter in required
    )
    if isinstance(node, nodes.Class):
        return f"class {{ '{node.name}':\n{attributes}}}\n"
    return f"{node.name} {{ 'title':\n{attributes}}}\n"


def _choose_value(node: Any) -> str:
    """Return a literal for a type: of an Enum its first word, of a Variant for its first type."""
    keys = node.keys if isinstance(node, nodes.Access) else []
    name = getattr(node.left if keys else node, "value", "")
    if name == "Variant":
        return _choose_value(keys[0])
    if name == "Enum" and isinstance(keys[0], nodes.String | nodes.Name):
        return f"'{keys[0].value}'"
    return VALUES.get(name, WORD)
