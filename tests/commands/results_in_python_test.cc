// The code of docs/results_in_python.md, run unchanged on a store of the runner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

std::vector<std::string> CodeBlocks(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  static const std::regex kBlock("```python\n([^`]*)```");
  std::vector<std::string> blocks;
  for (std::sregex_iterator it(all.begin(), all.end(), kBlock), end; it != end; ++it)
    blocks.push_back((*it)[1]);
  return blocks;
}

bool Has(const std::string& module) {
  return RunCommand("/usr/bin/python3", {"-c", "import " + module}).exit_code == 0;
}

TEST(ResultsInPython, TheDocumentedCodeReadsAStore) {
  if (!Has("sqlite3")) GTEST_SKIP() << "no python3 with sqlite3";
  const std::vector<std::string> blocks =
      CodeBlocks(MBSBENCH_SOURCE_DIR "/docs/results_in_python.md");
  ASSERT_EQ(2u, blocks.size());
  const TemporaryFolder folder;
  const std::string store = folder.File("results.sqlite");
  const CommandResult run =
      RunCommand(TOYS_EXECUTABLE, {"run", "--quick", "--problem", "pendulum", "--method",
                                   "toy-twin", "--integrator", "dopri5", "--store", store});
  ASSERT_EQ(0, run.exit_code) << run.err;

  const std::string script = folder.File("results.py");
  std::ofstream(script) << blocks[0];
  const CommandResult table = RunCommand("/usr/bin/python3", {script, store});
  EXPECT_EQ(0, table.exit_code) << table.err;
  EXPECT_THAT(table.out, testing::ContainsRegex("pendulum +toy-twin +dopri5 .* ms  error"));

  if (!Has("pandas") || !Has("matplotlib")) return;  // the second needs both
  const std::string plot = folder.File("plot.py"), picture = folder.File("plot.png");
  std::ofstream(plot) << blocks[1];
  const CommandResult drawn = RunCommand("/usr/bin/python3", {plot, store, "pendulum", picture});
  EXPECT_EQ(0, drawn.exit_code) << drawn.err;
  EXPECT_TRUE(std::filesystem::exists(picture));
}

TEST(ResultsInPython, TheViewHasOneRowPerCellWithItsErrorAndLeastTime) {
  if (!Has("sqlite3")) GTEST_SKIP() << "no python3 with sqlite3";
  const TemporaryFolder folder;
  const std::string store = folder.File("results.sqlite");
  const CommandResult run =
      RunCommand(TOYS_EXECUTABLE, {"run", "--quick", "--problem", "pendulum", "--method",
                                   "toy-twin", "--integrator", "dopri5", "--store", store});
  ASSERT_EQ(0, run.exit_code) << run.err;
  const std::string script = folder.File("check.py");
  std::ofstream(script) << R"(
import json, sqlite3, sys
store = sqlite3.connect(sys.argv[1])
cells = store.execute("SELECT tolerance, outcome, error, cpu_seconds, rounds, steps FROM cell").fetchall()
assert len(cells) == 3, cells
for tolerance, outcome, error, cpu, rounds, steps in cells:
    record, = store.execute("SELECT record FROM trial WHERE kind = 'accuracy' AND tolerance = ?", [tolerance]).fetchone()
    record = json.loads(record)
    times = [t for t, in store.execute("SELECT cpu_seconds FROM trial WHERE kind = 'time' AND tolerance = ?", [tolerance])]
    assert error == record["error"]["max"] and steps == record["counters"]["steps"], tolerance
    assert cpu == min(times) and rounds == len(times) > 0, tolerance
)";
  const CommandResult check = RunCommand("/usr/bin/python3", {script, store});
  EXPECT_EQ(0, check.exit_code) << check.err;
}

}  // namespace
}  // namespace mbsbench
