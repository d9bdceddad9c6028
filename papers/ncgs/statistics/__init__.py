"""Statistics that claims of this paper alone measure; every decorated function is one, found by folder."""
