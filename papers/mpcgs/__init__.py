"""Projection-free methods for saddle points (mpcgs)."""
