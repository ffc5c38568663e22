#include "commands/run_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

std::string Refusal(const std::string& argument, const std::string& store = "") {
  try {
    ChooseRun(argument, store);
  } catch (const StoreError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RunChoice, ARunIsChosenByItsFileOrByAPrefixOfItsId) {
  const TemporaryFolder folder;
  const std::string file = folder.File("s.sqlite");
  {
    Store store = Store::OpenToWrite(file);
    store.Put(RunRow{.id = "aa22", .started = "2025-01-01T00:00:00Z"});
    store.Put(RunRow{.id = "aa11", .started = "2024-01-01T00:00:00Z"});
  }
  EXPECT_EQ("aa22", ChooseRun(file, "").run.id) << "the latest";
  EXPECT_EQ("aa11", ChooseRun(file + ":aa1", "").run.id);
  EXPECT_EQ("aa11", ChooseRun("aa1", file).run.id);
  EXPECT_THAT(Refusal(file + ":aa"), HasSubstr("two runs"));
  EXPECT_THAT(Refusal(file + ":b"), HasSubstr("holds no run 'b'. It holds aa22 (2025"));
  EXPECT_THAT(Refusal(file + ":"), HasSubstr("no run id after the colon"));
  EXPECT_THAT(Refusal("nothing.sqlite"), HasSubstr("there is no store 'nothing.sqlite'"));
  EXPECT_THAT(Refusal(""), HasSubstr("no run is given"));
}

}  // namespace
}  // namespace mbsbench
