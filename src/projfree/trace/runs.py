"""The runs of a job, and how they are called."""


def runs_of(seeds, repetitions: int = 1) -> list[tuple[int, int]]:
    """(seed, repetition) of each run of a job: every seed once, then the first again, for its seconds."""
    return [*((seed, 0) for seed in seeds), *((min(seeds), k) for k in range(1, repetitions))]


def group_of(seed: int, repetition: int = 0) -> str:
    """The group of a trace, and the stem of the files, that a run is written to."""
    return f"seed-{seed}" + (f"-repetition-{repetition}" if repetition else "")
