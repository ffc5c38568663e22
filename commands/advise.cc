// mbsbench advise: which method and integrator for one mechanism.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "commands/commands.h"
#include "commands/options.h"
#include "commands/run_options.h"
#include "commands/text.h"
#include "harness/metrics/accuracy_judge.h"
#include "harness/runner/plan/plan.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/store/files.h"
#include "harness/store/printable.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "reference/reference.h"
#include "reports/analysis/advice.h"
#include "reports/report.h"

namespace mbsbench {

namespace {

constexpr double kReactionsRight =
    1e-6;  // difference from those of 113 bits, of the largest of them

struct AdviseOptions {
  std::string problem, output;
  RobotOptions robot;
  std::vector<std::string> methods;
  double error = 1e-6, minutes = 3;
};

// Makes sure that there is a reference. A new one is stored with the results, not in the catalogue.
void EnsureReference(const Problem& problem, const std::filesystem::path& folder) {
  if (FindReference(problem)) return;
  if (std::getenv("MBSBENCH_REFERENCE_DIR") == nullptr) {
    const std::string own = std::filesystem::absolute(folder / "references").string();
    setenv("MBSBENCH_REFERENCE_DIR", own.c_str(), 1);
    if (FindReference(problem)) return;
  }
  WriteCertificate(CertifyWithProgress(problem), problem, CertificatePath(problem));
}

// Difference of the reactions at the initial state from those of the reference's equations, measured like the error of a
// cell's reactions: moments over L, divided by the largest reaction. NaN: the method gives none; empty: none is unique.
MaybeNumber ReactionDifference(const PreparedCell& prepared) {
  const Observation seen = ObserveAt(prepared, prepared.initial, Detail::kReactions);
  if (seen.reactions.empty()) return NAN;
  const ReferenceDynamics truth =
      ReferenceAccelerations(prepared.problem.system, prepared.initial.joints);
  const auto size = [&](const Vector3& force, const Vector3& torque) {
    return SizeOfReaction(force, torque, prepared.problem.length);
  };
  MaybeNumber difference;
  double largest = 0;
  for (std::size_t i = 0; i < truth.reactions.size(); ++i) {
    const ReferenceReaction& right = truth.reactions[i];
    largest = std::max(largest, size(right.force, right.torque));
    if (const MaybeNumber error = ReactionError(seen.reactions[i], right, prepared.problem.length))
      difference = std::max(difference.value_or(0), *error);
  }
  return difference && largest > 0 ? *difference / largest : difference;
}

// What is wrong with the reactions of a method, or what is right.
struct ReactionVerdict {
  std::string fault, remark;
};
ReactionVerdict JudgeReactions(const std::string& problem, const std::string& spec,
                               const std::vector<MethodEntry>& methods) {
  Cell cell;
  cell.problem = problem;
  cell.model_file = ModelFileOf(problem);
  cell.method = spec;
  try {
    const MaybeNumber difference = ReactionDifference(PrepareCell(cell, methods));
    if (!difference) return {"", "no joint has a unique reaction"};
    if (std::isnan(*difference)) return {"it gives no reactions", ""};
    if (!(*difference <= kReactionsRight))
      return {fmt::format("its reactions are off by {:.2g}", *difference), ""};
    return {"", fmt::format("reactions as in 113 bits to {:.1g}", *difference)};
  } catch (const ModelError& error) {
    return {fmt::format("its reactions cannot be computed: {}", error.what()), ""};
  }
}

std::string Milliseconds(const reports::RankedMethod& c) {
  return fmt::format("{:.3g} ms", 1e3 * c.seconds.value_or(NAN));
}

std::string Described(const reports::RankedMethod& c) {
  return fmt::format("{} with {} at {}", c.method, c.integrator, c.setting);
}

// The other methods, grouped by their fault: "a, b (its constraints drift away); c (slower)".
std::string OtherMethods(const reports::Advice& advice, std::size_t taken) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (std::size_t i = taken; i < advice.methods.size(); ++i) {
    const reports::RankedMethod& c = advice.methods[i];
    const std::string why =
        c.fault.empty() ? fmt::format("with {}: {}", c.integrator, c.against_first) : c.fault;
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&why](const auto& g) { return g.first == why; });
    if (group == groups.end())
      groups.push_back({why, {c.method}});
    else
      group->second.push_back(c.method);
  }
  std::string text;
  for (const auto& [why, methods] : groups)
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", fmt::join(methods, ", "), why);
  return text.empty() ? "none" : text;
}

