// mbsbench show: a mechanism in motion, as one HTML file.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands/commands.h"
#include "commands/options.h"
#include "commands/text.h"
#include "harness/runner/documents.h"
#include "harness/runner/trials/accuracy_trial.h"
#include "harness/support/support.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "reports/pages/motion_figure.h"
#include "reports/report.h"

namespace mbsbench {

namespace {

struct ShowOptions {
  std::string problem, method, output;
  RobotOptions robot;
  std::optional<double> end_time;
};

// The default variants of our own methods that give y' = f(t, y) and support the system, linear ones first.
std::vector<MethodChoice> GoodMethods(const System& system,
                                      const std::vector<MethodEntry>& methods) {
  std::vector<MethodChoice> good;
  for (const MethodEntry& entry : methods) {
    if (entry.origin != Origin::kOurs) continue;
    const MethodChoice choice = ChooseMethod(entry.key, methods);
    if (choice.form() == Form::kOde && VerdictOf(entry, system, choice.options).supported)
      good.push_back(choice);
  }
  std::stable_sort(good.begin(), good.end(), [](const MethodChoice& a, const MethodChoice& b) {
    return a.cost_exponent() < b.cost_exponent();
  });
  return good;
}

// `name`: of the problem, with the options of a robot file.
int Show(const ShowOptions& options, const std::string& name, const Problem& problem,
         const std::vector<MethodEntry>& methods) {
  std::vector<MethodChoice> choices;
  if (options.method.empty())
    choices = GoodMethods(problem.system, methods);
  else
    choices.push_back(ChooseMethod(options.method, methods));
  if (choices.empty()) {
    throw ModelError("no method of this suite integrates '" + problem.name +
                     "': 'mbsbench check' shows the reason for each method.");
  }
  const std::string file = options.output.empty() ? problem.name + ".html" : options.output;
  std::string failures;
  for (const MethodChoice& choice : choices) {
    const Cell cell =
        CompleteCell(problem, choice, {.end_time = options.end_time}, ModelFileOf(name));
    const PreparedCell prepared = PrepareCell(cell, methods);
    const TrialResult result = AccuracyTrial(prepared);
    if (!Finished(result.ending.outcome)) {
      failures += fmt::format(" {}: {}, {}.", choice.spec, Name(result.ending.outcome),
                              result.ending.reason);
      continue;
    }
    const std::string how =
        fmt::format("{} with {} at {}", choice.spec, cell.integrator,
                    cell.tolerance ? fmt::format("tolerance {:g}", *cell.tolerance)
                                   : fmt::format("steps of {:g} s", *cell.step));
    reports::WriteMotionPage(RecordOf(problem), result.record, how, SolveCommand(prepared.cell),
                             file);
    Print("{}: {:g} s of motion by {}\n", file, cell.end_time.value_or(problem.end_time), how);
    return kExitOk;
  }
  throw ModelError("no method reaches the end of the motion:" + failures);
}

}  // namespace

void AddShowCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "show", "Show a mechanism in motion: one HTML file that opens offline",
      R"(Integrates by the method of this suite whose cost grows least with the bodies, to a
tolerance of 1e-8. The page and the output name the method.

Examples:
  mbsbench show my_model.json
  mbsbench show fourbar --output fourbar.html --end 2
  mbsbench show robot.urdf --state state.json --end 2)");
  const auto options = std::make_shared<ShowOptions>();
  AddProblem(*command, options->problem);
  AddRobotOptions(*command, options->robot);
  AddOption(*command, "--method", options->method, "KEY", "Use this method");
  AddNumber(*command, "--end", options->end_time, "NUMBER", kAboveZero,
            "End time [s] (the problem's own)");
  AddOption(*command, "--output", options->output, "FILE", "The file (NAME.html)");
  command->callback([&context, options] {
    const std::string name = RobotOrProblem(options->problem, options->robot);
    const Problem problem = LoadMotion(name, options->end_time.has_value());
    const auto show = [&] { return Show(*options, name, problem, context.methods); };
    if (!options->method.empty()) AskForEngines({options->method}, context);
    context.exit_code =
        options->method.empty() ? show() : ExitCodeOf(options->method, context, show);
  });
}

}  // namespace mbsbench
