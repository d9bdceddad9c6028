import frames
import numpy as np
import pandas as pd
import pytest
from frames import run, spec, write

from referee.evidence import tables
from referee.evidence.tables import latex, write_table

N = 2 ** np.arange(3, 8)


def build_table(given, name, folder):
    """The table of a paper that is said by a dictionary."""
    return tables.build_table(frames.paper(given), name, folder)


@pytest.fixture
def paper(tmp_path):
    runs = []
    for seed in range(3):
        noise = 1 + 0.01 * seed
        rates = run("fw", {"gap": noise * N**-0.5, "mapping": noise / N}, seed=seed, FO=N, LO=N)
        rates["iteration"] = N
        runs.append(rates)
    sizes = run("fw", {"n": N, "ifo": 5.0 * N**1.1})
    write(tmp_path, "t8", *runs)
    write(tmp_path, "t8-n", sizes)
    row = {"algorithm": "FW", "oracle": "FO", "stated": "O(1/ε²)", "order": 2, "method": "fw", "own": "gap"}
    rows = [
        row | {"experiment": "t8", "cost": "FO"},
        row | {"experiment": "t8-n", "x": "n", "y": "ifo", "order": 1, "margin": 0.05},
        row | {"experiment": "t8", "method": "gone", "cost": "FO"},
    ]
    tables = {"table1": {"criteria": {"mapping": "‖g‖²", "gap": "gap"}, "rows": rows}}
    return spec(**{"t8": {}, "t8-n": {}, "t7": {}}) | {"tables": tables}


def test_stated_beside_measured(paper, tmp_path):
    table = build_table(paper, "table1", tmp_path)
    assert table["criterion"].tolist() == ["‖g‖²", "gap", "gap", "‖g‖²", "gap"]
    assert table["own"].tolist() == [False, True, True, False, True]
    assert table["measured"][:3].tolist() == pytest.approx([1, 2, 1.1])
    assert table["within"][:3].tolist() == [True, True, False]
    assert table["low"][1] <= table["measured"][1] <= table["high"][1] + 1e-12
    assert (table["seeds"][1], table["points"][1]) == (3, 3)
    assert np.isnan(table["measured"][4]) and table["note"][4] == "missing: gone in t8"


def test_columns_of_numbers_beside_words(paper, tmp_path):
    sizes = {"eps": [1e-3, 1e-4], "per_step": [10.0, 40.0], "rms": [0.5, 0.2]}
    for_seed = [{k: np.multiply(v, 1 + (k == "rms") * s) for k, v in sizes.items()} for s in range(3)]
    write(tmp_path, "t7", *(run("svrg", values, seed=s) for s, values in enumerate(for_seed)))
    cells = {"SFO at 1e-4": {"metric": "per_step", "at": {"eps": 1e-4}}}
    cells |= {"RMS": {"metric": "rms"}, "SFO": "n^(2/3)"}
    row = {"algorithm": "SVRG", "experiment": "t7", "method": "svrg", "columns": cells}
    gone = {"algorithm": "SG", "experiment": "t7", "method": "sg", "columns": {"SFO": "1/ε²"}}
    tables = {"plain": {"rows": [row, gone]}, "shared": {"columns": cells, "rows": [gone]}}
    paper = paper | {"tables": paper["tables"] | tables}
    table = build_table(paper, "plain", tmp_path)
    assert list(table) == ["algorithm", "SFO at 1e-4", "RMS", "SFO"]
    assert table.iloc[0].tolist() == ["SVRG", 40, 0.4, "n^(2/3)"], "the median over the seeds"
    assert table.iloc[1].isna().tolist() == [False, True, True, False]
    (line,) = build_table(paper, "shared", tmp_path).to_dict("records")
    assert (line["SFO"], line["note"]) == ("1/ε²", "missing: sg in t7")
    row["columns"] = {"no": {"metric": "rms", "at": {"eps": 1}}}
    assert build_table(paper, "plain", tmp_path)["note"][0] == "missing: a record of svrg with eps = 1 in t7"
    for broken, message in (
        ({"no": {"mean": 1}}, "rows.0.columns.no: unknown key 'mean'.*Known are: at"),
        ({"no": {"at": {}}}, "missing metric"),
        ({"low": 1}, "own columns cannot be headings: low"),
    ):
        row["columns"] = broken
        with pytest.raises(ValueError, match=message):
            build_table(paper, "plain", tmp_path)


def test_columns_beside_a_measured_order(paper, tmp_path):
    paper["tables"]["table1"]["columns"] = {"gap": {"metric": "gap"}}
    table = build_table(paper, "table1", tmp_path)
    assert list(table)[:6] == ["algorithm", "oracle", "stated", "order", "gap", "measured"]
    assert table["gap"][0] == table["gap"][1] == pytest.approx(1.01 * 128**-0.5)
    assert table["note"][4] == "missing: gone in t8"
    assert table["note"][2] == "missing: gap in t8-n" and table["measured"][2] == pytest.approx(1.1)


def test_unknown_names_list_the_known(paper, tmp_path):
    with pytest.raises(ValueError, match="unknown table 'table9'.*Known are: table1"):
        build_table(paper, "table9", tmp_path)
    paper["tables"]["table1"]["rows"][0]["algoritm"] = "x"
    with pytest.raises(ValueError, match="rows.0: unknown key 'algoritm'. .* Known are: algorithm, "):
        build_table(paper, "table1", tmp_path)


def test_files(paper, tmp_path):
    table, output = build_table(paper, "table1", tmp_path), tmp_path / "tables/table1.csv"
    write_table(table, [output, output.with_suffix(".tex")])
    lines, text = output.read_text().splitlines(), output.with_suffix(".tex").read_text()
    assert lines[0].startswith("algorithm,oracle,stated") and len(lines) == 6
    assert r"\toprule" in text and text.count(r"\\") == 6 and "nan" not in text.lower()
    with pytest.raises(ValueError, match="table1.pdf"):
        write_table(table, [tmp_path / "table1.pdf"])


def test_latex_is_escaped():
    shown = latex(pd.DataFrame({"a_b": ["50 % & $x$"], "n": [1.23456], "none": [float("nan")]}))
    assert r"a\_b" in shown and r"50 \% \& \$x\$" in shown and "1.23" in shown and "none" not in shown
