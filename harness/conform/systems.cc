#include "harness/conform/systems.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "problems/model/kinematics.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/random_models.h"
#include "problems/test_systems/redundant_mechanisms.h"

namespace mbsbench {

namespace {

std::size_t Place(int i) { return static_cast<std::size_t>(i); }

Quaternion QuarterTurns(RandomNumbers& random) {
  const double half = std::sqrt(0.5);
  const Quaternion quarters[] = {{half, half, 0, 0}, {half, 0, half, 0}, {half, 0, 0, half}};
  Quaternion q;
  for (int i = random.Below(5); i > 0; --i) q = q * quarters[random.Below(3)];
  return q;
}

Quaternion AboutZ(RandomNumbers& random) {
  return AxisAngle({0, 0, 1}, random.Below(2) == 0 ? 0 : random.Between(-3, 3));
}

RandomTree TreeAtRightAngles(std::uint64_t seed) {
  RandomTree tree = MakeRandomTree(
      seed,
      {.bodies = 12, .types = {JointType::kRevolute, JointType::kPrismatic, JointType::kBall}});
  RandomNumbers random(seed);
  for (Joint& joint : tree.system.joints) {
    joint.parent_frame.orientation = QuarterTurns(random) * AboutZ(random);
    joint.child_frame.orientation = QuarterTurns(random) * AboutZ(random);
  }
  for (Body& body : tree.system.bodies)
    body.inertia = Diagonal(body.inertia(0, 0), body.inertia(1, 1), body.inertia(2, 2));
  tree.state.bodies = ForwardKinematics(tree.system, tree.state.joints);
  return tree;
}

// Takes mass and inertia from driven bodies that carry no others, as of pointers and indicators.
void TakeInertiaFromDrivenLeaves(RandomTree& tree) {
  for (const Driver& driver : tree.system.drivers) {
    const int child = tree.system.joints[Place(driver.joint)].child;
    const bool is_leaf = std::ranges::none_of(
        tree.system.joints, [child](const Joint& j) { return j.parent == child; });
    if (!is_leaf) continue;
    tree.system.bodies[Place(child)].mass = 0;
    tree.system.bodies[Place(child)].inertia = {};
  }
}

// Whether the drivers leave enough rates free to keep the loops closed. The singular values without the driven
// columns are compared with those of all columns: a loop whose rates are all driven leaves only round-off.
bool DriversLeaveLoopsFree(const RandomTree& tree) {
  Eigen::MatrixXd rows = LoopJacobian(tree.system, tree.state.joints);
  const double size = rows.jacobiSvd().singularValues()[0];
  const JointOffsets at = OffsetsOf(tree.system);
  for (const Driver& d : tree.system.drivers) rows.col(at.u[Place(d.joint)]).setZero();
  const Eigen::VectorXd left = rows.jacobiSvd().singularValues();
  return left[left.size() - 1] > 0.02 * size;
}

std::string Numbered(const std::string& name, std::size_t number) {
  return name + "-" + std::to_string(number);
}

using Made = std::optional<RandomTree>;  // empty: none is made

// Made by so many numbers from `first` on.
template <class Make>
TriedSystems Series(const std::string& name, std::size_t first, std::size_t count, Make make) {
  TriedSystems all;
  for (std::size_t k = first; k < first + count; ++k) {
    if (const Made made = make(k)) all.push_back(Tried(Numbered(name, k), *made));
  }
  return all;
}

// So many, made by the first seeds from `seed` on that give any; `make` is told the number too.
template <class Make>
TriedSystems Found(const std::string& name, std::size_t count, std::uint64_t seed, Make make) {
  TriedSystems all;
  for (; all.size() < count; ++seed) {
    if (const Made made = make(seed, all.size()))
      all.push_back(Tried(Numbered(name, all.size()), *made));
  }
  return all;
}

// Trees in which further joints connect two welded bodies. They change no motion and leave the forces in the
// assembly undetermined.
TriedSystems Braced() {
  const RandomTree random = MakeRandomTree(
      78, {.bodies = 10, .types = {JointType::kBall, JointType::kRevolute, JointType::kFixed}});
  const auto welded = std::find_if(
      random.system.joints.begin(), random.system.joints.end(),
      [](const Joint& j) { return j.type == JointType::kFixed && j.parent != kGround; });
  RandomNumbers numbers(5);
  TriedSystems all;
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kDistance}) {
    TriedSystem braced = Tried("braced-by-" + std::string(Name(type)), random);
    for (int k = 0; k < 2; ++k) {
      Joint brace =
          MakeClosedJoint(numbers, type, welded->parent, welded->child, random.state.bodies);
      brace.name = "brace_" + std::to_string(k);
      braced.system.loop_joints.push_back(brace);
    }
    all.push_back(std::move(braced));
  }
  return all;
}

