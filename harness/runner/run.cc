#include "harness/runner/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "harness/runner/agreement.h"
#include "harness/runner/documents.h"
#include "harness/runner/environment.h"
#include "harness/runner/progress.h"
#include "harness/store/json_field.h"
#include "harness/store/run_commands.h"
#include "problems/io/model_file.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// Rounds of a cell that takes long are fewer: their sum stays below this part of the time limit, but one
// is always run.
constexpr double kRoundsPartOfLimit = 1. / 6;
// Accuracy trials run side by side as far as there are cores.
constexpr std::size_t kSideBySide = 2;
// Random states of an agreement check; a system this large is compared at one.
constexpr int kRandomStates = 3, kLargeSystem = 2000;
// Time limit of evaluations in 113 bits, in units of that of a trial.
constexpr double kTruthTakesLonger = 10;
// Order by which the cost of a multistep integrator is expected to grow: that of BDF at its
// highest.
constexpr int kVariableOrder = 5;

bool LimitsEnd(const std::string& outcome) {
  return outcome == Name(Outcome::kTimeout) || outcome == Name(Outcome::kOutOfMemory);
}

// A longer solution than the limits allowed may fit other limits. In an agreement check, that of each
// method and of the truth, which stand there as "timeout: reason".
bool LimitsDecided(const std::string& outcome, const Json& record) {
  if (LimitsEnd(outcome)) return true;
  if (outcome == Name(Outcome::kSkipped) && record.contains("expected_seconds")) return true;
  const auto ended = [](const Json& told) {
    if (!told.is_string()) return false;
    const std::string text = told.get<std::string>();
    return LimitsEnd(text.substr(0, text.find(':')));
  };
  const Json& methods = Field(record, "methods");
  return ended(Field(record, "truth")) ||
         std::any_of(methods.begin(), methods.end(),
                     [&](const Json& method) { return ended(Field(method, "reason")); });
}

// Motion, and what errors and drifts are scaled by.
std::string HashOf(const Problem& problem) {
  return fmt::format("{} {:.17g} {:.17g}", ParameterHash(problem), problem.time,
                     problem.energy_reference);
}

Json LimitsDocument(const ProcessLimits& limits) {
  return {{"seconds", limits.seconds}, {"bytes", limits.bytes}};
}

class Runner {
 public:
  Runner(const RunOptions& options, const std::vector<MethodEntry>& methods)
      : options_(options),
        plan_(MakePlan(options.selection, methods)),
        store_(Store::OpenToWrite(options.store)),
        supervisor_(options.executable, options.plugins),
        binary_hash_(HashOfBinary(options.plugins)),
        machine_(MachineIdentity()),
        progress_(options.progress) {
    for (const auto& [key, file] : options.engines) {
      std::vector<std::filesystem::path> files = options.plugins;
      files.push_back(file);
      engine_hashes_[key] = HashOfBinary(files);
    }
  }

  RunSummary Run() {
    BeginRun();
    for (const PlannedProblem& problem : plan_) Expect(problem);
    try {
      for (const PlannedProblem& problem : plan_) RunProblem(problem);
    } catch (const Interrupted&) {
      throw Interrupted("what was finished is in the store, and --resume goes on");
    }
    if (summary_.unfinished.empty()) {
      run_.finished = UtcNow();
      store_.Put(run_);
    }
    return summary_;
  }

 private:
  // ---- the run's own record

  void BeginRun() {
    const bool holds_trials = store_.TrialCount() > 0;
    if (holds_trials && !options_.resume) {
      throw StoreError(
          fmt::format("the store '{}' holds results already. Give --resume to go on with it, or "
                      "another file by --store.",
                      options_.store.string()));
    }
    const Json machine = MachineDocument(), build = BuildDocument(binary_hash_);
    // The same binary on the same machine goes on with the run that it began.
    for (const RunRow& row : store_.Runs()) {
      if (row.build.value("binary_hash", "") == binary_hash_ &&
          row.machine.value("cpu", "") == machine.at("cpu") &&
          row.machine.value("cores", 0) == machine.at("cores")) {
        run_ = row;
      }
    }
    if (run_.id.empty()) {
      run_ = {RandomId(), UtcNow(), "", "", static_cast<std::int64_t>(options_.seed),
              machine,    build};
    }
    const RunCommands commands = WithCommand(run_, options_.command);
    run_.command = commands.all;
    summary_.unfinished = commands.awaited;
    run_.finished.clear();
    run_.machine = machine;
    store_.Put(run_);
  }

