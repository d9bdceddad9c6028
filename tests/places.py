"""Where the tests find the project, and the commands that are installed beside Python."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
#: The papers that have a room.
PAPERS = sorted(path.parent.name for path in ROOT.glob("papers/*/__init__.py"))
