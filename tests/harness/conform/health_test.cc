// The health card: faults that are planted in a method are found, counted and reduced, and a continued card is that of one run.
#include "harness/conform/health.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/store/files.h"
#include "methods/all_methods.h"
#include "problems/io/model_file.h"
#include "problems/model/validation.h"
#include "problems/test_systems/random_models.h"
#include "tests/harness/conform/spoiled_method.h"
#include "tests/support/command.h"
#include "tests/support/written_page.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;

HealthPlan PlanFor(const std::vector<MethodEntry>& entries, std::uint64_t models,
                   const fs::path& folder) {
  HealthPlan plan;
  for (const MethodEntry& entry : entries) {
    plan.methods.push_back(ChooseMethod(entry.key, entries));
    if (plan.methods.back().form() == Form::kAlgebraic) plan.methods.pop_back();
  }
  plan.models = models;
  plan.folder = folder;
  return plan;
}

std::vector<MethodEntry> SoundMethods(const std::vector<std::string>& keys) {
  std::vector<MethodEntry> entries;
  for (const std::string& key : keys) entries.push_back(Spoiled(key, {}));
  return entries;
}

int ForceElementsOf(const System& system) {
  int count = 0;
  system.forces.ForEach([&count](const auto&) { ++count; });
  return count;
}

Outcome JudgedOnModel(const Problem& problem, const MethodChoice& method) {
  return JudgeInitialState({{}, problem, InitialState(problem), method}, Detail::kAccelerations)
      .ending.outcome;
}

TEST(HealthCard, FindsAFaultInOneForceElementAndReducesItToThatElement) {
  const TemporaryFolder folder;
  const std::vector<MethodEntry> entries{Spoiled("articulated-body", {.system = [](System& system) {
                                                   for (SpringDamper& spring :
                                                        system.forces.Of<SpringDamper>())
                                                     spring.damping *= 1.01;
                                                 }})};
  const HealthPlan plan = PlanFor(entries, 16, folder.path());
  JudgeRandomModels(plan);
  const HealthRow row = RowOf(HealthLinesOf(plan, plan.methods[0]));
  EXPECT_EQ(16, row.models);
  EXPECT_EQ(0, row.crashed + row.hung);
  EXPECT_GE(row.unexplained, 3);
  EXPECT_LT(*row.digits_worst, 6);
  const std::vector<HealthCase> cases = ReducedCases(plan);
  ASSERT_GE(cases.size(), 2u);
  for (const HealthCase& found : cases) {
    EXPECT_NE("deep", found.kind) << "chains without springs are right";
    const Problem smallest = ReadModelFile(found.file);
    EXPECT_EQ(1, ForceElementsOf(smallest.system)) << found.file;
    EXPECT_EQ(1u, smallest.system.forces.Of<SpringDamper>().size()) << found.file;
    EXPECT_TRUE(smallest.system.loop_joints.empty()) << found.file;
    EXPECT_EQ(Outcome::kWrongEquations, JudgedOnModel(smallest, plan.methods[0])) << found.file;
  }
}

TEST(HealthCard, CountsACrashAndAHangAsOneModelEachAndOfOneMethod) {
  const TemporaryFolder folder;
  std::vector<MethodEntry> entries = SoundMethods({"composite-body"});
  entries.push_back(Spoiled("articulated-body", {.system = [](System& system) {
                              if (!system.loop_joints.empty()) std::raise(SIGSEGV);
                              for (volatile bool hangs = !system.drivers.empty(); hangs;) {
                              }
                            }}));
  HealthPlan plan = PlanFor(entries, 8, folder.path());
  plan.seconds = 1;
  JudgeRandomModels(plan);
  const HealthRow sound = RowOf(HealthLinesOf(plan, plan.methods[0]));
  EXPECT_EQ(8, sound.models);
  EXPECT_EQ(0, sound.crashed + sound.hung + sound.unexplained);
  const std::vector<HealthLine> lines = HealthLinesOf(plan, plan.methods[1]);
  ASSERT_EQ(8u, lines.size());
  for (const HealthLine& line : lines) {
    const std::string expected = line.kind == "loops"     ? "crashed"
                                 : line.kind == "drivers" ? "hung"
                                                          : "";
    if (expected.empty())
      EXPECT_THAT(line.ending, testing::AnyOf("right", "explained")) << line.kind << line.reason;
    else
      EXPECT_EQ(expected, line.ending) << line.reason;
  }
}

TEST(HealthCard, BlamesNoModelForACrashThatOnlyComesAfterOthers) {
  const TemporaryFolder folder;
  const std::vector<MethodEntry> entries{Spoiled("articulated-body", {.system = [](System&) {
                                                   static int prepared = 0;
                                                   if (++prepared == 12) std::raise(SIGSEGV);
                                                 }})};
  const HealthPlan plan = PlanFor(entries, 16, folder.path());
  JudgeRandomModels(plan);
  const HealthRow row = RowOf(HealthLinesOf(plan, plan.methods[0]));
  EXPECT_EQ(16, row.models);
  EXPECT_EQ(0, row.crashed);
}

