"""Print the table of mistakes with the messages here and those of the released Puppet."""

from __future__ import annotations

from tests.mistakes import collect_messages, read_mistakes


def main() -> None:
    """Print each mistake with its first message."""
    table = read_mistakes()
    for mistake in table:
        print(f"{mistake.name} ({mistake.where}{', own' if mistake.is_own else ''})")
        print("".join(f"    {line}\n" for line in mistake.source.splitlines()), end="")
        for message in collect_messages(mistake.source, mistake.where)[:1]:
            print(f"  here      {message.position} {message.code}: {message.message}")
            print(f"            {message.help}")
        print(f"  released  {mistake.released or '(says nothing)'}\n")
    own = sum(mistake.is_own for mistake in table)
    silent = sum(not mistake.released for mistake in table)
    print(f"{len(table)} mistakes, {own} of them our own finding; the released Puppet is silent on {silent}")


if __name__ == "__main__":
    main()
