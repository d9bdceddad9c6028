"""`projfree complete`: your own ratings → factors, λ by cross-validation, predictions, a page."""

# What may be chosen about a table: for the command line, whose help loads no reader, and the readers.
DUPLICATES = ("error", "last", "mean")
ZEROS = ("ask", "rating", "missing")
ENCODINGS = ("utf-8", "latin-1", "cp1252")
