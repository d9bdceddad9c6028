"""The floor under all wings: registry, parameters, sealed files, provenance, the project's root."""
