#!/bin/sh
# The state of one SLURM job for the generic profile; squeue remembers ended jobs for MinJobAge seconds.
case "$(squeue --noheader --states=all --jobs="$1" --format=%T 2>/dev/null | head -n 1)" in
    COMPLETED) echo success ;;
    PENDING | CONFIGURING | COMPLETING | RUNNING | SUSPENDED | REQUEUED | STOPPED | "") echo running ;;
    *) echo failed ;;
esac
