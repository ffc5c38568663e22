// The folders that new-method and new-problem write build and pass their own tests unchanged against the installed
// package.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/support/command.h"
#include "tests/support/written_page.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

// Returns the output. A command that fails is a test failure.
std::string Done(const std::string& executable, const Arguments& arguments) {
  const CommandResult result = RunCommand(executable, arguments);
  EXPECT_EQ(0, result.exit_code) << result.out << result.err;
  return result.out + result.err;
}

bool IsNightly() { return std::getenv("MBSBENCH_NIGHTLY") != nullptr; }

constexpr char kWithoutReferences[] =
    " --promise '[!br]*' --promise 'b[!e]*' --promise 'ri*' --promise 're[!f]*' --promise refusals";

class Installation {
 public:
  Installation() {
    Done(CMAKE_EXECUTABLE, {"--install", MBSBENCH_BUILD_DIR, "--prefix", prefix()});
  }
  std::string prefix() const { return folder_.File("installed"); }
  std::string mbsbench() const { return prefix() + "/bin/mbsbench"; }
  std::string File(const std::string& name) const { return folder_.File(name); }

  // Configures and builds the folder by the commands in its first lines. Returns the output of the build.
  std::string Built(const std::string& name) const {
    const std::string source = File(name), build = source + "/build";
    Done(CMAKE_EXECUTABLE, {"-S", source, "-B", build, "-DCMAKE_PREFIX_PATH=" + prefix(),
                            std::string("-DCMAKE_CXX_COMPILER=") + COMPILER});
    return Done(CMAKE_EXECUTABLE, {"--build", build, "--verbose"});
  }
  // Returns the output of ctest.
  std::string Tested(const std::string& name, Arguments arguments = {}) const {
    const fs::path ctest = fs::path(CMAKE_EXECUTABLE).replace_filename("ctest");
    arguments.insert(arguments.end(), {"--test-dir", File(name) + "/build", "--verbose"});
    return Done(ctest, arguments);
  }
  // Tests a method as ctest does. Its references take nearly all of the time and are left to the nightly tests.
  std::string Conforms(const std::string& name) const {
    if (IsNightly()) return Tested(name);
    const std::string listed = Tested(name, {"--show-only"});
    std::smatch command;
    EXPECT_TRUE(std::regex_search(listed, command, std::regex("Test command: (.*)"))) << listed;
    return Done("/bin/sh", {"-c", command[1].str() + kWithoutReferences});
  }

 private:
  TemporaryFolder folder_;
};

// Lines of conform, as ctest prints them: "1: held            trees ...".
std::ptrdiff_t PromisesHeld(const std::string& tested, const std::string& names) {
  const std::regex line("held +(" + names + ") ");
  return std::distance(std::sregex_iterator(tested.begin(), tested.end(), line), {});
}

// The commands of docs/add_a_method.md on a plug-in, one a line. Left out of them is what takes long: the run ends after three
// seconds, and except in nightly tests there are no references and no ctest, which tries the same promises again.
std::string DocumentedCommands() {
  std::string text = TextOfFile(MBSBENCH_SOURCE_DIR "/docs/add_a_method.md");
  text.resize(text.find("## What a method is"));
  static const std::regex kBlock("```\n([^`]*)```");
  std::string commands;
  for (std::sregex_iterator it(text.begin(), text.end(), kBlock), end; it != end; ++it)
    commands += (*it)[1];
  const auto replace = [&commands](const char* printed, const std::string& by) {
    commands = std::regex_replace(commands, std::regex(printed), by);
  };
  replace("build/release", MBSBENCH_BUILD_DIR);
  replace("\\b(cmake|ctest) ", fs::path(CMAKE_EXECUTABLE).parent_path().string() + "/$1 ");
  replace("( --problem 'chainN\\*')", " --rounds 1 --minutes 0.05$1");
  if (!IsNightly()) {
    replace("( conform my-method)", std::string("$1") + kWithoutReferences);
    replace("( --output-on-failure)", " --show-only$1");
  }
  return commands;
}

TEST(NewMethod, WritesAPlugInThatBuildsAndConformsByTheCommandsOfItsPage) {
  const TemporaryFolder home;
  const std::string commands = DocumentedCommands();
  EXPECT_EQ(8, std::count(commands.begin(), commands.end(), '\n')) << commands;
  const std::string said = Done(
      "/usr/bin/env", {"HOME=" + home.path().string(), std::string("CXX=") + COMPILER, "VERBOSE=1",
                       "PATH=" + home.File("mbsbench/bin") + ":" + std::getenv("PATH"), "bash",
                       "-ec", "cd ~\n" + commands});
  EXPECT_THAT(said, HasSubstr("-DCMAKE_PREFIX_PATH=" + home.File("mbsbench")));
  EXPECT_THAT(TextOfFile(home.File("my-method/my-method.cc")), Not(HasSubstr("new-method")));
  EXPECT_THAT(said, HasSubstr("-DNDEBUG")) << "Release is what a build without a type is";
  EXPECT_THAT(said, HasSubstr("my-method.conform"));
  EXPECT_EQ(7, PromisesHeld(said, "trees|force-[^ ]*")) << said;
  EXPECT_THAT(TextOfFile(home.File("mine/report.md")), HasSubstr("my-method"));
}

