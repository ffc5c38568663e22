// Motions of drivers: their values against differences and against formulas, their validation.
#include "problems/model/driver_motion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/validation.h"
#include "tests/support/driver_motions.h"

namespace mbsbench {
namespace {

// Central differences of step 1e-4: their error is 1e-8 of the second derivative's second derivative.
TEST(DriverMotions, DerivativesAgreeWithDifferencesOfValues) {
  constexpr double kStep = 1e-4;
  for (const auto& [name, motion] : OneOfEachMotion()) {
    double largest = 0;
    for (double t : {0.0, 0.05, 0.15, 0.33, 0.5, 0.77, 0.88, 0.95, 1.3}) {
      const auto before = MotionAt(motion, t - kStep), here = MotionAt(motion, t),
                 after = MotionAt(motion, t + kStep);
      EXPECT_NEAR((after.position - before.position) / (2 * kStep), here.rate,
                  1e-6 * (1 + std::abs(here.rate)))
          << name << " at " << t;
      EXPECT_NEAR((after.rate - before.rate) / (2 * kStep), here.acceleration,
                  2e-6 * (1 + std::abs(here.acceleration)))
          << name << " at " << t;
      largest = std::max(largest, std::abs(here.acceleration));
    }
    EXPECT_EQ(name == "constant rate", largest == 0) << name;
  }
}

// The car axis states the formulas for the harmonic f = r sin w t, with the bar's end at height f.
TEST(DriverMotions, ArcsineOfAHarmonicIsTheAngleOfABarWithALiftedEnd) {
  constexpr double kR = 0.1, kW = 10;
  const DriverMotion angle = Arcsine(Harmonic(kR, kW));
  for (double t : {0.0, 0.07, 0.1, 0.31, 2.9}) {
    const double y = kR * std::sin(kW * t), x = std::sqrt(1 - y * y);
    const double y_rate = kR * kW * std::cos(kW * t), y_second = -kW * kW * y;
    const auto q = MotionAt(angle, t);
    EXPECT_NEAR(q.position, std::atan2(y, x), 1e-15);
    EXPECT_NEAR(q.rate, y_rate / x, 1e-14);
    EXPECT_NEAR(q.acceleration, y_second / x + y * y_rate * y_rate / (x * x * x), 1e-13);
  }
}

TEST(DriverMotions, SumOfTwoHarmonicsIsTheHarmonicOfTheAddedPhasors) {
  const double a = 0.3, b = 0.5, phase_a = 0.4, phase_b = -1.1, w = 3;
  const double x = a * std::cos(phase_a) + b * std::cos(phase_b);
  const double y = a * std::sin(phase_a) + b * std::sin(phase_b);
  const DriverMotion one = Harmonic(std::hypot(x, y), w, std::atan2(y, x));
  const DriverMotion two = Sum({Harmonic(a, w, phase_a), Harmonic(b, w, phase_b)});
  for (double t : {0.0, 0.3, 1.7, 12.5}) {
    const auto p = MotionAt(one, t), q = MotionAt(two, t);
    EXPECT_NEAR(p.position, q.position, 1e-14);
    EXPECT_NEAR(p.rate, q.rate, 1e-14);
    EXPECT_NEAR(p.acceleration, q.acceleration, 1e-13);
  }
}

// The jump at the ends: of the third derivative, 60 (to - from) / D^3, or of the fourth.
TEST(DriverMotions, RampsAreConstantOutsideAndHaveTheStatedSmoothnessAtTheirEnds) {
  constexpr double kFrom = 0.25, kTo = 1.5, kBegin = 0.5, kDuration = 0.25, kStep = 1e-6;
  for (double smoothness : {2.0, 3.0}) {
    const DriverMotion ramp = Ramp(kFrom, kTo, kBegin, kDuration, smoothness);
    for (double t : {0.0, 0.5}) {
      EXPECT_EQ(MotionAt(ramp, t).position, kFrom);
      EXPECT_EQ(MotionAt(ramp, t).rate, 0);
      EXPECT_EQ(MotionAt(ramp, t).acceleration, 0);
    }
    EXPECT_EQ(MotionAt(ramp, 0.75).position, kTo);
    EXPECT_EQ(MotionAt(ramp, 3).position, kTo);
    EXPECT_NEAR(MotionAt(ramp, kBegin + kDuration / 2).position, (kFrom + kTo) / 2, 1e-15);
    const double jump = 60 * (kTo - kFrom) / std::pow(kDuration, 3);
    for (double end : {kBegin, kBegin + kDuration}) {
      const double inwards = end == kBegin ? kStep : -kStep;
      const double third = MotionAt(ramp, end + inwards).acceleration / inwards;
      EXPECT_NEAR(third / jump, smoothness == 2 ? 1 : 0, 1e-4);
    }
  }
  EXPECT_THAT(BreakPoints(Sum({{1.0}, Arcsine(Ramp(0, 0.5, 1, 2))})), testing::ElementsAre(1, 3));
}

// --- validation

std::string SentenceOf(const std::function<void(Problem&)>& spoil) {
  Problem problem = MakeProblem("kapitza");
  spoil(problem);
  try {
    Validate(problem);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

struct BadMotion {
  const char* name;
  DriverMotion motion;
  const char* sentence;
};

class RefusedMotion : public testing::TestWithParam<BadMotion> {};

TEST_P(RefusedMotion, IsReportedWithTheNameOfTheDriver) {
  EXPECT_THAT(SentenceOf([](Problem& p) { p.system.drivers[0].motion = GetParam().motion; }),
              testing::HasSubstr(std::string("driver 'shaker' ") + GetParam().sentence));
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
INSTANTIATE_TEST_SUITE_P(
    All, RefusedMotion,
    testing::Values(
        BadMotion{"Rate", {kInfinite}, "has a motion with a number that is not finite"},
        BadMotion{"Harmonic", Harmonic(kInfinite, 1), "has a motion with a number that is not"},
        BadMotion{"NoCoefficients", Polynomial({}), "has a polynomial motion with 0 coefficients"},
        BadMotion{"Coefficients", Polynomial(std::vector<double>(14, 0.)),
                  "has a polynomial motion with 14 coefficients: 1 to 13 finite ones"},
        BadMotion{"Duration", Ramp(0, 1, 0, 0), "has a ramp motion of 0 s: a duration > 0"},
        BadMotion{"Smoothness", Ramp(0, 1, 0, 1, 4),
                  "has a ramp motion of smoothness 4: 2 or 3 is needed"},
        BadMotion{"ArcsineOfARate", Arcsine({0.1}), "has an arcsine motion of a constant rate"},
        BadMotion{"ArcsineBeyondOne", Arcsine(Harmonic(1.1, 100)),
                  "has no finite motion at 0.015 s: the argument of an arcsine"},
        BadMotion{"EmptySum", Sum({}), "has a sum of no motions"},
        BadMotion{"Deep", Sum({Sum({Sum({Sum({Sum({Sum({Sum({{1.}})})})})})})}),
                  "has motions nested more than 6 deep"}),
    [](const auto& i) { return i.param.name; });

TEST(Validation, RefusesAnInitialStateThatContradictsTheMotion) {
  EXPECT_EQ(SentenceOf([](Problem&) {}), "accepted");
  EXPECT_EQ(SentenceOf([](Problem& p) { p.initial.joints.q[0] = 1e-13; }), "accepted");
  EXPECT_THAT(SentenceOf([](Problem& p) { p.initial.joints.q[0] = 0.1; }),
              testing::HasSubstr("driver 'shaker' starts at 0, but the initial state puts joint "
                                 "'rail' at 0.1: the two must be equal"));
  EXPECT_THAT(SentenceOf([](Problem& p) { p.initial.joints.u[0] = 0; }),
              testing::HasSubstr("driver 'shaker' runs at 5, but joint 'rail' starts at a rate of "
                                 "0: the two must be equal"));
  // A constant rate starts at the coordinate of the state, also in a sum.
  const auto anywhere = [](Problem& p) {
    p.system.drivers[0].motion = Sum({{5.0}, Harmonic(0.1, 1)});
    p.initial.joints.q[0] = 0.7;
    p.initial.joints.u[0] = 5.1;
  };
  EXPECT_EQ(SentenceOf(anywhere), "accepted");
}

}  // namespace
}  // namespace mbsbench
