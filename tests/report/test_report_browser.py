"""The pages in a real browser, from a folder, without a network: controls, links, files, access for all."""

import copy
import itertools
import re
import shutil
import time
from pathlib import Path

import browser
import firefox
import made_paper
import pandas as pd
import pytest
from browser import choose, opened, picture, press, sized
from places import ROOT
from selenium.webdriver import ActionChains

from referee.report.index import write_ledger
from referee.report.page import write_page
from referee.report.rebuild import rebuild

FIGURE = "pages/figure-fig3-left.html"
KINDS = (
    *("../index.html", "../ledger.html", "../undecided.html", "../glossary.html", "index.html", FIGURE),
    *("pages/claim-NCGS-C1.html", "pages/claim-NCGS-C1.a.html", "pages/tables.html", "pages/theory.html"),
    *("pages/variants.html", "pages/register.html", "pages/tuning.html", "pages/data.html"),
    "pages/environment.html",
)


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def driver(downloads):
    found = browser.start(downloads)
    yield found
    found.quit()


@pytest.fixture(scope="module")
def gecko(downloads, tmp_path_factory):
    found = firefox.start(tmp_path_factory.mktemp("firefox"), downloads)
    yield found
    found.quit()


@pytest.fixture(params=["driver", "gecko"])
def either(request):
    """Chromium, then Firefox."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def figure(either, made):
    """The page of a figure with two panels, one of them of an excess."""
    sized(either, 1200)
    browser.media(either)
    opened(either, made.report / FIGURE)
    return either


def saved(downloads, name):
    """Wait for a file of the browser; a minute is never reached.

    Chromium gives it its name when it is whole; Firefox holds the name with an empty file until then.
    """
    path, tries = downloads / name, iter(range(6000))
    while not (path.is_file() and path.stat().st_size):
        assert next(tries, None) is not None, f"no {name} among {list(downloads.iterdir())}"
        time.sleep(0.01)
    return path.rename(path.with_name("last-" + name))


@pytest.mark.parametrize(
    "name, value",
    [("panel", "1"), ("x", "IFO"), ("x", "wall_seconds"), ("x", "iteration"), ("xs", "log")]
    + [("y", "sq_gradient_mapping"), ("ys", "log"), ("value", "best"), ("show", "runs")],
)
def test_every_choice_changes_what_is_drawn_and_a_link_restores_it(figure, made, name, value):
    before = picture(figure)
    choose(figure, name, value)
    after, link = picture(figure), figure.current_url
    assert after != before
    opened(figure, made.report / FIGURE, "#" + link.partition("#")[2])
    assert picture(figure) == after
    press(figure, "button[name=again]")
    assert picture(figure) == before and "#" not in figure.current_url


@pytest.mark.parametrize("box", ["input[name=method][value=ncgs-vr]", "input[name=seed][value='2']"])
def test_methods_and_seeds_are_switched_off_and_on(figure, box):
    before = picture(figure)
    press(figure, box)
    without = picture(figure)
    assert without != before
    figure.refresh()
    assert picture(figure) == without
    press(figure, box)
    assert picture(figure) == before


def test_the_cost_of_an_oracle_moves_the_curves(figure):
    choose(figure, "x", "priced")
    before = picture(figure)
    slide = figure.find_element("css selector", "input[name=cost-seconds_lmo]")
    slide.send_keys("\ue014" * 10)  # arrow to the right: ten times as much
    assert picture(figure) != before
    assert "cost=seconds_lmo%3A10" in figure.current_url


def test_seconds_at_another_price_are_what_the_formula_says(driver, made):
    opened(driver, made.report / FIGURE)
    end = driver.execute_script(
        """const data = {columns: {cpu_seconds: [1, 2], seconds_lmo: [0.5, 1]}};
        return projfree.axis(data, projfree.MODEL, {seconds_lmo: 10})"""
    )
    assert end == [5.5, 11]


def test_the_keyboard_reads_values_and_zooms(figure):
    before, chart = picture(figure), figure.find_element("css selector", ".chart")
    chart.send_keys("\ue014\ue014")
    told = figure.find_element("css selector", ".told[data-method=ncgs-vr]").text
    assert 0.02 < float(told) < 0.26
    chart.send_keys("+")
    closer = picture(figure)
    assert closer != before and "zoom=" in figure.current_url
    figure.find_element("css selector", ".chart").send_keys("0")
    assert picture(figure) != closer and "zoom=" not in figure.current_url


def test_the_exported_table_is_the_published_one(figure, made, downloads):
    press(figure, "button[name=csv]")
    exported = pd.read_csv(saved(downloads, "fig3-left.csv"))
    keys, numbers = ["method", "seed", "iteration"], ["cpu_seconds", "seconds_lmo", "IFO", "LO", "matvec"]
    table = pd.read_csv(made.evidence / "fig3-left.csv").sort_values(keys, kind="stable", ignore_index=True)
    names = [*keys, *numbers, "objective", "sq_gradient_mapping"]
    digits = table[names].map(lambda value: float(f"{value:.7g}") if isinstance(value, float) else value)
    pd.testing.assert_frame_equal(exported[names], digits, check_exact=True, check_dtype=False)


def test_the_exported_drawing_has_the_curves_and_their_names(figure, downloads):
    press(figure, "input[name=method][value=fw]")
    press(figure, "button[name=svg]")
    text = saved(downloads, "fig3-left.svg").read_text()
    assert "NCGS-VR tuned" in text and ">FW<" not in text and ">CPU time (s)<" in text
    assert text.count("<polyline") >= 3 * 7
    press(figure, "button[name=png]")
    assert saved(downloads, "fig3-left.png").read_bytes().startswith(b"\x89PNG")


def test_a_claim_shows_its_methods_on_its_axis(driver, made):
    entry = next(e for e in made_paper.claims() if e["id"] == "NCGS-C1.a")
    opened(driver, made.report / "pages" / "claim-NCGS-C1.a.html")
    value = {n: driver.find_element("css selector", f"select[name={n}]").get_attribute("value") for n in "xy"}
    assert value == {"x": "IFO", "y": "sq_gradient_mapping"}
    on = driver.find_elements("css selector", "input[name=method]:checked")
    assert [box.get_attribute("value") for box in on] == [Path(trace).stem for trace in entry["traces"]]


def test_a_threshold_is_drawn(driver, made, downloads):
    opened(driver, made.report / "pages" / "claim-NCGS-T1.html")
    press(driver, "button[name=svg]")
    assert "required 2.5" in saved(downloads, "NCGS-T1.svg").read_text()


def test_words_on_levels_do_not_meet(driver, made, downloads, tmp_path):
    spec = copy.deepcopy(made.spec)
    lines = [{"y": y, "label": f"a level at {y}"} for y in (4.0, 4.1)]
    spec["figures"]["fig1-left"]["panels"][0]["reference"] = lines
    pages = written(tmp_path / "ncgs", spec, made.evidence)
    opened(driver, pages / "claim-NCGS-C1.b.html", "#ys=linear")
    press(driver, "button[name=svg]")
    text = saved(downloads, "NCGS-C1.b.svg").read_text()
    found = re.findall(r'<text x="(.+?)" y="(.+?)".*? class="level">', text)
    places = [(float(x), float(y)) for x, y in found]
    near = [abs(x - u) for (x, y), (u, v) in itertools.combinations(places, 2) if abs(y - v) < 13]
    assert near and min(near) > 60


def test_the_ledger_filters_and_keeps_the_choice(either, made):
    def shown(*fragment):
        opened(either, made.report.parent / "ledger.html", *fragment)
        return count()

    def count():
        return either.find_element("id", "count").text.partition(" claims")[0]

    assert shown() == "5 of 5"
    choose(either, "verdict", "holds")
    choose(either, "fair", "holds in part")
    rows = either.find_elements("css selector", "tbody tr:not([hidden])")
    assert [row.text.split()[0] for row in rows] == ["NCGS-C1"]
    assert shown("#" + either.current_url.partition("#")[2]) == "1 of 5" and shown() == "5 of 5"
    either.find_element("css selector", "input[name=words]").send_keys("c1 OUTPERFORMS")
    assert count() == "1 of 5" and "words=" in either.current_url


def test_the_ledger_sorts_by_its_columns_and_keeps_the_order(driver, made):
    def ids():
        return [link.text for link in driver.find_elements("css selector", "tbody th a")]

    sized(driver, 1200)
    opened(driver, made.report.parent / "ledger.html")
    ours, verdicts = ids(), driver.find_element("css selector", "th[data-sort=headline] button")
    verdicts.click()
    best, head = ids(), driver.find_element("css selector", "th[data-sort=headline]")
    assert best == ["NCGS-T1", "NCGS-C1", "NCGS-C2", "NCGS-T2", "NCGS-C3"]
    assert head.get_attribute("aria-sort") == "ascending"
    verdicts.click()
    assert ids() == best[::-1] and "sort=-headline" in driver.current_url
    driver.refresh()
    assert ids() == best[::-1]
    driver.find_element("css selector", "th[data-sort=claim] button").click()
    assert ids() == ours


def test_the_ledger_shows_a_phone_forty_claims_whole_and_the_others_on_demand(driver, tmp_path):
    words = "a sentence of a paper, which is so long that no table would have room for it " * 3
    entries = [made_paper.claim(f"NCGS-C{n}", "holds", quote=words) for n in range(50)]
    (tmp_path / "ncgs").mkdir()
    made_paper.judge(tmp_path / "ncgs", entries)
    write_ledger(tmp_path, tmp_path / "ledger.html", ["ncgs"])
    sized(driver, 360)
    opened(driver, tmp_path / "ledger.html")
    rows = driver.find_elements("css selector", "tbody tr")
    assert words.strip() in rows[0].text
    assert sum(row.is_displayed() for row in rows) == 40
    press(driver, "#more")
    assert all(row.is_displayed() for row in rows) and not driver.find_element("id", "more").is_displayed()


def dragged(driver, x, y):
    """Draw a frame of so many pixels in the chart; return the zoom that the address has then."""
    plot = driver.find_element("css selector", ".u-over")
    ActionChains(driver).move_to_element(plot).click_and_hold().move_by_offset(x, y).release().perform()
    browser.settled(driver)
    found = re.search("zoom=([^&]*)", driver.current_url)
    return [float(value) for value in found[1].split("%2C")] if found else None


def test_a_drag_along_an_axis_zooms_that_axis_alone(driver, made):
    sized(driver, 1200)
    opened(driver, made.report / FIGURE)
    before = picture(driver)
    low, high, bottom, top = dragged(driver, 120, 0)
    along = (high - low, top / bottom)
    low, high, bottom, top = dragged(driver, 0, 90)
    assert high - low == pytest.approx(along[0], rel=1e-4) and top / bottom < along[1] / 1.5
    wide = high - low
    low, high, bottom, top = dragged(driver, 90, 60)
    assert high - low < wide / 1.5
    ActionChains(driver).double_click(driver.find_element("css selector", ".u-over")).perform()
    assert picture(driver) == before


GROUND = "return getComputedStyle(document.querySelector('.chart')).backgroundColor"


def seen(driver):
    """Of the chart's pixels the background, and the brightness of the darkest and of the lightest."""
    return driver.execute_script(
        """const chart = document.querySelector('.chart canvas'), copy = document.createElement('canvas');
        [copy.width, copy.height] = [chart.width, chart.height];
        const pen = copy.getContext('2d', {willReadFrequently: true});
        pen.drawImage(chart, 0, 0);
        const {data} = pen.getImageData(0, 0, copy.width, copy.height), found = new Set();
        for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200) found.add(data[i] + data[i + 1] + data[i + 2]);
        const ground = getComputedStyle(document.querySelector('.chart')).backgroundColor;
        return [ground, Math.min(...found), Math.max(...found)]"""
    )


