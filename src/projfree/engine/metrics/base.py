"""How a metric says that it is not of the iterate."""


def of_state(metric):
    """Mark a function of the method's state."""
    metric.of_state = True
    return metric


def of_tally(name: str, before=0):
    """The metric of one number of the tally, `before` a method first tells it."""

    def metric(tally):
        return tally.get(name, before)

    metric.of_tally = True
    return metric