  void Expect(const PlannedProblem& problem) {
    std::int64_t cells = 0;
    for (const PlannedCell& cell : problem.cells)
      cells += cell.without_running.outcome == Outcome::kOk ? 1 : 0;
    progress_.Expect(TrialKind::kAgreement, 1);
    progress_.Expect(TrialKind::kAccuracy, static_cast<std::int64_t>(problem.cells.size()));
    progress_.Expect(TrialKind::kTime, cells * options_.rounds);
    if (options_.rounds == 0) return;
    for (const MethodChoice& method : problem.evaluated) {
      progress_.Expect(TrialKind::kEvaluation,
                       static_cast<std::int64_t>(EvaluationsOf(method.form()).size()));
    }
  }

  // ---- trials: found or run, and put away

  TrialIdentity IdentityOf(const Cell& cell, TrialKind kind, int round = 0,
                           std::string what = "") const {
    return {cell.problem,
            cell.method,
            cell.integrator,
            cell.tolerance,
            cell.step,
            cell.end_time,
            std::string(Name(kind)),
            round,
            std::move(what),
            problem_hash_,
            BinaryHashFor(cell.method),
            machine_};
  }

  // Of what is run for a method.
  const std::string& BinaryHashFor(const std::string& method) const {
    const auto engine = engine_hashes_.find(method.substr(0, method.find(':')));
    return engine == engine_hashes_.end() ? binary_hash_ : engine->second;
  }

  // The trial as it is in the store, unless wider limits could now give another outcome.
  std::optional<TrialRow> Found(const TrialIdentity& identity) {
    std::optional<TrialRow> row = store_.FindTrial(TrialKey(identity));
    if (row && LimitsDecided(row->outcome, row->record)) {
      const Json limits = row->record.value("limits", Json::object());
      if (limits.value("seconds", 0.) < options_.limits.seconds ||
          limits.value("bytes", std::int64_t{0}) < options_.limits.bytes) {
        return std::nullopt;
      }
    }
    if (row) ++summary_.trials_found;
    return row;
  }

  TrialRow PutAway(const TrialIdentity& identity, const TrialResult& result,
                   double process_seconds) {
    TrialRow row;
    row.key = TrialKey(identity);
    row.run_id = run_.id;
    row.problem = identity.problem;
    row.method = identity.method;
    row.integrator = identity.integrator;
    row.tolerance = identity.tolerance;
    row.step = identity.step;
    row.end_time = identity.end_time;
    row.kind = identity.kind;
    row.round = identity.round;
    row.outcome = Name(result.ending.outcome);
    row.reason = result.ending.reason;
    row.finished = UtcNow();
    row.cpu_seconds = result.cpu_seconds;
    row.wall_seconds = result.wall_seconds;
    row.record = result.record;
    row.record["process_seconds"] = process_seconds;
    row.record["limits"] = LimitsDocument(options_.limits);
    row.record["problem_hash"] = problem_hash_;
    store_.Put(row);
    ++summary_.trials_run;
    return row;
  }

  ChildJob JobFor(std::size_t id, const Cell& cell, std::string kind) const {
    ChildJob job;
    job.id = id;
    job.request.cell = cell;
    job.request.kind = std::move(kind);
    job.limits = options_.limits;
    return job;
  }

  // ---- one problem

  static std::string Describe(const Cell& cell) {
    std::string text = cell.problem + " by " + cell.method;
    if (!cell.integrator.empty()) text += ", " + cell.integrator;
    if (cell.tolerance) text += fmt::format(" {:g}", *cell.tolerance);
    if (cell.step) text += fmt::format(" h = {:g} s", *cell.step);
    return text;
  }

  void RunProblem(const PlannedProblem& planned) {
    {
      // Not kept while its trials run: large systems take memory.
      const Problem problem =
          LoadProblem(planned.model_file.empty() ? planned.name : planned.model_file);
      problem_hash_ = HashOf(problem);
      bodies_ = problem.system.bodies.size();
      Json document = ProblemDocument(problem);
      document["problem_hash"] = problem_hash_;
      store_.Put(ProblemRow{run_.id, planned.name, std::move(document)});
    }
    for (const MethodChoice& method : planned.methods)
      store_.Put(MethodRow{run_.id, method.spec, MethodDocument(method)});
    CheckAgreement(planned);
    RunAccuracy(planned);
    if (options_.rounds > 0) {
      RunEvaluations(planned);
      RunRounds(planned);
    }
    Tell(planned);
  }

