// mbsbench settle: who is right about the accelerations of one mechanism.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "commands/commands.h"
#include "commands/options.h"
#include "commands/text.h"
#include "harness/conform/readings.h"
#include "harness/conform/smallest.h"
#include "harness/metrics/acceleration_error.h"
#include "harness/plugins/engines.h"
#include "harness/records/json_codec.h"
#include "harness/runner/agreement_check.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/cells/wall_clock.h"
#include "harness/store/files.h"
#include "problems/io/model_file.h"
#include "problems/io/robot_file.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

struct SettleOptions {
  std::string problem, reduced;
  RobotOptions robot;
  std::vector<std::string> methods;
  std::uint64_t seed = 1;
  bool json = false;
};

bool IsWrong(const MethodAgreementRecord& method) {
  return method.judged == Name(Outcome::kWrongEquations);
}

// "agrees", "WRONG at the initial state: acceleration y of body 'rod' is -9.2 and not -9.81", why it has no accelerations
std::string VerdictInWords(const MethodAgreementRecord& method, const System& system) {
  if (IsWrong(method) && method.worst_at) {
    const ComponentRecord& at = *method.worst_at;
    return fmt::format("WRONG {}: {} of body '{}' is {:.15g} and not {:.15g}",
                       StateInWords(at.state), at.quantity,
                       system.bodies[static_cast<std::size_t>(at.body)].name, at.value, at.truth);
  }
  if (!method.judged_reason.empty()) return method.judged + ": " + method.judged_reason;
  if (method.error) return "agrees";
  if (!method.reason.empty()) return method.reason;
  return method.difference
             ? fmt::format("differs from the median of the others by {:.2g}", *method.difference)
             : "no accelerations";
}

std::string DigitsInWords(const MethodAgreementRecord& method) {
  if (!method.error) return "-";
  return fmt::format("{:.1f}", std::clamp(-std::log10(*method.error), 0., 16.));
}

void PrintAgreement(const AgreementRecord& agreement, const System& system) {
  Print("accelerations at {}; truth: {}\n",
        agreement.states.value_or(1) > 1
            ? fmt::format("the initial state and {} random ones", *agreement.states - 1)
            : "the initial state",
        agreement.truth);
  std::size_t width = 6;
  for (const MethodAgreementRecord& method : agreement.methods)
    width = std::max(width, method.method.size());
  Print("{:<{}} {:>6}  {}\n", "method", width, "digits", "verdict");
  for (const MethodAgreementRecord& method : agreement.methods) {
    PrintWrapped(fmt::format("{:<{}} {:>6}  ", method.method, width, DigitsInWords(method)),
                 VerdictInWords(method, system));
  }
}

// ---- what readers make of the file

// Of one engine.
struct EngineReading {
  std::string engine;
  std::string fault;  // why its reader gives nothing; empty: it gives something, or there is none
  std::optional<ComparedReading> compared;  // empty: it takes our model
};

// Without its state file, unless its loops are open then.
Problem AsReadersHaveIt(const std::string& file, const std::string& problem) {
  RobotOptions options = RobotOptionsOf(problem);
  options.state.clear();
  try {
    return LoadProblem(WithRobotOptions(file, options));
  } catch (const ModelError&) {
    return LoadProblem(problem);
  }
}

// In copies of this process, since readers may crash. Empty: the model is no robot file, or no engine is asked for.
std::vector<EngineReading> ReadingsOf(const SettleOptions& o, const CommandContext& context) {
  std::vector<EngineReading> readings;
  if (!IsRobotFile(o.problem) || context.engines.empty()) return readings;
  const std::string file = RobotFileOf(o.problem);
  const Problem ours = AsReadersHaveIt(file, o.problem);
  for (const auto& [engine, plugin] : context.engines) {
    const auto compare = [&, &library = plugin] {
      TrialResult result;
      const std::optional<ModelReading> theirs = ReadByEngine(library, file);
      if (theirs && !theirs->refused.empty()) throw ModelError(theirs->refused);
      if (theirs) result.answer = {{"compared", ToJson(Compared(ours, *theirs))}};
      return result;
    };
    const TrialResult result =
        RunApart(compare, {.seconds = context.plugin_seconds, .bytes = DefaultMemoryLimit()});
    const Ending& ending = result.ending;
    EngineReading& reading = readings.emplace_back();
    reading.engine = engine;
    if (ending.outcome == Outcome::kUnsupported)
      reading.fault = "its reader refuses the file: " + ending.reason;
    else if (ending.outcome != Outcome::kOk)
      reading.fault = fmt::format("its reader: {}: {}", Name(ending.outcome), ending.reason);
    else if (result.answer.contains("compared"))
      Read(result.answer.at("compared"), reading.compared.emplace());
  }
  return readings;
}

