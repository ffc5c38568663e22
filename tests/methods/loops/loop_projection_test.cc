#include "methods/loops/loop_projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/model/known_rank.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "tests/support/loop_elimination.h"

namespace mbsbench {
namespace {

std::vector<double> Packed(const JointState& joints) {
  std::vector<double> y = joints.q;
  y.insert(y.end(), joints.u.begin(), joints.u.end());
  return y;
}

JointState Unpacked(const std::vector<double>& y, const JointState& like) {
  const auto rates = y.begin() + static_cast<std::ptrdiff_t>(like.q.size());
  return {{y.begin(), rates}, {rates, y.end()}};
}

RandomTree System(int k) {
  RandomLoopOptions options;
  options.loops = 1 + k % 3;
  options.tree.bodies = 5 + k;
  return MakeRandomLoops(static_cast<std::uint64_t>(500 + k), options);
}

TEST(LoopProjection, ClosesLoopsToRoundOffInPositionAndVelocity) {
  RandomNumbers random(1);
  for (int k = 0; k < 20; ++k) {
    const RandomTree tree = System(k);
    std::vector<double> y = Packed(tree.state.joints);
    const std::size_t q_count = tree.state.joints.q.size();
    for (double& value : y) value += random.Between(-1e-4, 1e-4);
    JointState moved = Unpacked(y, tree.state.joints);
    const JointOffsets at = OffsetsOf(tree.system);
    for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {  // unit quaternions
      const JointType type = tree.system.joints[j].type;
      if (type != JointType::kBall && type != JointType::kFree) continue;
      double* const q = y.data() + at.q[j] + (type == JointType::kFree ? 3 : 0);
      const Quaternion unit = Normalised({q[0], q[1], q[2], q[3]});
      q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
    }
    moved = Unpacked(y, tree.state.joints);
    const auto open = ConstraintResiduals(tree.system, ForwardKinematics(tree.system, moved), 1, 1);
    EXPECT_GT(open.position, 1e-6);
    LoopProjection projection(tree.system);
    const Status status = projection.Project(y);
    ASSERT_TRUE(status.ok()) << status.what;
    const auto closed = ConstraintResiduals(
        tree.system, ForwardKinematics(tree.system, Unpacked(y, tree.state.joints)), 1, 1);
    EXPECT_LT(closed.position, 2e-14) << k;
    EXPECT_LT(closed.velocity, 2e-13) << k;
    const std::vector<double> once = y;
    ASSERT_TRUE(projection.Project(y).ok());
    for (std::size_t i = 0; i < y.size(); ++i) {
      EXPECT_NEAR(y[i], once[i], i < q_count ? 1e-13 : 1e-12) << "twice is once";
    }
  }
}

// One Hooke joint between two shafts that meet in it.
TEST(LoopProjection, ClosesALoopWithoutLengths) {
  const Frame cross{{}, Normalised({1, -1, 0, 0})};
  RandomTree tree;
  auto& s = tree.system;
  s.bodies = {{"in", 1, Diagonal(0.02, 0.02, 0.01), false, {}},
              {"out", 1.5, Diagonal(0.02, 0.02, 0.015), false, {}}};
  s.joints = {{"bin", JointType::kRevolute, kGround, 0, {}, {}},
              {"bout", JointType::kRevolute, kGround, 1, {{}, AxisAngle({0, 1, 0}, 0.6)}, {}}};
  s.loop_joints = {{"cross", JointType::kUniversal, 0, 1, cross, cross}};
  std::vector<double> y{0.3, std::atan(std::tan(0.3) * std::cos(0.6)) + 1e-4, 5, 5};
  LoopProjection projection(s);
  const Status status = projection.Project(y);
  ASSERT_TRUE(status.ok()) << status.what;
  EXPECT_NEAR(std::tan(y[1]), std::tan(y[0]) * std::cos(0.6), 5e-15);
  EXPECT_GT(std::abs(y[3] - y[2]), 0.1) << "rates are projected, too";
}

// The elimination of loops gives the same change of least energy.
TEST(LoopProjection, ByEliminationAgreesWithColumnsOnRandomSystemsOfOneToThirtyLoops) {
  RandomNumbers random(3);
  int systems = 0;  // for which the two ways differ at least in the last bits
  for (int k = 0; k < 50; ++k) {
    RandomTree tree =
        MakeRandomLoops(static_cast<std::uint64_t>(45'000 + k), OneToThirtyLoops(k, 1e-3));
    if (k % 3 == 2) {
      for (std::size_t j = 0; j < tree.system.joints.size(); j += 9) {
        if (RateCount(tree.system.joints[j].type) != 1) continue;
        Driver driver;
        driver.joint = static_cast<int>(j);
        tree.system.drivers.push_back(driver);
      }
    }
    std::vector<double> start = Packed(tree.state.joints);
    for (std::size_t i = tree.state.joints.q.size(); i < start.size(); ++i)
      start[i] += random.Between(-0.1, 0.1);
    const JointOffsets at = OffsetsOf(tree.system);
    for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
      if (RateCount(tree.system.joints[j].type) != 1 || DrivenJoints(tree.system)[j]) continue;
      start[static_cast<std::size_t>(at.q[j])] += random.Between(-1e-5, 1e-5);
    }
    SCOPED_TRACE("system " + std::to_string(k));
    LoopProjection with_columns(tree.system, UseOfElimination::kNever),
        with_elimination(tree.system, UseOfElimination::kAlways);
    std::vector<double> columns = start, elimination = start;
    const Status by_columns = with_columns.Project(columns);
    ASSERT_EQ(with_elimination.Project(elimination).ok(), by_columns.ok());
    if (!by_columns.ok()) continue;
    if (elimination != columns) ++systems;
    double moved = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
      moved = std::max(moved, std::abs(columns[i] - start[i]));
    for (std::size_t i = 0; i < start.size(); ++i) {
      const bool is_coordinate = i < tree.state.joints.q.size();
      EXPECT_NEAR(elimination[i], columns[i], is_coordinate ? 1e-9 : 1e-8 * (1 + moved)) << i;
    }
  }
  EXPECT_GE(systems, 40);
}

// u' M u of all pairs of rates, from the motions of bodies that each rate makes.
Eigen::MatrixXd MassMatrix(const mbsbench::System& system, const JointState& joints) {
  const auto n = static_cast<Eigen::Index>(joints.u.size());
  std::vector<std::vector<BodyState>> moved;
  for (std::size_t i = 0; i < joints.u.size(); ++i) {
    JointState one{joints.q, std::vector<double>(joints.u.size(), 0.0)};
    one.u[i] = 1;
    moved.push_back(ForwardKinematics(system, one));
  }
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        const BodyState &x = moved[static_cast<std::size_t>(i)][b],
                        &y = moved[static_cast<std::size_t>(j)][b];
        const Quaternion to_body = Conjugate(x.orientation);
        M(i, j) += system.bodies[b].mass * Dot(x.velocity, y.velocity) +
                   Dot(Rotate(to_body, x.angular_velocity),
                       system.bodies[b].inertia * Rotate(to_body, y.angular_velocity));
      }
    }
  }
  return M;
}

