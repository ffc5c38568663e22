// Problems of one kind, addressed as `name` or `name:option=value,...`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// Options after the colon of a problem name: "bodies=500" -> {"bodies", "500"}, a bare word has an
// empty value. problem_options.h reads them.
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
  // Throws ModelError where an option is out of range.
  std::function<Problem(const ProblemOptions&)> build;
  std::string plugin = {};  // the file that it comes from; empty: the catalogue
};

}  // namespace mbsbench
