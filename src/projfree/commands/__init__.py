"""The commands of `projfree` that the workflow calls; `projfree.cli` finds them by name."""
