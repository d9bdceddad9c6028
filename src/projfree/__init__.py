"""projfree: a reproducible replication of five papers on projection-free and proximal optimisation."""

__version__ = "0.1.0"
