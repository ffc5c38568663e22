// The two formulations of the reference compared with each other: maximal coordinates, and joint coordinates
// with dependent rates (dense, and by the articulated-body recursion). They share neither coordinates nor
// constraint rows, projections or generalised forces, so that a wrong sign in either separates them at the
// first digits.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "problems/catalog/catalog.h"
#include "problems/catalog/three_branches.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/random_trees.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/numerics/extrapolation.h"
#include "reference/reference.h"
#include "reference/rope_flight/rope_flight.h"
#include "reference/system/initial_motion.h"
#include "reference/trajectory.h"
#include "tests/support/driver_motions.h"

namespace mbsbench {
namespace {

using namespace extended;

constexpr std::size_t kAlwaysDense = 100000, kNeverDense = 0;

// Largest differences, relative to the largest acceleration (or rate squared) and the largest reaction.
struct Difference {
  double accelerations = 0, reactions = 0;
  int undetermined = 0;
};

Vec3 First(const Vec6& v) { return {v[0], v[1], v[2]}; }
Vec3 Last(const Vec6& v) { return {v[3], v[4], v[5]}; }

// The effect of the first formulation's multipliers on the child, as ReactionOf in accelerations.cc.
JointForce ForceOf(const JointData& joint, const Motion& motion, const std::vector<Mat3>& rotations,
                   const Vec6& multipliers) {
  const JointRows rows = RowsOf(joint, motion, rotations);
  Vec6 wrench{};
  for (std::size_t i = 0; i < rows.count - (rows.driven ? 1 : 0); ++i) {
    for (std::size_t k = 0; k < 6; ++k) wrench[k] -= rows.on_child[i][k] * multipliers[i];
  }
  const Vec3 arm = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations).arm;
  return {First(wrench), Last(wrench) - Cross(arm, First(wrench))};
}

// Both at the state of the joint coordinates y, which closes the loops to 113 bits.
Difference Compare(const System& system, JointCoordinates& joint_coordinates,
                   const std::vector<Real>& y, const JointState& near, Real time = 0) {
  joint_coordinates.SetTime(time);
  const Motion motion = joint_coordinates.MotionAt(y);
  const JointDynamics second = joint_coordinates.DynamicsAt(y);
  MaximalCoordinates equations(system);
  equations.SetTime(time);
  equations.StartSpringsAt(near);
  const Dynamics first = equations.Accelerate(motion);
  const std::vector<Mat3> rotations = RotationsOf(motion);
  Difference d;
  Real largest = 1, apart = 0;
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const Vec3 linear = First(first.accelerations[b]), angular = Last(first.accelerations[b]);
    largest = Max(largest, Max(Norm(linear), Norm(angular)));
    apart = Max(apart, Max(Norm(linear - second.accelerations[b].linear),
                           Norm(angular - second.accelerations[b].angular)));
  }
  d.accelerations = static_cast<double>(apart / largest);
  apart = 0, largest = 1;
  const auto look = [&](const std::vector<JointData>& joints, const std::vector<Vec6>& multipliers,
                        std::size_t begin) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const JointForce one = ForceOf(joints[j], motion, rotations, multipliers[j]);
      const std::array<bool, 6>& undetermined = equations.undetermined()[begin + j];
      const JointForce& other = second.reactions[begin + j];
      largest = Max(largest, Max(Norm(one.force), Norm(one.moment)));
      const Vec3 force = one.force - other.force, moment = one.moment - other.moment;
      const std::array<Real, 6> off{force.x, force.y, force.z, moment.x, moment.y, moment.z};
      for (std::size_t k = 0; k < 6; ++k) {
        if (undetermined[k])
          ++d.undetermined;
        else
          apart = Max(apart, Abs(off[k]));
      }
    }
  };
  look(equations.system().joints, first.multipliers, 0);
  look(equations.system().loop_joints, first.loop_multipliers, system.joints.size());
  d.reactions = static_cast<double>(apart / largest);
  return d;
}