// The change of rates of least kinetic energy that keeps the loops closed, at closed joints.
Eigen::VectorXd LeastChangeOfRates(const mbsbench::System& system, const JointState& joints) {
  const Eigen::MatrixXd rows = LoopJacobian(system, joints);
  const Eigen::Map<const Eigen::VectorXd> u(joints.u.data(), rows.cols());
  const Eigen::LLT<Eigen::MatrixXd> M(MassMatrix(system, joints));
  const Eigen::MatrixXd across = M.matrixL().solve(rows.transpose()).transpose();  // J L^-T
  return M.matrixU().solve(-across.completeOrthogonalDecomposition().solve(rows * u));
}

// Rates that keep the loops closed are unchanged. Others are corrected by the change of least energy, with the masses where the loops are closed
// and not where they were open.
TEST(LoopProjection, CorrectsRatesByTheLeastEnergyAndOnlyAgainstTheLoops) {
  for (const double open : {0., 1e-8, 1e-3}) {
    RandomNumbers random(2);
    for (int k = 0; k < 10; ++k) {
      const RandomTree tree = System(k);
      std::vector<double> start = Packed(tree.state.joints);
      for (std::size_t i = tree.state.joints.q.size(); i < start.size(); ++i)
        start[i] += random.Between(-1, 1);
      const JointOffsets at = OffsetsOf(tree.system);
      for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
        if (RateCount(tree.system.joints[j].type) == 1)
          start[static_cast<std::size_t>(at.q[j])] += random.Between(-open, open);
      }
      for (const auto use : {UseOfElimination::kNever, UseOfElimination::kAlways}) {
        std::vector<double> y = start;
        ASSERT_TRUE(LoopProjection(tree.system, use).Project(y).ok());
        const JointState before{Unpacked(y, tree.state.joints).q,
                                Unpacked(start, tree.state.joints).u};
        const JointState after = Unpacked(y, tree.state.joints);
        const auto rates = static_cast<Eigen::Index>(after.u.size());
        const Eigen::VectorXd expected = LeastChangeOfRates(tree.system, before),
                              change = Eigen::Map<const Eigen::VectorXd>(after.u.data(), rates) -
                                       Eigen::Map<const Eigen::VectorXd>(before.u.data(), rates);
        EXPECT_LT((change - expected).norm(), 1e-9 * (1 + expected.norm()))
            << "system " << k << ", open by " << open;
        EXPECT_GT(expected.norm(), 0.01);
      }
    }
  }
}

