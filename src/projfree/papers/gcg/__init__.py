"""Generalised conditional gradient (gcg)."""
