// ctest pads each line of its output to the longest name of all tests.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "tests/architecture/read.h"

namespace {

namespace fs = std::filesystem;

// Reads the files in which ctest keeps the names, with their parameters, of the tests that it has found.
TEST(TestNames, HaveFewerThan100Characters) {
  const std::regex name(R"(add_test\(\[(=*)\[(.*)\]\1\])");
  int names = 0;
  for (const fs::directory_entry& file :
       fs::directory_iterator(fs::path(MBSBENCH_EXECUTABLE).parent_path() / "tests")) {
    if (file.path().extension() != ".cmake") continue;
    const std::string text = Read(file.path());
    for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i, ++names)
      EXPECT_LT((*i)[2].length(), 100) << (*i)[2];
  }
  if (names == 0) GTEST_SKIP() << "ctest has not looked for tests in this build yet";
}

}  // namespace
