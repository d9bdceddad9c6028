"""Basic modules that the whole harness uses."""
