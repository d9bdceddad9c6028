"""Face images: the reader of PGM files, area averaging, pairs of lights, and the two-view generator."""

import zipfile

import numpy as np
import pytest

from referee.data.errors import FormatError
from referee.data.faces import faces, write_faces

NAMES = ["yaleB01_P00A+000E+00.pgm", "yaleB01_P00A+000E+20.pgm", "yaleB02_P00A+000E+00.pgm"]
IMAGE = b"P5\n# a comment\n3 2\n255\n" + bytes([0, 50, 100, 150, 200, 255])


@pytest.fixture
def archive(tmp_path):
    def made(**files):
        path = tmp_path / "faces.zip"
        with zipfile.ZipFile(path, "w") as pack:
            for name, content in files.items():
                pack.writestr(f"CroppedYale/{name}", content)
        return path

    return made


def test_images_by_subject_pose_and_light(archive):
    others = {"yaleB01_P00_Ambient.pgm": b"P5", "info.txt": b"x"}
    path = archive(**dict.fromkeys(reversed(NAMES), IMAGE), **others)
    X, y = faces(path, shape=(2, 3))
    assert y.tolist() == [1000, 1001, 2000]
    assert X.dtype == np.float32 and X[0].tolist() == [0, 50, 100, 150, 200, 255]
    X, y = faces(path, shape=(2, 3), lights=("+000E+20",))
    assert y.tolist() == [1000]


def test_a_folder_reads_as_the_archive_does(tmp_path):
    X = np.arange(12.0).reshape(2, 6)
    write_faces(tmp_path / "two.zip", X, np.array([3040, 3041]), shape=(2, 3))
    with zipfile.ZipFile(tmp_path / "two.zip") as pack:
        assert pack.namelist() == ["yaleB03_P04A+000E+00.pgm", "yaleB03_P04A+000E+20.pgm"]
        pack.extractall(tmp_path / "folder" / "yaleB03")
    for path in (tmp_path / "two.zip", tmp_path / "folder"):
        read, y = faces(path, shape=(2, 3))
        assert np.array_equal(read, X) and y.tolist() == [3040, 3041]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"P2\n3 2\n255\n0 0 0 0 0 0", "not a binary PGM"),
        (b"P5\n2 3\n255\n" + bytes(6), "is 3 × 2"),
        (b"P5\n3 2\n65535\n" + bytes(12), "values to 65535"),
        (IMAGE[:-1], "has 5 pixels, expected 6"),
        (b"", "not a binary PGM"),
    ],
)
def test_a_bad_image_is_named(archive, content, complaint):
    with pytest.raises(FormatError, match=complaint) as error:
        faces(archive(**{NAMES[0]: content}), shape=(2, 3))
    assert NAMES[0] in str(error.value)


def test_no_image_and_no_archive(archive, tmp_path):
    with pytest.raises(FormatError, match=r"holds no yaleBxx"):
        faces(archive(**{"other.pgm": IMAGE}), shape=(2, 3))
    (tmp_path / "text").write_text("not an archive")
    with pytest.raises(FormatError, match="cannot be read"):
        faces(tmp_path / "text", shape=(2, 3))
