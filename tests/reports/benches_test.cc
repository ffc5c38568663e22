// Stores merged from several hosts: which hosts count as one machine, and which never share a curve.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/cells.h"
#include "reports/analysis/coverage.h"
#include "reports/pages/pages.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::reports {
namespace {

using report_tests::FixtureStore;
using report_tests::TestFolder;
using report_tests::TrialRow;
using testing::ElementsAre;
using testing::HasSubstr;

class MergedStore {
 public:
  // One shard on a host whose control kernel takes `control` seconds: one cell of one problem.
  void AddShard(int number, const char* problem, const char* host, double control,
                bool finished = true, const char* cpu = "CPU") {
    const std::string run = "run" + std::to_string(number);
    store_.AddRun(run, "2025-01-01T00:00:0" + std::to_string(number) + "Z", cpu, finished);
    store_.Execute(
        "UPDATE run SET command = 'mbsbench run --quick --resume --shard " +
        std::to_string(number) +
        "/3 --store /tmp/s.sqlite', machine = json_set(machine, '$.hosts', json_array('" + host +
        "')) WHERE id = '" + run + "'");
    store_.Execute(
        "INSERT INTO plan_shard VALUES ('" + run + "', 'plan', " + std::to_string(number) +
        ", 3, " + (finished ? "'2025-01-01T01:00:00Z'" : "NULL") +
        R"(, '{"problems":[{"name":"a","shard":3,"items":1},{"name":"b","shard":1,"items":1},)"
        R"({"name":"c","shard":2,"items":1}]}'))");
    store_.AddProblem(problem, {}, run);
    TrialRow row{.problem = problem, .method = "m", .integrator = "rk4", .step = 0.1, .run = run};
    store_.AddCell(row, 1e-6, {1.0});
    store_.Execute("UPDATE trial SET record = json_set(record, '$.control_seconds', " +
                   std::to_string(control) + ") WHERE kind = 'time' AND run_id = '" + run + "'");
  }
  void AddCoverage(int number, const Json& document) {
    store_.Execute("UPDATE plan_shard SET json = json_set(json, '$.coverage', json('" +
                   document.dump() + "')) WHERE number = " + std::to_string(number));
  }
  const Results& Read() { return results_ = ReadResults(store_.path()); }

