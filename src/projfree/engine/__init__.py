"""One driver for all methods: budget, clock, oracle counts, metrics, checkpoints and trace."""
