"""The pages of a paper: complete, self-contained, small, honest about what is missing, safe with any text."""

import copy
import json
import re
import shutil
from html.parser import HTMLParser

import made_paper
import pytest

from referee.common.ours import NotOurs
from referee.report import context as context_module
from referee.report import html as html_module
from referee.report.index import write_index
from referee.report.page import read_context
from referee.report.verdicts import read_verdicts

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" ' & {{ 7*7 }}"
BADGE = '<span class="badge {}">'


class Outline(HTMLParser):
    """What stands open, and which elements that one may press stand in another such."""

    VOID = {"meta", "link", "img", "input", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.nested = [], []

    def handle_starttag(self, tag, attrs):
        if tag in ("a", "button", "summary", "select") and {"a", "button", "summary"} & set(self.open):
            self.nested.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_page_is_small_whole_readable_and_alone(made):
    style = (made.report / "assets" / "style.css").read_text()
    assert "prefers-color-scheme: dark" in style and "@media print" in style
    for path in pages(made):
        text, outline = path.read_text(), Outline()
        assert path.stat().st_size < 1_000_000 and len(shown(text).split()) <= 3000, path
        outline.feed(text)
        assert outline.open == [] and outline.nested == [], path
        anchors = re.findall(r'\sid="([^"]+)"', text)
        assert len(anchors) == len(set(anchors)), path
        assert '<meta name="viewport" content="width=device-width' in text and '<html lang="en">' in text
        assert text.count("<h1") == 1, path
        assert all(re.search(r'alt="[^"]+"', image) for image in re.findall(r"<img[^>]*>", text))
        assert not re.search(r"@import|url\(", text), path


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(made):
    for path in pages(made):
        for address in addresses(path.read_text()):
            if not address.startswith("data:"):
                assert not re.match(r"[a-z]+:|//", address), (path, address)
                name, _, anchor = address.partition("#")
                target = path if not name else path.parent / name
                assert target.is_file(), (path, address)
                told = not anchor or "=" in anchor  # a view, that a script restores
                assert told or f'id="{anchor}"' in target.read_text(), (path, address)


def page(made, name="index.html"):
    return (made.report / name).read_text()


def pages(made):
    """Every page of the run: the overview, the ledger, the paper's and all beside it."""
    return sorted(made.report.parent.rglob("*.html"))


def addresses(text):
    body = re.sub(r"<script[^>]*>.+?</script>", "", text, flags=re.S)
    return re.findall(r"""(?:src|href|srcset|action)\s*=\s*["']([^"']*)["']""", body)


def test_a_page_a_question(made):
    pages = ("tables", "theory", "variants", "register", "tuning", "data", "environment")
    wanted = {f"claim-{entry['id']}" for entry in made_paper.claims()}
    wanted |= {"figure-fig1-left", "figure-fig3-left", *pages}
    assert {path.stem for path in (made.report / "pages").glob("*.html")} == wanted


def test_every_claim_has_its_page_with_both_verdicts(made):
    for entry in made_paper.claims():
        text = page(made, f"pages/claim-{entry['id']}.html")
        assert entry["statement"] in text and entry["quote"] in text
    text = page(made, "pages/claim-NCGS-C1.a.html")
    for word in ("holds in part", "holds only as published", "ncgs-2.h5"):
        assert word in text, word
    assert made_paper.ROBUST in shown(text)
    assert 'href="claim-NCGS-C1.html"' in text and 'rel="next" href="claim-NCGS-C1.b.html"' in text


def shown(text):
    """The words of a page in one line."""
    text = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.S)
    text = re.sub(r'<a class="term"[^>]*>([^<]*)</a>', r"\1", text)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_a_claim_has_its_sentences_and_a_row_a_panel_and_pair_in_both_columns(made):
    whole = shown(page(made, "pages/claim-NCGS-C1.html"))
    assert "We find, as published: NCGS led at 7–10 places." in whole and "below FW" in whole
    text = shown(page(made, "pages/claim-NCGS-C1.a.html"))
    cells = "‖g‖² over component gradients (IFO) lower at 7–9 of 10 points, higher at 0, tied at 1–3 "
    cells += "four fifths of those that differ ✓ 3 of 3"
    assert text.count(cells) == 1 and "As published and in the fair comparison: the same methods" in text
    assert "NCGS-VR was best" not in page(made, "pages/claim-NCGS-C2.html")  # written for another verdict


