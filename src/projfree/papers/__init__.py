"""A room a paper: what serves one paper alone.

Nobody imports a room; what is in it is found by name. Deleting a paper is deleting its room here, in
``config`` and in ``tests``.
"""
