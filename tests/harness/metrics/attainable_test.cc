#include "harness/metrics/attainable.h"

#include <gtest/gtest.h>

namespace mbsbench {
namespace {

Reference WithSensitivities(double of_state, double of_data) {
  Reference reference;
  reference.sensitivity_how = "by hand";
  reference.samples.resize(2);
  reference.samples[0].state_sensitivity = 1;
  reference.samples[1].state_sensitivity = of_state;
  reference.samples[1].data_sensitivity = of_data;
  return reference;
}

TEST(Attainable, DigitsDecreaseWithTheSensitivity) {
  EXPECT_FALSE(DigitsAllowed(Reference())) << "not computed";
  EXPECT_NEAR(15.95, *DigitsAllowed(WithSensitivities(1, 0)), 0.01) << "-log10(2^-53)";
  EXPECT_NEAR(9.95, *DigitsAllowed(WithSensitivities(1e6, 0)), 0.01);
  EXPECT_NEAR(1.11e-10, *AttainableError(WithSensitivities(1e6, 0)), 1e-12);
  EXPECT_EQ(0, *DigitsAllowed(WithSensitivities(1e30, 0))) << "chaos leaves none";
}

TEST(Attainable, ErrorsOfDataCountLikeThoseOfTheInitialState) {
  EXPECT_NEAR(0x1p-53 * 446, *AttainableError(WithSensitivities(88, 358)), 1e-20);
  Reference left_out = WithSensitivities(88, 358);
  left_out.data_left_out = "too many";
  EXPECT_NEAR(0x1p-53 * 88, *AttainableError(left_out), 1e-20);
  EXPECT_FALSE(LargestSensitivityOf(left_out)->of_data);
}

// Neither part alone has its largest value there.
TEST(Attainable, TheSampleWithTheLargestSumDecides) {
  Reference reference = WithSensitivities(10, 1);
  reference.samples[0].data_sensitivity = 9.5;
  EXPECT_NEAR(0x1p-53 * 11, *AttainableError(reference), 1e-20);
  reference.samples[0].data_sensitivity = 10.5;
  EXPECT_NEAR(0x1p-53 * 11.5, *AttainableError(reference), 1e-20);
}

}  // namespace
}  // namespace mbsbench
