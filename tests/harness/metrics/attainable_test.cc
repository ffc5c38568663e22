#include "harness/metrics/attainable.h"

#include <gtest/gtest.h>

namespace mbsbench {
namespace {

TEST(Attainable, DigitsFallWithTheSensitivity) {
  Reference reference;
  EXPECT_FALSE(DigitsAllowed(reference)) << "not computed";
  reference.sensitivity = 1;
  EXPECT_NEAR(15.95, *DigitsAllowed(reference), 0.01) << "-log10(2^-53)";
  reference.sensitivity = 1e6;
  EXPECT_NEAR(9.95, *DigitsAllowed(reference), 0.01);
  EXPECT_NEAR(1.11e-10, *AttainableError(reference), 1e-12);
  reference.sensitivity = 1e30;
  EXPECT_EQ(0, *DigitsAllowed(reference)) << "chaos leaves none";
}

}  // namespace
}  // namespace mbsbench