def test_the_chart_is_dark_in_the_dark_and_the_saved_drawing_is_not(driver, made, downloads):
    sized(driver, 1200)
    try:
        browser.media(driver)
        opened(driver, made.report / FIGURE)
        assert seen(driver)[0] == "rgb(255, 255, 255)" and seen(driver)[1] < 3 * 70
        browser.media(driver, scheme="dark")  # while the page is open
        browser.settled(driver)
        ground, darkest, lightest = seen(driver)
        assert max(map(int, re.findall(r"\d+", ground))) < 40
        assert darkest > 3 * 50 and lightest > 3 * 200
        press(driver, "button[name=svg]")
        assert 'fill="#fff"' in saved(downloads, "fig3-left.svg").read_text()
        browser.media(
            driver, "print", "dark"
        )  # the explorer, with no pixels to read, gives way to the drawing
        assert driver.execute_script(GROUND) == "rgb(255, 255, 255)"
    finally:
        browser.media(driver)


def test_menus_and_costs_are_in_words(driver, made):
    opened(driver, made.report / FIGURE, "#x=priced")
    options = [o.get_attribute("textContent") for o in driver.find_elements("css selector", "option")]
    costs = [label.text for label in driver.find_elements("css selector", ".costs label")]
    assert "linear minimisations 1" in costs
    assert not [words for words in options + costs if "_" in words]


