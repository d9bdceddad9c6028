"""The downloader against servers that cut, lie, stall, redirect and serve pages."""

import gzip
import hashlib
import json
import multiprocessing
import os
import signal
import stat
import threading
import time

import numpy as np
import pytest
from local_site import digest, get, quick, row, send, serve

from projfree.data import fetch, store
from projfree.data.errors import IntegrityError, Unavailable

RNG = np.random.Generator(np.random.PCG64DXSM(1))
BODY = gzip.compress(RNG.bytes(300_000), mtime=0)
PAGE = b"<!DOCTYPE html><html><body>403 Forbidden</body></html>"


def thing(site, paths=("/a.gz",), known=True, **file):
    known = {"bytes": len(BODY), "sha256": digest(BODY)} if known else {}
    return row([{"name": "a.gz", "addresses": [site.url(p) for p in paths]} | known | file])


def raw(root):
    return root / "data" / "raw" / "thing" / "a.gz"


def leftovers(root):
    return [p.name for p in raw(root).parent.iterdir() if not p.name.startswith(".")]


def fetched(root, **others):
    return fetch.fetch(get(root), quick(root, **others))["a.gz"].read_bytes()


def refused(root, **others):
    """The message of a failed fetch that left nothing under the final name."""
    with pytest.raises(Unavailable) as error:
        fetch.fetch(get(root), quick(root, **others))
    assert not raw(root).exists()
    return str(error.value)


def test_honest_server(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site))
    assert fetched(root) == BODY
    assert leftovers(root) == ["a.gz"]
    assert stat.S_IMODE(raw(root).stat().st_mode) == 0o444
    assert fetched(root) == BODY and len(site.requests) == 1


def cut(handler, body, at=100_000):
    send(handler, 200, body[:at], {"ETag": f'"{hashlib.md5(body).hexdigest()}"'}, announce=len(body))


def test_cut_connection_resumes_where_it_broke(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [cut, serve]
    root = project(thing=thing(site))
    assert fetched(root) == BODY
    assert [r for _, r in site.requests] == [None, "bytes=100000-"]


def test_always_cut_is_an_error_and_leaves_only_the_part(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: cut(h, b, 1000)]
    root = project(thing=thing(site))
    message = refused(root)
    assert "cut" in message or "IncompleteRead" in message or "connection" in message
    assert len(site.requests) == 3
    assert "a.gz.part" in leftovers(root)


def test_server_that_ignores_range_starts_anew(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [cut, lambda h, b: send(h, 200, b)]
    assert fetched(project(thing=thing(site))) == BODY


@pytest.mark.parametrize(
    "answer", ["bytes 5-9/10", f"bytes 99999-1/{len(BODY)}", "bytes 100000-1/7", "", "nonsense"]
)
def test_wrong_content_range_starts_anew(site, project, answer):
    site.files["/a.gz"] = BODY
    wrong = lambda h, b: send(h, 206, b[99_999:], {"Content-Range": answer})  # noqa: E731
    site.tricks["/a.gz"] = [cut, wrong, serve]
    assert fetched(project(thing=thing(site))) == BODY


def test_file_changed_between_cut_and_resume_starts_anew(site, project):
    old = BODY[:10] + bytes(len(BODY) - 10)
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: cut(h, old), serve]
    root = project(thing=thing(site))
    assert fetched(root) == BODY
    assert site.requests[1][1] == "bytes=100000-"


def test_unsatisfiable_range_starts_anew(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [cut, lambda h, b: send(h, 416, b""), serve]
    assert fetched(project(thing=thing(site))) == BODY


def test_length_shorter_than_the_truth(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 200, b[:500], announce=500)]
    assert "announces 500 bytes" in refused(project(thing=thing(site)))
    # nothing known: the cut container gives it away
    assert "damaged or cut" in refused(project(thing=thing(site, known=False)))


def test_length_longer_than_the_truth(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 200, b, announce=len(b) + 10)]
    assert "announces" in refused(project(thing=thing(site)))
    refused(project(thing=thing(site, known=False)))


