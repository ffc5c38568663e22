// Table 7.1 as printed, compared with the timed sweep and with itself in 113 bits.
#include "methods/articulated_body/featherstone_equations.h"

#include <gtest/gtest.h>

#include "methods/articulated_body/sweep.h"
#include "tests/support/readable_form.h"

namespace mbsbench::articulated_body {
namespace {

TEST(FeatherstoneEquations, AgreeWithTheSweepOnRandomTrees) {
  HoldOnRandomTrees(
      {}, false,
      SweepErrors<Sweep<double>, FeatherstoneEquations<double>, FeatherstoneEquations<Quad>>);
}

}  // namespace
}  // namespace mbsbench::articulated_body