int RankOf(const RedundantMechanism& m) {
  return LoopProjection(m.system).Rank(Packed(m.state.joints)).rank;
}

TEST(LoopProjection, RankIsThatOfAllConstraintsInAnyOrientation) {
  RandomNumbers random(3);
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    const int independent = LoopRowCount(m.system) - (m.rows - m.rank);
    for (int k = 0; k < 5; ++k) {
      const RedundantMechanism turned = k == 0 ? m : Turned(m, random.Rotation());
      for (const double length : {1., 1e-3, 1e3})
        EXPECT_EQ(RankOf(InUnits(turned, length, 1)), independent) << m.name << ", turn " << k;
    }
  }
}

// A four-bar with one axis tilted by 1e-9 rad cannot move. In the squares of its rows the tilt
// is 1e-18.
TEST(LoopProjection, RankDetectsATiltThatTheSquaresOfRowsMiss) {
  for (RedundantMechanism m : RedundantMechanisms()) {
    if (m.name != "fourbar-rrrr") continue;
    const int rank = RankOf(m);
    for (Frame* frame : {&m.system.joints[1].parent_frame, &m.system.joints[1].child_frame})
      frame->orientation = frame->orientation * AxisAngle({1, 0, 0}, 1e-9);
    EXPECT_GT(RankOf(m), rank);
    const std::vector<double> y = Packed(m.state.joints);
    EXPECT_EQ(CheckLoopRank(m.system, y, rank).code, Status::Code::kSingular);
    EXPECT_TRUE(CheckLoopRank(m.system, y, RankOf(m)).ok());
    return;
  }
  FAIL() << "no mechanism of that name";
}

// The digits of the data barely distinguish a tilt of 1e-12 rad from none, so such a four-bar is refused for any
// rank.
TEST(LoopProjection, RowsThatTheDataBarelyDetermineAreRefused) {
  for (RedundantMechanism m : RedundantMechanisms()) {
    if (m.name != "fourbar-rrrr") continue;
    const int rank = RankOf(m);
    for (Frame* frame : {&m.system.joints[1].parent_frame, &m.system.joints[1].child_frame})
      frame->orientation = frame->orientation * AxisAngle({1, 0, 0}, 1e-12);
    EXPECT_GT(RankOf(m), rank);
    for (const int claimed : {rank, RankOf(m)}) {
      EXPECT_EQ(CheckLoopRank(m.system, Packed(m.state.joints), claimed).code,
                Status::Code::kSingular);
    }
    return;
  }
  FAIL() << "no mechanism of that name";
}

TEST(LoopProjection, NamesTheLoopThatCannotBeClosed) {
  RandomTree tree = System(0);
  const auto j = tree.system.joints.size();
  tree.system.loop_joints[0].parent_frame.position.x += 100;
  if (tree.system.loop_joints[0].type == JointType::kPrismatic) GTEST_SKIP();
  std::vector<double> y = Packed(tree.state.joints);
  const Status status = LoopProjection(tree.system).Project(y);
  EXPECT_EQ(status.code, Status::Code::kSingular);
  EXPECT_EQ(status.joint, static_cast<int>(j));
}

}  // namespace
}  // namespace mbsbench
