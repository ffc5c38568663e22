-- The result store: one SQLite file in WAL mode, written by the parent process only, one transaction per finished
-- trial. Everything the report shows comes from here.
-- A cell is problem x method x integrator x (tolerance or step). It has one trial of kind 'accuracy', `rounds` trials
-- of kind 'time', and where asked one of kind 'evaluation' (cost of one evaluation; integrator is then '')
-- and one of kind 'budget' (what its error consists of).

CREATE TABLE IF NOT EXISTS meta (
  key TEXT PRIMARY KEY,              -- 'schema_version' -> kSchemaVersion of store.h
  value TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS run (
  id TEXT PRIMARY KEY,               -- random hexadecimal
  started TEXT NOT NULL,             -- UTC, ISO 8601
  finished TEXT,                     -- NULL while its last command is under way or was interrupted
  command TEXT NOT NULL,             -- as typed; several that made the run are joined by ' && '
  seed INTEGER NOT NULL,             -- of the order of rounds
  machine TEXT NOT NULL,             -- JSON: hosts, cpu, cores, memory_bytes, kernel, os, load_average
  build TEXT NOT NULL                -- JSON: version, commit, compiler, flags, preset, binary_hash, loaded_libraries, libraries {name: version}
);

CREATE TABLE IF NOT EXISTS problem (
  run_id TEXT NOT NULL REFERENCES run(id),
  name TEXT NOT NULL,                -- registry name with options
  json TEXT NOT NULL,                -- see DOCUMENTS.md: ProblemDocument
  PRIMARY KEY (run_id, name)
);

CREATE TABLE IF NOT EXISTS method (
  run_id TEXT NOT NULL REFERENCES run(id),
  spec TEXT NOT NULL,                -- canonical: key with all its options, "riccati-mstmm:general"
  json TEXT NOT NULL,                -- see DOCUMENTS.md: MethodDocument
  PRIMARY KEY (run_id, spec)
);

CREATE TABLE IF NOT EXISTS trial (
  key TEXT PRIMARY KEY,              -- hash of everything that determines the trial (see store.h)
  run_id TEXT NOT NULL REFERENCES run(id),
  problem TEXT NOT NULL,
  method TEXT NOT NULL,
  integrator TEXT NOT NULL,
  tolerance REAL,                    -- NULL for fixed steps
  step REAL,                         -- NULL for adaptive integration [s]
  end_time REAL,                     -- [s]
  kind TEXT NOT NULL,                -- 'accuracy' | 'time' | 'evaluation' | 'agreement' | 'budget'
  round INTEGER NOT NULL,            -- 0 for all but 'time'
  outcome TEXT NOT NULL,             -- closed set: ok inaccurate wrong_equations ill_conditioned no_reference diverged
                                     -- newton_failed integrator_failed singular timeout out_of_memory crashed unsupported skipped
  reason TEXT NOT NULL,              -- sentence; '' for ok
  finished TEXT NOT NULL,            -- UTC
  cpu_seconds REAL,                  -- of the integration alone ('time'); per evaluation ('evaluation')
  wall_seconds REAL,
  record TEXT NOT NULL               -- JSON, see DOCUMENTS.md: TrialDocument
);
CREATE INDEX IF NOT EXISTS trial_by_cell ON trial (problem, method, integrator, tolerance, step, kind, round);

-- The progress of a run.
CREATE TABLE IF NOT EXISTS coverage (
  run_id TEXT PRIMARY KEY REFERENCES run(id),
  json TEXT NOT NULL                 -- see DOCUMENTS.md: CoverageDocument
);

-- Parts of a plan ('mbsbench run --shard').
CREATE TABLE IF NOT EXISTS plan_shard (
  run_id TEXT NOT NULL REFERENCES run(id),
  plan TEXT NOT NULL,                -- hash of the cells, the rounds, the seed, the executable and the number of shards
  number INTEGER NOT NULL,           -- which shard of the plan the run is: 1 to `shards`
  shards INTEGER NOT NULL,
  finished TEXT,                     -- NULL while under way or interrupted
  json TEXT NOT NULL,                -- see DOCUMENTS.md: PlanDocument
  PRIMARY KEY (run_id, plan, number)
);

-- Benchmarks ('mbsbench bench').
CREATE TABLE IF NOT EXISTS bench_run (
  id TEXT PRIMARY KEY,               -- random hexadecimal
  started TEXT NOT NULL,             -- UTC, ISO 8601
  finished TEXT,                     -- NULL while under way or killed
  command TEXT NOT NULL,             -- as typed
  seed INTEGER NOT NULL,             -- of the order of rounds
  machine TEXT NOT NULL,             -- JSON, as in 'run'
  build TEXT NOT NULL,               -- JSON, as in 'run'; of the candidate where two are paired
  base TEXT NOT NULL                 -- JSON: build of the base where two are paired, else null
);

CREATE TABLE IF NOT EXISTS bench (
  run_id TEXT NOT NULL REFERENCES bench_run(id),
  kind TEXT NOT NULL,                -- 'time' | 'paired'
  name TEXT NOT NULL,                -- "problem method what"
  problem TEXT NOT NULL,
  method TEXT NOT NULL,
  what TEXT NOT NULL,                -- 'accelerations' | 'residual and Jacobian' | 'solve'
  verdict TEXT NOT NULL,             -- 'paired': alike worse better inconclusive changed; else ''
  cpu_seconds REAL,                  -- 'time': least of one evaluation or solve
  record TEXT NOT NULL,              -- JSON, see DOCUMENTS.md: BenchDocument
  PRIMARY KEY (run_id, kind, name)
);

-- One row per cell of a run, for computations with the results (docs/results_in_python.md): the judgement of the accuracy
-- trial, and the least times of the timed rounds.
CREATE VIEW IF NOT EXISTS cell AS
  SELECT a.run_id, a.problem, a.method, a.integrator, a.tolerance, a.step, a.end_time, a.outcome, a.reason,
         json_extract(a.record, '$.error.max') AS error,                      -- largest over the samples
         json_extract(a.record, '$.error.end') AS error_end,
         json_extract(a.record, '$.error.rms') AS error_rms,
         json_extract(a.record, '$.error.velocity_max') AS velocity_error,
         json_extract(a.record, '$.error.reactions_max') AS reaction_error,
         json_extract(a.record, '$.position_drift_max') AS position_drift,
         json_extract(a.record, '$.velocity_drift_max') AS velocity_drift,
         json_extract(a.record, '$.energy_drift_max') AS energy_drift,
         json_extract(a.record, '$.linear_momentum_drift_max') AS linear_momentum_drift,
         json_extract(a.record, '$.angular_momentum_drift_max') AS angular_momentum_drift,
         json_extract(a.record, '$.digits_left') AS digits_left,
         t.cpu_seconds, t.wall_seconds, t.rounds, t.memory_bytes,             -- least of the rounds; NULL: not timed
         json_extract(a.record, '$.counters.steps') AS steps,
         json_extract(a.record, '$.counters.evaluations') AS evaluations,
         json_extract(a.record, '$.counters.jacobians') AS jacobians,
         json_extract(a.record, '$.command') AS command
  FROM trial AS a
  LEFT JOIN (SELECT run_id, problem, method, integrator, tolerance, step, end_time, count(*) AS rounds,
                    min(cpu_seconds) AS cpu_seconds, min(wall_seconds) AS wall_seconds,
                    min(json_extract(record, '$.memory_bytes')) AS memory_bytes
             FROM trial WHERE kind = 'time' AND outcome = 'ok'
             GROUP BY run_id, problem, method, integrator, tolerance, step, end_time) AS t
    ON t.run_id = a.run_id AND t.problem = a.problem AND t.method = a.method AND t.integrator = a.integrator
       AND t.tolerance IS a.tolerance AND t.step IS a.step AND t.end_time IS a.end_time
  WHERE a.kind = 'accuracy';
