"""A run's reports as one citable file: a zip that is an RO-Crate 1.1, each file with its SHA-256."""

import hashlib
import io
import json
import mimetypes
import zipfile
from pathlib import Path

from projfree.ground.sealed import atomic_write

from ..ground.revision import UNKNOWN
from .page import read_context

METADATA, REPORT = "ro-crate-metadata.json", "report"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = {"@id": "https://w3id.org/ro/crate/1.1"}
#: What Python's own table of types lacks.
TYPES = {".lock": "text/plain", ".cff": "application/yaml", ".gz": "application/gzip"}
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first that a zip can say: the same files are the same bytes


def write_archive(reports, papers, project, about, output):
    """Write pages, tables, figures, evidence, the study and its environment as one zip.

    Parameters
    ----------
    reports : Path
        ``reports/<run>``, with `index.html` and a folder a paper.
    papers : list of str
    project : dict
        Name in the archive → file of the project: lock, licence, configuration, ….
    about : dict
        ``name``, ``description``, ``version``, ``date`` (ISO), ``licence`` (SPDX), ``authors`` (names),
        ``datasets`` (rows ``name, title, license, citation, papers, files``, of a file ``name, bytes,
        sha256, address``).
    output : Path

    Returns
    -------
    int
        How many files the archive holds.
    """
    files = _content(Path(reports), papers) | {
        name: Path(path).read_bytes() for name, path in project.items()
    }
    pages = {paper: read_context(Path(reports) / paper / "index.html") for paper in papers}
    crate = {
        "@context": CONTEXT,
        "@graph": [*_root(files, pages, about), *_files(files), *_made(pages, about)],
    }
    files[METADATA] = json.dumps(crate, indent=1, ensure_ascii=False).encode()
    atomic_write(output, _zipped(files), rb"PK")
    return len(files)


def within(folder, paths) -> list[Path]:
    """Files of a folder, sorted, hidden ones left out.

    Raises
    ------
    ValueError
        For one that lies elsewhere and a link leads to: who publishes a folder has not looked there.
    """
    files, root = sorted(path for path in paths if path.is_file() and path.name[0] != "."), folder.resolve()
    for path in files:
        if not path.resolve().is_relative_to(root):
            raise ValueError(f"{path} is, or lies in, a link out of {folder}: nothing was written; remove it")
    return files


def is_archive(path) -> bool:
    """Whether a file is such a zip."""
    if not (Path(path).is_file() and zipfile.is_zipfile(path)):
        return False
    with zipfile.ZipFile(path) as archive:
        return METADATA in archive.namelist()


def _content(reports, papers):
    """The run's own pages, what all pages load, and all of each paper."""
    own = (*reports.glob("*.html"), *reports.glob("assets/*"))
    paths = [*own, *(path for paper in papers for path in (reports / paper).rglob("*"))]
    chosen = within(reports, paths)
    return {f"{REPORT}/{path.relative_to(reports).as_posix()}": path.read_bytes() for path in chosen}


def _zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _root(files, pages, about):
    """The descriptor, and the archive as a whole."""
    yield {"@id": METADATA, "@type": "CreativeWork", "conformsTo": PROFILE, "about": {"@id": "./"}}
    yield {
        "@id": "./",
        "@type": "Dataset",
        **{key: about[key] for key in ("name", "description", "version")},
        "datePublished": about["date"],
        "license": {"@id": _licence(about["licence"])},
        "author": [{"@id": f"#author-{i}"} for i, _ in enumerate(about["authors"])],
        "hasPart": [{"@id": name} for name in files],
        "mainEntity": {"@id": f"{REPORT}/index.html"},
        "citation": [{"@id": f"#paper-{paper}"} for paper in pages],
        "mentions": [{"@id": f"#run-{paper}"} for paper in pages],
    }


def _licence(name):
    return f"https://spdx.org/licenses/{name}"


def _files(files):
    for name, content in files.items():
        end = Path(name).suffix
        yield {
            "@id": name,
            "@type": "File",
            "name": Path(name).name,
            "contentSize": str(len(content)),
            "sha256": hashlib.sha256(content).hexdigest(),
            "encodingFormat": TYPES.get(end) or mimetypes.guess_type(name)[0] or "text/plain",
        }


def _made(pages, about):
    """Provenance: authors, software, data and papers."""
    yield {"@id": _licence(about["licence"]), "@type": "CreativeWork", "name": about["licence"]}
    for i, name in enumerate(about["authors"]):
        yield {"@id": f"#author-{i}", "@type": "Person", "name": name}
    software = {"@type": "SoftwareSourceCode", "name": "projfree", "version": about["version"]}
    commits = dict.fromkeys(page["commit"] for page in pages.values())
    yield from ({"@id": f"#code-{commit}", **software, **_commit(commit)} for commit in commits)
    for row in about["datasets"]:
        yield from _dataset(row)
    for paper, page in pages.items():
        yield from _paper(paper, page, about)


def _commit(commit):
    """Identifiers of the software; its version alone if it was used outside of git."""
    if commit not in ("", UNKNOWN):
        return {"identifier": commit}
    return {"description": "The commit is not known: the pages were made outside a git checkout."}


def _dataset(row):
    """A dataset by its official files, none of which the archive holds."""
    told = {key: row[key] for key in ("license", "citation") if row.get(key)}
    parts = [f for f in row["files"] if f["address"]]
    yield {
        "@id": f"#data-{row['name']}",
        "@type": "Dataset",
        "name": row["title"],
        **told,
        "hasPart": [{"@id": f["address"]} for f in parts],
    }
    for file in parts:
        known = {"contentSize": file["bytes"] and str(file["bytes"]), "sha256": file["sha256"]}
        known = {key: value for key, value in known.items() if value}
        yield {"@id": file["address"], "@type": "File", "name": file["name"], **known}


def _paper(paper, page, about):
    """The article, and the run that replicated it."""
    words = page["paper"]
    authors = words["authors"] if isinstance(words["authors"], str) else ", ".join(words["authors"])
    yield {
        "@id": f"#paper-{paper}",
        "@type": "ScholarlyArticle",
        "name": words["title"],
        "author": authors,
        "datePublished": str(words["year"]),
    }
    yield {
        "@id": f"#run-{paper}",
        "@type": "CreateAction",
        "name": f"{page['run']} run of {paper}",
        "description": f"snakemake --cores 2 --config run={page['run']} -- {paper}",
        "instrument": {"@id": f"#code-{page['commit']}"},
        "object": [{"@id": f"#data-{row['name']}"} for row in about["datasets"] if paper in row["papers"]],
        "result": {"@id": f"{REPORT}/{paper}/index.html"},
    }