struct WithoutDamping : FieldVisitor {
  void Number(std::string_view, Quantity quantity, double& value) const {
    if (IsDamping(quantity)) value = 0;
  }
};

}  // namespace

const TriedSystems& Trees() {
  constexpr std::size_t kTrees = 100, kMostBodies = 40;
  static const TriedSystems all = Series("tree", 0, kTrees, [](std::size_t k) {
    return MakeRandomTree(1000 + k,
                          {.bodies = static_cast<int>(1 + k * (kMostBodies - 1) / (kTrees - 1)),
                           .types = k % 2 == 1 ? AllTreeJointTypes() : SimpleJointTypes()});
  });
  return all;
}

const TriedSystems& TreesAtRightAngles() {
  static const TriedSystems all = Series("right-angles", 1, 30, TreeAtRightAngles);
  return all;
}

const TriedSystems& Loops() {
  constexpr std::size_t kSystems = 50, kMostBodies = 40;
  static const TriedSystems all = Series("loops", 0, kSystems, [](std::size_t k) {
    RandomLoopOptions options;
    options.loops = static_cast<int>(1 + k % 3);
    if (k % 4 == 1) options.tree.types = AllTreeJointTypes();
    options.tree.bodies = static_cast<int>(4 + k * (kMostBodies - 4) / (kSystems - 1));
    return MakeRandomLoops(3000 + k, options);
  });
  return all;
}

const TriedSystems& RedundantOnes() {
  static const TriedSystems all = [] {
    const Quaternion turn = Normalised(Quaternion{0.8, -0.3, 0.5, 0.2});
    TriedSystems systems;
    for (const RedundantMechanism& printed : RedundantMechanisms()) {
      const RedundantMechanism turned = Turned(printed, turn);
      RedundantMechanism tilted = turned;  // gravity then moves the free joints
      tilted.system.gravity = printed.system.gravity;
      for (const auto& [one, how] :
           {std::pair{&printed, ""}, {&turned, "-turned"}, {&tilted, "-tilted"}}) {
        systems.push_back(Tried(one->name + how, {one->system, one->state}));
        systems.back().length = one->length;
      }
    }
    return systems;
  }();
  return all;
}

const TriedSystems& BracedOnes() {
  static const TriedSystems all = Braced();
  return all;
}

TriedSystems TreesWith(JointType type) {
  std::vector<int> bodies{1, 1, 2, 3, 5, 8};
  if (type == JointType::kFixed) std::erase(bodies, 1);  // no motion
  const std::uint64_t seed = 10'000 + 100 * static_cast<std::uint64_t>(type);
  return Found(
      std::string(Name(type)), bodies.size(), seed, [&](std::uint64_t s, std::size_t k) -> Made {
        RandomTreeOptions options{.bodies = bodies[k], .types = {type}, .force_elements = false};
        if (bodies[k] > 1) options.types.push_back(JointType::kRevolute);
        RandomTree tree = MakeRandomTree(s, options);
        const auto lacks = [&joints = tree.system.joints](JointType wanted) {
          return std::ranges::find(joints, wanted, &Joint::type) == joints.end();
        };
        if (lacks(type) || (type == JointType::kFixed && lacks(JointType::kRevolute))) return {};
        return tree;
      });
}

