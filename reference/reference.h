// What is true: the trajectory that a problem's solutions are judged by, with its birth
// certificate.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

struct ReferenceSample {
  double time = 0;  // [s]
  std::vector<BodyState>
      bodies;  // of Reference::bodies, in that order; rounded to double from 21 digits
};

struct Reference {
  std::string problem;
  std::string how;            // formulation, arithmetic, integrator, order, step
  std::string certified_by;   // the second solution that the error estimate rests on
  double error_estimate = 0;  // in the error measure of the suite, largest over samples
  std::vector<int> bodies;    // indices into System::bodies
  std::vector<ReferenceSample> samples;
};

// The stored certified trajectory (or the closed form, where one exists) of a problem; empty when
// none is held.
std::optional<Reference> FindReference(const Problem& problem);

// Computes a reference anew by the extended-precision solver and certifies it by a second solution.
// May run long; `progress` gets the fraction done.
Reference Certify(const Problem& problem, const std::function<void(double)>& progress = {});

}  // namespace mbsbench
