// Part B of the catalogue starts in the states of its libraries: printed energies, momenta and rates.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/validation.h"

namespace mbsbench {
namespace {

SystemState StartOf(const Problem& p) { return Assemble(p.system, p.initial, p.length).state; }

double Observed(const Problem& p, const std::string& name, const std::vector<BodyState>& bodies) {
  for (const Observable& o : p.observables) {
    if (o.name == name) return Evaluate(o, bodies);
  }
  ADD_FAILURE() << "no observable '" << name << "'";
  return NAN;
}

TEST(CommunityProblems, NfourbarStandsUprightAndB0MovesAlongX) {
  const Problem p = MakeProblem("nfourbar:windows=10");
  const auto bodies = StartOf(p).bodies;
  EXPECT_NEAR(Observed(p, "B0_x", bodies), 0, 1e-15);
  EXPECT_NEAR(Observed(p, "B0_y", bodies), 1, 1e-15);
  EXPECT_NEAR(Observed(p, "B0_vx", bodies), 1, 1e-15);
  EXPECT_NEAR(Observed(p, "B0_vy", bodies), 0, 1e-15);
  const double upright = 9.81 * (11. / 2 + 10), moving = (11. / 3 + 10) / 2;
  EXPECT_NEAR(EnergyOf(p.system, bodies).total(), upright + moving, 1e-12);
  EXPECT_NEAR(p.energy_reference, upright + moving, 1e-12);
  EXPECT_EQ(p.branch.size(), 10u);
  for (const BranchCondition& c : p.branch)
    EXPECT_NEAR(Evaluate(c.observable, bodies), c.value, 1e-14);
}

// E0 = 1.4357963991617 J is the IFToMM library's; the points of its drawing at q(0).
TEST(CommunityProblems, AndrewsHoldsThePrintedEnergyAndAngles) {
  const Problem p = MakeProblem("andrews");
  const auto bodies = StartOf(p).bodies;
  EXPECT_NEAR(EnergyOf(p.system, bodies).total(), 1.4357963991617, 1e-12);
  EXPECT_NEAR(Observed(p, "Theta", bodies), 0, 1e-14);
  EXPECT_NEAR(Observed(p, "Phi", bodies), 0.222668390165885884674473185609, 1e-14);
  EXPECT_NEAR(Observed(p, "Omega", bodies), -0.222668390165885884674473185609, 1e-14);
  EXPECT_NEAR(Observed(p, "epsilon", bodies), 1.23054744454982119249735015568, 1e-14);
}

TEST(CommunityProblems, BricardStandsOnTheEdgesOfACube) {
  const Problem p = MakeProblem("bricard");
  const auto bodies = StartOf(p).bodies;
  EXPECT_LT(Norm(bodies[2].position - Vector3{1, -1, 0.5}), 1e-15);
  EXPECT_LT(Norm(bodies[4].position - Vector3{0, -0.5, 1}), 1e-15);
  EXPECT_NEAR(Observed(p, "P3_x", bodies), 1, 1e-15);
  EXPECT_NEAR(Observed(p, "P3_y", bodies), -1, 1e-15);
}

TEST(CommunityProblems, FlyballHasThePrintedAngularMomentumAndSpringsAtRest) {
  const Problem p = MakeProblem("flyball");
  const auto bodies = StartOf(p).bodies;
  EXPECT_NEAR(MomentumOf(p.system, bodies).angular.z, 53.8689986584, 1e-10);
  EXPECT_NEAR(Observed(p, "alpha", bodies), M_PI / 6, 1e-15);
  EXPECT_NEAR(Observed(p, "s", bodies), 0.5, 1e-15);
  System weightless = p.system;
  weightless.gravity = {};
  EXPECT_NEAR(EnergyOf(weightless, bodies).potential, 0, 1e-20);
}

TEST(CommunityProblems, Slidercrank3dHasThePrintedEnergyAndRates) {
  const Problem p = MakeProblem("slidercrank3d");
  const auto bodies = StartOf(p).bodies;
  EXPECT_NEAR(EnergyOf(p.system, bodies).total(), 0.76643568, 5e-9);
  EXPECT_LT(Norm(bodies[1].velocity - Vector3{0.12, -0.24, 0}), 1e-14);
  EXPECT_LT(Norm(bodies[1].angular_velocity - Vector3{1.92, -0.96, 0.48}), 1e-14);
  EXPECT_NEAR(Observed(p, "slider_v", bodies), 0.24, 1e-14);
}

TEST(Observables, AnglesOfOneBodyRelativeToAnotherAndAboveThePlane) {
  std::vector<BodyState> bodies(2);
  bodies[0].orientation = AxisAngle({0, 0, 1}, 3);
  bodies[0].angular_velocity = {0, 0, 5};
  bodies[1].orientation = AxisAngle({0, 0, 1}, -2.5);
  bodies[1].angular_velocity = {0, 0, 2};
  EXPECT_NEAR(Evaluate({"a", Observable::Kind::kPlaneAngle, 0, 0, {}, 1}, bodies), 5.5 - 2 * M_PI,
              1e-14);
  EXPECT_NEAR(Evaluate({"b", Observable::Kind::kPlaneRate, 0, 0, {}, 1}, bodies), 3, 1e-14);
  const Quaternion tilt =
      AxisAngle({0.6, 0, 0.8}, 1.3);  // a hinge along z of a tilted, turning body
  bodies[1] = {{}, tilt, {}, {1, -2, 3}};
  bodies[0] = {{},
               tilt * AxisAngle({0, 0, 1}, -2.9),
               {},
               Rotate(tilt, {0, 0, -7}) + bodies[1].angular_velocity};
  EXPECT_NEAR(Evaluate({"a", Observable::Kind::kPlaneAngle, 0, 0, {}, 1}, bodies), -2.9, 1e-14);
  EXPECT_NEAR(Evaluate({"b", Observable::Kind::kPlaneRate, 0, 0, {}, 1}, bodies), -7, 1e-14);
  bodies[0].orientation = AxisAngle({0, 1, 0}, -0.4);  // lifts the x axis
  EXPECT_NEAR(Evaluate({"c", Observable::Kind::kElevation, 0, 0}, bodies), 0.4, 1e-15);
}

std::string Refusal(const Problem& problem) {
  try {
    Validate(problem);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Validation, BranchesAndLibraryMeasuresThatCannotBeEvaluatedAreRefusedByName) {
  const Problem good = MakeProblem("nfourbar:windows=2");
  ASSERT_EQ(Refusal(good), "");
  const auto refused = [&](const std::string& word, auto&& change) {
    Problem p = good;
    change(p);
    EXPECT_NE(Refusal(p).find(word), std::string::npos) << word << ": " << Refusal(p);
  };
  refused("bound that is not positive", [](Problem& p) { p.branch[0].bound = 0; });
  refused("angle of coupler_2", [](Problem& p) { p.branch[1].observable.body = 99; });
  refused("only plane angles", [](Problem& p) { p.observables[0].relative_to = 1; });
  refused("does not exist", [](Problem& p) { p.library_measures[0].observables = {7}; });
  refused("one value per observable", [](Problem& p) {
    p.library_measures[0].formula = LibraryMeasure::Formula::kSignificantDigits;
  });
  refused("needs observables", [](Problem& p) { p.library_measures[0].observables.clear(); });
}

}  // namespace
}  // namespace mbsbench