Difference CompareAtStart(const System& system, const InitialCondition& initial,
                          std::size_t most_dense_rates) {
  JointCoordinates equations(system, most_dense_rates);
  const std::vector<Real> y = equations.Start(initial);
  Difference d = Compare(system, equations, y, initial.joints);
  if (!system.drivers.empty() && system.loop_joints.empty()) {  // and where drivers have gone on
    const Difference later = Compare(system, equations, y, initial.joints, 0.4);
    d.accelerations = Max(d.accelerations, later.accelerations);
    d.reactions = Max(d.reactions, later.reactions);
  }
  return d;
}

// Measured: 2e-32 and below.
TEST(TwoFormulations, AgreeOnRandomTreesOfAllJointsAndForceElements) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const bool forces = seed % 3 != 0;
    RandomTreeOptions options{.bodies = 9, .force_elements = forces};
    if (forces) options.further_elements = {ForceElement::kBushing};
    RandomTree tree = MakeRandomTree(seed, options);
    if (seed % 4 == 1) {
      const JointOffsets at = OffsetsOf(tree.system);
      for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
        const JointType type = tree.system.joints[j].type;
        if (type != JointType::kRevolute && type != JointType::kPrismatic) continue;
        const double q = tree.state.joints.q[static_cast<std::size_t>(at.q[j])];
        const double rate = tree.state.joints.u[static_cast<std::size_t>(at.u[j])];
        const DriverMotion motion = MotionThrough(static_cast<int>(j), 0, q, rate);
        tree.system.drivers.push_back({"driver " + std::to_string(j), static_cast<int>(j), motion});
      }
    }
    for (std::size_t most : {kAlwaysDense, kNeverDense}) {
      const Difference d = CompareAtStart(tree.system, {tree.state.joints, {}}, most);
      std::printf("  seed %2u %-9s accelerations %.1e, reactions %.1e\n", seed,
                  most == 0 ? "recursion" : "dense", d.accelerations, d.reactions);
      EXPECT_LT(d.accelerations, 1e-30) << seed;
      EXPECT_LT(d.reactions, 1e-30) << seed;
    }
  }
}

// One loop of each type, then mixed ones. Measured: 2e-32 and below.
TEST(TwoFormulations, AgreeOnRandomLoopsOfAllJoints) {
  for (unsigned seed = 1; seed <= 16; ++seed) {
    RandomLoopOptions options;
    options.tree.bodies = 8;
    options.loops = 1 + static_cast<int>(seed % 2);
    if (seed <= 6) {
      options.loops = 1;
      options.loop_types = {std::vector<JointType>{
          JointType::kBall, JointType::kRevolute, JointType::kPrismatic, JointType::kFixed,
          JointType::kDistance, JointType::kUniversal}[seed - 1]};
    }
    const RandomTree tree = MakeRandomLoops(seed, options);
    InitialCondition initial{tree.state.joints, {}};
    for (std::size_t j = 0; j < tree.system.joints.size(); ++j)
      initial.dependent_joints.push_back(static_cast<int>(j));
    for (std::size_t most : {kAlwaysDense, kNeverDense}) {
      const Difference d = CompareAtStart(tree.system, initial, most);
      std::printf("  seed %2u %-9s accelerations %.1e, reactions %.1e\n", seed,
                  most == 0 ? "recursion" : "dense", d.accelerations, d.reactions);
      EXPECT_LT(d.accelerations, 1e-30) << seed;
      EXPECT_LT(d.reactions, 1e-30) << seed;
      EXPECT_EQ(d.undetermined, 0) << seed;
    }
  }
}

// Accelerations are unique where reactions are not, and so are the reactions that redundancy does not affect.
// Mechanisms whose data close the loops to 113 bits; rounded to doubles the others (parallelogram3, bennett,
// doors) are redundant to 16 digits only. Measured: 3e-33 and below.
TEST(TwoFormulations, AgreeOnRedundantMechanisms) {
  int compared = 0;
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    if (m.name != "nfourbar2-30" && m.name != "nfourbar2-90" && m.name != "fourbar-rrrr" &&
        m.name != "bricard" && m.name != "sarrus")
      continue;
    InitialCondition initial{m.state.joints, {}};
    for (std::size_t j = 0; j < m.system.joints.size(); ++j)
      initial.dependent_joints.push_back(static_cast<int>(j));
    for (std::size_t most : {kAlwaysDense, kNeverDense}) {
      const Difference d = CompareAtStart(m.system, initial, most);
      EXPECT_LT(d.accelerations, 1e-29) << m.name;
      EXPECT_LT(d.reactions, 1e-29) << m.name;
      EXPECT_GT(d.undetermined, 0) << m.name;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 5);
}

