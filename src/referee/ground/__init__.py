"""What all of the harness stands on."""
