"""`python -m tests.ruby.digests STDLIB …` adds files of versions of stdlib to a table.

The table lists the files whose functions are built in with the same results. A file is added if the released Puppet
with that stdlib has the results of the built-in function for all calls: recorded calls, and calls with arguments of
many types.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from evaluator.calling import registry
from evaluator.program.modules import BUILT_IN_FILE, compute_digest
from tests.ruby.project import HERE, compute_answer, make_session
from tests.ruby.released import query_release

STDLIB = Path("/usr/share/puppet/modules/stdlib")
FOLDERS = ("lib/puppet/functions", "lib/puppet/parser/functions")
RECORDED = HERE.parent / "functions" / "data" / "stdlib.jsonl"
# Functions with other results at each call, and some that the results of others depend on.
VARYING = frozenset({"shuffle", "time", "str2saltedpbkdf2", "is_a"})
# Arguments as modules pass them: data, no types and no regular expressions.
ARGUMENTS = (
    *("undef", "''", "'a'", "'a,b'", "'1'", "'10.0.0.1'", "'/a/b.c'", "1", "-1", "1.5", "true", "false"),
    *("[]", "['a', 'b']", "[1, undef, '']", "[['a'], 'b']", "{}", "{'a' => 1}", "{'b' => {'a' => undef}}"),
    "Sensitive('x')",
)
BLOCKS = ("|$x| { $x }", "|$x, $y| { $y }", "|$x, $y, $z| { $z }")
# Programs that declare or find resources.
DECLARING = {
    "ensure_resource": (
        *("ensure_resource('notify', 'a')", "ensure_resource('notify', ['a', 'b'], { 'message' => 'x' })"),
        "notify { 'a': message => 'x' } ensure_resource('notify', 'a', { 'message' => 'x' })",
        "notify { 'a': message => 'x' } ensure_resource('notify', 'a', { 'message' => 'y' })",
        "notify { 'a': message => 'x' } ensure_resource('notify', ['a', 'b'])",
        "define d($x = 1) { notify { $title: message => $x } } ensure_resource('d', 'a', { 'x' => 2 })",
        "define d($x = 1) { notify { $title: } } d { 'a': } ensure_resource('d', ['a', 'b'], { 'x' => 1 })",
        "class c { ensure_resource('user', 'a', { 'ensure' => 'present' }) } include c",
        "ensure_resource('nothing', 'a')",
        "ensure_resource('user', 'a', { 'gid' => undef, 'require' => Notify['x'] }) notify { 'x': }",
        "user { 'a': uid => '1' } ensure_resource('user', 'a', { 'uid' => 1 })",
    ),
    "ensure_resources": (
        "ensure_resources('notify', { 'a' => { 'message' => 'own' }, 'b' => {} }, { 'message' => 'm' })",
        "ensure_resources('notify', { 'a' => {} })",
        "ensure_resources('notify', { 'a' => undef })",
    ),
    "ensure_packages": (
        *(
            "NAME('a')",
            "NAME(['a', 'b'])",
            "NAME(['a', 'a'])",
            "NAME({ 'a' => { 'ensure' => 'absent' }, 'b' => {} })",
        ),
        "package { 'a': ensure => installed } NAME(['a', 'b'])",
        "package { 'a': ensure => present } NAME('a', { 'ensure' => 'installed' })",
        "package { 'a': ensure => '1' } NAME('a', { 'ensure' => 'latest' })",
        "NAME('a', { 'ensure' => 'present' }) NAME('a')",
        "NAME(['a'], { 'ensure' => '1.2', 'require' => Notify['x'] }) notify { 'x': }",
        "NAME({ 'a' => {}, 'b' => { 'provider' => 'gem' } }, { 'ensure' => 'latest' })",
        "class c { NAME('a') } include c NAME('a')",
    ),
    "defined_with_params": (
        "notify { 'a': message => 'x' } notice(defined_with_params(Notify['a'], { 'message' => 'x' }))",
        "notify { 'a': message => 'x' } notice(defined_with_params('Notify[a]', { 'message' => 'y' }))",
        "notify { 'a': message => 'x' } notice(defined_with_params(Notify['a'], {}))",
        "user { 'a': uid => '1', gid => undef } notice(defined_with_params(User['a'], { 'uid' => 1 }))",
        "user { 'a': require => Notify['a'] } notify { 'a': }"
        " notice(defined_with_params(User['a'], { 'require' => Notify['a'] }))",
        "notice(defined_with_params(Notify['a'], {}))",
        "notify { 'a': } notice(defined_with_params('Notify[a]', { 'message' => undef }))",
    ),
    "getparam": (
        "notify { 'a': message => 'x' } notice(getparam(Notify['a'], 'message'), getparam(Notify['a'], 'b'))",
        "define d($x, $y = 2) {} d { 'a': x => false } notice([getparam(D['a'], 'x'), getparam(D['a'], 'y')])",
        "notice(getparam(Notify['b'], 'message'))",
    ),
    "assert_private": (
        *("assert_private()", "assert_private('no')", "class c { assert_private() } include c"),
        "class c { assert_private('mine') } include c",
        "define d { assert_private() } d { 'a': }",
        "define d { assert_private('no') } d { 'a': }",
        "class a::b { assert_private() } class a { include a::b } include a",
        "define a::b { assert_private() } class a { a::b { 'x': } } include a",
    ),
    "pick": (
        "notice(pick(undef, '', 'a', 'b'))",
        "class c($x = undef) { notice(pick($x, 'd'), pick($c::y, 'e')) } include c",
        "notice(pick(undef, ''))",
        "notice(pick(false, true))",
        "notice(pick('undef', 1))",
        "notice(pick('undefined', 'undef', [], 1))",
        "notice(pick([undef], 1))",
    ),
    "pick_default": (
        *(
            "notice(pick_default(undef, ''))",
            "notice(pick_default(undef, false))",
            "notice(pick_default('', 'a'))",
        ),
        "notice(type(pick_default(undef, '', undef)))",
    ),
    "stdlib::to_toml": (
        "notice(NAME({ 'b' => 1, 'a' => { 'z' => 1, 'y' => [1, 2] }, 'c' => [{ 'q' => 1 }, { 'p' => 2 }] }))",
        "notice(NAME({ 'a b' => 'c\"d', 'e' => { 'g' => { 'f' => 1.5 }, 'a' => true }, 'd' => {} }))",
        "notice(NAME({ 'z' => { 'b' => 1 }, 'y' => { 'c' => { 'd' => [['x'], []] } }, 'x' => [{}, { 'a' => {} }] }))",
    ),
}
DECLARING["stdlib::ensure_packages"] = DECLARING["ensure_packages"]
DECLARING["to_toml"] = DECLARING["stdlib::to_toml"]
_PLACE = re.compile(r" ?\((?:file|line): [^)]*\)")


def list_functions(stdlib: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the file of each function of a stdlib in Ruby that is built in."""
    for folder in FOLDERS:
        for path in sorted((stdlib / folder).rglob("*.rb")):
            name = "::".join(path.relative_to(stdlib / folder).with_suffix("").parts)
            if registry.find_function(name) is not None:
                yield name, path


