"""Face images of the Extended Yale B database: `yaleB11_P00A+000E+20.pgm` in a folder, zip or tar archive."""

import re
import zipfile
from pathlib import Path, PurePosixPath

import numpy as np

from referee.data.errors import FormatError
from referee.data.unpack import DAMAGE, open_tar, said, single

NAME = re.compile(r"yaleB(\d\d)_P(\d\d)A([+-]\d{3}E[+-]\d\d)\.pgm", re.IGNORECASE)
HEADER = re.compile(rb"P5" + 3 * rb"(?:\s|#[^\n]*\n)+(\d{1,9})" + rb"\s")
LARGEST = 1 << 24  # bytes of an image, whatever size an archive claims for it
LIGHTS = ("+000E+00", "+000E+20")  # azimuth and elevation of the two lights that gcg pairs


def faces(path: Path | str, *, shape, lights=LIGHTS):
    """All images under the given lights, sorted by subject, pose and light.

    Parameters
    ----------
    path : a folder (searched to its depths), a zip or a tar archive
    shape : (rows, columns) in pixels that every image must have: (192, 168) cropped, (480, 640) full
    lights : names as in the files; images under other lights, and files of other names, are passed over

    Returns
    -------
    X float32 (images, rows·columns), grey values 0 … 255; y int64, 1000·subject + 10·pose + light.

    Raises
    ------
    FormatError naming the image: not a binary 8-bit PGM (P5) of that shape, or there twice; or no image.
    """
    images = {}
    try:
        for name, content in _members(Path(path)):
            match = NAME.fullmatch(PurePosixPath(name).name)
            if not match or match[3] not in lights:
                continue
            label = 1000 * int(match[1]) + 10 * int(match[2]) + list(lights).index(match[3])
            if label in images:
                raise FormatError(f"{path}:{name}", None, "this subject, pose and light is there twice")
            images[label] = pgm(content(), f"{path}:{name}", tuple(shape))
    except DAMAGE as error:
        raise FormatError(path, None, f"cannot be read ({said(error)})") from None
    if not images:
        raise FormatError(path, None, f"holds no yaleBxx_PyyA<light>.pgm of the lights {', '.join(lights)}")
    labels = sorted(images)
    return np.stack([images[label] for label in labels]), np.array(labels, dtype=np.int64)


def pgm(content: bytes, name: str, shape) -> np.ndarray:
    """The pixels of a binary PGM, float32 (rows·columns,)."""
    header = HEADER.match(content)
    if not header:
        raise FormatError(name, 1, "is not a binary PGM image (P5)")
    columns, rows, largest = (int(number) for number in header.groups())
    if (rows, columns) != shape or largest != 255:
        expected = f"{shape[0]} × {shape[1]} with values to 255"
        raise FormatError(name, 1, f"is {rows} × {columns} with values to {largest}, expected {expected}")
    pixels = np.frombuffer(content, dtype=np.uint8, offset=header.end())
    if pixels.size != rows * columns:
        raise FormatError(name, None, f"has {pixels.size} pixels, expected {rows * columns}")
    return pixels.astype(np.float32)


def _members(path):
    """(name, function that reads it) of every file."""
    if path.is_dir():
        for file in sorted(f for f in path.rglob("*") if f.is_file()):
            yield file.name, file.read_bytes
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as pack:
            for info in single(pack.infolist()):
                yield info.filename, lambda info=info: pack.open(info).read(LARGEST)
    else:
        with open_tar(path) as pack:
            for info in single(pack):
                if info.isfile():
                    yield info.name, lambda info=info: pack.extractfile(info).read(LARGEST)


def write_faces(path: Path, X: np.ndarray, y: np.ndarray, *, shape, lights=LIGHTS) -> None:
    """Write images as `faces` reads them: a zip of PGM files, without dates."""
    with zipfile.ZipFile(path, "w") as pack:
        for image, label in zip(np.clip(np.rint(X), 0, 255).astype(np.uint8), y, strict=True):
            subject, rest = divmod(int(label), 1000)
            name = f"yaleB{subject:02}_P{rest // 10:02}A{lights[rest % 10]}.pgm"
            pack.writestr(zipfile.ZipInfo(name), b"P5\n%d %d\n255\n" % (shape[1], shape[0]) + image.tobytes())
