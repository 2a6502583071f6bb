"""Functions of an unchanged stdlib run without Ruby, those of changed files in Ruby."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluator import Session
from evaluator.program.modules import BUILT_IN_FILE
from evaluator.ruby import processes
from tests.ruby.digests import STDLIB, compute_installed_digests

pytestmark = pytest.mark.skipif(
    shutil.which("ruby") is None or not STDLIB.exists(), reason="needs Ruby and stdlib"
)

FILE = Path("lib/puppet/parser/functions/has_ip_address.rb")


def run_and_detect_ruby(modulepath: Path, program: str) -> tuple[str, bool]:
    """Return the value of a program that may run Ruby, and True if it did."""
    facts = {"interfaces": "lo"}
    session = Session("puppet", modulepath=[modulepath], permissions=["ruby"], facts=facts, interactive=True)
    while processes._idle:  # contains the Ruby processes that have run a program
        processes._idle.pop()[1].end()
    outcome = session.run(program)
    assert outcome.error is None, outcome.error
    return outcome.text, bool(processes._idle)


def test_the_table_contains_the_installed_stdlib() -> None:
    assert set(compute_installed_digests().values()) <= set(Path(BUILT_IN_FILE).read_text("utf-8").split())


def test_an_unchanged_function_runs_without_ruby(tmp_path: Path) -> None:
    program = "[has_ip_address('10.9.8.7'), stdlib::extname('a.rb'), flatten([1, [2]])]"
    assert run_and_detect_ruby(STDLIB.parent, program) == ("[false, '.rb', [1, 2]]", False)
    (tmp_path / "stdlib" / FILE).parent.mkdir(parents=True)
    shutil.copy(STDLIB / FILE, tmp_path / "stdlib" / FILE)
    assert run_and_detect_ruby(tmp_path, "has_ip_address('10.9.8.7')") == ("false", False)


def test_a_changed_function_runs_in_ruby(tmp_path: Path) -> None:
    path = tmp_path / "stdlib" / FILE
    path.parent.mkdir(parents=True)
    path.write_text(
        "Puppet::Parser::Functions.newfunction(:has_ip_address, type: :rvalue) { |_| 'its own' }\n"
    )
    assert run_and_detect_ruby(tmp_path, "has_ip_address('10.9.8.7')") == ("'its own'", True)
    shutil.copy(STDLIB / FILE, path)
    assert run_and_detect_ruby(tmp_path, "has_ip_address('10.9.8.7')") == ("false", False)


def test_a_function_of_the_newer_interface_hides_the_older_one(tmp_path: Path) -> None:
    older, newer = tmp_path / "stdlib" / FILE, tmp_path / "stdlib" / "lib/puppet/functions/has_ip_address.rb"
    for path in (older, newer):
        path.parent.mkdir(parents=True)
    shutil.copy(STDLIB / FILE, older)
    newer.write_text(
        "Puppet::Functions.create_function(:has_ip_address) { def has_ip_address(a) 'newer' end }\n"
    )
    assert run_and_detect_ruby(tmp_path, "has_ip_address('10.9.8.7')") == ("'newer'", True)


def test_an_older_function_whose_newer_one_is_hidden_is_called(tmp_path: Path) -> None:
    """A newer stdlib hides the newer interface; the older interface passes '' for undef."""
    library = tmp_path / "stdlib" / "lib"
    library.mkdir(parents=True)
    session = Session("puppet7", modulepath=[tmp_path, STDLIB.parent], permissions=["ruby"])
    error = session.run("validate_hash(undef)").error
    assert '"" is not a Hash.  It looks to be a String' in str(error)
    assert "nil is not a Hash" in str(
        Session("puppet7", modulepath=[STDLIB.parent], permissions=["ruby"]).run("validate_hash(undef)").error
    )


def test_a_namespaced_function_does_not_call_a_function_of_the_module(tmp_path: Path) -> None:
    path = tmp_path / "m/lib/puppet/functions/validate_email_address.rb"
    path.parent.mkdir(parents=True)
    path.write_text(
        "Puppet::Functions.create_function(:validate_email_address) do\n"
        "  def validate_email_address(*values)\n    raise 'called'\n  end\nend\n"
    )
    assert run_and_detect_ruby(tmp_path, "stdlib::validate_email_address('a@example.com')") == (
        "undef",
        False,
    )


@pytest.mark.parametrize(
    ("dialect", "version"), [("puppet7", "7.23.0"), ("puppet", "8.10.0"), ("openvox9", "9.0.0")]
)
@pytest.mark.parametrize("library", ["", "Puppet::Pops"])
def test_code_in_ruby_has_the_version_of_the_release(
    dialect: str, version: str, library: str, tmp_path: Path
) -> None:
    path = tmp_path / "m/lib/puppet/functions/m/release.rb"
    path.parent.mkdir(parents=True)
    path.write_text(
        "Puppet::Functions.create_function(:'m::release') do\n"
        f"  def release\n    {library}\n    Puppet.version\n  end\nend\n"
    )
    session = Session(dialect, modulepath=[tmp_path], permissions=["ruby"])
    assert session.run("m::release()").value == version
