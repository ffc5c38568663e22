// The masses, inertias, axes, damping and armature of a robot file as the own reader of an engine reads them, against ours.
#pragma once

#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "problems/model/model_reading.h"
#include "problems/model/problem.h"

namespace mbsbench {

// Both at zero coordinates, in inertial axes.
struct ReadingDifference {
  std::string element = {}, quantity = {};  // "body 'arm'", "mass [kg]"
  // One number or three; of an inertia xx, xy, xz, yy, yz, zz. Empty: there is no such element.
  std::vector<double> ours = {}, theirs = {};

  MBSBENCH_FIELDS(element, quantity, ours, theirs)
};

struct ComparedReading {
  // Our bodies that the engine has added to those that carry them without a joint; the sums are compared.
  std::vector<std::string> merged = {};
  std::vector<ReadingDifference> differences = {};

  MBSBENCH_FIELDS(merged, differences)
};

// `ours`: of the same file, without a state file. Differences of up to 1e-6 of a size are roundings of the readers.
ComparedReading Compared(const Problem& ours, const ModelReading& theirs);

// "body 'arm': the mass [kg] is 1.2 here and 1.7 there"
std::string DifferenceInWords(const ReadingDifference& difference);

}  // namespace mbsbench
