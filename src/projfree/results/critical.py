"""The critical path of a run: the longest chain of jobs, which no number of cores can shorten."""


def critical_path(loaded, each: dict) -> list[tuple[str, float]]:
    """Jobs from data to page with their CPU seconds, the chain that takes longest.

    Parameters
    ----------
    loaded : Study
    each : dict
        CPU seconds by job, as `costs.predict` gives them; a job that is not in it counts as none.
    """

    def seconds(chain):
        return sum(each.get(job, 0.0) for job in chain)

    def longest(chains):
        return max(chains, key=seconds, default=[])

    drawn = loaded.drawn()
    solved = {run: _solved(loaded, *run) for run in loaded.solves()}
    shown = longest([chain for (experiment, _), chain in solved.items() if experiment in drawn])
    judged = longest(solved.values())
    path = longest([[*shown, "figures"], [*judged, "judge"], [*judged, "tables"]])
    return [(job, each[job]) for job in [*path, "page"] if job in each]


def told(path) -> str:
    """The path in a line."""
    steps = " → ".join(f"{job} {seconds:.0f}" for job, seconds in path)
    return f"critical path {sum(seconds for _, seconds in path):.0f} CPU s: {steps}"


def _solved(loaded, experiment, method):
    """The jobs that lead to the tidy table with one method's trace."""
    values = loaded.experiment(experiment)
    if values.bundle:
        return [f"bundle {name}" for name, members in loaded.bundles().items() if experiment in members]
    tune = [f"tune {experiment}/{method}"] if loaded.searches(experiment, method) else []
    return [
        f"instance {loaded.instance_of(experiment)}",
        *tune,
        f"solve {experiment}/{method}",
        f"tidy {experiment}",
    ]
