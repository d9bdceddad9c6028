"""Sweeps over blocks that stay with Dask's workers: factors are sent, thin products and sums come back.

A task names the blocks that it needs, and the worker keeps them once it has read them. The blocks of a lost
worker are read again by another; and since the parts of all sums and their order are those of the data, no
bit depends on which worker does what.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import chain
from time import monotonic
from uuid import uuid4

import numpy as np
from distributed import Client, Future, SchedulerPlugin

from ..completion.blocks import Division
from ..completion.prepared import Prepared
from ..completion.sweeps import Sweeps, added
from ..linalg.partition import fold

SMALL = 1 << 16  # bytes of factors that go with every task
OFTEN = 1.0  # seconds after which workers are asked for again: that takes a third of a small sweep
SHARE = 2  # groups a worker, at least, where there are so many blocks


@dataclass(frozen=True)
class Group:
    """Some blocks in order, by name: `Prepared` in a folder that all workers see, a division, from and to."""

    folder: str
    division: Division | None
    first: int
    last: int


@cache
def opened(group: Group) -> Sweeps:
    """Over these blocks, read into this process; they stay here."""
    shape, blocks = Prepared.read_blocks(group.folder)
    held = [blocks.block(k).part(k, group.division) for k in range(group.first, group.last)]
    return Sweeps(shape, blocks.ranges[group.first : group.last], held.__getitem__)


def forget():
    """Forget the blocks that this process has read."""
    opened.cache_clear()


def swept(groups, task, lefts, rights, constants):
    """The task of a worker: a sweep over each of its groups, given the rows of each."""

    def writable(sides):
        return tuple(np.require(side, requirements="W") for side in sides)

    rights = writable(rights)
    return [
        opened(g).run(task, writable(rows), rights, *constants) for g, rows in zip(groups, lefts, strict=True)
    ]


class Elsewhere(SchedulerPlugin):
    """Where all workers were lost, what one of them should rather have done goes to the next that comes.

    By itself Dask waits for the address that is gone, also where `allow_other_workers` is given.
    """

    name, idempotent = "elsewhere", True

    def add_worker(self, scheduler, worker):
        """Before the scheduler asks what the new worker may do."""
        for task in scheduler.unrunnable:
            if task.loose_restrictions:
                task.worker_restrictions = None


@dataclass
class DaskSweeps:
    """`Sweeps` by the workers of a client."""

    client: Client
    shape: tuple[int, int]
    ranges: list[tuple[int, int]]
    groups: list[Group]

    def __post_init__(self):
        self.places, self.listed, self.workers = {}, -math.inf, []

    def run(self, task, lefts=(), rights=(), *constants):
        """(left product or None, tuple of sums or None)."""
        shared, futures, names = self.shared(rights), [], []
        for place, groups in self.placed().items():
            mine = [tuple(self.part(left, group) for left in lefts) for group in groups]
            how = {"workers": place, "allow_other_workers": True, "key": f"{task.__name__}-{uuid4()}"}
            futures.append(self.client.submit(swept, groups, task, mine, shared, constants, **how))
            names += groups
        answer = dict(zip(names, chain.from_iterable(self.client.gather(futures)), strict=True))
        rows = [answer[group][0] for group in self.groups]
        total = fold((answer[group][1] for group in self.groups), added)
        return (None if rows[0] is None else np.concatenate(rows)), total

    def rows(self, group) -> slice:
        """Those of a group."""
        return slice(self.ranges[group.first][0], self.ranges[group.last - 1][1])

    def part(self, left, group):
        """The rows of a group."""
        return left[group] if isinstance(left, dict) else left[self.rows(group)]

    def kept(self, left, right):
        """Factors that go to the workers once: the rows of each group where it is, the right ones to all."""
        places = ((place, group) for place, groups in self.placed().items() for group in groups)
        return {g: self.result(left[self.rows(g)], place) for place, g in places}, self.result(right)

    def shared(self, factors):
        """Data for all workers: in their tasks if small, else as results that they hand on to each other."""
        return tuple(
            side if isinstance(side, Future) or side.nbytes < SMALL else self.result(side) for side in factors
        )

    def result(self, side, place=None):
        """An array as the result of a task, which is made again after a loss; what is scattered is not."""
        how = {"workers": place, "allow_other_workers": bool(place), "key": f"factor-{uuid4()}"}
        return self.client.submit(np.asarray, side, **how)

    def placed(self) -> dict:
        """Groups by the address of their worker: its last one unless that has too many, else the idlest."""
        if monotonic() > self.listed + OFTEN:
            self.listed, self.workers = monotonic(), sorted(addresses(self.client))
        held = {place: [] for place in self.workers}
        share = -(-len(self.groups) // len(held))
        for group in self.groups:
            place = self.places.get(group)
            if place not in held or len(held[place]) == share:
                place = min(held, key=lambda place: len(held[place]))
            held[place].append(group)
            self.places[group] = place
        return {place: groups for place, groups in held.items() if groups}


@dataclass(frozen=True)
class Distributed:
    """Prepared ratings whose blocks are with the workers of a client: all of them see the folder."""

    prepared: Prepared
    client: Client

    def __getattr__(self, name):
        """Names, shape and scale are those of the ratings."""
        return getattr(self.prepared, name)

    def sweeps(self, division: Division | None = None, threads: int = 1) -> DaskSweeps:
        """Over all ratings, or those that a division chooses; the threads are those of the workers."""
        self.client.register_plugin(Elsewhere())
        folder, blocks = str(self.prepared.folder.resolve()), len(self.prepared.index)
        size = group_size(blocks, SHARE * len(addresses(self.client)))
        starts = range(0, blocks, size)
        groups = [Group(folder, division, k, min(k + size, blocks)) for k in starts]
        return DaskSweeps(self.client, self.prepared.shape, self.prepared.blocks.ranges, groups)


def addresses(client) -> list[str]:
    """Those of the workers; waits where there is none, such as between a loss and a restart."""
    client.wait_for_workers(1)
    return list(client.nthreads())


def group_size(blocks: int, groups: int) -> int:
    """The largest power of two of which there are at least so many `groups`: such groups fold alike."""
    size = 1
    while -(-blocks // (2 * size)) >= groups:
        size *= 2
    return size
