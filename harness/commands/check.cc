// mbsbench check: what a model is, as it was understood.
#include <fmt/format.h>

#include <memory>

#include "harness/commands/commands.h"
#include "harness/commands/text.h"
#include "harness/runner/method_choice.h"
#include "problems/io/check.h"
#include "problems/io/model_file.h"

namespace mbsbench {

void AddCheckCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "check", "Show what a model is: topology, freedoms, masses, and which methods can solve it");
  command->footer(
      std::string("Examples:\n  mbsbench check my_model.json\n  mbsbench check branch4\n\n") +
      kExitCodesHelp);
  const auto name = std::make_shared<std::string>();
  command->add_option("PROBLEM", *name, "A model file, or the name of a problem")
      ->required()
      ->type_name("");
  command->callback([&context, name] {
    const Problem problem = LoadProblem(*name);
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
