"""The page: complete, self-contained, honest about what is missing, safe with any text."""

import copy
import json
import re
import shutil

import made_paper
import pytest

from projfree.report import page as page_module
from projfree.report.page import read_context

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" ' & {{ 7*7 }}"


def html(made):
    return (made.report / "index.html").read_text()


def addresses(text):
    body = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    return re.findall(r"""(?:src|href|srcset|action)\s*=\s*["']([^"']*)["']""", body)


def test_nothing_is_loaded_from_elsewhere(made):
    text = html(made)
    assert not re.search(r"@import|url\(", text)
    assert "<script src" not in text
    for address in addresses(text):
        assert not re.match(r"[a-z]+:", address) or address.startswith("data:")


def test_every_link_leads_somewhere(made):
    text = html(made)
    anchors = set(re.findall(r'id="([^"]+)"', text))
    for address in addresses(text):
        if address.startswith("#"):
            assert address[1:] in anchors
        elif not address.startswith("data:") and address != "../index.html":
            assert (made.report / address).is_file(), address


def test_no_anchor_is_given_twice(made):
    anchors = re.findall(r'id="([^"]+)"', html(made))
    assert len(anchors) == len(set(anchors))


def test_readable_on_a_phone_and_by_all(made):
    text = html(made)
    assert '<meta name="viewport" content="width=device-width' in text
    assert '<html lang="en">' in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert all(re.search(r'alt="[^"]+"', image) for image in re.findall(r"<img[^>]*>", text))


def test_pictures_are_inside_and_the_page_is_small(made, tmp_path):
    text = html(made)
    assert len(text.encode()) < 8_000_000
    assert text.count('src="data:image/svg+xml;base64,') == 2
    shutil.copy(made.report / "index.html", tmp_path / "alone.html")
    assert read_context(tmp_path / "alone.html")["paper"]["paper"] == "ncgs"


def test_every_claim_stands_there_with_both_verdicts(made):
    text = html(made)
    for entry in made_paper.claims():
        assert f'id="claim-{entry["id"]}"' in text
        assert entry["statement"] in text
    card = text[text.index('id="claim-NCGS-C1"') : text.index('id="claim-NCGS-C2"')]
    for word in ("holds in part", "fails", "0.31", "3 of 3", "NCGS-I", "ncgs-2.h5", "1, 2, 3"):
        assert word in card, word


def test_counts_of_the_summary(made):
    counts = read_context(made.report / "index.html")["counts"]
    assert counts["claims"]["verdict"] == {"holds": 1, "holds_in_part": 0, "fails": 1, "not_testable": 0}
    assert counts["claims"]["verdict_strong"]["holds_in_part"] == 1
    assert counts["theory"]["verdict"] == {"holds": 1, "holds_in_part": 0, "fails": 0, "not_testable": 1}


def test_sections_in_order(made):
    text = html(made)
    wanted = ("verdicts", "figures", "tables", "theory", "claims", "deviations", "tuning", "provenance")
    assert sorted(wanted, key=lambda name: text.index(f'<section id="{name}"')) == list(wanted)
    assert text.index('id="figure-fig1-left"') < text.index('id="figure-fig3-left"')


def test_a_figure_brings_its_words_deviations_and_stamp(made):
    text = html(made)
    figure = text[text.index('id="figure-fig3-left"') : text.index('<section id="tables"')]
    for word in ("STAND-IN data", "NCGS-VR is best, then NCGS.", "#deviation-U24", "#claim-NCGS-C2", "extra"):
        assert word in figure, word
    assert "figures/fig3-left.pdf" in figure
    assert "STAND-IN" not in text[text.index('id="figure-fig1-left"') : text.index('id="figure-fig3-left"')]


def test_tables_tuning_alternatives_provenance(made):
    text = html(made)
    assert '<td class="number">0.93</td>' in text
    assert "step_factor = 1 → 2·10⁻⁵" in text
    assert "✓ chosen: step_factor = 1" in text
    deviation = text[text.index('id="deviation-U1"') : text.index('id="deviation-U24"')]
    assert "max_lo 1" in deviation and "badge fails" in deviation
    assert "snakemake --cores 2 reports/quick/ncgs/figures/fig1-left.svg" in text
    assert "ab" * 32 in text


