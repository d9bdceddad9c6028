"""`minimize`, its inputs and its result, for problems given as Python functions and arrays."""
