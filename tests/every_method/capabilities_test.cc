// A type that is added to the model later is refused by every method that does not list it. A value
// without an enumerator represents such a type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

constexpr auto kLater = static_cast<JointType>(57);

void ExpectRefusedByAll(const System& system, const std::string& name) {
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (CapabilitiesOf(entry, choice.options).tree_joints.all && system.loop_joints.empty())
        continue;
      const Verdict verdict = VerdictOf(entry, system, choice.options);
      EXPECT_FALSE(verdict.supported) << choice.spec;
      EXPECT_THAT(verdict.reason, testing::HasSubstr("'" + name + "'")) << choice.spec;
      EXPECT_THAT(verdict.reason, testing::HasSubstr(choice.spec)) << "names the method";
    }
  }
}

TEST(EveryMethod, RefusesATreeJointOfATypeThatItDoesNotList) {
  System system = MakeProblem("pendulum").system;
  system.joints[0].type = kLater;
  ExpectRefusedByAll(system, system.joints[0].name);
}

TEST(EveryMethod, RefusesALoopJointOfATypeThatItDoesNotList) {
  System system = MakeProblem("dpend18").system;
  Joint cut;
  cut.name = "later cut";
  cut.type = kLater;
  cut.child = 1;
  system.loop_joints = {cut};
  ExpectRefusedByAll(system, "later cut");
}

TEST(EveryMethod, DeclaresItsOriginAsOurs) {
  for (const MethodEntry& entry : AllMethods()) EXPECT_EQ(Origin::kOurs, entry.origin) << entry.key;
}

}  // namespace
}  // namespace mbsbench
