// Methods that impose the motions of driven joints: accelerations, reactions and efforts of random trees
// and loops against the 113-bit reference formulation, the work of drivers against the energy, and
// printed motions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"
#include "tests/support/driver_motions.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

// Drives about a third of the revolute and prismatic joints, at least one: at constant rates, or by
// motions of all kinds that have the coordinates and rates of the state at `time`.
enum class Drive { kAtConstantRates, kByMotions };
constexpr double kTime = 0.37;  // inside the ramps of OneOfEachMotion
void DriveSome(RandomNumbers& random, Drive drive, RandomTree& tree) {
  const JointOffsets at = OffsetsOf(tree.system);
  std::vector<int> candidates;
  for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
    const JointType type = tree.system.joints[j].type;
    if (type == JointType::kRevolute || type == JointType::kPrismatic) {
      candidates.push_back(static_cast<int>(j));
    }
  }
  for (int j : candidates) {
    const bool is_last = j == candidates.back() && tree.system.drivers.empty();
    if (!is_last && random.Below(3) != 0) continue;
    const double q =
        tree.state.joints.q[static_cast<std::size_t>(at.q[static_cast<std::size_t>(j)])];
    const double u =
        tree.state.joints.u[static_cast<std::size_t>(at.u[static_cast<std::size_t>(j)])];
    const DriverMotion motion = drive == Drive::kAtConstantRates
                                    ? DriverMotion{u}
                                    : MotionThrough(random.Below(7), kTime, q, u);
    tree.system.drivers.push_back({"driver " + std::to_string(j), j, motion});
  }
}

// Whether the drivers leave enough free rates to keep the loops closed. The scale is that of the rows of all
// rates: a loop whose rates are all driven leaves only round-off.
bool DriversLeaveLoopsFree(const RandomTree& tree) {
  Eigen::MatrixXd rows = LoopJacobian(tree.system, tree.state.joints);
  const double size = rows.jacobiSvd().singularValues()[0];
  const JointOffsets at = OffsetsOf(tree.system);
  for (const Driver& d : tree.system.drivers) {
    rows.col(at.u[static_cast<std::size_t>(d.joint)]).setZero();
  }
  const Eigen::VectorXd left = rows.jacobiSvd().singularValues();
  return left[left.size() - 1] > 0.02 * size;
}

struct Worst {
  double acceleration = 0, reaction = 0, effort = 0;
  int systems = 0;
};

void CompareWithReference(const RandomTree& random, std::map<std::string, Worst>& worst) {
  const ReferenceDynamics truth = ReferenceAccelerations(random.system, random.state.joints, kTime);
  double a = 1, alpha = 1, force = 1, torque = 1;  // at least 1 of each unit
  for (const auto& b : truth.accelerations) {
    a = std::max(a, Norm(b.acceleration)), alpha = std::max(alpha, Norm(b.angular_acceleration));
  }
  for (const auto& r : truth.reactions) {
    force = std::max(force, Norm(r.force)), torque = std::max(torque, Norm(r.torque));
  }
  double largest_effort = 1;
  for (double effort : truth.efforts) largest_effort = std::max(largest_effort, std::abs(effort));
  const JointOffsets at = OffsetsOf(random.system);
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, random.system, choice.options).supported) continue;
      SCOPED_TRACE(choice.spec);
      const auto formulation = Prepare(choice, random.system);
      std::vector<double> y(formulation->state_size());
      ASSERT_TRUE(formulation->Initialise(kTime, random.state, y).ok());
      Observation mine;
      const Status status = formulation->Observe(kTime, y, Detail::kReactions, mine);
      ASSERT_TRUE(status.ok()) << status.what << " " << status.joint;
      ASSERT_EQ(mine.accelerations.size(), truth.accelerations.size());
      ASSERT_EQ(mine.reactions.size(), truth.reactions.size());
      Worst& w = worst[choice.spec];
      ++w.systems;
      double acceleration = 0, reaction = 0;
      for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
        const auto& m = mine.accelerations[b];
        const auto& exact = truth.accelerations[b];
        Raise(acceleration, {Norm(m.acceleration - exact.acceleration) / a,
                             Norm(m.angular_acceleration - exact.angular_acceleration) / alpha});
      }
      for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
        Raise(reaction, {Norm(mine.reactions[j].force - truth.reactions[j].force) / force,
                         Norm(mine.reactions[j].torque - truth.reactions[j].torque) / torque});
      }
      ASSERT_EQ(mine.drivers.size(), truth.efforts.size());
      for (std::size_t k = 0; k < truth.efforts.size(); ++k) {
        const Driver& driver = random.system.drivers[k];
        const MovedCoordinate<double> moved = MotionAt(driver.motion, kTime);
        EXPECT_EQ(mine.drivers[k].rate, moved.rate) << driver.name;
        EXPECT_EQ(mine.drivers[k].acceleration, moved.acceleration) << driver.name;
        const auto q = static_cast<std::size_t>(at.q[static_cast<std::size_t>(driver.joint)]);
        EXPECT_NEAR(mine.drivers[k].position, random.state.joints.q[q], 1e-14) << driver.name;
        Raise(w.effort, std::abs(mine.drivers[k].effort - truth.efforts[k]) / largest_effort);
      }
      EXPECT_LT(acceleration, 1e-9);
      EXPECT_LT(reaction, 1e-9);
      EXPECT_LT(w.effort, 1e-9);
      Raise(w.acceleration, acceleration);
      Raise(w.reaction, reaction);
      const bool has_joint_coordinates =
          choice.form() == Form::kOde &&
          y.size() == static_cast<std::size_t>(at.q.back() + at.u.back());
      if (!has_joint_coordinates) continue;
      auto& ode = static_cast<OdeFormulation&>(*formulation);
      std::vector<double> ydot(y.size());
      ASSERT_TRUE(ode.Evaluate(kTime, y, ydot).ok());
      for (const Driver& d : random.system.drivers) {
        const auto j = static_cast<std::size_t>(d.joint);
        const MovedCoordinate<double> moved = MotionAt(d.motion, kTime);
        EXPECT_EQ(ydot[static_cast<std::size_t>(at.q.back() + at.u[j])], moved.acceleration);
        EXPECT_EQ(ydot[static_cast<std::size_t>(at.q[j])], moved.rate) << d.name;
      }
    }
  }
}

