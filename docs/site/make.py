"""Build the public site: ``python docs/site/make.py site``.

Its sources are put together in ``.cache/site``: the documents of the repository, with links that hold there,
what stands in this folder, examples, and the keys of the configuration as the schemas have them. Sphinx makes
pages of them, warnings being errors. The pages of the published reports are made from their evidence and put
next to them. At the end every link of every page is followed.
"""

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

import keys
import links
from sphinx.cmd.build import main as sphinx

from referee import cli, study
from referee.common.ours import NotOurs, require_page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REPORTS = "reports/reference"
SOURCES = ROOT / ".cache/site"
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)([^)\s]*)\)")
MARK = re.compile(r"<!-- ([a-z]+)(?::\S+)? -->")
BLOCK = re.compile(r"(^```.*?^```)", re.M | re.S)
IGNORED = shutil.ignore_patterns("*.md", "__pycache__")
#: Documents that stand outside of docs, and the names of their pages.
OUTSIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "config/README.md": "config.md",
}


def staged() -> dict[str, str]:
    """Pages of the site by the documents of the repository that they are made of."""
    documents = sorted((ROOT / "docs").rglob("*.md"))
    found = {path.relative_to(ROOT).as_posix(): path.relative_to(ROOT / "docs") for path in documents}
    notes = {
        f"papers/{paper}/{path.name}": f"notes/{paper}-{path.name}".replace("-notes.md", ".md")
        for paper in study.papers(ROOT)
        for path in sorted((ROOT / "papers" / paper).glob("*.md"))
    }
    guessed = {
        f"papers/{paper}/independent/guessed.md": f"notes/{paper}-guessed.md"
        for paper in study.papers(ROOT)
        if (ROOT / "papers" / paper / "independent").is_dir()
    }
    return {
        **OUTSIDE,
        **notes,
        **guessed,
        **{name: page.as_posix().removeprefix("site/") for name, page in found.items()},
    }


def relinked(text: str, document: str, page: str) -> str:
    """A document's text with the links of its page."""
    pages, folder, here = staged(), os.path.dirname(document), os.path.dirname(page) or "."

    def moved(match):
        words, (path, _, fragment) = match[1], match[2].partition("#")
        target = os.path.normpath(os.path.join(folder, path)) if path else document
        anchor = f"#{fragment}" if fragment else ""
        if target in pages:
            return f"[{words}]({os.path.relpath(pages[target], here)}{anchor})"
        if not target.startswith(REPORTS):
            raise ValueError(f"{document} links to {match[2]}, which is no page of the site")
        target = target.replace("README.md", "index.html")  # which has its anchors
        report = os.path.relpath("reports" + target.removeprefix(REPORTS), here)
        return f'<a href="{report}{anchor}">{words}</a>'

    pieces = BLOCK.split(text)
    pieces[::2] = [LINK.sub(moved, piece) for piece in pieces[::2]]
    return "".join(pieces)


def filled(text: str, readme: str, page: str) -> str:
    """A page's text with what the README has between its marks of the same name."""

    def part(mark):
        found = readme.partition(mark[0])[2].partition(f"<!-- /{mark[1]} -->")[0]
        return relinked(found, "README.md", page)

    return MARK.sub(part, text)


def cleared(folder: Path, ours: bool) -> None:
    """Remove a folder of an earlier build; one of others with anything in it is an error."""
    there = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    if there and not ours:
        raise NotOurs(folder, there[0])
    shutil.rmtree(folder, ignore_errors=True)


def stage(folder: Path) -> None:
    """Put the site's sources together in a folder."""
    cleared(folder, folder == SOURCES)
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "*.md", "__pycache__", "static"))
    readme = (ROOT / "README.md").read_text()
    for document, page in staged().items():
        text = filled(relinked((ROOT / document).read_text(), document, page), readme, page)
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(text)
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, folder)
    (folder / "keys.md").write_text(keys.page(ROOT / "workflow/schemas"))
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True, ignore=IGNORED)


def put_reports(folder: Path) -> None:
    """Copy the published reports into a folder, and make their pages there."""
    shutil.copytree(ROOT / REPORTS, folder)
    cli.main(["page", "--from", str(folder)], standalone_mode=False)


def main(arguments) -> int:
    """Build into a folder; 0 where all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--sources", type=Path, default=SOURCES)
    asked = parser.parse_args(arguments)
    page = asked.output / "index.html"
    require_page(page)
    cleared(asked.output, page.is_file())
    stage(asked.sources)
    folders = ["-c", HERE, "-d", asked.sources / ".doctrees", asked.sources, asked.output]
    failed = sphinx(["-W", "--keep-going", "-q", "-j", "2", *map(str, folders)])
    put_reports(asked.output / "reports")
    shutil.copytree(ROOT / "docs/screenshots", asked.output / "screenshots")
    broken = links.broken(asked.output)
    print(*broken, sep="\n")
    return failed or bool(broken)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
