"""What all of the library stands on: registry, parameters, names, sealed files, the environment."""