  void CheckAgreement(const PlannedProblem& planned) {
    std::vector<MethodChoice> methods = planned.evaluated;
    std::erase_if(methods, [](const MethodChoice& m) { return m.form() == Form::kAlgebraic; });
    Cell cell;
    cell.problem = planned.name;
    cell.model_file = planned.model_file;
    std::string what = fmt::format("seed {}", options_.seed);
    std::vector<std::string> specs;
    for (const MethodChoice& method : methods) {
      specs.push_back(method.spec);
      what += " " + method.spec;
      if (const std::string& hash = BinaryHashFor(method.spec); hash != binary_hash_)
        what += "@" + hash;
    }
    const TrialIdentity identity = IdentityOf(cell, TrialKind::kAgreement, 0, what);
    std::optional<TrialRow> row = Found(identity);
    double seconds = 0;
    if (!row) {
      // The last one is the truth.
      std::vector<TrialResult> trials(methods.size() + 1);
      std::size_t next = 0;
      while (next < trials.size() || supervisor_.running() > 0) {
        if (next < trials.size() && supervisor_.running() < Slots()) {
          const bool is_truth = next == methods.size();
          cell.method = is_truth ? "" : methods[next].spec;
          ChildJob job = JobFor(next, cell, is_truth ? "reference accelerations" : "accelerations");
          // Nobody's speed: the truth may take longer than a method.
          if (is_truth) job.limits.seconds *= kTruthTakesLonger;
          job.request.random_states = bodies_ > kLargeSystem ? 1 : kRandomStates;
          job.request.seed = options_.seed;
          supervisor_.Start(job);
          ++next;
          continue;
        }
        ChildEnd end = supervisor_.Wait();
        seconds += end.wall_seconds;
        trials[end.id] = std::move(end.result);
      }
      const TrialResult truth = std::move(trials.back());
      trials.pop_back();
      Agreement agreement = Compare(specs, trials, truth);
      for (const auto& [spec, ending] : planned.not_evaluated)
        agreement.methods.push_back(
            {.method = spec, .reason = std::string(Name(ending.outcome)) + ": " + ending.reason});
      row = PutAway(identity, AgreementResult(agreement, truth), seconds);
    }
    if (row->outcome == Name(Outcome::kInaccurate)) {
      summary_.disagreements.push_back(planned.name + ": " + row->reason);
      progress_.Say("DISAGREEMENT on " + planned.name + ": " + row->reason);
    }
    progress_.Did(TrialKind::kAgreement, planned.name, seconds);
  }

  static TrialResult AgreementResult(const Agreement& agreement, const TrialResult& truth) {
    TrialResult result;
    Json methods = Json::array();
    const MethodAgreement* worst = nullptr;
    std::vector<std::string> wrong;
    for (const MethodAgreement& m : agreement.methods) {
      methods.push_back({{"method", m.method},
                         {"difference", m.difference ? Json(*m.difference) : Json(nullptr)},
                         {"error", m.error ? Json(*m.error) : Json(nullptr)},
                         {"condition", m.condition ? Json(*m.condition) : Json(nullptr)},
                         {"condition_of", m.condition_of},
                         {"order", m.order > 0 ? Json(m.order) : Json(nullptr)},
                         {"reason", m.reason}});
      if (!m.difference) continue;
      if (worst == nullptr || *m.difference > *worst->difference) worst = &m;
      if (!(*m.difference <= kAgreementLimit))
        wrong.push_back(fmt::format("'{}' by {:.2g}", m.method, *m.difference));
    }
    if (worst == nullptr) {
      result.ending = {Outcome::kNoReference, "no two methods evaluated the same state"};
    } else if (!wrong.empty()) {
      result.ending = {Outcome::kInaccurate,
                       fmt::format("accelerations differ from those of the other methods: {} of "
                                   "the largest one (limit {:g})",
                                   fmt::join(wrong, ", "), kAgreementLimit)};
    }
    result.record = {
        {"states", agreement.states},
        {"judged_states", agreement.judged_states},
        {"truth", truth.ending.outcome == Outcome::kOk
                      ? "113 bits"
                      : std::string(Name(truth.ending.outcome)) + ": " + truth.ending.reason},
        {"worst", nullptr},
        {"methods", std::move(methods)}};
    if (worst != nullptr)
      result.record["worst"] = {{"method", worst->method}, {"difference", *worst->difference}};
    return result;
  }

  // ---- accuracy

