// The report of `mbsbench check`: degrees of freedom against the full Jacobian, mass properties
// against hand-written ones, and the report itself.
#include "problems/io/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "tests/problems/io/full_problem.h"

namespace mbsbench {
namespace {

// Independent of the count under test: all constraints in all 6 n absolute velocities, by SVD.
int FreedomByTheFullJacobian(const System& system, std::vector<BodyState> bodies) {
  const JointOffsets at = OffsetsOf(system);
  const auto rows_of = [&] {
    ConstraintRows rows;
    for (const Joint& joint : system.joints) AppendConstraintRows(joint, bodies, rows);
    for (const Joint& joint : system.loop_joints) AppendConstraintRows(joint, bodies, rows);
    const JointState joints = JointStateOf(system, bodies);
    for (const Driver& d : system.drivers) {
      rows.velocity.push_back(
          joints.u[static_cast<std::size_t>(at.u[static_cast<std::size_t>(d.joint)])]);
    }
    return rows.velocity;
  };
  for (BodyState& b : bodies) b.velocity = b.angular_velocity = {};
  const auto n = static_cast<Eigen::Index>(bodies.size());
  Eigen::MatrixXd jacobian(static_cast<Eigen::Index>(rows_of().size()), 6 * n);
  if (jacobian.rows() == 0) return static_cast<int>(6 * n);
  for (Eigen::Index c = 0; c < 6 * n; ++c) {
    BodyState& b = bodies[static_cast<std::size_t>(c / 6)];
    double* const entries[] = {&b.velocity.x,         &b.velocity.y,         &b.velocity.z,
                               &b.angular_velocity.x, &b.angular_velocity.y, &b.angular_velocity.z};
    *entries[c % 6] = 1;
    const std::vector<double> column = rows_of();
    *entries[c % 6] = 0;
    for (std::size_t r = 0; r < column.size(); ++r)
      jacobian(static_cast<Eigen::Index>(r), c) = column[r];
  }
  const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(jacobian).singularValues();
  return static_cast<int>(6 * n - (s.array() > 1e-9 * s[0]).count());
}

// A planar four-bar of parallel revolutes: its loop is redundant in space.
Problem FourBar() {
  return ParseModel(R"({
  "format": "mbsbench-model", "version": 1, "name": "parallelogram", "end_time_s": 1,
  "bodies": [
    {"name": "crank", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}},
    {"name": "coupler", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}},
    {"name": "rocker", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}}],
  "joints": [
    {"name": "A", "type": "revolute", "parent": "ground", "child": "crank",
     "child_frame": {"position_m": [-0.5, 0, 0]}},
    {"name": "B", "type": "revolute", "parent": "crank", "child": "coupler",
     "parent_frame": {"position_m": [0.5, 0, 0]}, "child_frame": {"position_m": [-0.5, 0, 0]}},
    {"name": "D", "type": "revolute", "parent": "ground", "child": "rocker",
     "parent_frame": {"position_m": [1, 0, 0]}, "child_frame": {"position_m": [-0.5, 0, 0]}}],
  "loop_joints": [
    {"name": "C", "type": "revolute", "parent": "rocker", "child": "coupler",
     "parent_frame": {"position_m": [0.5, 0, 0]}, "child_frame": {"position_m": [0.5, 0, 0]}}],
  "initial_state": [
    {"joint": "A", "angle_rad": 1, "rate_rad_s": 2},
    {"joint": "B", "angle_rad": -1.0002, "dependent": true},
    {"joint": "D", "angle_rad": 1.0001, "dependent": true}]
})",
                    "parallelogram.json");
}

TEST(Freedoms, AgreeWithTheRankOfTheFullJacobian) {
  std::vector<Problem> problems{FourBar(), FullProblem()};
  for (const char* name :
       {"pendulum", "dpend18", "branch4", "sliders", "heavytop", "dzhanibekov", "branchN:bodies=12",
        "chainN3d:bodies=10", "tree12", "mixed12", "fourbar", "wishbone", "nfourbar:windows=2",
        "andrews", "bricard", "slidercrank3d", "flyball"}) {
    problems.push_back(MakeProblem(name));
  }
  for (const Problem& p : problems) {
    const SystemState state = Assemble(p.system, p.initial, p.length).state;
    const FreedomCount freedom = CountFreedoms(p, state);
    EXPECT_EQ(freedom.by_rank, FreedomByTheFullJacobian(p.system, state.bodies)) << p.name;
  }
}

