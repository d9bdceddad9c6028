"""Settings all tests share: one BLAS thread, fixed draws; pytest puts the helpers beside it on the path."""

import functools
import os
import random
import signal

import pytest
from hypothesis import settings

# Before NumPy is imported: runs are compared bit by bit, and clocks count the CPU seconds of all threads.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# A shell starts what it puts in the background with ^C ignored, which tests of ^C would wait for.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No example is left to luck, and none to a clock.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


def pytest_addoption(parser):
    group = parser.getgroup("projfree")
    group.addoption("--long", action="store_true", help="slow forms in full, as every night")
    group.addoption("--changed", metavar="COMMIT", help="only what changes since COMMIT can have touched")
    group.addoption("--shuffle", metavar="SEED", type=int, help="files and their tests in random order")


# Rooms are found in the project at hand when they are first asked for: here, before a test goes elsewhere.
import referee.common.closure  # noqa: E402
import referee.papers  # noqa: E402, F401


@pytest.fixture(scope="session")
def long(request) -> bool:
    """Whether slow forms run in full; otherwise with a share of their cases."""
    return request.config.getoption("long")


@pytest.fixture
def still(monkeypatch):
    """Sources that nobody edits meanwhile: hashed and looked for once, as in one start of the workflow."""
    from projfree.common import registry
    from referee.common import closure

    for module, name in ((closure, "code_sha256"), (registry, "names")):
        monkeypatch.setattr(module, name, functools.cache(getattr(module, name)))


def pytest_make_parametrize_id(val, argname):
    """Name bytes by their parameter: packed ones hold the second they were packed in."""
    return argname if isinstance(val, bytes) else None


def pytest_collection_modifyitems(config, items):
    """Choose and order tests; slow files begin first, so that others run beside them."""
    if not config.getoption("long"):
        keep(config, items, [item for item in items if not item.get_closest_marker("long")])
    if base := config.getoption("changed"):
        from changed import touched

        keep(config, items, touched(items, base))
    if (seed := config.getoption("shuffle")) is not None:
        shuffle(items, random.Random(seed))
    items.sort(key=quick)


def quick(item) -> bool:
    """Whether a test is of no slow file."""
    return item.get_closest_marker("slow") is None


def keep(config, items, kept):
    """Deselect the other tests."""
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept


def shuffle(items, rng):
    """Files in random order, and the tests of each but slow ones, which share a project and its story."""
    place = {path: rng.random() for path in dict.fromkeys(item.path for item in items)}
    items.sort(key=lambda item: (place[item.path], quick(item) and rng.random()))
