"""What a server can do wrong in one answer: each fault draws a trick for `local_site.Site`."""

import contextlib
import gzip
import socket
import struct
import time

from local_site import reply, send, serve

GONE = (OSError,)
PAGE = b"<!DOCTYPE html><html><body>403 Forbidden</body></html>"
PATIENCE = 2.0  # seconds that a stalling or dripping answer lasts, if the client stays so long
NUMBERS = ["²", "9" * 5000, "-1", "1, 2", "abc", ""]


def raw(handler, *pieces, pause=0.0):
    """Bytes as they are, piece by piece."""
    until = time.monotonic() + PATIENCE
    with contextlib.suppress(*GONE):
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(pause)
            if time.monotonic() > until:
                return


def head(handler, status, headers):
    """Status line and headers."""
    handler.send_response(status)
    for key, value in headers.items():
        handler.send_header(key, value)
    with contextlib.suppress(*GONE):
        handler.end_headers()


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
        status, payload, headers = reply(handler, body)
        length = {} if announced else {"Content-Length": None}
        send(handler, status, payload[: int(part * len(payload))], headers | length, len(payload))

    return trick


def stall(rng):
    """Nothing more after some bytes, or nothing at all."""
    part = rng.choice([None, 0.0, rng.random()])

    def trick(handler, body):
        if part is not None:
            status, payload, headers = reply(handler, body)
            send(handler, status, payload[: int(part * len(payload))], headers, len(payload))
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
        status, payload, headers = reply(handler, body)
        payload = (payload + b"and more" * 9)[: int(size * len(payload))]
        announced = {} if said == "true" else {"Content-Length": said}
        send(handler, status, payload, headers | announced)

    return trick


def wrong_bytes(rng):
    """The right length, some bytes wrong."""
    return lambda handler, body: serve(handler, changed(rng, body))


def page(rng):
    """A page that says 403 with status 200, told by its type or not; the first byte alone, or not."""
    kind, at = rng.choice(["text/html; charset=utf-8", "application/octet-stream"]), rng.choice([1, 60])

    def trick(handler, body):
        head(handler, 200, {"Content-Type": kind})
        raw(handler, PAGE[:at], PAGE[at:], pause=0.01)

    return trick


def refusal(rng):
    """403, 404, 410 with a page."""
    status = rng.choice([403, 404, 410, 204, 304])
    return lambda handler, body: send(handler, status, PAGE, {"Content-Type": "text/html"})


def redirect_loop(rng):
    """A redirect to itself."""
    return lambda handler, body: send(handler, 302, b"", {"Location": handler.path})


def redirect(rng):
    """To another host that has the file."""
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
        raw(handler, *[bytes(1 << 14)] * 1000, pause=0.001)

    return trick


def drip(rng):
    """A byte now and then: of the body, of the headers, of a chunk's size or behind the last chunk."""
    where, pause = rng.choice(["body", "headers", "chunk", "trailer"]), rng.choice([0.02, 0.08])

    def trick(handler, body):
        status, payload, headers = reply(handler, body)
        if where == "headers":
            return raw(handler, b"HTTP/1.1 200 OK\r\n", *[b"A", b":", b"b", b"\r\n"] * 200, pause=pause)
        chunked = {} if where == "body" else {"Transfer-Encoding": "chunked"}
        head(handler, status, headers | (chunked or {"Content-Length": str(len(payload))}))
        if where == "body":
            return raw(handler, *(payload[i : i + 1] for i in range(len(payload))), pause=pause)
        if where == "chunk":
            return raw(handler, *[b"0"] * 1000, pause=pause)
        raw(handler, b"%x\r\n%s\r\n0\r\n" % (len(payload), payload), *[b"A: b\r\n"] * 1000, pause=pause)

    return trick


def wrong_range(rng):
    """A wrong answer to a request for the rest: other offset, fewer bytes, other version, the whole."""
    how = rng.choice(["offset", "fewer", "nonsense", "version", "whole", "unasked"])

    def trick(handler, body):
        status, payload, headers = reply(handler, body)
        if how == "whole" or (status != 206 and how != "unasked"):
            return send(handler, 200, body, {"ETag": '"other"'} if how == "whole" else headers)
        size, start = len(body), len(body) - len(payload)
        answer = {
            "offset": (f"bytes {max(start - 1, 0)}-{size - 1}/{size}", body[max(start - 1, 0) :]),
            "fewer": (f"bytes {start}-{start}/{size}", payload[:1]),
            "nonsense": (rng.choice(["", "bytes", "bytes ²-5/9", f"bytes {'9' * 5000}-1/2"]), payload),
            "version": (f"bytes {start}-{size - 1}/{size}", changed(rng, body)[start:]),
            "unasked": (f"bytes 3-{size - 1}/{size}", body[3:]),
        }[how]
        other = {"ETag": '"other"'} if how == "version" else {}
        send(handler, 206, answer[1], headers | other | {"Content-Range": answer[0]})

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
        status, payload, headers = reply(handler, body)
        half = len(payload) // 2
        head(handler, status, headers | {"Transfer-Encoding": "chunked"})
        pieces = [b"%x\r\n%s\r\n" % (len(part), part) for part in (payload[:half], payload[half:]) if part]
        ends = {"whole": [b"0\r\n\r\n"], "cut": [b"ffff\r\nrest"], "between": []}
        raw(handler, *pieces, *ends.get(how, [f"{how}\r\nrest\r\n0\r\n\r\n".encode()]))

    return trick


def garbage(rng):
    """No HTTP, or headers out of all measure."""
    ok = b"HTTP/1.1 200 OK\r\n"
    what = rng.choice([rng.randbytes(300), ok + b"A: b\r\n" * 300, ok + b"A: " + b"b" * 99999])
    return lambda handler, body: raw(handler, what, b"\r\n\r\n")


KINDS = {
    "connection cut": cut,
    "stall": stall,
    "server gone": reset,
    "wrong length": length,
    "wrong bytes": wrong_bytes,
    "page with status 200": page,
    "refusal": refusal,
    "redirect loop": redirect_loop,
    "redirect to another host": redirect,
    "redirect to nowhere": bad_redirect,
    "redirect that does not end": endless_redirect,
    "slow drip": drip,
    "wrong range": wrong_range,
    "content encoding": encoded,
    "429 or 503": busy,
    "5xx": broken,
    "chunked, damaged": chunked,
    "no HTTP": garbage,
}
# What no client can tell from the file while it knows neither its hash nor its size.
NEEDS_HASH = {"content encoding"}
