"""Examples of the gallery run without a warning: each is an error, which ends the build."""

import warnings


def strict(gallery_conf, fname, when):
    """Sphinx-Gallery calls it before and after each example."""
    warnings.simplefilter("error" if when == "before" else "default")
