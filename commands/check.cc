// mbsbench check: a model as mbsbench reads it.
#include <fmt/format.h>

#include <memory>

#include "commands/commands.h"
#include "commands/options.h"
#include "commands/text.h"
#include "harness/runner/cells/cell.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/store/files.h"
#include "harness/support/support.h"
#include "problems/io/check.h"
#include "problems/io/model_file.h"
#include "problems/io/rough_model.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

struct CheckOptions {
  std::string problem, write;
  RobotOptions robot;
  bool assemble = false;
};

Problem Assembled(const CheckOptions& options) {
  if (!options.assemble) {
    if (!options.write.empty())
      throw ModelError("--write writes the model that --assemble has solved: give both.");
    return LoadProblem(RobotOrProblem(options.problem, options.robot));
  }
  const std::string file = ModelFileOf(options.problem);
  if (file.empty()) {
    throw ModelError(
        "'" + options.problem +
        "' is a problem of the catalogue, and its loops are closed: --assemble takes a "
        "model file.");
  }
  const AssembledProblem assembled = ReadRoughModelFile(file);
  Print("{}", AssemblyReport(assembled));
  if (!options.write.empty()) {
    WriteFile(options.write, WriteModel(assembled.problem), "--write");
    Print("  written to {}\n", options.write);
  }
  Print("\n");
  return assembled.problem;
}

}  // namespace

void AddCheckCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "check", "Show a model: topology, freedoms, masses, and which methods can solve it",
      R"(--assemble closes the loops from rough guesses. It moves the joints marked dependent, or, if
none is marked, all joints that are not driven, as little as possible, and makes the rates
consistent. It refuses guesses that are ambiguous or too far away.

Examples:
  mbsbench check my_model.json
  mbsbench check branch4
  mbsbench check rough.json --assemble --write my_model.json
  mbsbench check robot.urdf --state state.json)");
  const auto options = std::make_shared<CheckOptions>();
  AddProblem(*command, options->problem);
  AddRobotOptions(*command, options->robot);
  command->add_flag("--assemble", options->assemble,
                    "Take the initial state of the file as a rough guess and close the loops");
  AddOption(*command, "--write", options->write, "FILE", "Write the assembled model to this file");
  command->callback([&context, options] {
    const Problem problem = Assembled(*options);
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
  });
}

}  // namespace mbsbench
