// The masses, inertias, axes, damping and armature that an engine's own reader finds in a robot file, compared with ours.
#pragma once

#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "problems/model/model_reading.h"
#include "problems/model/problem.h"

namespace mbsbench {

// A quantity on which the two readers differ, at zero coordinates and in inertial axes.
struct ReadingDifference {
  std::string element = {}, quantity = {};  // "body 'arm'", "mass [kg]"
  // One number, three, or the entries xx, xy, xz, yy, yz, zz of an inertia. Empty: the reader has no such element.
  std::vector<double> ours = {}, theirs = {};

  MBSBENCH_FIELDS(element, quantity, ours, theirs)
};

struct ComparedReading {
  // Our bodies that the engine has added to those that carry them without a joint; the sums are compared.
  std::vector<std::string> merged = {};
  std::vector<ReadingDifference> differences = {};

  MBSBENCH_FIELDS(merged, differences)
};

// `ours` is read from the same file, without a state file. Differences of up to 1e-6 of a size are roundings of the readers.
ComparedReading Compared(const Problem& ours, const ModelReading& theirs);

// One number in which readers differ from ours, or an element that one of them lacks: "body 'arm'", "inertia xy [kg m^2]". Numbers
// are text, of readers that agree with ours "=".
struct ReadingRow {
  std::string element, quantity, ours;
  std::vector<std::string> theirs;  // per reader
};
std::vector<ReadingRow> RowsOf(const std::vector<ComparedReading>& readers);

}  // namespace mbsbench
