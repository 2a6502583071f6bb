"""Functions in Ruby, Hiera backends and templates have the results of the released Puppet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from evaluator import Session
from evaluator.ruby import companion
from tests.released import ruby_scripts
from tests.ruby import released
from tests.ruby.project import compute_answer, make_session

pytestmark = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")


@pytest.fixture(scope="module", params=["library", "alone"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    """Yield a session that uses the library of the released Puppet, then one without it."""
    if request.param == "library" and not ruby_scripts.is_installed():
        pytest.skip("the released Puppet's library is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(companion, "_LIBRARY", request.param == "library")
        yield make_session()


@pytest.mark.skipif(not ruby_scripts.is_installed(), reason="needs the released Puppet")
def test_the_released_puppet_has_the_recorded_answers() -> None:
    assert released.query_release(released.PROGRAMS) == [
        released.read_recorded()[program] for program in released.PROGRAMS
    ]


@pytest.mark.parametrize("program", released.PROGRAMS)
def test_a_program_has_the_recorded_answer(program: str, session: Session) -> None:
    assert compute_answer(session, program) == released.read_recorded()[program]
