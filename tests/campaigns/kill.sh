#!/usr/bin/env bash
# Kills a run at random moments, resumes it, and compares its store with that of an uninterrupted run.
#
#   kill.sh N [--minutes M] [--state FOLDER] [--mbsbench EXECUTABLE] [-- RUN_OPTION...]
#
# N kills in all, of the parent, of its group, of the whole session or of one child, by KILL, TERM, INT or, for children,
# SEGV. --minutes ends this session earlier; the next one continues from the state in FOLDER (build/campaigns/kill). After
# each kill no finished trial may be lost or changed, the store must be intact, and no process may be left. Each time that
# the resumed run is complete it is compared with the other one: the same trials, outcomes, errors and exact counters. Exit
# code 0: nothing found; 1: a fault was found, and its store is kept in FOLDER; 2: bad usage. Needs sqlite3.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
usage() { echo "usage: kill.sh N [--minutes M] [--state FOLDER] [--mbsbench EXECUTABLE] [-- RUN_OPTION...]" >&2; exit 2; }
[ $# -ge 1 ] && [[ $1 =~ ^[1-9][0-9]*$ ]] || usage
wanted=$1 minutes=0 state=build/campaigns/kill mbsbench=build/ci/mbsbench
shift
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; minutes=$2; shift 2 ;;
    --state) [ -n "${2:-}" ] || usage; state=$2; shift 2 ;;
    --mbsbench) [ -n "${2:-}" ] || usage; mbsbench=$2; shift 2 ;;
    --) shift; break ;;
    *) usage ;;
  esac
done
selection=("$@")
[ ${#selection[@]} -gt 0 ] || selection=(--quick --problem pendulum --problem fourbar --method riccati-mstmm
  --method articulated-body --integrator dopri5 --rounds 1 --time-limit 600)  # a busy machine is no finding
command -v pkill > /dev/null || { echo "kill.sh: pkill was not found (Debian package procps)." >&2; exit 2; }
command -v sqlite3 > /dev/null || { echo "kill.sh: sqlite3 was not found (Debian package sqlite3)." >&2; exit 2; }
[ -x "$mbsbench" ] || { echo "kill.sh: '$mbsbench' is no executable: build it, or name another one by --mbsbench." >&2; exit 2; }
mkdir -p "$state" || exit 2
whole=$state/whole.sqlite killed=$state/killed.sqlite

run() { "$mbsbench" run "${selection[@]}" --resume --store "$1"; }
# One line per finished trial: its key and all its stored data.
trials() { [ -s "$killed" ] && sqlite3 "$killed" "SELECT key, finished, outcome, record FROM trial ORDER BY key" 2> /dev/null; }
now_ms() { echo $(($(date +%s%N) / 1000000)); }

# Totals of earlier sessions.
kills=0 complete=0 length_ms=0 findings=0
# A store of another executable or selection cannot be compared.
identity=$(sha1sum < "$mbsbench")" ${selection[*]}"
if [ -f "$state/state" ] && [ "$(cat "$state/identity" 2> /dev/null)" = "$identity" ]; then
  read -r kills complete length_ms findings < "$state/state"
else
  rm -f "$whole"* "$killed"*
  # Earlier kills count, too.
  [ ! -f "$state/state" ] || read -r kills complete _ findings < "$state/state"
  length_ms=0
  echo "$identity" > "$state/identity"
fi
save() { echo "$kills $complete $length_ms $findings" > "$state/state.new" && mv "$state/state.new" "$state/state"; }

if [ "$length_ms" -eq 0 ]; then
  began=$(now_ms)
  run "$whole" > "$state/whole.log" 2>&1 || { echo "kill.sh: the uninterrupted run ended with code $?:"; tail -3 "$state/whole.log"; exit 1; }
  length_ms=$(($(now_ms) - began))
  save
fi
expected=$(sqlite3 "$whole" "SELECT count(*) FROM trial")
echo "an unkilled run: $expected trials in $length_ms ms; $kills kills and $complete complete runs so far"

found() {
  findings=$((findings + 1))
  echo "FOUND after kill $kills ($target by $signal at $moment ms): $1"
  cp "$killed" "$state/finding-$kills.sqlite" 2> /dev/null
  save
}

# A process of the session that is a trial; trials lead their own process groups.
one_child() { pgrep -s "$1" | grep -vx "$1" | shuf -n 1; }

# A trial that is starting cannot yet identify the sender of a fault.
catches_faults() { (((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2> /dev/null || echo 0) >> 10) & 1)); }