int Advise(const AdviseOptions& o, CommandContext& context) {
  const Problem problem = LoadProblem(o.problem);
  RequireEnd(o.problem, false);
  RunCommandOptions command;
  command.selection.problems = {o.problem};
  command.selection.methods = o.methods;
  command.minutes = o.minutes;
  command.selection.targets = {std::clamp(o.error, kFinestTarget, kCoarsestTarget)};
  RunOptions options = RunOptionsFrom(command, context);
  MakePlan(options.selection, context.methods);  // refuses a mistyped method before the work begins
  std::string name = problem.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == ',' || c == '/'; }, '_');
  const std::filesystem::path folder =
      o.output.empty() ? std::filesystem::path("mbsbench-results") / ("advice-" + name)
                       : std::filesystem::path(o.output);
  MakeFolder(folder, "--output");
  EnsureReference(problem, folder);
  options.called = WallSeconds();  // the minutes come in addition to the reference
  options.store = folder / "results.sqlite";
  options.resume = std::filesystem::exists(options.store);
  options.progress = stderr;
  const RunSummary summary = RunComparison(options, MakePlan(options.selection, context.methods));
  const ReportFiles report = WriteReport(options.store, folder / "report");

  std::map<std::string, std::string> remarks;  // on the reactions of methods
  const reports::Advice advice =
      reports::AdviceOf(options.store, problem.name, o.error, [&](const std::string& method) {
        const ReactionVerdict verdict = JudgeReactions(o.problem, method, context.methods);
        remarks[method] = verdict.remark;
        return verdict.fault;
      });
  const auto& all = advice.methods;
  const bool found = !all.empty() && all[0].fault.empty();
  const bool has_second = all.size() > 1 && all[1].fault.empty();
  const auto number = [](const std::optional<double>& x) {
    return x ? fmt::format("{:.2g}", *x) : "not known";
  };
  if (found) {
    PrintWrapped("use      ", fmt::format("{}: error {} (asked: {:g}) in {} of CPU time for "
                                          "{:g} s of motion",
                                          Described(all[0]), number(all[0].error), o.error,
                                          Milliseconds(all[0]), problem.end_time));
    PrintWrapped("because  ", fmt::format("constraints drift by {}, energy by {}; {}",
                                          number(all[0].position_drift),
                                          number(all[0].energy_drift), remarks[all[0].method]));
  } else {
    Print(
        "use      no method reaches an error of {:g} without a fault: try --minutes or a larger "
        "--error\n",
        o.error);
    Print("because  see the fault of each method below\n");
  }
  PrintWrapped(
      "second   ",
      has_second
          ? fmt::format("{}: {}, {}; constraints drift by {}", Described(all[1]),
                        Milliseconds(all[1]), all[1].against_first, number(all[1].position_drift))
          : std::string(advice.has_rivals ? "none" : "none: no other method was run"));
  PrintWrapped("others   ", OtherMethods(advice, (found ? 1U : 0U) + (has_second ? 1U : 0U)));
  Print("report   {}{}{}\n", report.html.string(), found ? "; repeat it by " : "",
        found ? all[0].command : "");
  if (!summary.is_complete())
    Print(stderr,
          "the {:g} minutes were over before the comparison was complete: the same command "
          "continues\n",
          o.minutes);
  return found ? kExitOk : kExitCellFailed;
}

}  // namespace

void AddAdviseCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "advise", "Recommend a method and an integrator for one mechanism",
      R"(Certifies a reference if none is stored, runs the candidates like 'mbsbench run', and
recommends the method with the least CPU time at the requested error, among those whose constraints
do not drift and whose reactions are right. The same command again continues with the results that
it has.

Examples:
  mbsbench advise my_model.json
  mbsbench advise my_model.json --error 1e-4 --minutes 10

Exit codes: 0 a method is recommended; 2 bad usage or input; 3 none reaches the error; 4 internal
error; 130 interrupted.)");
  const auto o = std::make_shared<AdviseOptions>();
  AddProblem(*command, o->problem);
  AddRobotOptions(*command, o->robot);
  AddNumber(*command, "--end", o->robot.end, "SECONDS", kAboveZero,
            "End time of a robot's motion [s]");
  AddNumber(*command, "--error", o->error, "NUMBER",
            {"a number between 0 and 1", [](double x) { return x > 0 && x < 1; }},
            "Largest error wanted, in characteristic lengths or rad");
  AddNumber(*command, "--minutes", o->minutes, "M", kMinutes,
            "Time for the comparison, in addition to the reference");
  AddOption(*command, "--method", o->methods, "GLOB", "Candidates (all variants of all)");
  AddOption(*command, "--output", o->output, "DIR", "Folder (mbsbench-results/advice-NAME)");
  command->callback([o, &context] {
    o->problem = RobotOrProblem(o->problem, o->robot);
    context.exit_code = Advise(*o, context);
  });
}

}  // namespace mbsbench
