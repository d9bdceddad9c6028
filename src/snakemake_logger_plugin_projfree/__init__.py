"""What `make` shows of a run, in place of Snakemake's own log: ``snakemake --logger projfree``.

In a terminal one live line, elsewhere a line a job; then what was made and where, or what failed with the
end of its log. All that Snakemake says stands in its own file. The package's name is how Snakemake finds it.
"""

import re
import sys
import time
from logging import ERROR
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from referee.publish.costs import duration_text

WIDTH = 100  # letters of the live line
TOLD = 12  # lines of its log that are told of a job that failed
ENDED = "returned non-zero exit status"  # which job did is told with its log
SHOWN = 6  # files that are named at the end
LINES = re.compile(r'\nWildcards:|\n  File "')  # where an error of Snakemake goes on with places in code


class LogHandler(LogHandlerBase):
    """Counts jobs, names those that run, keeps what failed."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self):
        self.began, self.stream = time.monotonic(), sys.stderr
        self.live = self.stream.isatty()
        self.total, self.done, self.failed = 0, 0, 0
        self.known, self.running, self.started = {}, [], {}
        self.ended = False

    def emit(self, record):
        """Take one event; Snakemake calls this in a thread of its own."""
        event = getattr(record, "event", None)
        known = {
            LogEvent.RUN_INFO: self._counted,
            LogEvent.JOB_INFO: self._known,
            LogEvent.JOB_STARTED: self._begun,
            LogEvent.JOB_FINISHED: self._finished,
            LogEvent.JOB_ERROR: self._job_failed,
        }
        if event in known:
            known[event](record)
        elif record.levelno >= ERROR and record.msg and ENDED not in record.getMessage():
            self._say(LINES.split(record.getMessage())[0])
        elif str(record.msg).startswith("Nothing to be done"):
            self._say("nothing to do: everything is up to date")

    def close(self):
        """The end: what was made, or how many failed; Snakemake closes twice."""
        super().close()
        self.ended, ended = True, self.ended
        if ended:
            return
        if self.failed:
            jobs = f"{self.failed} failed, {self.done} of {self.total} jobs done in {self._time()}"
            self._say(f"{jobs}. Fix the cause and run the same command again; finished jobs are kept.")
        elif self.done:
            made = self._made()
            more = [f"… and {len(made) - SHOWN} more"] if len(made) > SHOWN else []
            jobs = "1 job" if self.done == 1 else f"{self.done} jobs"
            self._say("\n".join([f"{jobs} done in {self._time()}; made:", *made[:SHOWN], *more]))

    def _counted(self, record):
        self.total = record.stats.get("total", 0)

    def _known(self, record):
        self.known[record.jobid] = record

    def _begun(self, record):
        now = time.monotonic()
        for job in record.jobs:
            self.running.append(job)
            self.started[job] = now
        self._draw()

    def _finished(self, record):
        job = record.job_id
        self.done += 1
        if job in self.running:
            self.running.remove(job)
        if self.live:
            self._draw()
        elif name := self._called(job):
            seconds = time.monotonic() - self.started.get(job, time.monotonic())
            self._say(f"[{self.done}/{self.total}] {name}: {seconds:.1f} s")

    def _job_failed(self, record):
        self.failed += 1
        if record.jobid in self.running:
            self.running.remove(record.jobid)
        lines = [f"failed: {self._called(record.jobid) or record.rule_name}"]
        for log in record.log or ():
            path = Path(str(log))
            text = path.read_text(errors="replace", encoding="utf-8").strip() if path.is_file() else ""
            lines += [f"    {line}" for line in text.splitlines()[-TOLD:]] + [f"    full log: {path}"]
        self._say("\n".join(lines))

    def _called(self, job):
        """What a job says of itself; nothing for targets, which only gather."""
        return getattr(self.known.get(job), "rule_msg", None)

    def _made(self):
        """First output of each job whose outputs no other job of this run took."""
        taken = {path for job in self.known.values() for path in job.input if job.output}
        return [
            f"    {job.output[0]}"
            for job in self.known.values()
            if job.output and not taken & set(job.output)
        ]

    def _draw(self):
        """The live line: jobs done of all, time passed and left, what runs."""
        if self.live:
            names = "; ".join(filter(None, map(self._called, self.running)))
            line = f"{self.done} of {self.total} jobs, {self._time()}{self._left()}: {names}"
            self.stream.write(f"\r\x1b[K{line[:WIDTH]}")
            self.stream.flush()

    def _left(self):
        """Time left at the pace until now, once a quarter is done."""
        if 0 < self.total <= 4 * self.done:
            left = (time.monotonic() - self.began) * (self.total / self.done - 1)
            return f", about {duration_text(left)} left"
        return ""

    def _say(self, text):
        self.stream.write(("\r\x1b[K" if self.live else "") + text + "\n")
        self.stream.flush()
        self._draw()

    def _time(self):
        return duration_text(time.monotonic() - self.began)
