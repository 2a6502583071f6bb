"""`python -m tests.real.types [--modules DIR]` compares resource types with Ruby.

Print how many are read as Ruby defines them, how many are left open, and the names of all others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from evaluator import Session
from evaluator.program.modules import find_ruby_types, get_type_facts
from tests.real.programs import MODULES
from tests.released.ruby_scripts import is_installed, run_script


def query_release(modulepath: list[str], names: list[str]) -> dict[str, Any]:
    """Return the resource types as Ruby defines them."""
    query = json.dumps({"modulepath": modulepath, "types": names}) + "\n"
    answer: dict[str, Any] = json.loads(run_script(Path(__file__).with_name("types.rb"), query))
    return answer


def read_types(modulepath: list[str], names: list[str]) -> dict[str, Any]:
    """Return the resource types as read from their sources; open ones have None as attributes."""
    settings = Session("puppet7", modulepath=modulepath).runtime.settings
    by_name: dict[str, Any] = {}
    for name in names:
        facts = get_type_facts(settings, name)
        assert facts is not None
        namevars = list(facts.namevars)
        patterns = facts.patterns
        if patterns is None:
            patterns = tuple(("(?m-ix:(.*))", (namevar,)) for namevar in namevars)
        by_name[name] = {
            "attributes": None
            if facts.valid is None
            else {key: fact.kind for key, fact in facts.attributes.items()},
            "namevars": namevars,
            "patterns": [[pattern.replace(r"\/", "/"), list(names)] for pattern, names in patterns],
            "isomorphic": facts.isomorphic,
        }
    return by_name


def compare_type(theirs: dict[str, Any], here: dict[str, Any]) -> str:
    """Return "same", "open", "wrong", or "not loaded by Ruby"."""
    if "error" in theirs:
        return "not loaded by Ruby"
    if here["attributes"] is None:
        return "open"
    patterns = [[pattern.replace(r"\/", "/"), names] for pattern, names in theirs["patterns"]]
    return "same" if here == {**theirs, "patterns": patterns} else "wrong"


def main() -> int:
    """Compare all types of a folder of modules; return 1 if one of them is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--modules", type=Path, default=MODULES, help="a folder of modules")
    options = parser.parse_args()
    modulepath = [str(options.modules)]
    names = sorted(find_ruby_types(tuple(modulepath)))
    if not is_installed() or not names:
        print("the released Puppet and modules with types are needed", file=sys.stderr)
        return 2
    theirs, here = query_release(modulepath, names), read_types(modulepath, names)
    verdicts = {name: compare_type(theirs[name], here[name]) for name in names}
    for name, verdict in verdicts.items():
        if verdict != "same":
            print(f"{verdict:20} {name}")
    print(", ".join(f"{count} {verdict}" for verdict, count in Counter(verdicts.values()).most_common()))
    return int("wrong" in verdicts.values())


if __name__ == "__main__":
    sys.exit(main())