def test_numbers_are_grouped_and_shorter_runs_and_reasons_said(rewrite):
    entry = made_paper.claim("NCGS-C1", "not_testable")
    (row, *_) = made_paper.rows([entry])
    rows = [row | {"low": 1.5, "high": "inf", "what": "ncgs-2 before fw", "length": "5 of 40 s"}]
    rows += [row | {"low": 0, "high": "inf", "what": "fw before ncgs-2", "reason": "neither was there"}]
    rows += [row | {"call": "another reading", "low": 77}]
    text = shown(rewrite([entry], found=rows)["claim-NCGS-C1.html"])
    for words in ("at least 1.5 times", "5 of 40 s", "neither was there", "2 of 10 points differ"):
        assert words in text, words
    assert "77" not in text and " inf" not in text


def test_messages_come_first_and_a_stale_one_is_named(made):
    text = shown(page(made))
    assert text.index("NCGS was below FW at 7–10 of ten places.") < text.index("Claims of the paper")
    assert "Not shown: what was written of NCGS-C2" in text and "It is." not in text


def test_claims_are_folded_by_figure_and_those_not_judged_are_a_list(made):
    for text in (page(made), (made.report / "README.md").read_text()):
        assert re.findall(r"<summary>(?:<h3>)?(Figure[^<:,]*)", text) == ["Figure 1", "Figure 3"]
        assert text.index("It needs the hardware.") > text.rindex("</details>")
        assert "below FW" in text and "Parts:" not in text


def test_variants_are_a_picture_on_the_claim_and_a_matrix_over_all(rewrite):
    robust = made_paper.ROBUST
    other = made_paper.claim("NCGS-C2", "fails")
    entries = [made_paper.claim("NCGS-C1", "holds", readings=made_paper.READINGS, robustness=robust), other]
    entries += [made_paper.claim("NCGS-C3", "holds", readings=made_paper.READINGS[:1])]
    texts = rewrite(entries)
    claim = shown(texts["claim-NCGS-C1.html"])
    assert robust in claim and "✗ max_lo 1 : fails (without it ✓)" in claim
    assert "U1 tolerance of condg" in claim  # a choice is named in words, not by its number alone
    matrix = texts["variants.html"]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', matrix, re.S)
    assert [re.sub(r"<[^>]+>", "", name).split()[0] for name, _ in rows] == ["first", "the", "max_lo"]
    marks = [re.findall(r"<td[^>]*>([^<]*)", cells) for _, cells in rows]
    assert marks == [["✓", "✓"], ["✓", ""], ["✗", ""]] and 'class="fails turns"' in matrix
    assert "variants.html" not in rewrite([other])


def test_an_undecided_claim_says_why_and_what_is_not_judged_is_apart(rewrite, tmp_path):
    entries = [made_paper.claim("NCGS-C1", "not_testable"), made_paper.claim("NCGS-C1.a", "not_testable")]
    entries += [made_paper.claim("NCGS-C3", "not_judged", statement="It needs the hardware.", panels=[])]
    entries += [made_paper.claim("NCGS-C4", "holds", "holds")]
    rewrite(entries)
    report = tmp_path / "all" / "ncgs"
    shutil.copytree(tmp_path / "report", report)
    made_paper.judge(report, entries)
    write_index(report.parent, report.parent / "index.html")
    text = (report.parent / "undecided.html").read_text()
    (row,) = re.findall(r"<tr><th.*?</tr>", text, re.S)[1:]
    assert shown(row).startswith("NCGS-C1.a ") and "close: 2 of 10 points differ" in shown(row)
    assert text.index("It needs the hardware.") > text.index("Not judged")


def test_counts_of_the_summary(made):
    counts = read_context(made.report / "index.html")["counts"]
    told = {verdict: count for verdict, count in counts["claims"]["verdict"].items() if count}
    assert told == {"holds": 1, "fails": 1}  # what is not judged is a list of its own
    assert counts["claims"]["verdict_strong"]["holds_in_part"] == 1
    assert counts["theory"]["verdict"]["not_testable"] == counts["theory"]["verdict"]["holds"] == 1


