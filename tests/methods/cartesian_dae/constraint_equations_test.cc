// The readable constraint rows and their derivatives: compared with differences in 113 bits, and the timed ones with them.
#include "methods/cartesian_dae/constraint_equations.h"

#include <gtest/gtest.h>

#include "methods/kinematics/absolute_constraints.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "tests/methods/cartesian_dae/random_system.h"
#include "tests/support/quad.h"
#include "tests/support/worst.h"

namespace mbsbench::cartesian {
namespace {

using absolute::BodyMotion;
using Equations = ConstraintEquations<Quad>;
using Lambda = Eigen::Matrix<Quad, 6, 1>;

constexpr JointType kTypes[] = {JointType::kBall,   JointType::kUniversal, JointType::kRevolute,
                                JointType::kFixed,  JointType::kPrismatic, JointType::kCylindrical,
                                JointType::kPlanar, JointType::kDistance};

BodyMotion RandomMotion(RandomSystem& random) {
  BodyMotion body;
  const Quaternion q = random.Rotation();
  body.SetQuaternion({q.w, q.x, q.y, q.z});
  body.position = ToEigen(random.Vector());
  body.velocity = ToEigen(random.Vector());
  body.angular_velocity = ToEigen(random.Vector());
  body.acceleration = ToEigen(random.Vector());
  body.angular_acceleration = ToEigen(random.Vector());
  return body;
}
Equations::Motion Exactly(const BodyMotion& body) {
  return {body.position.cast<Quad>(),
          body.velocity.cast<Quad>(),
          body.angular_velocity.cast<Quad>(),
          body.acceleration.cast<Quad>(),
          body.angular_acceleration.cast<Quad>(),
          body.rotation.cast<Quad>()};
}

// A joint between two moving bodies, with multipliers, and driven if it has one axis and `with_driver`.
struct Case {
  Joint joint;
  BodyMotion parent, child;
  absolute::ConstraintVector lambda;
  std::optional<MovedCoordinate<double>> driven;