def test_endless_body_is_stopped_at_the_limit(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 200, b * 3, {"Content-Length": None})]
    assert "more than" in refused(project(thing=thing(site)))
    assert "more than 400000" in refused(project(thing=thing(site, known=False, max_bytes=400_000)))


def test_cut_without_any_announced_length_resumes(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 200, b[:-5], {"Content-Length": None}), serve]
    assert fetched(project(thing=thing(site))) == BODY
    assert site.requests[1][1] == f"bytes={len(BODY) - 5}-"


def test_403_page(site, project):
    site.tricks["/a.gz"] = [lambda h, b: send(h, 403, PAGE, {"Content-Type": "text/html"})]
    assert "status 403" in refused(project(thing=thing(site)))
    assert len(site.requests) == 1


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/octet-stream"])
def test_403_page_with_status_200(site, project, kind):
    site.tricks["/a.gz"] = [lambda h, b: send(h, 200, PAGE, {"Content-Type": kind})]
    assert "page" in refused(project(thing=thing(site, known=False)))
    refused(project(thing=thing(site)))


def test_page_that_is_told_by_its_type_only(site, project):
    site.tricks["/a.txt"] = [lambda h, b: send(h, 200, b"Access denied", {"Content-Type": "text/html"})]
    assert "web page" in refused(project(thing=thing(site, ["/a.txt"], known=False)))


def test_wrong_bytes_of_the_right_length(site, project):
    wrong = gzip.compress(RNG.bytes(300_000), mtime=0)
    wrong = wrong[: len(BODY)].ljust(len(BODY), b"x")
    site.files["/a.gz"] = wrong
    root = project(thing=thing(site))
    assert "SHA-256" in refused(root)
    assert leftovers(root) == []


def test_stall_then_resume(site, project):
    given_up = threading.Event()

    def stall(handler, body):
        cut_body = body[:100_000]
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(cut_body)
        handler.wfile.flush()
        given_up.wait()

    def again(handler, body):
        given_up.set()
        serve(handler, body)

    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [stall, again]
    assert fetched(project(thing=thing(site)), read_timeout=0.5) == BODY
    assert site.requests[1][1] == "bytes=100000-"


def test_stall_forever_ends(site, project):
    ended = threading.Event()
    site.tricks["/a.gz"] = [lambda h, b: ended.wait()]
    assert "time limit" in refused(project(thing=thing(site)), attempts=2, read_timeout=0.2)
    ended.set()


def test_redirect_loop(site, project):
    site.tricks["/a.gz"] = [lambda h, b: send(h, 302, b"", {"Location": "/a.gz"})]
    assert "circle" in refused(project(thing=thing(site)))


def test_redirect_is_followed(site, project):
    site.files["/b.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 302, b"", {"Location": "/b.gz"})]
    assert fetched(project(thing=thing(site))) == BODY


def test_busy_server_is_asked_again_and_gone_file_is_not(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 503, b""), serve]
    assert fetched(project(thing=thing(site, ["/gone.gz", "/a.gz"]))) == BODY
    assert [p for p, _ in site.requests] == ["/gone.gz", "/a.gz", "/a.gz"]


def test_file_recompressed_on_the_way_is_refused(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 200, b, {"Content-Encoding": "br"})]
    assert "changed the file" in refused(project(thing=thing(site)))


def test_gzip_file_labelled_as_encoding_is_kept_as_it_is(site, project):
    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [lambda h, b: send(h, 200, b, {"Content-Encoding": "x-gzip"})]
    assert fetched(project(thing=thing(site))) == BODY


def test_error_lists_every_address_and_the_manual_way(site, project):
    root = project(thing=thing(site, ["/x.gz", "/y.gz"]) | {"obtain": "Ask the author."})
    message = refused(root)
    for part in (
        site.url("/x.gz"),
        site.url("/y.gz"),
        "404",
        "Ask the author.",
        "projfree data add",
        str(raw(root)),
    ):
        assert part in message


