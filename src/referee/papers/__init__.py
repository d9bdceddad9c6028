"""The papers of the project at hand: ``papers/<name>`` is ``referee.papers.<name>``."""

from ..common.project import project_root

__path__ = [str((project_root() / "papers").resolve())]
