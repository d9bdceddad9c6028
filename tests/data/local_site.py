"""A real local HTTP server that can misbehave, catalog rows for tests, settings that do not wait."""

import contextlib
import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from projfree.data import catalog, store


class Server(ThreadingHTTPServer):
    """For many clients at once, who may hang up: that is what the tests are about."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


class Site:
    """Serves `files` by path; `tricks[path]` is a list of functions, each consumed by one request.

    With `tls`, an ssl.SSLContext, it answers https only.
    """

    def __init__(self, tls=None):
        self.files, self.tricks, self.requests = {}, {}, []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.requests.append((self.path, self.headers.get("Range")))
                tricks = site.tricks.get(self.path)
                trick = (tricks.pop(0) if len(tricks) > 1 else tricks[0]) if tricks else serve
                trick(self, site.files.get(self.path))
                self.close_connection = True

            def log_message(self, *args):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.scheme = "https" if tls else "http"
        if tls:  # the handshake waits for the thread of its request: a bad one must not stop the others
            self.server.socket = tls.wrap_socket(
                self.server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self.thread.start()

    def url(self, path):
        return f"{self.scheme}://127.0.0.1:{self.server.server_address[1]}{path}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def send(handler, status, body, headers=None, announce=None):
    """One response; `announce` lies about the length."""
    handler.send_response(status)
    fields = {"Content-Type": "application/octet-stream", "Content-Length": str(announce or len(body))}
    for key, value in (fields | (headers or {})).items():
        if value is not None:
            handler.send_header(key, value)
    handler.send_header("Connection", "close")
    handler.end_headers()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        handler.wfile.write(body)


def reply(handler, body):
    """(status, body, headers) of an honest server with ranges and an entity tag."""
    if body is None:
        return 404, b"no", {}
    tag = {"ETag": f'"{hashlib.md5(body).hexdigest()}"'}
    wanted = handler.headers.get("Range")
    if wanted and handler.headers.get("If-Range", tag["ETag"]) == tag["ETag"]:
        start = int(wanted.removeprefix("bytes=").rstrip("-"))
        if start >= len(body):
            return 416, b"", {}
        return 206, body[start:], tag | {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}
    return 200, body, tag


def serve(handler, body):
    """An honest answer."""
    send(handler, *reply(handler, body))


def row(files, **others):
    """A catalog row for tests."""
    base = {
        "title": "Test data",
        "version": "1",
        "licence": "none",
        "redistributable": True,
        "citation": "nobody",
        "used_by": ["ncgs"],
        "reader": None,
        "reader_issue": "a test",
        "fingerprint": {"shape": None, "nnz": None, "labels": None, "column_sums": None},
        "files": [{"addresses": [], "bytes": None, "sha256": None} | f for f in files],
    }
    return base | others


def quick(root, **others):
    """Settings that do not wait."""
    times = {"attempts": 3, "backoff": 0.01, "connect_timeout": 10.0, "read_timeout": 10.0}
    return store.Settings(root, **times | others)


def digest(body):
    return hashlib.sha256(body).hexdigest()


def get(root, name="thing"):
    return catalog.dataset(name, root)
