// mbsbench convert: a problem or robot file as a model file.
#include <memory>

#include "commands/commands.h"
#include "commands/options.h"
#include "commands/text.h"
#include "problems/io/model_file.h"

namespace mbsbench {

void AddConvertCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(app, "convert", "Print a robot file or a problem as a model file",
                                 R"(Standard error lists what the model leaves out.

Examples:
  mbsbench convert robot.urdf --state state.json > robot.json
  mbsbench convert branch4 > branch4.json)");
  struct Options {
    std::string problem;
    RobotOptions robot;
  };
  const auto options = std::make_shared<Options>();
  AddProblem(*command, options->problem);
  AddNumber(*command, "--end", options->robot.end, "NUMBER", kAboveZero,
            "End time of a robot's motion [s] (1)");
  AddRobotOptions(*command, options->robot);
  command->callback([&context, options] {
    const Problem problem = LoadProblem(RobotOrProblem(options->problem, options->robot));
    PrintWarnings(problem.warnings, stderr);
    Print("{}", WriteModel(problem));
  });
}

}  // namespace mbsbench