void ExpectAndPrint(const std::map<std::string, Worst>& worst, int systems,
                    const std::vector<const char*>& expected) {
  for (const auto& [spec, w] : worst) {
    std::printf("  %-28s %3d systems, worst accelerations %.1e, reactions %.1e, efforts %.1e\n",
                spec.c_str(), w.systems, w.acceleration, w.reaction, w.effort);
  }
  for (const char* spec : expected) {
    ASSERT_TRUE(worst.contains(spec)) << spec;
    EXPECT_EQ(worst.at(spec).systems, systems) << spec;
  }
}

TEST(DrivenSystems, AgreeWithTheReferenceInAccelerationsAndReactionsOfRandomTrees) {
  std::map<std::string, Worst> worst;
  int systems = 0;
  for (int k = 0; k < 60; ++k) {
    RandomTree random = MakeRandomTree(static_cast<std::uint64_t>(5000 + k), {.bodies = 2 + k / 2});
    RandomNumbers numbers(static_cast<std::uint64_t>(6000 + k));
    DriveSome(numbers, k % 3 == 0 ? Drive::kAtConstantRates : Drive::kByMotions, random);
    if (random.system.drivers.empty()) continue;
    SCOPED_TRACE("tree " + std::to_string(k));
    CompareWithReference(random, worst);
    ++systems;
  }
  EXPECT_GT(systems, 45);
  ExpectAndPrint(worst, systems,
                 {"articulated-body", "riccati-mstmm:general", "classical-mstmm:general",
                  "kane-huston:general", "cartesian-dae:ggl", "cartesian-dae:baumgarte",
                  "cartesian-dae:index3", "cartesian-dae:index1", "composite-body:delassus",
                  "equivalent-particles:index1"});
}

TEST(DrivenSystems, AgreeWithTheReferenceInAccelerationsAndReactionsOfRandomLoops) {
  std::map<std::string, Worst> worst;
  int systems = 0;
  for (int k = 0; k < 60; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 3;
    options.tree.bodies = 6 + k / 3;
    RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(7000 + k), options);
    RandomNumbers numbers(static_cast<std::uint64_t>(8000 + k));
    DriveSome(numbers, k % 3 == 0 ? Drive::kAtConstantRates : Drive::kByMotions, random);
    if (random.system.drivers.empty() || !DriversLeaveLoopsFree(random)) continue;
    SCOPED_TRACE("system " + std::to_string(k));
    CompareWithReference(random, worst);
    ++systems;
  }
  EXPECT_GT(systems, 20);
  ExpectAndPrint(
      worst, systems,
      {"articulated-body", "riccati-mstmm:general", "classical-mstmm:general", "cartesian-dae:ggl",
       "cartesian-dae:baumgarte", "cartesian-dae:index3", "cartesian-dae:index1",
       "composite-body:delassus", "equivalent-particles:index1"});
}

