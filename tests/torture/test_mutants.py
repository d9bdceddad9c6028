"""The mutants are in step with the sources, and a test that tells one is seen."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import mutants


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.what)
def test_a_mutant_breaks_what_is_there(mutant):
    assert mutants.broken(mutant) != (mutants.ROOT / "src" / mutant.file).read_text()
    assert mutant.tests


def test_who_tells_a_mutant_is_seen(tmp_path):
    real = next(m for m in mutants.MUTANTS if m.what == "not put on disk")
    test = "ground/test_sealed.py::test_the_order_on_disk_is_content_then_name_then_folder"
    real = mutants.Mutant(real.what, real.file, real.piece, real.instead, test)
    harmless = mutants.Mutant("harmless", real.file, real.piece, f"{real.piece}  # the same", test)
    assert [mutants.told(mutant, tmp_path) for mutant in (real, harmless)] == [test, ""]
    rows = mutants.table([(real, test), (harmless, "")]).splitlines()
    assert rows[2].endswith(f"| `{test}` |") and rows[3].endswith("| **nobody** |")
