"""Prints the table of mistakes: the program, what is said here, and what the released Puppet says."""

from __future__ import annotations

from tests.mistakes import found_in, mistakes


def main() -> None:
    """Print each mistake with its present messages."""
    table = mistakes()
    for mistake in table:
        print(f"{mistake.name} ({mistake.where}{', own' if mistake.own else ''})")
        print("".join(f"    {line}\n" for line in mistake.source.splitlines()), end="")
        for said in found_in(mistake.source, mistake.where)[:1]:
            print(f"  here      {said.place} {said.code}: {said.message}")
            print(f"            {said.help}")
        print(f"  released  {mistake.released or '(says nothing)'}\n")
    own = sum(mistake.own for mistake in table)
    silent = sum(not mistake.released for mistake in table)
    print(f"{len(table)} mistakes, {own} of them our own finding; the released Puppet is silent on {silent}")


if __name__ == "__main__":
    main()
