#!/usr/bin/env bash
# Runs the ladder of andrews and caraxis (docs/showpieces.md) into an empty store and checks what its diagrams have to show:
#
#   scripts/showpieces.sh MBSBENCH FOLDER
#
#   both       at least ten curves of six cells or more at the end, of at least six formulations of ours
#   andrews    at least eight of them reach 1e-9 in beta at 0.03 s, at least four 1e-11
#   andrews    three curves or more each of rk4 and dopri5 at fixed steps have the orders 4 and 5 within 0.1, over the finest halving
#              above round-off
#
# Five minutes on two cores. Exit code 1 if a check fails. FOLDER keeps store and report.
set -u
export LC_ALL=C
[ $# -eq 2 ] || { sed -n 4p "$0" | cut -c5- >&2; exit 2; }
mbsbench=$1 folder=$2
mkdir -p "$folder" || exit 2
rm -rf "$folder/store.sqlite"* "$folder/report"
start=$SECONDS
"$mbsbench" run --ladder --problem andrews --problem caraxis --store "$folder/store.sqlite" > "$folder/log" 2>&1 &&
  "$mbsbench" report --store "$folder/store.sqlite" --output "$folder/report" >> "$folder/log" 2>&1 ||
  { tail -n 20 "$folder/log" >&2; exit 1; }
engines=" $("$mbsbench" list --json | awk -F'"' '/"name":/ { name = $4 } /"package":/ { printf "%s ", name }')"
echo "run and report took $((SECONDS - start)) s"

# Reads a file of the report with columns by name: value(row, "name") of the current line. Commas in quotes are kept.
read_csv='
  function fields(line,  i, c, n, quoted) {
    n = 1; delete field; field[1] = ""
    for (i = 1; i <= length(line); ++i) {
      c = substr(line, i, 1)
      if (c == "\"") quoted = !quoted
      else if (c == "," && !quoted) field[++n] = ""
      else field[n] = field[n] c
    }
    return n
  }
  function value(name) {
    if (!(name in column)) { printf "no column %s in %s\n", name, FILENAME; exit 1 }
    return field[column[name]]
  }
  { n = fields($0) }
  FNR == 1 { delete column; for (i = 1; i <= n; ++i) column[field[i]] = i; next }'

failed=0
check() {  # what, found, least
  local verdict=ok
  awk "BEGIN { exit !($2 >= $3) }" || { verdict=FAILED; failed=1; }
  printf '%-60s %6s, at least %s: %s\n' "$1" "$2" "$3" "$verdict"
}

for problem in andrews caraxis; do
  read -r curves formulations < <(awk -v engines="$engines" "$read_csv"'
    value("finished") + 0 >= 6 { ++curves; key = value("curve"); sub(/[:,].*/, "", key); if (!index(engines, " " key " ")) keys[key] = 1 }
    END { for (key in keys) ++formulations; print curves + 0, formulations + 0 }' "$folder/report/csv/curve_ends.$problem.csv")
  check "$problem: curves of six cells or more" "${curves:-0}" 10
  check "$problem: formulations of ours of these" "${formulations:-0}" 6
done

ends=$folder/report/csv/curve_ends.andrews.csv
for error in 1e-9 1e-11; do
  reach=$(awk -v error=$error "$read_csv"'
    value("finished") + 0 >= 6 && value("beta at 0.03 s") != "" && value("beta at 0.03 s") + 0 <= error + 0 { ++reach }
    END { print reach + 0 }' "$ends")
  check "andrews: curves that reach $error in beta" "$reach" "$([ $error = 1e-9 ] && echo 8 || echo 4)"
done

# Coarse to fine within a curve; a step that is no half of the one before belongs to no pair. Below 5e-13 round-off shows.
orders=$(awk "$read_csv"'
  (value("integrator") == "rk4" || value("integrator") == "dopri5") && value("step_s") != "" && value("error_max") + 0 > 5e-13 {
    curve = value("method") ", " value("integrator"); h = value("step_s"); e = value("error_max")
    for (i = 1; i <= n_of[curve]; ++i)
      if ((r = step[curve, i] / h) > 1.99 && r < 2.01) order[curve] = log(error[curve, i] / e) / log(r)
    i = ++n_of[curve]; step[curve, i] = h; error[curve, i] = e; theory[curve] = value("integrator") == "rk4" ? 4 : 5
  }
  END { for (curve in order) printf "%s\t%.3f\t%d\n", curve, order[curve], theory[curve] }' \
  "$folder/report/csv/work_precision.andrews.csv" | sort)
sed 's/^/  /' <<< "$orders"
for order in 4 5; do
  check "andrews: curves of order $order within 0.1" \
    "$(awk -F'\t' -v theory=$order '$3 == theory && ($2 - theory) ^ 2 <= 0.01 { ++n } END { print n + 0 }' <<< "$orders")" 3
done
exit $failed
