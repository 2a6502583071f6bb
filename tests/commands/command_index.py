"""The generator of `puppet_kernel/commands/index.py`.

`python -m tests.regenerate command-index` writes the file.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from puppet_kernel import commands
from puppet_kernel.commands.command import DECLARED

_HEAD = '''"""The module of each command, so that an input imports only the commands that it runs.

Generated from the declarations with `@command`; do not edit: `python -m tests.regenerate command-index` writes it.
"""

from __future__ import annotations

MODULES: dict[str, str] = {
'''


def find_command_modules() -> dict[str, str]:
    """Return the module of the package that declares each command, by name and alias."""
    for module in iter_modules(commands.__path__):
        path = Path(module.module_finder.find_spec(module.name, None).origin)
        if "@command(" in path.read_text(encoding="utf-8"):
            import_module(f"{commands.__name__}.{module.name}")
    return {name: command.run.__module__.rpartition(".")[2] for name, command in sorted(DECLARED.items())}


def render_index() -> str:
    """Return the source of the index of all declarations."""
    rows = "".join(f'    "{name}": "{module}",\n' for name, module in find_command_modules().items())
    return f"{_HEAD}{rows}}}\n"
