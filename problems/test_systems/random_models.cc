#include "problems/test_systems/random_models.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "problems/test_systems/random_loops.h"

namespace mbsbench {

namespace {

std::vector<JointType> AnyTypes(RandomNumbers& random) {
  switch (random.Below(4)) {
    case 0: return {JointType::kRevolute};
    case 1: return {JointType::kBall, JointType::kRevolute};
    case 2: return SimpleJointTypes();
    default: return AllTreeJointTypes();
  }
}

double PowerOfTen(RandomNumbers& random, double least, double most) {
  return std::pow(10, random.Between(least, most));
}

// A tree of up to `most` bodies.
RandomTree AnyTree(RandomNumbers& random, int most) {
  RandomTreeOptions options;
  options.bodies = 1 + random.Below(most);
  options.types = AnyTypes(random);
  return MakeRandomTree(random.Bits(), options);
}

// Few bodies, so that one difficulty is not hidden by others.
RandomTree SmallTree(RandomNumbers& random) { return AnyTree(random, 12); }

void MoveBodies(RandomTree& tree) {
  tree.state.bodies = ForwardKinematics(tree.system, tree.state.joints);
}

RandomTree AllJointsAndForces(RandomNumbers& random) {
  if (random.Below(3) != 0) return AnyTree(random, 40);
  RandomTreeOptions options;
  options.bodies = 1 + random.Below(40);
  options.types = AllTreeJointTypes();
  options.further_elements = {ForceElement::kMotor, ForceElement::kBushing};
  return MakeRandomTree(random.Bits(), options);
}

RandomTree WithLoops(RandomNumbers& random) {
  RandomLoopOptions options;
  options.loops = 1 + random.Below(3);
  options.tree.bodies = 6 + random.Below(11);
  options.tree.types = AnyTypes(random);
  return MakeRandomLoops(random.Bits(), options);
}

RandomTree Deep(RandomNumbers& random) {
  RandomTreeOptions options;
  // Dense methods take a thousand times as long on the longest ones.
  const bool is_long = random.Below(16) == 0;
  options.bodies =
      static_cast<int>(is_long ? PowerOfTen(random, 2, 3) : PowerOfTen(random, 1.5, 2));
  options.types =
      random.Below(2) == 0 ? std::vector<JointType>{JointType::kBall} : AnyTypes(random);
  options.force_elements = false;
  options.chain_likelihood = 1;
  options.ground_likelihood = 0;
  return MakeRandomTree(random.Bits(), options);
}

RandomTree WithMassRatios(RandomNumbers& random) {
  RandomTree tree = SmallTree(random);
  for (Body& body : tree.system.bodies) {
    const double factor = PowerOfTen(random, -4.5, 4.5);
    body.mass *= factor;
    for (double& entry : body.inertia.entries) entry *= factor;
  }
  return tree;
}

RandomTree WithSmallInertias(RandomNumbers& random) {
  RandomTree tree = SmallTree(random);
  for (Joint& joint : tree.system.joints) {
    SymmetricMatrix3& inertia = tree.system.bodies[static_cast<std::size_t>(joint.child)].inertia;
    const double size = inertia(0, 0), small = PowerOfTen(random, -9, 0);
    switch (random.Below(3)) {
      case 0:
        for (double& entry : inertia.entries) entry *= small;
        break;
      case 1:
        inertia = InertiaOfRod(Rotate(random.Rotation(), {0, 0, 1}), size, small * size);
        break;
      default:
        inertia =
            InertiaOfRod(Rotate(joint.child_frame.orientation, {0, 0, 1}), size, small * size);
        joint.child_frame.position = {};
    }
  }
  MoveBodies(tree);
  return tree;
}

RandomTree WithFastSpins(RandomNumbers& random) {
  RandomTree tree = SmallTree(random);
  for (double& rate : tree.state.joints.u) rate *= PowerOfTen(random, 0, 4);
  MoveBodies(tree);
  return tree;
}

RandomTree WithHardSprings(RandomNumbers& random) {
  struct Harden : FieldVisitor {
    void Number(std::string_view, Quantity quantity, double& value) const {
      if (IsStiffness(quantity)) value *= PowerOfTen(random, 0, 6);
    }
    RandomNumbers& random;
  };
  RandomTree tree = SmallTree(random);
  tree.system.forces.ForEach([&](auto& element) { VisitFields(element, Harden{{}, random}); });
  for (SpringDamper& spring : tree.system.forces.Of<SpringDamper>())
    spring.free_length *= random.Below(3) - 1;
  return tree;
}

RandomTree WithDrivers(RandomNumbers& random) {
  RandomTree tree = AnyTree(random, 20);
  DriveSome(random, tree);
  return tree;
}

}  // namespace

SymmetricMatrix3 InertiaOfRod(const Vector3& n, double across, double about) {
  const double less = across - about, along[3] = {n.x, n.y, n.z};
  SymmetricMatrix3 inertia;
  for (int i = 0; i < 3; ++i) {
    for (int k = i; k < 3; ++k) inertia(i, k) = (i == k ? across : 0) - less * along[i] * along[k];
  }
  return inertia;
}

const std::vector<RandomModelKind>& RandomModelKinds() {
  static const std::vector<RandomModelKind> kinds{{"trees", AllJointsAndForces},
                                                  {"loops", WithLoops},
                                                  {"deep", Deep},
                                                  {"mass-ratios", WithMassRatios},
                                                  {"inertias", WithSmallInertias},
                                                  {"fast-spins", WithFastSpins},
                                                  {"springs", WithHardSprings},
                                                  {"drivers", WithDrivers}};
  return kinds;
}

bool IsDrivable(JointType type) {
  return type == JointType::kRevolute || type == JointType::kPrismatic;
}

void DriveSome(RandomNumbers& random, RandomTree& tree) {
  const JointOffsets at = OffsetsOf(tree.system);
  std::vector<std::size_t> candidates;
  for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
    if (IsDrivable(tree.system.joints[j].type)) candidates.push_back(j);
  }
  for (const std::size_t j : candidates) {
    const bool is_last = j == candidates.back() && tree.system.drivers.empty();
    if (!is_last && random.Below(3) != 0) continue;
    const double rate = tree.state.joints.u[static_cast<std::size_t>(at.u[j])];
    tree.system.drivers.push_back(
        {"driver_" + std::to_string(j), static_cast<int>(j), {.rate = rate}});
  }
}

}  // namespace mbsbench
