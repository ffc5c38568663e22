#include "harness/runner/cells/shell_word.h"

#include <gtest/gtest.h>

namespace mbsbench {
namespace {

TEST(ShellWord, QuotesOnlyWordsThatAShellWouldChange) {
  for (const char* plain : {"branchN:bodies=6", "1e-08", "--store", "a/b.sqlite", "x,y"})
    EXPECT_EQ(plain, ShellWord(plain));
  EXPECT_EQ("''", ShellWord(""));
  EXPECT_EQ("'tree*'", ShellWord("tree*"));
  EXPECT_EQ("'my results.sqlite'", ShellWord("my results.sqlite"));
  EXPECT_EQ("'it'\\''s'", ShellWord("it's"));
  EXPECT_EQ("'#1'", ShellWord("#1"));
}

}  // namespace
}  // namespace mbsbench
