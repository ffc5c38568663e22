// The exit code of a command that calls a foreign method when something other than the method fails.
#include <gtest/gtest.h>

#include "commands/commands.h"
#include "commands/text.h"
#include "harness/store/store.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

class ExitCode : public testing::Test {
 protected:
  int Of(const std::function<int()>& command) {
    CommandContext context;
    MethodEntry foreign;
    foreign.key = "foreign";
    context.methods = {Guarded(foreign, "foreign.so")};
    return ExitCodeOf("foreign", context, command);
  }
};

TEST_F(ExitCode, OfABadStoreIsBadInputAlsoForAForeignMethod) {
  EXPECT_THROW(Of([]() -> int { throw StoreError("the store is damaged."); }), ModelError);
}

TEST_F(ExitCode, OfAnExceptionOfTheMethodIsAFailedCell) {
  EXPECT_EQ(3, Of([]() -> int { throw std::runtime_error("thrown by a method"); }));
}

TEST_F(ExitCode, IsThatOfTheCommand) {
  EXPECT_EQ(0, Of([] { return 0; }));
  EXPECT_EQ(3, Of([] { return 3; }));
}

}  // namespace
}  // namespace mbsbench
