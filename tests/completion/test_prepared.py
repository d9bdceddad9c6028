"""Ratings in a folder: the same bits as in memory, told where they are not what was written."""

import numpy as np
import pytest

from projfree.common.outside import DamagedFile
from projfree.completion.blocks import Block, Division
from projfree.completion.choice import fit_path
from projfree.completion.coding import decoded, encoded
from projfree.completion.fitting import Part, Setting
from projfree.completion.prepared import BLOCKS, Prepared


@pytest.fixture
def prepared(ratings, tmp_path):
    return Prepared.write(tmp_path, ratings.blocks(), ratings.users, ratings.items)


HALVES = np.arange(1, 11, dtype=np.float32) / 2


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (np.random.default_rng(0).choice(HALVES, 900), 10),
        (np.arange(900), -2),
        (np.arange(900) + 1 / 3, -4),
        (np.zeros(0), 0),
    ],
)
@pytest.mark.parametrize(
    ("width", "power", "step", "large"),
    [(1000, 1, 1, True), (20_000, 1, 2, False), (1_499_999_999, 12, 2, True)],
)
def test_a_block_is_decoded_as_it_was(values, form, width, power, step, large):
    rng, n = np.random.default_rng(1), len(values)
    indptr = np.sort(np.concatenate([[0, n], rng.integers(0, n + 1, 39)])).astype(np.int64)
    cols = np.zeros(n, np.int32)
    for first, last in zip(indptr[:-1], indptr[1:], strict=True):
        cols[first:last] = np.sort((width * rng.random(last - first) ** power).astype(np.int32))
    data, result = encoded(Block(indptr, cols, values.astype(np.float32)))
    header = np.frombuffer(data, np.int64, 4)
    assert result == form and (not n or (header[1] == step and (header[3] > 0) == large))
    again = decoded(np.frombuffer(data, np.uint8), 40, n, form)
    for array, wanted in zip(again, (indptr, cols, values.astype(np.float32)), strict=True):
        np.testing.assert_array_equal(array, wanted)
        assert array.dtype == wanted.dtype


def test_what_was_written_is_read_and_takes_two_bytes_a_rating(ratings, prepared):
    assert prepared.shape == ratings.shape and prepared.n == ratings.n and prepared.scale == ratings.scale
    assert prepared.users.tolist() == ratings.users.tolist() and len(prepared.index) > 5
    assert (prepared.folder / BLOCKS).stat().st_size < 2.5 * ratings.n


def test_divisions_are_those_of_memory_and_part_the_ratings(ratings, prepared):
    for held_out in (False, True):
        division = Division(0, 3, 1, held_out)
        ours, theirs = ratings.sweeps(division), prepared.sweeps(division)
        for k in range(len(ours.ranges)):
            for part in ("cols", "values", "indptr"):
                np.testing.assert_array_equal(getattr(ours.opened(k), part), getattr(theirs.opened(k), part))
    held = sum(ratings.sweeps(Division(0, 3, k, True)).opened(0).cols.size for k in range(3))
    assert held == ratings.sweeps().opened(0).cols.size


def same(path, other):
    np.testing.assert_array_equal(path.errors, other.errors)
    for name in ("U", "V", "row_offset", "column_offset"):
        np.testing.assert_array_equal(getattr(path.fit, name), getattr(other.fit, name))
    assert path.fit.relative_gap == other.fit.relative_gap and path.baseline == other.baseline


def test_every_bit_is_that_of_memory_and_of_one_thread(ratings, prepared):
    wanted = fit_path(ratings, Setting(count=3))
    same(fit_path(prepared, Setting(count=3)), wanted)
    same(fit_path(prepared, Setting(count=3, threads=3)), wanted)
    same(fit_path(ratings, Setting(count=3, threads=2)), wanted)
    assert wanted.fit.relative_gap <= 1e-3 and wanted.fit.rank > 3


@pytest.mark.parametrize("centre", ["none", "user", "user-item"])
def test_centres_in_blocks(ratings, prepared, centre):
    setting = Setting(centre=centre, weights=(6.0,))
    one, other = (Part(source.sweeps(), setting).solve(6.0, 1e-3) for source in (ratings, prepared))
    assert one.relative_gap == other.relative_gap <= 1e-3
    if centre == "user-item":
        means = np.bincount(ratings.cols, ratings.values) / np.bincount(ratings.cols)
        np.testing.assert_allclose(one.column_offset[:-1], means)


def test_a_changed_byte_is_told(ratings, prepared):
    data = bytearray((prepared.folder / BLOCKS).read_bytes())
    data[len(data) // 2] ^= 1
    (prepared.folder / BLOCKS).write_bytes(data)
    with pytest.raises(DamagedFile, match="is not what was written"):
        Part(Prepared.read(prepared.folder).sweeps(), Setting())
