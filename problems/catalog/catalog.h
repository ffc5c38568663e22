// The list of problems: one line per family in catalog.cc.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// Options after the colon of a problem name: "bodies=500" -> {"bodies", "500"}, a bare word has an
// empty value.
using ProblemOptions = std::map<std::string, std::string>;

struct ProblemOption {
  std::string name;     // "bodies"
  std::string meaning;  // "number of rods, at least 6"
};

struct ProblemFamily {
  std::string name;  // "branchN"
  std::string title;
  std::vector<ProblemOption> options;
  std::vector<std::string>
      instances;  // listed ones, smallest first: "branchN:bodies=6"; a bare family means the first
  std::function<Problem(const ProblemOptions&)> build;
};

const std::vector<ProblemFamily>& AllProblems();

// Builds the problem that a name stands for. Throws ModelError with the closest names when there is
// none, or when an option is unknown or out of range.
Problem MakeProblem(std::string_view name);

}  // namespace mbsbench
