#!/bin/bash
# The process ids of a node's jobs, and of the slurmstepd above each. usage: node_processes.sh FOLDER NODE
root=$(realpath "$1")
grep -lszx "SLURM_CONF=$root/slurm.conf" /proc/[0-9]*/environ | xargs --no-run-if-empty grep -lszx "SLURMD_NODENAME=$2" |
  while IFS=/ read -r _ _ pid _; do
    parent=$(sed -n 's/^PPid:\t//p' "/proc/$pid/status" 2> /dev/null)
    echo "$pid"
    grep -qs '^slurmstepd' "/proc/${parent:-0}/comm" && echo "$parent"
  done | sort -un
