"""Kinds of claims that this paper alone makes; every decorated function is one, found by folder."""
