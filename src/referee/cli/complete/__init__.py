"""`projfree complete`: your own ratings → factors, λ by cross-validation, predictions, a page."""