TEST(HealthCard, IsWrittenByOneCommandAtATime) {
  const TemporaryFolder folder;
  const std::vector<MethodEntry> entries = SoundMethods({"articulated-body"});
  const HealthPlan plan = PlanFor(entries, 1, folder.path());
  const int other = open(folder.File("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(0, flock(other, LOCK_EX));
  EXPECT_THROW(JudgeRandomModels(plan), ModelError);
  close(other);
  JudgeRandomModels(plan);
  EXPECT_EQ(1u, HealthLinesOf(plan, plan.methods[0]).size());
}

TEST(HealthCard, GoesOnOnlyWithLinesOfItsModels) {
  const TemporaryFolder folder;
  const std::vector<MethodEntry> entries = SoundMethods({"articulated-body"});
  HealthPlan plan = PlanFor(entries, 2, folder.path());
  JudgeRandomModels(plan);
  const std::string file = FileNameOf(plan.methods[0].spec) + ".jsonl";
  std::ofstream(folder.File(file), std::ios::app) << "{}\n";
  plan.models = 4;
  EXPECT_THROW(JudgeRandomModels(plan), ModelError);
}

TEST(HealthCard, ThatIsContinuedIsTheCardOfOneRun) {
  const TemporaryFolder folder;
  const std::vector<MethodEntry> entries = SoundMethods({"articulated-body", "cartesian-dae"});
  HealthPlan plan = PlanFor(entries, 12, folder.path() / "whole");
  JudgeRandomModels(plan);
  const HealthPlan whole = plan;
  plan.folder = folder.path() / "parts";
  plan.models = 5;
  JudgeRandomModels(plan);
  // A process that is killed leaves a part of a line.
  std::ofstream(plan.folder / (FileNameOf(plan.methods[1].spec) + ".jsonl"), std::ios::app)
      << R"({"model":5,"kin)";
  plan.models = 12;
  JudgeRandomModels(plan);
  for (const MethodChoice& method : plan.methods) {
    const std::string file = FileNameOf(method.spec) + ".jsonl";
    EXPECT_EQ(12u, HealthLinesOf(plan, method).size());
    EXPECT_EQ(TextOfFile(whole.folder / file), TextOfFile(plan.folder / file));
  }
  plan.models = 3;
  EXPECT_EQ(3, RowOf(HealthLinesOf(plan, plan.methods[0])).models);
}

TEST(HealthCard, OfOurMethodsHasNoCrashHangOrUnexplainedError) {
  const TemporaryFolder folder;
  const std::vector<MethodEntry> entries = AllMethods();
  const HealthPlan plan = PlanFor(entries, 200, folder.path());
  JudgeRandomModels(plan);
  for (const MethodChoice& method : plan.methods) {
    for (const HealthLine& line : HealthLinesOf(plan, method))
      EXPECT_THAT(line.ending, testing::AnyOf("right", "explained", "refused"))
          << method.spec << ", model " << line.model << " (" << line.kind << "): " << line.reason;
  }
}

TEST(HealthCard, StatesTheDigitsThatHalfAndAlmostAllAnswersHave) {
  std::vector<HealthLine> lines;
  for (int k = 0; k < 200; ++k)
    lines.push_back({.kind = "trees", .ending = "right", .error = k < 100 ? 1e-15 : 1e-12});
  lines[7] = {.kind = "trees", .ending = "unexplained", .error = 1e99, .reason = "not finite"};
  lines[8] = {.kind = "trees", .ending = "explained", .error = 1e-5, .reason = "round-off"};
  lines[9] = {.kind = "trees", .ending = "explained", .error = 1e-4, .reason = "round-off"};
  lines.push_back({.kind = "trees", .ending = "refused", .reason = "no trees"});
  const HealthRow row = RowOf(lines);
  EXPECT_EQ(201, row.models);
  EXPECT_EQ(1, row.refused);
  EXPECT_EQ(2, row.explained);
  EXPECT_EQ(1, row.unexplained);
  EXPECT_NEAR(12, *row.digits_p50, 1e-9);
  EXPECT_NEAR(5, *row.digits_p99, 1e-9);
  EXPECT_EQ(0, *row.digits_worst);
  EXPECT_FALSE(RowOf({}).digits_p50);
}

TEST(RandomModels, AreValidAndHaveTheDifficultyOfTheirKind) {
  double mass_ratio = 1, thinnest = 1, fastest = 0, stiffest = 0;
  std::size_t deepest = 0, driven = 0, loops = 0, negative = 0;
  for (const RandomModelKind& kind : RandomModelKinds()) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      RandomNumbers random(seed);
      const RandomTree tree = kind.make(random);
      const System& system = tree.system;
      ASSERT_NO_THROW(Validate(system)) << kind.name << " " << seed;
      deepest = std::max(deepest, system.bodies.size());
      driven += system.drivers.size();
      loops += system.loop_joints.size();
      for (const Body& body : system.bodies) {
        mass_ratio = std::max(mass_ratio, body.mass / system.bodies[0].mass);
        thinnest = std::min(thinnest, body.inertia(0, 0));
      }
      for (const double rate : tree.state.joints.u) fastest = std::max(fastest, rate);
      for (const SpringDamper& spring : system.forces.Of<SpringDamper>()) {
        stiffest = std::max(stiffest, spring.stiffness);
        negative += spring.free_length < 0 ? 1u : 0u;
      }
    }
  }
  EXPECT_GT(deepest, 500u);
  EXPECT_GT(driven, 25u);
  EXPECT_GE(loops, 25u);
  EXPECT_GT(negative, 5u);
  EXPECT_GT(mass_ratio, 1e6);
  EXPECT_LT(thinnest, 1e-7);
  EXPECT_GT(fastest, 3000);
  EXPECT_GT(stiffest, 1e6);
}

}  // namespace
}  // namespace mbsbench