// A column per engine whose reader gives something.
void PrintDifferences(const std::vector<std::string>& engines,
                      const std::vector<ComparedReading>& compared) {
  std::vector<std::vector<std::string>> lines{{"element", "quantity", "ours"}};
  lines[0].insert(lines[0].end(), engines.begin(), engines.end());
  for (ReadingRow& row : RowsOf(compared)) {
    std::vector<std::string>& line = lines.emplace_back();
    line = {std::move(row.element), std::move(row.quantity), std::move(row.ours)};
    std::ranges::move(row.theirs, std::back_inserter(line));
  }
  if (lines.size() == 1) return;
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  for (const auto& line : lines) {
    std::string text = fmt::format("{:<{}}  {:<{}}", line[0], widths[0], line[1], widths[1]);
    for (std::size_t c = 2; c < line.size(); ++c)
      text += fmt::format("  {:>{}}", line[c], widths[c]);
    Print("{}\n", text);
  }
}

void PrintReadings(const std::vector<EngineReading>& readings) {
  if (readings.empty()) return;
  std::vector<std::string> without, with;
  std::vector<ComparedReading> given;
  bool all_agree = true;
  for (const auto& [engine, fault, compared] : readings) {
    const std::string lead = engine + ": ";
    all_agree = all_agree && fault.empty() && (!compared || compared->differences.empty());
    if (!fault.empty()) PrintWrapped(lead, fault);
    if (fault.empty() && !compared) without.push_back(engine);
    if (!compared) continue;
    with.push_back(engine);
    given.push_back(*compared);
    if (!compared->merged.empty())
      PrintWrapped(lead, fmt::format("it adds bodies without a joint to those that carry them: {}",
                                     fmt::join(compared->merged, ", ")));
  }
  PrintDifferences(with, given);
  if (all_agree && !with.empty())
    PrintWrapped("all readers agree on masses, inertias, axes, damping, armature: ",
                 fmt::format("ours, {}", fmt::join(with, ", ")));
  if (!without.empty())
    PrintWrapped("without a reader of their own, they take our model: ",
                 fmt::format("{}", fmt::join(without, ", ")));
  Print("\n");
}

Json DocumentOf(const std::vector<EngineReading>& readings) {
  Json document = Json::array();
  for (const auto& [engine, fault, compared] : readings) {
    Json& one = document.emplace_back(compared ? ToJson(*compared) : Json::object());
    one["engine"] = engine;
    one["verdict"] = !fault.empty()                  ? "no reading"
                     : !compared                     ? "takes our model"
                     : compared->differences.empty() ? "agrees"
                                                     : "differs";
    if (!fault.empty()) one["reason"] = fault;
  }
  return document;
}

// ---- the smallest model

// Throws ModelError where the method cannot evaluate the system.
JudgedEvaluation JudgedOn(const TriedSystem& tried, const MethodChoice& method) {
  return JudgeInitialState(CellOf(tried, method), Detail::kAccelerations);
}

// The mechanism at the state where the method is wrong.
TriedSystem WhereWrong(const Problem& problem, const MethodAgreementRecord& method,
                       std::uint64_t seed) {
  const int state = method.worst_at ? method.worst_at->state : 0;
  return Tried(problem, state == 0
                            ? InitialState(problem)
                            : *MovedState(problem, seed + static_cast<std::uint64_t>(state)));
}

// The smallest model on which a method is wrong, and the accelerations of its bodies.
struct ReducedModel {
  std::string method, file;
  System system;
  std::vector<BodyAcceleration> truth, theirs;
};

ReducedModel WriteReduced(const SettleOptions& o, const Problem& problem,
                          const MethodAgreementRecord& method, const CommandContext& context) {
  const MethodChoice choice = ChooseMethod(method.method, context.methods);
  const double end = WallSeconds() + kReductionSeconds;
  const TriedSystem tried =
      SmallestInFewDigits(WhereWrong(problem, method, o.seed), [&](const TriedSystem& less) {
        return WallSeconds() < end &&
               JudgedOn(less, choice).ending.outcome == Outcome::kWrongEquations;
      });
  WriteFile(o.reduced, WriteModel(ProblemOf(tried)), "--reduce");
  return {.method = choice.spec,
          .file = o.reduced,
          .system = tried.system,
          .truth = BodyAccelerationsOf(tried.Truth()),
          .theirs = JudgedOn(tried, choice).observation.accelerations};
}

// Acceleration and angular acceleration.
std::vector<double> SixNumbers(const BodyAcceleration& body) {
  const auto& [a, alpha] = body;
  return {a.x, a.y, a.z, alpha.x, alpha.y, alpha.z};
}

void PrintReduced(const ReducedModel& reduced) {
  Print(
      "\nthe smallest model on which {} is wrong has {} bodies and {} loop joints: {}\n"
      "accelerations of the mass centre [m/s^2] and angular accelerations [rad/s^2], inertial "
      "axes\n",
      reduced.method, reduced.system.bodies.size(), reduced.system.loop_joints.size(),
      reduced.file);
  for (std::size_t b = 0; b < reduced.system.bodies.size(); ++b) {
    Print("  {}\n", reduced.system.bodies[b].name);
    for (const auto& [who, a] : {std::pair{std::string("113 bits"), reduced.truth[b]},
                                 std::pair{reduced.method, reduced.theirs[b]}})
      Print("    {:<20} {:>22.15g}\n", who, fmt::join(SixNumbers(a), " "));
  }
}

