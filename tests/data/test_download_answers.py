"""Answers that deceive a client which trusts single headers, single reads or a first block."""

import contextlib
import errno
import json
import time

import pytest
from local_site import digest, get, quick, reply, row, send, serve

from projfree.data import connection, download, fetch
from projfree.data.errors import Unavailable

BODY = b"".join(b"%d\n" % i for i in range(20_000))


def thing(site, hashed=True, sized=True, name="a.txt"):
    known = {"bytes": len(BODY) if sized else None, "sha256": digest(BODY) if hashed else None}
    return row([{"name": name, "addresses": [site.url(f"/{name}")]} | known])


def fetched(root, **others):
    return fetch.fetch(get(root), quick(root, **others))["a.txt"].read_bytes()


def refused(root, **others):
    with pytest.raises(Unavailable) as error:
        fetched(root, **others)
    assert not (root / "data" / "raw" / "thing" / "a.txt").exists()
    return str(error.value)


def cut(handler, body, headers=None):
    status, payload, tag = reply(handler, body)
    send(handler, status, payload[:1000], tag if headers is None else headers, announce=len(payload))


def drip(handler, pieces):
    with contextlib.suppress(OSError):
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(0.02)


def drip_body(handler, body):
    handler.send_response(200)
    handler.end_headers()
    drip(handler, [b"1"] * 200)


@pytest.mark.parametrize(
    "trick", [drip_body, lambda handler, body: drip(handler, [b"HTTP/1.1 200 OK\r\nA: ", *[b"b"] * 200])]
)
def test_a_dripping_server_meets_each_read_but_not_the_window(site, project, trick):
    site.tricks["/a.txt"] = [trick]
    message = refused(project(thing=thing(site)), attempts=1, window=0.5, least=1000)
    assert "fewer than 1000 bytes in 0.5 seconds" in message


@pytest.mark.parametrize("sizes, expired", [([1000, 9000, 1000], False), ([1000, 9000, 999, 1000], True)])
def test_a_server_that_is_slow_enough_is_waited_for(tmp_path, sizes, expired):
    """Each window brings bytes of these sizes."""
    watch, left = connection.Watch(quick(tmp_path, window=0.15, least=1000)), list(sizes)

    def wait(window):
        assert window == 0.15
        return not left or watch.feed(left.pop(0)) is not None

    watch._done.wait = wait
    ends = (
        pytest.raises(connection.Interrupted, match="fewer than 1000 bytes")
        if expired
        else contextlib.nullcontext()
    )
    with ends, watch:
        watch._thread.join()
    assert watch.expired is expired and len(left) == expired


def test_the_body_of_a_redirect_is_not_read(site, project):
    site.files["/b"], sent = BODY, []

    def flood(handler, body):
        handler.send_response(302)
        handler.send_header("Location", "/b")
        handler.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(100):
                handler.wfile.write(bytes(1 << 20))
                sent.append(1)

    site.tricks["/a.txt"] = [flood]
    assert fetched(project(thing=thing(site))) == BODY
    assert len(sent) < 50


@pytest.mark.parametrize("number", ["²", "9" * 5000, "abc"])
def test_numbers_that_are_none(site, project, number):
    site.files["/a.txt"] = BODY
    site.tricks["/a.txt"] = [
        lambda handler, body: send(handler, 503, b"", {"Retry-After": number}),
        lambda handler, body: send(handler, 200, body, {"Content-Length": number}),
    ]
    assert fetched(project(thing=thing(site))) == BODY


@pytest.mark.parametrize("location", ["http://[::1", "\xff\xfe", "http://a:99999/", "file:///a", "http://"])
def test_redirects_to_nowhere(site, project, location):
    site.tricks["/a.txt"] = [lambda handler, body: send(handler, 302, b"", {"Location": location})]
    assert site.url("/a.txt") in refused(project(thing=thing(site)))


def test_a_range_that_ends_early_is_not_the_end_of_the_file(site, project):
    site.files["/a.txt"] = BODY

    def some(handler, body):
        status, payload, headers = reply(handler, body)
        headers |= {"Content-Range": f"bytes 1000-1004/{len(body)}"}
        send(handler, status, payload[:5], headers)

    site.tricks["/a.txt"] = [lambda h, b: cut(h, b), some, serve]
    assert fetched(project(thing=thing(site, hashed=False, sized=False))) == BODY
    assert [wanted for _, wanted in site.requests] == [None, "bytes=1000-", "bytes=1005-"]


def test_the_rest_of_another_version_is_not_appended(site, project):
    site.files["/a.txt"] = BODY

    def other(handler, body):
        send(handler, *reply(handler, b"x" * len(body)))

    def ignorant(handler, body):
        del handler.headers["If-Range"]
        other(handler, body)

    site.tricks["/a.txt"] = [cut, ignorant, serve]
    assert fetched(project(thing=thing(site, hashed=False))) == BODY


def test_without_hash_and_version_a_part_is_not_continued(site, project):
    site.files["/a.txt"] = BODY
    site.tricks["/a.txt"] = [lambda handler, body: cut(handler, body, {}), serve]
    assert fetched(project(thing=thing(site, hashed=False))) == BODY
    assert [wanted for _, wanted in site.requests] == [None, None]


def test_a_page_whose_first_byte_comes_alone(site, project):
    def page(handler, body):
        handler.send_response(200)
        handler.end_headers()
        drip(handler, [b"<", b"!DOCTYPE html><html>403</html>"])

    site.tricks["/a.txt"] = [page]
    assert "web page" in refused(project(thing=thing(site, hashed=False, sized=False)))


def test_a_kill_between_note_and_file_does_not_join_two_versions(site, project, monkeypatch):
    site.files["/a.txt"] = BODY
    site.tricks["/a.txt"] = [lambda h, b: cut(h, b"x" * len(b)), serve]
    root = project(thing=thing(site, hashed=False))
    refused(root, attempts=1)

    def kill(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(download, "_receive", kill)
    with pytest.raises(KeyboardInterrupt):
        fetched(root)
    monkeypatch.undo()
    assert fetched(root) == BODY


@pytest.mark.parametrize("note", [b"", b"[]", b"{}", b"\xff", b'{"url": "URL", "tag": "t", "total": "many"}'])
def test_a_damaged_note_on_a_part_begins_anew(site, project, note):
    site.files["/a.txt"] = BODY
    site.tricks["/a.txt"] = [cut, serve]
    root = project(thing=thing(site))
    refused(root, attempts=1)
    (path,) = root.rglob("*.part.json")
    path.write_bytes(note.replace(b"URL", json.loads(path.read_text())["url"].encode()))
    assert fetched(root) == BODY and [wanted for _, wanted in site.requests] == [None, None]


def test_a_disk_that_fills_up_is_a_clear_error(site, project, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    site.files["/a.txt"] = BODY
    monkeypatch.setattr(download.os, "fsync", full)
    assert "No space left on device" in refused(project(thing=thing(site)))
