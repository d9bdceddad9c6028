"""The downloader against servers that cut, lie, stall, drip or serve pages: answers → file or error."""

import gzip
import json
import multiprocessing
import os
import resource
import signal
import stat
import threading
import time

import numpy as np
import pytest
from local_site import digest, get, head, quick, raw, row, send, serve

from referee.data import fetch, store
from referee.data.errors import IntegrityError, Unavailable

BODY = gzip.compress(np.random.Generator(np.random.PCG64DXSM(1)).bytes(300_000), mtime=0)
PAGE = b"<!DOCTYPE html><html><body>403 Forbidden</body></html>"
KNOWN = {"bytes": len(BODY), "sha256": digest(BODY)}
UNKNOWN = {}
TEXT = {"max_bytes": 10**6}  # nothing known either, and an address that does not say how it is packed


def thing(site, known=KNOWN, paths=("/a.gz",)):
    paths = ["/a.txt"] if known is TEXT else paths
    return row([{"name": "a.gz", "addresses": [site.url(p) for p in paths]} | known])


def target(root):
    return root / "data" / "raw" / "thing" / "a.gz"


def leftovers(root):
    return [p.name for p in target(root).parent.iterdir() if not p.name.startswith(".")]


def fetched(root, **others):
    return fetch.fetch(get(root), quick(root, **others))["a.gz"].read_bytes()


def refused(root, **others):
    """The message of a failed fetch, which leaves nothing."""
    with pytest.raises(Unavailable) as error:
        fetched(root, **others)
    assert leftovers(root) == []
    return str(error.value)


def answer(status=200, body=None, headers=None, announce=None):
    """A trick that sends this; `body` is bytes, or a function of the right ones."""
    change = body if callable(body) else lambda right: right if body is None else body
    return lambda handler, right: send(handler, status, change(right), headers, announce)


def pieces(*parts, headers=None, pause=0.02):
    """A trick that sends these bytes one after the other."""

    def trick(handler, body):
        head(handler, 200, headers or {})
        raw(handler, parts, pause)

    return trick


def stall(handler, body):
    """A third of the file, then nothing until the client hangs up."""
    head(handler, 200, {"Content-Length": str(len(body))})
    raw(handler, [body[:100_000]])
    handler.connection.recv(1)


def silent(handler, body):
    handler.connection.recv(1)


def dripping_headers(handler, body):
    raw(handler, [b"HTTP/1.1 200 OK\r\nA: ", *[b"b"] * 200], 0.02)


def endless_redirect(handler, body):
    head(handler, 302, {"Location": "/b.gz"})
    raw(handler, [bytes(1 << 20)] * 10_000)


def to(location):
    return answer(302, b"", {"Location": location})


def cut(announce):
    return answer(body=lambda b: b[:100_000], announce=announce, headers={} if announce else NO_LENGTH)


NO_LENGTH = {"Content-Length": None}
TWICE = answer(body=lambda b: b * 2, headers=NO_LENGTH)
WRONG = gzip.compress(bytes(1000), mtime=0).ljust(len(BODY), b"x")
SLOW = [BODY[at : at + 10_000] for at in range(0, len(BODY), 10_000)]
WINDOW = {"attempts": 1, "window": 0.5, "least": 1000}
WAIT = {"read_timeout": 0.3}

