"""The environment of programs: what depends only on modules, permissions and dialect.

A process loads it once. Sessions, the nodes of a fleet and re-executed cells share it; each adds only its own
definitions. Everything in it is validated once in a run: files against the places that were examined when they were
loaded (`stat_cache`), and types against the names that they refer to, which must mean the same in the program.
Nothing in it refers to a program, its node or its values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.program import source_cache, stat_cache
from evaluator.program.stat_cache import Dependencies
from lexer_parser.memo import MemoTable
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.program.settings import Settings
    from evaluator.running.names import NameResolver

# The most entries in the tables of the process; those but the first are limits of each environment.
_MOST_ENVIRONMENTS = 16
_MOST_ALIASES = 5_000
_MOST_FUNCTIONS = 2_000
_MOST_DATA = 2_000
_MOST_EXCHANGES = 500

_T = TypeVar("_T")


class SharedAlias(Record):
    """The type of an alias of a module, for programs in which its names mean the same.

    Attributes:
        name: The name in lower case.
        path: The file that declares it.
        declaration: The declaration, which refers to no program.
        dependencies: The files on which it depends.
        closure: The alias itself, and the aliases to which its definition refers, directly or indirectly.
    """

    name: str
    path: str
    declaration: Any
    dependencies: Dependencies
    closure: tuple[SharedAlias, ...] = ()


class Environment(Record):
    """The shared part of all programs with the same modules, permissions and dialect.

    Attributes:
        aliases: The shared types of aliases, by name in lower case.
        functions: The declarations of functions that modules have in Ruby, by path and version of the interface.
        data: The parsed data files, each with its stamp, by format and path.
        exchanges: Exchanges with repeatable Ruby code, by a digest of the code and the request.
    """

    aliases: MemoTable[str, SharedAlias] = fresh(factory=lambda: MemoTable("types of modules", _MOST_ALIASES))
    data: MemoTable[tuple[str, str], tuple[Any, Any]] = fresh(
        factory=lambda: MemoTable("data of files", _MOST_DATA)
    )
    exchanges: MemoTable[bytes, Any] = fresh(
        factory=lambda: MemoTable("exchanges with Ruby", _MOST_EXCHANGES)
    )
    functions: MemoTable[tuple[str, int], Any] = fresh(
        factory=lambda: MemoTable("functions in Ruby", _MOST_FUNCTIONS)
    )

    def memoize_query(self, query: Hashable, compute: Callable[[], _T]) -> _T:
        """Return the answer to a query, like `stat_cache.memoize_query`, for this environment.

        Args:
            query: The query.
            compute: Computes the answer, which depends only on the environment and its files.
        """
        return stat_cache.memoize_query((self, query), compute)

    def find_alias(self, name: str) -> SharedAlias | None:
        """Return the alias of a name in lower case, if its files are unchanged."""
        alias = self.aliases.get(name)
        if alias is None:
            return None
        if all(member.dependencies.are_current() for member in alias.closure):
            return alias
        self.aliases.clear()  # whatever refers to it is resolved again
        return None

    def add_aliases(self, aliases: dict[str, SharedAlias], references: dict[str, set[str]]) -> None:
        """Share aliases that refer to nothing but each other and aliases that are shared already.

        Args:
            aliases: The aliases by name.
            references: The names to which the definition of each refers directly.
        """
        for name, alias in aliases.items():
            closure: dict[str, SharedAlias] = {}  # by name
            pending = [name]
            while pending:
                reference = pending.pop()
                if reference in aliases and reference not in closure:
                    closure[reference] = aliases[reference]
                    pending += references[reference]
                elif reference not in closure:
                    closure |= {member.name: member for member in self.aliases[reference].closure}
            alias.closure = tuple(closure.values())
        self.aliases.update(aliases)


_environments: MemoTable[Hashable, Environment] = MemoTable("environments", _MOST_ENVIRONMENTS)


def get_environment(settings: Settings) -> Environment:
    """Return the environment of all programs of the process with these settings."""
    directory = settings.directory
    directory_key = None if directory is None else (directory.name, directory.folder, directory.manifest)
    key = settings.modulepath, directory_key, tuple(sorted(settings.permissions)), settings.dialect.name
    environment = _environments.get(key)
    if environment is None:
        environment = _environments[key] = Environment()
    return environment


def clear_environments() -> None:
    """Forget everything that programs share; they load it again when they need it."""
    _environments.clear()
    stat_cache.clear()
    source_cache.clear()


def count_shared() -> list[tuple[str, int, int]]:
    """Return what programs share: a description, the number of entries and the most there can be."""
    environments = list(_environments.values())
    return [
        ("environments", len(environments), _MOST_ENVIRONMENTS),
        ("files of modules", *source_cache.count_files()),
        ("characters in files of modules", *source_cache.count_characters()),
        ("answers about files", *stat_cache.count_answers()),
        (
            "types of modules",
            sum(len(environment.aliases) for environment in environments),
            _MOST_ALIASES * _MOST_ENVIRONMENTS,
        ),
        (
            "exchanges with Ruby",
            sum(len(environment.exchanges) for environment in environments),
            _MOST_EXCHANGES * _MOST_ENVIRONMENTS,
        ),
        (
            "functions in Ruby",
            sum(len(environment.functions) for environment in environments),
            _MOST_FUNCTIONS * _MOST_ENVIRONMENTS,
        ),
    ]


# --- the names that a definition refers to


class NameTrace(Record):
    """The names of types that code refers to while it is evaluated.

    It decides whether the result of the code can be shared by programs, and with which.

    Attributes:
        types: The types of aliases by name in lower case.
        has_others: True if a name refers to something that other programs may not have.
    """

    types: dict[str, Any] = fresh(factory=dict)
    has_others: bool = False

    @property
    def is_shareable(self) -> bool:
        """True when all names refer to types that programs share."""
        return not self.has_others and all(alias_type.is_sealed for alias_type in self.types.values())


_trace: NameTrace | None = None


@contextmanager
def trace_names() -> Iterator[NameTrace]:
    """Record the names of types that the body of the `with` statement refers to."""
    global _trace
    outer, trace = _trace, NameTrace()
    _trace = trace
    try:
        yield trace
    finally:
        _trace = outer


def trace_alias(name: str, alias_type: Any) -> None:
    """Record that a name in lower case refers to the type of an alias."""
    if _trace is not None:
        _trace.types[name] = alias_type


def mark_trace_unshareable() -> None:
    """Record that a name refers to something that other programs may not have."""
    if _trace is not None:
        _trace.has_others = True


def refers_to_same(names: NameResolver, types: Mapping[str, Any]) -> bool:
    """Return True when names of aliases refer to the same types in a program as in a trace.

    Args:
        names: The names of the program.
        types: The types of the trace, by name in lower case.
    """
    return all(names.find_alias(name) is alias_type for name, alias_type in types.items())
