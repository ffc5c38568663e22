// The commands of docs/regressions_in_your_ci.md, as printed. In the place of the installed program and of the plug-ins that
// the first commands build, there are those of the tests, which valgrind can count like a build of the documented preset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string TextOf(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The blocks of commands about a plug-in.
std::vector<std::string> DocumentedCommands() {
  std::string text = TextOf(MBSBENCH_SOURCE_DIR "/docs/regressions_in_your_ci.md");
  text.resize(text.find("## A change to mbsbench itself"));
  static const std::regex kBlock("```\n([^`]*)```");
  std::vector<std::string> blocks;
  for (std::sregex_iterator it(text.begin(), text.end(), kBlock), end; it != end; ++it)
    blocks.push_back((*it)[1]);
  return blocks;
}

std::array<std::string, 3> Lines(const std::string& commands) {
  std::array<std::string, 3> lines;
  std::istringstream in(commands);
  for (std::string& line : lines) std::getline(in, line);
  return lines;
}

class DocumentedRegressions : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(4u, commands_.size());
    for (const char* name : {"bin", "before", "now"}) fs::create_directory(folder_.path() / name);
    fs::create_symlink(TOYS_EXECUTABLE, folder_.path() / "bin/mbsbench");
    fs::create_symlink(MY_METHOD_PLUGIN, folder_.path() / "before/libmy_method.so");
  }
  void Now(const char* plugin) {
    const fs::path place = folder_.path() / "now/libmy_method.so";
    fs::remove(place);
    fs::create_symlink(plugin, place);
  }
  // Each command must succeed but the last.
  CommandResult Shell(const std::string& commands) const {
    return RunCommand("/usr/bin/env",
                      {"PATH=" + folder_.File("bin") + ":" + std::getenv("PATH"), "bash", "-ec",
                       "cd " + folder_.path().string() + "\n" + commands});
  }
  const std::vector<std::string> commands_ = DocumentedCommands();
  const TemporaryFolder folder_;
};

// The preset that the first commands name: the compiler may not use AVX-512, which valgrind does not know.
TEST_F(DocumentedRegressions, BuildWhatValgrindCanCount) {
  std::smatch preset;
  ASSERT_TRUE(std::regex_search(commands_[0], preset, std::regex("cmake --preset (\\w+)")));
  const nlohmann::json presets =
      nlohmann::json::parse(TextOf(MBSBENCH_SOURCE_DIR "/CMakePresets.json"));
  std::string flags;
  for (const auto& p : presets.at("configurePresets")) {
    if (p.at("name") == preset[1].str())
      flags = p.at("cacheVariables").at("CMAKE_CXX_FLAGS_RELEASE");
  }
  ASSERT_THAT(flags, HasSubstr("-march="));
  const CommandResult macros =
      Shell(std::string("echo | ") + COMPILER + " " + flags + " -x c++ -dM -E -");
  EXPECT_THAT(macros.out, HasSubstr("__cplusplus"));
  EXPECT_THAT(macros.out, Not(HasSubstr("__AVX512")));
  // Later commands use the program and the folders that these make.
  EXPECT_THAT(commands_[0], HasSubstr("--prefix \"$HOME/mbsbench\"\nPATH=$HOME/mbsbench/bin:"));
  EXPECT_THAT(commands_[0], HasSubstr("cmake --build now\n"));
}

TEST_F(DocumentedRegressions, FindAChangeOfOnePartInABillion) {
  Now(CHANGED_METHOD_PLUGIN);
  const auto [run_before, run_now, compare] = Lines(commands_[1]);
  EXPECT_EQ(0, Shell(run_before).exit_code);
  EXPECT_EQ(3, Shell(run_now).exit_code) << "the accelerations differ from those in 113 bits";
  const CommandResult compared = Shell(compare);
  EXPECT_EQ(1, compared.exit_code) << compared.out << compared.err;
  EXPECT_THAT(TextOf(folder_.File("compare.xml")), HasSubstr("<failure"));
  const CommandResult paired = Shell(commands_[2]);
  EXPECT_EQ(1, paired.exit_code) << paired.out << paired.err;
  EXPECT_THAT(paired.out, HasSubstr("times not compared: results differ"));
}

// Counts decide, whatever else the machine does. Pairs of times find a slower kernel in Paired.*.
TEST_F(DocumentedRegressions, FindASlowdownOfTenPercentAndNothingElse) {
  Now(SLOWER_METHOD_PLUGIN);
  CommandResult gate = Shell(commands_[3]);
  if (gate.out.find("valgrind is not installed") != std::string::npos)
    GTEST_SKIP() << "valgrind is not installed";
  EXPECT_EQ(1, gate.exit_code) << gate.out << gate.err;
  EXPECT_THAT(gate.out, HasSubstr("WORSE   pendulum my-method accelerations"));
  EXPECT_THAT(gate.out, HasSubstr("1 worse, 0 better\ncells: "));
  Now(MY_METHOD_PLUGIN);
  gate = Shell(Lines(commands_[3])[1]);
  EXPECT_EQ(0, gate.exit_code) << gate.out << gate.err;
}

}  // namespace
}  // namespace mbsbench
