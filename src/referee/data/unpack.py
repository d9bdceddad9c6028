"""Safe unpacking: one regular file, of bounded size, under a name that we choose."""

import bz2
import gzip
import io
import os
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath, PureWindowsPath

from projfree.common import outside
from referee.data.errors import IntegrityError

BLOCK = 1 << 20
DAMAGE = (
    OSError,
    EOFError,
    zlib.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    RuntimeError,  # an encrypted member, a method of compression that is not there
    ValueError,  # of zipfile and tarfile, about names and numbers in headers
    OverflowError,
    struct.error,
)


def said(error: Exception) -> str:
    """The message of a damaged container's error, cut, because some repeat the whole file."""
    return str(error)[:160]


class _Header(tarfile.TarInfo):
    """Headers that raise where tarfile would take a damaged or cut one for the end of the archive."""

    @classmethod
    def fromtarfile(cls, tarfile_):
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.EOFHeaderError:
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"damaged or cut at byte {tarfile_.offset}: {error}") from None


def single(members):
    """The members of an archive; ValueError where two files have one name."""
    names = set()
    for info in members:
        name = PurePosixPath(info.filename if isinstance(info, zipfile.ZipInfo) else info.name)
        if name in names and not (info.is_dir() if isinstance(info, zipfile.ZipInfo) else info.isdir()):
            raise ValueError(f"two members are named '{name}'")
        names.add(name)
        yield info


def open_tar(path: Path | None = None, **options) -> tarfile.TarFile:
    """A tar archive, plain or packed by gzip or bzip2, of which no member is lost silently.

    What begins like LZMA may ask for 4 GB before a byte of it is read, so it is not tried.
    """
    if path:
        options["mode"] = {"gzip": "r:gz", "bz2": "r:bz2", None: "r:"}[_packing(path)]
    return tarfile.open(path, tarinfo=_Header, **options)


def _packing(path: Path) -> str | None:
    """The packing of a file as a whole, by its first bytes."""
    with open(path, "rb") as stream:
        head = stream.read(3)
    return "gzip" if head[:2] == b"\x1f\x8b" else "bz2" if head == b"BZh" else None


class _Streams(io.RawIOBase):
    """The text of all bzip2 streams of a file; what bz2.open passes over behind the first is an error."""

    def __init__(self, file):
        self._file, self._part, self._begun = file, bz2.BZ2Decompressor(), False

    def readable(self):
        return True

    def readinto(self, buffer):
        while True:
            raw = b""
            if self._part.eof:
                raw, self._part, self._begun = self._part.unused_data, bz2.BZ2Decompressor(), False
            if not raw and self._part.needs_input:
                raw = self._file.read(BLOCK)
                if not raw and self._begun:
                    raise EOFError("a bzip2 stream has no end")
                if not raw:
                    return 0
            self._begun = True
            text = self._part.decompress(raw, len(buffer))
            if text:
                buffer[: len(text)] = text
                return len(text)


def open_bz2(file) -> io.BufferedReader:
    """The text of an open bzip2 file."""
    return io.BufferedReader(_Streams(file), BLOCK)


def unpack(
    archive: Path, target: Path, how: str, member: str | None = None, max_bytes: int = 16 * 2**30
) -> None:
    """Write the content of a gzip or bz2 file, or one member of a zip or tar archive, to `target`.

    `target` appears whole or not at all. Refused: absolute member names, such that climb out, and two
    that are equal (anywhere in the archive), links, devices, encrypted members, more than `max_bytes`, and
    more than 200 times the archive's own size (beyond 64 MB). Raises IntegrityError.
    """
    limit = min(max_bytes, bound(archive))
    temporary = target.with_name(target.name + ".unpack")
    try:
        with _open(archive, how, member) as stream, open(temporary, "wb") as out:
            _copy(stream, out, limit, archive)
        temporary.replace(target)
    except DAMAGE as error:
        raise IntegrityError(f"{archive.name} cannot be unpacked as {how}: {said(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)


def bound(archive: Path) -> int:
    """Bytes that a packed file may sensibly unpack to."""
    return outside.bound(archive.stat().st_size)


def _open(archive: Path, how: str, member: str | None = None):
    """The content of a packed file, or a member of an archive that is a plain file."""
    if how == "gzip":
        return gzip.open(archive)
    if how == "bz2":
        return open_bz2(open(archive, "rb"))
    if how == "zip":
        pack = zipfile.ZipFile(archive)
        name = _checked(member, [m.filename for m in single(pack.infolist())], archive)
        info = pack.getinfo(name)
        plain = not info.is_dir() and info.external_attr >> 28 in (0, 0o10) and not info.flag_bits & 1
    elif how == "tar":
        check_container(archive)  # tarfile stops at the member: damage further on would pass
        pack = open_tar(archive)  # lives as long as the member that is read
        info = pack.getmember(_checked(member, [m.name for m in single(pack.getmembers())], archive))
        plain = info.isreg()
    else:
        raise IntegrityError(f"unknown way to unpack: '{how}'; known: gzip, bz2, zip, tar")
    if not plain:
        raise IntegrityError(f"{archive.name}: member '{member}' is not a plain file; refused")
    return pack.open(info) if how == "zip" else pack.extractfile(info)


def _checked(member: str | None, names: list[str], archive: Path) -> str:
    """The member, if it is among the names; one hostile name condemns the whole archive."""
    for name in names:
        posix, windows = PurePosixPath(name), PureWindowsPath(name)
        absolute = posix.is_absolute() or windows.is_absolute() or windows.drive
        if absolute or ".." in {*posix.parts, *windows.parts}:
            raise IntegrityError(f"{archive.name} holds the path '{name}', outside its folder; refused")
    if member not in names:
        held = ", ".join(sorted(names)[:8])
        raise IntegrityError(f"{archive.name} has no member '{member}'; it holds: {held}")
    return member


def _copy(stream, out, limit: int, archive: Path) -> None:
    size = 0
    while block := stream.read(BLOCK):
        size += len(block)
        if size > limit:
            raise IntegrityError(f"{archive.name} unpacks to more than {limit} bytes; refused")
        out.write(block)
    if not size:
        raise IntegrityError(f"{archive.name} unpacks to nothing")


def check_container(path: Path) -> None:
    """Read a .gz, .bz2 or .zip to its end, so that a cut or damaged one is found; other files pass."""
    try:
        with open(path, "rb") as stream:
            zipped = stream.read(2) == b"PK"
        if zipped:
            with zipfile.ZipFile(path) as pack:
                if sum(info.file_size for info in pack.infolist()) > bound(path):
                    raise IntegrityError(f"{path.name} unpacks to more than {bound(path)} bytes; refused")
                if damaged := pack.testzip():
                    raise IntegrityError(f"member '{damaged}' of {path.name} is damaged")
        elif how := _packing(path):
            with _open(path, how) as stream, open(os.devnull, "wb") as nowhere:
                _copy(stream, nowhere, bound(path), path)
    except DAMAGE as error:
        raise IntegrityError(f"{path.name} is damaged or cut: {said(error)}") from None
