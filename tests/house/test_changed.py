"""`make check` runs what a change can have touched, and little else."""

from types import SimpleNamespace

import changed
import pytest
from places import ROOT


def case(file, name="test_it", slow=False):
    """A test as pytest collects it."""
    return SimpleNamespace(
        path=ROOT / "tests" / file,
        name=name,
        get_closest_marker=lambda mark: slow if mark == "slow" else None,
    )


@pytest.mark.parametrize(
    ("file", "item", "touches"),
    [
        ("src/projfree/linalg/atoms.py", case("linalg/test_atoms.py"), True),  # imported by the file
        ("src/referee/report/style.py", case("linalg/test_atoms.py"), False),
        ("src/referee/report/style.py", case("report/test_report_figures.py"), True),  # by what it imports
        ("src/projfree/solvers/ncgs_vr.py", case("contract/test_contract_resume.py", "t[ncgs_vr-x]"), True),
        ("src/projfree/solvers/ncgs_vr.py", case("contract/test_contract_resume.py", "t[bcd-x]"), False),
        (
            "src/projfree/solvers/estimators/svrg.py",
            case("contract/test_contract_resume.py", "t[ncgs_vr]"),
            True,
        ),
        ("tests/instances.py", case("contract/test_contract_resume.py"), True),  # a helper of a helper
        ("tests/instances.py", case("common/test_bounded.py"), False),
        ("conftest.py", case("common/test_bounded.py"), True),
        ("docs/design.md", case("house/test_repository.py"), True),  # names the folder
        ("docs/design.md", case("linalg/test_atoms.py"), False),
        ("src/projfree/common/atomic_io.py", case("workflow/test_workflow.py", slow=True), False),
        ("tests/workflow/project.py", case("workflow/test_workflow.py", slow=True), True),
    ],
)
def test_what_a_change_touches(file, item, touches):
    since = {ROOT / file}
    assert (ROOT / file).exists() and item.path.exists()
    assert changed.is_touched(item, since, changed.by_name(since)) is touches
