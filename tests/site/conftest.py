"""The site's programs stand beside its pages."""

import sys

from places import ROOT

sys.path.insert(0, str(ROOT / "docs/site"))
