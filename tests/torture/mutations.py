"""Damage to a file's bytes: one to three mutations, drawn."""

import re

SEPARATORS = [b",", b" ", b"\t", b"::", b":", b"|", b";", b"  ", b"\r", b"\x0b", b"\x0c", b"\x00"]
ENDS = [b"\n", b"\r\n", b"\r", b"\n\n", b" \n", b"\x0c\n", b""]
NUMBERS = [b"9" * 30, b"9" * 5000, b"", b"\xd9\xa1"]
NUMBERS += b"nan inf -inf 1e999 1e39 1.2.3 . 1-2 1_0 0x1f +1 -0 -1 1e e".split()
NUMBERS += [b"1000000000000", b"2147483648", b"4294967297"]
FIELD = re.compile(rb"[-+.\w]+")


def mutate(rng, body: bytes) -> bytes:
    """The body after one to three mutations; now and then empty, or as it was."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        body = rng.choice(MUTATIONS)(rng, body)
    return body


def _span(rng, body):
    """Two places, mostly near each other."""
    start = rng.randrange(len(body) + 1)
    length = rng.choice([1, 4, 40, len(body)])
    return start, min(len(body), start + rng.randint(0, length))


def cut(rng, body):
    """Keep the beginning, or the end."""
    at = rng.randrange(len(body) + 1)
    return rng.choice([body[:at], body[:at], body[at:]])


def remove(rng, body):
    start, stop = _span(rng, body)
    return body[:start] + body[stop:]


def duplicate(rng, body):
    """A piece again, behind itself or at the end."""
    start, stop = _span(rng, body)
    at = rng.choice([stop, len(body)])
    return body[:at] + body[start:stop] + body[at:]


def insert(rng, body):
    """Random bytes, NULs, or text that is not UTF-8."""
    at = rng.randrange(len(body) + 1)
    drawn, zeros = rng.randbytes(rng.randint(1, 20)), bytes(rng.randint(1, 600))
    return body[:at] + rng.choice([drawn, zeros, b"\xff\xfe", b"#", b"%"]) + body[at:]


def flip(rng, body):
    wrong = bytearray(body)
    for _ in range(rng.randint(1, 4) if body else 0):
        wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
    return bytes(wrong)


def word(rng, body):
    """Four bytes become a number of note."""
    at = rng.randrange(len(body) + 1)
    value = rng.choice([0, 1, -1, 2**31 - 1, -(2**31), 1 << rng.randrange(31), rng.randint(0, 300)])
    return body[:at] + value.to_bytes(4, "little", signed=True) + body[at + 4 :]


def swap_lines(rng, body):
    lines = body.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def repeat_lines(rng, body):
    """A line again, or a line less."""
    lines = body.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at : at + 1] = rng.choice([[], [], [lines[at]] * 2])
    return b"\n".join(lines)


def join_lines(rng, body):
    """A line end moves by a field: as many fields, in other lines."""
    lines = body.split(b"\n")
    at = rng.randrange(len(lines))
    if at + 1 < len(lines) and (match := re.match(rb"\S+[\s,:|]+", lines[at + 1])):
        lines[at] += rng.choice([b" ", b"\t", b","]) + match[0].rstrip()
        lines[at + 1] = lines[at + 1][match.end() :]
    return b"\n".join(lines)


def number(rng, body):
    """A field becomes a number of note, or so long that it is none."""
    fields = list(FIELD.finditer(body[:20_000]))
    if not fields:
        return body
    chosen = rng.sample(fields, min(len(fields), rng.choice([1, 1, 2])))
    for field in sorted(chosen, key=lambda f: -f.start()):
        body = body[: field.start()] + rng.choice(NUMBERS) + body[field.end() :]
    return body


def separators(rng, body):
    """One kind of separator becomes another, once or everywhere."""
    return body.replace(rng.choice(SEPARATORS), rng.choice(SEPARATORS), rng.choice([1, 1, -1]))


def ends(rng, body):
    """Some line ends become others."""
    lines = body.split(b"\n")
    kind, often = rng.choice(ENDS), rng.choice([0.1, 1.0])
    return b"".join(line + (kind if rng.random() < often else b"\n") for line in lines)


MUTATIONS = [cut, remove, duplicate, insert, flip, word, swap_lines, repeat_lines, join_lines, number]
MUTATIONS += [number, separators, ends]
