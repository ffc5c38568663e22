// Identities of the basic points and vectors: they need no other method.
#include "methods/natural_coordinates/natural_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench::natural {
namespace {

struct PointsAndRates {
  Column<double> q, rates;
};
PointsAndRates PointsOf(const NaturalModel& model, const std::vector<BodyState>& bodies) {
  const auto size = static_cast<Eigen::Index>(3 * model.unknowns().size());
  PointsAndRates points{Column<double>::Zero(size), Column<double>::Zero(size)};
  for (std::size_t k = 0; k < model.unknowns().size(); ++k) {
    const Unknown& unknown = model.unknowns()[k];
    const BodyState& body = bodies[static_cast<std::size_t>(unknown.body)];
    const Vector3 arm = Rotate(body.orientation, FromEigen(unknown.place.tail<3>()));
    const double is_point = unknown.place[0];
    const auto at = static_cast<Eigen::Index>(3 * k);
    points.q.segment<3>(at) = ToEigen(is_point * body.position + arm);
    points.rates.segment<3>(at) =
        ToEigen(is_point * body.velocity + Cross(body.angular_velocity, arm));
  }
  return points;
}

RandomTree TreeOf(JointType type, std::uint64_t seed) {
  RandomTreeOptions options{.bodies = 6, .types = {type}, .force_elements = false};
  if (type == JointType::kFixed) options.types = AllTreeJointTypes();
  return MakeRandomTree(seed, options);
}

TEST(NaturalModel, KineticEnergyIsThatOfTheBodiesWhateverTheirBases) {
  double worst = 0;
  for (const JointType type : AllTreeJointTypes()) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const RandomTree tree = TreeOf(type, seed);
      const NaturalModel model(tree.system);
      const auto [q, rates] = PointsOf(model, tree.state.bodies);
      const double energy = 0.5 * rates.dot(model.TimesMass<double>(rates));
      const double exact = EnergyOf(tree.system, tree.state.bodies).kinetic;
      if (exact > 0) Raise(worst, std::abs(energy / exact - 1));
    }
  }
  std::printf("  kinetic energy to %.1e\n", worst);
  EXPECT_LT(worst, 1e-13);  // bases with pivots of 0.05 lose digits
}

TEST(NaturalModel, BodiesFollowFromTheirColumnsThatNeighboursShare) {
  for (const JointType type : AllTreeJointTypes()) {
    const RandomTree tree = TreeOf(type, 7);
    const NaturalModel model(tree.system);
    const auto [q, rates] = PointsOf(model, tree.state.bodies);
    for (std::size_t b = 0; b < model.bodies(); ++b) {
      const BodyState& body = tree.state.bodies[b];
      const Eigen::Matrix<double, 3, 4> frame = model.FrameOf(b, q, true),
                                        rate = model.FrameOf(b, rates, false);
      EXPECT_LT((frame.col(0) - ToEigen(body.position)).norm(), 1e-13) << Name(type);
      EXPECT_LT((rate.col(0) - ToEigen(body.velocity)).norm(), 1e-12) << Name(type);
      for (int k = 0; k < 3; ++k) {
        const Eigen::Vector3d axis = ToEigen(
            Rotate(body.orientation, {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.}));
        EXPECT_LT((frame.col(1 + k) - axis).norm(), 1e-13) << Name(type);
        EXPECT_LT((rate.col(1 + k) - ToEigen(body.angular_velocity).cross(axis)).norm(), 1e-12);
      }
    }
  }
}

TEST(NaturalModel, RowsAndTheirRatesVanishAtConsistentStates) {
  RowValues<double> at;
  for (const JointType type : AllTreeJointTypes()) {
    const RandomTree tree = TreeOf(type, 3);
    const NaturalModel model(tree.system);
    const auto [q, rates] = PointsOf(model, tree.state.bodies);
    for (const NaturalRow& row : model.rows()) {
      row.Evaluate(q, rates, at);
      EXPECT_NEAR(at.value, 0, 1e-13) << Name(type);
      EXPECT_NEAR(row.Along(at, rates) + at.by_time, 0, 1e-12) << Name(type);
    }
  }
}

