"""Pictures of a run's pages: ``python tests/screenshots.py reports/quick docs/screenshots``.

Index, ledger, a claim's page and a figure's page, light, dark and as on a phone, in headless Chromium.
"""

import io
import sys
import tempfile
from pathlib import Path

import browser
from PIL import Image

PAGES = {
    "index": "index.html",
    "ledger": "ledger.html",
    "claim": "ncgs/pages/claim-NCGS-C2.a.html",
    "figure": "ncgs/pages/figure-fig1-left.html",
}
#: Colour scheme and size of the window.
LOOKS = {"light": ("light", 1200, 1200), "dark": ("dark", 1200, 1200), "phone": ("light", 390, 844)}
COLOURS = 64


def take(driver, page, scheme, width, height):
    """The upper part of a page as a PNG."""
    browser.sized(driver, width, height)
    browser.media(driver, scheme=scheme)
    browser.opened(driver, page)
    picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    return picture.quantize(COLOURS, dither=Image.Dither.NONE)


def main(reports, output):
    """Take all pictures of a folder of reports."""
    driver = browser.start(tempfile.gettempdir())
    for name, page in PAGES.items():
        for look, seen in LOOKS.items():
            take(driver, (reports / page).resolve(), *seen).save(output / f"{name}-{look}.png", optimize=True)
    driver.quit()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
