#include "methods/numerics/sine_cosine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

// Largest error of sine and cosine, for numbers around one: absolute.
double WorstError(const std::vector<double>& angles) {
  using Block = SineCosineBlock<double>;
  double worst = 0;
  for (std::size_t begin = 0; begin < angles.size(); begin += Block::kSize) {
    const auto count = static_cast<int>(std::min<std::size_t>(Block::kSize, angles.size() - begin));
    const double* const block = angles.data() + begin;
    Block found;
    found.Calc(count, [block](int i) { return block[i]; });
    for (int i = 0; i < count; ++i) {
      const long double x = block[i];
      Raise(worst, static_cast<double>(std::abs(found.sine[i] - std::sin(x))));
      Raise(worst, static_cast<double>(std::abs(found.cosine[i] - std::cos(x))));
    }
  }
  return worst;
}

// Half a unit in the last place of one is 1.1e-16. Measured: 1.2e-16.
TEST(SineCosine, IsExactToAboutHalfAUnitInTheLastPlaceOfOne) {
  RandomNumbers random(1);
  for (double size : {0.1, 1.0, 10.0, 1e4, 1.4e6}) {
    std::vector<double> angles;
    for (int i = 0; i < 20'001; ++i) angles.push_back(random.Between(-size, size));
    EXPECT_LT(WorstError(angles), 1.4e-16) << "up to " << size;
  }
}

TEST(SineCosine, IsCorrectInAllQuadrantsAndOnTheirBorders) {
  std::vector<double> angles;
  for (int quarter = -9; quarter <= 9; ++quarter) {
    for (double off : {-0.7, -1e-9, 0.0, 1e-9, 0.7, M_PI_4}) {
      angles.push_back(quarter * M_PI_2 + off);
    }
  }
  EXPECT_LT(WorstError(angles), 1.4e-16);
}

TEST(SineCosine, UsesTheLibraryForLargeArguments) {
  EXPECT_LT(WorstError({0.5, 1e7, -3e15, 2}), 1.4e-16);
  SineCosineBlock<double> found;
  const double angles[] = {NAN, INFINITY, 1};
  found.Calc(3, [&angles](int i) { return angles[i]; });
  EXPECT_TRUE(std::isnan(found.sine[0]) && std::isnan(found.cosine[1]));
  EXPECT_EQ(found.sine[2], std::sin(1.0));
}

TEST(SineCosine, OfLanesEqualsThatOfEachLane) {
  SineCosineBlock<BatchLanes> found;
  BatchLanes angles;
  for (std::size_t l = 0; l < kBatchLanes; ++l) angles.v[l] = std::pow(-20.0, l) / 10;
  found.Calc(1, [&angles](int) { return angles; });
  for (std::size_t l = 0; l < kBatchLanes; ++l) {
    EXPECT_NEAR(found.sine[0].v[l], std::sin(angles.v[l]), 2.3e-16);
    EXPECT_NEAR(found.cosine[0].v[l], std::cos(angles.v[l]), 2.3e-16);
  }
}

}  // namespace
}  // namespace mbsbench
