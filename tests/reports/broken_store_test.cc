// Empty, incomplete and damaged stores: a message, or a report that states the fault.
#include <gmock/gmock.h>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

// What a user reads when no report can be made; "" when one was made.
std::string Complaint(const std::filesystem::path& store, const std::filesystem::path& out) {
  try {
    WriteReport(store, out);
  } catch (const ReportError& error) {
    return error.what();
  }
  return "";
}

TEST(BrokenStore, AbsentIsNamed) {
  TestFolder folder;
  EXPECT_THAT(Complaint(folder / "none.sqlite", folder / "out"),
              HasSubstr("there is no store '" + (folder / "none.sqlite").string() + "'"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  EXPECT_THROW(Summary(folder / "none.sqlite"), ReportError);
}

TEST(BrokenStore, AFolderIsNotAStore) {
  TestFolder folder;
  EXPECT_THAT(Complaint(folder / "", folder / "out"), HasSubstr("is a folder, not a store"));
}

TEST(BrokenStore, AnEmptyFileIsReported) {
  TestFolder folder;
  std::ofstream(folder / "empty.sqlite");
  EXPECT_THAT(Complaint(folder / "empty.sqlite", folder / "out"), HasSubstr("is empty"));
}

TEST(BrokenStore, TextIsNotAStore) {
  TestFolder folder;
  std::ofstream(folder / "text.sqlite") << std::string(5000, 'x');
  EXPECT_THAT(Complaint(folder / "text.sqlite", folder / "out"),
              HasSubstr("it is not an SQLite file"));
}

TEST(BrokenStore, AForeignDatabaseIsReported) {
  TestFolder folder;
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "foreign.sqlite").c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "CREATE TABLE t (x)", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  EXPECT_THAT(Complaint(folder / "foreign.sqlite", folder / "out"),
              HasSubstr("is not a store of mbsbench: it is an SQLite file of something else"));
}

TEST(BrokenStore, TruncatedAtAnyLengthGivesAMessageOrAReport) {
  TestFolder folder;
  {
    FixtureStore store(folder / "whole.sqlite");
    store.AddRun();
    for (int i = 0; i < 200; ++i) {
      store.AddCell({"pendulum", "riccati-mstmm:general", "rk4", "accuracy", {}, 1.0 / (i + 1)},
                    1e-3, {0.001});
    }
    store.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  const std::string whole = ReadFile(folder / "whole.sqlite");
  ASSERT_GT(whole.size(), 40'000u);
  int complaints = 0;
  for (int part = 1; part < 12; ++part) {
    const auto path = folder / "part.sqlite";
    std::ofstream(path, std::ios::binary)
        << whole.substr(0, whole.size() * static_cast<std::size_t>(part) / 12);
    const std::string complaint = Complaint(path, folder / "out");
    complaints += !complaint.empty();
    if (!complaint.empty()) {
      EXPECT_THAT(complaint, HasSubstr("part.sqlite")) << part;
    }
  }
  EXPECT_GT(complaints, 8);
}

TEST(BrokenStore, OtherSchemaVersionIsNamed) {
  TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  store.SetSchemaVersion("0");
  EXPECT_THAT(Complaint(store.path(), folder / "out"),
              AllOf(HasSubstr("schema version 0"), HasSubstr("reads and writes version 2")));
}

TEST(BrokenStore, MissingTableIsNamed) {
  TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  store.Execute("DROP TABLE trial");
  EXPECT_THAT(Complaint(store.path(), folder / "out"), HasSubstr("table 'trial' is missing"));
}

TEST(BrokenStore, WithoutARunIsReported) {
  TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  EXPECT_THAT(Complaint(store.path(), folder / "out"),
              HasSubstr("holds no run and no benchmark yet"));
}

TEST(BrokenStore, ARunWithoutCellsGivesAReportThatStatesIt) {
  TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun("run1", "2025-01-01T00:00:00Z", "Test CPU", false);
  store.AddProblem("pendulum");
  const ReportFiles files = WriteReport(store.path(), folder / "out");
  EXPECT_THAT(WholeMarkdown(store.path()), HasSubstr("holds no finished cell"));
  EXPECT_THAT(DataOfPage(ReadFile(files.html)).dump(), HasSubstr("holds no finished cell"));
  EXPECT_THAT(Summary(store.path()), EndsWith("No cell has finished.\n"));
}

TEST(BrokenStore, WithFailuresOnlyGivesAReportWithTheirReasons) {
  TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun("run1", "2025-01-01T00:00:00Z", "Test CPU", false);
  store.AddProblem("pendulum");
  store.Add({.problem = "pendulum",
             .method = "m:a",
             .integrator = "rk4",
             .step = 0.1,
             .outcome = "diverged",
             .reason = "not finite at t = 0.3 s",
             .record = "{}"});
  store.Add({.problem = "pendulum",
             .method = "m:a",
             .integrator = "rk4",
             .step = 0.01,
             .outcome = "nonsense"});
  const ReportFiles files = WriteReport(store.path(), folder / "out");
  const std::string markdown = WholeMarkdown(store.path());
  EXPECT_THAT(markdown, HasSubstr("nothing to compare"));
  EXPECT_THAT(markdown, HasSubstr("not finite at t = 0.3 s"));
  EXPECT_THAT(markdown, HasSubstr("| pendulum | D? |"));
  EXPECT_THAT(markdown, HasSubstr("has not finished"));
  EXPECT_THAT(markdown, HasSubstr("`mbsbench run --quick --resume` completes it"));
  EXPECT_THAT(Summary(store.path()), HasSubstr("diverged"));
}

TEST(BrokenStore, ADirectoryThatCannotBeMadeIsNamed) {
  TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun();
  std::ofstream(folder / "file") << "x";
  EXPECT_THAT(Complaint(store.path(), folder / "file"),
              HasSubstr("cannot be made: Not a directory. Give another one by --output."));
}

}  // namespace
}  // namespace mbsbench::report_tests
