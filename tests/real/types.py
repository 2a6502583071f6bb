"""`python -m tests.real.types [--modules DIR]`: resource types of modules, read here and run by Ruby.

Prints how many are known alike, how many are left open, and those that are known wrongly or not at all.
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
from tests.released.asking import is_installed, run_script


def released(modulepath: list[str], names: list[str]) -> dict[str, Any]:
    """Return the resource types as Ruby describes them."""
    asked = json.dumps({"modulepath": modulepath, "types": names}) + "\n"
    found: dict[str, Any] = json.loads(run_script(Path(__file__).with_name("types.rb"), asked))
    return found


def ours(modulepath: list[str], names: list[str]) -> dict[str, Any]:
    """The same from the sources; None in place of attributes that are left open."""
    settings = Session("puppet7", modulepath=modulepath).runtime.settings
    found: dict[str, Any] = {}
    for name in names:
        facts = get_type_facts(settings, name)
        assert facts is not None
        namevars = list(facts.namevars)
        patterns = facts.patterns
        if patterns is None:
            patterns = tuple(("(?m-ix:(.*))", (namevar,)) for namevar in namevars)
        found[name] = {
            "attributes": None
            if facts.valid is None
            else {key: fact.kind for key, fact in facts.attributes.items()},
            "namevars": namevars,
            "patterns": [[pattern.replace(r"\/", "/"), list(names)] for pattern, names in patterns],
            "isomorphic": facts.isomorphic,
        }
    return found


def verdict(theirs: dict[str, Any], here: dict[str, Any]) -> str:
    """ "same", "open", "wrong", or that Ruby cannot load the type."""
    if "error" in theirs:
        return "not loaded by Ruby"
    if here["attributes"] is None:
        return "open"
    plain = [[pattern.replace(r"\/", "/"), names] for pattern, names in theirs["patterns"]]
    return "same" if here == {**theirs, "patterns": plain} else "wrong"


def main() -> int:
    """Compares all types of a folder of modules; the exit status is 1 when one is known wrongly."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--modules", type=Path, default=MODULES, help="a folder of modules")
    options = parser.parse_args()
    modulepath = [str(options.modules)]
    names = sorted(find_ruby_types(tuple(modulepath)))
    if not is_installed() or not names:
        print("the released Puppet and modules with types are needed", file=sys.stderr)
        return 2
    theirs, here = released(modulepath, names), ours(modulepath, names)
    verdicts = {name: verdict(theirs[name], here[name]) for name in names}
    for name, said in verdicts.items():
        if said != "same":
            print(f"{said:20} {name}")
    print(", ".join(f"{count} {said}" for said, count in Counter(verdicts.values()).most_common()))
    return int("wrong" in verdicts.values())


if __name__ == "__main__":
    sys.exit(main())
