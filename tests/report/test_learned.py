"""What was learned: each sentence follows from the verdicts, and is silent where they say nothing."""

import json

import made_paper
import pytest

from referee.report.learned import address, write_learned


@pytest.fixture
def learned(tmp_path):
    """A function: entries, and tables of a paper by name → sentences by name."""

    def write(*entries, **tables):
        folder = tmp_path / "ncgs" / "tables"
        folder.mkdir(parents=True)
        (folder.parent / "claims.json").write_text(json.dumps(entries))
        for name, text in tables.items():
            (folder / f"{name.replace('_', '-')}.csv").write_text(text)
        found = write_learned(tmp_path, tmp_path / "learned.html", ["ncgs"])
        return {sentence.name: sentence for sentence in found}

    return write


def claim(number, verdict, strong=None, **more):
    return made_paper.claim(f"NCGS-{number}", verdict, strong, **more)


def named(sentence):
    return [words for words, _ in sentence.links]


def test_which_claims_stand(learned):
    found = learned(
        claim("C1", "holds", "holds"),
        claim("C1.a", "holds", "holds"),
        claim("C2", "holds", "fails"),
        claim("C3", "not_testable"),
        claim("C4", "fails", note="STAND-IN: all"),
        claim("C5", "holds", "not_testable"),
        claim("T1", "holds"),
    )
    assert found["standing"].words.startswith("3 of the 4 claims that could be judged hold")
    assert found["strong"].words == (
        "Of 3 that hold and have a strong baseline 1 hold against it too, 1 cannot be told, "
        "1 fails against it: NCGS-C2."
    )
    assert named(found["strong"]) == ["NCGS-C1"] and named(found["untested"]) == ["NCGS-C3"]
    assert found["data"].words == "On stand-in data 0 of 1 claims hold, on data as in the papers 3 of 3."
    assert found["theory"].words == "Beside the claims, 1 of 1 checks of the theory hold."


def test_what_nobody_computed_is_not_said(learned):
    found = learned(claim("C1", "holds"))
    assert set(found) == {"standing", "in-part"}


def test_what_turns_on_one_choice(learned):
    rows = ["deviation,alternative,claim,verdict,main_verdict,turns"]
    rows += ["U1,a,NCGS-C1,fails,holds,yes", "U1,b,NCGS-C1,fails,holds,yes", "U1,a,NCGS-C2,holds,fails,yes"]
    rows += ["U2,a,NCGS-C2,holds,fails,yes", "U2,a,NCGS-C3,fails,holds,no", "U2,a,NCGS-C4,holds,fails,"]
    found = learned(*(claim(f"C{i}", "holds") for i in range(1, 5)), alternatives="\n".join(rows))
    assert found["one-choice"].words.startswith("Of 3 claims that were judged under alternatives 2 turn ")
    assert found["one-choice"].words.endswith("open, 1 of them with one choice alone.")
    assert named(found["one-choice"]) == ["NCGS-C1"]
    assert "is U1 of ncgs: it turns 2 verdicts" in found["deciding"].words
    assert found["deciding"].more == "ncgs/pages/register.html#deviation-U1"


def test_what_hangs_on_hardware(learned):
    fragility = {"grade": "fragile", "stays": 0.5, "views": 6, "flips": ["model seconds"]}
    found = learned(
        claim("C1", "holds", flip_factor={"lmo": [0.2], "gradient": []}, fragility=fragility),
        claim("C2", "holds", flip_factor={"lmo": [40.0]}),
        claim("C3", "holds", flip_factor={"lmo": []}),
        claim("C4", "holds", fragility=fragility | {"grade": "robust", "flips": []}),
    )
    assert found["hardware"].words.startswith("Of 3 verdicts on seconds 1 turns")
    assert "; 1 differs between" in found["hardware"].words and named(found["hardware"]) == ["NCGS-C1"]
    assert found["robust"].words == (
        "1 of 2 graded verdicts are robust, 1 fragile; what turns most is “model seconds” (1)."
    )


def test_bounds_that_say_nothing_are_counted(learned):
    found = learned(
        claim("T1", "holds", tightness={"best": 0.1, "worst": 0.5}),
        claim("T2", "not_testable", vacuous=True, cells={"true": 0, "reasons": {"too short": 4}}),
    )
    assert found["theory"].words == (
        "Beside the claims, 1 of 2 checks of the theory hold; its bounds are met at 0.5 of their value "
        "in the median; 1 check says nothing, as a planted error passes too."
    )
    assert found["untested"].words == (
        "0 claims and 1 check of the theory cannot be tested, most often: too short (4 cells)."
    )


def test_a_report_of_an_earlier_version_has_claims_on_its_paper_s_page(tmp_path):
    folder = tmp_path / "ncgs"
    folder.mkdir()
    assert address(folder, tmp_path, "NCGS-C1") == "ncgs/index.html#claim-NCGS-C1"
    (folder / "pages").mkdir()
    (folder / "pages" / "claim-NCGS-C1.html").touch()
    assert address(folder, tmp_path, "NCGS-C1") == "ncgs/pages/claim-NCGS-C1.html"
