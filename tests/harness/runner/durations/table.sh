#!/usr/bin/env bash
# Writes harness/runner/plan/durations.tsv from the output of record.sh for a complete run of the default comparison.
#   table.sh RECORDING > harness/runner/plan/durations.tsv
set -eu
[ $# = 1 ] && [ -s "$1" ] || { echo "usage: table.sh RECORDING > harness/runner/plan/durations.tsv" >&2; exit 2; }
awk -F'\t' -v OFS='\t' '$1 != "time" { print $1, $2, $3, $4, $6, $9, $10 }' "$1"