// Projection does not change driven coordinates and rates. It closes loops by the others.
TEST(DrivenSystems, KeepDrivenCoordinatesAndRatesUnderProjection) {
  int systems = 0;
  for (int k = 0; k < 30; ++k) {
    RandomLoopOptions options;
    options.tree.bodies = 8;
    RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(9000 + k), options);
    RandomNumbers numbers(static_cast<std::uint64_t>(9500 + k));
    DriveSome(numbers, k % 3 == 0 ? Drive::kAtConstantRates : Drive::kByMotions, random);
    if (random.system.drivers.empty() || !DriversLeaveLoopsFree(random)) continue;
    ++systems;
    const JointOffsets at = OffsetsOf(random.system);
    for (const char* spec :
         {"articulated-body", "riccati-mstmm:general", "classical-mstmm:general"}) {
      SCOPED_TRACE(std::string(spec) + ", system " + std::to_string(k));
      const MethodChoice choice = ChooseMethod(spec, AllMethods());
      const auto formulation = Prepare(choice, random.system);
      std::vector<double> y(formulation->state_size());
      ASSERT_TRUE(formulation->Initialise(kTime, random.state, y).ok());
      const std::vector<double> start = y;
      for (double& x : y) x += numbers.Between(-1e-4, 1e-4);
      // A coordinate with a constant rate is integrated exactly and not projected.
      const bool constant = RunsAtConstantRates(random.system);
      const std::vector<double> expected = constant ? y : start;
      ASSERT_TRUE(formulation->projection()->Project(kTime, y).ok());
      Observation there;
      ASSERT_TRUE(formulation->Observe(kTime, y, Detail::kMotion, there).ok());
      const ConstraintResidual left = ConstraintResiduals(random.system, there.bodies, 1, 1);
      EXPECT_LT(left.position, 1e-12);
      EXPECT_LT(left.velocity, 1e-11);
      for (const Driver& d : random.system.drivers) {
        const auto j = static_cast<std::size_t>(d.joint);
        const auto q = static_cast<std::size_t>(at.q[j]);
        const auto u = static_cast<std::size_t>(at.q.back() + at.u[j]);
        EXPECT_EQ(y[q], expected[q]);
        EXPECT_EQ(y[u], expected[u]);
      }
    }
  }
  EXPECT_GT(systems, 8);
}

struct DrivenCase {
  const char* problem;
  const char* method;
};
void PrintTo(const DrivenCase& c, std::ostream* out) { *out << c.problem << " by " << c.method; }

class DrivenProblem : public testing::TestWithParam<DrivenCase> {};

