#include "harness/records/trial_record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/records/json_number.h"

namespace mbsbench {
namespace {

TrialRecord Judged() {
  TrialRecord record;
  record.command = "mbsbench solve pendulum toy";
  record.integration = {.counters = {.steps = 12, .evaluations = 72},
                        .changed_settings = {{"newton_coefficient", 0.01, 3}},
                        .time_reached = 5,
                        .end_state_hash = "00ff"};
  AccuracyRecord& accuracy = record.accuracy.emplace();
  accuracy.error = {.max = 0.1 + 0.2, .end = {}, .rms = 1e-9, .velocity_max = INFINITY};
  accuracy.times = {0, 2.5};
  accuracy.error_series = {0., {}};
  accuracy.energy_drift = {0, NAN};
  accuracy.energy_drift_max = NAN;
  accuracy.published = {{"angle", 1, "", "a book", 2, 3, 1},
                        {"height", 1, "landing", "it", 2, 3, 1}};
  accuracy.events = {{.name = "landing", .bodies = 2, .position = {1, 2, 3}}};
  accuracy.library_measures = {{"theirs", {}}};
  accuracy.trajectory = {{0}, {"1"}, {{0, 0, 0, 1, 0, 0, 0}}};
  record.steady_state = {.unknowns = {{{"z", 1}, {"a", NAN}}},
                         .units = {{{"z", "m"}, {"a", "rad"}}}};
  record.limits = {20, std::int64_t{1} << 40};
  record.process_seconds = 0.25;
  return record;
}

TEST(TrialRecord, SurvivesJsonToTheLastBit) {
  const Json json = ToJson(Judged());
  const TrialRecord read = TrialRecordFrom(Json::parse(json.dump()));
  EXPECT_EQ(json, ToJson(read));
  EXPECT_EQ(0.1 + 0.2, read.LargestError());
  EXPECT_EQ(12, read.integration->counters.steps);
  EXPECT_EQ("00ff", read.EndStateHash());
  EXPECT_EQ(std::int64_t{1} << 40, read.limits->bytes);
  EXPECT_EQ(2, read.accuracy->events.at(0).position.y);
  EXPECT_EQ("z", read.steady_state->unknowns.list.at(0).first) << "names keep their order";
  EXPECT_FALSE(read.time || read.evaluation || read.agreement || read.budget);
}

TEST(TrialRecord, NonFiniteNumberIsNullInJsonAndAbsentAfterwards) {
  const Json json = ToJson(Judged());
  EXPECT_TRUE(json.at("error").at("velocity_max").is_null());
  EXPECT_TRUE(json.at("energy_drift_max").is_null());
  EXPECT_TRUE(json.at("energy_drift").at(1).is_null());
  const TrialRecord read = TrialRecordFrom(json);
  EXPECT_FALSE(IfFinite(read.accuracy->energy_drift_max));
  ASSERT_EQ(2u, read.accuracy->energy_drift.size()) << "series remain parallel";
  EXPECT_TRUE(std::isnan(read.accuracy->energy_drift[1]));
  EXPECT_FALSE(read.accuracy->error_series[1]);
}

TEST(TrialRecord, FieldMissingFromAnOlderRecordIsAbsent) {
  const TrialRecord old =
      TrialRecordFrom({{"error", {{"max", 1e-9}, {"end", nullptr}}}, {"counters", {{"steps", 3}}}});
  EXPECT_EQ(1e-9, old.LargestError());
  EXPECT_FALSE(old.accuracy->error->reactions_max);
  EXPECT_FALSE(IfFinite(old.accuracy->position_drift_max));
  EXPECT_FALSE(old.integration->counters.restarts);
}

TEST(TrialRecord, FieldOfAnotherTypeIsAbsent) {
  const TrialRecord damaged =
      TrialRecordFrom({{"error", "none"},
                       {"times", {0, "x", 2}},
                       {"counters", 5},
                       {"end_state_hash", 7},
                       {"limits", {{"seconds", {}}, {"bytes", 1}}},
                       {"methods", {{{"method", "a"}, {"error", "?"}}, 5}}});
  EXPECT_FALSE(damaged.LargestError());
  ASSERT_EQ(3u, damaged.accuracy->times.size());
  EXPECT_EQ(2, damaged.accuracy->times[2]);
  EXPECT_EQ("", damaged.EndStateHash());
  EXPECT_FALSE(IfFinite(damaged.limits->seconds));
  ASSERT_EQ(2u, damaged.agreement->methods.size());
  EXPECT_EQ("a", damaged.agreement->methods[0].method);
  EXPECT_FALSE(damaged.agreement->methods[0].error);
}

TEST(TrialRecord, PartWithoutItsIntegerIsAbsentInsteadOfZero) {
  const TrialRecord damaged =
      TrialRecordFrom({{"limits", {{"seconds", 20}, {"bytes", "many"}}},
                       {"nanoseconds_per_body", 5},
                       {"operations", {{"multiplications", 4}, {"additions", 3}, {"divisions", 2}}},
                       {"batched", {{"states", 4}, {"nanoseconds_per_body", 2}}}});
  EXPECT_FALSE(damaged.limits);
  EXPECT_FALSE(damaged.evaluation->operations) << "square roots are not known";
  EXPECT_EQ(4, damaged.evaluation->batched->states);
}

TEST(TrialRecord, PartThatATrialDoesNotHaveIsAbsent) {
  TrialRecord refused;
  refused.command = "mbsbench solve";
  refused.condition = {{}, {}, "too many bodies"};
  const Json json = ToJson(refused);
  EXPECT_EQ((Json{{"command", "mbsbench solve"},
                  {"condition", nullptr},
                  {"digits_left", nullptr},
                  {"condition_missing", "too many bodies"}}),
            json);
  EXPECT_FALSE(TrialRecordFrom(json).accuracy);
  EXPECT_FALSE(TrialRecordFrom(Json::object()).condition);
}

}  // namespace
}  // namespace mbsbench
