"""The configuration as types, a file for each idea; the schemas for editors are made from them."""
