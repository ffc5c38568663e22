// The readable Riccati sweeps compared with the timed ones, and with themselves in 113 bits.
#include "methods/riccati_mstmm/riccati_equations.h"

#include <gtest/gtest.h>

#include "methods/riccati_mstmm/general_sweep.h"
#include "tests/support/readable_form.h"

namespace mbsbench {
namespace {

TEST(RiccatiEquations, AgreeWithTheSweepsOnRandomTrees) {
  HoldOnRandomTrees(
      {}, false,
      SweepErrors<RiccatiSweep<double>, RiccatiEquations<double>, RiccatiEquations<Quad>>);
}

}  // namespace
}  // namespace mbsbench
