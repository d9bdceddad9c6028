"""Data: catalog, download, verification, official formats, preparation, generated instances.

This package knows nothing of solvers. `prepare.prepare` is the way in for the workflow,
`generators.generate` the way to an instance, `cli.data` the command line.
"""
