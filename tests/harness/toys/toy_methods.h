// Methods for tests of the harness only: one that is right, and one for each way in which a method can go wrong.
#pragma once

#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

//   toy-pendulum   one body on a revolute: angle and rate
//   toy-twin       the same, from the other end of the formula
//   toy-liar       gravity with the wrong sign
//   toy-singular   refuses t > 0.5 s, naming joint 0
//   toy-nan        turns into NaN after 0.5 s
//   toy-crash      dies of a segmentation fault
//   toy-hang       never returns, and ignores TERM
//   toy-memory     allocates without end
//   toy-throw      throws
//   toy-silent     ends its process with code 0 and without a record
//   toy-iterates   right, by an iteration inside the evaluation
//   toy-astray     right where it is asked for accelerations, off by 1e-5 where it is integrated
//
// and of these a worse build (TOYS_ARE_WORSE), for the tests of what finds regressions:
//   toy-lossy      right; there off by 1e-6
//   toy-work       with much arithmetic; there 2 % more of it
//   toy-more-work  there 6 % more
//   toy-fragile    right; there dies of a segmentation fault
std::vector<MethodEntry> ToyMethods();

inline constexpr int kToyIterations = 7;  // of toy-iterates in an evaluation

}  // namespace mbsbench