  Equations At(const Equations::Motion& p, const Equations::Motion& c) const {
    std::optional<Equations::Coordinate> coordinate;
    if (driven)
      coordinate = Equations::Coordinate{driven->position, driven->rate, driven->acceleration};
    return Equations(joint, coordinate, p, c, lambda.cast<Quad>());
  }
};
Case MakeCase(const Joint& joint, const BodyMotion& parent, const BodyMotion& child,
              bool with_driver, RandomSystem& random) {
  Case of{joint, parent, child, {}, {}};
  for (int i = 0; i < absolute::kMostRows; ++i) of.lambda[i] = random.Uniform(-2, 2);
  if (with_driver)
    of.driven = MovedCoordinate<double>{random.Uniform(-1, 1), random.Uniform(-1, 1),
                                        random.Uniform(-1, 1)};
  return of;
}

// Relative to 1 and to the largest number of its kind.
struct RelativeDifference {
  double worst = 0, largest = 1;
  void Add(Quad a, Quad exact) {
    Raise(worst, std::abs(static_cast<double>(a - exact)));
    Raise(largest, std::abs(static_cast<double>(exact)));
  }
  double relative() const { return worst / largest; }
};

double TimedDifference(const Case& of) {
  absolute::JointConstraints timed(of.joint);
  if (of.driven) {
    timed.AddDriver(of.joint);
    timed.Drive(of.driven->position, of.driven->rate, of.driven->acceleration);
  }
  absolute::ConstraintValues values;
  timed.Evaluate(of.parent, of.child, true, values);
  absolute::ConstraintDerivatives by;
  timed.Differentiate(of.parent, of.child, true, by);
  const absolute::PairMatrix force = timed.DifferentiateForce(of.parent, of.child, of.lambda);
  const Equations::Motion parent = Exactly(of.parent), child = Exactly(of.child);
  const Equations exact = of.At(parent, child);
  EXPECT_EQ(static_cast<int>(exact.rows.size()), timed.size());
  RelativeDifference difference;
  for (int i = 0; i < timed.size(); ++i) {
    const Equations::Row& row = exact.rows[static_cast<std::size_t>(i)];
    difference.Add(values.position[i], row.g[0]);
    difference.Add(values.velocity[i], row.rate[0]);
    difference.Add(values.acceleration[i], row.acceleration[0]);
    for (int k = 0; k < absolute::kPair; ++k) {
      const int x = Equations::kByX + k, V = Equations::kByV + k;
      difference.Add(by.rows(i, k), row.g[x]);
      difference.Add(by.rows(i, k), row.rate[V]);
      difference.Add(by.velocity(i, k), row.rate[x]);
      difference.Add(by.acceleration(i, k), row.acceleration[x]);
      difference.Add(by.by_rates(i, k), row.acceleration[V]);
    }
  }
  for (int i = 0; i < absolute::kPair; ++i) {
    for (int k = 0; k < absolute::kPair; ++k) difference.Add(force(i, k), exact.force_by_x(i, k));
  }
  return difference.relative();
}

// A motion with coordinate k of x, or of V, changed by h.
Equations::Motion Displaced(Equations::Motion body, int k, bool is_rate, Quad h) {
  Equations::Vector step = Equations::Vector::Zero();
  step[k % 3] = h;
  if (is_rate) {
    (k < 3 ? body.v : body.omega) += step;
  } else if (k < 3) {
    body.r += step;
  } else {
    const Equations::Matrix turn = CrossMatrix<Quad>(step);
    body.R = (body.R * (Equations::Matrix::Identity() + turn + turn * turn / Quad(2))).eval();
  }
  return body;
}

double DifferenceOfReadable(const Case& of) {
  const Quad h = 1e-12;
  const Equations::Motion parent = Exactly(of.parent), child = Exactly(of.child);
  const Equations exact = of.At(parent, child);
  const Lambda lambda = of.lambda.cast<Quad>();
  RelativeDifference difference;
  for (int k = 0; k < absolute::kPair; ++k) {
    for (const bool is_rate : {false, true}) {
      const auto at = [&](Quad step) {
        const bool on_child = k >= absolute::kRates;
        const Equations::Motion moved =
            Displaced(on_child ? child : parent, k % absolute::kRates, is_rate, step);
        return of.At(on_child ? parent : moved, on_child ? moved : child);
      };
      const Equations ahead = at(h), behind = at(-h);
      const int column = (is_rate ? Equations::kByV : Equations::kByX) + k;
      Eigen::Matrix<Quad, 12, 1> force = Eigen::Matrix<Quad, 12, 1>::Zero();
      for (std::size_t i = 0; i < exact.rows.size(); ++i) {
        const Equations::Row &a = ahead.rows[i], &b = behind.rows[i], &row = exact.rows[i];
        const auto by = [h](Quad one, Quad other) { return (one - other) / (Quad(2) * h); };
        difference.Add(row.g[column], by(a.g[0], b.g[0]));
        difference.Add(row.rate[column], by(a.rate[0], b.rate[0]));
        difference.Add(row.acceleration[column], by(a.acceleration[0], b.acceleration[0]));
        for (int j = 0; j < absolute::kPair; ++j) {
          const int x = Equations::kByX + j;
          force[j] += lambda[static_cast<Eigen::Index>(i)] * by(a.g[x], b.g[x]);
        }
      }
      if (is_rate) continue;
      for (int j = 0; j < absolute::kPair; ++j) difference.Add(exact.force_by_x(j, k), force[j]);
    }
  }
  return difference.relative();
}

TEST(ConstraintEquations, AreDifferentiatedExactlyAndAgreeWithTheTimedRowsForEveryJoint) {
  RandomSystem random(21);
  for (JointType type : kTypes) {
    for (int k = 0; k < 4; ++k) {
      Joint joint;
      joint.type = type;
      joint.parent_frame = random.Frame();
      joint.child_frame = random.Frame();
      joint.length = 1.3;
      const bool driven =
          k % 2 == 1 && (type == JointType::kRevolute || type == JointType::kPrismatic);
      const Case of = MakeCase(joint, RandomMotion(random), RandomMotion(random), driven, random);
      SCOPED_TRACE(Name(type));
      EXPECT_LT(DifferenceOfReadable(of), 1e-18);
      EXPECT_LT(TimedDifference(of), 1e-14);
    }
  }
}

TEST(ConstraintEquations, AgreeWithTheTimedRowsOnTheMechanismsOfTheCatalogue) {
  RandomSystem random(22);
  int driven = 0;
  for (const char* name : {"fourbar", "andrews", "bricard", "governor"}) {
    const Problem problem = MakeProblem(name);
    const System& system = problem.system;
    std::vector<BodyMotion> bodies =
        absolute::MotionsOf(Assemble(system, problem.initial, problem.length).state.bodies);
    for (BodyMotion& body : bodies) {
      body.acceleration = ToEigen(random.Vector());
      body.angular_acceleration = ToEigen(random.Vector());
    }
    for (const auto* joints : {&system.joints, &system.loop_joints}) {
      for (std::size_t j = 0; j < joints->size(); ++j) {
        const Joint& joint = (*joints)[j];
        const bool has_driver = joints == &system.joints && !system.drivers.empty() &&
                                system.drivers[0].joint == static_cast<int>(j);
        driven += has_driver ? 1 : 0;
        SCOPED_TRACE(joint.name + " of " + name);
        EXPECT_LT(
            TimedDifference(MakeCase(joint, absolute::MotionOf(bodies, joint.parent),
                                     absolute::MotionOf(bodies, joint.child), has_driver, random)),
            1e-14);
      }
    }
  }
  EXPECT_EQ(driven, 1);
}

}  // namespace
}  // namespace mbsbench::cartesian
