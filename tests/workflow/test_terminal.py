"""What a run shows in the terminal: one live line, or a line a job; then what was made, or what failed."""

import io
import logging
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_projfree import LogHandler


@pytest.fixture
def shown(monkeypatch):
    """A handler that writes to a text, and a function that sends it an event."""

    def make(live=False):
        stream = io.StringIO()
        stream.isatty = lambda: live
        monkeypatch.setattr("sys.stderr", stream)
        handler = LogHandler(SimpleNamespace(), None)

        def send(event=None, message=None, level=logging.INFO, **values):
            record = logging.LogRecord("snakemake", level, "", 0, message, None, None)
            record.__dict__.update({"event": event, **values} if event else {})
            handler.emit(record)

        return handler, stream, send

    return make


def begin(send):
    """Two jobs of three, the first of which makes what the second takes."""
    send(LogEvent.RUN_INFO, stats={"total": 3})
    send(LogEvent.JOB_INFO, jobid=1, rule_msg="fw on a", input=[], output=["a.h5"], log=["a.log"])
    send(LogEvent.JOB_INFO, jobid=2, rule_msg="page of a", input=["a.h5"], output=["a.html"], log=[])
    send(LogEvent.JOB_STARTED, jobs=[1])


def test_without_a_terminal_each_job_is_a_line_and_the_end_says_what_was_made(shown):
    handler, stream, send = shown()
    begin(send)
    send(message="a reason of 12,000 letters")
    send(LogEvent.JOB_FINISHED, job_id=1)
    send(LogEvent.JOB_FINISHED, job_id=2)
    handler.close()
    handler.close()
    first, second, end, made = stream.getvalue().splitlines()
    assert first.startswith("[1/3] fw on a: ") and second.startswith("[2/3] page of a: ")
    assert end.startswith("2 jobs done in ") and made == "    a.html"


def test_one_job_is_told_as_one(shown):
    handler, stream, send = shown()
    begin(send)
    send(LogEvent.JOB_FINISHED, job_id=1)
    handler.close()
    assert stream.getvalue().splitlines()[1].startswith("1 job done in ")


def test_in_a_terminal_one_line_is_written_again_and_again(shown):
    _, stream, send = shown(live=True)
    begin(send)
    send(LogEvent.JOB_FINISHED, job_id=1)
    assert "\n" not in stream.getvalue()
    *_, before, now = stream.getvalue().split("\r\x1b[K")
    assert before.startswith("0 of 3 jobs, ") and before.endswith(": fw on a")
    assert now.startswith("1 of 3 jobs, ") and " left: " in now and "fw on a" not in now


def test_a_job_that_failed_is_told_with_the_end_of_its_log(shown, tmp_path):
    log = tmp_path / "a.log"
    log.write_text("\n".join(f"line {k}" for k in range(100)) + "\nError: no\n")
    handler, stream, send = shown()
    begin(send)
    send(LogEvent.JOB_ERROR, jobid=1, rule_name="solve", log=[log], level=logging.ERROR)
    handler.close()
    told = stream.getvalue()
    assert told.startswith("failed: fw on a\n") and "    Error: no\n" in told and f"full log: {log}" in told
    assert "line 99" in told and "line 50" not in told
    assert told.splitlines()[-1].startswith("1 failed, 0 of 3 jobs done in ")


def test_errors_and_nothing_to_do_are_told_in_few_words(shown):
    _, stream, send = shown()
    send(message="unknown target 'ncsg'\nWildcards:\n  x\nTraceback:\n ...", level=logging.ERROR)
    send(message="WorkflowError:\nunknown key 'sedes'\n  File \"common.smk\", line 9", level=logging.ERROR)
    send(message="Nothing to be done (all requested files are present and up to date).")
    assert stream.getvalue().splitlines() == [
        "unknown target 'ncsg'",
        "WorkflowError:",
        "unknown key 'sedes'",
        "nothing to do: everything is up to date",
    ]
