"""What functions give and how they fail, as the released Puppet and puppetlabs-stdlib answer the same calls.

`data/*.jsonl` holds a call per line with the recorded answer. Where the released Puppet is installed a part of them
is asked again, so that the records cannot go stale unseen.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess

import pytest

from evaluator import Session

DATA = pathlib.Path(__file__).parent / "data"
CORE, STDLIB = (
    [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").strip().split("\n")]
    for name in ("core", "stdlib")
)
CASES = CORE + STDLIB
PLACE = re.compile(r" \((file: inlined-epp-text, )?line: \d+(, column: \d+)?\)")
FACTS = {"os": {"family": "Debian"}}


def answer(case: dict) -> tuple[str, str, list[str]]:
    session = Session("puppet7", facts=FACTS, node="testnode", data=case.get("data"))
    outcome = session.run(case["source"])
    logs = [
        f"{log.level}: {log.message}".strip() for log in outcome.logs if log.level not in ("warning", "info")
    ]
    if outcome.error is not None:
        return "error", PLACE.sub("", str(outcome.error)), logs
    return "result", outcome.text, logs


@pytest.mark.parametrize("case", CASES, ids=[case["source"][:60] for case in CASES])
def test_answers_as_recorded(case: dict) -> None:
    kind, text, logs = answer(case)
    assert (kind, text) == (("error", case["error"]) if "error" in case else ("result", case["result"]))
    assert logs == case.get("logs", [])


ASK = """
require 'json'
require 'tmpdir'
require 'puppet_pal'
folder = Dir.mktmpdir
at_exit { FileUtils.remove_entry(folder) }
Puppet.initialize_settings(['--confdir', "#{folder}/conf", '--vardir', "#{folder}/var"])
Puppet::Util::Log.level = :alert
cases = JSON.parse($stdin.read)
convert = Puppet::Pops::Types::StringConverter.singleton
Puppet::Pal.in_tmp_environment('x', modulepath: [], facts: { 'os' => { 'family' => 'Debian' } }) do |pal|
  cases.each do |source|
    text = begin
      convert.convert(pal.with_script_compiler { |compiler| compiler.evaluate_string(source) }, '%p')
    rescue StandardError => error
      'error: ' + error.class.name
    end
    puts JSON.generate([source, text])
  end
end
"""


@pytest.mark.released
def test_records_agree_with_the_installed_puppet() -> None:
    if shutil.which("puppet") is None or shutil.which("ruby") is None:
        pytest.skip("the released Puppet is not installed")
    plain = re.compile(r"(?!.*[A-Z]\w*\[)[a-z]+\((?:[\w', \[\]/.-])*\)")
    cases = {
        case["source"]: case["result"]
        for case in CORE
        if "result" in case and not {"logs", "data"} & case.keys() and plain.fullmatch(case["source"])
    }
    asked = subprocess.run(
        ["ruby", "-e", ASK], input=json.dumps(list(cases)), capture_output=True, text=True, timeout=120
    )
    if asked.returncode != 0:
        pytest.skip("the released Puppet cannot be asked")
    answers = dict(json.loads(line) for line in asked.stdout.splitlines())
    assert len(answers) == len(cases)
    different = {source: text for source, text in answers.items() if text != cases[source]}
    assert not different
