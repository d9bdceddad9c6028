"""A run that is killed goes on as if it had never been."""

import cases
import h5py
import instances
import numpy as np
import pytest

from projfree.engine import checkpoint
from projfree.engine.driver import Drive, Position
from projfree.sets import nuclear_ball

STEPS = 20
over_cases = pytest.mark.parametrize("name, params, problem", cases.FEWER, ids=cases.label)


class Killed(BaseException):
    """Not an error that anything would catch."""


def killed(problem, path, last_save, kill):
    """A setting whose run saves after step `last_save` and dies after step `kill`."""
    setting = instances.setting(problem, {"iterations": STEPS}, checkpoint=path, records=cases.SCHEDULE)
    setting.checkpoint_seconds = 0.0 if last_save == 1 else np.inf

    def on_step(iteration):
        if iteration == kill:
            raise Killed
        setting.checkpoint_seconds = 0.0 if iteration + 1 == last_save else np.inf

    setting.on_step = on_step
    return setting


def kills(last, count):
    """Pairs of a step that kills and the last one that saved, at most three before; over all of a run."""
    steps = np.unique(np.linspace(1, last, count).astype(int))
    return [(kill, max(1, kill - lag % 4)) for lag, kill in enumerate(steps)]


@over_cases
def test_resumed_equals_uninterrupted(name, params, problem, tmp_path, capsys, long):
    problem, path = cases.PROBLEMS[problem], tmp_path / "run.checkpoint.h5"
    whole = instances.run(problem, name, {"iterations": STEPS}, params=params, records=cases.SCHEDULE)
    for kill, saved in kills(whole.iteration[-1], STEPS if long else 4):
        with pytest.raises(Killed):
            instances.run(problem, name, params=params, setting=killed(problem, path, saved, kill))
        rest = instances.setting(problem, {"iterations": STEPS}, checkpoint=path, records=cases.SCHEDULE)
        resumed = instances.run(problem, name, params=params, setting=rest)
        assert f"at iteration {saved}\n" in capsys.readouterr().err
        cases.same_but_clocks(whole, resumed)
        assert resumed.message == whole.message
        path.unlink()


@over_cases
def test_every_state_survives_its_checkpoint(name, params, problem, tmp_path):
    problem = cases.PROBLEMS[problem]
    for _, state in instances.walk(problem, name, 6, **params):
        with h5py.File(tmp_path / "state.h5", "w") as handle:
            checkpoint._encode(handle, "state", Position(state, 1, 2))
        with h5py.File(tmp_path / "state.h5", "r") as handle:
            cases.same_state(checkpoint._decode(handle["state"], problem).state, state)


def test_killed_after_every_step_clocks_go_on(tmp_path):
    problem, path = cases.PROBLEMS["multi_task-0"], tmp_path / "run.checkpoint.h5"

    def die(iteration):
        raise Killed

    spent = 0.0
    for _ in range(6):
        setting = instances.setting(problem, {"iterations": 7}, checkpoint=path, checkpoint_seconds=0.0)
        setting.on_step = die
        with pytest.raises(Killed):
            instances.run(problem, "ncgs", setting=setting)
        with h5py.File(path) as handle:
            seconds = handle["trace/cpu_seconds"][-1]
        assert seconds > spent
        spent = seconds
    setting = instances.setting(problem, {"iterations": 7}, checkpoint=path)
    trace = instances.run(problem, "ncgs", setting=setting)
    assert trace.iteration == list(range(8)) and np.all(np.diff(trace.cpu_seconds) > 0)


def test_a_state_that_cannot_be_checkpointed_says_what_it_holds(tmp_path):
    with h5py.File(tmp_path / "state.h5", "w") as handle, pytest.raises(TypeError, match="set in 'state'"):
        checkpoint._encode(handle, "state", {1, 2})


def test_the_drive_does_not_touch_the_seeds_of_another():
    problem, ball = cases.PROBLEMS["matrix_completion-0"], nuclear_ball.Set(instances.RADIUS)
    setting = instances.setting(problem)
    drives = [Drive(problem, ball, None, np.random.SeedSequence(5), 5, setting) for _ in range(2)]
    drawn = [{name: rng.random(4).tolist() for name, rng in drive.rngs.items()} for drive in drives]
    assert drawn[0] == drawn[1] and drawn[0]["method"] != drawn[0]["oracle"]
