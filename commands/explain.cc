// mbsbench explain: how a cell ended and how to repeat it; the structure that a method deduces from a problem.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/records/json_codec.h"
#include "harness/runner/cells/cell.h"
#include "harness/runner/documents.h"
#include "harness/runner/trials/cell_budget.h"
#include "harness/support/support.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "reports/analysis/outcomes.h"

namespace mbsbench {

namespace {

constexpr std::size_t kBodiesShown = 8;
constexpr double kNotSplit = 1e-3;  // largest remainder of a split error, as a share of it
constexpr double kWrong = 1e-3;     // above this error a solution shows a different motion

struct ExplainOptions {
  std::vector<std::string> cell;
  std::string integrator, store = kDefaultStore;
  std::optional<double> tolerance, step;
  bool store_given = false, budget = false, json = false;
};

void Line(const std::string& name, const std::string& text) {
  if (!text.empty()) PrintWrapped(fmt::format("{:<11} ", name), text);
}

std::string Shown(MaybeNumber number) { return ShownNumber(number, "not known"); }

std::string SettingOf(const TrialRow& trial) {
  const std::string setting = trial.Setting();
  return setting.empty() ? trial.integrator : trial.integrator + " " + setting;
}

std::string NameOf(const TrialRow& trial) {
  if (trial.kind == "agreement") return trial.problem + ", accelerations of all methods";
  std::string text = trial.Describe();
  if (trial.kind == "evaluation") text += ", one evaluation: " + trial.record.what;
  if (trial.end_time) text += fmt::format(", to {:g} s", *trial.end_time);
  return text;
}

// ---- the parts of an explanation

void ShowLastState(const AccuracyRecord& record) {
  const auto& [times, bodies, poses] = record.trajectory;
  if (times.empty() || poses.size() != times.size()) return;
  const std::vector<double>& pose = poses.back();
  Line("last state", fmt::format("at {:.9g} s, the last sample recorded", times.back()));
  const std::size_t count = std::min(bodies.size(), pose.size() / 7);
  for (std::size_t b = 0; b < std::min(count, kBodiesShown); ++b) {
    const auto at = [&](std::size_t i) {
      const double v = pose[7 * b + i];
      return std::isfinite(v) ? fmt::format("{:.6g}", v) : std::string("?");
    };
    Line("", fmt::format("body '{}': position ({}, {}, {}) m, quaternion wxyz ({}, {}, {}, {})",
                         bodies[b], at(0), at(1), at(2), at(3), at(4), at(5), at(6)));
  }
  if (count > kBodiesShown) Line("", fmt::format("and {} bodies more", count - kBodiesShown));
}

void ShowError(const TrialRecord& record, const ProblemRecord& problem) {
  if (record.accuracy && record.accuracy->error) {
    const ErrorMeasure& error = *record.accuracy->error;
    Line("error", fmt::format("{} at most, {} at the end, rms {}, velocities {}, reactions {}",
                              Shown(error.max), Shown(error.end), Shown(error.rms),
                              Shown(error.velocity_max), Shown(error.reactions_max)));
    if (error.algorithmic_reactions_max)
      Line("", fmt::format("reactions by the multipliers of its steps {}",
                           Shown(error.algorithmic_reactions_max)));
    if (record.accuracy->singular_samples) Line("", Sentence(*record.accuracy->singular_samples));
    const std::vector<MaybeNumber>& series = record.accuracy->error_series;
    const std::vector<double>& times = record.accuracy->times;
    for (std::size_t k = 0; k < std::min(series.size(), times.size()); ++k) {
      if (!series[k] || *series[k] <= kWrong) continue;
      Line("", fmt::format("above {:g} from t = {:.6g} s on", kWrong, times[k]));
      break;
    }
  } else if (record.accuracy) {
    Line("error", "not known: there is no reference");
  }
  const CertificateRecord& reference = OrNone(problem.reference);
  if (const auto digits = reference.digits_allowed) {
    const auto of_data = reference.data_sensitivity;
    Line("", fmt::format("this problem allows about {:.1f} digits in double precision (from its "
                         "sensitivity to the initial state, {:.3g}, and to its data, {})",
                         *digits, reference.sensitivity.value_or(0),
                         of_data ? fmt::format("{:.3g}", *of_data) : "not known"));
  }
  if (!record.accuracy || !IfFinite(record.accuracy->position_drift_max)) return;
  const AccuracyRecord& accuracy = *record.accuracy;
  std::string drift = fmt::format(
      "constraints {} and {} (velocities), energy {}", Shown(accuracy.position_drift_max),
      Shown(accuracy.velocity_drift_max), Shown(accuracy.energy_drift_max));
  if (accuracy.linear_momentum_drift_max)
    drift += ", linear momentum " + Shown(accuracy.linear_momentum_drift_max);
  if (accuracy.angular_momentum_drift_max)
    drift += ", angular momentum " + Shown(accuracy.angular_momentum_drift_max);
  Line("drift", drift);
}

std::string WorkOf(const TrialRecord& record) {
  std::string text;
  if (!record.integration) return text;
  for (auto& [name, count] : CountsOf(record.integration->counters)) {
    if (count.value_or(0) == 0) continue;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", *count, name);
  }
  return text;
}

// The newest trial of each kind and round that belong to the cell of `trial`.
std::vector<TrialRow> RowsOfCell(const Store& store, const TrialRow& trial) {
  std::vector<TrialRow> rows = store.TrialsOf(trial.problem, trial.method);
  std::erase_if(rows, [&trial](const TrialRow& row) {
    return row.run_id != trial.run_id || row.CellFields() != trial.CellFields() ||
           row.record.problem_hash != trial.record.problem_hash;
  });
  return rows;
}

void ShowTime(const std::vector<TrialRow>& rows) {
  std::optional<double> least, most;
  std::optional<int> fewest, largest;  // integrations of a round
  int rounds = 0;
  for (const TrialRow& row : rows) {
    if (row.kind != "time") continue;
    ++rounds;
    const auto spread = [](auto value, auto& low, auto& high) {
      if (!value) return;
      low = std::min(low.value_or(*value), *value);
      high = std::max(high.value_or(*value), *value);
    };
    spread(row.cpu_seconds, least, most);
    if (row.record.time) spread(row.record.time->repetitions, fewest, largest);
    if (!row.reason.empty()) Line("", fmt::format("timing round {}: {}", row.round, row.reason));
  }
  if (!least) return;
  std::string text = fmt::format("{:.4g} s of CPU time, the least of {}", *least,
                                 rounds == 1 ? "1 round" : fmt::format("{} rounds", rounds));
  if (fewest)
    text += *fewest == *largest ? fmt::format(" of {} integrations", *fewest)
                                : fmt::format(" of {} to {} integrations", *fewest, *largest);
  if (rounds > 1) text += fmt::format("; the slowest took {:.3f} times that", *most / *least);
  Line("time", text);
}

void ShowAgreement(const AgreementRecord& record) {
  for (const MethodAgreementRecord& method : record.methods) {
    std::string text = fmt::format("differs by {} from the others", Shown(method.difference));
    if (method.error) text += fmt::format(", by {:.3g} from 113 bits", *method.error);
    if (method.judged == "wrong_equations") text += ", more than round-off explains";
    if (!method.reason.empty()) text += ": " + method.reason;
    Line("", method.method + " " + text);
  }
}

// ---- the error budget of a cell

void ShowParts(const BudgetRecord& budget) {
  for (const BudgetPartRecord& part : budget.parts) {
    PrintWrapped(fmt::format("  {:>4.0f} %  {:<15} {:<9} ", 100 * part.share, part.part,
                             part.norm == 0 ? "0" : fmt::format("{:.3g}", part.norm)),
                 part.how);
  }
  Line("check",
       budget.remainder <= kNotSplit * budget.error
           ? fmt::format("the vectors of the parts add up to the error, except for {:.2g}",
                         budget.remainder)
           : fmt::format(
                 "the parts do not add up to the error, {:.2g} remains: such large rotations "
                 "are not vectors, and the parts mean little",
                 budget.remainder));
}

// The budget that a run has stored; nothing if the run did not split this cell's error.
void ShowBudget(const std::vector<TrialRow>& rows) {
  for (const TrialRow& row : rows) {
    if (row.kind != "budget") continue;
    Line("budget", row.reason.empty() ? "what the error consists of" : "none: " + row.reason);
    if (row.reason.empty() && row.record.budget) ShowParts(*row.record.budget);
  }
}

// ---- an explanation

void Explain(const Store& store, const TrialRow& trial) {
  const TrialRecord& record = trial.record;
  Line("cell", NameOf(trial));
  Line("key", trial.key);
  Line("outcome", trial.outcome + ": " + reports::FindOutcome(trial.outcome).meaning);
  Line("why", trial.reason);
  if (record.integration && IfFinite(record.integration->time_reached))
    Line("reached", fmt::format("{:.9g} s of {:g} s", record.integration->time_reached,
                                trial.end_time.value_or(NAN)));
  if (record.accuracy) ShowLastState(*record.accuracy);
  ProblemRecord problem;
  for (const ProblemRow& row : store.Problems()) {
    if (row.run_id == trial.run_id && row.name == trial.problem) problem = row.record;
  }
  ShowError(record, problem);
  Line("work", WorkOf(record));
  if (record.agreement) ShowAgreement(*record.agreement);
  if (record.evaluation)
    Line("time",
         fmt::format("{:.4g} ns per body and evaluation", record.evaluation->nanoseconds_per_body));
  if (trial.kind == "accuracy") {
    const std::vector<TrialRow> rows = RowsOfCell(store, trial);
    ShowTime(rows);
    ShowBudget(rows);
  }
  if (const auto& limits = record.limits) {
    Line("limits", fmt::format("{:g} s and {:.0f} MB; its process took {:.3g} s", limits->seconds,
                               static_cast<double>(limits->bytes) / (1 << 20),
                               record.process_seconds.value_or(0)));
  }
  for (const RunRow& run : store.Runs()) {
    if (run.id != trial.run_id) continue;
    Line("run", fmt::format("{}, started {}, build {}, {}", run.id.substr(0, 8), run.started,
                            run.build.commit.substr(0, 10), run.machine.cpu));
  }
  Line("alone", record.command);
}

void List(const std::vector<TrialRow>& cells) {
  PrintWrapped("", fmt::format("{} cells; give --integrator and --tolerance or --step, "
                               "or a key, to see one in full",
                               cells.size()));
  for (const TrialRow& cell : cells) {
    const MaybeNumber error = cell.record.LargestError();
    std::string text =
        fmt::format("{}{}", cell.outcome, error ? fmt::format(", error {:.3g}", *error) : "");
    if (!cell.reason.empty()) text += ": " + cell.reason;
    PrintWrapped(fmt::format("  {} {:<24} ", cell.key.substr(0, 8), SettingOf(cell)), text);
  }
}

// ---- finding the cell

// Warns in the end, also if the cell is not found: the damage may be the reason.
struct DamageWarnings {
  std::vector<std::string> sentences;
  ~DamageWarnings() { PrintWarnings(sentences, stderr); }
};

// The newest result of each cell; results of older executables are history.
std::vector<TrialRow> Newest(std::vector<TrialRow> trials) {
  std::vector<TrialRow> cells;
  for (TrialRow& trial : trials) {
    const auto same = std::find_if(cells.begin(), cells.end(), [&trial](const TrialRow& cell) {
      return cell.CellFields() == trial.CellFields();
    });
    if (same == cells.end())
      cells.push_back(std::move(trial));
    else if (same->finished < trial.finished)
      *same = std::move(trial);
  }
  return cells;
}

// Keys are UUIDs: hexadecimal digits with hyphens, of which the beginning is enough.
bool IsCellKey(const std::string& text) {
  return !text.starts_with('-') && text.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

bool Near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

bool Fits(const TrialRow& trial, const ExplainOptions& o) {
  if (trial.kind != "accuracy") return false;
  if (!o.integrator.empty() && trial.integrator != o.integrator) return false;
  if (o.tolerance && !(trial.tolerance && Near(*trial.tolerance, *o.tolerance))) return false;
  return !o.step || (trial.step && Near(*trial.step, *o.step));
}

void ExplainKey(const ExplainOptions& o) {
  DamageWarnings damaged;
  const Store store = Store::OpenToRead(o.store, &damaged.sentences);
  std::vector<TrialRow> found = store.TrialsWithKey(o.cell[0]);
  if (found.empty()) {
    throw StoreError(
        fmt::format("the store '{}' holds no cell with the key '{}'. Give the "
                    "beginning of a key as the report shows it, or PROBLEM METHOD.",
                    o.store, o.cell[0]));
  }
  if (found.size() > 1) {
    throw StoreError(
        fmt::format("{} keys of the store '{}' begin with '{}': {} and {}, for "
                    "instance. Give more of it.",
                    found.size(), o.store, o.cell[0], found[0].key, found[1].key));
  }
  TrialRow trial = std::move(found[0]);
  // A timing round or a budget is shown with its cell.
  if (trial.kind == "time" || trial.kind == "budget") {
    for (TrialRow& row : RowsOfCell(store, trial)) {
      if (row.kind == "accuracy") trial = std::move(row);
    }
  }
  Explain(store, trial);
}

// The problem; nothing where only the store knows it, because its model file is not at hand.
std::optional<Problem> ProblemOrStored(const ExplainOptions& o) {
  try {
    return LoadProblem(o.cell[0]);
  } catch (const ModelError&) {
    std::error_code ignored;
    if (o.budget || !std::filesystem::exists(o.store, ignored)) throw;
    const std::vector<ProblemRow> stored = Store::OpenToRead(o.store).Problems();
    if (std::ranges::count(stored, o.cell[0], &ProblemRow::name) == 0) throw;
    return std::nullopt;
  }
}

void ExplainPair(const ExplainOptions& o, const std::vector<MethodEntry>& methods) {
  const std::optional<Problem> problem = ProblemOrStored(o);
  const std::string name = problem ? problem->name : o.cell[0];
  const MethodChoice method = ChooseMethod(o.cell[1], methods);
  if (!o.integrator.empty() && FindIntegrator(o.integrator) == nullptr)
    throw ModelError("there is no integrator '" + o.integrator + "': 'mbsbench list' shows them.");
  const Verdict verdict =
      problem ? VerdictOf(*method.entry, problem->system, method.options) : Verdict{};
  bool is_explained = false;
  if (problem && verdict.supported && !o.budget && method.entry->explain) {
    const std::string structure = method.entry->explain(problem->system, method.options);
    if (!structure.empty()) {
      Print("what {} deduces from {}\n{}{}\n", method.spec, name, structure,
            structure.back() == '\n' ? "" : "\n");
      is_explained = true;
    }
  }
  if (!verdict.supported && !o.budget) {
    Line("verdict", method.spec + " does not support " + name + ": " + verdict.reason);
    is_explained = true;
  }
  if (o.budget) {
    const Cell cell = CompleteCell(
        *problem, method, {.integrator = o.integrator, .tolerance = o.tolerance, .step = o.step},
        ModelFileOf(o.cell[0]));
    const BudgetRecord budget = BudgetOf(PrepareCell(cell, methods));
    if (o.json) {
      Json document = ToJson(cell);
      document.update(ToJson(budget));
      PrintJson(document);
    } else {
      Line("error",
           fmt::format("{:.3g} of {}, the largest over samples", budget.error, cell.Describe()));
      ShowParts(budget);
    }
    return;
  }
  const std::string alone =
      "'" + SolveCommand({o.cell[0], method.spec, o.integrator, o.tolerance, o.step, {}}) + "'";
  std::error_code ignored;
  if (!std::filesystem::exists(o.store, ignored) && !o.store_given) {
    const std::string none = fmt::format("there is no store '{}'", o.store);
    if (!is_explained)
      throw StoreError(none + ": give one by --store, or run the cell now by " + alone + ".");
    Line("cells", none + ", and so no solution.");
    return;
  }
  DamageWarnings damaged;
  const Store store = Store::OpenToRead(o.store, &damaged.sentences);
  std::vector<TrialRow> all = store.TrialsOf(name, method.spec);
  const std::string hash = problem ? HashOf(*problem) : "";
  const std::size_t of_others = std::erase_if(all, [&hash](const TrialRow& trial) {
    return IsOtherMechanism(hash, trial.record.problem_hash);
  });
  const auto is_edited = [&](const TrialRow& trial) {
    return problem && trial.record.problem_hash != hash;
  };
  if (!std::ranges::all_of(all, is_edited)) std::erase_if(all, is_edited);
  std::vector<TrialRow> cells = all;
  std::erase_if(all, [](const TrialRow& trial) { return trial.kind != "accuracy"; });
  std::erase_if(cells, [&o](const TrialRow& trial) { return !Fits(trial, o); });
  cells = Newest(std::move(cells));
  // The verdict above covers these.
  if (!verdict.supported)
    std::erase_if(cells, [](const TrialRow& cell) { return cell.outcome == "unsupported"; });
  if (cells.empty()) {
    if (!verdict.supported) return;
    std::string none = fmt::format("the store '{}' holds no {}cell of {} by {}", o.store,
                                   all.empty() ? "" : "such ", name, method.spec);
    if (all.empty() && of_others > 0) none += ", but some of another mechanism of that name";
    if (!all.empty()) {
      std::vector<std::string> held;
      for (const TrialRow& cell : Newest(std::move(all))) held.push_back(SettingOf(cell));
      none += fmt::format(" (it holds {})", fmt::join(held, ", "));
    }
    if (!is_explained) throw StoreError(none + ". Run the cell now by " + alone + ".");
    Line("cells", none + ".");
    return;
  }
  if (cells.size() == 1)
    Explain(store, cells[0]);
  else
    List(cells);
  if (is_edited(cells[0])) {
    Line("note", fmt::format("'{}' has other scales, samples, observables or printed values than "
                             "the problem in the store",
                             o.cell[0]));
  }
}

}  // namespace

void AddExplainCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "explain",
      "Explain why a cell ended as it did, and print the command that runs it alone",
      R"(CELL is PROBLEM METHOD, narrowed by --integrator and --tolerance or --step, or the
beginning of a key as shown by the report, cells.csv and explain. PROBLEM is a name, also that
of a model file in the store, or the file. If a method deduces a structure
from a problem, PROBLEM METHOD shows the structure too, with or without a store.

Examples:
  mbsbench explain dpend18 cartesian-dae:index3
  mbsbench explain dpend18 riccati-mstmm --integrator rk4 --step 0.0078125 --store planar.sqlite
  mbsbench explain 1a2b3c4d
  mbsbench explain fourbar articulated-body:none --integrator rk4 --step 0.002 --budget

--budget runs the cell some ten times and splits its error into round-off, iteration, constraint and
discretisation.

Exit codes: 0 explained; 2 bad usage or input, or there is no such cell; 4 internal error.)");
  const auto o = std::make_shared<ExplainOptions>();
  AddArgument(*command, "CELL", o->cell, "PROBLEM METHOD, or a key")->expected(1, 2);
  AddOption(*command, "--integrator", o->integrator, "KEY", "Key of an integrator");
  CLI::Option* const tolerance = AddNumber(*command, "--tolerance", o->tolerance, "NUMBER",
                                           kTolerance, "Tolerance of the cell");
  AddNumber(*command, "--step", o->step, "NUMBER", kAboveZero, "Fixed step of the cell [s]")
      ->excludes(tolerance);
  CLI::Option* const store = AddStore(*command, o->store);
  CLI::Option* const budget = command->add_flag(
      "--budget", o->budget, "Run PROBLEM METHOD now and split its error into its parts");
  command->add_flag("--json", o->json, "The budget as one JSON document")->needs(budget);
  command->callback([&context, o, store] {
    o->store_given = store->count() > 0;
    const bool is_key = o->cell.size() == 1 && IsCellKey(o->cell[0]);
    if (o->budget && is_key)
      throw ModelError("--budget runs a cell, so it needs PROBLEM METHOD, not a key.");
    if (o->cell.size() == 1 && !is_key) {
      LoadProblem(o->cell[0]);  // a mistyped problem is the first mistake
      throw ModelError("explain needs a METHOD after the problem '" + o->cell[0] +
                       "', or the key of a cell.");
    }
    if (is_key) {
      ExplainKey(*o);
    } else {
      AskForEngines({o->cell[1]}, context);
      ExplainPair(*o, context.methods);
    }
  });
}

}  // namespace mbsbench
