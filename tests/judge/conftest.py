"""Tests on planted tables and published runs of ncgs are left out of a project without its folder."""

from places import PAPERS

OF_NCGS = ["test_measures.py", "test_page.py", "test_planted_truth.py", "test_runner.py"]
collect_ignore = [] if "ncgs" in PAPERS else OF_NCGS
