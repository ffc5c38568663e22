#!/bin/bash
# Simulates a power cut of a node: SIGKILL to its slurmd, to its slurmstepd and to every process of its jobs.
# usage: kill_node.sh FOLDER NODE
root=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
kill -KILL "$(cat "$root/pids/$2")" 2> /dev/null
rm -f "$root/pids/$2"
for _ in $(seq 50); do  # what was forked meanwhile is met the next time
  mapfile -t jobs < <("$here/node_processes.sh" "$root" "$2")
  [ ${#jobs[@]} = 0 ] && exit 0
  kill -KILL "${jobs[@]}" 2> /dev/null
done
exit 1
