#include "harness/conform/health.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <new>
#include <set>

#include "harness/conform/smallest.h"
#include "harness/metrics/acceleration_error.h"
#include "harness/records/json_codec.h"
#include "harness/runner/cells/wall_clock.h"
#include "harness/runner/process/guarded_method.h"
#include "harness/runner/run_context.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/store/files.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/test_systems/random_models.h"
#include "reference/system/no_accelerations.h"

namespace mbsbench {

namespace {

namespace fs = std::filesystem;

constexpr double kRightBelow = 1e-6, kLargestError = 1e99;
constexpr char kUnexplained[] = "unexplained";
constexpr std::uint64_t kModelsAtOnce = 200;  // whose truths are in memory

const RandomModelKind& KindOf(std::uint64_t model) {
  return RandomModelKinds()[model % RandomModelKinds().size()];
}

// A model with its truth; random models that have no accelerations are passed over.
TriedSystem ModelOf(std::uint64_t seed, std::uint64_t number) {
  RandomNumbers random(RandomNumbers(seed).Bits() + number);
  for (;;) {
    TriedSystem tried =
        Tried(fmt::format("{}-{}", KindOf(number).name, number), KindOf(number).make(random));
    try {
      tried.Truth();
      return tried;
    } catch (const NoAccelerations&) {
    }
  }
}

fs::path LinesFile(const HealthPlan& plan, const MethodChoice& method) {
  return plan.folder / (FileNameOf(method.spec) + ".jsonl");
}

// The lines of a file. An incomplete last one, of a process that was killed, is removed from it.
std::vector<std::string> WholeLines(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::string> lines;
  std::uintmax_t whole = 0;  // characters
  for (std::string line; std::getline(in, line) && !in.eof(); whole += line.size() + 1)
    lines.push_back(line);
  if (fs::exists(file) && whole < fs::file_size(file)) fs::resize_file(file, whole);
  return lines;
}

void Append(const fs::path& file, std::uint64_t number, HealthLine line) {
  line.model = number;
  line.kind = KindOf(number).name;
  std::ofstream out(file, std::ios::app | std::ios::binary);
  out << ToJson(line).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" << std::flush;
  if (!out) throw ModelError(fmt::format("'{}' cannot be written.", file.string()));
}

HealthLine EndedAs(std::string ending, std::string reason) {
  return {.ending = std::move(ending), .reason = std::move(reason)};
}

// Judges the models [first, first + models.size()) that the method's file lacks, until the time is over.
TrialResult Work(const HealthPlan& plan, const MethodChoice& method,
                 const std::vector<TriedSystem>& models, std::uint64_t first) {
  const fs::path file = LinesFile(plan, method);
  const double end = WallSeconds() + plan.seconds;
  for (std::uint64_t number = WholeLines(file).size();
       number < first + models.size() && WallSeconds() < end; ++number)
    Append(file, number, JudgedBy(method, models[number - first]));
  return {};
}

// Held by the only process that writes to a folder, and by its copies.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : lock_(open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (lock_ < 0)
      throw ModelError(
          fmt::format("'{}' cannot be written: {}.", folder.string(), WriteFault(errno)));
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
    close(lock_);
    throw ModelError(
        fmt::format("another 'mbsbench health' writes to '{}': wait until it has ended, or choose "
                    "another folder by --output.",
                    folder.string()));
  }
  ~FolderLock() { close(lock_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int lock_;
};

struct MethodProgress {
  std::uint64_t done = 0;   // models
  std::uint64_t began = 0;  // the first model of the process that judges
  double seconds = 0;       // CPU time of all its processes
};

// Judges these models by all methods. Those that have taken long begin first, so that no core waits for them at the end.
void JudgeModels(const HealthPlan& plan, const std::vector<TriedSystem>& models,
                 std::uint64_t first, std::vector<MethodProgress>& methods,
                 Supervisor& supervisor) {
  const std::uint64_t end = first + models.size();
  std::vector<std::size_t> waiting;  // the next one at the end
  for (std::size_t m = methods.size(); m-- > 0;) {
    if (methods[m].done < end) waiting.push_back(m);
  }
  std::ranges::stable_sort(waiting, {}, [&](std::size_t m) { return methods[m].seconds; });
  // A process that ends itself after `seconds` leaves each model at least that time.
  const ProcessLimits limits{.seconds = 2 * plan.seconds, .bytes = DefaultMemoryLimit()};
  while (!waiting.empty() || supervisor.running() > 0) {
    if (!waiting.empty() && supervisor.running() < SideBySide()) {
      const std::size_t m = waiting.back();
      waiting.pop_back();
      methods[m].began = methods[m].done;
      supervisor.StartCopy(
          m, [&, m] { return Work(plan, plan.methods[m], models, first); }, limits);
      continue;
    }
    const ChildEnd ended = supervisor.Wait();
    const Ending& ending = ended.result.ending;
    const fs::path file = LinesFile(plan, plan.methods[ended.id]);
    MethodProgress& method = methods[ended.id];
    method.seconds += ended.seconds;
    method.done = WholeLines(file).size();
    const bool is_hung = ending.outcome == Outcome::kTimeout;
    // What crashes after other models may be their fault: it is tried again in a process of its own.
    const bool is_of_model = is_hung || method.done == method.began;
    if (ending.outcome != Outcome::kOk && is_of_model && method.done < end) {
      Append(file, method.done, EndedAs(is_hung ? "hung" : "crashed", ending.reason));
      ++method.done;
    }
    if (method.done < end) waiting.push_back(ended.id);
  }
}

void WriteCase(const HealthCase& found, const TriedSystem& tried) {
  WriteFile(found.file, WriteModel(ProblemOf(tried)), "--output");
}

// Makes the model of a case smaller as long as its error stays, and writes it.
void WriteReducedModel(const HealthPlan& plan, const HealthCase& found) {
  const MethodChoice& method = *std::ranges::find(plan.methods, found.method, &MethodChoice::spec);
  const double end = WallSeconds() + kReductionSeconds;
  WriteCase(found,
            SmallestInFewDigits(ModelOf(plan.seed, found.model), [&](const TriedSystem& less) {
              return WallSeconds() < end && JudgedBy(method, less).ending == kUnexplained;
            }));
}

}  // namespace

HealthLine JudgedBy(const MethodChoice& method, const TriedSystem& tried) try {
  const Ending support = SupportOf(*method.entry, tried.system, method.options);
  if (support.outcome != Outcome::kOk) return EndedAs("refused", support.reason);
  const PreparedCell cell = CellOf(tried, method);
  const Observation seen = ObserveAt(cell, cell.initial, Detail::kAccelerations);
  const double error =
      AccelerationError(AccelerationNumbers(tried.system, seen.accelerations),
                        AccelerationNumbers(tried.system, BodyAccelerationsOf(tried.Truth())),
                        AccelerationScaleOf(cell.problem, tried.state.bodies));
  HealthLine line = EndedAs("right", "");
  line.error = std::min(error, kLargestError);
  if (error <= kRightBelow) return line;
  const MeasuredCondition condition = MeasureCondition(cell, seen);
  const Ending verdict = VerdictOn(condition, error);
  const bool is_explained = verdict.outcome != Outcome::kWrongEquations;
  line.ending = is_explained ? "explained" : kUnexplained;
  line.reason = verdict.outcome != Outcome::kOk
                    ? verdict.reason
                    : fmt::format(
                          "data that change in the last place change the accelerations by "
                          "{:.2g} of their size",
                          condition.scatter);
  return line;
} catch (const ModelError& refusal) {
  return EndedAs("refused", refusal.what());
} catch (const std::bad_alloc&) {
  return EndedAs("crashed", "an allocation was refused at the memory limit");
} catch (const std::exception& error) {
  return EndedAs("crashed", std::string("exception: ") + error.what());
}

void JudgeRandomModels(const HealthPlan& plan, const std::function<void(std::uint64_t)>& progress) {
  MakeFolder(plan.folder, "--output");
  const FolderLock lock(plan.folder);
  std::vector<MethodProgress> methods;
  for (const MethodChoice& method : plan.methods)
    methods.push_back({.done = HealthLinesOf(plan, method).size()});
  Supervisor supervisor("/proc/self/exe");
  for (std::uint64_t first;
       (first = std::ranges::min(methods, {}, &MethodProgress::done).done) < plan.models;) {
    std::vector<TriedSystem> models;
    for (std::uint64_t number = first; number < std::min(first + kModelsAtOnce, plan.models);
         ++number) {
      models.push_back(ModelOf(plan.seed, number));
      if (SignalsInterrupt::raised()) throw Interrupted();
    }
    JudgeModels(plan, models, first, methods, supervisor);
    if (progress) progress(first + models.size());
  }
}

std::vector<HealthLine> HealthLinesOf(const HealthPlan& plan, const MethodChoice& method) {
  const fs::path file = LinesFile(plan, method);
  std::vector<HealthLine> lines;
  for (const std::string& text : WholeLines(file)) {
    if (lines.size() == plan.models) break;
    const Json json = Json::parse(text, nullptr, false);
    HealthLine line;
    if (!json.is_object() || !Read(json, line) || line.model != lines.size())
      throw ModelError(
          fmt::format("'{}', line {}: this is not the result of model {}: remove the "
                      "file.",
                      file.string(), lines.size() + 1, lines.size()));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<HealthCase> ReducedCases(const HealthPlan& plan) {
  std::vector<HealthCase> cases;
  for (const MethodChoice& method : plan.methods) {
    std::set<std::string> kinds;
    for (const HealthLine& line : HealthLinesOf(plan, method)) {
      if (line.ending != kUnexplained || !kinds.insert(line.kind).second) continue;
      const fs::path file =
          plan.folder / fmt::format("{}-{}.json", FileNameOf(method.spec), line.model);
      cases.push_back({.method = method.spec,
                       .kind = line.kind,
                       .model = line.model,
                       .error = line.error,
                       .reason = line.reason,
                       .file = file.string()});
    }
  }
  Supervisor supervisor("/proc/self/exe");
  const ProcessLimits limits{.seconds = kReductionSeconds + plan.seconds,
                             .bytes = DefaultMemoryLimit()};
  for (std::size_t next = 0; next < cases.size() || supervisor.running() > 0;) {
    if (next < cases.size() && supervisor.running() < SideBySide()) {
      const auto reduce = [&plan, &cases, next] {
        WriteReducedModel(plan, cases[next]);
        return TrialResult{};
      };
      if (!fs::exists(cases[next].file)) supervisor.StartCopy(next, reduce, limits);
      ++next;
      continue;
    }
    const ChildEnd ended = supervisor.Wait();
    // A smaller model may crash the method.
    const HealthCase& found = cases[ended.id];
    if (ended.result.ending.outcome != Outcome::kOk)
      WriteCase(found, ModelOf(plan.seed, found.model));
  }
  return cases;
}

HealthCard CardOf(const HealthPlan& plan) {
  HealthCard card{.models = plan.models, .seed = plan.seed, .cases = ReducedCases(plan)};
  std::vector<HealthLine> all;
  const auto add = [&card](const std::string& method, const std::string& kind,
                           const std::vector<HealthLine>& lines) {
    if (lines.empty()) return;
    HealthRow& row = card.rows.emplace_back(RowOf(lines));
    row.method = method;
    row.kind = kind;
  };
  const auto add_kinds = [&add](const std::string& method, const std::vector<HealthLine>& lines) {
    for (const RandomModelKind& kind : RandomModelKinds()) {
      std::vector<HealthLine> mine;
      std::ranges::copy_if(lines, std::back_inserter(mine),
                           [&kind](const HealthLine& line) { return line.kind == kind.name; });
      add(method, kind.name, mine);
    }
  };
  for (const MethodChoice& method : plan.methods) {
    if (method.entry->origin == Origin::kEngine)
      card.engines.list.emplace_back(method.spec, method.entry->title);
    const std::vector<HealthLine> lines = HealthLinesOf(plan, method);
    add(method.spec, "", lines);
    add_kinds(method.spec, lines);
    all.insert(all.end(), lines.begin(), lines.end());
  }
  add_kinds("", all);
  return card;
}

HealthRow RowOf(const std::vector<HealthLine>& lines) {
  HealthRow row;
  std::vector<double> digits;
  for (const HealthLine& line : lines) {
    ++row.models;
    for (const auto& [ending, count] : {std::pair{"refused", &row.refused},
                                        {"crashed", &row.crashed},
                                        {"hung", &row.hung},
                                        {"explained", &row.explained},
                                        {kUnexplained, &row.unexplained}})
      *count += line.ending == ending ? 1 : 0;
    if (line.error) digits.push_back(std::clamp(-std::log10(*line.error), 0., 16.));
  }
  if (digits.empty()) return row;
  std::ranges::sort(digits, std::greater<>());
  const auto of_share = [&digits](double share) {
    return digits[static_cast<std::size_t>(std::ceil(share * static_cast<double>(digits.size()))) -
                  1];
  };
  row.digits_p50 = of_share(0.5);
  row.digits_p99 = of_share(0.99);
  row.digits_worst = digits.back();
  return row;
}

}  // namespace mbsbench