#: What the server answers, one answer after the other → (what the catalog knows, the file or what the error
#: says, requests), and settings where they matter.
ANSWERS = {
    "honest": ([serve], KNOWN, BODY, 1),
    "cut": ([cut(len(BODY)), serve], KNOWN, BODY, 2),
    "cut, nothing known": ([cut(len(BODY)), serve], UNKNOWN, BODY, 2),
    "cut, length not announced": ([cut(None), serve], KNOWN, BODY, 2),
    "cut, length neither announced nor known": ([cut(None)], UNKNOWN, "damaged or cut", 1),
    "always cut": ([cut(len(BODY))], KNOWN, "after 3 attempts", 3),
    "a part that was not asked for": ([answer(206, lambda b: b[5:])], KNOWN, "status 206", 1),
    "shorter than the catalog says": ([answer(body=b"1" * 500)], KNOWN, "announces 500 bytes", 1),
    "longer than the catalog says": ([answer(announce=len(BODY) + 9)], KNOWN, "the catalog says", 1),
    "shorter than announced": ([answer(announce=len(BODY) + 9)], UNKNOWN, "after 3 attempts", 3),
    "more than the catalog says": ([TWICE], KNOWN, "more than", 1),
    "more than the limit": ([TWICE], {"max_bytes": 400_000}, "more than 400000 bytes came", 1),
    "announces more than the limit": ([serve], {"max_bytes": 999}, "more than the limit of 999", 1),
    "more than the disk has": ([answer(announce=10**17)], {"max_bytes": 10**18}, "free on the disk", 1),
    "other bytes": ([answer(body=WRONG)], KNOWN, "SHA-256", 1),
    "403": ([answer(403, PAGE, {"Content-Type": "text/html"})], KNOWN, "status 403", 1),
    "204": ([answer(204, b"")], KNOWN, "status 204", 1),
    "page": ([answer(body=PAGE, headers={"Content-Type": "text/html; x"})], UNKNOWN, "web page", 1),
    "page called data": ([answer(body=PAGE)], UNKNOWN, "web page", 1),
    "page by its type": ([answer(body=b"No.", headers={"Content-Type": "text/html"})], TEXT, "sent a", 1),
    "page whose first byte comes alone": ([pieces(b" ", b"<HTML>403")], TEXT, "web page", 1),
    "not gzip": ([answer(body=b"plain")], UNKNOWN, "does not begin like a .gz", 1),
    "packed on the way": ([answer(headers={"Content-Encoding": "br"})], KNOWN, "changed the file", 1),
    "labelled as packed": ([answer(headers={"Content-Encoding": "x-gzip"})], KNOWN, BODY, 1),
    "asks to wait an hour": ([answer(503, b"", {"Retry-After": "3600"}), serve], KNOWN, BODY, 2),
    "stalls": ([stall, serve], KNOWN, BODY, 2, WAIT),
    "says nothing": ([silent], KNOWN, "no data within the time limit (after 3 attempts)", 3, WAIT),
    "drips": ([pieces(BODY[:2], *[b"1"] * 200)], KNOWN, "fewer than 1000 bytes in 0.5", 1, WINDOW),
    "drips after a good start": ([pieces(*SLOW, *[b"1"] * 200)], UNKNOWN, "fewer than 1000", 1, WINDOW),
    "drips headers": ([dripping_headers], KNOWN, "fewer than 1000 bytes in 0.5", 1, WINDOW),
    "slow, but not too slow": ([pieces(*SLOW, pause=0.05)], KNOWN, BODY, 1, WINDOW),
    "redirect": ([to("/b.gz")], KNOWN, BODY, 2),
    "redirect in a circle": ([to("/a.gz")], KNOWN, "redirects in a circle", 20),
    "redirect that does not end": ([endless_redirect], KNOWN, BODY, 2),
    "redirect to half an address": ([to("http://[::1")], KNOWN, "malformed", 1),
    "redirect to bytes": ([to("\xff\xfe")], KNOWN, "status 404", 2),
    "redirect to no port": ([to("http://a:99999/")], KNOWN, "not an address", 1),
    "redirect to a file": ([to("file:///a")], KNOWN, "not an address", 1),
}
for number in ("²", "9" * 5000, "abc"):
    busy, lies = answer(503, b"", {"Retry-After": number}), answer(headers={"Content-Length": number})
    ANSWERS[f"busy, then a length, of {number[:3]}"] = ([busy, lies], KNOWN, BODY, 2)


@pytest.mark.parametrize("case", ANSWERS.values(), ids=ANSWERS)
def test_answers(site, project, case):
    tricks, known, expected, asked, *others = case
    site.files |= {"/a.gz": BODY, "/b.gz": BODY}
    site.tricks["/a.gz"] = site.tricks["/a.txt"] = list(tricks)
    root, settings = project(thing=thing(site, known)), {"max_wait": 0.02} | dict(*others)
    if isinstance(expected, bytes):
        assert fetched(root, **settings) == expected
        assert leftovers(root) == ["a.gz"] and stat.S_IMODE(target(root).stat().st_mode) == 0o444
    else:
        assert expected in refused(root, **settings)
    assert len(site.requests) == asked


