"""What this paper alone measures beside runs of solvers; one file a probe, found by folder."""
