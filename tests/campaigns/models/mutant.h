// Valid models made from valid models by changes that the reader accepts and that may be difficult for a
// formulation: data of very different sizes, degenerate geometry, redundant loops, force elements and
// drivers at their limits, other orders, other units, parts of one model hung on another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// The sources of mutants, each of at most a dozen bodies and assembled: the catalogue, the model that
// uses every field, the model file of the documentation, redundant mechanisms, random trees and loops.
std::vector<Problem> SourceModels();

struct Mutant {
  Problem problem;
  std::string from;                  // name of its source
  std::vector<std::string> changes;  // in the order in which they were made
};

// The mutant of this number; on every machine the same up to round-off. Loops that a change has opened are closed by moving
// a frame of their joint, rates are made consistent. Empty where a dozen attempts gave no valid model.
std::optional<Mutant> MakeMutant(const std::vector<Problem>& sources, std::uint64_t seed,
                                 std::uint64_t number);

}  // namespace mbsbench
