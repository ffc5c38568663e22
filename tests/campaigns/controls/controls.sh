#!/usr/bin/env bash
# Runs two copies of one method, and a method against one whose evaluations take 10 % longer, and counts the verdicts.
#
#   controls.sh [--mbsbench EXECUTABLE] [--plugin FILE] [--delayed N] [--copies N] [--rounds N] [--state FOLDER]
#
# 10 runs with the delayed method, 20 with the copies, of 12 rounds each, on the pendulum at the error 1e-6; three minutes.
# Each of the former has to call it slower, and none of the latter may call a copy faster or slower. An interval holds the
# median with 95 %, so that it leaves out the delay in one run of twenty. Exit code 0: so it is; 1: a verdict is wrong, or a
# delay was left open, as it is on a busy machine; 2: bad usage. Stores are kept in FOLDER (build/campaigns/controls).
set -u
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
usage() { sed -n 4p "tests/campaigns/controls/controls.sh" | cut -c5- >&2; exit 2; }
mbsbench=build/release/mbsbench plugin=build/release/tests/libcontrols_plugin.so
delayed=10 copies=20 rounds=12 state=build/campaigns/controls
while [ $# -gt 0 ]; do
  [ -n "${2:-}" ] || usage
  case $1 in
    --mbsbench) mbsbench=$2 ;;
    --plugin) plugin=$2 ;;
    --delayed) delayed=$2 ;;
    --copies) copies=$2 ;;
    --rounds) rounds=$2 ;;
    --state) state=$2 ;;
    *) usage ;;
  esac
  shift 2
done
[[ $delayed$copies$rounds =~ ^[0-9]+$ ]] || usage
mkdir -p "$state" || exit 2

# Prints "ratio low high verdict" of a method over the control after a run.
run() {  # other method, seed
  local store=$state/$1-$2.sqlite report=$state/report
  rm -rf "$store" "$report"
  "$mbsbench" --plugin "$plugin" run --problem pendulum --method control --method "$1" --target 1e-6 --rounds "$rounds" \
    --seed "$2" --store "$store" > "$state/log" 2>&1 &&
    "$mbsbench" report --store "$store" --output "$report" >> "$state/log" 2>&1 || { cat "$state/log" >&2; exit 2; }
  awk -F, -v other="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    $column["method"] == $column["fastest_method"] { next }
    { r = $column["ratio_to_fastest_method"]; low = $column["ratio_low"]; high = $column["ratio_high"]
      verdict = $column["verdict"]
      if ($column["method"] == "control") {
        r = 1 / r; t = 1 / high; high = 1 / low; low = t
        verdict = verdict == "slower" ? "faster" : verdict
      }
      printf "%.3f %.3f %.3f %s\n", r, low, high, verdict }' "$report/csv/time_at_target.csv"
}

declare -A count=()
held=0
for other in delayed copy; do
  number=$delayed; [ $other = copy ] && number=$copies
  for ((seed = 1; seed <= number; ++seed)); do
    read -r ratio low high verdict < <(run $other "$seed") || exit 2
    echo "$other, run $seed: $ratio of the control ($low to $high), $verdict"
    count[$other,$verdict]=$((${count[$other,$verdict]:-0} + 1))
    if [ $other = delayed ] && awk "BEGIN { exit !($low <= 1.1 && $high >= 1.1) }"; then held=$((held + 1)); fi
  done
done
for other in delayed copy; do
  for verdict in faster slower alike open; do printf '%s %s: %d\n' $other $verdict "${count[$other,$verdict]:-0}"; done
done
echo "intervals that hold the delay: $held of $delayed"
[ "${count[delayed,slower]:-0}" -eq "$delayed" ] && [ "${count[copy,faster]:-0}${count[copy,slower]:-0}" = 00 ]