  // What a cell will take, judged by the next coarser one; empty where that tells nothing.
  std::optional<double> ExpectedSeconds(const PlannedCell& planned) const {
    if (planned.coarser < 0) return std::nullopt;
    const std::optional<TrialRow>& coarser = accuracy_[static_cast<std::size_t>(planned.coarser)];
    if (!coarser) return std::nullopt;
    const Cell& cell = planned.cell;
    double growth = 1;
    if (cell.step) {
      growth = *coarser->step / *cell.step;
    } else {
      const int order = FindIntegrator(cell.integrator)->order;
      growth = std::pow(*coarser->tolerance / *cell.tolerance,
                        1. / (order > 0 ? order : kVariableOrder));
    }
    const bool timed_out = coarser->outcome == Name(Outcome::kTimeout);
    if (coarser->record.contains("expected_seconds"))
      return growth * coarser->record.at("expected_seconds").get<double>();
    if (!timed_out && !Finished(OutcomeNamed(coarser->outcome))) return std::nullopt;
    return growth * coarser->record.at("process_seconds").get<double>();
  }

  std::size_t Slots() const {
    return std::min<std::size_t>(kSideBySide, static_cast<std::size_t>(UsableCores()));
  }

  void RunAccuracy(const PlannedProblem& planned) {
    const std::vector<PlannedCell>& cells = planned.cells;
    accuracy_.assign(cells.size(), std::nullopt);
    std::set<std::size_t> under_way;
    const auto wait = [&] {
      const ChildEnd end = supervisor_.Wait();
      under_way.erase(end.id);
      const Cell& cell = cells[end.id].cell;
      accuracy_[end.id] =
          PutAway(IdentityOf(cell, TrialKind::kAccuracy), end.result, end.wall_seconds);
      const Outcome outcome = end.result.ending.outcome;
      if (outcome == Outcome::kCrashed || outcome == Outcome::kOutOfMemory ||
          outcome == Outcome::kTimeout) {
        progress_.Say(
            fmt::format("{}: {}: {}", Describe(cell), Name(outcome), end.result.ending.reason));
      }
      progress_.Did(TrialKind::kAccuracy, Describe(cell), end.wall_seconds);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const TrialIdentity identity = IdentityOf(cells[i].cell, TrialKind::kAccuracy);
      accuracy_[i] = Found(identity);
      if (!accuracy_[i] && cells[i].without_running.outcome != Outcome::kOk) {
        accuracy_[i] =
            PutAway(identity, WithoutRunning(cells[i].cell, cells[i].without_running), 0);
      }
      if (!accuracy_[i]) {
        while (cells[i].coarser >= 0 &&
               under_way.count(static_cast<std::size_t>(cells[i].coarser)) > 0)
          wait();
        const std::optional<double> expected = ExpectedSeconds(cells[i]);
        if (expected && *expected > options_.limits.seconds) {
          TrialResult skipped = WithoutRunning(
              cells[i].cell,
              {Outcome::kSkipped, fmt::format("expected {:.0f} s; the limit is {:g} s", *expected,
                                              options_.limits.seconds)});
          skipped.record["expected_seconds"] = *expected;
          accuracy_[i] = PutAway(identity, skipped, 0);
        }
      }
      if (accuracy_[i]) {
        progress_.Did(TrialKind::kAccuracy, Describe(cells[i].cell), 0);
        continue;
      }
      while (supervisor_.running() >= Slots()) wait();
      supervisor_.Start(JobFor(i, cells[i].cell, "accuracy"));
      under_way.insert(i);
    }
    while (!under_way.empty()) wait();
    for (const std::optional<TrialRow>& row : accuracy_) ++summary_.cells[row->outcome];
  }

  static TrialResult WithoutRunning(const Cell& cell, Ending ending) {
    TrialResult result;
    result.ending = std::move(ending);
    result.record = {{"command", SolveCommand(cell)}};
    return result;
  }

  // ---- time

  // Runs one trial alone on the pinned core.
  ChildEnd RunAlone(ChildJob job) {
    job.core = CoreForTiming();
    supervisor_.Start(job);
    return supervisor_.Wait();
  }

