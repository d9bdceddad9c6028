"""One made-up paper, drawn and written once, for all tests of the report."""

import json
from types import SimpleNamespace

import made_paper
import pytest

from referee.report.figures import draw
from referee.report.index import write_index
from referee.report.page import write_page

PROVENANCE = {
    "run": "full",
    "commit": "0123456789abcdef" * 3,
    "command": "snakemake --cores 2 ncgs",
    "environment": {"python": "3.11", "versions": {"numpy": "2"}},
    "data": {"fig3-left": f"{'ab' * 32} (stand-in)", "fig1-left": "generated"},
}


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Folders and spec of a paper whose figures and page are written."""
    root = tmp_path_factory.mktemp("made")
    spec = made_paper.write(root)
    report = root / "reports" / "quick" / "ncgs"
    for stem in spec["figures"]:
        outputs = [report / "figures" / f"{stem}.{end}" for end in ("svg", "pdf", "png")]
        draw(spec, stem, root / "evidence", outputs, PROVENANCE)
    tuning = root / "tuned.json"
    tuning.write_text(json.dumps(made_paper.TUNED))
    inputs = report / "claims.json", report / "figures", report / "tables"
    write_page(spec, *inputs, report / "index.html", PROVENANCE, [tuning], root / "evidence")
    write_index(report.parent, report.parent / "index.html")
    return SimpleNamespace(spec=spec, report=report, evidence=root / "evidence", provenance=PROVENANCE)


@pytest.fixture
def rewrite(made, tmp_path):
    """A function that writes the pages again, with other claims, spec or provenance; returns their texts by
    name, the paper's own as `index.html`.
    """

    def write(entries=None, spec=None, provenance=PROVENANCE, found=None, **more):
        claims = tmp_path / "claims.json"
        made_paper.judge(tmp_path, made_paper.claims() if entries is None else entries, found)
        output = tmp_path / "report" / "index.html"
        output.parent.mkdir(exist_ok=True)
        figures, tables = made.report / "figures", made.report / "tables"
        write_page(spec or made.spec, claims, figures, tables, output, provenance, **more)
        return {path.name: path.read_text() for path in sorted(output.parent.rglob("*.html"))}

    return write
