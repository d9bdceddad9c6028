"""The import contract of pyproject.toml."""

import re
import subprocess
import tomllib

from places import BIN, ROOT


def test_the_package_keeps_the_contract():
    command = [BIN / "lint-imports", "--no-cache", "--no-logo"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_contract_names_every_package():
    contracts = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"])
    packages = [path.parent.name for path in (ROOT / "src/projfree").glob("*/__init__.py")]
    assert [name for name in packages if not re.search(rf"\b{name}\b", contracts)] == []
