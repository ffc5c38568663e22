// A processor that cannot run the program is refused in a sentence. No machine lacks an instruction set on request. So a true
// refusal is tested by an instruction set that no processor has, avx9000, and, where the build uses AVX-512, under valgrind, whose
// processor does not have it. Every other test that starts the program shows that it refuses no processor that can run it.
#include "harness/instruction_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

TEST(InstructionSets, TheFirstThatIsUsedAndNotAvailableIsMissing) {
  const InstructionSet sets[] = {{"avx", true, true},
                                 {"avx8000", false, false},
                                 {"avx9000", true, false},
                                 {"avx9001", true, false}};
  EXPECT_STREQ("avx9000", MissingInstructionSet(std::begin(sets), std::end(sets)));
  EXPECT_EQ(nullptr, MissingInstructionSet(std::begin(sets), std::begin(sets) + 2));
}

TEST(InstructionSets, AProcessorThatLacksOneIsRefusedInASentence) {
#ifdef __AVX512F__
  const CommandResult result =
      RunCommand("/usr/bin/env", {"valgrind", "--quiet", MBSBENCH_EXECUTABLE, "--version"});
  if (result.exit_code == 127) GTEST_SKIP() << "valgrind is not installed";
  EXPECT_EQ(2, result.exit_code);
  EXPECT_EQ("", result.out);
  EXPECT_THAT(result.err, testing::StartsWith("mbsbench: this processor lacks avx512"));
  EXPECT_EQ(1, std::count(result.err.begin(), result.err.end(), '\n')) << result.err;
#else
  GTEST_SKIP() << "this build runs on every processor that can be emulated here";
#endif
}

}  // namespace
}  // namespace mbsbench
