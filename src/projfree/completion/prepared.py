"""Ratings in a folder: blocks in one file, mapped into memory and decoded one at a time; and ids."""

from __future__ import annotations

import os
import tempfile
import warnings
import zlib
from bisect import bisect_right
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import h5py
import numpy as np

from ..common.atomic_io import atomic_h5, read_h5
from ..common.outside import DamagedFile
from ..linalg.scratch import mapped, rooms_in
from .blocks import Block, Division, Held
from .coding import decoded, encoded
from .ratings import Ratings
from .sweeps import Sweeps

BLOCKS, INDEX = "blocks.bin", "index.h5"
BYTES = 60  # of a rating while λ is chosen: as it came, in the parts that are fitted, and their errors


class Blocks:
    """Encoded blocks in one file.

    Parameters
    ----------
    path : of the file
    index : int64 (blocks, 6), for each the row after its last, its ratings, offset, bytes, form, CRC-32
    """

    def __init__(self, path, index):
        self.path, self.index, self.checked = Path(path), index, set()
        self.bytes = np.memmap(path, np.uint8, "r")

    @classmethod
    def write(cls, path, blocks) -> Blocks:
        """Of the blocks of all rows in order, as they come."""
        index, last, offset = [], 0, 0
        with open(path, "wb") as file:
            for block in blocks:
                data, form = encoded(block)
                last += block.indptr.size - 1
                index.append((last, block.cols.size, offset, len(data), form, zlib.crc32(data)))
                offset += file.write(data)
        return cls(path, np.array(index))

    @cached_property
    def ranges(self) -> list[tuple[int, int]]:
        """(first, last) row of each."""
        bounds = [0, *self.index[:, 0].tolist()]
        return list(zip(bounds[:-1], bounds[1:], strict=True))

    def block(self, number: int, held: Held | None = None) -> Block:
        """One of them; DamagedFile if it is damaged."""
        _, entries, offset, size, form, crc = self.index[number].tolist()
        data, (first, last) = self.bytes[offset : offset + size], self.ranges[number]
        if number not in self.checked and zlib.crc32(data) != crc:
            raise DamagedFile(
                f"{self.path}: block {number} is not what was written; prepare the ratings again"
            )
        self.checked.add(number)
        return Block(*decoded(np.array(data), last - first, entries, form), held or Held())


@dataclass(frozen=True)
class Prepared:
    """Ratings of which one block at a time is in memory.

    Attributes
    ----------
    folder : where they are
    users, items : the ids as texts
    scale : least and greatest rating
    index : of `Blocks`
    """

    folder: Path
    users: np.ndarray
    items: np.ndarray
    scale: tuple[float, float]
    index: np.ndarray

    @classmethod
    def write(cls, folder, blocks, users, items) -> Prepared:
        """From the blocks in order, with the names of users and items."""
        least, greatest = np.inf, -np.inf

        def measured():
            nonlocal least, greatest
            for block in blocks:
                if block.values.size:
                    least, greatest = min(least, block.values.min()), max(greatest, block.values.max())
                yield block

        folder = Path(folder)
        index, text = Blocks.write(folder / BLOCKS, measured()).index, h5py.string_dtype()
        with atomic_h5(folder / INDEX) as file:
            file["index"], file.attrs["scale"] = index, (least, greatest)
            for name, ids in (("users", users), ("items", items)):
                file.create_dataset(name, data=np.asarray(ids, object), dtype=text)
        return cls.read(folder)

    @classmethod
    def read(cls, folder) -> Prepared:
        """The ratings that were written into a folder."""
        with read_h5(Path(folder) / INDEX) as file:
            ids = (file[name].asstr()[()] for name in ("users", "items"))
            return cls(Path(folder), *ids, tuple(map(float, file.attrs["scale"])), file["index"][()])

    @staticmethod
    def read_blocks(folder) -> tuple[tuple[int, int], Blocks]:
        """Shape and blocks alone: of ids there may be many."""
        with read_h5(Path(folder) / INDEX) as file:
            shape = len(file["users"]), len(file["items"])
            return shape, Blocks(Path(folder) / BLOCKS, file["index"][()])

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.users), len(self.items)

    @property
    def n(self) -> int:
        return int(self.index[:, 1].sum())

    @cached_property
    def blocks(self) -> Blocks:
        """All of them."""
        return Blocks(self.folder / BLOCKS, self.index)

    def row(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Places of the items that a user rated (k,), and his ratings (k,)."""
        at = bisect_right(self.index[:, 0], number)
        block, first = self.blocks.block(at), self.blocks.ranges[at][0]
        here = slice(*block.indptr[number - first : number - first + 2])
        return block.cols[here], block.values[here]

    def sweeps(self, division: Division | None = None, threads: int = 1) -> Sweeps:
        """Over all ratings, or those that a division chooses, which are written once more."""
        blocks, numbers = self.blocks, range(len(self.index))
        if division is not None:
            with tempfile.NamedTemporaryFile(dir=self.folder) as file:  # it stays mapped
                chosen = (self.blocks.block(k).part(k, division) for k in numbers)
                blocks = Blocks.write(file.name, chosen)
        held = _held(self.folder, blocks.index[:, 1])
        return Sweeps(self.shape, blocks.ranges, lambda k: blocks.block(k, held[k]), threads)


@contextmanager
def within(ratings: Ratings, memory: int | None = None):
    """The ratings as they are, or prepared in a temporary folder where a fit would take more than `memory`.

    Bytes; by default half of the machine's. What is prepared is told by a warning.
    """
    needed = BYTES * ratings.n
    if needed <= (memory or half_of_the_machine()):
        yield ratings
        return
    warnings.warn(f"the ratings stay on disk: in memory a fit takes {needed / 1e9:.2g} GB", stacklevel=2)
    with tempfile.TemporaryDirectory() as folder, rooms_in(folder):
        names = (np.asarray(ids).astype(str) for ids in (ratings.users, ratings.items))
        yield Prepared.write(folder, ratings.blocks(), *names)


def half_of_the_machine() -> int:
    """Bytes of memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _held(folder, counts) -> list[Held]:
    """Room for the errors of each block, in a file without a name: pages of it can leave the memory."""
    errors = mapped(folder, (max(int(counts.sum()), 1),), np.float32)
    ends = np.cumsum(counts)
    return [Held(errors[end - count : end]) for end, count in zip(ends, counts, strict=True)]
