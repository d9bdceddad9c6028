"""Non-convex conditional gradient sliding (ncgs)."""
