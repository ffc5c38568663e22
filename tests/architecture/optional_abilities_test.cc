// An optional ability is asked for by its function (methods/interface/abilities.h); no class is guessed from another.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/architecture/read.h"

namespace {

namespace fs = std::filesystem;

TEST(OptionalAbilities, AreAskedForAndNeverFoundByACast) {
  const fs::path root = MBSBENCH_SOURCE_DIR;
  int files = 0;
  for (const char* room : {"methods", "harness"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const std::string file = fs::relative(entry.path(), root).string();
      const std::string extension = entry.path().extension().string();
      // Engines have classes of their own.
      if ((extension != ".cc" && extension != ".h") || file.starts_with("methods/engines/"))
        continue;
      ++files;
      EXPECT_EQ(Read(entry.path()).find("dynamic_cast"), std::string::npos)
          << file << " casts: ask for the ability";
    }
  }
  EXPECT_GT(files, 300);
}

}  // namespace
