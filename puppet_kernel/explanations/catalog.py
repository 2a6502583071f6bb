"""Explanations of what can go wrong with classes, defines and resources: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    # classes and defines
    "CLASS_NOT_FOUND": (
        "No class of this name is defined, and no module of the module path has it. A class is defined before it "
        "is included.",
        "include apache",
        "class apache { }\ninclude apache",
    ),
    "PARAMETER_MISMATCH": (
        "The value given to a parameter of a class or define is not of the parameter's type.",
        "class web(Integer $port) { }\nclass { 'web': port => '80' }",
        "class web(Integer $port) { }\nclass { 'web': port => 80 }",
    ),
    "REDEFINITION": (
        "Something of this name is defined already.",
        "class a { }\nclass a { }",
        "class a { }\nclass b { }",
    ),
    # resources
    "DUPLICATE_DECLARATION": (
        "A resource is declared once. Elsewhere the program refers to it; a class that several parts need is "
        "included, which can be said any number of times.",
        "notify { 'a': }\nnotify { 'a': }",
        "notify { 'a': }\nnotify { 'b': require => Notify['a'] }",
    ),
    # types of resources
}
