// Joints of several axes as chains of joints with one axis.
#include "methods/kinematics/single_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/model/kinematics.h"
#include "problems/model/validation.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

using testing::ElementsAre;

RandomTree Tree(std::uint64_t seed) {
  return MakeRandomTree(seed, {.bodies = 8, .types = AllTreeJointTypes()});
}

TEST(SingleAxes, KeepThePosesAndTheMotionOfTheBodies) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomTree tree = Tree(seed);
    const SingleAxes axes = OnSingleAxes(tree.system);
    Validate(axes.system);
    const auto bodies = ForwardKinematics(axes.system, tree.state.joints);
    for (std::size_t b = 0; b < tree.system.bodies.size(); ++b) {
      const BodyState& expected = tree.state.bodies[b];
      EXPECT_LT(Norm(bodies[b].position - expected.position), 1e-13);
      EXPECT_LT(AngleBetween(bodies[b].orientation, expected.orientation), 1e-13);
      EXPECT_LT(Norm(bodies[b].velocity - expected.velocity), 1e-12);
      EXPECT_LT(Norm(bodies[b].angular_velocity - expected.angular_velocity), 1e-12);
    }
    for (const Joint& joint : axes.system.joints) EXPECT_FALSE(HasSeveralAxes(joint.type));
    EXPECT_EQ(OffsetsOf(axes.system).q.back(), OffsetsOf(tree.system).q.back());
  }
}

TEST(SingleAxes, NameTheOriginalJointAndBodyOfEachReplacement) {
  System system;
  system.bodies = {{"a", 1, Diagonal(1, 1, 1), false, {}}, {"b", 1, Diagonal(1, 1, 1), false, {}}};
  Joint plane, hinge;
  plane.name = "plane";
  plane.type = JointType::kPlanar;
  hinge.name = "hinge";
  hinge.type = JointType::kRevolute;
  hinge.parent = 0, hinge.child = 1;
  system.joints = {plane, hinge};
  system.drivers = {{"motor", 1, 2}};
  system.forces.Of<JointSpringDamper>() = {{"spring", 1, 3, 0, 0}};
  const SingleAxes axes = OnSingleAxes(system);
  EXPECT_THAT(axes.original_joint, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(axes.original_body, ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(axes.last_joint, ElementsAre(2, 3));
  EXPECT_EQ(axes.system.drivers[0].joint, 3);
  EXPECT_EQ(axes.system.forces.Of<JointSpringDamper>()[0].joint, 3);
  EXPECT_EQ(axes.system.joints[2].name, "plane");
}

// A formulation that fails as requested, and observes the number of its bodies and joints.
class Failing final : public OdeFormulation {
 public:
  Failing(const System& system, Status status) : system_(system), status_(status) {}
  std::size_t state_size() const override { return 1; }
  Status Initialise(double, const SystemState& state, std::span<double>) override {
    bodies_ = state.bodies.size();
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation& o) override {
    o.bodies.resize(bodies_);
    o.accelerations.resize(bodies_);
    o.reactions.clear();
    for (std::size_t j = 0; j < system_.joints.size() + system_.loop_joints.size(); ++j)
      o.reactions.push_back({{static_cast<double>(j), 0, 0}, {}});
    return {};
  }
  Status Evaluate(double, std::span<const double>, std::span<double>) override { return status_; }

 private:
  System system_;
  Status status_;
  std::size_t bodies_ = 0;
};

TEST(SingleAxes, TranslateFailuresAndObservationsToTheOriginalSystem) {
  System system;
  system.bodies = {{"a", 1, Diagonal(1, 1, 1), false, {}}, {"b", 1, Diagonal(1, 1, 1), false, {}}};
  Joint cross, hinge, cut;
  cross.name = "cross";
  cross.type = JointType::kUniversal;
  hinge.name = "hinge";
  hinge.type = JointType::kBall;
  hinge.parent = 0, hinge.child = 1;
  cut.name = "cut";
  cut.child = 1;
  system.joints = {cross, hinge};
  system.loop_joints = {cut};
  const auto failing = [&](int joint, int body) {
    MethodEntry entry;
    entry.prepare = [=](const GivenSystem& prepared, const MethodOptions&) {
      EXPECT_EQ(prepared.scales().length, 5);
      EXPECT_EQ(prepared.mass(), 1);
      return std::make_unique<Failing>(prepared,
                                       Status{Status::Code::kSingular, joint, body, "no inertia"});
    };
    const auto formulation =
        OnSingleAxes(entry).prepare(GivenSystem(system, {.length = 5, .time = 2}), {});
    double y = 0, ydot = 0;
    const Status s = dynamic_cast<OdeFormulation&>(*formulation).Evaluate(0, {&y, 1}, {&ydot, 1});
    return std::pair(s.joint, s.body);
  };
  EXPECT_EQ(failing(0, -1), std::pair(0, -1));
  EXPECT_EQ(failing(1, 2), std::pair(0, 0));  // the link of the cross
  EXPECT_EQ(failing(2, 1), std::pair(1, 1));
  EXPECT_EQ(failing(3, -1), std::pair(2, -1));  // the cut

  MethodEntry entry;
  entry.prepare = [](const System& prepared, const MethodOptions&) {
    return std::make_unique<Failing>(prepared, Status{});
  };
  const auto formulation = OnSingleAxes(entry).prepare(system, {});
  EXPECT_FALSE(formulation->projection() || formulation->power()) << "the original has neither";
  EXPECT_TRUE(formulation->reactions());
  SystemState state{{{0.1, 0.2, 1, 0, 0, 0}, {1, 2, 0, 0, 0}}, {}};
  state.bodies = ForwardKinematics(system, state.joints);
  double y = 0;
  ASSERT_TRUE(formulation->Initialise(0, state, {&y, 1}).ok());
  Observation o;
  ASSERT_TRUE(formulation->Observe(0, {&y, 1}, Detail::kReactions, o).ok());
  EXPECT_EQ(o.bodies.size(), 2u);
  EXPECT_EQ(o.accelerations.size(), 2u);
  ASSERT_EQ(o.reactions.size(), 3u);
  EXPECT_EQ(o.reactions[0].force.x, 1);  // the last of the cross's two
  EXPECT_EQ(o.reactions[1].force.x, 2);
  EXPECT_EQ(o.reactions[2].force.x, 3);
}

}  // namespace
}  // namespace mbsbench
