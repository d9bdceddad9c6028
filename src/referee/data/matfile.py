"""The outside of a MATLAB file (version 5 to 7), judged first: scipy crashes on unknown types."""

import struct
import zlib

COMPRESSED, MATRIX, DOUBLE = 15, 14, 9
NUMERIC = {1, 2, 3, 4, 5, 6, 7, DOUBLE, 12, 13}
CLASSES = range(6, 16)  # of arrays of numbers
COMPLEX = 0x800  # a second part of numbers: where it is not there, scipy crashes
HEADER, FRONT = 128, 1 << 10


def check(path, names) -> None:
    """ValueError if a variable of that name is no whole array of numbers of known type."""
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        head = file.read(HEADER)
        if not head.startswith(b"MATLAB 5.0") or head[126:] not in (b"IM", b"MI"):
            raise ValueError("not a file of version 5 to 7")
        order, at = "<" if head[126:] == b"IM" else ">", HEADER
        while at < size:
            file.seek(at)
            kind, length = struct.unpack(order + "II", file.read(8).ljust(8, b"\0"))
            at += 8 + length
            if kind not in (COMPRESSED, MATRIX) or at > size:
                raise ValueError(f"a variable of type {kind} that ends at byte {at} of {size}")
            front = file.read(min(length, FRONT))
            if kind == COMPRESSED:
                front = zlib.decompressobj().decompress(front, FRONT)[8:]
            _check_matrix(front, order, names)


def _check_matrix(front: bytes, order: str, names) -> None:
    """The tags of flags, dimensions, name and numbers, all of which stand at the front of a variable."""
    at, parts = 0, []
    for _ in range(4):
        kind, length = struct.unpack_from(order + "II", front, at)
        small = kind >> 16
        parts.append((kind & 0xFFFF if small else kind, front[at + 4 : at + 8] if small else front[at + 8 :]))
        if len(parts) == 3:
            name = parts[2][1][: small or length].decode("latin-1")
            if name not in names:
                return
        at += 8 if small else 8 + -(-length // 8) * 8
    flags = struct.unpack_from(order + "I", parts[0][1])[0]
    if flags & 0xFF not in CLASSES or parts[3][0] not in NUMERIC or flags & COMPLEX:
        raise ValueError(f"{name} (class {flags & 0xFF}, type {parts[3][0]}) is not a table of numbers")
