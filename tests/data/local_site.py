"""A real local HTTP server that can misbehave, catalog rows for tests, settings that do not wait."""

import contextlib
import hashlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from referee.data import catalog, store


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
                site.requests.append(self.path)
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


def head(handler, status, headers):
    """Status line and headers."""
    handler.send_response(status)
    for key, value in headers.items():
        if value is not None:
            handler.send_header(key, value)
    with contextlib.suppress(OSError):
        handler.end_headers()


def raw(handler, pieces, pause=0.0):
    """Bytes as they are, piece by piece, until the client hangs up."""
    with contextlib.suppress(OSError):
        for piece in pieces:
            handler.wfile.write(piece)
            time.sleep(pause)


def send(handler, status, body, headers=None, announce=None):
    """One response; `announce` lies about the length."""
    fields = {"Content-Type": "application/octet-stream", "Content-Length": str(announce or len(body))}
    head(handler, status, fields | (headers or {}) | {"Connection": "close"})
    raw(handler, [body])


def serve(handler, body):
    """An honest answer."""
    send(handler, 404, b"no") if body is None else send(handler, 200, body)


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