// E(t) - E(0) = W(t), and every printed value of the motion within its digits.
TEST_P(DrivenProblem, BalancesEnergyAndMovesAsPrinted) {
  const Problem problem = MakeProblem(GetParam().problem);
  const MethodChoice choice = ChooseMethod(GetParam().method, AllMethods());
  ASSERT_TRUE(VerdictOf(*choice.entry, problem.system, choice.options).supported);
  const auto formulation = Prepare(choice, problem);
  ASSERT_TRUE(formulation->power());
  // Joint coordinates are exact except for round-off; those of a DAE have the accuracy of its tolerance.
  const bool is_ode = choice.form() == Form::kOde;
  // Values of problems moved in time are printed to more digits than a tolerance of 1e-12 gives: the difference is
  // at most 3.5e-10 (kapitza, whose errors grow 2000-fold), and 2e-10 of the energy.
  const bool moved = !RunsAtConstantRates(problem.system);
  // The last bits of a build change the steps of IDA, and with them the imbalance, by a factor of two.
  const double imbalance_allowed = !is_ode ? 5e-6 : moved ? 1e-9 : 1e-10;
  const double least_digit = !is_ode ? 1e-6 : moved ? 1e-9 : 0;
  const Assembly start = Assemble(problem.system, problem.initial, problem.length);
  const double initial = EnergyOf(problem.system, start.state.bodies).total();
  const JointOffsets at = OffsetsOf(problem.system);
  double imbalance = 0, work_done = 0, coordinate_off = 0;
  std::size_t printed = 0;
  Sampling sampling;
  sampling.times = problem.sample_times;
  sampling.integrate_power = true;
  sampling.sink = [&](double t, std::span<const double> y, double work) {
    Observation there;
    ASSERT_TRUE(formulation->Observe(t, y, Detail::kMotion, there).ok());
    const double energy = EnergyOf(problem.system, there.bodies).total();
    Raise(imbalance, std::abs(energy - initial - work));
    work_done = std::max(work_done, std::abs(work));
    for (const Driver& d : problem.system.drivers) {
      const auto q = static_cast<std::size_t>(at.q[static_cast<std::size_t>(d.joint)]);
      const double expected =
          StartOffset(d.motion, 0, problem.initial.joints.q[q]) + MotionAt(d.motion, t).position;
      const JointState joints = JointStateOf(problem.system, there.bodies);
      Raise(coordinate_off, std::abs(std::remainder(joints.q[q] - expected, 2 * M_PI)));
    }
    for (const PublishedValue& value : problem.published) {
      if (std::abs(value.time - t) > 1e-12 || !value.event.empty()) continue;
      const Observable& observable =
          problem.observables[static_cast<std::size_t>(value.observable)];
      const double off =
          std::abs(Difference(observable, Evaluate(observable, there.bodies, t), value.value));
      EXPECT_LE(off, std::max(1.01 * value.last_digit, least_digit))
          << observable.name << " at " << t << " s";
      ++printed;
    }
  };
  IntegrationSettings settings;
  settings.integrator = is_ode ? "fehlberg8" : "ida";
  settings.tolerance = is_ode ? 1e-12 : 1e-10;
  settings.end_time = problem.end_time;
  const IntegrationReport report = Integrate(*formulation, start.state, settings, sampling);
  ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
  std::printf("  imbalance %.1e J of %.3g J worked, driven coordinate off %.1e\n", imbalance,
              work_done, coordinate_off);
  EXPECT_EQ(printed, problem.published.size());
  EXPECT_GT(work_done, 0.01 * problem.energy_reference);
  EXPECT_LT(imbalance, imbalance_allowed * problem.energy_reference);
  EXPECT_LT(coordinate_off, is_ode ? 1e-10 : 1e-7);  // round-off of 100 rad over the steps
}

std::string NameOfDrivenCase(const testing::TestParamInfo<DrivenCase>& info) {
  std::string name = std::string(info.param.problem) + "_by_" + info.param.method;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    All, DrivenProblem,
    testing::Values(
        DrivenCase{"swing", "articulated-body"}, DrivenCase{"swing:damped", "articulated-body"},
        DrivenCase{"governor:damped", "articulated-body"},
        DrivenCase{"swing", "riccati-mstmm:general"},
        DrivenCase{"swing:damped", "riccati-mstmm:general"},
        DrivenCase{"governor:damped", "riccati-mstmm:general"},
        DrivenCase{"swing", "kane-huston:general"},
        DrivenCase{"swing:damped", "kane-huston:general"},
        DrivenCase{"swing:damped", "classical-mstmm:general"},
        DrivenCase{"governor:damped", "classical-mstmm:general"},
        DrivenCase{"swing:damped", "cartesian-dae:ggl"},
        DrivenCase{"governor:damped", "cartesian-dae:baumgarte"},
        DrivenCase{"governor:damped", "cartesian-dae:ggl"},
        DrivenCase{"swing:damped", "composite-body"},
        DrivenCase{"governor:damped", "equivalent-particles:index1"},
        DrivenCase{"kapitza", "articulated-body"}, DrivenCase{"kapitza", "riccati-mstmm:general"},
        DrivenCase{"kapitza", "classical-mstmm:general"},
        DrivenCase{"kapitza", "kane-huston:general"}, DrivenCase{"kapitza", "composite-body"},
        DrivenCase{"kapitza", "equivalent-particles:index1"},
        DrivenCase{"kapitza", "cartesian-dae:ggl"}, DrivenCase{"caraxis", "articulated-body"},
        DrivenCase{"caraxis", "riccati-mstmm:general"},
        DrivenCase{"caraxis", "classical-mstmm:general"},
        DrivenCase{"caraxis", "kane-huston:general"}, DrivenCase{"caraxis", "composite-body"},
        DrivenCase{"caraxis", "equivalent-particles:index1"},
        DrivenCase{"caraxis", "cartesian-dae:ggl"}, DrivenCase{"caraxis:loop", "articulated-body"},
        DrivenCase{"caraxis:loop", "riccati-mstmm:general"},
        DrivenCase{"caraxis:loop", "composite-body"},
        DrivenCase{"caraxis:loop", "cartesian-dae:ggl"}),
    NameOfDrivenCase);

}  // namespace
}  // namespace mbsbench
