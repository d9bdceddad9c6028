"""The floor under all wings: what every package may import."""
