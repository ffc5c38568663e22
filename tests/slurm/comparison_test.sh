#!/bin/bash
# A comparison in 6 shards on a real Slurm of two nodes, one of which loses its power in the middle, compared with the same
# comparison in one run: the same cells, outcomes, errors and exact counters.
# usage: comparison_test.sh MBSBENCH [FOLDER]; exit code 77: Slurm cannot be started here
mbsbench=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
skip() {
  echo "skipped: $*"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "slurmctld and slurmd need root"
for command in slurmctld slurmd munged sbatch squeue scontrol; do
  command -v $command > /dev/null || skip "$command is not installed (tests/slurm/packages.txt)"
done

root=$(realpath "${2:-$(mktemp -d /tmp/mbsbench-slurm-XXXXXX)}")
mkdir -p "$root/shared" "$root/local"
slurm=$root/slurm
export TMPDIR=$root/local  # the nodes' own disk
stop() {
  "$here/stop.sh" "$slurm"
  [ -n "${KEEP:-}" ] || [ -n "$failed" ] || rm -rf "$root"
}
failed=yes
trap stop EXIT
fail() {
  echo "FAILED: $*; the folder is $root" >&2
  tail -n 20 "$root"/shared/logs/* "$slurm/log/slurmctld.log" >&2
  exit 1
}
mkdir -p "$slurm"
"$here/start.sh" "$slurm" || skip "slurmctld does not start, see $slurm/log"
export SLURM_CONF=$slurm/slurm.conf

selection=(--rounds 2 --integrator dopri5 --integrator ida)
for problem in pendulum dpend18 branch4 dzhanibekov chainN:bodies=4 branchN:bodies=6 chainN3d:bodies=4; do
  selection+=(--problem "$problem")
done
for method in riccati-mstmm cartesian-dae; do selection+=(--method $method); done
submit=("$mbsbench" submit "${selection[@]}" --shared "$root/shared" --memory-limit 1000)

cd "$root" || exit 1
say() { echo "[$SECONDS s] $*"; }
wait_for_jobs() {
  for _ in $(seq 600); do
    [ -z "$(squeue --noheader)" ] && return
    sleep 0.5
  done
  fail "the jobs did not end: $(squeue --noheader)"
}

say "$("${submit[@]}" --tasks 6)" || fail "submit"
grep -q 'all 6 shards are' <("${submit[@]}" --tasks 6) || fail "a second submit finds something missing"
"${submit[@]}" --tasks 5 2> "$root/refused"
[ $? = 2 ] && grep -q 'another plan' "$root/refused" || fail "another plan was not refused"

# The journal of a shard under way on n1 that has finished some trials.
journal_under_way() {
  local journal
  for _ in $(seq 600); do
    for journal in "$root"/shared/shards/*.n1.journal; do
      [ -e "$journal" ] && [ "$(grep -c '^{"row":"trial"' "$journal")" -ge 2 ] && echo "$journal" && return
    done
    sleep 0.1
  done
}

# The node loses its power and its disk while a task on it has finished trials and trials to come. If the task had just
# finished, the test waits for the next one.
for _ in 1 2 3; do
  journal=$(journal_under_way)
  [ -n "$journal" ] || fail "no shard is under way on n1"
  shard=$(basename "$journal" .n1.journal)
  "$here/kill_node.sh" "$slurm" n1
  killed_at=$SECONDS
  [ -z "$("$here/node_processes.sh" "$slurm" n1)" ] || fail "the node's processes live on"
  rm -rf "$root"/local/*-n1
  finished=$(grep -cs '^{"row":"trial".*}$' "$journal")
  [ ! -e "$root/shared/shards/$shard.sqlite" ] && is_cut=yes
  # Slurm would still ask a node for its batch job if the node returned before Slurm regarded the job as started.
  sleep $((killed_at + 13 - SECONDS))
  "$here/start_node.sh" "$slurm" n1
  [ -n "$is_cut" ] && break
done
[ -n "$is_cut" ] || fail "no shard could be cut"
say "n1 was killed: shard $shard had finished $finished trials"
"$mbsbench" status "$root/shared"
wait_for_jobs

"$mbsbench" status "$root/shared" > "$root/status" || fail "status"
if ! grep -q '^6 shards: 6 done' "$root/status"; then
  say "not requeued, so submitted again: $(grep '^6 shards' "$root/status")"
  grep -q "$shard  *\(missing\|failed\)" "$root/status" || fail "status says nothing of shard $shard"
  "${submit[@]}" --tasks 6 || fail "submitting what is missing"
  wait_for_jobs
  "$mbsbench" status "$root/shared" | grep -q '^6 shards: 6 done' || fail "shards are missing"
fi
say "all shards are done"
[ "$(grep -c "^shard $shard of 6 on" "$root/shared/logs/$shard.log")" -ge 2 ] || fail "shard $shard was run once"
found=$(sed -n "s/^shard $shard of 6 on .*: \([0-9]*\) trials of earlier.*/\1/p" "$root/shared/logs/$shard.log" | tail -n 1)
[ "$found" -ge "$finished" ] || fail "of $finished finished trials $found were found again"
say "shard $shard went on with $found trials of the node that died"
others=$(grep -c "^shard [0-9]* of 6 on" "$root"/shared/logs/[0-9].log | grep -v "/$shard.log" | grep -vc ':1$')
[ "$others" = 0 ] || fail "$others other tasks were run more than once"
grep -q 'all shards are there' "$root/shared/logs/merge.log" || fail "the merge"
[ -s "$root/shared/report/report.html" ] || fail "there is no report"
[ -z "$(ls "$root/shared/shards" | grep -v '^[0-9]*\.sqlite$')" ] || fail "something else than shards is left"

"$mbsbench" run "${selection[@]}" --memory-limit 1000 --store "$root/plain.sqlite" > "$root/plain.log" 2>&1 ||
  fail "the plain run: $(cat "$root/plain.log")"
say "plain run done"
"$mbsbench" compare --json "$root/plain.sqlite" "$root/shared/results.sqlite" > "$root/compared" || fail "$(cat "$root/compared")"
for line in '"worse":0,' '"better":0,' '"changed":0,' '"only_in_a":\[\]' '"only_in_b":\[\]'; do
  grep -q "$line" "$root/compared" || fail "the stores differ: not $line; $(head -c 3000 "$root/compared")"
done
grep -q '"kind":"cell"[^}]*"same_bits":false' "$root/compared" && fail "cells end in other bits"
say "the merged store holds the cells, outcomes, errors and counters of the plain run"

# A truncated shard is refused, and the others are unchanged.
truncate --size=-4096 "$root/shared/shards/$shard.sqlite"
"$mbsbench" status "$root/shared" 2> "$root/refused"
[ $? = 2 ] && grep -q 'damaged or truncated' "$root/refused" || fail "a truncated shard was not refused"
failed=
say "passed"
