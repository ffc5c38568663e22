// The promises about accelerations and reactions at one state.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "harness/conform/tried_systems.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/checked_observe.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_loops.h"

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

// A mass without extent on the axis of its revolute joint, with oblique frames: no equation determines the angle.
TriedSystems WithoutInertiaAboutTheAxis() {
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
  return all;
}

// Rods that spin on a pin through their mass centres, on an arm; the inertia about the pin is a small part of the trace.
TriedSystems ThinRods() {
  TriedSystems all;
  for (const double ratio : {2 * kEnoughInertia, 1e-12, 1e-14}) {
    for (const Quaternion& axes : {Quaternion{}, Normalised({9, 3, -4, 5})}) {
      const Vector3 thin = Rotate(axes, {0, 0, 1});
      const double across = (1 - ratio) / 2, less = across - ratio;
      Body rod;
      rod.name = "rod";
      rod.mass = 1;
      rod.inertia = {{across - less * thin.x * thin.x, -less * thin.x * thin.y,
                      -less * thin.x * thin.z, across - less * thin.y * thin.y,
                      -less * thin.y * thin.z, across - less * thin.z * thin.z}};
      const Frame shoulder{{-0.5, 0, 0}, Normalised({1, 0.2, 0.3, 0.1})};
      all.push_back(OnAnArm(fmt::format("thin_rod_{}", all.size() + 1), rod,
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
      const Prepared prepared = PrepareAt(method, Given(tried), tried.state);
      Observation observation;
      if (!CheckedObserve(*prepared.formulation, tried.system, 0, prepared.y,
                          Detail::kAccelerations, observation)
               .ok())
        return {};
      return Fault("it gives accelerations where joint 'pin' has no inertia about its axis");
    } catch (const ModelError&) {  // refused when it was prepared or started
      return {};
    }
  }
  // The part of the trace that the last body's inertia about its joint is, both at the mass centre.
  const Vector3 axis = Rotate(tried.system.joints.back().child_frame.orientation, {0, 0, 1});
  const SymmetricMatrix3& J = tried.system.bodies.back().inertia;
  const double part = Dot(axis, J * axis) / (J(0, 0) + J(1, 1) + J(2, 2));
  // The search for a smaller system has left one that has accelerations and no thin rod at its end.
  if (!(part > 0 && part < 100 * kEnoughInertia)) return {};
  Ending ending;
  try {
    const Problem problem = ProblemOf(tried);
    ending = JudgeInitialState({{}, problem, InitialState(problem), method}, Detail::kAccelerations)
                 .ending;
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
  all.push_back(Gives("trees", "of 100 random trees of up to 40 bodies", kTenDigits, Trees));
  all.push_back(Gives("undamped-trees", "of 40 random trees without dampers", kTenDigits,
                      TreesWithoutDampers));
  all.push_back(Gives("planar-trees", "of 30 random trees in a plane", kTenDigits, PlanarTrees));
  all.push_back(Gives("light-and-far-trees",
                      "of trees of light bodies, and of trees far from the origin,", kTenDigits,
                      LightAndFarTrees));
  all.push_back(Gives("right-angles", "of trees with joints at right angles", kTenDigits,
                      TreesAtRightAngles));
  all.push_back(Gives("loops", "of 50 random systems of one to three loops", kNineDigits, Loops));
  all.push_back(About("redundant",
                      "gives accelerations and unique reactions of 15 mechanisms with redundant "
                      "constraints, turned or not, and marks what is not unique",
                      kTenDigits, RedundantOnes));
  all.push_back(About("braced-welds",
                      "takes joints between welded bodies for no constraint on the motion",
                      kTenDigits, BracedOnes));
  all.push_back(About("drivers-on-trees",
                      "holds driven joints of trees at their rates, with accelerations and "
                      "reactions to nine digits",
                      kNineDigits, DrivenTrees));
  all.push_back(About("drivers-on-loops",
                      "holds driven joints of loops at their rates, with accelerations and "
                      "reactions to nine digits",
                      kNineDigits, DrivenLoops));
  all.push_back(About("turns", "winds torsion springs up by the angle with all its turns",
                      kTenDigits, WoundWheels));
  all.push_back(
      {"no-inertia",
       "gives accelerations where a joint has 1e-11 of the inertia about its free axis, none "
       "where it has none, and no wrong ones between",
       "", [](const MethodChoice& method) {
         TriedSystems systems = WithoutInertiaAboutTheAxis();
         for (TriedSystem& rod : ThinRods()) systems.push_back(std::move(rod));
         return TryOnSystems(method, systems, 0, GivesAccelerations);
       }});
  all.push_back({"momentum", "changes momentum and angular momentum of free trees by gravity alone",
                 "imbalance of the inertia forces", [](const MethodChoice& method) {
                   return TryOnSystems(method, FreeTrees(), kTenDigits, MomentumImbalanceOf);
                 }});
  return all;
}

}  // namespace mbsbench