// At the start and along the motion. Both assemble the same start. Measured: 4e-31 and below.
TEST(TwoFormulations, AgreeOnEveryProblemWithLoopsAlongItsMotion) {
  for (const char* name :
       {"slidercrank3d", "andrews", "bricard", "wishbone", "wishbone:tyre=100", "mixed12",
        "governor:damped", "governor-rods:damped", "governor", "governor-rods"}) {
    const Problem p = MakeProblem(name);
    JointCoordinates equations(p.system);
    std::vector<Real> y = equations.Start(p.initial);
    Difference worst = Compare(p.system, equations, y, p.initial.joints);
    const Motion assembled = InitialMotion(SystemData(p.system), p);
    const Motion start = equations.MotionAt(y);
    for (std::size_t b = 0; b < start.size(); ++b) {
      EXPECT_LT(static_cast<double>(Norm(start[b].position - assembled[b].position)), 1e-29)
          << name;
      EXPECT_LT(static_cast<double>(Norm(start[b].velocity - assembled[b].velocity)), 1e-27)
          << name;
    }
    // A few steps of the second formulation itself lead to states in motion.
    std::vector<double> times;
    for (int k = 0; k <= 4; ++k) times.push_back(p.end_time * 0.01 * k);
    Extrapolate(
        [&](Real t, const std::vector<Real>& at, std::vector<Real>& rate) {
          equations.SetTime(t);
          equations.Evaluate(at, rate);
        },
        times, y, std::vector<double>(y.size(), 1),
        {.columns = 4, .tolerance = 1e-8, .first_step = 1e-3 * p.time},
        [&](Real t, std::vector<Real>& at) {
          equations.SetTime(t);
          equations.Correct(at);
        },
        [&](std::size_t k, const std::vector<Real>& at) {
          const Difference d = Compare(p.system, equations, at, p.initial.joints, times[k]);
          worst.accelerations = Max(worst.accelerations, d.accelerations);
          worst.reactions = Max(worst.reactions, d.reactions);
        });
    std::printf("  %-22s accelerations %.1e, reactions %.1e; %s\n", name, worst.accelerations,
                worst.reactions, equations.Describe().c_str());
    EXPECT_LT(worst.accelerations, 1e-28) << name;
    EXPECT_LT(worst.reactions, 1e-28) << name;
  }
}

// The recursion compared with the dense equations on the topology of mixed250.
TEST(TwoFormulations, TheRecursionAgreesWithTheDenseEquations) {
  for (int trunk : {0, 20, 40}) {
    const Problem p = ThreeBranches(trunk, true);
    JointCoordinates dense(p.system, kAlwaysDense), recursive(p.system, kNeverDense);
    const std::vector<Real> y = dense.Start(p.initial), z = recursive.Start(p.initial);
    ASSERT_EQ(y.size(), z.size());
    std::vector<Real> one, other;
    dense.Evaluate(y, one);
    recursive.Evaluate(y, other);
    Real apart = 0, largest = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      apart = Max(apart, Abs(one[i] - other[i]));
      largest = Max(largest, Abs(one[i]));
    }
    std::printf("  trunk of %d: %.1e of %.2g\n", trunk, static_cast<double>(apart),
                static_cast<double>(largest));
    EXPECT_LT(static_cast<double>(apart), 1e-28) << trunk;
    EXPECT_GT(static_cast<double>(largest), 0.1) << trunk;
  }
}

// Measured: 6e-32 and below.
TEST(TwoFormulations, AgreeOnLargeSystemsByTheRecursion) {
  for (const char* name :
       {"branchN:bodies=24", "branchN:bodies=100", "branchN:bodies=500", "mixed250"}) {
    const Problem p = MakeProblem(name);
    const Difference d = CompareAtStart(p.system, p.initial, JointCoordinates::kMostDenseRates);
    std::printf("  %-20s accelerations %.1e, reactions %.1e\n", name, d.accelerations, d.reactions);
    EXPECT_LT(d.accelerations, 1e-28) << name;
    EXPECT_LT(d.reactions, 1e-28) << name;
  }
}

