"""The command that makes one claim or one figure again."""

import re
import sys

import pytest
from click.testing import CliRunner

from referee.cli.evidence import reproduce

HEAD = "snakemake --cores 2 --config run=quick 'papers=[ncgs]' -- "


def said(*words):
    return CliRunner().invoke(reproduce, words, catch_exceptions=False).output


def test_a_figure_is_its_drawing():
    assert said("ncgs/fig1-left", "-n") == f"{HEAD}results/quick/figures/ncgs/fig1-left.svg\n"


def test_a_panel_with_a_name_is_a_drawing_of_its_own():
    assert said("nfwu/fig1-gap-10", "-n").endswith("-- results/quick/figures/nfwu/fig1-gap-10.svg\n")


def test_a_claim_is_the_tables_that_it_is_judged_on():
    tables = [f"results/quick/evidence/ncgs/{unit}" for unit in ("theory", "tasks")]
    assert said("NCGS-C1.c", "-n") == HEAD + " ".join(tables) + "\n"
    assert set(tables) <= set(said("NCGS-C1", "-n").removeprefix(HEAD).split())


def test_an_unknown_name_tells_the_nearest_five_and_what_lists_all():
    with pytest.raises(ValueError, match="unknown claim or figure 'NCGS-C99'") as error:
        said("NCGS-C99", "-n")
    told = str(error.value)
    near = re.findall("'(.+?)'", told.partition("Did you mean ")[2])
    assert 1 <= len(near) <= 5 and set(near) <= set(said().split()) and len(told) < 200
    assert told.endswith("List them with: projfree reproduce") and len(said().split()) > 100


def test_a_run_that_one_paper_has_and_an_alternative_of_its_are_known():
    assert "run=taste 'papers=[ncgs]' -- results/taste/" in said("NCGS-C2.a", "-n", "--run", "taste")
    assert said("NCGS-C2.a", "-n", "--run", "quick@U1-max-lo-20") == (
        f"{HEAD}results/quick@U1-max-lo-20/evidence/ncgs/theory results/quick/evidence/ncgs/theory\n"
    )
    with pytest.raises(ValueError, match="unknown claim or figure in the run taste 'NCGS-C12'"):
        said("NCGS-C12", "-n", "--run", "taste")


def test_snakemake_is_found_beside_python_where_no_environment_is_activated(tmp_path, monkeypatch):
    snakemake = tmp_path / "snakemake"
    snakemake.write_text(f'#!/bin/sh\necho "$@" > "{tmp_path}/told"\n')
    snakemake.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", "/nowhere")
    said("ncgs/fig1-left")
    assert (tmp_path / "told").read_text().endswith("-- results/quick/figures/ncgs/fig1-left.svg\n")


def test_published_tables_are_taken_only_where_that_is_asked_for(monkeypatch):
    panels = dict.fromkeys(["ext-stochastic-mc", "ext-stochastic-mtl"])
    monkeypatch.setattr("referee.publish.records.published", lambda *given: panels)
    full = said("NCGS-C1.c", "-n", "--run", "full")
    assert "published" not in full and "results/full/evidence/ncgs/ext-stochastic-mc" in full
    taken = said("NCGS-C1.c", "-n", "--run", "full", "--published")
    assert "published=true" in taken and "results/full/published/ncgs" in taken
