// Alike subtrees in SIMD lanes, compared with the sweep of the whole tree group by group, for both methods that eliminate joint after joint.
#include "methods/tree_sweeps/alike_subtrees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/articulated_body/articulated_body.h"
#include "methods/articulated_body/sweeps.h"
#include "methods/interface/formulation.h"
#include "methods/riccati_mstmm/riccati_mstmm.h"
#include "methods/riccati_mstmm/sweeps.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

struct ArticulatedBody {
  using Sweep = articulated_body::Sweep<double>;
  using Alike = AlikeSubtrees<articulated_body::Sweep>;
  static MethodEntry Entry() { return ArticulatedBodyEntry(); }
};
struct RiccatiMstmm {
  using Sweep = RiccatiSweep<double>;
  using Alike = AlikeSubtrees<RiccatiSweep>;
  static MethodEntry Entry() { return RiccatiMstmmEntry(); }
};

template <class Method>
class AlikeSubtreesByMethod : public testing::Test {};
using Methods = testing::Types<ArticulatedBody, RiccatiMstmm>;
TYPED_TEST_SUITE(AlikeSubtreesByMethod, Methods);

// A random tree with `copies` of another one on bodies chosen at random or on the ground. The copies have the same joints but
// different masses, inertias, frames and states.
RandomTree ForestOfAlikeSubtrees(std::uint64_t seed, int copies, int bodies_of_each,
                                 const std::vector<JointType>& types) {
  RandomNumbers random(seed);
  RandomTree tree = MakeRandomTree(
      seed, {.bodies = 1 + random.Below(6), .types = types, .force_elements = false});
  const int trunk = static_cast<int>(tree.system.bodies.size());
  const RandomTree pattern = MakeRandomTree(
      seed + 1000, {.bodies = bodies_of_each, .types = types, .force_elements = false});
  for (int copy = 0; copy < copies; ++copy) {
    const int first = static_cast<int>(tree.system.bodies.size());
    const int carrier = random.Below(trunk + 1) - 1;  // -1: the ground
    for (std::size_t k = 0; k < pattern.system.bodies.size(); ++k) {
      Body body = pattern.system.bodies[k];
      Joint joint = pattern.system.joints[k];
      const double factor = random.Between(0.5, 2);
      body.name = joint.name = std::to_string(copy) + "_" + std::to_string(k);
      body.mass *= factor;
      for (double& entry : body.inertia.entries) entry *= factor;
      joint.parent = joint.parent == kGround ? carrier : first + joint.parent;
      joint.child = first + joint.child;
      joint.parent_frame.position = joint.parent_frame.position + random.Vector(0.5);
      joint.child_frame.position = joint.child_frame.position + random.Vector(0.5);
      tree.system.bodies.push_back(body);
      tree.system.joints.push_back(joint);
    }
    std::vector<double> q = pattern.state.joints.q, u = pattern.state.joints.u;
    const JointOffsets at = OffsetsOf(pattern.system);
    for (std::size_t k = 0; k < pattern.system.joints.size(); ++k) {
      const JointType type = pattern.system.joints[k].type;
      for (int i = 0; i < RateCount(type); ++i)
        u[static_cast<std::size_t>(at.u[k] + i)] = random.Between(-2, 2);
      const int quaternion = QuaternionOffset(type);
      for (int i = 0; i < (quaternion < 0 ? CoordinateCount(type) : quaternion); ++i)
        q[static_cast<std::size_t>(at.q[k] + i)] = random.Between(-1, 1);
      if (quaternion < 0) continue;
      const Quaternion turn = random.Rotation();
      double* to = q.data() + at.q[k] + quaternion;
      to[0] = turn.w, to[1] = turn.x, to[2] = turn.y, to[3] = turn.z;
    }
    tree.state.joints.q.insert(tree.state.joints.q.end(), q.begin(), q.end());
    tree.state.joints.u.insert(tree.state.joints.u.end(), u.begin(), u.end());
  }
  return tree;
}

std::vector<double> StateOf(const JointState& state) {
  std::vector<double> y(state.q);
  y.insert(y.end(), state.u.begin(), state.u.end());
  return y;
}

// Largest difference relative to the largest number.
double Difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
    if (!std::isfinite(a[i])) return std::numeric_limits<double>::infinity();
  }
  return difference / largest;
}

template <class Sweep>
std::vector<double> ByTheWholeSweep(const System& system, const std::vector<double>& y) {
  Sweep sweep(MakeGroupTree<double>(system), system.gravity);
  std::vector<double> ydot(y.size());
  sweep.PassMotion(y.data(), ydot.data());
  EXPECT_EQ(sweep.PassInertia(), 0);
  sweep.PassAcceleration(y.data(), ydot.data());
  return ydot;
}

