"""Completion over several processes or machines, by Dask: scheduling, transport and recovery are Dask's."""