TEST(NewMethod, WritesATimeStepperInAbsoluteCoordinatesThatBuildsAndConforms) {
  const Installation installed;
  Done(installed.mbsbench(), {"new-method", "my-stepper", "--dir", installed.File(""),
                              "--coordinates", "absolute", "--form", "stepper"});
  EXPECT_THAT(TextOfFile(installed.File("my-stepper/my-stepper.cc")), Not(HasSubstr("new-method")));
  installed.Built("my-stepper");
  const std::string tested = installed.Conforms("my-stepper");
  EXPECT_EQ(15, PromisesHeld(tested, "[^ ]*-own-[^ ]*|first-steps")) << tested;
}

TEST(NewMethod, WritesADaeInAbsoluteCoordinatesThatBuildsAndConforms) {
  const Installation installed;
  Done(installed.mbsbench(), {"new-method", "my-dae", "--dir", installed.File(""), "--coordinates",
                              "absolute", "--form", "dae"});
  EXPECT_THAT(TextOfFile(installed.File("my-dae/my-dae.cc")), Not(HasSubstr("new-method")));
  installed.Built("my-dae");
  const std::string tested = installed.Conforms("my-dae");
  EXPECT_EQ(5, PromisesHeld(tested, "loops|redundant|drivers-on-loops|jacobian|energy")) << tested;
}

TEST(NewMethod, HasTemplatesOf200LinesAtMost) {
  int templates = 0;
  for (const auto& file : fs::directory_iterator(MBSBENCH_SOURCE_DIR "/examples/new_method")) {
    if (file.path().extension() != ".cc") continue;
    EXPECT_LE(std::ranges::count(TextOfFile(file.path()), '\n'), 200) << file.path();
    ++templates;
  }
  EXPECT_EQ(3, templates);
}

TEST(NewMethod, RefusesAFormWithoutATemplateWithOneSentence) {
  const TemporaryFolder folder;
  for (const auto& [coordinates, form] :
       {std::pair{"joint", "stepper"}, {"absolute", "ode"}, {"joint", "dae"}, {"polar", "ode"}}) {
    const CommandResult result =
        RunCommand(MBSBENCH_EXECUTABLE, {"new-method", "mine", "--dir", folder.path(),
                                         "--coordinates", coordinates, "--form", form});
    EXPECT_EQ(2, result.exit_code) << coordinates << form;
    EXPECT_THAT(result.err, HasSubstr(std::string("--coordinates ") + coordinates));
    EXPECT_THAT(result.err,
                HasSubstr("give joint and ode, absolute and dae, or absolute and stepper"));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(NewProblem, WritesAValidModelThatIsCertifiedAndSolvedToEightDigits) {
  const Installation installed;
  Done(installed.mbsbench(), {"new-problem", "my-mechanism", "--dir", installed.File("")});
  installed.Built("my-mechanism");
  const std::string tested = installed.Tested("my-mechanism");
  for (const char* test : {"check", "certify", "articulated-body", "cartesian-dae"})
    EXPECT_THAT(tested, HasSubstr(std::string("my-mechanism.") + test));
  EXPECT_THAT(tested, HasSubstr("100% tests passed"));
  const fs::path script = installed.File("my-mechanism/certify.sh");
  EXPECT_NE(fs::status(script).permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_THAT(TextOfFile(script), HasSubstr("certify my-mechanism.json"));
}

struct Refused {
  std::string command, name, sentence;
};

TEST(NewFolder, IsRefusedWithOneSentenceAndWritesNothing) {
  const TemporaryFolder folder;
  fs::create_directory(folder.File("taken"));
  const std::string rule = "lower-case letters, digits and hyphens, beginning with a letter";
  for (const auto& [command, name, sentence] : std::vector<Refused>{
           {"new-method", "taken", "taken' exists: choose another name"},
           {"new-problem", "taken", "taken' exists: choose another name"},
           {"new-method", "articulated-body", "there is a method 'articulated-body' already"},
           {"new-problem", "pendulum", "there is a problem 'pendulum' already"},
           {"new-method", "My", rule},
           {"new-method", "ends-", rule},
           {"new-method", "../up", rule},
           {"new-problem", "a b", rule},
           {"new-problem", std::string(51, 'a'), rule}}) {
    const CommandResult result =
        RunCommand(MBSBENCH_EXECUTABLE, {command, name, "--dir", folder.path()});
    EXPECT_EQ(2, result.exit_code) << name;
    EXPECT_THAT(result.err, HasSubstr(sentence));
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
  }
  const CommandResult nowhere =
      RunCommand(MBSBENCH_EXECUTABLE, {"new-method", "mine", "--dir", folder.File("absent")});
  EXPECT_EQ(2, nowhere.exit_code);
  EXPECT_THAT(nowhere.err, HasSubstr("there is no folder '"));
  EXPECT_TRUE(fs::is_empty(folder.File("taken")));
  EXPECT_EQ(1, std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

}  // namespace
}  // namespace mbsbench