TYPED_TEST(AlikeSubtreesByMethod, AgreeWithTheSweepGroupByGroup) {
  const std::vector<std::vector<JointType>> kinds{
      {JointType::kBall},
      {JointType::kRevolute},
      {JointType::kBall, JointType::kRevolute, JointType::kPrismatic},
      {JointType::kBall, JointType::kRevolute, JointType::kFixed, JointType::kFree}};
  int in_lanes = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const int copies = 4 + static_cast<int>(seed % 16);
    const RandomTree tree = ForestOfAlikeSubtrees(seed, copies, 1 + static_cast<int>(seed % 7),
                                                  kinds[seed % kinds.size()]);
    const auto groups = MakeGroupTree<double>(tree.system);
    const auto alike = TypeParam::Alike::Make(groups, tree.system.gravity);
    if (!alike) continue;
    ++in_lanes;
    const std::vector<double> y = StateOf(tree.state.joints);
    std::vector<double> ydot(y.size(), std::numeric_limits<double>::quiet_NaN());
    ASSERT_TRUE(alike->Evaluate(y.data(), ydot.data())) << "seed " << seed;
    EXPECT_LT(Difference(ydot, ByTheWholeSweep<typename TypeParam::Sweep>(tree.system, y)), 1e-12)
        << "seed " << seed;
  }
  EXPECT_GE(in_lanes, 30);  // the others have too few copies, or all their joints are fixed
}

TYPED_TEST(AlikeSubtreesByMethod, ObserveAndEvaluateTheSameAccelerations) {
  const Problem problem = MakeProblem("treeN:bodies=127");
  const auto groups = MakeGroupTree<double>(problem.system);
  const auto alike = TypeParam::Alike::Make(groups, problem.system.gravity);
  ASSERT_TRUE(alike);
  const std::vector<double> y = StateOf(problem.initial.joints);
  std::vector<double> ydot(y.size());
  ASSERT_TRUE(alike->Evaluate(y.data(), ydot.data()));
  typename TypeParam::Sweep sweep(groups, problem.system.gravity);
  sweep.PassMotion(y.data(), ydot.data());
  ASSERT_EQ(sweep.PassInertia(), 0);
  sweep.PassAcceleration(y.data(), ydot.data());
  for (int g = 1; g < sweep.group_count(); ++g) {
    const GroupAcceleration a = alike->acceleration(g);
    const Vec<double> da = a.a - sweep.acceleration_less_gravity(g);
    const Vec<double> dalpha = a.alpha - sweep.alpha(g);
    const Vec<double> turned = alike->motion(g).omega - sweep.motion(g).omega;
    EXPECT_LT(std::sqrt(Dot(da, da)), 1e-10) << "group " << g;
    EXPECT_LT(std::sqrt(Dot(dalpha, dalpha)), 1e-10) << "group " << g;
    EXPECT_LT(std::sqrt(Dot(turned, turned)), 1e-14) << "group " << g;
  }
}

TEST(AlikeSubtrees, OfABinaryTreeFormOneSetOfTheLargest) {
  const auto groups = MakeGroupTree<double>(MakeProblem("treeN:bodies=1023").system).groups;
  const std::vector<AlikeSet> sets = AlikeSets(groups);
  ASSERT_EQ(sets.size(), 1u);  // all subtrees below the bodies whose generation has as many
  for (const AlikeSet& set : sets) EXPECT_EQ(set.used, kBatchLanes);
}

TEST(AlikeSubtrees, DoNotExistOnAChain) {
  EXPECT_TRUE(
      AlikeSets(MakeGroupTree<double>(MakeProblem("chainN3d:bodies=1000").system).groups).empty());
}

TYPED_TEST(AlikeSubtreesByMethod, ReportANonFiniteStateAndAJointWithoutInertia) {
  Problem problem = MakeProblem("treeN:bodies=127");
  std::vector<double> y = StateOf(problem.initial.joints);
  std::vector<double> ydot(y.size());
  y[y.size() - 2] = std::numeric_limits<double>::quiet_NaN();
  const auto evaluate = [&] {
    const auto formulation = TypeParam::Entry().prepare(problem.system, {});
    return static_cast<OdeFormulation&>(*formulation).Evaluate(0, y, ydot);
  };
  EXPECT_EQ(evaluate().code, Status::Code::kNotFinite);
  EXPECT_TRUE(std::ranges::all_of(ydot, [](double a) { return std::isnan(a); }));

  y = StateOf(problem.initial.joints);
  problem.system.bodies[126].mass = 0;
  problem.system.bodies[126].inertia = Diagonal(0, 0, 0);
  const Status status = evaluate();
  EXPECT_EQ(status.code, Status::Code::kSingular);
  EXPECT_EQ(status.body, 126);
}

}  // namespace
}  // namespace mbsbench
