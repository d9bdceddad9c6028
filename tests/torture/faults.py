"""What a server can do wrong in one answer: each fault draws a trick for `local_site.Site`."""

import gzip
import socket
import struct
import time

from local_site import head, raw, send, serve

PAGE = b"<!DOCTYPE html><html><body>403 Forbidden</body></html>"
PATIENCE = 2.0  # seconds that a stalling or dripping answer lasts, if the client stays so long
NUMBERS = ["²", "9" * 5000, "-1", "1, 2", "abc", ""]


def changed(rng, body):
    """The body with a few wrong bytes, none of them in the first ten: a gzip header has no checksum."""
    wrong = bytearray(body)
    for _ in range(rng.randint(1, 5)):
        wrong[rng.randrange(min(10, len(wrong) - 1), len(wrong))] ^= rng.randint(1, 255)
    return bytes(wrong)


def cut(rng):
    """Part of the body, the whole announced or nothing."""
    part, announced = rng.random(), rng.random() < 0.7

    def trick(handler, body):
        length = {} if announced else {"Content-Length": None}
        send(handler, 200, body[: int(part * len(body))], length, len(body))

    return trick


def stall(rng):
    """Nothing more after some bytes, or nothing at all."""
    part = rng.choice([None, 0.0, rng.random()])

    def trick(handler, body):
        if part is not None:
            send(handler, 200, body[: int(part * len(body))], announce=len(body))
        time.sleep(PATIENCE)

    return trick


def reset(rng):
    """The connection is reset at once, as by a server that is gone."""

    def trick(handler, body):
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.connection.close()

    return trick


def length(rng):
    """Too short or too long, announced or not, or announced as nonsense."""
    size, said = rng.choice([0.5, 2, 1]), rng.choice([None, "true", *NUMBERS])

    def trick(handler, body):
        announced = {} if said == "true" else {"Content-Length": said}
        send(handler, 200, (body + b"and more" * 9)[: int(size * len(body))], announced)

    return trick


def wrong_bytes(rng):
    """The right length, some bytes wrong."""
    return lambda handler, body: serve(handler, changed(rng, body))


def page(rng):
    """A page that says 403 with status 200, told by its type or not; the first byte alone, or not."""
    kind, at = rng.choice(["text/html; charset=utf-8", "application/octet-stream"]), rng.choice([1, 60])

    def trick(handler, body):
        head(handler, 200, {"Content-Type": kind})
        raw(handler, [PAGE[:at], PAGE[at:]], 0.01)

    return trick


def refusal(rng):
    """No file but a page, or a part that nobody asked for."""
    status = rng.choice([403, 404, 410, 204, 206, 304, 416])
    return lambda handler, body: send(handler, status, PAGE, {"Content-Type": "text/html"})


def redirect_loop(rng):
    """A redirect to itself."""
    return lambda handler, body: send(handler, 302, b"", {"Location": handler.path})


def redirect(rng):
    """To another host."""
    status = rng.choice([301, 302, 303, 307, 308])

    def trick(handler, body):
        there = f"http://localhost:{handler.server.server_address[1]}/elsewhere{handler.path}"
        send(handler, status, b"see there", {"Location": there})

    return trick


def bad_redirect(rng):
    """To nowhere that can be asked."""
    there = rng.choice(["http://[::1", "file:///etc/hostname", "\xff\xfe", "http://a:99999/", "http://", ""])
    return lambda handler, body: send(handler, 302, b"", {"Location": there})


def endless_redirect(rng):
    """A redirect to the file whose own body does not end."""

    def trick(handler, body):
        head(handler, 302, {"Location": f"/elsewhere{handler.path}"})
        raw(handler, [bytes(1 << 14)] * 1000, 0.001)

    return trick


def drip(rng):
    """A byte now and then: of the body, of the headers, of a chunk's size or behind the last chunk."""
    where, pause = rng.choice(["body", "headers", "chunk", "trailer"]), rng.choice([0.02, 0.08])
    many = int(PATIENCE / pause)

    def trick(handler, body):
        if where == "headers":
            return raw(handler, [b"HTTP/1.1 200 OK\r\n", *[b"A"] * many], pause)
        if where == "body":
            head(handler, 200, {"Content-Length": str(len(body))})
            return raw(handler, (body[i : i + 1] for i in range(min(len(body), many))), pause)
        head(handler, 200, {"Transfer-Encoding": "chunked"})
        whole = b"%x\r\n%s\r\n0\r\n" % (len(body), body)
        raw(handler, [b"0"] * many if where == "chunk" else [whole, *[b"A: b\r\n"] * many], pause)

    return trick


def encoded(rng):
    """Compressed on the way."""
    coding = rng.choice(["gzip", "br", "deflate"])
    return lambda handler, body: send(handler, 200, gzip.compress(body), {"Content-Encoding": coding})


def busy(rng):
    """429 or 503, to come again later, or at a time that cannot be read."""
    status = rng.choice([429, 503])
    later = rng.choice(["0", "1", "3600", "Wed, 21 Oct 2099 07:28:00 GMT", *NUMBERS])
    return lambda handler, body: send(handler, status, PAGE, {"Retry-After": later})


def broken(rng):
    """500 and its like."""
    status = rng.choice([500, 502, 504, 520])
    return lambda handler, body: send(handler, status, b"sorry")


def chunked(rng):
    """In chunks: whole, cut, or with a wrong size."""
    how = rng.choice(["whole", "cut", "between", "zz", "-5", "f" * 40, "5;x=y"])

    def trick(handler, body):
        half = len(body) // 2
        head(handler, 200, {"Transfer-Encoding": "chunked"})
        pieces = [b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:]) if part]
        ends = {"whole": [b"0\r\n\r\n"], "cut": [b"ffff\r\nrest"], "between": []}
        raw(handler, [*pieces, *ends.get(how, [f"{how}\r\nrest\r\n0\r\n\r\n".encode()])])

    return trick


def garbage(rng):
    """No HTTP, or headers out of all measure."""
    ok = b"HTTP/1.1 200 OK\r\n"
    what = rng.choice([rng.randbytes(300), ok + b"A: b\r\n" * 300, ok + b"A: " + b"b" * 99999])
    return lambda handler, body: raw(handler, [what, b"\r\n\r\n"])


KINDS = [cut, stall, reset, length, wrong_bytes, page, refusal, redirect_loop, redirect, bad_redirect]
KINDS += [endless_redirect, drip, encoded, busy, broken, chunked, garbage]
KINDS = {kind.__name__: kind for kind in KINDS}
# What no client can tell from the file while it knows neither its hash nor its size.
NEEDS_HASH = {"encoded"}
