#!/usr/bin/env bash
# Writes the durations of the trials of a run, in the order in which they ended, for the replay of forecast_replay_test.cc.
# The run must be the only one in its store, made on an otherwise idle machine. Needs sqlite3.
#   record.sh STORE > NAME.tsv
# Cells that were not run take no time and are omitted. The time trials that a run plans and skips (of cells that
# failed, and of processes that a long cell does not need) follow at the end, with no seconds.
set -eu
[ $# = 1 ] && [ -s "$1" ] || { echo "usage: record.sh STORE > NAME.tsv" >&2; exit 2; }
sqlite3 -separator $'\t' "file:$(realpath "$1")?mode=ro" <<'SQL'
CREATE TEMP VIEW ran AS
  SELECT t.*, t.rowid AS place, json_extract(t.record, '$.process_seconds') AS seconds,
         json_extract(t.record, '$.process') AS process, json_extract(t.record, '$.what') AS what,
         json_extract(p.json, '$.bodies') AS bodies,
         CASE WHEN tolerance IS NOT NULL THEN round(-log10(tolerance), 2)
              WHEN step IS NOT NULL THEN round(log10(t.end_time / step), 2) ELSE 0 END AS digits,
         outcome IN ('ok', 'inaccurate', 'no_reference') AS finished_well
  FROM trial t JOIN problem p ON p.run_id = t.run_id AND p.name = t.problem
  WHERE kind <> 'budget' AND NOT (kind = 'accuracy' AND outcome IN ('unsupported', 'skipped'));
CREATE TEMP TABLE line AS
  SELECT kind, problem, method, coalesce(what, integrator) AS integrator, bodies, digits,
         coalesce(process, 0) AS process, count(*) AS rounds, round(sum(seconds), 3) AS seconds,
         max(finished_well) AS finished,
         cast(strftime('%s', max(finished)) - (SELECT strftime('%s', min(finished)) FROM trial) AS INTEGER) AS at,
         max(place) AS place
  FROM ran GROUP BY kind, problem, method, what, integrator, tolerance, step, process;
SELECT 'kind', 'problem', 'method', 'integrator', 'bodies', 'digits', 'process', 'rounds', 'seconds', 'finished', 'at';
SELECT kind, problem, method, integrator, bodies, digits, process, rounds, seconds, finished, at FROM line
  ORDER BY place;
WITH process(n) AS (SELECT DISTINCT process FROM line WHERE kind = 'time')
SELECT 'time', problem, method, integrator, bodies, digits, n, 1, 0, 1, at FROM line c, process
  WHERE kind = 'accuracy' AND NOT EXISTS
    (SELECT 1 FROM line t WHERE t.kind = 'time' AND t.problem = c.problem AND t.method = c.method
       AND t.integrator = c.integrator AND t.digits = c.digits AND t.process = n)
  ORDER BY c.place, n;
SQL