// Printed: 36 constraints (tree12), 39 (mixed12); rank 27 of 30, so 3 freedoms (wishbone).
TEST(Freedoms, AgreeWithThePrintedNumbers) {
  const auto freedom = [](const char* name) {
    const Problem p = MakeProblem(name);
    return CountFreedoms(p, Assemble(p.system, p.initial, p.length).state);
  };
  EXPECT_EQ(freedom("tree12").by_rank, 72 - 36);
  EXPECT_EQ(freedom("mixed12").by_rank, 72 - 39);
  EXPECT_EQ(freedom("mixed250").by_rank, 1500 - 3 * 251);
  EXPECT_EQ(freedom("fourbar").by_rank, 1);
  EXPECT_EQ(freedom("wishbone").by_rank, 3);
  for (const char* name : {"tree12", "mixed12", "mixed250", "fourbar", "wishbone"}) {
    EXPECT_EQ(freedom(name).by_rank, freedom(name).counted) << name << ": nothing is redundant";
  }
}

TEST(Freedoms, OfAFourBarAreTheCountPlusTheRedundantConstraints) {
  const Problem p = FourBar();
  const FreedomCount freedom = CountFreedoms(p, Assemble(p.system, p.initial, p.length).state);
  EXPECT_EQ(freedom.counted, 6 * 3 - 4 * 5);  // Gruebler: -2
  EXPECT_EQ(freedom.by_rank, 1);              // but it moves
}

// The library mechanisms have redundant constraints and one degree of freedom.
TEST(Freedoms, OfLibraryMechanismsAreOneByRankAndNoneByCounting) {
  const std::vector<std::tuple<std::string, int>> counted{{"nfourbar:windows=2", -5},
                                                          {"nfourbar:windows=10", -29},
                                                          {"andrews", -8},
                                                          {"bricard", 0},
                                                          {"slidercrank3d", 1}};
  for (const auto& [name, by_counting] : counted) {
    const Problem p = MakeProblem(name);
    const FreedomCount freedom = CountFreedoms(p, Assemble(p.system, p.initial, p.length).state);
    EXPECT_EQ(freedom.counted, by_counting) << name;
    EXPECT_EQ(freedom.by_rank, 1) << name;
  }
}

TEST(MassProperties, OfBranch4AreTheSumsOverItsFourRods) {
  const Problem p = MakeProblem("branch4");
  const MassProperties m =
      MassPropertiesOf(p.system, Assemble(p.system, p.initial, p.length).state.bodies);
  // Centres (-1/2,-1/2), (1/2,-3/2), (1/2,-1/2), (0,0), 1 kg each.
  EXPECT_DOUBLE_EQ(m.mass, 4);
  EXPECT_LT(Norm(m.centre - Vector3{0.125, -0.625, 0}), 1e-15);
  // Steiner about the centre, and 1/12 across a rod, 0.01 along it: three stand upright, one lies.
  const double x2 = 0.25 * 3 - 4 * 0.125 * 0.125, y2 = 0.25 + 2.25 + 0.25 - 4 * 0.625 * 0.625;
  EXPECT_NEAR(m.inertia(0, 0), y2 + 3. / 12 + 0.01, 1e-14);
  EXPECT_NEAR(m.inertia(1, 1), x2 + 3 * 0.01 + 1. / 12, 1e-14);
  EXPECT_NEAR(m.inertia(2, 2), x2 + y2 + 4. / 12, 1e-14);
  EXPECT_NEAR(m.inertia(0, 1), -((0.25 - 0.75 - 0.25) - 4 * 0.125 * -0.625), 1e-14);
}

// An asymmetric body turned by a quarter about z: its x axis is then the inertial y axis.
TEST(MassProperties, TurnWithTheBody) {
  System system;
  system.bodies.resize(1);
  system.bodies[0].mass = 2;
  system.bodies[0].inertia = {{1, 0.1, 0.2, 2, 0.3, 2.5}};
  std::vector<BodyState> bodies(1);
  bodies[0].orientation = AxisAngle({0, 0, 1}, M_PI / 2);
  const MassProperties m = MassPropertiesOf(system, bodies);
  const double expected[9] = {2, -0.1, -0.3, -0.1, 1, 0.2, -0.3, 0.2, 2.5};
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(m.inertia(k / 3, k % 3), expected[k], 1e-15) << k;
}

