"""Statistics that the claims of this paper need beside those all papers share."""