// Of a quadratic function, first and second differences are exact.
TEST(NaturalModel, DerivativesOfRowsAreTheirDifferences) {
  RandomNumbers random(11);
  for (const char* name : {"fourbar", "bricard", "slidercrank3d", "kapitza"}) {
    const Problem problem = MakeProblem(name);
    const NaturalModel model(problem.system);
    const auto size = static_cast<Eigen::Index>(3 * model.unknowns().size());
    const auto any = [&] {
      return Column<double>(
          Column<double>::NullaryExpr(size, [&] { return random.Between(-1, 1); }));
    };
    const Column<double> q = any(), d = any();
    RowValues<double> here, before, after;
    for (const NaturalRow& row : model.rows()) {
      row.Evaluate(q, d, here);
      row.Evaluate<double>(q - d, d, before);
      row.Evaluate<double>(q + d, d, after);
      EXPECT_NEAR(row.Along(here, d), (after.value - before.value) / 2, 1e-13) << name;
      EXPECT_NEAR(here.bias, after.value + before.value - 2 * here.value, 1e-13) << name;
      double bend = 0;
      for (std::size_t i = 0; i < row.unknowns().size(); ++i)
        for (std::size_t j = 0; j < row.unknowns().size(); ++j)
          bend += row.Bend(i, j) *
                  d.segment<3>(3 * row.unknowns()[i]).dot(d.segment<3>(3 * row.unknowns()[j]));
      EXPECT_NEAR(bend, here.bias, 1e-13) << name;
    }
  }
}

TEST(NaturalModel, DriverRowsHaveTheirDerivativesByTime) {
  const Problem problem = MakeProblem("swing");
  NaturalModel model(problem.system);
  const auto bodies = ForwardKinematics(problem.system, problem.initial.joints);
  const auto [q, rates] = PointsOf(model, bodies);
  constexpr double kRate = 0.7, kAcceleration = -0.4, kSmall = 1e-4;
  const auto at = [&](double t) {
    std::vector<DriverObservation> to(
        problem.system.drivers.size(),
        {0.3 + kRate * t + kAcceleration * t * t / 2, kRate + kAcceleration * t, kAcceleration, 0});
    model.Drive(to);
    RowValues<double> values;
    model.rows().back().Evaluate<double>(q + t * rates, rates, values);
    return values;
  };
  ASSERT_FALSE(problem.system.drivers.empty());
  const auto before = at(-kSmall), after = at(kSmall), here = at(0);
  EXPECT_NEAR(model.rows().back().Along(here, rates) + here.by_time,
              (after.value - before.value) / (2 * kSmall), 1e-6);
  EXPECT_NEAR(here.bias, (after.value + before.value - 2 * here.value) / (kSmall * kSmall), 1e-5);
}

TEST(NaturalModel, SharedColumnsLeaveAsManyFreedomsAsTheJoints) {
  for (const JointType type : AllTreeJointTypes()) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const RandomTree tree = TreeOf(type, seed);
      const NaturalModel model(tree.system);
      EXPECT_EQ(3 * model.unknowns().size() - model.rows().size(), tree.state.joints.u.size())
          << Name(type);
    }
  }
}

// Without sharing a body has twelve coordinates.
TEST(NaturalModel, NeighboursShareTheirPointsAndAxes) {
  const auto per_body = [](const std::string& family) {
    constexpr int kFew = 5, kMany = 9;
    const auto count = [&](int bodies) {
      const NaturalModel model(MakeProblem(family + ":bodies=" + std::to_string(bodies)).system);
      return static_cast<double>(3 * model.unknowns().size());
    };
    return (count(kMany) - count(kFew)) / (kMany - kFew);
  };
  EXPECT_EQ(per_body("chainN"), 6);    // revolute joints: a point and an axis each
  EXPECT_EQ(per_body("chainN3d"), 9);  // ball joints: a point each
  const NaturalModel pendulum(MakeProblem("pendulum").system);  // on a fixed point and axis
  EXPECT_EQ(pendulum.unknowns().size(), 2u);
  EXPECT_EQ(pendulum.rows().size(), 5u);
}

}  // namespace
}  // namespace mbsbench::natural
