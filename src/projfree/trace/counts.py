"""What is counted of a run: the columns of oracle calls in traces, budgets, tidy tables and axes."""

#: Full and component gradients, second-order, linear and projection oracles, polar searches, products.
COUNTS = ("FO", "IFO", "SSO", "LO", "PO", "PU", "matvec")
