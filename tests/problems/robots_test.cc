// The robots of the catalogue have the freedoms, depths and masses that docs/robots.md states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "problems/model/topology.h"

namespace mbsbench {
namespace {

struct RobotFacts {
  const char* name;
  int freedoms, joints, depth;  // of the tree, a free base included
  double lightest, heaviest;    // [kg]
};
constexpr RobotFacts kRobotFacts[] = {{"arm7", 7, 7, 7, 1, 5},
                                      {"quadruped12", 18, 13, 4, 0.4, 30},
                                      {"humanoid30", 36, 31, 11, 0.2, 10},
                                      {"biped_loops", 12, 15, 6, 0.4, 20}};

TEST(Robots, HaveTheFreedomsDepthsAndMassesOfTheirTable) {
  for (const RobotFacts& facts : kRobotFacts) {
    const System s = MakeProblem(std::string("robots:") + facts.name).system;
    int freedoms = 0;
    for (const Joint& joint : s.joints) freedoms += RateCount(joint.type);
    for (const Joint& joint : s.loop_joints) freedoms -= ConstraintCount(joint.type);
    EXPECT_EQ(facts.freedoms, freedoms) << facts.name;
    EXPECT_EQ(facts.joints, std::ssize(s.joints)) << facts.name;
    const Topology tree = TopologyOf(s);
    std::vector<int> depth(s.bodies.size(), 1);
    for (const int body : tree.order) {
      const auto b = static_cast<std::size_t>(body);
      if (tree.parent[b] != kGround) depth[b] = depth[static_cast<std::size_t>(tree.parent[b])] + 1;
    }
    EXPECT_EQ(facts.depth, std::ranges::max(depth)) << facts.name;
    const auto [lightest, heaviest] = std::ranges::minmax(s.bodies, {}, &Body::mass);
    EXPECT_EQ(facts.lightest, lightest.mass) << facts.name;
    EXPECT_EQ(facts.heaviest, heaviest.mass) << facts.name;
  }
}

TEST(Robots, OfFourLegsHaveOuterLinksBelowATwentiethOfTheirBase) {
  const System s = MakeProblem("robots:quadruped12").system;
  for (std::size_t b = 1; b < s.bodies.size(); ++b)
    EXPECT_LT(s.bodies[b].mass, s.bodies[0].mass / 20) << s.bodies[b].name;
}

// No coordinate is adjusted: the parallelograms close at all angles. Only the second coordinates of their rods are zero.
TEST(Robots, StartClosedWithoutAdjustmentAndWithCoordinatesThatAreNotZero) {
  for (const RobotFacts& facts : kRobotFacts) {
    for (const char* state : {"", ",state=2"}) {
      const Problem p = MakeProblem(std::string("robots:") + facts.name + state);
      const auto bodies = ForwardKinematics(p.system, p.initial.joints);
      const ConstraintResidual open = ConstraintResiduals(p.system, bodies, 1, 1);
      EXPECT_LT(open.position, 1e-15) << p.name;
      EXPECT_LT(open.velocity, 1e-14) << p.name;
      for (const auto* numbers : {&p.initial.joints.q, &p.initial.joints.u})
        EXPECT_EQ(p.system.loop_joints.size(), std::ranges::count(*numbers, 0.)) << p.name;
    }
    EXPECT_NE(MakeProblem(std::string("robots:") + facts.name).initial.joints.q,
              MakeProblem(std::string("robots:") + facts.name + ",state=2").initial.joints.q);
  }
}

}  // namespace
}  // namespace mbsbench