TriedSystems LoopsWith(JointType type) {
  static constexpr int kBodies[] = {4, 5, 6, 8, 10};
  const std::string name = "loop-" + std::string(Name(type));
  return Series(name, 0, std::size(kBodies), [type](std::size_t k) {
    return MakeRandomLoops(
        20'000 + 100 * static_cast<std::uint64_t>(type) + k,
        {.tree = {.bodies = kBodies[k], .force_elements = false}, .loop_types = {type}});
  });
}

TriedSystems TreesWith(ForceElement kind) {
  static constexpr int kBodies[] = {1, 2, 4, 4, 8, 8};
  return Found(
      "element", std::size(kBodies), 30'000, [kind](std::uint64_t s, std::size_t k) -> Made {
        RandomTreeOptions options{.bodies = kBodies[k], .further_elements = {kind}};
        if (k < 3) options.types = {JointType::kRevolute};
        const bool pushes = kind == ForceElement::kMotor && k == 5;
        if (pushes) options.types = {JointType::kRevolute, JointType::kCylindrical};
        RandomTree tree = MakeRandomTree(s, options);
        ForceElements& forces = tree.system.forces;
        forces.ForEachList([kind]<class Law>(std::vector<Law>& list) {
          if (Law::kKind != kind) list.clear();
        });
        const auto pushes_a_cylinder = [&joints = tree.system.joints](const Motor& motor) {
          return !motor.turns && joints[Place(motor.joint)].type == JointType::kCylindrical;
        };
        if (forces.empty() ||
            (pushes && std::ranges::none_of(forces.Of<Motor>(), pushes_a_cylinder)))
          return {};
        return tree;
      });
}

