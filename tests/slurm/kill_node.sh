#!/bin/bash
# What a power cut does to a node: SIGKILL to its slurmd, to its slurmstepd and to every process of its jobs.
# usage: kill_node.sh FOLDER NODE
root=$(realpath "$1")
mapfile -t jobs < <("$(dirname "$(realpath "$0")")/node_processes.sh" "$root" "$2")
kill -KILL "$(cat "$root/pids/$2")" "${jobs[@]}" 2> /dev/null
rm -f "$root/pids/$2"
exit 0
