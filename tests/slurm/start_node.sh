#!/bin/bash
# Starts the slurmd of a node. usage: start_node.sh FOLDER NODE
set -eu
root=$(realpath "$1")
slurmd -D -N "$2" -f "$root/slurm.conf" > "$root/log/$2.out" 2>&1 &
echo $! > "$root/pids/$2"