// Long chains in bent positions: asymmetry of articulated inertias grows along them, and once cost the
// recursion all digits. Measured: 4e-28 (a chain of 250 loses some five digits in either).
TEST(TwoFormulations, AgreeOnALongBentChainInMotion) {
  Problem p = MakeProblem("mixed250");
  RandomNumbers random(5);
  const JointOffsets at = OffsetsOf(p.system);
  const auto bottom = static_cast<std::size_t>(BodyOfThreeBranches(23));
  for (std::size_t j = 0; j < p.system.joints.size(); ++j) {
    if (static_cast<std::size_t>(p.system.joints[j].child) <= bottom) continue;
    double* q = p.initial.joints.q.data() + at.q[j];
    const Quaternion turned = Quaternion{q[0], q[1], q[2], q[3]} *
                              AxisAngle({0, 0, 1}, random.Between(-0.1, 0.1)) *
                              AxisAngle({0, 1, 0}, random.Between(-0.1, 0.1));
    q[0] = turned.w, q[1] = turned.x, q[2] = turned.y, q[3] = turned.z;
    for (int k = at.u[j]; k < at.u[j + 1]; ++k)
      p.initial.joints.u[static_cast<std::size_t>(k)] = random.Between(-0.5, 0.5);
  }
  const Difference d = CompareAtStart(p.system, p.initial, JointCoordinates::kMostDenseRates);
  std::printf("  accelerations %.1e, reactions %.1e\n", d.accelerations, d.reactions);
  EXPECT_LT(d.accelerations, 1e-26);
  EXPECT_LT(d.reactions, 1e-26);
}

// Tensions in node coordinates compared with angles of the links: rail, captures with their impacts, burn-out and
// drag. The kinks of the drag limit both. Measured over 1 s at 1e-16: 6e-14 in positions after 41 events.
TEST(TwoFormulations, AgreeOnARopeFlightWithItsEvents) {
  Problem p = MakeProblem("rocket:links=4");
  p.end_time = 0.5;
  std::erase_if(p.sample_times, [](double t) { return t > 0.5; });
  const ExtrapolationSettings settings{.columns = 5, .tolerance = 1e-15};
  const Flight nodes = SolveFlight<Real>(p, settings),
               angles = SolveFlightInAngles<Real>(p, settings);
  ASSERT_EQ(nodes.events.size(), angles.events.size());
  EXPECT_GT(nodes.events.size(), 10u);
  const extended::Distance d = DistanceBetween(p, nodes.trajectory, angles.trajectory);
  std::printf("  %zu events, positions %.1e, velocities %.1e\n", nodes.events.size(), d.position,
              d.velocity);
  EXPECT_LT(d.position, 1e-12);
  EXPECT_LT(d.velocity, 1e-11);
  for (std::size_t k = 0; k < nodes.events.size(); ++k) {
    const FlightEvent &one = nodes.events[k], &other = angles.events[k];
    EXPECT_EQ(one.name, other.name);
    EXPECT_LT(static_cast<double>(Abs(one.time - other.time)), 1e-11) << k;
    EXPECT_LT(static_cast<double>(Abs(one.energy_lost - other.energy_lost)), 1e-8) << k;
  }
  // In 64 bits, as certificates are computed, both give the same flight as in 113.
  const Distance of_nodes = DistanceBetween(p, nodes.trajectory,
                                            SolveFlight<Real64>(p, settings).trajectory),
                 of_angles = DistanceBetween(p, angles.trajectory,
                                             SolveFlightInAngles<Real64>(p, settings).trajectory);
  std::printf("  64 bits: nodes %.1e, angles %.1e\n", of_nodes.position, of_angles.position);
  EXPECT_LT(of_nodes.position, 1e-14);
  EXPECT_LT(of_angles.position, 1e-14);
}

}  // namespace
}  // namespace mbsbench
