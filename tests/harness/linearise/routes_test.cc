// Eigenvalues of small motions by three routes, compared with closed forms and printed values.
#include "harness/linearise/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/catalog/rods.h"
#include "problems/model/error.h"
#include "problems/test_systems/random_trees.h"
#include "problems/test_systems/redundant_mechanisms.h"

namespace mbsbench {
namespace {

using Complex = std::complex<double>;
constexpr double kG = 9.81;

std::vector<RouteResult> AllRoutes(const Problem& problem, std::optional<double> speed = {}) {
  return EigenvaluesBy({Route::kReduced, Route::kNullSpace, Route::kPencil},
                       FindSteadyMotion(problem, speed));
}

// By each route the eigenvalues `expected`, with their conjugates, up to `error`; `zero` of 0; as many infinite as predicted.
void ExpectSpectrum(const std::vector<RouteResult>& results, const std::vector<Complex>& expected,
                    int zero, int unstable, double error) {
  EXPECT_LT(LargestDifference(results), kRoutesAgree);
  EXPECT_TRUE(AreComplete(results));
  for (const RouteResult& r : results) {
    SCOPED_TRACE(Name(r.route));
    std::vector<Complex> left;
    for (const Eigenvalue& one : r.spectrum.eigenvalues) left.push_back(one.value);
    for (Complex s : expected) {
      for (Complex with : {s, std::conj(s)}) {
        if (with == s || s.imag() != 0) {
          const auto found =
              std::ranges::find_if(left, [&](Complex one) { return std::abs(one - with) < error; });
          if (found == left.end()) {
            ADD_FAILURE() << with << " is not among " << testing::PrintToString(left);
          } else {
            left.erase(found);
          }
        }
        if (s.imag() == 0) break;
      }
    }
    EXPECT_THAT(left, testing::IsEmpty());
    EXPECT_EQ(zero, r.spectrum.zero);
    EXPECT_EQ(unstable, r.spectrum.unstable);
  }
}
std::vector<Complex> Oscillations(std::initializer_list<double> frequencies) {
  std::vector<Complex> s;
  for (double w : frequencies) s.emplace_back(0, w);
  return s;
}

// Of point masses of 1 kg under massless links of length l, along gravity; hanging for l > 0, standing for l < 0.
Problem Links(int n, double l) {
  Problem p;
  p.name = "links";
  p.length = std::abs(l);
  for (int i = 0; i < n; ++i) {
    Body point;
    point.name = std::to_string(i + 1);
    point.mass = 1;
    point.is_point = true;
    p.system.bodies.push_back(point);
    p.system.joints.push_back(Revolute("hinge_" + point.name, i - 1, {}, i, {{0, l, 0}, {}}));
  }
  const auto size = static_cast<std::size_t>(n);
  p.initial.joints = {std::vector<double>(size), std::vector<double>(size)};
  return p;
}

// The top of `heavytop`, its axis at an angle from the vertical, with a rate about its axis and one across it.
Problem Top(double angle, double along, double across) {
  Problem p = MakeProblem("heavytop");
  const double half = M_PI / 4 + angle / 2;
  p.initial.joints = {{std::cos(half), std::sin(half), 0, 0}, {0, along, across}};
  if (angle == 0) p.initial.joints.q = {M_SQRT1_2, M_SQRT1_2, 0, 0};
  return p;
}

Problem Gimbal(double spin) {
  Problem p;
  p.name = "gimbal";
  p.system.gravity = {0, 0, 0};
  for (const auto& [name, inertia] : {std::pair{"outer", Diagonal(0.012, 0.012, 0.02)},
                                      std::pair{"inner", Diagonal(0.008, 0.012, 0.009)},
                                      std::pair{"rotor", Diagonal(0.004, 0.006, 0.004)}}) {
    Body body;
    body.name = name, body.mass = 1, body.inertia = inertia;
    p.system.bodies.push_back(body);
  }
  const Frame x{{}, kZAlongX}, y{{}, kZAlongY};
  p.system.joints = {Revolute("azimuth", kGround, {}, 0, {}), Revolute("tilt", 0, x, 1, x),
                     Revolute("spin", 1, y, 2, y)};
  p.initial.joints = {{0, 0.4, 0}, {0, 0, spin}};
  return p;
}

TEST(StabilityRoutes, OfAStandingPendulumFindItsGrowthAndOfAHangingOneItsFrequency) {
  const double w = std::sqrt(kG / 0.5);
  ExpectSpectrum(AllRoutes(Links(1, 0.5)), Oscillations({w}), 0, 0, 1e-13);
  ExpectSpectrum(AllRoutes(Links(1, -0.5)), {w, -w}, 0, 1, 1e-13);
}

TEST(StabilityRoutes, OfADampedPendulumFindTheRootsOfItsQuadraticEquation) {
  Problem p = Links(1, 1);
  JointSpringDamper damper;
  damper.name = "damper", damper.joint = 0, damper.damping = 0.7;
  p.system.forces.Of<JointSpringDamper>() = {damper};
  ExpectSpectrum(AllRoutes(p), {{-0.35, std::sqrt(kG - 0.35 * 0.35)}}, 0, 0, 1e-13);
  p.system.forces.Of<JointSpringDamper>()[0].damping = 10;
  const double root = std::sqrt(25 - kG);
  ExpectSpectrum(AllRoutes(p), {-5 + root, -5 - root}, 0, 0, 1e-13);
}

// Zeros of Laguerre's polynomials.
TEST(StabilityRoutes, OfHangingChainsFindTheZerosOfLaguerrePolynomials) {
  ExpectSpectrum(AllRoutes(Links(2, 1)), Oscillations({2.3971993978640862, 5.7873512980360940}), 0,
                 0, 1e-13);
  struct Printed {
    int n;
    double first, second, third, largest;
  };
  for (const Printed& p :
       {Printed{10, 1.1626495370498501, 2.6750605844776867, 4.2118694027797800, 17.132484866195180},
        Printed{100, 0.37567020380257330, 0.86234183126480267, 1.3519398437730157,
                60.651415044538752}}) {
    const std::vector<RouteResult> results = AllRoutes(Links(p.n, 1));
    EXPECT_LT(LargestDifference(results), kRoutesAgree);
    EXPECT_TRUE(AreComplete(results));
    for (const RouteResult& r : results) {
      const std::vector<Eigenvalue>& s = r.spectrum.eigenvalues;
      ASSERT_EQ(static_cast<std::size_t>(2 * p.n), s.size());
      const double error = 1e-11 * p.largest;
      EXPECT_NEAR(p.first, std::abs(s[0].value), error);
      EXPECT_NEAR(p.second, std::abs(s[2].value), error);
      EXPECT_NEAR(p.third, std::abs(s[4].value), error);
      EXPECT_NEAR(p.largest, std::abs(s.back().value), error);
      EXPECT_EQ(0, r.spectrum.unstable);
      EXPECT_EQ(0, r.spectrum.zero);
    }
  }
}

// From the potentials that include the turn: of the governor in the angle of its arms, V'' / (2 m a^2 + 2 J + m s'^2), of the swing in
// theta and d, with the Coriolis forces; in 40 digits. Seven and ten of them are printed with the problems.
TEST(StabilityRoutes, OfDrivenMechanismsFindTheFrequenciesOfTheirPotentials) {
  ExpectSpectrum(AllRoutes(MakeProblem("governor")), Oscillations({6.551996396407655}), 0, 0,
                 1e-10);
  ExpectSpectrum(AllRoutes(MakeProblem("swing")),
                 Oscillations({24.98236313530387, 226.32056553962857}), 0, 0, 1e-9);
}

TEST(StabilityRoutes, AtAGivenSpeedAreThoseOfTheProblemWithThatSpeed) {
  const RouteResult given = AllRoutes(MakeProblem("swing"), 40).front(),
                    own = AllRoutes(MakeProblem("swing:speed=40")).front();
  EXPECT_LT(Difference(given.spectrum, own.spectrum), 1e-14);
  EXPECT_GT(Difference(given.spectrum, AllRoutes(MakeProblem("swing")).front().spectrum), 1e-3);
}

// Tilts as one complex number in axes that do not spin: A s^2 - i C n s - m g h = 0.
TEST(StabilityRoutes, OfASleepingTopFindTheRootsOfItsComplexQuadraticEquation) {
  ExpectSpectrum(AllRoutes(Top(0, 150, 0)),
                 {{2.081738008514682, 2.307692307692308}, {-2.081738008514682, 2.307692307692308}},
                 2, 2, 1e-12);
  ExpectSpectrum(AllRoutes(Top(0, 250, 0)), Oscillations({6.111947853826896, 1.580359838480796}), 2,
                 0, 1e-12);
  ExpectSpectrum(AllRoutes(Top(0, 400, 0)), Oscillations({11.46522502963069, 0.8424672780616201}),
                 2, 0, 1e-12);
  // At the root of (C n)^2 = 4 A m g h it becomes stable.
  constexpr double kStableFrom = 202.01386091058207;
  for (const RouteResult& r : AllRoutes(Top(0, kStableFrom * (1 - 1e-6), 0)))
    EXPECT_EQ(2, r.spectrum.unstable) << Name(r.route);
  for (const RouteResult& r : AllRoutes(Top(0, kStableFrom * (1 + 1e-6), 0)))
    EXPECT_EQ(0, r.spectrum.unstable) << Name(r.route);
}

// Steady precession at W, inclined by x: A W^2 cos x - C n W + m g h = 0, with n the rate about the axis. The inclination
// oscillates in V = (p - q cos x)^2 / (2 A sin^2 x) + m g h cos x, with the constant momenta p, q.
TEST(StabilityRoutes, OfAPrecessingTopFindTheFrequencyOfItsInclination) {
  constexpr double A = 15.234375, C = 0.46875, mgh = 15 * kG, W = 5, x = 0.3;
  const double n = (A * W * W * std::cos(x) + mgh) / (C * W);
  const double q = C * n, p = A * W * std::sin(x) * std::sin(x) + q * std::cos(x);
  const auto potential = [&](long double at) {
    const long double part = (p - q * std::cos(at)) / std::sin(at);
    return part * part / (2 * A) + mgh * std::cos(at);
  };
  constexpr long double h = 1e-4L;
  const auto second =
      static_cast<double>((potential(x + h) - 2 * potential(x) + potential(x - h)) / (h * h));
  const Problem top = Top(x, n, -W * std::sin(x));
  EXPECT_NEAR(W, static_cast<double>(extended::Norm(FindSteadyMotion(top).turn)), 1e-9);
  ExpectSpectrum(AllRoutes(top), Oscillations({std::sqrt(second / A)}), 4, 0, 1e-5);
}

TEST(StabilityRoutes, OfARotorInGimbalsFindTheNutationAndAZeroPairPerCyclicAngle) {
  ExpectSpectrum(AllRoutes(Gimbal(200)), Oscillations({55.670126976136517}), 4, 0, 1e-11);
  ExpectSpectrum(AllRoutes(Gimbal(5000)), Oscillations({1391.7531744034129}), 4, 0, 1e-9);
}

// Three cranks under one coupler, hanging: two of their three loops state the same rows of the plane and others twice.
TEST(StabilityRoutes, OfAHangingParallelogramWithRedundantRowsFindItsPendulum) {
  const std::vector<RedundantMechanism> all = RedundantMechanisms();
  const auto cranks = std::ranges::find(all, "parallelogram3", &RedundantMechanism::name);
  ASSERT_NE(all.end(), cranks);
  Problem p;
  p.name = cranks->name;
  p.system = cranks->system;
  p.initial.joints = cranks->state.joints;
  for (std::size_t j = 0; j < p.system.joints.size(); ++j) {
    p.initial.joints.q[j] = (p.system.joints[j].parent == kGround ? -5 : 5) * M_PI /
                            6;  // the cranks stand at 60 degrees
    if (j > 0) p.initial.dependent_joints.push_back(static_cast<int>(j));
  }
  double inertia = 0, weight = 0;  // cranks of length 1
  for (std::size_t b = 0; b < p.system.bodies.size(); ++b) {
    const Body& body = p.system.bodies[b];
    const double arm = b < 3 ? 0.5 : 1;
    inertia += (b < 3 ? body.inertia(2, 2) : 0) + body.mass * arm * arm;
    weight += body.mass * arm * kG;
  }
  ExpectSpectrum(AllRoutes(p), Oscillations({std::sqrt(weight / inertia)}), 0, 0, 1e-12);
}

// Of a linkage of one freedom: its potential and kinetic energy over the crank's angle, by the intersection of two circles.
TEST(StabilityRoutes, OfAFourbarAtRestFindTheFrequencyOfItsEnergy) {
  Problem p = MakeProblem("fourbar");
  std::ranges::fill(p.initial.joints.u, 0);
  const SteadyMotion steady = FindSteadyMotion(p);
  const auto energy =
      [&](double step) {  // kinetic energy at the crank rate 1, and potential, near the equilibrium
        std::vector<extended::Real> y = steady.y;
        steady.joints->Displace({step}, {1}, y);
        const extended::Motion motion = steady.joints->MotionAt(y);
        double kinetic = 0, potential = 0;
        for (std::size_t b = 0; b < motion.size(); ++b) {
          const Body& body = p.system.bodies[b];
          const BodyState s = extended::Round(motion[b]);
          kinetic += body.mass * Dot(s.velocity, s.velocity) / 2 +
                     body.inertia(2, 2) * s.angular_velocity.z * s.angular_velocity.z / 2;
          potential -= body.mass * Dot(p.system.gravity, s.position);
        }
        return std::pair{kinetic, potential};
      };
  ASSERT_EQ(1u, steady.joints->independent_rates().size());
  constexpr double h = 1e-4;
  const double second = (energy(h).second - 2 * energy(0).second + energy(-h).second) / (h * h);
  const double square = second / (2 * energy(0).first);
  const Complex s = std::sqrt(Complex(-square));
  ExpectSpectrum(AllRoutes(p), square > 0 ? std::vector{s} : std::vector{s, -s}, 0,
                 square > 0 ? 0 : 1, 1e-5);
}

TEST(StabilityRoutes, OfDampedDrivenMechanismsAgreeAndDecay) {
  for (const char* name :
       {"governor:damped", "swing:damped", "governor-rods", "spunchainN:bodies=10"}) {
    SCOPED_TRACE(name);
    const std::vector<RouteResult> results = AllRoutes(MakeProblem(name));
    EXPECT_LT(LargestDifference(results), kRoutesAgree);
    EXPECT_TRUE(AreComplete(results));
    EXPECT_EQ(0, results.front().spectrum.unstable);
  }
}

// Trees of turning joints with springs and dampers, at the equilibria that Newton's method finds from rest.
TEST(StabilityRoutes, OfRandomTreesAgreeAtTheirEquilibria) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    RandomTreeOptions options;
    options.bodies = 4;
    options.types = {JointType::kRevolute, JointType::kBall, JointType::kUniversal};
    RandomTree tree = MakeRandomTree(seed, options);
    Problem p;
    p.name = "random";
    p.system = tree.system;
    p.initial.joints = tree.state.joints;
    std::ranges::fill(p.initial.joints.u, 0);
    try {
      const std::vector<RouteResult> results = AllRoutes(p);
      ++found;
      EXPECT_LT(LargestDifference(results), kRoutesAgree) << seed;
      EXPECT_TRUE(AreComplete(results)) << seed;
    } catch (const ModelError&) {  // none is found
    }
  }
  EXPECT_GE(found, 5);
}

std::string Refusal(const Problem& problem, std::optional<double> speed = {}) {
  try {
    FindSteadyMotion(problem, speed);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

TEST(StabilityRoutes, RefuseMotionsThatAreNotSteady) {
  using testing::HasSubstr;
  Problem moving = Links(2, 1);
  moving.initial.joints.u[0] = 1;
  EXPECT_THAT(Refusal(moving), HasSubstr("not a steady motion: the acceleration of body '"));
  Problem unsymmetric = Top(0, 250, 0);
  unsymmetric.system.bodies[0].inertia = Diagonal(0.234375, 0.46875, 0.25);
  EXPECT_THAT(Refusal(unsymmetric), HasSubstr("has to be symmetric about its axis"));
  EXPECT_THAT(Refusal(MakeProblem("heavytop")), HasSubstr("not a steady motion"));
  EXPECT_THAT(Refusal(MakeProblem("kapitza")), HasSubstr("needs constant rates"));
  EXPECT_THAT(Refusal(Links(1, 1), 3), HasSubstr("nothing is driven in 'links'"));
}

}  // namespace
}  // namespace mbsbench
