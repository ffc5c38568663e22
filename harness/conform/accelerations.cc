// The promises about accelerations and reactions at one state.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "harness/conform/tried_systems.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/random_models.h"

namespace mbsbench {

namespace {

// Methods keep ten digits on trees, and nine where loops may be nearly dependent or drivers may oppose each other.
constexpr double kTenDigits = 1e-10, kNineDigits = 1e-9;

// An inertia about a free axis above this part of the whole is enough for every method.
constexpr double kEnoughInertia = 1e-11;

Promise About(const std::string& name, const std::string& statement, double bound,
              const std::function<TriedSystems()>& systems) {
  return {name, statement, "error of accelerations and reactions",
          [bound, systems](const MethodChoice& method) {
            Finding finding = TryOnSystems(method, systems(), bound);
            if (finding.standing == Standing::kHeld && method.form() == Form::kTimeStepper)
              finding.reason = "of what it observes: first-steps tries its steps";
            return finding;
          }};
}

// To as many digits as the bound has.
Promise Gives(const std::string& name, const std::string& of_what, double bound,
              const std::function<TriedSystems()>& systems) {
  return About(name,
               fmt::format("gives accelerations and reactions {} to {} digits", of_what,
                           bound == kTenDigits ? "ten" : "nine"),
               bound, systems);
}

std::string Hyphenated(std::string_view words) {
  std::string name(words);
  for (char& c : name) c = c == ' ' || c == '_' ? '-' : c;
  return name;
}

// A body on an arm that hangs on the ground, by revolute joints in these frames: parent's and child's of the shoulder, then of the
// pin.
TriedSystem OnAnArm(std::string name, Body body, const std::array<Frame, 4>& frames,
                    const JointState& joints) {
  Body arm;
  arm.name = "arm";
  arm.mass = 1;
  arm.inertia = Diagonal(0.1, 0.2, 0.15);
  TriedSystem tried;
  tried.name = std::move(name);
  tried.system.bodies = {arm, std::move(body)};
  tried.system.joints = {{"shoulder", JointType::kRevolute, kGround, 0, frames[0], frames[1]},
                         {"pin", JointType::kRevolute, 0, 1, frames[2], frames[3]}};
  tried.state.joints = joints;
  tried.state.bodies = ForwardKinematics(tried.system, joints);
  return tried;
}

// First masses without extent on the axis of their revolute joint, with oblique frames: no equation determines the angle. Then rods
// that spin on a pin through their mass centres, on an arm; the inertia about the pin is a small part of the trace.
TriedSystems WithLittleOrNoInertia() {
  TriedSystems all;
  Body point;
  point.name = "point";
  point.mass = 2;
  for (int k = 0; k < 10; ++k) {
    RandomNumbers random(static_cast<std::uint64_t>(k) + 1);
    const auto between = [&random] { return random.Between(-1, 1); };
    const auto frame = [&between] {
      return Frame{{between(), between(), between()},
                   Normalised({between(), between(), between(), between()})};
    };
    const std::array<Frame, 4> frames{frame(), frame(), frame(), Frame{{0, 0, -0.7}, {}}};
    const JointState joints{{between(), between()}, {between(), between()}};
    all.push_back(OnAnArm(fmt::format("no_inertia_{}", k + 1), point, frames, joints));
  }
  int rods = 0;
  for (const double ratio : {2 * kEnoughInertia, 1e-12, 1e-14}) {
    for (const Quaternion& axes : {Quaternion{}, Normalised({9, 3, -4, 5})}) {
      Body rod;
      rod.name = "rod";
      rod.mass = 1;
      rod.inertia = InertiaOfRod(Rotate(axes, {0, 0, 1}), (1 - ratio) / 2, ratio);
      const Frame shoulder{{-0.5, 0, 0}, Normalised({1, 0.2, 0.3, 0.1})};
      all.push_back(OnAnArm(fmt::format("thin_rod_{}", ++rods), rod,
                            {Frame{}, shoulder, Frame{}, Frame{{}, axes}}, {{0.4, 0.3}, {1, 2}}));
      all.back().system.gravity = {0, -9.81, 0};
    }
  }
  return all;
}

// Accelerations that exist are found if there is enough inertia; wrong ones are never given without a warning.
Deviation GivesAccelerations(const MethodChoice& method, const TriedSystem& tried) {
  try {
    tried.Truth();
  } catch (const NoAccelerations&) {
    try {
      ObserveAt(CellOf(tried, method), tried.state, Detail::kAccelerations);
    } catch (const ModelError&) {  // refused when it was prepared, or evaluated
      return {};
    }
    return Fault("it gives accelerations where joint 'pin' has no inertia about its axis");
  }
  // The part of the trace that the last body's inertia about its joint is, both at the mass centre.
  const Vector3 axis = Rotate(tried.system.joints.back().child_frame.orientation, {0, 0, 1});
  const SymmetricMatrix3& J = tried.system.bodies.back().inertia;
  const double part = Dot(axis, J * axis) / (J(0, 0) + J(1, 1) + J(2, 2));
  // The search for a smaller system has left one that has accelerations and no thin rod at its end.
  if (!(part > 0 && part < 100 * kEnoughInertia)) return {};
  Ending ending;
  try {
    ending = JudgeInitialState(CellOf(tried, method), Detail::kAccelerations).ending;
  } catch (const EvaluationFailed& failed) {
    ending = failed.ending;
  }
  const bool is_solved = ending.outcome == Outcome::kOk, has_enough = part > kEnoughInertia;
  if (is_solved || (!has_enough && ending.outcome != Outcome::kWrongEquations)) return {};
  return Fault(ending.reason);
}

}  // namespace

std::vector<Promise> AccelerationPromises() {
  std::vector<Promise> all;
  for (JointType type : AllTreeJointTypes()) {
    all.push_back(Gives("tree-joint-" + Hyphenated(Name(type)),
                        fmt::format("of trees with {} joints", Name(type)), kTenDigits,
                        [type] { return TreesWith(type); }));
  }
  ForceElements::ForEachLaw([&]<class Law>(std::type_identity<Law>) {
    const std::string name = Hyphenated(Law::kWords);
    all.push_back(Gives("force-" + name, "under force elements of the kind " + name, kTenDigits,
                        [] { return TreesWith(Law::kKind); }));
  });
  for (JointType type : RandomLoopOptions{}.loop_types) {
    all.push_back(Gives("loop-joint-" + Hyphenated(Name(type)),
                        fmt::format("of loops closed by a {} joint", Name(type)), kNineDigits,
                        [type] { return LoopsWith(type); }));
  }
  all.insert(
      all.end(),
      {Gives("trees", "of 100 random trees of up to 40 bodies", kTenDigits, Trees),
       Gives("undamped-trees", "of 40 random trees without dampers", kTenDigits,
             TreesWithoutDampers),
       Gives("planar-trees", "of 30 random trees in a plane", kTenDigits, PlanarTrees),
       Gives("light-and-far-trees", "of trees of light bodies, and of trees far from the origin,",
             kTenDigits, LightAndFarTrees),
       Gives("right-angles", "of trees with joints at right angles", kTenDigits,
             TreesAtRightAngles),
       Gives("loops", "of 50 random systems of one to three loops", kNineDigits, Loops),
       About(
           "redundant",
           "gives accelerations and unique reactions of 15 mechanisms with redundant constraints, "
           "turned or not, and marks what is not unique",
           kTenDigits, RedundantOnes),
       About("braced-welds", "takes joints between welded bodies for no constraint on the motion",
             kTenDigits, BracedOnes),
       About("drivers-on-trees",
             "holds driven joints of trees at their rates, with accelerations and reactions to "
             "nine digits",
             kNineDigits, DrivenTrees),
       About("drivers-on-loops",
             "holds driven joints of loops at their rates, with accelerations and reactions to "
             "nine digits",
             kNineDigits, DrivenLoops),
       About("turns", "winds torsion springs up by the angle with all its turns", kTenDigits,
             WoundWheels),
       {"no-inertia",
        "gives accelerations where a joint has 1e-11 of the inertia about its free axis, none "
        "where it has none, and no wrong ones between",
        "",
        [](const MethodChoice& method) {
          return TryOnSystems(method, WithLittleOrNoInertia(), 0, GivesAccelerations);
        }},
       {"momentum", "changes momentum and angular momentum of free trees by gravity alone",
        "imbalance of the inertia forces", [](const MethodChoice& method) {
          return TryOnSystems(method, FreeTrees(), kTenDigits, MomentumImbalanceOf);
        }}});
  return all;
}

}  // namespace mbsbench
