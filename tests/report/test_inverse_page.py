"""The page of the inverse search: facts under choices, as its tables have them."""

import re

import made_paper
import pytest

from referee.report.inverse import COLUMNS, read_inverse


def test_the_default_first_then_what_gains_most(made):
    found = read_inverse(made.report / "tables")
    assert [c["choice"] for c in found["choices"]] == ["default", "U1-theorem", "axis: iterations"]
    cells = {f["fact"]: [c["verdict"] for c in f["cells"]] for f in found["facts"]}
    assert cells == {"tick": ["fails", "holds", "not_testable"], "order": ["holds", "fails", "holds"]}
    assert found["best"]["gained"] == "tick" and found["best"]["lost"] == "order"
    assert found["found"] == {"reproduced by another choice only": 1, "reproduced by the default": 1}


def test_the_matrix_on_the_page(made):
    text = (made.report / "pages" / "inverse.html").read_text()
    rows = re.findall(r'<td class="number [^"]*">([^<]*)</td>', text)
    assert rows == ["1.2", "✓", "–", "✓", "0.69", "✓"]
    assert 'href="pages/inverse.html"' in (made.report / "index.html").read_text()


def test_many_choices_are_cut_and_counted(tmp_path):
    for end, text in made_paper.INVERSE.items():
        more = "".join(f"U{i}-x,False,1,1,0,0,0,,\n" for i in range(40)) if end == "-choices" else ""
        (tmp_path / f"inverse{end}.csv").write_text(text + more)
    found = read_inverse(tmp_path)
    assert len(found["choices"]) == COLUMNS and found["hidden"] == 43 - COLUMNS


@pytest.mark.parametrize(("misfit", "told"), [("0.69315", "0.693"), ("9.9e-06", ""), ("0.0", ""), ("", "")])
def test_a_miss_too_near_for_a_number_is_told_by_its_mark(tmp_path, misfit, told):
    for end, text in made_paper.INVERSE.items():
        (tmp_path / f"inverse{end}.csv").write_text(text.replace("fails,1.2", f"fails,{misfit}"))
    assert read_inverse(tmp_path)["facts"][0]["cells"][0]["misfit"] == told


def test_without_tables_there_is_no_page(tmp_path):
    assert read_inverse(tmp_path) == {}
