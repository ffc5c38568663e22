// The promises of the catalogue: every listed instance builds, is valid and starts closed, and bad names
// are refused with advice.
#include "problems/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/topology.h"
#include "problems/model/validation.h"

namespace mbsbench {
namespace {

TEST(Catalogue, EveryListedInstanceIsValidAndStartsClosed) {
  for (const ProblemFamily& family : AllProblems()) {
    for (const std::string& instance : family.instances) {
      SCOPED_TRACE(instance);
      const Problem p = MakeProblem(instance);
      EXPECT_EQ(p.name, instance);
      EXPECT_NO_THROW(Validate(p.system));
      const Assembly a = Assemble(p.system, p.initial, p.length);
      EXPECT_LE(ConstraintResiduals(p.system, a.state.bodies, p.length, p.time).position, 1e-13);
      EXPECT_EQ(p.sample_times.front(), 0);
      if (p.system.rope_flight) {  // may end by an event before
        EXPECT_LE(p.sample_times.back(), p.end_time);
      } else {
        EXPECT_DOUBLE_EQ(p.sample_times.back(), p.end_time);
      }
      // If one assumption about the rocket is changed, samples end before the shortest flight.
      EXPECT_GE(p.sample_times.size(), instance == "mixed250" ? 21u
                                       : p.system.rope_flight ? 46u
                                                              : 101u);
      EXPECT_GT(p.energy_reference, 0);
      for (const Observable& o : p.observables)
        EXPECT_LT(static_cast<std::size_t>(o.body), p.system.bodies.size());
    }
  }
}

TEST(Catalogue, Branch4HasThePositionsOfItsDrawing) {
  const Problem p = MakeProblem("branch4");
  const auto bodies = Assemble(p.system, p.initial, p.length).state.bodies;
  const std::vector<Vector3> centres{{-0.5, -0.5, 0}, {0.5, -1.5, 0}, {0.5, -0.5, 0}, {0, 0, 0}};
  const std::vector<double> theta{M_PI / 2, M_PI / 2, M_PI / 2, 0};
  for (std::size_t b = 0; b < 4; ++b) {
    EXPECT_LT(Norm(bodies[b].position - centres[b]), 1e-15) << p.system.bodies[b].name;
    EXPECT_NEAR(Evaluate(p.observables[b], bodies), theta[b], 1e-15);
  }
}

TEST(Catalogue, BranchNHangsItsGroupsOnTheCrossbarAndTheTrunkOnTheCeiling) {
  const Problem p = MakeProblem("branchN:bodies=12");
  const auto bodies = Assemble(p.system, p.initial, p.length).state.bodies;
  const auto at = [&](int label) {
    return bodies[static_cast<std::size_t>((label - 1) / 2)].position;
  };
  EXPECT_LT(Norm(at(23) - Vector3{0, -0.5, 0}), 1e-14);
  EXPECT_LT(Norm(at(13) - Vector3{0, -5.5, 0}), 1e-14);
  EXPECT_LT(Norm(at(11) - Vector3{0, -6, 0}), 1e-14);
  EXPECT_LT(Norm(at(3) - Vector3{-0.5, -6.5, 0}), 1e-14);
  EXPECT_LT(Norm(at(1) - Vector3{-0.5, -7.5, 0}), 1e-14);
  EXPECT_LT(Norm(at(9) - Vector3{0.5, -6.5, 0}), 1e-14);
  EXPECT_LT(Norm(at(5) - Vector3{0.5, -8.5, 0}), 1e-14);
  EXPECT_EQ(TopologyOf(p.system).roots, std::vector<int>{11});
  EXPECT_EQ(p.system.joints.back().name, "hinge_24");
}

// Centres of the three branch subsystems, by label; in mixed250 at the same places, 238 m below the
// ceiling.
TEST(Catalogue, ThreeBranchesHaveThePositionsOfTheirDrawing) {
  const double tip = 2 + std::sqrt(3) / 2;
  const std::map<std::string, Vector3> centres{{"1", {-1.5, -2.5, 0}},
                                               {"2", {-0.25, -(2 + tip) / 2, 0}},
                                               {"3", {0.25, -(2 + tip) / 2, 0}},
                                               {"4", {1.5, -2.5, 0}},
                                               {"9", {-1.5, -1.5, 0}},
                                               {"10", {-0.5, -1.5, 0}},
                                               {"11", {0.5, -1.5, 0}},
                                               {"12", {1.5, -1.5, 0}},
                                               {"17", {-1, -1, 0}},
                                               {"18", {1, -1, 0}},
                                               {"21", {0, -1, 0}},
                                               {"23", {0, -0.5, 0}},
                                               {"25", {0, 0.5, 0}},
                                               {"499", {0, 237.5, 0}}};
  for (const char* name : {"tree12", "mixed12", "mixed250"}) {
    SCOPED_TRACE(name);
    const Problem p = MakeProblem(name);
    ASSERT_EQ(p.system.bodies.size(), name == std::string("mixed250") ? 250u : 12u);
    const auto bodies = Assemble(p.system, p.initial, p.length).state.bodies;
    const Vector3 turns{0.3, 0.5, 0.2};
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto centre = centres.find(p.system.bodies[b].name);
      if (centre == centres.end()) continue;
      EXPECT_LT(Norm(bodies[b].position - centre->second), 1e-13) << centre->first;
      const Vector3 omega = b < 12 ? turns : Vector3{};  // the trunk is at rest
      EXPECT_LT(Norm(bodies[b].angular_velocity - omega), 1e-14) << centre->first;
      EXPECT_LT(Norm(bodies[b].velocity - Cross(omega, bodies[b].position)), 1e-13);
    }
    // Printed: 6.2925 kg m^2/s about the vertical; E(0) of the twelve bodies.
    EXPECT_NEAR(MomentumOf(p.system, bodies).angular.y, 6.2925, 5e-5);
    if (bodies.size() == 12) {
      EXPECT_NEAR(EnergyOf(p.system, bodies).total(), -195.4762259395, 5e-11);
    }
  }
}

TEST(Catalogue, TheFourBarIsPlanarAndTheSuspensionHasThePositionsOfItsDrawing) {
  const Problem bar = MakeProblem("fourbar");
  const auto links = Assemble(bar.system, bar.initial, bar.length).state.bodies;
  EXPECT_LT(Norm(links[0].position - Vector3{0.15, 0, 0}), 1e-15);
  const Vector3 top{0.3 + 0.8 * (0.4 / 0.7), 0.8 * std::sqrt(1 - 16. / 49), 0};
  EXPECT_LT(Norm(links[1].position - 0.5 * (Vector3{0.3, 0, 0} + top)), 1e-15);
  EXPECT_LT(Norm(links[2].position - 0.5 * (Vector3{1, 0, 0} + top)), 1e-15);
  EXPECT_NEAR(links[0].angular_velocity.z, 20, 1e-15);
  EXPECT_EQ(MakeProblem("fourbar:end=1000").end_time, 1000);

  const Problem car = MakeProblem("wishbone");
  const auto parts = Assemble(car.system, car.initial, car.length).state.bodies;
  EXPECT_LT(Norm(parts[0].position), 1e-15);
  EXPECT_LT(Norm(parts[1].position - Vector3{-0.225, 0.4, -0.26}), 1e-15);
  EXPECT_LT(Norm(parts[2].position - Vector3{-0.225, 0.45, -0.1}), 1e-15);
  EXPECT_LT(Norm(parts[3].position - Vector3{-0.2, 0.62, -0.24}), 1e-15);
  EXPECT_LT(Norm(parts[4].position - Vector3{-0.2, 0.67, -0.24}), 1e-15);
  for (const BodyState& part : parts) EXPECT_LT(AngleBetween(part.orientation, {}), 1e-15);
  EXPECT_EQ(MakeProblem("wishbone:tyre=10").system.forces.Of<GroundSpring>()[0].stiffness, 3e6);
  EXPECT_NEAR(
      MakeProblem("wishbone:road_step=0.05").system.forces.Of<GroundSpring>()[0].free_position,
      -0.19, 1e-16);
}

TEST(Catalogue, ALadderHasTheRequestedBodiesAndLoopsAndLevelRungs) {
  for (const auto& [bodies, loops, width] : {std::tuple{50, 10, 1},
                                             {51, 10, 1},
                                             {200, 50, 1},
                                             {30, 10, 1},
                                             {200, 50, 2},
                                             {200, 50, 7},
                                             {201, 50, 16},
                                             {99, 49, 49}}) {
    const Problem p =
        MakeProblem("ladder:bodies=" + std::to_string(bodies) + ",loops=" + std::to_string(loops) +
                    ",width=" + std::to_string(width));
    const auto on_ceiling = std::count_if(p.system.joints.begin(), p.system.joints.end(),
                                          [](const Joint& j) { return j.parent == kGround; });
    EXPECT_EQ(on_ceiling, width + 1);
    EXPECT_EQ(static_cast<int>(p.system.bodies.size()), bodies);
    ASSERT_EQ(static_cast<int>(p.system.loop_joints.size()), loops);
    const SystemState state = Assemble(p.system, p.initial, p.length).state;
    for (const Joint& joint : p.system.loop_joints) {
      const BodyState& rung = state.bodies[static_cast<std::size_t>(joint.parent)];
      const BodyState& rail = state.bodies[static_cast<std::size_t>(joint.child)];
      const Vector3 tip = rung.position + Rotate(rung.orientation, {0.5, 0, 0});
      const Vector3 node = rail.position + Rotate(rail.orientation, {0.5, 0, 0});
      EXPECT_LT(Norm(tip - node), 1e-13);
      EXPECT_NEAR(Rotate(rung.orientation, {1, 0, 0}).x, 1, 1e-13);
    }
  }
  EXPECT_THROW(MakeProblem("ladder:bodies=29,loops=10"), ModelError);
  EXPECT_NO_THROW(
      MakeProblem("ladder:bodies=20,loops=8,width=4"));  // two rows of nine, and two rods
  EXPECT_THROW(MakeProblem("ladder:bodies=20,loops=9,width=4"), ModelError);
  EXPECT_THROW(MakeProblem("ladder:bodies=200,loops=3,width=4"), ModelError);
}

// In a ladder of width w no two rungs join the same nodes, and each pair of neighbours has an equal share of rungs.
TEST(Catalogue, TheRungsOfAWideLadderJoinNeighboursInTurn) {
  const Problem p = MakeProblem("ladder:bodies=200,loops=50,width=7");
  std::map<std::pair<std::string, std::string>, int> rungs;
  std::set<std::pair<int, int>> nodes;
  for (const Joint& loop : p.system.loop_joints) {
    const auto rail = [&p](int body) {
      const std::string& name = p.system.bodies[static_cast<std::size_t>(body)].name;
      return name.substr(0, name.rfind('_'));
    };
    const int left = p.system.joints[static_cast<std::size_t>(loop.parent)].parent;
    ++rungs[{rail(left), rail(loop.child)}];
    EXPECT_TRUE(nodes.insert({left, loop.child}).second);
  }
  ASSERT_EQ(rungs.size(), 7u);
  for (const auto& [rails, count] : rungs) EXPECT_TRUE(count == 7 || count == 8) << rails.first;
  EXPECT_TRUE((rungs.contains({"left", "rail_2"}) && rungs.contains({"rail_7", "right"})));
}

TEST(Catalogue, AWidthOfOneIsTheDefaultOfALadder) {
  EXPECT_EQ(MakeProblem("ladder:bodies=50,loops=10,width=1").name, "ladder:bodies=50,loops=10");
}

TEST(Catalogue, AFamilyNameMeansItsSmallestListedInstance) {
  for (const ProblemFamily& family : AllProblems()) {
    EXPECT_EQ(MakeProblem(family.name).name, family.instances.front());
  }
}

std::string Refusal(const std::string& name) {
  try {
    MakeProblem(name);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Catalogue, RefusesBadNamesAndOptionsWithAdvice) {
  EXPECT_THAT(Refusal("branch5"), testing::HasSubstr("Did you mean 'branch4'"));
  EXPECT_THAT(Refusal("zzzzzzzzzzzzzzzz"), testing::HasSubstr("Known are"));
  EXPECT_THAT(Refusal("branchN:bodys=7"), testing::HasSubstr("Did you mean 'bodies'"));
  EXPECT_THAT(Refusal("branchN:bodies=5"), testing::HasSubstr("6 to"));
  EXPECT_THAT(Refusal("branchN:bodies=1e9"), testing::HasSubstr("whole number"));
  EXPECT_THAT(Refusal("branchN:bodies"), testing::HasSubstr("whole number"));
  EXPECT_THAT(Refusal("branch4:x=1"), testing::HasSubstr("has no options"));
  EXPECT_THAT(Refusal("fourbar:end=0"), testing::HasSubstr("whole number"));
  EXPECT_THAT(Refusal("wishbone:tyre=0.5"), testing::HasSubstr("whole number"));
  EXPECT_THAT(Refusal("wishbone:road_step=1"), testing::HasSubstr("0.05 (metres) is needed"));
  EXPECT_THAT(Refusal("rocket:links=3"), testing::HasSubstr("4, 2 or 1"));
  EXPECT_THAT(Refusal("rocket:R1,R2"), testing::HasSubstr("not both"));
  EXPECT_THAT(Refusal("rocket:R1,links=4"), testing::HasSubstr("links of 2 m only"));
  EXPECT_THAT(Refusal("rocket:Cd=0.6,rail=2"), testing::HasSubstr("stands alone"));
  EXPECT_THAT(Refusal("rocket:elevation=90"), testing::HasSubstr("89"));
}

}  // namespace
}  // namespace mbsbench
