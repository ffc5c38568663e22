// Redundant constraints: fifteen mechanisms agree with their published values, and every method gives the
// same motion in any units. Accelerations and unique reactions are a promise of harness/conform.
#include "problems/test_systems/redundant_mechanisms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/integrate/integrate.h"
#include "harness/metrics/accuracy_judge.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/agreement.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/io/check.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/flat_positions.h"
#include "problems/test_systems/random_trees.h"
#include "reference/redundancy.h"
#include "reference/reference.h"
#include "tests/support/observed_reactions.h"
#include "tests/support/redundant_statics.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const Quaternion kTurn = Normalised(Quaternion{0.8, -0.3, 0.5, 0.2});

template <class Acceleration>
VectorXd Stacked(const std::vector<Acceleration>& accelerations) {
  VectorXd a(static_cast<Index>(6 * accelerations.size()));
  for (std::size_t b = 0; b < accelerations.size(); ++b) {
    a.segment<6>(static_cast<Index>(6 * b)) << ToEigen(accelerations[b].acceleration),
        ToEigen(accelerations[b].angular_acceleration);
  }
  return a;
}

// All reactions in the axes before the rotation.
template <class Reaction>
VectorXd TurnedBack(const std::vector<Reaction>& reactions, const Quaternion& turn) {
  VectorXd wrenches(static_cast<Index>(6 * reactions.size()));
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    wrenches.segment<6>(static_cast<Index>(6 * j))
        << ToEigen(Rotate(Conjugate(turn), reactions[j].force)),
        ToEigen(Rotate(Conjugate(turn), reactions[j].torque));
  }
  return wrenches;
}

struct Pose {
  RedundantMechanism mechanism;
  Quaternion turn;
  std::string how;
};
// As printed; rotated; rotated with gravity fixed, so that all free motions occur.
std::vector<Pose> PosesOf(const RedundantMechanism& printed) {
  const RedundantMechanism turned = Turned(printed, kTurn);
  RedundantMechanism tilted = turned;
  tilted.system.gravity = printed.system.gravity;
  return {{printed, {}, " as printed"}, {turned, kTurn, " turned"}, {tilted, kTurn, " tilted"}};
}

TEST(RedundantMechanisms, HaveThePrintedRanksAndUniqueComponents) {
  const std::vector<RedundantMechanism> mechanisms = RedundantMechanisms();
  EXPECT_EQ(mechanisms.size(), 15u);
  for (const RedundantMechanism& m : mechanisms) {
    SCOPED_TRACE(m.name);
    EXPECT_LT(ConstraintResiduals(m.system, m.state.bodies, m.length, 1).position, 1e-15);
    const JointStatics s = StaticsOf(m.system, m.state);
    EXPECT_EQ(s.wrenches.cols(), m.rows);
    EXPECT_EQ(s.rank, m.rank);
    const MatrixXd free = s.wrenches * s.null_space;
    const MatrixXd in_metres = s.Least(s.wrenches, 1), in_millimetres = s.Least(s.wrenches, 1000);
    ASSERT_EQ(static_cast<Index>(6 * m.classes.size()), free.rows());
    for (std::size_t j = 0; j < m.classes.size(); ++j) {
      std::string classes;
      for (std::size_t k = 0; k < 6; ++k) {
        const auto row = static_cast<Index>(6 * j + k);
        const bool is_unique = free.row(row).norm() < 1e-9;
        const bool is_same = (in_metres.row(row) - in_millimetres.row(row)).norm() < 1e-9;
        classes += is_unique ? 'U' : is_same ? 'N' : 'D';
      }
      EXPECT_EQ(classes, m.classes[j]) << "joint " << j;
    }
  }
}

