// The forces in cut joints by elimination where loops meet, compared with columns carried to the root and solved at once.
#include "methods/loops/loop_elimination.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "methods/articulated_body/featherstone_equations.h"
#include "methods/articulated_body/sweeps.h"
#include "methods/kinematics/joint_coordinates.h"
#include "methods/loops/elimination_equations.h"
#include "methods/loops/loop_equations.h"
#include "methods/tree_sweeps/sweep_loops.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "tests/methods/articulated_body/solver.h"
#include "tests/support/loop_elimination.h"
#include "tests/support/processor_time.h"
#include "tests/support/readable_form.h"

namespace mbsbench::articulated_body {
namespace {

using Use = LoopElimination::Use;

// It contains pointers into itself.
static_assert(!std::is_copy_constructible_v<LoopElimination> &&
              !std::is_copy_assignable_v<LoopElimination>);

// One evaluation by the sweep and its loops; driven joints accelerate by 0.7. Empty if drivers contradict loops.
std::optional<ClosedLoops> CloseBy(Use use, const System& system, const JointState& state) {
  const GroupTree<double> tree = MakeGroupTree<double>(system);
  Sweep<double> sweep(tree, system.gravity);
  SweepLoops<Sweep<double>> loops(system, tree, sweep, use);
  LoopClosure closure(system, Stabilisation::kBaumgarte);
  const JointCoordinates joints(system);
  std::vector<double> y(joints.size()), ydot(y.size());
  joints.Put(state, y);
  for (std::size_t g = 1; g < tree.groups.size(); ++g) {
    if (tree.groups[g].driven) sweep.joint_forces()[g] = 0.7;
  }
  sweep.PassMotion(y.data(), ydot.data());
  EXPECT_EQ(sweep.PassInertia(), 0);
  if (!loops.Close(y.data(), sweep, closure).ok()) return std::nullopt;
  sweep.PassAcceleration(y.data(), ydot.data());
  ClosedLoops closed{{ydot.begin() + static_cast<std::ptrdiff_t>(joints.count()), ydot.end()}, {}};
  for (int i = 0; i < closure.row_count(); ++i) closed.multipliers.push_back(closure.multiplier(i));
  return closed;
}

bool ExpectAlike(const System& system, const JointState& state, double tolerance) {
  return mbsbench::ExpectAlike(CloseBy(Use::kNever, system, state),
                               CloseBy(Use::kAlways, system, state), tolerance);
}

// A free body P with a body C on a revolute, and a body Q on a ball; four rods. Those to C give no force along the
// revolute's axis until P is eliminated. `order`: of the rods a and b to C, p to P, q to Q.
System WithRods(const std::string& order) {
  System system;
  const auto add = [&system](const std::string& name, double mass, JointType type, int parent,
                             const Vector3& on_parent, const Vector3& on_child) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.inertia = Diagonal(0.11, 0.13, 0.17);
    Joint joint;
    joint.name = "joint of " + name;
    joint.type = type;
    joint.parent = parent;
    joint.child = static_cast<int>(system.bodies.size());
    joint.parent_frame.position = on_parent;
    joint.child_frame.position = on_child;
    system.bodies.push_back(body);
    system.joints.push_back(joint);
  };
  add("P", 1.5, JointType::kFree, kGround, {}, {});
  add("C", 0.7, JointType::kRevolute, 0, {0.5, 0, 0}, {-0.25, 0, 0});
  add("Q", 1.1, JointType::kBall, kGround, {0, 5, 0}, {0, 0.5, 0});
  const auto rod = [&system](const std::string& name, int child, const Vector3& on_child,
                             const Vector3& at, const Vector3& on_ground) {
    Joint joint;
    joint.name = name;
    joint.type = JointType::kDistance;
    joint.child = child;
    joint.parent_frame.position = on_ground;
    joint.child_frame.position = on_child;
    joint.length = Norm(at - on_ground);
    system.loop_joints.push_back(joint);
  };
  for (char name : order) {
    if (name == 'a') rod("a", 1, {-0.25, 0, 0.25}, {0.5, 0, 0.25}, {0.6, 2, 0.3});
    if (name == 'b') rod("b", 1, {-0.25, 0, -0.25}, {0.5, 0, -0.25}, {1.5, 1, -0.5});
    if (name == 'p') rod("p", 0, {-0.5, 0.25, 0}, {-0.5, 0.25, 0}, {-0.75, 2, 0.25});
    if (name == 'q') rod("q", 2, {0.25, 0, 0}, {0.25, 4.5, 0}, {1, 6, 0.5});
  }
  return system;
}

TEST(LoopElimination, AgreesWithColumnsForAnyOrderOfLoops) {
  std::string order = "abpq";
  do {
    const System system = WithRods(order);
    const JointState state{{0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0},
                           {0.3, -0.2, 0.1, 0.4, -0.3, 0.2, 0.5, 0.6, -0.1, 0.2}};
    EXPECT_TRUE(ExpectAlike(system, state, 1e-12)) << order;
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(LoopElimination, AgreesWithColumnsOnRandomSystemsOfOneToThirtyLoopsWithDrivers) {
  int systems = 0;
  for (int k = 0; k < 50; ++k) {
    RandomTree random =
        MakeRandomLoops(static_cast<std::uint64_t>(41'000 + k), OneToThirtyLoops(k, 1e-4));
    if (k % 3 == 2) {
      for (std::size_t j = 0; j < random.system.joints.size(); j += 7) {
        if (HasOneAxis(random.system.joints[j].type)) {
          Driver driver;
          driver.joint = static_cast<int>(j);
          random.system.drivers.push_back(driver);
        }
      }
    }
    SCOPED_TRACE("system " + std::to_string(k));
    if (ExpectAlike(random.system, random.state.joints, 1e-8)) ++systems;
  }
  EXPECT_GE(systems, 40);
}

// u' of readable equations in 113 bits, with driven joints that accelerate by 0.7.
template <class Equations>
std::vector<double> ExactAccelerations(Equations& equations, const System& system,
                                       const JointState& state) {
  const GroupTree<double> tree = MakeGroupTree<double>(system);
  for (std::size_t g = 1; g < tree.groups.size(); ++g) {
    if (tree.groups[g].driven) equations.tree.joint_forces[g] = 0.7;
  }
  const JointCoordinates joints(system);
  std::vector<double> y(joints.size());
  joints.Put(state, y);
  const std::vector<Quad> exact = ExactRates(equations, y);
  std::vector<double> accelerations;
  for (std::size_t i = joints.count(); i < exact.size(); ++i)
    accelerations.push_back(static_cast<double>(exact[i]));
  return accelerations;
}

TEST(LoopEquations, GiveTheAccelerationsOfRandomSystemsWithLoopsAndDrivers) {
  int with_drivers = 0;
  for (int k = 0; k < 24; ++k) {
    RandomTree random =
        MakeRandomLoops(static_cast<std::uint64_t>(45'000 + k), OneToThirtyLoops(k / 2, 1e-2));
    System& system = random.system;
    for (std::size_t j = 0; k % 2 == 1 && j < system.joints.size(); j += 7) {
      if (HasOneAxis(system.joints[j].type)) system.drivers.push_back({"", static_cast<int>(j)});
    }
    SCOPED_TRACE("system " + std::to_string(k));
    const std::optional<ClosedLoops> closed = CloseBy(Use::kNever, system, random.state.joints);
    if (!closed) continue;
    with_drivers += system.drivers.empty() ? 0 : 1;
    LoopEquations<FeatherstoneEquations, Quad> equations(system);
    EXPECT_LT(DifferenceOfClosed(closed->accelerations,
                                 ExactAccelerations(equations, system, random.state.joints)),
              1e-11);
    for (const Quad& g : equations.SecondDerivatives())
      EXPECT_LT(std::abs(static_cast<double>(g)), 1e-24);
  }
  EXPECT_GE(with_drivers, 5);
}

// Seven loops that meet, every seventh joint driven: all three forms.
TEST(EliminationEquations, GiveTheMultipliersOfRandomLoopsThatMeetWithDrivers) {
  int systems = 0;
  for (std::uint64_t seed = 46'000; seed < 46'012; ++seed) {
    RandomTree random = MakeRandomLoops(seed, OneToThirtyLoops(30, 1e-2));
    System& system = random.system;
    const JointState& state = random.state.joints;
    for (std::size_t j = 0; j < system.joints.size(); j += 7) {
      if (HasOneAxis(system.joints[j].type)) system.drivers.push_back({"", static_cast<int>(j)});
    }
    SCOPED_TRACE(seed);
    const std::optional<ClosedLoops> timed = CloseBy(Use::kAlways, system, state);
    if (!timed || system.drivers.empty()) continue;
    ++systems;
    EliminationEquations<FeatherstoneEquations, Quad> one_by_one(system);
    LoopEquations<FeatherstoneEquations, Quad> at_once(system);
    EXPECT_LT(
        DifferenceOfClosed(timed->accelerations, ExactAccelerations(one_by_one, system, state)),
        1e-11);
    ExactAccelerations(at_once, system, state);
    EXPECT_TRUE(one_by_one.dependent_rows().empty());
    Quad difference, largest;
    for (Eigen::Index i = 0; i < at_once.lambda.size(); ++i) {
      difference = std::max(difference, abs(one_by_one.lambda[i] - at_once.lambda[i]));
      largest = std::max(largest, abs(at_once.lambda[i]));
    }
    EXPECT_GT(static_cast<double>(largest), 0);
    EXPECT_LT(static_cast<double>(difference / largest), 1e-24);
  }
  EXPECT_GE(systems, 2);
}

// The governor is driven; Andrews' mechanism and Bricard's have rows that others imply. Under gravity, which sets all in motion.
TEST(EliminationEquations, GiveTheAccelerationsOfTheMechanismsOfTheCatalogue) {
  for (const auto& [name, dependent_rows] : {std::pair{"fourbar", 0}, std::pair{"governor", 0},
                                             std::pair{"andrews", 9}, std::pair{"bricard", 1}}) {
    SCOPED_TRACE(name);
    Problem problem = MakeProblem(name);
    problem.system.gravity = {1.2, -9.81, 0.7};
    const JointState state = Assemble(problem.system, problem.initial, problem.length).state.joints;
    EliminationEquations<FeatherstoneEquations, Quad> equations(problem.system);
    const std::vector<double> exact = ExactAccelerations(equations, problem.system, state);
    const std::optional<ClosedLoops> timed = CloseBy(Use::kAlways, problem.system, state);
    ASSERT_TRUE(timed.has_value());
    EXPECT_GT(*std::max_element(exact.begin(), exact.end()), 0.1);
    EXPECT_LT(DifferenceOfClosed(timed->accelerations, exact), 1e-10);
    EXPECT_EQ(equations.dependent_rows().size(), static_cast<std::size_t>(dependent_rows));
    double open = 0;
    for (const Quad& g : equations.SecondDerivatives())
      Raise(open, std::abs(static_cast<double>(g)));
    EXPECT_LT(open, dependent_rows == 0 ? 1e-24 : 1e-8);  // the data close dependent rows in double
  }
}

TEST(LoopElimination, AgreesWithColumnsForEveryTypeOfJointInTreeAndLoop) {
  int systems = 0;
  for (JointType in_tree : SimpleJointTypes()) {
    for (JointType in_loop : RandomLoopOptions{}.loop_types) {
      const RandomTree random = MakeRandomLoops(42'000 + static_cast<std::uint64_t>(in_loop),
                                                TwoLoopsWith(in_tree, in_loop));
      SCOPED_TRACE(std::string(Name(in_tree)) + " and " + std::string(Name(in_loop)));
      if (ExpectAlike(random.system, random.state.joints, 1e-10)) ++systems;
    }
  }
  EXPECT_GE(systems, 25);
}

TEST(LoopElimination, AgreesWithColumnsForLoopsSideBySide) {
  for (const char* name :
       {"ladder:bodies=60,loops=20,width=3", "ladder:bodies=200,loops=50,width=2"}) {
    const Problem problem = MakeProblem(name);
    const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
    SCOPED_TRACE(name);
    EXPECT_TRUE(ExpectAlike(problem.system, state.joints, 1e-9));
  }
}

TEST(LoopElimination, LeavesMechanismsWithRedundantRowsToColumns) {
  for (const RedundantMechanism& mechanism : RedundantMechanisms()) {
    SCOPED_TRACE(mechanism.name);
    ExpectSame(CloseBy(Use::kNever, mechanism.system, mechanism.state.joints),
               CloseBy(Use::kAlways, mechanism.system, mechanism.state.joints));
  }
}

TEST(LoopElimination, IsChosenOnALadderOfManyLoopsAndNotForOne) {
  for (const auto& [name, is_chosen] : {std::pair{"ladder:bodies=200,loops=1", false},
                                        std::pair{"ladder:bodies=200,loops=50", true},
                                        std::pair{"ladder:bodies=200,loops=50,width=2", true},
                                        std::pair{"ladder:bodies=200,loops=50,width=3", true}}) {
    const Problem problem = MakeProblem(name);
    const GroupTree<double> tree = MakeGroupTree<double>(problem.system);
    const LoopPaths paths = PathsOfLoops(problem.system, tree);
    LoopElimination elimination(problem.system, paths,
                                std::vector<JointType>(paths.stops().size() - 1, JointType::kBall));
    EXPECT_EQ(elimination.IsChosen(LoopClosure(problem.system, Stabilisation::kNone)), is_chosen)
        << name;
  }
}

TEST(LoopElimination, IsExplainedWithTheNumbersOfItsPlan) {
  const System ladder = MakeProblem("ladder:bodies=200,loops=50").system;
  const std::string text = ArticulatedBodyEntry().explain(ladder, {});
  for (const char* number : {"50 loops", "150 constraint rows", "3 groups", "1 other"}) {
    EXPECT_NE(text.find(number), std::string::npos) << number << " in: " << text;
  }
  EXPECT_EQ(ArticulatedBodyEntry().explain(MakeProblem("tree12").system, {}), "");
}

// The deepest rung couples two groups. No more are coupled at a time for any number of loops, and the work is linear.
TEST(LoopEliminationPlan, CouplesEachGroupOfALadderWithOnePartnerForAnyNumberOfLoops) {
  double work_per_loop = 0;
  for (int loops : {10, 50, 250}) {
    const Problem problem = MakeProblem("ladder:bodies=" + std::to_string(4 * loops) +
                                        ",loops=" + std::to_string(loops));
    const GroupTree<double> tree = MakeGroupTree<double>(problem.system);
    const LoopPaths paths = PathsOfLoops(problem.system, tree);
    const LoopEliminationPlan plan =
        PlanLoopElimination(paths, std::vector<int>(static_cast<std::size_t>(loops), 3));
    EXPECT_LE(plan.slots, 3);
    EXPECT_EQ(plan.loops.size(), static_cast<std::size_t>(loops));
    EXPECT_EQ(plan.steps.size() + 1, paths.stops().size());
    std::vector<char> is_gone(paths.stops().size());
    for (const LoopEliminationPlan::Step& step : plan.steps) {
      EXPECT_LE(step.last_partner - step.first_partner, 1);
      is_gone[static_cast<std::size_t>(step.stop)] = 1;
      if (step.parent >= 0) {
        EXPECT_FALSE(is_gone[static_cast<std::size_t>(step.parent)]);
      }
    }
    if (work_per_loop > 0) {
      EXPECT_NEAR(plan.work / loops, work_per_loop, 0.05 * work_per_loop);
    }
    work_per_loop = plan.work / loops;
  }
}

// A net of two loops side by side is eliminated from one end: the number of groups at a time does not grow with its height.
TEST(LoopEliminationPlan, HoldsFewGroupsOfANetForAnyNumberOfLoops) {
  double work_per_loop = 0;
  for (int loops : {50, 250}) {
    const Problem problem = MakeProblem("ladder:bodies=" + std::to_string(4 * loops) +
                                        ",loops=" + std::to_string(loops) + ",width=2");
    const LoopPaths paths = PathsOfLoops(problem.system, MakeGroupTree<double>(problem.system));
    const LoopEliminationPlan plan =
        PlanLoopElimination(paths, std::vector<int>(static_cast<std::size_t>(loops), 3));
    EXPECT_LE(plan.slots, 8);
    EXPECT_EQ(plan.loops.size(), static_cast<std::size_t>(loops));
    if (work_per_loop > 0) {
      EXPECT_NEAR(plan.work / loops, work_per_loop, 0.05 * work_per_loop);
    }
    work_per_loop = plan.work / loops;
  }
}

struct Planned {
  LoopEliminationPlan plan;
  double seconds;  // of the processor, the least of three times
};
Planned PlanOf(const std::string& name) {
  const Problem problem = MakeProblem(name);
  const LoopPaths paths = PathsOfLoops(problem.system, MakeGroupTree<double>(problem.system));
  const std::vector<int> rows(problem.system.loop_joints.size(), 3);
  Planned planned{{}, std::numeric_limits<double>::infinity()};
  for (int repetition = 0; repetition < 3; ++repetition) {
    planned.seconds =
        std::min(planned.seconds,
                 ProcessorSeconds([&] { planned.plan = PlanLoopElimination(paths, rows); }));
  }
  return planned;
}

// Each of its three orders would hold a thousand groups, and would take a hundred times longer than a ladder that fits.
TEST(LoopEliminationPlan, AbandonsAnOrderOfAWideNetOnceItsFrontDoesNotFit) {
  const Planned fits = PlanOf("ladder:bodies=4000,loops=1000"),
                wide = PlanOf("ladder:bodies=4000,loops=1000,width=100");
  EXPECT_LE(fits.plan.slots, kMostSlots);
  EXPECT_GT(fits.plan.steps.size(), 3000u);
  EXPECT_GT(wide.plan.slots, kMostSlots);
  EXPECT_LE(wide.plan.steps.size(), 2u * kMostSlots);
  EXPECT_LT(wide.seconds, 20 * fits.seconds);
}

}  // namespace
}  // namespace mbsbench::articulated_body
