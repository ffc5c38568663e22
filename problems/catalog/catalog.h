// The list of problems: one line per family in families.inc.
#pragma once

#include <string_view>
#include <vector>

#include "problems/model/problem_family.h"

namespace mbsbench {

// The catalogue's families, and those that plug-ins have brought.
const std::vector<ProblemFamily>& AllProblems();

// Adds a family of a plug-in. Throws ModelError where one of that name is there already. What AllProblems returned before
// is no longer valid.
void AddProblems(ProblemFamily family);

// The problem of a family by what stands after the colon of its name, "bodies=500"; nothing: the smallest.
Problem MakeProblem(const ProblemFamily& family, std::string_view options);

// Builds the problem that a name stands for. Throws ModelError with the closest names when there is
// none, or when an option is unknown or out of range.
Problem MakeProblem(std::string_view name);

}  // namespace mbsbench
