// Archives: what they hold, what they refuse, and how a report shows them.
#include "reports/archive.h"

#include <gmock/gmock.h>

#include "harness/store/sha1.h"
#include "harness/store/store.h"
#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;

constexpr const char* kArticulated = "articulated-body";
constexpr const char* kLicense = "https://spdx.org/licenses/CC-BY-4.0";

Json SmallProblem(const std::string& hash = "one") {
  return {{"family", "f"},
          {"bodies", 2},
          {"reference", {{"error_estimate", 1e-12}}},
          {"problem_hash", hash}};
}

class Archive : public testing::Test {
 protected:
  Archive() : store_(folder_ / "old.sqlite") {
    Fill(store_, SmallProblem(), 1e-5, 300);
    WriteArchive(store_.path(), archive_, kLicense);
  }
  static void Fill(FixtureStore& store, const Json& problem, double error, int steps) {
    store.AddRun();
    store.AddMethod(kArticulated);
    store.AddProblem("small", problem);
    store.AddCell({"small", kArticulated, "rk4", "accuracy", 1e-3}, error, {0.001},
                  {{"counters", {{"steps", steps}, {"evaluations", 4 * steps}}}});
  }
  // The curves of the work-precision diagram of a store with another error, against the archive.
  Json Curves(const Json& problem) {
    FixtureStore store(folder_ / "new.sqlite");
    Fill(store, problem, 1e-6, 200);
    const ReportFiles files = WriteReport(store.path(), folder_ / "out", {archive_.string()});
    const Json page = DataOfPage(ReadFile(files.html));
    return FindFigure(page["sections"], "work-precision", "small")->at("data").at("series");
  }
  std::string Refusal(const std::filesystem::path& folder) {
    try {
      StoreOfArchive(folder);
    } catch (const ReportError& error) {
      return error.what();
    }
    return "";
  }
  TestFolder folder_;
  std::filesystem::path archive_ = folder_ / "archive";
  FixtureStore store_;
};

TEST_F(Archive, HoldsTheTrialsOfTheStoreAndTheFilesThatItsMetadataName) {
  EXPECT_EQ(store_.path().parent_path() / "archive/store.sqlite", StoreOfArchive(archive_));
  EXPECT_EQ(2, Store::OpenToRead(StoreOfArchive(archive_)).TrialCount());
  const Json crate = Json::parse(ReadFile(archive_ / "ro-crate-metadata.json"));
  std::map<std::string, Json> entities;
  for (const Json& entity : crate["@graph"]) entities[entity["@id"]] = entity;
  const Json& root = entities.at("./");
  EXPECT_EQ(kLicense, root["license"]["@id"]);
  for (const Json& part : root["hasPart"])
    EXPECT_TRUE(std::filesystem::exists(archive_ / part["@id"])) << part;
  ASSERT_EQ(1u, root["mentions"].size()) << "one run";
  const Json& action = entities.at(root["mentions"][0]["@id"]);
  EXPECT_EQ("2025-01-01T01:00:00Z", action["endTime"]);
  EXPECT_EQ("0.1.0", entities.at(action["instrument"]["@id"])["softwareVersion"]);
  EXPECT_THAT(ReadFile(archive_ / "CITATION.cff"), HasSubstr("cff-version"));
}

TEST_F(Archive, IsReadableBySha1sumWhichFindsEveryFileAsItWasWritten) {
  const std::string command =
      "cd '" + archive_.string() +
      "' && sha1sum --check --strict --quiet checksums.sha1 && "
      "test $(find . -type f | wc -l) -eq $(($(wc -l < checksums.sha1) + 1))";
  EXPECT_EQ(0, std::system(command.c_str()));
}

TEST_F(Archive, IsRefusedWithTheNameOfTheFileThatChangedOrIsMissing) {
  std::ofstream(archive_ / "csv/paper_claims.csv", std::ios::app) << "x\n";
  EXPECT_THAT(Refusal(archive_), HasSubstr("'csv/paper_claims.csv'"));
  std::filesystem::remove(archive_ / "CITATION.cff");
  EXPECT_THAT(Refusal(archive_), HasSubstr("'CITATION.cff'"));
  EXPECT_THAT(Refusal(folder_ / "."), HasSubstr("is no archive"));
}

TEST_F(Archive, IsNotWrittenOverAnExistingFolderNorWithoutAStore) {
  EXPECT_THROW(WriteArchive(store_.path(), archive_, kLicense), ReportError);
  EXPECT_THROW(WriteArchive(folder_ / "none.sqlite", folder_ / "b", kLicense), StoreError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b"));
}

TEST_F(Archive, OfAnotherSchemaIsRefusedWithItsVersion) {
  const std::filesystem::path other = folder_ / "other";
  std::filesystem::create_directory(other);
  FixtureStore(other / "store.sqlite").SetSchemaVersion("1");
  std::ofstream(other / "checksums.sha1")
      << Sha1OfFiles({other / "store.sqlite"}) << "  store.sqlite\n";
  try {
    WriteReport(store_.path(), folder_ / "out", {other.string()});
    FAIL() << "it was read";
  } catch (const ReportError& error) {
    EXPECT_THAT(error.what(), HasSubstr("schema version 1;"));
  }
}

TEST_F(Archive, IsDrawnInGreyAgainstStepsAndEvaluationsAndNeverAgainstTime) {
  const Json curves = Curves(SmallProblem());
  ASSERT_EQ(2u, curves.size());
  EXPECT_FALSE(curves[0].contains("archived"));
  EXPECT_EQ(true, curves[1]["archived"]);
  const Json& point = curves[1]["points"][0];
  EXPECT_TRUE(point[0].is_null()) << "time";
  EXPECT_TRUE(point[2].is_null()) << "upper quartile of times";
  EXPECT_EQ(1e-5, point[1]);
  EXPECT_EQ(1200, point[9]) << "evaluations";
  EXPECT_EQ(300, point[10]) << "steps";
  std::map<std::string, std::string> errors;
  for (const auto& row : ReadCsv(folder_ / "out/csv/work_precision.small.csv"))
    errors[row.at("archive")] = row.at("error_max");
  EXPECT_EQ("1e-05", errors.at(archive_.string()));
  EXPECT_EQ("1e-06", errors.at(""));
}

TEST_F(Archive, OfAnotherMechanismOfTheSameNameIsNotDrawn) {
  EXPECT_EQ(1u, Curves(SmallProblem("two")).size());
}

TEST_F(Archive, ShowsItsInstructionsBesideOurs) {
  const auto add = [](FixtureStore& store, double instructions) {
    store.AddBenchRun("1", "c0ffee", nullptr, "CPU of " + store.path().string());
    store.AddBench("1", "time", "small", kArticulated, "", 1e-6, {{"instructions", instructions}});
  };
  add(store_, 1500);
  std::filesystem::remove_all(archive_);
  WriteArchive(store_.path(), archive_, kLicense);
  FixtureStore store(folder_ / "new.sqlite");
  Fill(store, SmallProblem(), 1e-6, 200);
  add(store, 1000);
  const ReportFiles files = WriteReport(store.path(), folder_ / "out", {archive_.string()});
  const Json page = DataOfPage(ReadFile(files.html));
  const Json* figure = FindFigure(page["sections"], "history", "Instructions");
  ASSERT_NE(nullptr, figure);
  const Json& curves = figure->at("data").at("series");
  ASSERT_EQ(2u, curves.size());
  EXPECT_EQ(true, curves[1]["archived"]);
  EXPECT_EQ(1.5, curves[1]["points"][0][1]);
}

}  // namespace
}  // namespace mbsbench::report_tests
