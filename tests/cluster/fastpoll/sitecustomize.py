"""Only for tests: caps how long Snakemake waits between two looks at its cluster jobs.

The SLURM executor plugin waits ten seconds longer after each look at which no job had ended, and has no
option to turn that off. The cap is in PROJFREE_TEST_POLL, seconds.
"""

import os
import sys

CAP = os.environ.get("PROJFREE_TEST_POLL")
if CAP and any("snakemake" in os.path.basename(word) for word in getattr(sys, "orig_argv", [])[:3]):
    from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor

    def _get(self):
        wait = self._next_seconds_between_status_checks
        if wait is None:
            wait = self.workflow.remote_execution_settings.seconds_between_status_checks
        return min(wait, float(CAP))

    def _set(self, seconds):
        self._next_seconds_between_status_checks = seconds

    RemoteExecutor.next_seconds_between_status_checks = property(_get, _set)
