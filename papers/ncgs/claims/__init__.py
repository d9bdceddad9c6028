"""Claims of the paper on non-convex conditional gradient sliding; a function is a sentence, or a part of
one.
"""