TEST(TopologyTree, ShowsBranchesAndTheirBodies) {
  EXPECT_EQ(TopologyTree(MakeProblem("branch4").system),
            "ground\n"
            "`-- ceiling (ball) -> 7, 1 kg\n"
            "    |-- hinge_8_1 (ball) -> 1, 1 kg\n"
            "    `-- hinge_8_5 (ball) -> 5, 1 kg\n"
            "        `-- hinge_4 (ball) -> 3, 1 kg\n");
}

TEST(TopologyTree, AbbreviatesLongChainsAndLargeTrees) {
  EXPECT_EQ(TopologyTree(MakeProblem("chainN:bodies=100").system),
            "ground\n"
            "`-- hinge_1 (revolute) -> 1, 1 kg\n"
            "    `-- hinge_2 (revolute) -> 2, 1 kg\n"
            "        `-- hinge_3 (revolute) -> 3, 1 kg\n"
            "            : 96 more in a row, by revolute joints\n"
            "            `-- hinge_100 (revolute) -> 100, 1 kg\n");
  System star;
  for (int i = 0; i < 1000; ++i) {
    Body body;
    body.name = std::to_string(i);
    star.bodies.push_back(body);
    Joint joint;
    joint.name = body.name;
    joint.child = i;
    joint.parent = i < 10 ? kGround : i % 10;
    star.joints.push_back(joint);
  }
  const std::string tree = TopologyTree(star, 50);
  EXPECT_EQ(std::count(tree.begin(), tree.end(), '\n'), 51);
  EXPECT_THAT(tree, testing::EndsWith("... and 951 more\n"));
}

TEST(CheckReport, StatesWhatWasReadAndCorrected) {
  const std::string report =
      CheckReport(FourBar(), {{"riccati-mstmm", "solves it"}, {"dense", "does not: it has loops"}});
  for (const char* part :
       {"3 bodies; joints: 3 revolute; closing loops: 1 revolute\n",
        "C (revolute): rocker to coupler, open by ", "dependent joints: B, D\n",
        "counted: -2 = 6 x 3 bodies - 15 constraints of the tree - 5 of the loops\n",
        "by rank: 1 (the constraint Jacobian of the initial state has 20 rows and rank 17)\n",
        "  1 joint closes a loop\n", "3 constraints are redundant", "mass 3 kg, centre (",
        "gravity (0, -9.81, 0) m/s^2", "  riccati-mstmm  solves it\n",
        "  dense          does not: it has loops\n"}) {
    EXPECT_THAT(report, testing::HasSubstr(part));
  }
  // The given coordinates are 1e-4 and 2e-4 off the closed position; the rates are not given.
  EXPECT_THAT(report,
              testing::ContainsRegex("coordinates by at most 0.000[12][0-9]* m or rad, rates by "
                                     "at most 2 m/s"));
}

TEST(CheckReport, NamesEveryForceElement) {
  const std::string report = CheckReport(FullProblem(), {});
  for (const char* part :
       {"spring: ground to bob, 100 N/m, 3 N s/m, free length 0.4 m",
        "torsion: pin, 10 N m/rad, 0.1 N m s/rad, free 0.2 rad",
        "buffer: rail, 20 N/m, 0.3 N s/m, free -0.4 m",
        "thrust: on free flier, force (1, 2, 3) N, moment (4, 5, 6) N m in body axes",
        "tyre: on free flier along (0.6, 0, 0.8), 300 N/m, 1.5 N s/m, free position -0.25 m",
        "mount: ground to free flier, (10, 20, 30) N/m, (0, 0, 0) N s/m, (1.5, 0, 2.5) N m/rad, "
        "(0.125, 0, 0) N m s/rad",
        "winch: rail, a function of kind polynomial, 3.5 N at the start"}) {
    EXPECT_THAT(report, testing::HasSubstr(part));
  }
  EXPECT_THAT(report, testing::Not(testing::HasSubstr("Methods")));
}

TEST(CheckReport, RefusesAnInvalidProblem) {
  Problem p = MakeProblem("branch4");
  p.system.bodies[0].mass = -1;
  EXPECT_THROW(CheckReport(p, {}), ModelError);
}

}  // namespace
}  // namespace mbsbench
