"""From a job to an instance, a trace, a table of tried values.

A job is a `Job` of `referee.study.models.experiment`, what an instance is made from a `Recipe` beside it. No
module here imports them: what it imports is part of the code by which traces are known, and another word
about an experiment must not make every trace old.
"""
