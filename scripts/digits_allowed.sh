#!/usr/bin/env bash
# Lists cells of a store that are more accurate than their problem allows: by more than half a digit below 1.1e-16 times its
# sensitivities. The bound is correct if they are at most one in twenty (docs/how_measurements_are_made.md).
#
#   scripts/digits_allowed.sh STORE
#
# Needs sqlite3. Exit code 1 if they are more than one in twenty, 2 if no cell of the store has a bound.
set -eu
[ $# -eq 1 ] && [ -f "$1" ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cells="FROM cell JOIN problem ON problem.run_id = cell.run_id AND problem.name = cell.problem
  JOIN (SELECT run_id AS r, name AS n, json_extract(json, '$.reference.attainable_error') AS bound FROM problem)
  ON r = cell.run_id AND n = cell.problem
  WHERE bound > 0 AND error IS NOT NULL"
below="error < bound / sqrt(10)"
sqlite3 -readonly -separator '  ' "$1" "
  SELECT printf('%-22s %-28s %-10s %-9s error %.1e of %.1e', cell.problem, method, integrator,
                coalesce(printf('%g', tolerance), printf('%g s', step)), error, bound) $cells AND $below
  ORDER BY error / bound;"
read -r judged beat near < <(sqlite3 -readonly -separator ' ' "$1" "
  SELECT count(*), coalesce(sum($below), 0), coalesce(sum(error < 10 * bound), 0) $cells;")
echo "$beat of $judged cells beat the bound of their problem by more than half a digit; $near come within a digit of it or below"
[ "$judged" -gt 0 ] || exit 2
[ $((20 * beat)) -le "$judged" ]
