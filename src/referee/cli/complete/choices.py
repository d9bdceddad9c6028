"""What may be chosen about a table that is read, for the command line and the readers."""

DUPLICATES = ("error", "last", "mean")
ENCODINGS = ("utf-8", "latin-1", "cp1252")
