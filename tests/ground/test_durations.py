import pytest

from referee.publish.costs import duration_text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (54.2, "54 s"), (599, "599 s"), (600, "10 min"), (5369, "89 min"), (5400, "1 h 30 min")],
)
def test_a_length_of_time_is_told_in_two_or_three_digits(seconds, words):
    assert duration_text(seconds) == words