def test_sections_in_order(made):
    text = page(made)
    wanted = ("verdicts", "figures")
    assert sorted(wanted, key=lambda name: text.index(f'<section id="{name}"')) == list(wanted)
    assert text.index('id="figure-fig1-left"') < text.index('id="figure-fig3-left"')


def test_a_figure_brings_its_words_choices_and_stamp(made):
    text = page(made, "pages/figure-fig3-left.html")
    words = ("STAND-IN data", "NCGS-VR is best", "register.html#deviation-U24", "claim-NCGS-C2.html", "extra")
    for word in (*words, "../figures/fig3-left.pdf", "projfree reproduce ncgs/fig3-left --run full"):
        assert word in text, word
    other = page(made, "pages/figure-fig1-left.html")
    assert "STAND-IN" not in other and BADGE.format("fails") in other
    assert "An alternative changes" in other and "(max_lo 1)" in other


def test_tables_tuning_alternatives_provenance(made):
    assert '<td class="number">0.93</td>' in page(made, "pages/tables.html")
    tuning = page(made, "pages/tuning.html")
    assert "step_factor = 1 → 2·10⁻⁵" in tuning and "✓ chosen: step_factor = 1" in tuning
    register = page(made, "pages/register.html")
    deviation = register[register.index('id="deviation-U1"') : register.index('id="deviation-U24"')]
    cells = re.findall(r'<td class="(?:holds|fails)"[^>]*>([^<]*)<', deviation)
    assert "max_lo 1" in deviation and cells == ["✓", "✗"]
    assert re.search(r'"what changes"><div><a href="claim-NCGS-C1.a.html">NCGS-C1.a</a> ✗', deviation)
    assert '<tr class="turned"><th scope="row"><a href="claim-NCGS-C1.a.html">' in deviation
    assert "ab" * 32 in page(made, "pages/data.html")
    assert "aloi cannot be had here" in page(made, "pages/data.html")
    commands = page(made, "pages/environment.html")
    assert "projfree reproduce ncgs/fig1-left --run full" in commands
    assert "snakemake --cores 2 --config run=full -- ncgs" in commands


def test_tables_show_five_digits_and_whole_counts_and_keep_the_rest(made, rewrite):
    table = made.report / "tables" / "table3.csv"
    table.write_text("algorithm,F,train,own\n10M,0.98746560619824851,9301174.0,True\n")
    spec = made.spec | {"tables": made.spec["tables"] | {"table3": {"title": "Three"}}}
    text = rewrite(spec=spec)["tables.html"]
    table.unlink()
    row = text[text.index("10M") :].replace("\u202f", " ")
    for cell in ('title="0.9874656061982485">0.98747<', 'class="number">9 301 174<', 'class="number">yes<'):
        assert cell in row, cell


def test_hostile_text_is_escaped_everywhere(rewrite, made):
    spec = copy.deepcopy(made.spec)
    spec |= {"title": HOSTILE, "authors": HOSTILE, "summary": HOSTILE}
    spec["figures"]["fig1-left"] |= {"title": HOSTILE, "caption": HOSTILE, "paper_says": HOSTILE}
    spec["figures"]["fig1-left"]["panels"][0]["title"] = HOSTILE
    spec["deviations"][0] |= {"open": HOSTILE, "reason": HOSTILE}
    spec["methods"]["fw"]["label"] = HOSTILE
    entry = made_paper.claim("NCGS-C1", "fails", quote=HOSTILE, statement=HOSTILE, note=HOSTILE)
    entry |= {"robustness": HOSTILE, "part": HOSTILE}
    entry["traces"].append(HOSTILE)
    rows = [row | {"what": HOSTILE, "reason": HOSTILE, "length": HOSTILE} for row in made_paper.rows([entry])]
    hostile = {"run": HOSTILE, "commit": HOSTILE, "more": [HOSTILE]}
    texts = rewrite([entry], spec, hostile, rows, tidy_dir=made.evidence)
    assert "alert(1)" in texts["index.html"] and "{{ 7*7 }}" in texts["claim-NCGS-C1.html"]
    for name, text in texts.items():
        assert not re.search(r"<(script|img)[^>]*>\s*alert|<img src=x", text), name


