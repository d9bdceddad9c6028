"""The command that makes one claim or one figure again."""

import pytest
from click.testing import CliRunner

from projfree.commands.reproduce import reproduce

HEAD = "snakemake --cores 2 --config run=quick -- "


def said(*words):
    return CliRunner().invoke(reproduce, words, catch_exceptions=False).output


def test_a_figure_is_its_drawing():
    assert said("ncgs/fig1-left", "-n") == f"{HEAD}reports/quick/ncgs/figures/fig1-left.svg\n"


def test_a_claim_is_the_tables_that_it_is_judged_on():
    tables = [f"results/quick/evidence/ncgs/ext-stochastic-{kind}.csv" for kind in ("mc", "mtl")]
    assert said("NCGS-C1.c", "-n") == HEAD + " ".join(tables) + "\n"
    assert set(tables) < set(said("NCGS-C1", "-n").removeprefix(HEAD).split())


def test_an_unknown_name_tells_the_nearest():
    with pytest.raises(ValueError, match="unknown claim or figure 'NCGS-C99'.*Did you mean"):
        said("NCGS-C99", "-n")
