"""Links of pages that lead nowhere: ``python docs/site/links.py FOLDER``, of any folder of pages."""

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes that name what a page loads, or leads to.
NAMING = {"href", "src", "data-src", "poster"}


class Page(HTMLParser):
    """What a page leads to, and the places in it that others can lead to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Called by the parser."""
        for name, value in attrs:
            if name in NAMING and value is not None:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.places.add(value)


@cache
def read(path: Path) -> Page:
    """A page, read once."""
    return Page(path.read_text(encoding="utf-8"))


def broken(folder: Path) -> list[str]:
    """Links within a folder of pages that lead to no file, or to no place in a page, as `page -> link`."""
    folder = Path(folder).resolve()
    return [
        f"{page.relative_to(folder)} -> {link}"
        for page in sorted(folder.rglob("*.html"))
        if "_static" not in page.parts  # templates of the theme
        for link in dict.fromkeys(read(page).links)
        if not leads(link, page, folder)
    ]


def leads(link: str, page: Path, folder: Path) -> bool:
    """Whether a link of a page leads somewhere in the folder; those to the web are taken at their word."""
    parts = urlsplit(link)
    if parts.scheme in ("http", "https", "data", "mailto", "blob") or parts.netloc:
        return True
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_relative_to(folder) or not target.is_file():
        return False
    # A report's fragment may be the view of its explorer.
    place = unquote(parts.fragment)
    return target.suffix != ".html" or "=" in place or place in read(target).places


if __name__ == "__main__":
    found = broken(Path(sys.argv[1]))
    print(*found, sep="\n")
    sys.exit(bool(found))