Json DocumentOf(const ReducedModel& reduced) {
  Json bodies = Json::array();
  for (std::size_t b = 0; b < reduced.system.bodies.size(); ++b)
    bodies.push_back({{"name", reduced.system.bodies[b].name},
                      {"truth", SixNumbers(reduced.truth[b])},
                      {"method", SixNumbers(reduced.theirs[b])}});
  return {{"method", reduced.method}, {"file", reduced.file}, {"bodies", std::move(bodies)}};
}

int Settle(const SettleOptions& o, CommandContext& context) {
  const Problem problem = LoadProblem(o.problem);
  if (!o.json) PrintWarnings(problem.warnings, stderr);
  RefuseUnknownKeys(o.methods, context);
  AskForEngines(o.methods, context);
  Selection selection;
  selection.problems = {o.problem};
  selection.methods = o.methods;
  selection.evaluations_only = true;
  PlannedProblem planned = MakePlan(selection, context.methods).front();
  if (o.methods.empty()) {
    const auto is_variant = [&](const std::string& spec) {
      return !IsDefaultVariant(ChooseMethod(spec, context.methods));
    };
    std::erase_if(planned.evaluated, [&](const MethodChoice& one) { return is_variant(one.spec); });
    std::erase_if(planned.not_evaluated, [&](const auto& one) { return is_variant(one.first); });
  }
  Supervisor supervisor("/proc/self/exe", context.plugins);
  const SignalsInterrupt interruptible;
  const std::vector<EngineReading> readings = ReadingsOf(o, context);
  if (!o.json) PrintReadings(readings);
  const ProcessLimits limits{.bytes = DefaultMemoryLimit()};
  const AgreementRecord agreement =
      *CheckAgreement(planned, limits, o.seed, supervisor).result.record.agreement;
  if (!o.json) PrintAgreement(agreement, problem.system);
  const auto wrong = std::ranges::find_if(agreement.methods, IsWrong);
  const bool is_any_wrong = wrong != agreement.methods.end();
  std::optional<ReducedModel> reduced;
  if (is_any_wrong && !o.reduced.empty()) reduced = WriteReduced(o, problem, *wrong, context);
  if (!is_any_wrong && !o.reduced.empty())
    Print(stderr, "mbsbench: no method is wrong, so '{}' is not written.\n", o.reduced);
  if (o.json) {
    Json document{{"problem", problem.name},
                  {"readings", DocumentOf(readings)},
                  {"agreement", ToJson(agreement)}};
    if (reduced) document["reduced"] = DocumentOf(*reduced);
    PrintJson(document);
  } else if (reduced) {
    PrintReduced(*reduced);
  }
  return is_any_wrong ? kExitCellFailed : kExitOk;
}

}  // namespace

void AddSettleCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "settle", "Say which methods and engines are right about a mechanism",
      R"(Every method and engine evaluates the accelerations of the initial state and of random states, each
in a process of its own, and is compared with the reference's equations in 113 bits: the digits that
agree, or the body and the component that are wrong, unless round-off explains it, or why there are
no accelerations. Of a robot file, masses, inertias, axes, damping and armature as engines read them
by themselves are compared with ours before; an engine without a reader takes our model, and all get
our model for the accelerations. With --reduce, the first method that is wrong is tried on ever
smaller models for a minute, and the smallest on which it is still wrong is written to a file, its
true accelerations and those of the method to the output.

Examples:
  mbsbench settle robot.urdf --state state.json
  mbsbench settle my_model.json --engine mujoco --method articulated-body
  mbsbench --plugin libmy_method.so settle wishbone --method my-method --reduce smallest.json

Exit codes: 0 nobody is wrong; 2 bad usage or input; 3 somebody is; 4 internal error.)");
  const auto options = std::make_shared<SettleOptions>();
  AddProblem(*command, options->problem);
  AddOption(*command, "--method,--engine", options->methods, "GLOB",
            "Methods and engines to compare (the default variant of each); may be repeated");
  AddOption(*command, "--reduce", options->reduced, "FILE",
            "Write the smallest model on which a method is wrong");
  AddNumber(*command, "--seed", options->seed, "N", WholeNumber(0, UINT64_MAX),
            "Seed of the random states");
  command->add_flag("--json", options->json, "As one JSON document");
  AddRobotOptions(*command, options->robot);
  command->callback([&context, options] {
    options->problem = RobotOrProblem(options->problem, options->robot);
    context.exit_code = Settle(*options, context);
  });
}

}  // namespace mbsbench
