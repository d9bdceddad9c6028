"""Face images: the reader of PGM files, area averaging, pairs of lights, and the two-view generator."""

import zipfile

import numpy as np
import pytest

from referee.data import generators
from referee.data.errors import DataError, FormatError
from referee.data.faces import faces, write_faces
from referee.data.generators.face_pairs import box_weights, linear_weights

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
    path = archive(
        **dict.fromkeys(reversed(NAMES), IMAGE), **{"yaleB01_P00_Ambient.pgm": b"P5", "info.txt": b"x"}
    )
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


def test_box_weights_average_areas_exactly():
    assert box_weights(4, 2).tolist() == [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]]
    assert box_weights(3, 2) == pytest.approx(np.array([[2, 1, 0], [0, 1, 2]]) / 3)
    for weights in (box_weights(192, 50), box_weights(168, 50), linear_weights(192, 50)):
        assert weights.sum(axis=1) == pytest.approx(np.ones(50))
    line = np.arange(192.0)  # of a line both give the value at the centre, but for the cut pixels
    assert linear_weights(192, 50) @ line == pytest.approx(box_weights(192, 50) @ line, abs=0.02)


def test_pairs_of_lights_with_lost_pixels():
    rng = np.random.default_rng(0)
    source = generators.generate("lit_faces", rng, subjects=4, shape=(24, 20))
    arrays = generators.generate("face_pairs", rng, source=source, shape=(24, 20), size=(6, 5))
    noisy, clean = arrays["noisy"], arrays["clean"]
    assert arrays["views"].tolist() == [30, 30] and noisy.shape == (60, 4)
    assert np.array_equal(noisy[:30], clean[:30])
    assert np.count_nonzero(noisy[30:] != clean[30:]) == 12 and (noisy[30:].max() == 1.0)
    assert clean[:30].mean() == pytest.approx(source["X"][::2].mean() / 255)  # area averages keep the mean
    few = generators.generate("face_pairs", rng, source=source, shape=(24, 20), size=(6, 5), pairs=2)
    assert few["noisy"].shape == (60, 2)
    with pytest.raises(DataError, match="the dataset has 4"):
        generators.generate("face_pairs", rng, source=source, shape=(24, 20), size=(6, 5), pairs=5)


def test_two_views_as_the_paper_draws_them():
    rng = np.random.default_rng(1)
    arrays = generators.generate("two_views", rng, rows=[40, 50], columns=30, rank=3)
    noisy, clean = arrays["noisy"], arrays["clean"]
    change = noisy - clean
    assert np.linalg.matrix_rank(clean) == 3
    assert [np.count_nonzero(part) for part in (change[:40], change[40:])] == [180, 225]
    assert change.min() == 0.0 and change.max() <= 10.0
    dictionary = clean @ np.linalg.pinv(arrays["latent"])
    assert np.linalg.norm(dictionary[:40], axis=0) == pytest.approx(np.ones(3))
    assert np.linalg.norm(dictionary[40:], axis=0) == pytest.approx(5 * np.ones(3))
    with pytest.raises(ValueError, match="Known are: bernoulli, exact"):
        generators.generate("two_views", rng, rows=[4, 5], columns=3, rank=1, counts="most")
