// Model files whose initial state is a rough guess: `mbsbench check FILE --assemble`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "problems/model/problem.h"
#include "problems/model/rough_assembly.h"

namespace mbsbench {

struct AssembledProblem {
  Problem problem;         // with loops closed
  InitialCondition guess;  // as the file has it
  RoughAssembly assembly;
};

// As ParseModel and ReadModelFile, but the initial state need not close the loops: AssembleFromGuess
// closes them.
AssembledProblem ParseRoughModel(std::string_view text, std::string_view name_for_errors);
AssembledProblem ReadRoughModelFile(const std::filesystem::path& file);

// The solution: residual and iterations, and every coordinate that moved, before and after.
std::string AssemblyReport(const AssembledProblem& assembled);

}  // namespace mbsbench
