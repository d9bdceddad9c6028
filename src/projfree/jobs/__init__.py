"""From a job to an instance, a trace, a table of tried values."""
