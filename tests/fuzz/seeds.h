// Model files to mutate: the catalogue's small instances and one that uses every field.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "tests/problems/io/full_problem.h"

namespace mbsbench {

inline std::vector<std::pair<std::string, std::string>> SeedModels() {
  std::vector<std::pair<std::string, std::string>> seeds{{"full", WriteModel(FullProblem())}};
  for (const ProblemFamily& family : AllProblems()) {
    Problem problem = MakeProblem(family.name);  // the smallest instance
    problem.name = "seed-" + family.name;        // free of the catalogue's own bits
    if (problem.system.bodies.size() <= 12) seeds.emplace_back(family.name, WriteModel(problem));
  }
  seeds.emplace_back("borrowed", WriteModel(MakeProblem("pendulum")));
  return seeds;
}

}  // namespace mbsbench