 private:
  TestFolder folder_;
  FixtureStore store_{folder_ / "s.sqlite"};
  Results results_;
};

TEST(MergedStores, ShardsOfEquallyFastHostsAreOneRun) {
  MergedStore store;
  store.AddShard(2, "c", "n2", 0.00501);
  store.AddShard(1, "b", "n1", 0.005);
  store.AddShard(3, "a", "n1", 0.005);
  const Comparison comparison = Compare(store.Read());
  ASSERT_EQ(1u, comparison.runs.size());
  const reports::Run& run = *comparison.runs.front();
  EXPECT_EQ("mbsbench run --quick", run.command);
  EXPECT_EQ("mbsbench run --quick # in 3 shards", LatestCommand(comparison));
  EXPECT_EQ("2025-01-01T01:00:00Z", run.finished);
  ASSERT_EQ(3u, run.shards.size());
  EXPECT_EQ("mbsbench run --quick --resume --shard 1/3 --store /tmp/s.sqlite",
            run.shards.begin()->second);
  EXPECT_EQ(3, run.shards.rbegin()->first);
  EXPECT_THAT(run.machine.hosts, ElementsAre("n1", "n2"));
  std::vector<std::string> names, benches;
  for (const ProblemResults& problem : comparison.problems) names.push_back(problem.name);
  EXPECT_THAT(names, ElementsAre("a", "b", "c")) << "in the order of the plan";
  EXPECT_EQ(comparison.problems[0].bench.name, comparison.problems[2].bench.name);
  EXPECT_EQ(0, comparison.superseded);
}

TEST(MergedStores, AHostThatIsFourPercentSlowerIsAnotherMachine) {
  MergedStore store;
  store.AddShard(1, "b", "n1", 0.005);
  store.AddShard(2, "c", "n2", 0.0052);
  store.AddShard(3, "a", "n1", 0.005);
  const Comparison comparison = Compare(store.Read());
  ASSERT_EQ(2u, comparison.runs.size());
  EXPECT_EQ(comparison.problems[0].bench.name, comparison.problems[1].bench.name);
  EXPECT_NE(comparison.problems[0].bench.name, comparison.problems[2].bench.name)
      << "no curve of times is drawn over both";
  EXPECT_THAT(comparison.problems[2].bench.name, HasSubstr("on n2"));
}

TEST(MergedStores, AnotherProcessorIsAnotherMachineHoweverFast) {
  MergedStore store;
  store.AddShard(1, "b", "n1", 0.005);
  store.AddShard(2, "c", "n2", 0.005, true, "Other CPU");
  const Comparison comparison = Compare(store.Read());
  EXPECT_EQ(2u, comparison.runs.size());
  EXPECT_NE(comparison.problems[0].bench.name, comparison.problems[1].bench.name);
}

TEST(MergedStores, CellsThatAShardHasNotRunYetAreMissing) {
  MergedStore store;
  store.AddShard(1, "b", "n1", 0.005, false);
  store.AddShard(2, "c", "n1", 0.005, false);
  EXPECT_FALSE(Compare(store.Read()).runs.at(0)->coverage) << "neither says";
  const auto coverage = [](const char* problem, int done) {
    return Json{{"families", {{"planned", 1}, {"done", 1}}},
                {"problems", {{"planned", 1}, {"done", 1}}},
                {"items", {{"planned", 10}, {"done", done}}},
                {"passes",
                 {{{"title", "first"}, {"planned", 50}, {"done", 2 * done}, {"seconds_left", 60}}}},
                {"open",
                 {{{"problem", problem},
                   {"method", "m"},
                   {"integrator", "ida"},
                   {"target", nullptr},
                   {"lacks_cells", true}}}}};
  };
  store.AddCoverage(1, coverage("b", 3));
  EXPECT_FALSE(Compare(store.Read()).runs.at(0)->coverage) << "one does not say";
  store.AddCoverage(2, coverage("c", 4));
  const Comparison comparison = Compare(store.Read());
  ASSERT_EQ(1u, comparison.runs.size());
  const CoverageRecord& whole = *comparison.runs[0]->coverage;
  EXPECT_EQ(7, whole.items->done);
  EXPECT_EQ(21, whole.items->planned) << "with the item of the missing shard 3";
  EXPECT_EQ(14, whole.passes.at(0).done);
  EXPECT_EQ(120, whole.passes.at(0).seconds_left);
  for (const ProblemResults& problem : comparison.problems)
    EXPECT_EQ(1u, problem.open.size()) << problem.name;
  EXPECT_THAT(DescribeUnfinishedRuns(comparison).at(0),
              HasSubstr("2 of 3 problems and 7 of 21 items"));
  EXPECT_EQ("mbsbench run --quick # in 2 of 3 shards", LatestCommand(comparison));
  EXPECT_EQ("unfinished: 33 % of the items", UnfinishedInShort(comparison))
      << "the trials of shard 3 are not known";
  store.AddShard(3, "a", "n1", 0.005, false);
  store.AddCoverage(3, coverage("a", 2));
  EXPECT_EQ("unfinished: 30 % of the items, 12 % of the trials",
            UnfinishedInShort(Compare(store.Read())));
}

TEST(MergedStores, TheCommandsOfAllShardsAreListed) {
  MergedStore store;
  for (const auto& [number, problem] : {std::pair(1, "b"), {2, "c"}, {3, "a"}})
    store.AddShard(number, problem, "n1", 0.005);
  const Document document = BuildDocument(store.Read());
  const Json commands = document.provenance.at("runs").at(0).at("commands_of_shards");
  ASSERT_EQ(3u, commands.size());
  EXPECT_EQ("mbsbench run --quick --resume --shard 3/3 --store /tmp/s.sqlite", commands[2]);
}

TEST(MergedStores, ARunIsUnfinishedUntilEveryShardHasFinished) {
  MergedStore store;
  store.AddShard(1, "b", "n1", 0.005);
  store.AddShard(3, "a", "n1", 0.005);
  EXPECT_EQ("", Compare(store.Read()).runs.at(0)->finished);
  store.AddShard(2, "c", "n1", 0.005, false);
  EXPECT_EQ("", Compare(store.Read()).runs.at(0)->finished);
}

}  // namespace
}  // namespace mbsbench::reports
