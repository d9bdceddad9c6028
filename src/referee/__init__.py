"""The harness: from config to data, traces, verdicts and pages."""
