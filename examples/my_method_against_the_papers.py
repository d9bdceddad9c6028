"""My method against the papers'
=============================

`projfree try` on a method from one file, and the table that it leaves (needs the extra `workflow`).
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from referee.common.project import project_root

mine = Path(tempfile.mkdtemp()) / "mine.py"
projfree = [sys.executable, "-m", "referee.cli"]
subprocess.run([*projfree, "try", str(mine), "--new"], check=True)
subprocess.run([*projfree, "try", str(mine), "--on", "ncgs:fig1-left", "--run", "taste"], check=True)

# %%
# The command writes a page too, `index.html` beside the folder of the table.
table = pd.read_csv(project_root() / "results/taste/try/mine/ncgs/fig1-left.csv")
for method, rows in table[table.seed == 0].groupby("method", sort=False):
    plt.plot(rows.cpu_seconds, rows.sq_gradient_mapping, label=method, lw=3 if method == "mine" else 1)
plt.gca().set(yscale="log", xlabel="CPU seconds", ylabel="squared gradient mapping")
plt.legend()
plt.show()
