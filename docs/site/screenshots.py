"""Take the pictures of docs/screenshots anew, from the pages that `make pages` made, by a Chromium."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPORTS, PICTURES = ROOT / "reports/reference", ROOT / "docs/screenshots"
SHOWN = {"figure-light": "ncgs/pages/figure-fig1-right.html", "ledger-light": "ledger.html"}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main():
    """One picture of 1200 × 1200 points a page, in the light scheme."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit(f"none of {', '.join(BROWSERS)} is installed; Debian has: apt install chromium")
    for name, page in SHOWN.items():
        if not (REPORTS / page).is_file():
            sys.exit(f"{REPORTS / page} is missing; make it with: make pages")
        picture = PICTURES / f"{name}.png"
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--virtual-time-budget=8000"]
        where = [f"--screenshot={picture}", "--window-size=1200,1200", (REPORTS / page).as_uri()]
        subprocess.run([browser, *options, *where], check=True, stderr=subprocess.DEVNULL)
        print(f"wrote {picture.relative_to(ROOT)} ({picture.stat().st_size / 1000:.0f} kB)")


if __name__ == "__main__":
    main()
