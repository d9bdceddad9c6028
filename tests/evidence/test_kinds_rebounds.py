"""Kinds about runs that turn, on tables made by hand."""

import pytest
from frames import evidence, run

from projfree.evidence.kinds import lookup
from projfree.evidence.panel import Missing
