#!/bin/bash
# Ends what start.sh started, by the process ids in FOLDER/pids, with the jobs of its nodes. usage: stop.sh FOLDER
root=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
export SLURM_CONF=$root/slurm.conf
[ -e "$root/pids/slurmctld" ] && timeout 10 scancel --user=root 2> /dev/null
for node in n1 n2; do
  [ -e "$root/pids/$node" ] && "$here/kill_node.sh" "$root" "$node"
done
for name in slurmctld munged; do
  pid=$(cat "$root/pids/$name" 2> /dev/null) || continue
  kill "$pid" 2> /dev/null
  for _ in $(seq 50); do
    kill -0 "$pid" 2> /dev/null || break
    sleep 0.1
  done
  kill -KILL "$pid" 2> /dev/null
  rm -f "$root/pids/$name"
done
exit 0
