// Outcomes of integrations that reached the end time, and of those that did not.
#include "harness/runner/cells/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <fstream>

#include "harness/records/accuracy_bounds.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

Accuracy WithError(double max) {
  Accuracy a;
  a.error = ErrorMeasure{.max = max, .end = max};
  return a;
}

TEST(Outcome, AnErrorAboveOneThousandthIsInaccurate) {
  const IntegrationReport report{};
  EXPECT_EQ(Classify(report, WithError(9e-4), 1, {}).outcome, Outcome::kOk);
  EXPECT_EQ(Classify(report, WithError(2e-3), 1, {}).outcome, Outcome::kInaccurate);
  EXPECT_EQ(Classify(report, WithError(NAN), 1, {}).outcome, Outcome::kInaccurate);
}

TEST(Outcome, EachBoundIsNamedByTheQuantityThatExceedsIt) {
  const IntegrationReport report{};
  const auto expect = [&report](const Accuracy& within, const Accuracy& beyond,
                                const AccuracyBound& bound) {
    EXPECT_EQ(Classify(report, within, 1, {}).outcome, Outcome::kOk) << bound.quantity;
    const Ending ending = Classify(report, beyond, 1, {});
    EXPECT_EQ(ending.outcome, Outcome::kInaccurate) << bound.quantity;
    EXPECT_THAT(ending.reason, HasSubstr(bound.quantity));
  };
  const auto with = [](auto set, double value) {
    Accuracy a = WithError(1e-6);
    set(a, value);
    return a;
  };
  const auto try_both = [&](auto set, const AccuracyBound& bound) {
    expect(with(set, 0.9 * bound.largest), with(set, 1.1 * bound.largest), bound);
    EXPECT_EQ(Classify(report, with(set, NAN), 1, {}).outcome, Outcome::kInaccurate);
  };
  try_both([](Accuracy& a, double x) { a.error->max = x; }, kPositionBound);
  try_both([](Accuracy& a, double x) { a.error->velocity_max = x; }, kVelocityBound);
  try_both([](Accuracy& a, double x) { a.relative_velocity_error = x; }, kRelativeVelocityBound);
  try_both([](Accuracy& a, double x) { a.error->reactions_max = x; }, kReactionBound);
  try_both([](Accuracy& a, double x) { a.forces.reactions.error = x; }, kReactionBound);
  try_both([](Accuracy& a, double x) { a.forces.efforts.error = x; }, kEffortBound);
  try_both([](Accuracy& a, double x) { a.energy_error = x; }, kEnergyBound);
  try_both([](Accuracy& a, double x) { a.position_drift_max = x; }, kOpeningBound);
}

// The table of the bounds is printed once.
TEST(Outcome, TheBoundsAreThoseThatTheDocumentationPrints) {
  std::ifstream in(MBSBENCH_SOURCE_DIR "/docs/reading_the_report.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const AccuracyBound& bound : kAccuracyBounds)
    EXPECT_THAT(text, HasSubstr(fmt::format("| {} | {:g} of {} |", bound.quantity, bound.largest,
                                            bound.of)));
}

// A motion other than the requested one is a failure, however accurate the integration is.
TEST(Outcome, LeavingTheBranchIsAFailureAndNotAnInaccuracy) {
  IntegrationReport report;
  Accuracy a = WithError(2);
  a.left_branch = LeftBranch{1.25, "angle of coupler_1", 1.2, 0, 0.1, {}, {}};
  const Ending ending = Classify(report, a, 10, {});
  EXPECT_EQ(ending.outcome, Outcome::kDiverged);
  EXPECT_FALSE(Finished(ending.outcome));
  EXPECT_THAT(ending.reason, HasSubstr("left the branch of the reference by t = 1.25 s"));
  EXPECT_THAT(ending.reason, HasSubstr("angle of coupler_1 is 1.2"));
  // The later end of the run is a consequence.
  report.outcome = IntegrationReport::Outcome::kNewtonFailed;
  report.reason = "stopped at t = 3 s";
  EXPECT_EQ(Classify(report, a, 10, {}).outcome, Outcome::kDiverged);
  EXPECT_THAT(Classify(report, a, 10, {}).reason, HasSubstr("; stopped at t = 3 s"));
}

TEST(Outcome, ThePlaceIsATreeJointALoopJointOrABody) {
  const System system = MakeProblem("fourbar").system;
  const auto place = [&system](int joint, int body) {
    return PlaceOf({Status::Code::kSingular, joint, body, ""}, system);
  };
  EXPECT_EQ(" (joint '" + system.joints[0].name + "')", place(0, -1));
  EXPECT_EQ(" (joint 'top')", place(3, -1)) << "loop joints are numbered after those of the tree";
  EXPECT_EQ("", place(4, -1));
  EXPECT_EQ(" (body '" + system.bodies[1].name + "')", place(-1, 1));
}

}  // namespace
}  // namespace mbsbench
