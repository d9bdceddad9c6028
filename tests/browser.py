"""A real browser for the tests of the pages: headless Chromium without a network but this machine."""

import shutil

import pytest
from places import ROOT

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def start(downloads):
    """A driver of headless Chromium that reaches no other host; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    driver = shutil.which("chromedriver")
    if not found or not driver:
        pytest.skip("no Chromium with its driver here (Debian: chromium chromium-driver)")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = found
    alone = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", alone):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def sized(driver, width, height=900):
    """A window of so many pixels, as on a phone; Firefox has none so narrow."""
    if driver.name == "firefox":
        driver.set_window_size(width, height)
        return
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def media(driver, kind="", scheme="light"):
    """A medium (`print`) and a colour scheme; Firefox stays light, on a screen."""
    if driver.name == "firefox":
        return
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})


def opened(driver, path, fragment=""):
    """Load a page as a file, from nowhere, and wait until its explorer, if any, has drawn."""
    driver.get("about:blank")
    driver.get(path.as_uri() + fragment)
    settled(driver)


def settled(driver):
    """Wait until the explorer has drawn, or said why it cannot."""
    driver.execute_async_script(
        """const done = arguments[0], place = document.querySelector('.explorer');
        const look = () => !place || place.dataset.ready || place.querySelector('p:only-child')
            ? requestAnimationFrame(() => requestAnimationFrame(done)) : setTimeout(look, 5);
        look();"""
    )


def picture(driver):
    """What the chart shows, pixel by pixel."""
    settled(driver)
    return driver.execute_script("return document.querySelector('.chart canvas').toDataURL()")


def choose(driver, name, value):
    """Choose an option as a reader does."""
    from selenium.webdriver.support.ui import Select

    Select(driver.find_element("css selector", f"select[name={name}]")).select_by_value(value)
    settled(driver)


def press(driver, css):
    """Press what the selector names."""
    driver.find_element("css selector", css).click()
    settled(driver)


def violations(driver):
    """What axe-core finds on a page that is worse than minor: its name, and where."""
    driver.set_script_timeout(600)  # a machine may be slow, and its neighbours loud
    driver.execute_script((ROOT / "tests/report/vendored/axe.min.js").read_text())
    found = driver.execute_async_script("axe.run({preload: false}).then(arguments[0])")["violations"]
    return [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found if v["impact"] != "minor"]
