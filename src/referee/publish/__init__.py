"""Reports that are published, finished work that is merged or compared, costs and progress of runs."""
