"""`projfree try`: a method from one file beside a paper's, in the same driver, clocks, seeds and budgets."""
