"""Finished work shared between checkouts, users and machines, found by what it was made from."""