deadline=$((minutes > 0 ? $(date +%s) + 60 * minutes : 0))
RANDOM=$((kills % 32768)) target='' signal='' moment=0
while [ "$kills" -lt "$wanted" ]; do
  [ "$deadline" -gt 0 ] && [ "$(date +%s)" -ge "$deadline" ] && break
  before=$(trials)
  setsid "$mbsbench" run "${selection[@]}" --resume --store "$killed" > "$state/killed.log" 2>&1 &
  pid=$!
  # Within the time of the remaining trials.
  held=$(echo "$before" | grep -c .)
  moment=$(((RANDOM * 32768 + RANDOM) % (length_ms * (expected - held) / expected + length_ms / 10 + 1)))
  sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))" &
  sleeper=$! ended=''
  wait -n -p ended "$pid" "$sleeper"
  code=$?
  targets=(parent parent group session child)
  signals=(KILL KILL TERM INT)
  target=${targets[RANDOM % ${#targets[@]}]} signal=${signals[RANDOM % ${#signals[@]}]}
  hit=0
  [ "$ended" = "$pid" ] && kill "$sleeper" && target=none  # it was done before
  case $target in
    parent) kill -s "$signal" "$pid" 2> /dev/null && hit=1 ;;
    group) kill -s "$signal" -- "-$pid" 2> /dev/null && hit=1 ;;
    session) pkill --signal "$signal" --session "$pid" && hit=1 ;;
    child)
      [ "$signal" = INT ] && signal=SEGV
      child=$(one_child "$pid")
      [ "$signal" != SEGV ] || { [ -n "$child" ] && catches_faults "$child"; } || child=
      [ -n "$child" ] && kill -s "$signal" "$child" 2> /dev/null && hit=1 ;;
  esac
  [ "$ended" = "$pid" ] || { wait "$pid"; code=$?; } 2> /dev/null
  kills=$((kills + hit))
  case $code in
    0 | 130 | 137) ;;  # complete; interrupted; killed
    143 | 129) ;;      # TERM or HUP before the run took hold of them
    *) found "exit code $code: $(tail -1 "$state/killed.log")" ;;
  esac
  [ "$target" != child ] || [ $code -eq 0 ] || found "a killed child ended the run with code $code"
  for _ in $(seq 100); do pgrep -s "$pid" > /dev/null || break; sleep 0.05; done
  pgrep -s "$pid" > /dev/null && found "processes are left: $(pgrep -a -s "$pid" | head -2)"
  if [ -s "$killed" ] && sqlite3 "$killed" "SELECT 1 FROM trial LIMIT 1" > /dev/null 2>&1; then
    [ "$(sqlite3 "$killed" 'PRAGMA integrity_check')" = ok ] || found "the store is damaged"
  elif [ -n "$before" ]; then
    found "the store cannot be read any more"
  fi
  lost=$(comm -23 <(echo "$before") <(trials) | grep -c .)
  [ "$lost" -eq 0 ] || found "$lost finished trials were lost or run again"
  if [ $code -eq 0 ]; then
    complete=$((complete + 1))
    held=$(sqlite3 "$killed" "SELECT count(*) FROM trial")
    [ "$held" -eq "$expected" ] || found "$held trials in place of $expected"
    "$mbsbench" compare --json "$whole" "$killed" > "$state/comparison.json" 2>&1
    differences=$(sqlite3 :memory: "SELECT json_extract(c, '\$.counts.worse') || ' worse, ' ||
      json_extract(c, '\$.counts.better') || ' better, ' || json_extract(c, '\$.counts.changed') || ' changed, ' ||
      json_array_length(c, '\$.only_in_a') || ' only in the one, ' || json_array_length(c, '\$.only_in_b') || ' only in the other'
      FROM (SELECT CAST(readfile('$state/comparison.json') AS TEXT) AS c)" 2>&1)
    [ "$differences" = '0 worse, 0 better, 0 changed, 0 only in the one, 0 only in the other' ] ||
      found "other results than those of the unkilled run: $differences"
    rm -f "$killed"*
  fi
  save
done
echo "$kills kills, $complete complete runs of $expected trials compared with the unkilled one, $findings findings"
[ "$findings" -eq 0 ]