TEST(RedundantMechanisms, HaveThePrintedLeastSquaresWrenches) {
  const auto least = [](const std::string& name, double moment_factor) -> VectorXd {
    for (const RedundantMechanism& m : RedundantMechanisms()) {
      if (m.name != name) continue;
      const JointStatics s = StaticsOf(m.system, m.state);
      const ReferenceDynamics truth = ReferenceAccelerations(m.system, m.state.joints);
      const VectorXd lambda =
          (s.on_bodies * s.wrenches)
              .completeOrthogonalDecomposition()
              .solve(JointLoads(m.system, m.state, Stacked(truth.accelerations)));
      return s.Least(s.wrenches * lambda, moment_factor);
    }
    return {};
  };
  const VectorXd table = least("table4", 1);
  const std::vector<double> legs{39.24, 29.43, 19.62, 29.43};
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(table[static_cast<Index>(6 * j + 2)], legs[j], 1e-12);
  const VectorXd door = least("door2", 1), door_in_mm = least("door2", 1000);
  EXPECT_NEAR(door[0], 18.4349, 5e-5);
  EXPECT_NEAR(door[4], -26.3356, 5e-5);
  EXPECT_NEAR(door_in_mm[0], 56.0570, 5e-5);
  EXPECT_NEAR(door_in_mm[4], -door_in_mm[0] / 0.7e6, 1e-12);  // -8.0081e-5; -8.05e-5 is printed
  const VectorXd rod = least("wishbone-extra", 1).tail<6>(),
                 rod_in_mm = least("wishbone-extra", 1000).tail<6>();
  EXPECT_NEAR(rod.norm(), 389.9, 0.05);
  EXPECT_NEAR(rod_in_mm.norm(), 618.0, 0.05);
  EXPECT_LT(rod.dot(rod_in_mm), 0);
}

TEST(RedundantMechanisms, TheReferenceSatisfiesTheirEquationsAndMarksNonUniqueReactions) {
  for (const RedundantMechanism& printed : RedundantMechanisms()) {
    for (const Pose& pose : PosesOf(printed)) {
      const RedundantMechanism& m = pose.mechanism;
      SCOPED_TRACE(m.name + pose.how);
      const JointStatics s = StaticsOf(m.system, m.state);
      const MatrixXd on_bodies = s.on_bodies * s.wrenches;
      const ReferenceDynamics truth = ReferenceAccelerations(m.system, m.state.joints);
      const VectorXd a = Stacked(truth.accelerations);
      EXPECT_LT((on_bodies.transpose() * a).norm(), 1e-13 * (1 + a.norm()));
      const VectorXd loads = JointLoads(m.system, m.state, a);
      const VectorXd lambda = on_bodies.completeOrthogonalDecomposition().solve(loads);
      EXPECT_LT((on_bodies * lambda - loads).norm(), 1e-12 * loads.norm());
      for (std::size_t j = 0; j < m.classes.size(); ++j)
        EXPECT_EQ(truth.reactions[j].unique.all(), m.classes[j] == "UUUUUU") << "joint " << j;
    }
  }
}

// The letters refer to components in the axes of the printed pose.
TEST(RedundantMechanisms, TheReferenceMarksEachNonUniqueComponent) {
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    const ReferenceDynamics truth = ReferenceAccelerations(m.system, m.state.joints);
    for (std::size_t j = 0; j < m.classes.size(); ++j) {
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_EQ(truth.reactions[j].unique[k], m.classes[j][k] == 'U')
            << m.name << ", joint " << j << ", component " << k << " of " << m.classes[j];
    }
  }
}

// Also where other components of the same reaction are not unique.
TEST(EveryMethod, MarksAndGivesTheUniqueComponentsOfReactionsOfRedundantMechanisms) {
  int partly = 0;
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    const ReferenceDynamics truth = ReferenceAccelerations(m.system, m.state.joints);
    double size = 1;
    for (const ReferenceReaction& r : truth.reactions)
      Raise(size, SizeOfReaction(r.force, r.torque, m.length));
    SCOPED_TRACE(m.name);
    ForReactionsOfEveryVariant(
        m.system, m.state, [&](const MethodChoice&, const Observation& mine) {
          for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
            const UniqueComponents& unique = truth.reactions[j].unique;
            partly += unique.any() && !unique.all() ? 1 : 0;
            EXPECT_EQ(mine.reactions[j].unique, unique) << "joint " << j;
            EXPECT_LT(ReactionError(mine.reactions[j], truth.reactions[j], m.length).value_or(0),
                      1e-10 * size)
                << "joint " << j;
          }
        });
  }
  EXPECT_GT(partly, 50);
}

