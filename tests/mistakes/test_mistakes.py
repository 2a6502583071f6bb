"""No mistake passes in silence: each is refused or noted at the right place, with the way out."""

import pytest

from tests.mistakes import Mistake, found_in, mistakes

TABLE = mistakes()


@pytest.mark.parametrize("mistake", TABLE, ids=[mistake.name for mistake in TABLE])
def test_a_mistake_is_told_with_its_place_and_the_way_out(mistake: Mistake) -> None:
    told = found_in(mistake.source, mistake.where)
    assert told, "it passes in silence"
    first = told[0]
    assert (first.code, first.place) == (mistake.code, mistake.place)
    assert mistake.words in f"{first.help} {first.message}"


def test_the_table_is_long_and_each_mistake_stands_once() -> None:
    assert len(TABLE) >= 100
    assert sum(mistake.own for mistake in TABLE) >= 50
    assert len({mistake.name for mistake in TABLE}) == len(TABLE)
    assert len({mistake.source for mistake in TABLE}) == len(TABLE)
