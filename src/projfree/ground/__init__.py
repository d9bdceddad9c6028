"""The floor under all wings: registry, sealed files, provenance, the project's root."""
