#!/usr/bin/env bash
# Recomputes the certificates of reference/certified and compares them with the stored ones.
#
#   scripts/recertify.sh EXECUTABLE STATE              all of them, by both formulations and both orders; JOBS (all cores) at a time
#   scripts/recertify.sh EXECUTABLE STATE --part 180   by the second formulation, as many as fit into this number of seconds
#
# The folder STATE keeps the result of each certificate, so that a stopped run can be continued; a certificate is solved again
# if it or the executable has changed. A part begins with another certificate at each commit, and leaves out those that take
# long. Exit code 1 if a certificate differs from the stored one, or cannot be solved, or none was solved in the time. The
# last line shows the total processor time of all stored results, including earlier sessions.
set -u
cd "$(dirname "$0")/.." || exit 2
executable=$1 state=$2 seconds=0 jobs=${JOBS:-$(nproc)} how=--recompute
if [ "${3:-}" = --part ]; then
  seconds=$4 jobs=1 how=--second
fi
mkdir -p "$state"

# Half a minute and more by the second formulation alone: CI leaves them out, and a full run begins with them.
long=' flyball fourbar-bushing:k=1e8,c=1000 rocket:links=1 branchN:bodies=500 mixed250 '

mapfile -t files < <(ls reference/certified/*.json)
problem_of() { sed -n 's/^ "problem": "\(.*\)",$/\1/p' "$1" | head -n 1; }
build=$(sha256sum < "$executable")
key_of() { printf '%s %s %s' "$how" "$build" "$(sha256sum < "$1")" | sha256sum; }
done_of() { echo "$state/$(basename "$1" .json).done"; }
is_done() { [ -f "$(done_of "$1")" ] && [ "$(head -n 1 "$(done_of "$1")")" = "$(key_of "$1")" ]; }

# Solves one certificate within the given seconds (0: no limit), and prints a line. Writes NAME.done, NAME.failed or, if the time is
# over, neither.
solve() {
  local file=$1 left=$2 base problem code cpu
  base=$state/$(basename "$file" .json)
  problem=$(problem_of "$file")
  rm -f "$base.failed"
  TIMEFORMAT=%U
  { time timeout "$left" "$executable" certify "$problem" "$how" > "$base.output" 2> "$base.error"; } 2> "$base.time"
  code=$?
  [ $code -ne 124 ] || return
  cpu=$(tail -n 1 "$base.time")
  if [ $code -eq 0 ]; then
    { key_of "$file"; echo "processor $cpu s"; cat "$base.output"; } > "$base.new" && mv "$base.new" "$base.done"
  else
    cat "$base.error"
    touch "$base.failed"
  fi
  printf '%-28s %7s s  %s\n' "$problem" "$cpu" "$(sed -n 's/^compared *//p' "$base.output")"
}

first=0
if [ "$seconds" -gt 0 ]; then
  first=$(($(git rev-list --count HEAD) * 5 % ${#files[@]}))
fi
rm -f "$state"/*.failed
start=$SECONDS before=0 todo=() later=()
for ((i = 0; i < ${#files[@]}; ++i)); do
  file=${files[(first + i) % ${#files[@]}]}
  is_long=$([[ $long == *" $(problem_of "$file") "* ]] && echo yes)
  if is_done "$file"; then
    before=$((before + 1))
  elif [ -z "$is_long" ]; then
    later+=("$file")
  elif [ "$seconds" -eq 0 ]; then
    todo+=("$file")
  fi
done
todo+=("${later[@]}")
for file in "${todo[@]}"; do
  left=0
  if [ "$seconds" -gt 0 ]; then
    left=$((seconds - (SECONDS - start)))
    [ "$left" -gt 0 ] || break
  fi
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  solve "$file" "$left" &
  [ "$jobs" -gt 1 ] || wait
done
wait

failed=$(find "$state" -name '*.failed' | wc -l) held=0 kept=()
for file in "${files[@]}"; do
  ! is_done "$file" || kept+=("$(done_of "$file")")
done
held=${#kept[@]}
echo "$((held - before)) of ${#files[@]} certificates solved anew in $((SECONDS - start)) s, $before before, $failed failed"
[ "$held" -eq 0 ] ||
  sed -s -n '2s/^processor \(.*\) s$/\1/p' "${kept[@]}" |
  awk -v n="$held" -v of="${#files[@]}" '{ s += $1 } END { printf "%d of %d took %.0f s of processor time in all\n", n, of, s }'
[ "$failed" -eq 0 ] && [ "$held" -gt 0 ]