def test_missing_files_are_said_not_hidden(made, rewrite):
    spec = copy.deepcopy(made.spec)
    spec["figures"]["fig9"] = copy.deepcopy(spec["figures"]["fig1-left"]) | {"claims": ["NCGS-C99"]}
    spec["tables"]["table9"] = {"title": "Table 9"}
    texts = rewrite(spec=spec)
    assert "Not drawn in this run." in texts["index.html"] and "Not made in this run." in texts["tables.html"]
    assert "no verdict in this run" in texts["figure-fig9.html"] and "claim-NCGS-C1.b.html" in texts
    bare = rewrite([made_paper.claim("NCGS-C1", "holds")])
    assert "claim-NCGS-C1.b.html" not in bare, "pages of earlier claims do not stay"
    assert "No alternative has been run" in bare["register.html"]
    assert "No alternative has been run" not in page(made, "pages/register.html")


UNKEYED = made_paper.claim("NCGS-C1", "holds")
del UNKEYED["verdict_strong"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (UNKEYED, "NCGS-C1 verdict_strong: Field required"),
        (made_paper.claim("NCGS-C1", "perhaps"), "verdict: .*unknown verdict 'perhaps'.*Known are: .*holds"),
        (made_paper.claim("NCGS-C1.a", "holds"), r"NCGS-C1\.a is a part of NCGS-C1, which is not there"),
    ],
)
def test_claims_that_break_the_contract_are_refused(rewrite, tmp_path, entry, message):
    with pytest.raises(ValueError, match=message):
        rewrite([entry], found=[])
    (tmp_path / "verdicts.csv").write_text("claim,panel\nX-C1,p\n")
    with pytest.raises(ValueError, match="lacks the columns part, column, call"):
        read_verdicts(tmp_path / "verdicts.csv")


def test_a_large_drawing_is_shown_as_png_and_a_large_page_refused(made, tmp_path, rewrite, monkeypatch):
    def pictures():
        folders = made.report / "claims.json", made.report / "figures", tmp_path, made.report
        context = context_module.build_context(made.spec, *folders, {})
        return [figure["picture"]["href"] for figure in context["figures"]]

    assert pictures() == ["figures/fig1-left.svg", "figures/fig3-left.svg"]
    monkeypatch.setattr(context_module, "MAX_SVG_BYTES", 1000)
    assert pictures() == ["figures/fig1-left.png", "figures/fig3-left.png"]
    monkeypatch.setattr(html_module, "MAX_BYTES", 5_000)
    with pytest.raises(ValueError, match="MB, more than"):
        rewrite()


def test_a_paper_without_tables_theory_deviations_tuning(rewrite, made):
    spec = {k: v for k, v in made.spec.items() if k not in ("tables", "deviations", "messages", "sentences")}
    texts = rewrite([made_paper.claim("NCGS-C1", "holds")], spec)
    for name in ("tables", "theory", "variants", "register", "tuning"):
        assert f"{name}.html" not in texts and f"{name}.html" not in texts["index.html"]


def test_what_pages_load_stands_once_beside_their_papers(made, rewrite):
    assert json.loads((made.report / "assets" / "vendored.json").read_text())["uplot"]["licence"]
    assert {path.suffix for path in (made.report / "pages").iterdir()} == {".html", ""}  # and its data


def test_an_asset_of_others_stays_and_one_of_an_earlier_version_is_replaced(rewrite, tmp_path):
    style = tmp_path / "report/assets/style.css"
    style.parent.mkdir(parents=True)
    style.write_text("mine")
    with pytest.raises(NotOurs, match=r"style\.css, which projfree did not make"):
        rewrite()
    assert style.read_text() == "mine" and [path.name for path in style.parent.iterdir()] == ["style.css"]
    style.unlink()
    rewrite()
    style.write_text(":root {\n  --of: an earlier version;\n}")
    rewrite()
    assert style.read_bytes() == (html_module.STATIC / "style.css").read_bytes()


def test_rows_of_two_criteria_or_axes_are_never_in_one_number(rewrite):
    entry = made_paper.claim("NCGS-C1", "holds")
    (row, *_) = made_paper.rows([entry])
    rows = [row, row | {"panel": "fig3-left", "metric": "objective", "low": 2}]
    rows += [row | {"over": "LO", "low": 4}]
    text = shown(rewrite([entry], found=rows)["index.html"]).replace(" ", "")
    for where in ("‖g‖²overCPUtime(s)):lowerat7of", "FoverCPUtime(s)):lowerat2of", "(LO)):lowerat4of"):
        assert where in text, where
