"""Each command at work, for the reference: cells that run one after the other, after a small program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puppet_kernel.commands.table import COMMANDS
from puppet_kernel.exercises.exercise import Exercise, packed
from puppet_kernel.rendering.markdown import fenced
from puppet_kernel.rendering.notebook import Cell, cell

PROGRAM = """class ntp(Array[String] $servers = ['a.example.com', 'b.example.com']) {
  package { 'ntp': ensure => installed }
  -> file { '/etc/ntp.conf': content => $servers.join("\\n"), mode => '0644' }
  ~> service { 'ntp': ensure => running }
}
include ntp
$port = 123"""
EXERCISE = Exercise(
    {
        "name": "reference",
        "checks": [{"value": "$answer == 7"}],
        "hints": ["What binds first, `+` or `*`?"],
        "why": "`*` binds before `+`.",
        "solution": "$answer = 1 + 2 * 3",
    }
)
# what shows a command, in the order in which it is shown
SHOWN: dict[str, str] = {
    "help": "%help time",
    "catalog": "%catalog Class[ntp]",
    "graph": "%graph",
    "vars": "%vars port",
    "facts": "%facts family",
    "node": "%node web01.example.com",
    "environment": "%environment",
    "modulepath": "%modulepath modules",
    "hiera": "%hiera hiera.yaml",
    "exported": "%exported",
    "lookup": "%lookup motd::text",
    "limits": "%limits max_resources 200000",
    "undo": "%undo",
    "redo": "%redo",
    "format": "%format file{'/a':mode=>'0644'}",
    "explain": "%explain ILLEGAL_REASSIGNMENT",
    "step": "%step 1 + 2 * 3",
    "types": "%types 'a'",
    "both": "%both '10' < '9'",
    "diff": "%diff dialect",
    "whatif": "%whatif os.family=RedHat",
    "fleet": "%fleet debian-12 rocky-9",
    "why": "%why File['/etc/ntp.conf'] mode",
    "functions": "%functions sort",
    "classes": "%classes ntp",
    "run": "%run modules/motd/functions/shout.pp",
    "load": "%load modules/motd/functions/shout.pp",
    "cells": "%cells",
    "time": "%time [1, 2, 3].map |$n| { $n * 2 }",
    "check": f"%check reference\n{packed(EXERCISE)}",
    "hint": "%hint reference",
    "solution": "%solution reference --now",
    "exercises": "%exercises",
    "dialect": "%dialect",
    "clear": "%clear",
    "reset": "%reset",
}
# a file is written only where files are permitted, a debugger asks what to do next, and nothing comes after the end
TOLD = {
    "break": ("%break [3]:2", "%break off"),
    "debug": ("%debug [1, 2].map |$n| { $n * 2 }",),
    "save": ("%save lesson.ipynb", "%save what-i-did.md --force"),
    "quit": ("%quit",),
}
TIMED = {"cells", "time"}  # what they show differs from one time to another


def shown() -> Iterator[Cell]:
    """The cells: the program, then each command with what it does, and below it how it is used."""
    yield cell("commands-reset", "code", "%reset")
    yield cell("commands-program", "code", PROGRAM)
    by_name = {command.name: command for command in COMMANDS}
    for name in (*SHOWN, *TOLD):
        command = by_name[name]
        parts = [f"### `{command.usage}`", command.summary]
        parts += [fenced("\n".join(TOLD[name]))] if name in TOLD else []
        yield cell(f"command-{name}", "markdown", "\n\n".join(parts))
        if name in SHOWN:
            metadata: dict[str, Any] = {"tags": ["nbval-ignore-output"]} if name in TIMED else {}
            yield cell(f"command-{name}-shown", "code", SHOWN[name], metadata)