// A slide or a hinge with two joints: the second joint's constraint on the free motion is round-off of
// varying size, and must not block it.
TEST(RedundantMechanisms, TheReferenceLetsDoorsAndDrawersMoveInAnyOrientation) {
  RandomNumbers random(7);
  for (const RedundantMechanism& printed : RedundantMechanisms()) {
    if (printed.system.bodies.size() > 1 || printed.rank > 5) continue;
    for (int k = 0; k < 100; ++k) {
      RedundantMechanism m = Turned(printed, random.Rotation());
      m.system.gravity = random.Vector(10);
      const JointStatics s = StaticsOf(m.system, m.state);
      const ReferenceDynamics truth = ReferenceAccelerations(m.system, m.state.joints);
      const VectorXd loads = JointLoads(m.system, m.state, Stacked(truth.accelerations));
      const MatrixXd on_bodies = s.on_bodies * s.wrenches;
      const VectorXd lambda = on_bodies.completeOrthogonalDecomposition().solve(loads);
      EXPECT_LT((on_bodies * lambda - loads).norm(), 1e-12 * loads.norm()) << m.name;
      for (const ReferenceReaction& r : truth.reactions) EXPECT_FALSE(r.unique.all()) << m.name;
    }
  }
}

TEST(RedundantMechanisms, HaveTheDegreesOfFreedomThatCheckReports) {
  for (const RedundantMechanism& printed : RedundantMechanisms()) {
    const RedundantMechanism turned = Turned(printed, kTurn);
    for (const RedundantMechanism& m :
         {printed, turned, InUnits(turned, 1e3, 1e3), InUnits(turned, 1e-3, 1)}) {
      Problem p;
      p.system = m.system;
      p.length = m.length;
      const FreedomCount freedom = CountFreedoms(p, m.state);
      const int bodies = static_cast<int>(m.system.bodies.size());
      EXPECT_EQ(freedom.counted, 6 * bodies - m.rows) << m.name;
      EXPECT_EQ(freedom.by_rank, 6 * bodies - m.rank) << m.name << ", length " << m.length;
    }
  }
}

// Millimetres; millimetres and grams; kilometres; models of a thousandth of the size and of a millionth of the mass.
TEST(EveryMethod, GivesTheSameResultsForRedundantMechanismsInAnyUnits) {
  const std::vector<std::pair<double, double>> units{{1e3, 1},  {1e3, 1e3},   {1e-3, 1},
                                                     {1, 1e-6}, {1e-3, 1e-6}, {1e-2, 1e3}};
  for (const RedundantMechanism& printed : RedundantMechanisms()) {
    const RedundantMechanism tilted = PosesOf(printed)[2].mechanism;
    const ReferenceDynamics truth = ReferenceAccelerations(tilted.system, tilted.state.joints);
    double size = 1, reaction = 1;
    for (const ReferenceAcceleration& a : truth.accelerations) Raise(size, Norm(a.acceleration));
    for (const ReferenceReaction& r : truth.reactions)
      Raise(reaction, SizeOfReaction(r.force, r.torque, tilted.length));
    for (const auto& [length, mass] : units) {
      const RedundantMechanism m = InUnits(tilted, length, mass);
      SCOPED_TRACE(m.name + ", length " + std::to_string(length) + ", mass " +
                   std::to_string(mass));
      ForReactionsOfEveryVariant(
          m.system, m.state,
          [&, l = length, kg = mass](const MethodChoice&, const Observation& mine) {
            double difference = 0;
            for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
              Raise(difference, Norm(1 / l * mine.accelerations[b].acceleration -
                                     truth.accelerations[b].acceleration));
            }
            EXPECT_LT(difference, 1e-11 * size);
            for (std::size_t j = 0; j < m.classes.size(); ++j) {
              JointReaction r = mine.reactions[j];
              EXPECT_EQ(r.unique, truth.reactions[j].unique) << "joint " << j;
              r.force = 1 / (kg * l) * r.force;
              r.torque = 1 / (kg * l * l) * r.torque;
              EXPECT_LT(ReactionError(r, truth.reactions[j], tilted.length).value_or(0),
                        2e-11 * reaction)
                  << "joint " << j;
            }
          });
    }
  }
}

