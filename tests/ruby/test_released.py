"""Functions of both interfaces, Hiera backends and templates give what they give in the released Puppet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from evaluator import Session
from evaluator.ruby import companion
from tests.released import asking
from tests.ruby import released
from tests.ruby.ours import reply, session

pytestmark = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby")


@pytest.fixture(scope="module", params=["library", "alone"])
def running(request: pytest.FixtureRequest) -> Iterator[Session]:
    """A session that runs programs with the released Puppet's library, and one that runs them without."""
    if request.param == "library" and not asking.is_installed():
        pytest.skip("the released Puppet's library is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(companion, "_LIBRARY", request.param == "library")
        yield session()


@pytest.mark.skipif(not asking.is_installed(), reason="needs the released Puppet")
def test_what_is_recorded_is_what_is_answered() -> None:
    assert released.answers(released.PROGRAMS) == [
        released.recorded()[program] for program in released.PROGRAMS
    ]


@pytest.mark.parametrize("program", released.PROGRAMS)
def test_as_the_released_puppet(program: str, running: Session) -> None:
    assert reply(running, program) == released.recorded()[program]