const TriedSystems& PlanarTrees() {
  static const TriedSystems all = Series("planar-tree", 0, 30, [](std::size_t k) {
    RandomTreeOptions options{.bodies = static_cast<int>(1 + k / 4),
                              .types = {JointType::kRevolute},
                              .force_elements = k % 2 == 1,
                              .planar = true};
    if (k % 3 == 2 && k > 6) options.types.push_back(JointType::kFixed);
    return MakeRandomTree(50'000 + k, options);
  });
  return all;
}

const TriedSystems& TreesWithoutDampers() {
  static const TriedSystems all = Series("undamped-tree", 0, 40, [](std::size_t k) {
    RandomTreeOptions options{.bodies = static_cast<int>(1 + k / 4), .force_elements = k % 2 == 1};
    if (k % 4 < 2) options.types = {JointType::kBall, JointType::kRevolute};
    RandomTree tree = MakeRandomTree(60'000 + k, options);
    tree.system.forces.Of<AppliedForce>().clear();
    tree.system.forces.ForEach([](auto& element) { VisitFields(element, WithoutDamping{}); });
    return tree;
  });
  return all;
}

const TriedSystems& LightAndFarTrees() {
  static const TriedSystems all = [] {
    constexpr double kLight = 1e-3;
    const Vector3 away{30, -28, 26};  // [m]
    TriedSystems trees;
    for (JointType type : AllTreeJointTypes()) {
      TriedSystem light = TreesWith(type).at(2), far = light;
      light.name += "-light";
      for (Body& body : light.system.bodies) {
        body.mass *= kLight;
        for (double& entry : body.inertia.entries) entry *= kLight;
      }
      far.name += "-far";
      for (Joint& joint : far.system.joints) {
        if (joint.parent == kGround)
          joint.parent_frame.position = joint.parent_frame.position + away;
      }
      far.state.bodies = ForwardKinematics(far.system, far.state.joints);
      for (TriedSystem* tree : {&light, &far}) trees.push_back(std::move(*tree));
    }
    return trees;
  }();
  return all;
}

const TriedSystems& WoundWheels() {
  static constexpr double kAngles[] = {0.5, 3.5, 10, -30, 100};
  static const TriedSystems all = Series("wheel", 0, std::size(kAngles), [](std::size_t k) {
    RandomTree wheel;
    Body& disc = wheel.system.bodies.emplace_back();
    disc.name = "wheel";
    disc.mass = 1;
    disc.inertia = Diagonal(1, 1, 1);
    Joint& axle = wheel.system.joints.emplace_back();
    axle.name = "axle";
    axle.type = JointType::kRevolute;
    wheel.system.forces.Of<JointSpringDamper>() = {{"spring", 0, 4, 0, 0}};
    wheel.state.joints = {{kAngles[k]}, {0}};
    wheel.state.bodies = ForwardKinematics(wheel.system, wheel.state.joints);
    return wheel;
  });
  return all;
}

const TriedSystems& DrivenTrees() {
  static const TriedSystems all = Series("driven-tree", 0, 60, [](std::size_t k) -> Made {
    RandomTree tree = MakeRandomTree(5000 + k, {.bodies = static_cast<int>(1 + k / 2)});
    RandomNumbers numbers(6000 + k);
    DriveSome(numbers, tree);
    if (k % 3 == 2) TakeInertiaFromDrivenLeaves(tree);
    if (tree.system.drivers.empty()) return {};
    return tree;
  });
  return all;
}

const TriedSystems& DrivenLoops() {
  static const TriedSystems all = Series("driven-loops", 0, 60, [](std::size_t k) -> Made {
    RandomLoopOptions options;
    options.tree.bodies = static_cast<int>(6 + k / 3);
    options.loops = static_cast<int>(1 + k % 3);
    RandomTree tree = MakeRandomLoops(7000 + k, options);
    RandomNumbers numbers(8000 + k);
    DriveSome(numbers, tree);
    if (tree.system.drivers.empty() || !DriversLeaveLoopsFree(tree)) return {};
    return tree;
  });
  return all;
}

const TriedSystems& FreeTrees() {
  static const TriedSystems all =
      Found("free-tree", 20, 40'000, [](std::uint64_t seed, std::size_t k) -> Made {
        RandomTree tree =
            MakeRandomTree(seed, {.bodies = static_cast<int>(1 + k), .ground_likelihood = 0});
        System& s = tree.system;
        if (std::ranges::find(s.joints, kGround, &Joint::parent)->type != JointType::kFree)
          return {};
        s.forces.Of<AppliedForce>().clear();
        s.forces.Of<GroundSpring>().clear();
        std::erase_if(s.forces.Of<SpringDamper>(),
                      [](const SpringDamper& e) { return e.body_a == kGround; });
        return tree;
      });
  return all;
}

const TriedSystems& Samples() {
  static const TriedSystems all = [] {
    TriedSystems few = TreesWith(JointType::kRevolute);
    few.resize(3);
    few.push_back(TreesWith(JointType::kBall).front());
    const auto take = [&few](const TriedSystems& from, std::initializer_list<std::size_t> places) {
      for (std::size_t place : places) few.push_back(from.at(place));
    };
    take(Trees(), {8, 15, 26});
    take(PlanarTrees(), {2, 9, 14});
    take(Loops(), {0, 2, 5});
    take(DrivenTrees(), {6, 13});
    take(DrivenLoops(), {0});
    return few;
  }();
  return all;
}

const TriedSystems& TreesWithJointSprings() {
  static const TriedSystems all = Series("sprung-tree", 1, 40, [](std::size_t seed) {
    RandomTree tree = MakeRandomTree(seed, {.bodies = 25, .force_elements = false});
    RandomNumbers random(seed + 100);
    const JointOffsets at = OffsetsOf(tree.system);
    for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
      if (!IsDrivable(tree.system.joints[j].type)) continue;
      const int joint = static_cast<int>(j);
      if (seed % 2 == 0 && random.Below(2) == 0)
        tree.system.drivers.push_back(
            {"driver_" + std::to_string(j), joint, tree.state.joints.u[Place(at.u[j])]});
      if (random.Below(2) == 0)
        tree.system.forces.Of<JointSpringDamper>().push_back(
            {"spring_" + std::to_string(j), joint, 100, 3, 0.2});
    }
    return tree;
  });
  return all;
}

}  // namespace mbsbench
