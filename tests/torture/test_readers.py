"""A short fuzz of the readers, and that it finds a reader which fails."""

import dataclasses

import pytest
import readers
from hypothesis import given, settings
from hypothesis import strategies as st

SUBJECTS = readers.texts() + readers.binaries()


def test_damaged_files_of_every_format_are_read_right_or_told(times):
    counts, wrongs = readers.torture(12 * times * len(SUBJECTS), 3)
    assert wrongs == []
    tried = {s.name: counts[s.name, "right"] + counts[s.name, "error"] for s in SUBJECTS}
    assert set(tried.values()) == {12 * times}
    sums = {end: sum(counts[s.name, end] for s in SUBJECTS) for end in ("right", "error")}
    assert sums["right"] > 30 * times and sums["error"] > 100 * times


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_the_undamaged_file_is_right(subject, tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "mutate", lambda rng, body: body)
    for index in range(4):  # as it is and packed
        assert readers.case(subject, 0, index, tmp_path) == ("right", "")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([s for s in SUBJECTS if s.text]), st.data())
def test_drawn_texts(tmp_path_factory, subject, data):
    """Pieces of the file in any order, between them anything."""
    pieces = st.one_of(st.sampled_from(subject.body.splitlines(True)), st.binary(max_size=9))
    body = b"".join(data.draw(st.lists(pieces, max_size=8)))
    drawn = dataclasses.replace(subject, body=body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "mutate", lambda rng, body: body)
        what, why = readers.case(drawn, 0, 0, tmp_path_factory.getbasetemp())
    assert what != "wrong", why
