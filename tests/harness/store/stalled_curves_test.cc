// Curves whose error stops falling, and the suspected cause.
#include "harness/comparison/stalled_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

namespace mbsbench {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kBodies = 4, kKnownError = 1e-14;

// At tolerances of 1e-4, 1e-6 and so on.
ErrorCurve Curve(const std::string& method, std::initializer_list<double> errors) {
  ErrorCurve curve{method, method + ", dopri5"};
  double tolerance = 1e-4;
  for (const double error : errors) {
    curve.points.push_back({.tolerance = tolerance, .error = error});
    tolerance /= 100;
  }
  return curve;
}
std::vector<StalledCurve> Stalled(const std::vector<ErrorCurve>& curves) {
  return StalledCurves(curves, kBodies, kKnownError);
}

TEST(StalledCurves, AMethodIsBlamedIfAnotherIsMoreAccurate) {
  const auto stalled =
      Stalled({Curve("a:x", {1e-4, 1e-6, 1.1e-6, 1e-6}), Curve("b", {1e-4, 1e-6, 1e-8, 1e-10})});
  ASSERT_EQ(1u, stalled.size());
  EXPECT_EQ("a:x", stalled[0].method);
  const std::string sentence = stalled[0].Sentence("p");
  EXPECT_THAT(sentence, HasSubstr("p: the error of a:x, dopri5 no longer falls from tol 1e-6 to "
                                  "tol 1e-10. It stays at 1e-6, where round-off, the reference and "
                                  "the tolerance explain 1e-10."));
  EXPECT_THAT(sentence, HasSubstr("The method solves another problem"));
  EXPECT_THAT(sentence, Not(HasSubstr("the reference is wrong")));
}

TEST(StalledCurves, TheReferenceIsSuspectedIfNoCellIsMoreAccurate) {
  const auto stalled = Stalled({Curve("a", {1e-4, 1e-6, 1.1e-6, 1e-6}),
                                Curve("b", {1e-5, 1.02e-6, 1e-6, 1e-6}), Curve("c", {1e-2, 1e-3})});
  ASSERT_EQ(2u, stalled.size()) << "the last one has not come so far";
  for (const StalledCurve& one : stalled)
    EXPECT_THAT(one.Sentence("p"), HasSubstr("or the reference is wrong"));
}

TEST(StalledCurves, DifferentErrorLevelsBlameOnlyTheWorseMethod) {
  const auto stalled =
      Stalled({Curve("a", {1e-4, 1e-5, 1e-5, 1e-5}), Curve("b", {1e-4, 1e-6, 1e-7, 1e-7})});
  ASSERT_EQ(2u, stalled.size());
  EXPECT_TRUE(stalled[0].is_undercut);
  EXPECT_FALSE(stalled[1].is_undercut);
}

TEST(StalledCurves, StepsMustSpanAFactorOfFour) {
  ErrorCurve curve{"a", "a, rk4"};
  for (const double step : {0.2, 0.1, 0.05})
    curve.points.push_back({.step = step, .error = step > 0.15 ? 1e-3 : 1e-5});
  EXPECT_TRUE(Stalled({curve}).empty());
  curve.points.push_back({.step = 0.025, .error = 1e-5});
  ASSERT_EQ(1u, Stalled({curve}).size());
  EXPECT_EQ("h 0.025 s", Stalled({curve})[0].to);
}

TEST(StalledCurves, ErrorsExplainedByRoundOffAreNotFlagged) {
  EXPECT_TRUE(Stalled({Curve("a", {1e-4, 1e-12, 1e-12, 1e-12})}).empty()) << "10 times the floor";
  ErrorCurve lost = Curve("a", {1e-4, 1e-8, 1e-8, 1e-8});
  lost.points.back().digits_left = 7;
  EXPECT_TRUE(Stalled({lost}).empty()) << "its condition costs these digits";
  EXPECT_TRUE(StalledCurves({Curve("a", {1e-4, 1e-8, 1e-8})}, kBodies, 1e-8).empty())
      << "the reference is no better";
  EXPECT_TRUE(Stalled({Curve("a", {1e-5, 1e-7, 8e-10, 7e-10})}).empty()) << "7 times the tolerance";
  EXPECT_TRUE(Stalled({Curve("a", {0.5, 0.5, 0.5})}).empty()) << "it is off by its own length";
}

}  // namespace
}  // namespace mbsbench