def compute_installed_digests() -> dict[str, str]:
    """Return the digests of the functions of the installed stdlib by path."""
    return {
        str(path.relative_to(STDLIB)): compute_digest(path.read_text())
        for name, path in list_functions(STDLIB)
        if name not in VARYING
    }


def generate_calls(name: str) -> list[str]:
    """Return calls of a function with arguments of many types."""
    random, calls = Random(name), [f"{name}()"]
    calls += [f"{name}({one})" for one in ARGUMENTS]
    for count, amount in ((2, 24), (3, 10)):
        calls += [f"{name}({', '.join(random.choices(ARGUMENTS, k=count))})" for _ in range(amount)]
    calls += [f"{name}({random.choice(ARGUMENTS)}) {block}" for block in BLOCKS for _ in range(2)]
    # The types of the result and of its elements are compared, too.
    return calls if name in DECLARING else [f"notice(type({call}))\n[{call}]" for call in calls]


def list_programs(name: str) -> list[str]:
    """Return the programs above and the recorded programs that call a function."""
    lines = RECORDED.read_text("utf-8").strip().split("\n")
    sources = (json.loads(line)["source"] for line in lines)
    recorded = [source for source in sources if re.search(rf"(?<![\w:]){name}\(", source)]
    return [*(source.replace("NAME", name) for source in DECLARING.get(name, ())), *recorded[:20]]


def make_comparable(answer: dict[str, Any]) -> Any:
    """Return the compared part of an answer, with logs: some functions only warn."""
    if "error" in answer:
        return _PLACE.sub("", answer["error"]).replace("Evaluation Error: ", "").strip()
    return (answer["value"], answer["resources"], [_PLACE.sub("", line) for line in answer["logs"]])


def verify(stdlib: Path, known: set[str], only: list[str] | None = None) -> Iterator[str]:
    """Yield the digests of files with the results of the built-in functions.

    Args:
        stdlib: The folder of the module.
        known: The digests of the table, which are left out.
        only: The names of the functions to verify; all if None.
    """
    with tempfile.TemporaryDirectory() as folder:
        modules = Path(folder, "modules")
        modules.mkdir()
        (modules / "stdlib").symlink_to(stdlib.resolve())
        Path(folder, "hiera.yaml").write_text("version: 5\nhierarchy: []\n")
        session = make_session(modulepath=[modules], permissions=(), hiera_config=None)
        files: dict[str, list[Path]] = {}
        for name, path in list_functions(stdlib):
            files.setdefault(name, []).append(path)
        for name, paths in files.items():
            texts = [path.read_text() for path in paths]
            if any("Puppet.version, '8" in text for text in texts):
                continue  # its results depend on the release, and only one is queried
            digests = set(map(compute_digest, texts)) - known
            if not digests or name in VARYING or (only and name not in only):
                continue
            calls = generate_calls(name)
            programs = [*calls, *list_programs(name)]
            theirs = query_release(programs, modules)
            for number, (program, answer) in enumerate(zip(programs, theirs, strict=True)):
                here = compute_answer(session, program)
                # Error messages for generated arguments are not compared.
                if number < len(calls) and "error" in here and "error" in answer:
                    continue
                if make_comparable(here) != make_comparable(answer):
                    print(
                        f"{name} differs: {program}\n    {make_comparable(answer)}\n    {make_comparable(here)}",
                        flush=True,
                    )
                    break
            else:
                yield from digests


def main() -> None:
    """Add the verified digests to the table, which keeps those of other versions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stdlib", nargs="*", type=Path, default=[STDLIB], help="folders of the module")
    parser.add_argument("--only", nargs="*", help="names of functions (default: all)")
    options = parser.parse_args()
    known = set(Path(BUILT_IN_FILE).read_text("utf-8").split())
    for stdlib in options.stdlib:
        for digest in verify(stdlib, known, options.only):
            known.add(digest)
            rows = sorted(known)
            lines = (" ".join(rows[start : start + 6]) + "\n" for start in range(0, len(rows), 6))
            Path(BUILT_IN_FILE).write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
