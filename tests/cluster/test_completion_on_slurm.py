"""The script of docs/cluster.md on a real SLURM: the model of one process, by workers that are jobs."""

import subprocess
import sys

import h5py
import numpy as np
import pytest
from child_processes import end_with_parent
from click.testing import CliRunner
from followed import blocks
from places import BIN, ROOT

from referee.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.long]

FEW = ["--weights", "5", "--tol", "0.1", "--implicit", "0", "--folds", "2"]


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    pairs = rng.permutation(np.argwhere(rng.random((60, 30)) < 0.5))
    path = tmp_path / "mine.csv"
    path.write_text("user,item,rating\n" + "".join(f"u{i},i{j},{(i * j) % 9 / 2}\n" for i, j in pairs))
    return path


def test_the_script_of_the_document(cluster, file, tmp_path):
    done = CliRunner().invoke(main, ["complete", str(file), "--output", str(tmp_path / "here"), *FEW])
    assert done.exit_code == 0, done.output
    script = blocks("cluster.md", "python")["workers.py"]
    # The cores of one machine, its loopback, and what its small SLURM grants.
    script = (
        script.replace("cores=4, processes=4", 'cores=1, interface="lo"')
        .replace("8GB", "500MB")
        .replace("workers(8)", "workers(2)")
    )
    (tmp_path / "workers.py").write_text(script)
    environment = cluster.environment | {
        "PYTHONPATH": f"{ROOT / 'src'}:{cluster.environment['PYTHONPATH']}",
        "PATH": f"{BIN}:{cluster.environment['PATH']}",
    }
    command = [sys.executable, "workers.py", file.name, "--output", "there", *FEW]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, preexec_fn=end_with_parent, capture_output=True, text=True
    )
    assert done.returncode == 0 and "Dask: " in done.stdout, done.stdout + done.stderr
    with h5py.File(tmp_path / "here/model.h5") as here, h5py.File(tmp_path / "there/model.h5") as there:
        assert here["U"].shape[1] > 0
        for name in ("U", "V", "row_offset", "path/rmse"):
            np.testing.assert_array_equal(here[name], there[name])