  void RunEvaluations(const PlannedProblem& planned) {
    for (const MethodChoice& method : planned.evaluated) {
      for (Evaluated what : EvaluationsOf(method.form())) {
        Cell cell;
        cell.problem = planned.name;
        cell.model_file = planned.model_file;
        cell.method = method.spec;
        const TrialIdentity identity =
            IdentityOf(cell, TrialKind::kEvaluation, 0, std::string(Name(what)));
        double seconds = 0;
        if (!Found(identity)) {
          ChildJob job = JobFor(0, cell, std::string(Name(TrialKind::kEvaluation)));
          job.request.what = what;
          ChildEnd end = RunAlone(job);
          seconds = end.wall_seconds;
          end.result.record["what"] = Name(what);  // also where it failed
          PutAway(identity, end.result, seconds);
        }
        progress_.Did(TrialKind::kEvaluation, Describe(cell), seconds);
      }
    }
  }

  int RoundsOf(const TrialRow& accuracy) const {
    if (!Finished(OutcomeNamed(accuracy.outcome))) return 0;
    const double seconds = accuracy.record.value("recorded_cpu_seconds", 0.);
    const double allowed = kRoundsPartOfLimit * options_.limits.seconds;
    const double affordable = seconds > 0 ? std::floor(allowed / seconds) : options_.rounds;
    return static_cast<int>(std::clamp(affordable, 1., static_cast<double>(options_.rounds)));
  }

  void RunRounds(const PlannedProblem& planned) {
    std::vector<int> rounds(planned.cells.size());
    std::int64_t left_out = 0;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      rounds[i] = RoundsOf(*accuracy_[i]);
      if (planned.cells[i].without_running.outcome == Outcome::kOk)
        left_out += options_.rounds - rounds[i];
    }
    progress_.Expect(TrialKind::kTime, -left_out);
    for (int round = 0; round < options_.rounds; ++round) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < rounds.size(); ++i) {
        if (round < rounds[i]) order.push_back(i);
      }
      std::seed_seq seed{static_cast<std::uint64_t>(run_.seed), static_cast<std::uint64_t>(round),
                         static_cast<std::uint64_t>(bodies_)};
      std::mt19937_64 random(seed);
      std::shuffle(order.begin(), order.end(), random);
      for (std::size_t i : order) TimeOnce(planned.cells[i].cell, *accuracy_[i], round);
    }
  }

  void TimeOnce(const Cell& cell, const TrialRow& accuracy, int round) {
    const TrialIdentity identity = IdentityOf(cell, TrialKind::kTime, round);
    std::optional<TrialRow> row = Found(identity);
    double seconds = 0;
    if (!row) {
      ChildEnd end = RunAlone(JobFor(0, cell, std::string(Name(TrialKind::kTime))));
      seconds = end.wall_seconds;
      const std::string judged = accuracy.record.value("end_state_hash", ""),
                        timed = end.result.record.value("end_state_hash", "");
      if (Finished(end.result.ending.outcome) && judged != timed)
        end.result.ending.reason =
            "its end state differs from that of the accuracy trial: the time is not of the same "
            "work";
      row = PutAway(identity, end.result, seconds);
    }
    if (row->outcome == Name(Outcome::kOk) && !row->reason.empty() &&
        other_work_.insert(TrialKey(IdentityOf(cell, TrialKind::kAccuracy))).second) {
      summary_.disagreements.push_back(Describe(cell) + ": " + row->reason);
      progress_.Say("DIFFERENT WORK: " + Describe(cell) + ": " + row->reason);
    }
    progress_.Did(TrialKind::kTime, Describe(cell), seconds);
  }

  void Tell(const PlannedProblem& planned) {
    std::map<std::string, int> outcomes;
    for (const std::optional<TrialRow>& row : accuracy_) ++outcomes[row->outcome];
    std::string text;
    for (const auto& [outcome, count] : outcomes)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, outcome);
    progress_.Say(fmt::format("{}: {}", planned.name, text.empty() ? "evaluations alone" : text));
  }

  const RunOptions& options_;
  std::vector<PlannedProblem> plan_;
  Store store_;
  Supervisor supervisor_;
  std::string binary_hash_, machine_;
  std::map<std::string, std::string> engine_hashes_;  // by key
  Progress progress_;
  RunSummary summary_;
  RunRow run_;
  std::string problem_hash_;                       // of the problem under way
  std::size_t bodies_ = 0;                         // of the problem under way
  std::vector<std::optional<TrialRow>> accuracy_;  // of its cells
  std::set<std::string> other_work_;  // cells of which it was said that a round did other work
};

}  // namespace

RunSummary RunComparison(const RunOptions& options, const std::vector<MethodEntry>& methods) {
  const SignalsInterrupt interruptible;
  return Runner(options, methods).Run();
}

}  // namespace mbsbench
