import pytest
from project import FIGURE, Project


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """A copy of the project in which one figure was made; what Snakemake printed stands in `first`."""
    made = Project.create(tmp_path_factory.mktemp("workflow"))
    made.first = made.snakemake(FIGURE).stdout
    return made