def test_embedded_curves_are_thin_and_plain(made):
    context = read_context(made.report / "index.html")
    axis = context["figures"][0]["panels"][0]["axes"][0]
    assert len(axis["x"]) <= 300
    assert all(len(c["median"]) == len(c["low"]) == len(axis["x"]) for c in axis["curves"])
    assert json.dumps(context, allow_nan=False)


def test_hostile_text_is_escaped_everywhere(rewrite, made):
    spec = copy.deepcopy(made.spec)
    spec |= {"title": HOSTILE, "authors": HOSTILE, "summary": HOSTILE}
    spec["figures"]["fig1-left"] |= {"title": HOSTILE, "caption": HOSTILE, "paper_says": HOSTILE}
    spec["deviations"][0] |= {"open": HOSTILE, "reason": HOSTILE}
    entry = made_paper.claim("NCGS-C1", "fails", quote=HOSTILE, statement=HOSTILE, note=HOSTILE)
    entry |= {"measured": {HOSTILE: HOSTILE}, "threshold": HOSTILE, "traces": [HOSTILE]}
    text = rewrite([entry], spec, {"run": HOSTILE, "commit": HOSTILE, "more": [HOSTILE]})
    assert "alert(1)" in text
    assert not re.search(r"<(script|img)[^>]*>\s*alert|<img src=x", text)
    assert len(re.findall(r"<script\b", text)) == 1
    assert "{{ 7*7 }}" in text


def test_numbers_that_json_cannot_hold(rewrite):
    entry = made_paper.claim("NCGS-C1", "fails", measured={"ratio": float("nan"), "time": float("inf")})
    text = rewrite([entry])
    assert "NaN" not in text and "Infinity" not in text
    assert "not a number" in text and "∞" in text


def test_missing_files_are_said_not_hidden(made, tmp_path, rewrite):
    spec = copy.deepcopy(made.spec)
    spec["figures"]["fig9"] = copy.deepcopy(spec["figures"]["fig1-left"]) | {"claims": ["NCGS-C99"]}
    spec["tables"]["table9"] = {"title": "Table 9"}
    text = rewrite(spec=spec)
    assert "Not drawn in this run." in text and "Not made in this run." in text
    assert "no verdict in this run" in text


def test_claims_that_break_the_contract_are_refused(rewrite):
    with pytest.raises(ValueError, match="claim NCGS-C1 lacks verdict_strong"):
        entry = made_paper.claim("NCGS-C1", "holds")
        entry.pop("verdict_strong")
        rewrite([entry])
    with pytest.raises(ValueError, match="NCGS-C1: unknown verdict 'perhaps'.*Known are: .*holds"):
        rewrite([made_paper.claim("NCGS-C1", "perhaps")])
    with pytest.raises(ValueError, match=r"NCGS-C1\.a is a part of NCGS-C1, which is not there"):
        rewrite([made_paper.claim("NCGS-C1.a", "holds")])


def test_alternatives_that_do_not_fit_are_refused(rewrite, tmp_path):
    path = tmp_path / "alternatives.csv"
    path.write_text("deviation,verdict\nU1,fails\n")
    with pytest.raises(ValueError, match="lacks the columns alternative, claim"):
        rewrite(alternatives=path)
    path.write_text("deviation,alternative,claim,verdict\nU99,a,NCGS-C1,fails\n")
    with pytest.raises(ValueError, match="deviations U99 are not in the register"):
        rewrite(alternatives=path)


def test_a_large_drawing_is_shown_as_png_and_a_large_page_refused(rewrite, monkeypatch):
    monkeypatch.setattr(page_module, "MAX_SVG_BYTES", 1000)
    assert rewrite().count('src="data:image/png;base64,') == 2
    monkeypatch.setattr(page_module, "MAX_BYTES", 50_000)
    with pytest.raises(ValueError, match="MB, more than"):
        rewrite()


def test_a_page_without_tables_theory_deviations_tuning(rewrite, made):
    spec = {k: v for k, v in made.spec.items() if k not in ("tables", "deviations")}
    text = rewrite([made_paper.claim("NCGS-C1", "holds")], spec)
    for name in ("tables", "theory", "deviations", "tuning"):
        assert f'<section id="{name}"' not in text
        assert f'href="#{name}"' not in text