def test_dead_server(project, site):
    root = project(thing=thing(site))
    site.close()
    message = refused(root)
    assert "connection failed" in message and "3 attempts" in message
    site.server.server_close()


def test_offline_never_asks(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site))
    assert "offline" in refused(root, offline=True)
    refused(root, offline=True, mirror=site.url(""))
    assert site.requests == []


def test_unknown_hash_is_recorded_then_checked(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site, known=False))
    assert fetched(root) == BODY
    table = json.loads((root / "data" / "downloads.lock.json").read_text())
    assert table == {"thing/a.gz": {site.url("/a.gz"): digest(BODY)}}
    raw(root).unlink()
    site.files["/a.gz"] = gzip.compress(b"something else", mtime=0)
    assert "first seen" in refused(root)


def test_file_changed_in_place_is_found_and_kept(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site, known=False))
    fetched(root)
    raw(root).chmod(0o644)
    raw(root).write_bytes(BODY[:-1])
    with pytest.raises(IntegrityError, match="not the file of the catalog"):
        fetched(root)
    assert raw(root).read_bytes() == BODY[:-1]
    assert "WRONG" in fetch.verify(get(root), quick(root))["a.gz"]


def test_damaged_record_is_an_error(site, project):
    site.files["/a.gz"] = BODY
    root = project(thing=thing(site, known=False))
    (root / "data").mkdir()
    (root / "data" / "downloads.lock.json").write_text("{")
    with pytest.raises((IntegrityError, Unavailable), match="damaged"):
        fetched(root)
    assert not raw(root).exists()


def _child(root, queue):
    try:
        queue.put(fetched(root) == BODY)
    except BaseException as error:
        queue.put(repr(error))


def test_two_processes_at_once_download_once(site, project):
    def slow(handler, body):
        time.sleep(0.3)
        serve(handler, body)

    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [slow]
    root = project(thing=thing(site, known=False))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=_child, args=(root, queue)) for _ in range(2)]
    for child in children:
        child.start()
    assert [queue.get() for _ in children] == [True, True]
    for child in children:
        child.join()
    assert len(site.requests) == 1


def test_killed_in_between_then_resumed(site, project):
    killed = threading.Event()

    def crawl(handler, body):
        tag = {"ETag": f'"{hashlib.md5(body).hexdigest()}"'}
        handler.send_response(200)
        for key, value in (tag | {"Content-Length": str(len(body))}).items():
            handler.send_header(key, value)
        handler.end_headers()
        handler.wfile.write(body[:50_000])
        handler.wfile.flush()
        killed.wait()

    site.files["/a.gz"] = BODY
    site.tricks["/a.gz"] = [crawl, serve]
    root = project(thing=thing(site))
    context = multiprocessing.get_context("fork")
    child = context.Process(target=lambda: fetch.fetch(get(root), quick(root, read_timeout=30)))
    child.start()
    part = raw(root).with_name("a.gz.part")
    while not (part.exists() and part.stat().st_size == 50_000):
        assert child.is_alive()
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    killed.set()
    assert part.stat().st_size == 50_000 and not raw(root).exists()
    assert fetched(root) == BODY
    assert site.requests[1] == ("/a.gz", "bytes=50000-")


def test_part_of_another_address_is_not_continued(site, project):
    site.files |= {"/a.gz": BODY, "/b.gz": BODY}
    site.tricks["/a.gz"] = [cut]
    root = project(thing=thing(site, ["/a.gz", "/b.gz"]))
    assert fetched(root, attempts=1) == BODY
    assert site.requests[-1] == ("/b.gz", None)


def test_settings_come_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("PROJFREE_MIRROR", "somewhere")
    monkeypatch.setenv("PROJFREE_OFFLINE", "1")
    assert store.settings(tmp_path).mirror == "somewhere" and store.settings(tmp_path).offline
    assert store.settings(tmp_path, "other", False) == store.Settings(tmp_path, "other", False)
    monkeypatch.setenv("PROJFREE_OFFLINE", "0")
    assert not store.settings(tmp_path).offline
