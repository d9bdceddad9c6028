"""One answer of a server: redirects followed by hand, errors in our words, no answer that drips for ever."""

import contextlib
import re
import socket
import threading
from urllib.parse import urljoin

import requests
import urllib3
from requests.adapters import HTTPAdapter

from referee.data.errors import Interrupted, Unavailable
from referee.data.store import Settings

MOST_REDIRECTS = 20
HEADERS = {"Accept-Encoding": "identity", "User-Agent": "projfree"}


@contextlib.contextmanager
def answer(url: str, settings: Settings):
    """The final response for `url` and the Watch to feed with the bytes that come; its body is not yet read.

    Whatever goes wrong inside, also while the caller reads the body, comes out as Unavailable or Interrupted.
    """
    timeout = (settings.connect_timeout, settings.read_timeout)
    with Watch(settings) as watch, _network_errors(), _Session() as session:
        for scheme in ("http://", "https://"):
            session.mount(scheme, _Adapter(watch))
        for _ in range(MOST_REDIRECTS):
            with session.get(url, headers=HEADERS, stream=True, timeout=timeout) as response:
                if not response.is_redirect:
                    yield response, watch
                    return
                url = _next(url, response.headers["Location"])
        raise Unavailable("redirects in a circle")


class _Session(requests.Session):
    """Leaves redirects alone: requests reads the body of each into memory, however long it is."""

    def get_redirect_target(self, resp):
        return None


def _next(url: str, location: str) -> str:
    return urljoin(url, location.encode("latin-1").decode("utf-8", "replace"))


class Watch:
    """Cuts the connections of an attempt once `window` seconds bring fewer than `least` bytes (of settings).

    A time limit on single reads cannot do this: one byte now and then, in a header or in the body, meets it
    for ever.
    """

    def __init__(self, settings: Settings):
        self.window, self.least = settings.window, settings.least
        self.came, self.expired = 0, False
        self._sockets, self._done, self._lock = [], threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def feed(self, size: int) -> None:
        """Count bytes that came."""
        self.came += size

    def add(self, connection: socket.socket) -> None:
        """Watch over a connection; a duplicate handle stays valid when TLS takes over the original."""
        with self._lock:
            self._sockets.append(connection.dup())
        if self.expired:
            self._cut()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._done.set()
        self._thread.join()
        for connection in self._sockets:
            connection.close()
        if self.expired:  # the cut connection may look like a body that ends, or like any network error
            raise Interrupted(f"fewer than {self.least} bytes in {self.window:g} seconds") from None

    def _run(self):
        before = 0
        while not self._done.wait(self.window):
            if self.came - before < self.least:
                self.expired = True
                return self._cut()
            before = self.came

    def _cut(self):
        with self._lock:
            for connection in self._sockets:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class _Adapter(HTTPAdapter):
    """Hands every new connection to the watch."""

    def __init__(self, watch: Watch):
        self.watch = watch
        super().__init__()

    def get_connection_with_tls_context(self, *args, **options):
        pool = super().get_connection_with_tls_context(*args, **options)
        watch, plain = self.watch, type(pool).ConnectionCls

        class Watched(plain):
            def _new_conn(self):
                connection = super()._new_conn()
                watch.add(connection)
                return connection

        pool.ConnectionCls = Watched
        return pool


@contextlib.contextmanager
def _network_errors():
    """Translate what requests, urllib3, a malformed header and a full disk raise."""
    try:
        yield
    except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
        raise Unavailable(f"not an address: {_brief(error)}") from None
    except (requests.Timeout, urllib3.exceptions.ReadTimeoutError):
        raise Interrupted("no data within the time limit") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, ConnectionError, TimeoutError) as error:
        raise Interrupted(f"connection failed: {_brief(error)}") from None
    except OSError as error:
        raise Unavailable(f"cannot be received: {error.strerror or error}") from None
    except ValueError as error:  # urllib.parse about a redirect's target
        raise Unavailable(f"the server sent a malformed answer: {_brief(error)}") from None


def _brief(error: Exception) -> str:
    """The innermost reason, without the pool and object names around it."""
    cause = getattr(error.args[0], "reason", error.args[0]) if error.args else type(error).__name__
    return re.sub(r"<[^>]*>|\s+", " ", str(cause)).split("): ", 1)[-1][:160].strip()
