"""The page over all papers."""

import re
import shutil

import pytest

from projfree.report.index import write_index


@pytest.mark.parametrize("papers", [["ncgs"], ["ncgs", "nfwu", "gcg", "ipg", "mpcgs"]])
def test_one_to_five_papers(made, tmp_path, papers):
    for name in papers:
        shutil.copytree(made.report, tmp_path / name)
    write_index(tmp_path, tmp_path / "index.html")
    text = (tmp_path / "index.html").read_text()
    assert text.count("<article") == len(papers)
    assert text.count('src="data:image/png;base64,') == 2 * len(papers)
    assert "1 of 2 figures on STAND-IN data" in text
    for address in re.findall(r'href="(?!data:)([^"#]+)', text):
        assert (tmp_path / address).is_file(), address


def test_a_run_that_draws_svg_only_shows_those(made, tmp_path):
    shutil.copytree(made.report, tmp_path / "ncgs")
    for path in (tmp_path / "ncgs" / "figures").glob("*.png"):
        path.unlink()
    write_index(tmp_path, tmp_path / "index.html")
    shown = re.findall(r'src="([^"]+)"', (tmp_path / "index.html").read_text())
    assert shown == [f"ncgs/figures/{stem}.svg" for stem in made.spec["figures"]]


def test_papers_in_the_order_given(made, tmp_path):
    for name in ("a", "b"):
        shutil.copytree(made.report, tmp_path / name)
    write_index(tmp_path, tmp_path / "index.html", papers=["b", "a"])
    text = (tmp_path / "index.html").read_text()
    assert text.index('href="b/index.html"') < text.index('href="a/index.html"')


def test_counts_are_those_of_the_page(made, tmp_path):
    shutil.copytree(made.report, tmp_path / "ncgs")
    write_index(tmp_path, tmp_path / "index.html")
    text = re.sub(r"<[^>]+>", "", (tmp_path / "index.html").read_text())
    for words in ("✓1 holds", "✗1 fails", "◐1 holds in part", "○1 not testable"):
        assert words in text


def test_no_paper_and_no_page(tmp_path):
    with pytest.raises(ValueError, match="no paper has a page"):
        write_index(tmp_path, tmp_path / "index.html")
    (tmp_path / "ncgs").mkdir()
    (tmp_path / "ncgs" / "index.html").write_text("<html></html>")
    with pytest.raises(ValueError, match="no embedded context"):
        write_index(tmp_path, tmp_path / "index.html")
