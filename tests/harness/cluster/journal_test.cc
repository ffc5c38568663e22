#include "harness/cluster/journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

class JournalTest : public testing::Test {
 protected:
  std::string File(const std::string& name) const { return folder_.File(name); }
  static TrialRow Trial(const std::string& key) {
    TrialRow trial;
    trial.key = key;
    trial.run_id = "r1";
    trial.problem = "pendulum";
    trial.method = "m";
    trial.integrator = "rk4";
    trial.step = 0.1;
    trial.kind = "time";
    trial.round = 2;
    trial.outcome = "ok";
    trial.finished = "2024-01-01T00:00:00Z";
    trial.cpu_seconds = 0.1 + 0.2;
    trial.record.integration = {.counters = {.steps = 12}};
    trial.record.control_seconds = 0.005;
    return trial;
  }
  static RunRow Run() {
    return {"r1", "2024-01-01T00:00:00Z", "", "mbsbench run", 7, {.cpu = "x"}, {.commit = "c"}};
  }

  std::set<std::string> Read(Store& store) const {
    JournaledTrials trials;
    ReadJournal(File("journal"), store, trials);
    std::set<std::string> keys;
    for (const auto& [key, finished] : trials) keys.insert(key);
    return keys;
  }

  TemporaryFolder folder_;
};

TEST_F(JournalTest, ReplaysEachTrialOnTheNextNodeToTheLastBit) {
  Store store = Store::OpenToWrite(File("first.sqlite"));
  store.Put(Run());
  store.Put(Trial("a"));
  {
    JournalWriter writer(File("journal"), File("first.sqlite"), {});
    writer.Update();
    store.Put(Trial("b"));
    writer.Update();
    writer.Update();
  }
  EXPECT_EQ(2, TrialsInJournal(File("journal")));
  Store next = Store::OpenToWrite(File("next.sqlite"));
  EXPECT_EQ((std::set<std::string>{"a", "b"}), Read(next));
  EXPECT_EQ(2, next.TrialCount());
  EXPECT_EQ(7, next.Runs().at(0).seed);
  EXPECT_EQ("x", next.Runs().at(0).machine.cpu);
  const TrialRow trial = next.FindTrial("b").value();
  EXPECT_EQ(0.1 + 0.2, trial.cpu_seconds);
  EXPECT_EQ(0.1, trial.step);
  EXPECT_FALSE(trial.tolerance);
  EXPECT_EQ(2, trial.round);
  EXPECT_EQ(12, trial.record.integration->counters.steps);
}

TEST_F(JournalTest, ATruncatedLineLosesOnlyItsTrial) {
  {
    Store store = Store::OpenToWrite(File("first.sqlite"));
    store.Put(Run());
    store.Put(Trial("a"));
    store.Put(Trial("b"));
    JournalWriter(File("journal"), File("first.sqlite"), {}).Update();
  }
  std::filesystem::resize_file(File("journal"), std::filesystem::file_size(File("journal")) - 20);
  Store next = Store::OpenToWrite(File("next.sqlite"));
  EXPECT_EQ(1u, Read(next).size());
  // The next writer of the same journal appends to it.
  next.Put(Trial("b"));
  JournalWriter(File("journal"), File("next.sqlite"), {{"a", Trial("a").finished}}).Update();
  Store third = Store::OpenToWrite(File("third.sqlite"));
  EXPECT_EQ((std::set<std::string>{"a", "b"}), Read(third));
}

TEST_F(JournalTest, TrialsOfAJournalAreNotWrittenAgain) {
  Store store = Store::OpenToWrite(File("first.sqlite"));
  store.Put(Run());
  store.Put(Trial("a"));
  store.Put(Trial("b"));
  JournalWriter(File("journal"), File("first.sqlite"), {{"a", Trial("a").finished}}).Update();
  EXPECT_EQ(1, TrialsInJournal(File("journal")));
}

// As `run --retry` does.
TEST_F(JournalTest, ARepeatedTrialReplacesTheOneOfTheNextNode) {
  Store store = Store::OpenToWrite(File("first.sqlite"));
  store.Put(Run());
  TrialRow trial = Trial("a");
  trial.outcome = "crashed";
  store.Put(trial);
  JournalWriter writer(File("journal"), File("first.sqlite"), {{"a", trial.finished}});
  writer.Update();
  EXPECT_EQ(0, TrialsInJournal(File("journal"))) << "it was there";
  Store next = Store::OpenToWrite(File("next.sqlite"));
  next.Put(Run());
  next.Put(trial);
  for (const char* finished : {"2024-01-01T00:00:00Z", "2024-01-01T00:00:09Z"}) {
    trial.outcome = "ok";
    trial.finished = finished;
    trial.cpu_seconds = finished[18] - '0';
    store.Put(trial);
    writer.Update();
    Read(next);
    EXPECT_EQ("ok", next.FindTrial("a")->outcome) << finished;
    EXPECT_EQ(trial.cpu_seconds, next.FindTrial("a")->cpu_seconds);
  }
  EXPECT_EQ(1, TrialsInJournal(File("journal"))) << "one trial, however often it was run";
  // Older entries do not replace newer ones of a store.
  trial.finished = "2024-01-01T00:01:00Z";
  trial.cpu_seconds = 77;
  next.Put(trial);
  Read(next);
  EXPECT_EQ(77, next.FindTrial("a")->cpu_seconds);
}

}  // namespace
}  // namespace mbsbench
