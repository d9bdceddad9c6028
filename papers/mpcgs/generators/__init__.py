"""Instances that this paper alone generates; one file a generator, found by folder."""
