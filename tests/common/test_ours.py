"""What may be replaced: a folder with a file of others is refused, and nothing in it is lost."""

import pytest

from referee.common.ours import NotOurs, removed, require_page

PAGE, OTHERS = "<title>Two runs – projfree</title>", "<title>My thesis</title>"
NAMES = ("index.html", "data/*.js", "t/*")


@pytest.fixture
def folder(tmp_path):
    """A function: files and their texts → the folder with them."""

    def made(files):
        for name, text in files.items():
            path = tmp_path / "made" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / "made"

    return made


@pytest.mark.parametrize("files", [{}, {"data/a.js": "projfreeData(1)"}, {".snakemake_timestamp": ""}])
def test_what_is_ours_is_removed(folder, files):
    place = folder(files and files | {"index.html": PAGE})
    removed(place, NAMES)
    assert not place.exists()


@pytest.mark.parametrize(
    "files",
    [
        {"thesis.txt": "mine"},
        {"index.html": PAGE, "thesis.txt": "mine"},
        {"index.html": PAGE, "data/deep/a.js": "projfreeData(1)"},
        {"index.html": OTHERS},
        {"index.html": PAGE, "data/a.js": "mine"},
        {"style.css": "mine"},
        {".git/config": "mine"},
        {"data/.snakemake_timestamp": ""},
        {"t/a.csv": "user,rating"},
        {"t/a.json": '{"mine": 1}'},
        {"t/a.svg": "<svg>mine</svg>"},
        *({f"t/a.{kind}": "mine"} for kind in ("h5", "css", "xyz")),
    ],
)
def test_what_is_not_is_left_with_all_that_is_in_it(folder, files):
    place = folder(files)
    with pytest.raises(NotOurs, match=r"which projfree did not make.*: nothing was changed"):
        removed(place, NAMES)
    assert {name: (place / name).read_text() for name in files} == files


def test_a_link_is_not_followed(folder, tmp_path):
    place = folder({"index.html": PAGE})
    (tmp_path / "link").symlink_to(place)
    with pytest.raises(NotOurs):
        removed(tmp_path / "link", NAMES)
    assert (place / "index.html").exists()


def test_a_page_is_replaced_where_none_or_one_of_ours_stands(tmp_path):
    page = tmp_path / "index.html"
    require_page(page)
    page.write_text(PAGE)
    require_page(page)
    page.write_text(OTHERS)
    with pytest.raises(NotOurs):
        require_page(page)
