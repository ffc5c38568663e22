// Each variant of every method of the list keeps every promise of harness/conform, refuses its systems, or
// declares a limit in its entry. A declared limit must be needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/conform/promise.h"
#include "harness/runner/plan/plan.h"
#include "methods/all_methods.h"
#include "problems/test_systems/random_loops.h"

namespace mbsbench {
namespace {

bool IsReference(const std::string& promise) { return promise.starts_with("reference-"); }

std::vector<std::string> PromiseNames() {
  std::vector<std::string> names;
  for (const Promise& promise : AllPromises()) {
    if (!IsReference(promise.name)) names.push_back(promise.name);
  }
  return names;
}

const Promise& PromiseNamed(const std::string& name) {
  for (const Promise& promise : AllPromises()) {
    if (promise.name == name) return promise;
  }
  throw std::invalid_argument("there is no promise '" + name + "'");
}

std::vector<MethodChoice> AllVariants(const std::vector<MethodEntry>& methods) {
  std::vector<MethodChoice> all;
  for (const MethodEntry& entry : methods) {
    for (const MethodChoice& choice : VariantsOf(entry)) all.push_back(choice);
  }
  return all;
}

// The methods that support every system that the promise is tried on. A method that starts to refuse some of them
// fails this test.
std::set<std::string> MethodsThatSupportAllOf(const std::string& promise) {
  const std::set<std::string> general{
      "articulated-body",        "composite-body:delassus", "riccati-mstmm:general",
      "classical-mstmm:general", "cartesian-dae:ggl",       "cartesian-dae:baumgarte",
      "cartesian-dae:index3",    "kane-huston:general",     "equivalent-particles:ggl"};
  std::set<std::string> with_loops = general, driven = general;
  with_loops.erase("kane-huston:general");
  with_loops.insert({"equivalent-particles:index1", "cartesian-dae:index1"});
  driven.erase("equivalent-particles:ggl");
  driven.erase("composite-body:delassus");
  std::set<std::string> driven_loops = driven;
  driven_loops.erase("kane-huston:general");
  if (promise == "trees" || promise == "undamped-trees" || promise == "right-angles" ||
      promise == "planar-trees" || promise == "light-and-far-trees" ||
      promise.starts_with("tree-joint") || promise.starts_with("force-") || promise == "turns" ||
      promise == "momentum")
    return general;
  if (promise == "loops" || promise == "redundant" || promise.starts_with("loop-joint"))
    return with_loops;
  if (promise == "drivers-on-trees") return driven;
  if (promise == "drivers-on-loops") return driven_loops;
  return {};
}

class Promises : public testing::TestWithParam<std::string> {};

TEST_P(Promises, AreKeptByEveryMethodThatSupportsTheirSystems) {
  const std::vector<MethodEntry> methods = AllMethods();
  const Promise& promise = PromiseNamed(GetParam());
  std::set<std::string> whole = MethodsThatSupportAllOf(promise.name);
  int held = 0;
  for (const MethodChoice& choice : AllVariants(methods)) {
    const Finding finding = TryOn(promise, choice);
    std::printf("  %-32s %-14s %9.1e of %-7.0e %3d tried, %3d refused\n", choice.spec.c_str(),
                std::string(Name(finding.standing)).c_str(), finding.figure, finding.bound,
                finding.tried, finding.refused);
    EXPECT_NE(Standing::kBroken, finding.standing) << choice.spec << ": " << finding.reason;
    const std::optional<DeclaredLimit> limit = LimitOn(promise.name, choice);
    if (!limit || !limit->by_chance) {
      EXPECT_EQ(limit.has_value(),
                finding.standing == Standing::kLimited || finding.standing == Standing::kNotKept)
          << choice.spec << ": a limit that is not needed";
    }
    EXPECT_EQ(finding.standing != Standing::kHeld && finding.reason.empty(), false) << choice.spec;
    if (finding.standing == Standing::kLimited && limit->seconds == 0) {
      EXPECT_GT(finding.figure, limit->bound / 10)
          << choice.spec << ": a limit far above the error";
    }
    held += finding.standing == Standing::kHeld ? 1 : 0;
    if (whole.erase(choice.spec) == 0) continue;
    EXPECT_EQ(Standing::kHeld, finding.standing) << choice.spec << ": " << finding.reason;
    EXPECT_EQ(0, finding.refused) << choice.spec << ": " << finding.reason;
  }
  EXPECT_THAT(whole, testing::IsEmpty());
  EXPECT_GT(held, 0);
}

std::string NameOfPromise(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Promises, testing::ValuesIn(PromiseNames()), NameOfPromise);

TEST(DeclaredLimits, NameOnlyExistingPromisesAndOptions) {
  for (const MethodEntry& entry : AllMethods()) {
    for (const DeclaredLimit& limit : entry.limits) {
      EXPECT_FALSE(limit.reason.empty()) << entry.key;
      EXPECT_TRUE(limit.with.empty() ||
                  std::ranges::count(entry.options, limit.with, &MethodOption::name) == 1)
          << entry.key << ": " << limit.with;
      for (const std::string& glob : limit.promises) {
        EXPECT_TRUE(std::ranges::any_of(
            AllPromises(), [&](const Promise& p) { return MatchesGlob(glob, p.name); }))
            << entry.key << ": " << glob;
      }
    }
  }
}

TEST(PromiseList, CoversEveryTypeOfJointOfTheModel) {
  std::set<std::string> names;
  for (const Promise& promise : AllPromises()) names.insert(promise.name);
  for (JointType type : AllTreeJointTypes())
    EXPECT_TRUE(names.contains("tree-joint-" + std::string(Name(type)))) << Name(type);
  for (JointType type : RandomLoopOptions{}.loop_types)
    EXPECT_TRUE(names.contains("loop-joint-" + std::string(Name(type)))) << Name(type);
}

}  // namespace
}  // namespace mbsbench