// By singular values, for two seconds; parallelogram3 is flat at 0.55 s and sarrus folded at 0.37 s, where ranks fall.
TEST(RedundantMechanisms, KeepTheirRankAlongTheirMotions) {
  const std::map<std::string, double> ends{{"parallelogram3", 0.5}, {"fourbar-rrrr", 2},
                                           {"bennett", 2},          {"bricard", 2},
                                           {"sarrus", 0.3},         {"delta", 2}};
  const MethodChoice method = ChooseMethod("articulated-body", AllMethods());
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    if (!ends.contains(m.name)) continue;
    const double end = ends.at(m.name);
    const auto formulation = Prepare(method, m.system);
    Sampling samples;
    for (int k = 1; k <= 10; ++k) samples.times.push_back(0.1 * k * end);
    samples.sink = [&](double time, std::span<const double> y, double) {
      Observation seen;
      ASSERT_TRUE(formulation->Observe(time, y, Detail::kMotion, seen).ok());
      const JointStatics s = StaticsOf(m.system, {{}, seen.bodies});
      EXPECT_EQ(s.rank, m.rank) << m.name << " at " << time << " s";
      EXPECT_GT(s.gap, 1e3) << m.name << " at " << time << " s";
    };
    const IntegrationReport report =
        Integrate(*formulation, m.state,
                  {.integrator = "dopri5", .end_time = end, .tolerance = 1e-10}, samples);
    EXPECT_TRUE(report.ok()) << m.name << ": " << report.reason;
  }
}

TEST(RedundantMechanisms, LoseRankInTheirFlatPositionsAloneWhereTheOtherBranchesClose) {
  const std::vector<RedundantMechanism> all = RedundantMechanisms();
  for (const FlatPosition& flat : FlatPositions()) {
    const System& system =
        std::ranges::find(all, flat.mechanism, &RedundantMechanism::name)->system;
    for (const double turn : {-0.5, -1e-3, 0., 1e-3, 0.5}) {
      SCOPED_TRACE(flat.mechanism + " at " + std::to_string(turn));
      const JointState joints = flat.At(turn);
      const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
      EXPECT_LT(ConstraintResiduals(system, bodies, 1, 1).position, 2e-15);
      const JointStatics s = StaticsOf(system, {joints, bodies});
      EXPECT_EQ(6 * static_cast<int>(bodies.size()) - s.rank, turn == 0 ? flat.freedoms : 1);
      EXPECT_GT(s.gap, 1e3);
    }
    for (const OtherBranch& branch : flat.others) {
      for (const double turn : {-0.7, 0.3}) {
        SCOPED_TRACE(flat.mechanism + ", " + branch.motion + " by " + std::to_string(turn));
        const JointState joints = flat.On(branch, turn);
        const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
        EXPECT_LT(ConstraintResiduals(system, bodies, 1, 1).position, 2e-15);
        const JointStatics s = StaticsOf(system, {joints, bodies});
        EXPECT_EQ(6 * static_cast<int>(bodies.size()) - s.rank, branch.freedoms);
      }
    }
  }
}

// Rows of loop joints keep no multiplier, as many as are redundant.
TEST(EveryMethod, LeavesOutAsManyRowsAsAreRedundantIfItSaysSo) {
  for (RedundantMechanism& m : RedundantMechanisms()) {
    SCOPED_TRACE(m.name);
    m.system = GenerallyLoaded(std::move(m.system));
    ForReactionsOfEveryVariant(
        m.system, m.state, [&](const MethodChoice& choice, const Observation& mine) {
          if (choice.entry->reaction_choice != "dropped-rows") return;
          std::vector<ReferenceReaction> reactions;
          for (const JointReaction& r : mine.reactions)
            reactions.push_back({r.force, r.torque, r.unique});
          const auto rows = DroppedRows(m.system, m.state.joints, reactions);
          EXPECT_FALSE(rows.empty()) << "not known";
          for (std::size_t j = 0; j < std::min(rows.size(), m.system.joints.size()); ++j)
            EXPECT_TRUE(rows[j].empty()) << "of tree joint " << j;
        });
  }
}

