"""The format of a trace: what a run writes and evidence reads."""
