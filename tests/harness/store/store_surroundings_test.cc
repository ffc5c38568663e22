// Stores with a failing folder or disk, or with damaged content.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "harness/store/store.h"
#include "tests/support/command.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TrialRow Trial(int round) {
  TrialRow row;
  row.key = "key " + std::to_string(round);
  row.run_id = "r1";
  row.problem = "branch4";
  row.method = "a";
  row.kind = "time";
  row.round = round;
  row.outcome = "ok";
  row.finished = UtcNow();
  row.record.command = std::string(2000, 'x');
  return row;
}

RunRow RunOfOneMachine() {
  return {"r1", UtcNow(), "", "mbsbench run", 7, {.cpu = "x"}, {.flags = "y"}};
}

// A store of `trials` trials without a writer.
std::string MakeStore(const fs::path& file, int trials) {
  Store store = Store::OpenToWrite(file);
  store.Put(RunOfOneMachine());
  store.Put(ProblemRow{"r1", "branch4", {.bodies = 4}});
  store.Put(MethodRow{"r1", "a", {.key = "a"}});
  for (int i = 0; i < trials; ++i) store.Put(Trial(i));
  return file;
}

std::string Complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

// ---- the file is deleted while it is written

struct Loss {
  const char* name;
  void (*happen)(const fs::path& file);
};
void PrintTo(const Loss& loss, std::ostream* out) { *out << loss.name; }
class StoreLostDuringWriting : public testing::TestWithParam<Loss> {};

TEST_P(StoreLostDuringWriting, IsReportedByEveryTransaction) {
  const TemporaryFolder folder;
  const std::string file = folder.File("s.sqlite");
  Store store = Store::OpenToWrite(file);
  store.Put(RunOfOneMachine());
  GetParam().happen(file);
  for (const std::function<void()>& put :
       {std::function<void()>([&] { store.Put(RunOfOneMachine()); }), std::function<void()>([&] {
          store.Put(ProblemRow{"r1", "p"});
        }),
        std::function<void()>([&] {
          store.Put(MethodRow{"r1", "m"});
        }),
        std::function<void()>([&] { store.Put(Trial(1)); }),
        std::function<void()>([&] { store.Put(BenchRunRow{}); })}) {
    EXPECT_THAT(Complaint(put), HasSubstr("was deleted or replaced while it was being written"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Store, StoreLostDuringWriting,
    testing::Values(Loss{"deleted", [](const fs::path& file) { fs::remove(file); }},
                    Loss{"replaced",
                         [](const fs::path& file) {
                           fs::remove(file);
                           MakeStore(file, 1);
                         }},
                    Loss{"moved",
                         [](const fs::path& file) { fs::rename(file, file.string() + ".old"); }},
                    Loss{"its folder deleted",
                         [](const fs::path& file) { fs::remove_all(file.parent_path()); }}),
    NameOfParameter);

// ---- a folder that cannot be written

// The system refuses writing only to users without privileges.
class AsUnprivilegedUser {
 public:
  AsUnprivilegedUser() { EXPECT_EQ(0, geteuid() == 0 ? seteuid(65534) : 0); }
  ~AsUnprivilegedUser() { EXPECT_EQ(0, getuid() == 0 ? seteuid(0) : 0); }
};

TEST(StoreSurroundings, AStoreInAReadOnlyFolderIsRead) {
  const TemporaryFolder folder, target;
  // Characters with a special meaning in URIs are part of the name.
  const std::string file = MakeStore(folder.File("s ?#%41.sqlite"), 3);
  fs::permissions(folder.path(), fs::perms{0555});
  fs::permissions(target.path(), fs::perms{0777});
  {
    const AsUnprivilegedUser user;
    EXPECT_EQ("", Complaint([&] {
                const Store store = Store::OpenToRead(file);
                EXPECT_EQ(3, store.TrialCount());
                EXPECT_EQ(3u, store.Trials().size());
                store.ExportTo(target.path() / "copy.sqlite");
              }));
    EXPECT_EQ("", Complaint([&] {
                Store all = Store::OpenToWrite(target.path() / "all.sqlite");
                EXPECT_EQ(3, all.ImportFrom(file).added);
              }));
  }
  fs::permissions(folder.path(), fs::perms{0755});
  EXPECT_EQ(3, Store::OpenToRead(target.path() / "copy.sqlite").TrialCount());
}

// ---- an export that cannot be finished

TEST(StoreSurroundings, AnExportToAFullDiskLeavesNothingAndNamesItsTarget) {
  const TemporaryFolder folder;
  const std::string file = MakeStore(folder.File("s.sqlite"), 200), copy = folder.File("copy");
  const Store store = Store::OpenToRead(file);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100000, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);  // so that it looks like a disk without room
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string complaint = Complaint([&] { store.ExportTo(copy); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_THAT(complaint, HasSubstr("'" + copy + "' could not be written: "));
  EXPECT_THAT(complaint, testing::Not(HasSubstr("s.sqlite")));
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_EQ(0u, entry.path().filename().string().rfind("s.sqlite", 0)) << entry.path();
  store.ExportTo(copy);
  EXPECT_EQ(200, Store::OpenToRead(copy).TrialCount());
}

TEST(StoreSurroundings, AnExportIntoAMissingFolderNamesItsTarget) {
  const TemporaryFolder folder;
  const Store store = Store::OpenToRead(MakeStore(folder.File("s.sqlite"), 1));
  EXPECT_THAT(Complaint([&] { store.ExportTo("/no/such/folder/copy.sqlite"); }),
              HasSubstr("'/no/such/folder/copy.sqlite' could not be written: "));
}

// ---- records that are not objects

class RecordThatIsNotAnObject : public testing::TestWithParam<const char*> {};

TEST_P(RecordThatIsNotAnObject, IsReportedAsADamagedRecordInAnyPlace) {
  const std::vector<std::pair<const char*, std::function<void(const Store&)>>> columns{
      {"UPDATE trial SET record = ", [](const Store& s) { s.Trials(); }},
      {"UPDATE trial SET record = ", [](const Store& s) { s.FindTrial("key 0"); }},
      {"UPDATE problem SET json = ", [](const Store& s) { s.Problems(); }},
      {"UPDATE method SET json = ", [](const Store& s) { s.Methods(); }},
      {"UPDATE run SET machine = ", [](const Store& s) { s.Runs(); }},
      {"UPDATE run SET build = ", [](const Store& s) { s.Runs(); }}};
  for (const auto& [update, read] : columns) {
    const TemporaryFolder folder;
    const std::string file = MakeStore(folder.File("s.sqlite"), 1);
    sqlite3* database = nullptr;
    ASSERT_EQ(SQLITE_OK, sqlite3_open(file.c_str(), &database));
    const std::string sql = std::string(update) + "'" + GetParam() + "'";
    EXPECT_EQ(SQLITE_OK, sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr));
    sqlite3_close(database);
    EXPECT_THAT(Complaint([&] { read(Store::OpenToRead(file)); }),
                HasSubstr("is damaged: it holds a record that is not a JSON object"))
        << sql;
  }
}

INSTANTIATE_TEST_SUITE_P(Store, RecordThatIsNotAnObject,
                         testing::Values("5", "[]", "\"text\"", "true", "null", "{", ""));

}  // namespace
}  // namespace mbsbench
