// mbsbench check: what a model is, as it was understood.
#include <fmt/format.h>

#include <memory>

#include "harness/commands/commands.h"
#include "harness/commands/robot_options.h"
#include "harness/commands/text.h"
#include "harness/runner/method_choice.h"
#include "problems/io/check.h"
#include "problems/io/model_file.h"

namespace mbsbench {

void AddCheckCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "check", "Show what a model is: topology, freedoms, masses, and which methods can solve it");
  command->footer(
      std::string("Examples:\n  mbsbench check my_model.json\n  mbsbench check branch4\n"
                  "  mbsbench check robot.urdf --state state.json\n\n") +
      kExitCodesHelp);
  struct Options {
    std::string problem;
    RobotOptions robot;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("PROBLEM", options->problem, kProblemHelp)->required()->type_name("");
  AddRobotOptions(*command, options->robot);
  command->callback([&context, options] {
    const Problem problem = LoadProblem(RobotOrProblem(options->problem, options->robot));
    std::vector<MethodVerdict> verdicts;
    AskForEngines({}, context);
    for (const MethodEntry& entry : context.methods) {
      for (const MethodChoice& variant : VariantsOf(entry)) {
        const Verdict verdict = VerdictOf(entry, problem.system, variant.options);
        verdicts.emplace_back(variant.spec,
                              verdict.supported ? "supported" : "unsupported: " + verdict.reason);
      }
    }
    Print("{}", CheckReport(problem, verdicts));
    context.exit_code = kExitOk;
  });
}

}  // namespace mbsbench
