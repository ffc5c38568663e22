// What the catalogue states: every listed instance builds, is valid, starts closed, and bad names
// are refused with help.
#include "problems/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
      EXPECT_GE(p.sample_times.size(), 101u);
      EXPECT_GT(p.energy_reference, 0);
      for (const Observable& o : p.observables)
        EXPECT_LT(static_cast<std::size_t>(o.body), p.system.bodies.size());
    }
  }
}

TEST(Catalogue, Branch4StandsAsDrawn) {
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

TEST(Catalogue, BareFamilyIsItsSmallestListedInstance) {
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

TEST(Catalogue, RefusesBadNamesAndOptionsWithHelp) {
  EXPECT_THAT(Refusal("branch5"), testing::HasSubstr("Did you mean 'branch4'"));
  EXPECT_THAT(Refusal("zzzzzzzzzzzzzzzz"), testing::HasSubstr("Known are"));
  EXPECT_THAT(Refusal("branchN:bodys=7"), testing::HasSubstr("Did you mean 'bodies'"));
  EXPECT_THAT(Refusal("branchN:bodies=5"), testing::HasSubstr("6 to"));
  EXPECT_THAT(Refusal("branchN:bodies=1e9"), testing::HasSubstr("whole number"));
  EXPECT_THAT(Refusal("branchN:bodies"), testing::HasSubstr("whole number"));
  EXPECT_THAT(Refusal("branch4:x=1"), testing::HasSubstr("has no options"));
  EXPECT_THAT(Refusal("rocket:links=3"), testing::HasSubstr("4, 2 or 1"));
  EXPECT_THAT(Refusal("rocket:R1,R2"), testing::HasSubstr("not both"));
  EXPECT_THAT(Refusal("rocket:R1,links=4"), testing::HasSubstr("links of 2 m only"));
}

}  // namespace
}  // namespace mbsbench
