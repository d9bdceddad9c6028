"""Figure files: all formats, text as text, stamps, the same bytes again."""

import copy
import re

import made_paper
import pytest
from places import ROOT

from referee import study
from referee.report.figures import draw
from referee.report.style import ROLE_DASHES, method_styles


def words(path):
    """The words of an SVG's text elements."""
    return re.sub(r"<[^>]+>", "", " ".join(re.findall(r"<text.*?</text>", path.read_text(), re.S)))


@pytest.mark.parametrize("paper", study.papers(ROOT))
def test_a_method_looks_the_same_in_all_figures_of_a_run(paper, monkeypatch):
    monkeypatch.chdir(ROOT)
    for run in ("full", *study.load(paper).spec["runs"]):
        method_styles(study.load(paper, run).spec)


def test_every_format_is_written_and_the_same_input_gives_the_same_bytes(made, tmp_path):
    for stem in made.spec["figures"]:
        outputs = [tmp_path / f"{stem}.{end}" for end in ("svg", "pdf", "png")]
        draw(made.spec, stem, made.evidence, outputs, made.provenance)
        for output, magic in zip(outputs, (b"<?xml", b"%PDF", b"\x89PNG"), strict=True):
            content = (made.report / "figures" / output.name).read_bytes()
            assert content == output.read_bytes() and content.startswith(magic) and len(content) > 1500


SHOWN = (
    *("Figure 1, left: NCGS and FW", "squared gradient mapping ‖g‖² (log)", "CPU time (s)", "current value"),
    *("component gradients (IFO)", "linear minimisations (LO)", "FW short step", "run full"),
    *("commit 0123456789ab", "NCGS-II (theorem η)  10.429: budget ended in its first step"),
)


def test_a_drawing_says_what_is_drawn_and_stand_ins_and_extras_are_stamped(made):
    stamped, plain = (words(made.report / "figures" / f"{stem}.svg") for stem in ("fig3-left", "fig1-left"))
    assert [text for text in SHOWN if text not in plain] == []
    assert "no linear minimisations (LO): SVRG (full SVD), SVRG Gram, tuned" in stamped
    assert stamped.count("STAND-IN") == 6  # two panels, three axes each
    assert stamped.count("EXTRA") == 1  # on top, where no title of a panel is in its way
    assert "STAND-IN" not in plain and "EXTRA" not in plain


def test_a_panel_without_companions_and_with_one_method(made, tmp_path):
    spec = copy.deepcopy(made.spec)
    spec["figures"]["fig1-left"]["also"] = []
    spec["figures"]["fig1-left"]["panels"][0]["methods"] = ["fw"]
    draw(spec, "fig1-left", made.evidence, [tmp_path / "one.svg"])
    text = words(tmp_path / "one.svg")
    assert "linear minimisations (LO)" not in text
    assert "NCGS-I" not in text


def test_an_unknown_format_lists_the_known(made, tmp_path):
    with pytest.raises(ValueError, match=r"a\.gif: unknown format; known: \.svg, \.pdf, \.png"):
        draw(made.spec, "fig1-left", made.evidence, [tmp_path / "a.gif"])


def test_colour_says_family_and_dash_says_role_and_no_two_methods_look_alike():
    spec = made_paper.spec()
    styles = method_styles(spec)
    assert styles["fw"]["colour"] == styles["fw-short"]["colour"] != styles["svfw"]["colour"]
    assert {styles[n]["dash"] for n in ("fw", "svfw", "ncgs-vr")} == {ROLE_DASHES["paper"]}
    assert styles["fw-short"]["dash"] == "dashed"
    assert len({(s["colour"], s["dash"]) for s in styles.values()}) == len(styles)
    assert styles["ncgs-1"]["colour"] == "#0072b2", "the family's own, of the method that figures name first"
    spec["figures"]["fig1-left"]["panels"][0]["methods"] = ["ncgs-2", "ncgs-1"]
    styles = method_styles(spec)
    assert styles["ncgs-2"]["colour"] == "#0072b2" != styles["ncgs-1"]["colour"]
    spec["methods"] = spec["methods"] | {"fw": {"solver": "fw", "role": "weak"}}
    with pytest.raises(ValueError, match="method 'fw' has the role 'weak'; known: paper, strong, extra"):
        method_styles(spec)
