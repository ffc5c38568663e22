#!/usr/bin/env bash
# Solves the certificates of reference/certified anew and compares them with what is held.
#
#   scripts/recertify.sh EXECUTABLE STATE              all of them, by both formulations and both orders
#   scripts/recertify.sh EXECUTABLE STATE --part 180   by the second formulation, those that fit into so many seconds
#
# The folder STATE keeps the result of each certificate, so that a run which was stopped goes on where it was; one whose
# certificate or executable has changed is solved again. A part begins with another certificate at each commit, and leaves out
# those that take long. Exit code 1 if a certificate differs from what is held, or cannot be solved, or none was
# solved in the time.
set -u
cd "$(dirname "$0")/.."
executable=$1 state=$2 seconds=0
[ "${3:-}" = --part ] && seconds=$4
mkdir -p "$state"

# Half a minute and more by the second formulation alone: no part of CI takes them.
long=' branchN:bodies=500 flyball mixed250 rocket:R1 rocket:R2 rocket:links=1 rocket:links=2 rocket:links=4 '

mapfile -t files < <(ls reference/certified/*.json)
first=0
if [ "$seconds" -gt 0 ]; then
  first=$(($(git rev-list --count HEAD) * 5 % ${#files[@]}))
fi
build=$(sha256sum < "$executable")
start=$SECONDS solved=0 failed=0 before=0
for ((i = 0; i < ${#files[@]}; ++i)); do
  file=${files[(first + i) % ${#files[@]}]}
  problem=$(sed -n 's/^ "problem": "\(.*\)",$/\1/p' "$file" | head -n 1)
  how=--recompute left=0
  if [ "$seconds" -gt 0 ]; then
    how=--second left=$((seconds - (SECONDS - start)))
    [ "$left" -gt 0 ] || break
    [[ $long != *" $problem "* ]] || continue
  fi
  done=$state/$(basename "$file" .json).done
  key=$(printf '%s %s %s' "$how" "$build" "$(sha256sum < "$file")" | sha256sum)
  if [ -f "$done" ] && [ "$(head -n 1 "$done")" = "$key" ]; then
    before=$((before + 1))
    continue
  fi
  began=$SECONDS
  output=$(timeout "$left" "$executable" certify "$problem" "$how" 2> "$state/error")
  code=$?
  if [ $code -eq 124 ] && [ "$seconds" -gt 0 ]; then
    break
  elif [ $code -eq 0 ]; then
    printf '%s\n%s\n' "$key" "$output" > "$done"
    solved=$((solved + 1))
  else
    failed=$((failed + 1))
    cat "$state/error"
  fi
  printf '%-28s %4d s  %s\n' "$problem" $((SECONDS - began)) \
    "$(sed -n 's/^compared *//p' <<< "$output")"
done
echo "$solved of ${#files[@]} certificates solved anew in $((SECONDS - start)) s, $before before, $failed failed"
[ "$failed" -eq 0 ] && [ $((solved + before)) -gt 0 ]
