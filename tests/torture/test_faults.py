"""The downloader against every fault of a server; killed in the middle; flooded."""

import itertools
import multiprocessing
import os
import random
import resource
import signal
import time
from concurrent.futures import ProcessPoolExecutor

import bad_servers
import pytest
from local_site import Site, digest, get, head, quick, raw, serve

from referee.data import fetch, fingerprint  # noqa: F401 - with SciPy, loaded once, before the forks
from referee.data.errors import DataError

BIG = 64 << 20
MOST = BIG // 4  # bytes that the process may grow by
BLOCK = bytes(1 << 20)
FORK = multiprocessing.get_context("fork")


def test_every_fault_gives_the_right_file_or_an_error_that_names_every_address(tmp_path, times):
    counts, wrongs = bad_servers.torture(2 * times * len(bad_servers.ALL), 7, tmp_path)
    assert wrongs == []
    tried = {kind: counts[kind, "right"] + counts[kind, "error"] for kind in bad_servers.ALL}
    assert set(tried.values()) == {2 * times}  # how many are right, the clock decides


@pytest.fixture
def site():
    made = Site()
    yield made
    made.close()


def fetched(root, **settings):
    return fetch.fetch(get(root), quick(root, **settings))["a.bin"]


def slowly(handler, body):
    head(handler, 200, {"Content-Length": str(len(body))})
    raw(handler, (body[place : place + 2000] for place in range(0, len(body), 2000)), 0.01)


def test_killed_at_a_random_moment_the_download_begins_anew(site, tmp_path, times):
    rng = random.Random("kill")
    for number in range(2 * times):
        path, body = f"/kill/{number}", rng.randbytes(50_000)
        site.files[path], site.tricks[path] = body, [slowly, serve]
        file = {"name": "a.bin", "addresses": [site.url(path)], "bytes": len(body), "sha256": digest(body)}
        root = bad_servers.project(tmp_path / str(number), file)
        child = FORK.Process(target=fetched, args=(root,))
        child.start()
        time.sleep(rng.random() * 0.6)
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        final = root / "data" / "raw" / "thing" / "a.bin"
        assert not final.exists() or final.read_bytes() == body
        assert fetched(root).read_bytes() == body


def flood(status, headers):
    """64 MB as the body of whatever answer; forty times as much where no length is announced."""

    def trick(handler, body):
        head(handler, status, headers)
        until = time.monotonic() + 5
        many = BIG // len(BLOCK) * (1 if "Content-Length" in headers else 40)
        raw(handler, itertools.takewhile(lambda _: time.monotonic() < until, [BLOCK] * many))

    return trick


def grow(root):
    """How fetching ended, and the bytes that the process grew by."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        result = "right" if fetched(root, attempts=2).stat().st_size == BIG else "wrong size"
    except DataError:
        result = "error"
    return result, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024


@pytest.mark.parametrize(
    ("status", "headers", "wanted"),
    [
        (200, {"Content-Length": str(BIG)}, "right"),
        (200, {}, "error"),
        (403, {}, "error"),
        (503, {}, "error"),
        (302, {"Location": "/flood"}, "error"),
    ],
    ids=["the file", "a file without end", "refusal", "busy", "redirect"],
)
def test_large_files_and_floods_take_no_memory(site, tmp_path, status, headers, wanted):
    site.tricks["/flood"] = [flood(status, headers)]
    file = {"name": "a.bin", "addresses": [site.url("/flood")], "bytes": BIG, "sha256": None}
    root = bad_servers.project(tmp_path / "flood", file)
    with ProcessPoolExecutor(1, mp_context=FORK) as pool:
        result, grown = pool.submit(grow, root).result(timeout=300)
    assert result == wanted and grown <= MOST
