"""Functions have the results and errors of the released Puppet and of puppetlabs-stdlib.

Each line of `data/*.jsonl` has a call and its recorded result. If the released Puppet is installed, it runs a part of
the calls again, so that outdated records are noticed.
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


def run_case(case: dict) -> tuple[str, str, list[str]]:
    """Return "result" or "error", the text of the result or the message, and the logs."""
    session = Session("puppet7", facts=FACTS, node="testnode", data=case.get("data"))
    outcome = session.run(case["source"])
    logs = [
        f"{log.level}: {log.message}".strip() for log in outcome.logs if log.level not in ("warning", "info")
    ]
    if outcome.error is not None:
        return "error", PLACE.sub("", str(outcome.error)), logs
    return "result", outcome.text, logs


@pytest.mark.parametrize("case", CASES, ids=[case["source"][:60] for case in CASES])
def test_a_call_has_the_recorded_result(case: dict) -> None:
    kind, text, logs = run_case(case)
    assert (kind, text) == (("error", case["error"]) if "error" in case else ("result", case["result"]))
    assert logs == case.get("logs", [])


SCRIPT = """
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
    process = subprocess.run(
        ["ruby", "-e", SCRIPT], input=json.dumps(list(cases)), capture_output=True, text=True, timeout=120
    )
    if process.returncode != 0:
        pytest.skip("the released Puppet does not run")
    results = dict(json.loads(line) for line in process.stdout.splitlines())
    assert len(results) == len(cases)
    differences = {source: text for source, text in results.items() if text != cases[source]}
    assert not differences
