// The list of problems: one line per family in families.inc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problems/model/problem_family.h"

namespace mbsbench {

// The families of the catalogue and of loaded plug-ins.
const std::vector<ProblemFamily>& AllProblems();

// The names of their listed instances.
std::vector<std::string> AllInstances();

// Adds a family of a plug-in. Throws ModelError if the name is already taken. Invalidates earlier results of AllProblems.
void AddProblems(ProblemFamily family);

// The problem of a family for the text after the colon of its name, "bodies=500"; empty: the smallest.
Problem MakeProblem(const ProblemFamily& family, std::string_view options);

// Builds the problem with this name. Throws ModelError with the closest names when there is none,
// or when an option is unknown or out of range.
Problem MakeProblem(std::string_view name);

}  // namespace mbsbench