TEST(EveryMethod, SaysWhetherItTakesTheLeastJointWrenches) {
  std::map<std::string, bool> takes;  // on every mechanism
  for (RedundantMechanism& m : RedundantMechanisms()) {
    m.system.gravity = {3, -8, 4};
    const JointStatics s = StaticsOf(m.system, m.state);
    ForReactionsOfEveryVariant(
        m.system, m.state, [&](const MethodChoice& choice, const Observation& mine) {
          const VectorXd own = TurnedBack(mine.reactions, Quaternion{}), least = s.Least(own, 1);
          bool& is_least = takes.try_emplace(choice.spec, true).first->second;
          is_least = is_least && (own - least).norm() < 1e-9 * own.norm();
        });
  }
  EXPECT_GT(takes.size(), 20u);
  for (const auto& [spec, is_least] : takes) {
    EXPECT_EQ(is_least,
              ChooseMethod(spec, AllMethods()).entry->reaction_choice == "least-joint-wrench-SI")
        << spec;
  }
}

// Trials of two methods that choose differently, and the record that a run makes of them.
AgreementRecord AgreementOf(const std::string& problem, const TrialResult& truth) {
  const std::vector<std::string> specs{"articulated-body", "cartesian-dae:index1"};
  std::vector<TrialResult> trials;
  for (const std::string& spec : specs) {
    trials.push_back(
        AccelerationTrial(PrepareCell({problem, spec, "", {}, {}, {}}, AllMethods()), 0, 1));
  }
  EXPECT_TRUE(Compare(specs, trials).methods[0].unique.empty()) << "without the truth";
  return Compare(specs, trials, truth);
}

// Six bars along the edges of a cube, as a run records them.
TEST(EveryMethod, TellsAndStoresWhichComponentsOfReactionsAreUnique) {
  const TrialResult truth = ReferenceAccelerationTrial(MakeProblem("bricard"), 0, 1);
  const RedundancyRecord redundancy = OrNone(truth.record.accelerations->redundancy);
  EXPECT_EQ(redundancy.rows, 30);
  EXPECT_EQ(redundancy.rank, 29);
  ASSERT_EQ(redundancy.joints.size(), 6u);
  EXPECT_EQ(redundancy.joints[5].joint, "Q5");
  EXPECT_EQ(redundancy.joints[5].classes, "DDDUDD");
  EXPECT_EQ(redundancy.joints[5].in_joint_axes, "DDDDDU");
  EXPECT_EQ(redundancy.joints[5].undetermined, 1);
  ASSERT_GE(redundancy.path.size(), 5u);
  EXPECT_EQ(redundancy.path.front().time, 0);
  EXPECT_EQ(redundancy.path.back().time, 10);
  for (const RankRecord& at : redundancy.path) {
    EXPECT_EQ(at.rank, 29) << at.time << " s";
    EXPECT_GT(at.gap.value_or(INFINITY), 1e3) << at.time << " s";
  }
  const AgreementRecord agreement = AgreementOf("bricard", truth);
  for (const MethodAgreementRecord& method : agreement.methods) {
    ASSERT_EQ(method.unique.size(), 6u) << method.method;
    EXPECT_EQ(method.unique[0], "----U-");
    EXPECT_EQ(method.unique[5], "---U--");
  }
  EXPECT_TRUE(agreement.methods[0].dropped.empty()) << "it takes the least multipliers";
  ASSERT_EQ(agreement.methods[1].dropped.size(), 1u);
  EXPECT_EQ(agreement.methods[1].dropped[0].joint, "Q5") << "the loop joint";
  EXPECT_EQ(agreement.methods[1].dropped[0].rows.size(), 1u) << "of which one row is redundant";
}

TEST(EveryMethod, StoresRanksThatFallTowardsAFlatPosition) {
  const TrialResult truth = ReferenceAccelerationTrial(MakeProblem("nfourbar:windows=2"), 0, 1);
  const std::vector<RankRecord>& path = truth.record.accelerations->redundancy->path;
  ASSERT_GE(path.size(), 5u);
  const auto nearest = std::ranges::min_element(path, {}, &RankRecord::least);
  EXPECT_LT(nearest->least, 0.3 * path.front().least) << "flat, where the start is upright";
}

}  // namespace
}  // namespace mbsbench