def test_a_wide_table_of_a_published_report_scrolls_and_does_not_widen_the_page(driver, tmp_path):
    report = shutil.copytree(ROOT / "reports/reference/ncgs", tmp_path / "ncgs")
    rebuild(report)
    sized(driver, 360)
    opened(driver, report / "pages/variants.html")
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 360
    first = driver.find_element("css selector", "tbody td")
    assert first.location["x"] < 300  # its names leave room for verdicts


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_page_is_for_everybody(driver, gecko, made, name):
    """No violation worse than minor, light and dark; nothing wider than a phone; an empty console."""
    before = gecko.said()
    for browse, width, scheme in ((driver, 1200, "light"), (driver, 360, "dark"), (gecko, 1200, "light")):
        sized(browse, width)
        browser.media(browse, scheme=scheme)
        opened(browse, (made.report / name).resolve())
        assert browser.violations(browse) == []
        assert browse.execute_script("return document.documentElement.scrollWidth") <= width
    assert driver.get_log("browser") == [] and gecko.said() == before


def test_what_a_page_says_in_firefox_is_heard(gecko, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><title>x</title><script>console.warn('told'); undefined.lost</script>")
    before = len(gecko.said())
    opened(gecko, page)
    told, error = gecko.said()[before:]
    assert "told" in told and "lost" in error


@pytest.mark.parametrize("name", ["../ledger.html", "../undecided.html", "pages/theory.html"])
def test_no_verdict_is_cut_on_a_phone(driver, made, name):
    sized(driver, 360)
    opened(driver, (made.report / name).resolve())
    badges = "return [...document.querySelectorAll('table .badge')].map(e => e.getBoundingClientRect().right)"
    edges = driver.execute_script(badges)
    assert edges and max(edges) <= 360


def test_a_phone_hides_what_is_filtered(driver, made):
    sized(driver, 360)
    opened(driver, made.report.parent / "ledger.html", "#verdict=holds")
    rows = driver.find_elements("css selector", "tbody tr")
    assert 0 < sum(row.is_displayed() for row in rows) < len(rows)


def test_without_scripts_the_printed_figure_stands(driver, made):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        driver.get((made.report / "pages" / "figure-fig1-left.html").as_uri())
        assert driver.find_element("css selector", "figure img").is_displayed()
        assert "explored if scripts are on" in driver.find_element("css selector", ".explorer").text
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_link_to_an_unstated_choice_unfolds_it_alone(driver, made):
    opened(driver, made.report / "pages/register.html", "#deviation-U1")
    unfolded = driver.find_elements("css selector", "details[open]")
    rows = [entry.find_element("xpath", "ancestor::tr") for entry in unfolded]
    assert [row.get_attribute("id") for row in rows] == ["deviation-U1"]


def test_on_paper_there_is_the_static_figure_and_no_control(driver, made):
    sized(driver, 1200)
    opened(driver, made.report / FIGURE)
    browser.media(driver, "print")
    picture = "section[aria-labelledby=h-printed]"
    parts = (".controls", ".chart", picture)
    shown = {css: driver.find_element("css selector", css).is_displayed() for css in parts}
    browser.media(driver)
    assert shown == {".controls": False, ".chart": False, picture: True}  # the static figure, whole


def written(root, spec, tables, entries=None):
    """The folder of the pages of a paper, made from these tables."""
    root.mkdir(exist_ok=True)
    made_paper.judge(root, entries or made_paper.claims())
    write_page(spec, root / "claims.json", root, root, root / "index.html", {"run": "quick"}, tidy_dir=tables)
    return root / "pages"


def hard(root, seeds):
    """A figure whose methods are one run each, one of which diverged, or many; one panel has no table."""
    spec = made_paper.spec()
    panel = spec["figures"]["fig1-left"]["panels"][0]
    spec["figures"] = {"fig1-left": spec["figures"]["fig1-left"] | {"panels": [panel]}}
    spec |= {"tables": {}, "deviations": []}
    table = made_paper.tidy(root, "fig1-left", spec["experiments"]["fig1-left"]["methods"], seeds, records=20)
    frame = pd.read_csv(table)
    diverged = (frame["method"] == "fw") & (frame["iteration"] > 10)
    frame.loc[diverged, "sq_gradient_mapping"] = float("inf")
    frame.to_csv(table, index=False)
    return written(root, spec, root, [made_paper.claim("NCGS-C1", "holds")])


@pytest.mark.parametrize("seeds", [1, 100])
def test_one_seed_a_diverged_run_and_500_curves_are_drawn(driver, tmp_path, seeds):
    folder = hard(tmp_path, seeds)
    opened(driver, folder / "figure-fig1-left.html", "#show=runs&off=")
    assert f"{5 * seeds} runs" in driver.find_element("css selector", ".state").text
    assert driver.get_log("browser") == []


def test_records_that_are_gone_are_said(driver, tmp_path):
    folder = hard(tmp_path, 1)
    (folder / "data" / "fig1-left.js").unlink()
    opened(driver, folder / "figure-fig1-left.html")
    assert "are not beside this page" in driver.find_element("css selector", ".explorer").text
    driver.get_log("browser")


def test_a_hostile_name_is_shown_not_run(driver, tmp_path, made):
    hostile = "<img src=x onerror=document.title='run'>"
    spec = copy.deepcopy(made.spec)
    spec["methods"]["fw"]["label"] = hostile
    opened(driver, written(tmp_path / "report", spec, made.evidence) / "figure-fig1-left.html")
    assert hostile in driver.find_element("css selector", ".methods").text
    assert driver.title != "run"
