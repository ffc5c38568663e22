// Rigid groups of bodies, compared with the model's poses of each body.
#include "methods/kinematics/rigid_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// Half of all joints are fixed.
RandomTree TreeWithFixedJoints(int seed) {
  return MakeRandomTree(
      static_cast<std::uint64_t>(seed),
      {.bodies = 30,
       .types = {JointType::kFixed, JointType::kBall, JointType::kFixed, JointType::kRevolute,
                 JointType::kFixed, JointType::kPrismatic}});
}

// The state of a group is that of its body nearest the root.
BodyState StateOf(const RigidGroups& rigid, int group, const std::vector<BodyState>& bodies) {
  return group == 0 ? BodyState{} : bodies[At(rigid.bodies[At(group)].front())];
}

class RigidGroupsOfRandomTrees : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RigidGroupsOfRandomTrees, testing::Range(1, 9));

TEST_P(RigidGroupsOfRandomTrees, PlaceTheirBodiesWhereTheModelDoes) {
  const RandomTree tree = TreeWithFixedJoints(GetParam());
  const RigidGroups rigid = MakeRigidGroups(tree.system);
  ASSERT_LT(rigid.groups.size(), tree.system.bodies.size());
  for (std::size_t b = 0; b < tree.system.bodies.size(); ++b) {
    const Frame& placement = rigid.FrameOf(static_cast<int>(b));
    const BodyState group = StateOf(rigid, rigid.placements[b].group, tree.state.bodies);
    const BodyState& body = tree.state.bodies[b];
    EXPECT_LT(Norm(group.position + Rotate(group.orientation, placement.position) - body.position),
              1e-13);
    EXPECT_LT(AngleBetween(group.orientation * placement.orientation, body.orientation), 1e-13);
  }
}

TEST_P(RigidGroupsOfRandomTrees, PlaceTheirJointFramesWhereTheBodiesDo) {
  const RandomTree tree = TreeWithFixedJoints(GetParam());
  const RigidGroups rigid = MakeRigidGroups(tree.system);
  for (std::size_t g = 1; g < rigid.groups.size(); ++g) {
    const RigidGroup& group = rigid.groups[g];
    const Joint& joint = tree.system.joints[At(group.joint)];
    EXPECT_EQ(group.type, joint.type);
    EXPECT_EQ(rigid.bodies[g].front(), joint.child);
    const auto place = [&](const BodyState& of, const Frame& frame) {
      return of.position + Rotate(of.orientation, frame.position);
    };
    const BodyState parent = StateOf(rigid, group.parent, tree.state.bodies);
    const BodyState parent_body =
        joint.parent == kGround ? BodyState{} : tree.state.bodies[At(joint.parent)];
    const Frame on_parent = rigid.FrameOnParent(joint);
    EXPECT_LT(Norm(place(parent, on_parent) - place(parent_body, joint.parent_frame)), 1e-13);
    EXPECT_LT(AngleBetween(parent.orientation * on_parent.orientation,
                           parent_body.orientation * joint.parent_frame.orientation),
              1e-13);
  }
}

void ExpectParentsBeforeChildren(const RigidGroups& rigid) {
  std::size_t children = 0, bodies = 0;
  for (std::size_t g = 0; g < rigid.groups.size(); ++g) {
    if (g > 0) {
      EXPECT_LT(At(rigid.groups[g].parent), g);
    }
    for (int child : rigid.children[g]) {
      EXPECT_EQ(At(rigid.groups[At(child)].parent), g);
      ++children;
    }
    for (int body : rigid.bodies[g]) {
      EXPECT_EQ(At(rigid.placements[At(body)].group), g);
      ++bodies;
    }
  }
  EXPECT_EQ(children, rigid.groups.size() - 1);
  EXPECT_EQ(bodies, rigid.placements.size());
}

TEST_P(RigidGroupsOfRandomTrees, FollowTheirParentsAlsoInANewOrder) {
  RigidGroups rigid = MakeRigidGroups(TreeWithFixedJoints(GetParam()).system);
  ExpectParentsBeforeChildren(rigid);
  // Depth first, the last child first.
  std::vector<int> order, waiting{0};
  while (!waiting.empty()) {
    const int g = waiting.back();
    waiting.pop_back();
    order.push_back(g);
    const std::span<const int> children = rigid.children[At(g)];
    waiting.insert(waiting.end(), children.begin(), children.end());
  }
  const std::vector<RigidGroup> before = rigid.groups;
  rigid.Reorder(order);
  ExpectParentsBeforeChildren(rigid);
  for (std::size_t k = 0; k < order.size(); ++k) {
    EXPECT_EQ(rigid.groups[k].joint, before[At(order[k])].joint);
  }
}

}  // namespace
}  // namespace mbsbench
