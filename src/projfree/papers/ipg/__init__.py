"""Inexact proximal gradient (ipg)."""