def test_what_is_there_is_not_fetched_again(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site))
    assert [fetched(root), fetched(root)] == [BODY, BODY] and len(site.requests) == 1


def test_a_disk_that_fills_up_is_a_clear_error(site, project):
    site.files["/a.gz"] = BODY
    root, before = project(thing=thing(site)), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        assert "cannot be received: File too large" in refused(root)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_error_lists_every_address_and_the_manual_way(site, project):
    """Each is asked once: they have no such file."""
    root = project(thing=thing(site, KNOWN, ["/x.gz", "/y.gz"]) | {"obtain": "Ask the author."})
    message = refused(root)
    for part in ("/x.gz", "/y.gz", "404", "Ask the author.", "projfree data add", str(target(root))):
        assert part in message
    assert site.requests == ["/x.gz", "/y.gz"]


def test_the_next_address_is_asked(site, project):
    site.files["/b.gz"] = BODY
    assert fetched(project(thing=thing(site, KNOWN, ["/gone.gz", "/b.gz"]))) == BODY


def test_dead_server(project, site):
    root = project(thing=thing(site))
    site.close()
    message = refused(root)
    assert "connection failed" in message and "3 attempts" in message


def test_offline_never_asks(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site))
    assert "offline" in refused(root, offline=True)
    refused(root, offline=True, mirror=site.url(""))
    assert site.requests == []


def test_unknown_hash_is_recorded_then_checked(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site, UNKNOWN))
    assert fetched(root) == BODY
    table = json.loads((root / "data" / "downloads.lock.json").read_text())
    assert table == {"thing/a.gz": {site.url("/a.gz"): digest(BODY)}}
    target(root).unlink()
    site.files["/a.gz"] = gzip.compress(b"something else", mtime=0)
    assert "first seen" in refused(root)


def test_file_changed_in_place_is_found_and_kept(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site, UNKNOWN))
    fetched(root)
    target(root).chmod(0o644)
    target(root).write_bytes(BODY[:-1])
    with pytest.raises(IntegrityError, match="not the file of the catalog"):
        fetched(root)
    assert target(root).read_bytes() == BODY[:-1]
    assert "WRONG" in fetch.verify(get(root), quick(root))["a.gz"]


def test_damaged_record_is_an_error(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site, UNKNOWN))
    (root / "data").mkdir()
    (root / "data" / "downloads.lock.json").write_text('{"thing/a.gz": {"x": ')
    with pytest.raises((IntegrityError, Unavailable), match="damaged"):
        fetched(root)
    assert not target(root).exists()


def _child(root):
    assert fetched(root) == BODY


def children(root, count):
    """Processes that fetch."""
    started = [multiprocessing.get_context("fork").Process(target=_child, args=(root,)) for _ in range(count)]
    for child in started:
        child.start()
    return started


def test_two_processes_at_once_download_once(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda handler, body: (time.sleep(0.3), serve(handler, body))]
    both = children(project(thing=thing(site, UNKNOWN)), 2)
    for child in both:
        child.join()
    assert [child.exitcode for child in both] == [0, 0] and len(site.requests) == 1


def test_killed_in_between_then_fetched_anew(site, project):
    came = threading.Event()

    def hold(handler, body):
        head(handler, 200, {"Content-Length": str(len(body))})
        raw(handler, [bytes(50_000)])  # not the file's: joined to a later answer they would show
        came.set()
        handler.connection.recv(1)

    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [hold, serve]
    root = project(thing=thing(site, UNKNOWN))
    (child,) = children(root, 1)
    assert came.wait(60)
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    assert not target(root).exists()
    assert fetched(root) == BODY and leftovers(root) == ["a.gz"]


def test_settings_come_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("PROJFREE_MIRROR", "somewhere")
    monkeypatch.setenv("PROJFREE_OFFLINE", "1")
    assert store.settings(tmp_path).mirror == "somewhere" and store.settings(tmp_path).offline
    assert store.settings(tmp_path, "other", False) == store.Settings(tmp_path, "other", False)
    monkeypatch.setenv("PROJFREE_OFFLINE", "0")
    assert not store.settings(tmp_path).offline
