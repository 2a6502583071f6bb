"""Every mistake is reported at the right position with a remedy."""

import pytest

from tests.mistakes import Mistake, collect_messages, read_mistakes

TABLE = read_mistakes()


@pytest.mark.parametrize("mistake", TABLE, ids=[mistake.name for mistake in TABLE])
def test_a_mistake_is_reported_with_its_position_and_a_remedy(mistake: Mistake) -> None:
    messages = collect_messages(mistake.source, mistake.where)
    assert messages, "nothing is reported"
    first = messages[0]
    assert (first.code, first.position) == (mistake.code, mistake.position)
    assert mistake.help_words in f"{first.help} {first.message}"


def test_the_table_has_enough_mistakes_and_no_duplicates() -> None:
    assert len(TABLE) >= 100
    assert sum(mistake.is_own for mistake in TABLE) >= 50
    assert len({mistake.name for mistake in TABLE}) == len(TABLE)
    assert len({mistake.source for mistake in TABLE}) == len(TABLE)
