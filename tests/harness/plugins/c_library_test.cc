// Libraries in other languages: which are accepted as a method, which are refused with which message, and how
// failures of their functions end an evaluation.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "harness/plugins/plugins.h"
#include "harness/runner/process/environment.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "tests/support/command.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// The library under the name of its fault.
class Library {
 public:
  explicit Library(const std::string& fault) : file_(folder_.File(fault + ".so")) {
    std::filesystem::copy_file(C_LIBRARY, file_);
  }
  const std::string& file() const { return file_; }
  MethodEntry Entry() const { return LoadPlugin(file_).methods.at(0); }

 private:
  TemporaryFolder folder_;
  std::string file_;
};

std::string RefusalOf(const std::string& fault) {
  try {
    LoadPlugin(Library(fault).file());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LibraryInC, IsLoadedAsAMethod) {
  const MethodEntry entry = Library("sound").Entry();
  EXPECT_EQ(entry.key, "c-pendulum");
  EXPECT_EQ(entry.origin, Origin::kPlugIn);
  EXPECT_FALSE(entry.shared_parts.empty());
}

// The identity of a trial holds this hash, so that --resume computes the trials of an edited method again.
TEST(LibraryInC, ItsHashCoversTheFilesOnWhichItSaysThatItDepends) {
  const Library library("reads-a-file");
  const std::filesystem::path table =
      std::filesystem::path(library.file()).parent_path() / "table.txt";
  std::ofstream(table) << "1";
  library.Entry();
  EXPECT_THAT(FilesOfPlugin(library.file()), ElementsAre(library.file(), table));
  const std::string before = HashOfBinary({library.file()});
  EXPECT_EQ(before, HashOfBinary({library.file()}));
  std::ofstream(table) << "2";
  EXPECT_NE(before, HashOfBinary({library.file()}));
}

TEST(LibraryInC, IsRefusedIfAFileOnWhichItDependsIsMissing) {
  EXPECT_THAT(RefusalOf("reads-a-file"), HasSubstr("table.txt', which cannot be read"));
}

// theta'' = -m g d sin(theta) / J_O, whose numbers the catalogue's pendulum states.
TEST(LibraryInC, ThatRunsPythonDependsOnItsScriptAndOnTheModulesOfTheProjectThatThisImports) {
  const std::string plugin = PYTHON_METHOD_PLUGIN;
  if (plugin.empty()) GTEST_SKIP() << "there is no Python";
  LoadPlugin(plugin);
  EXPECT_THAT(FilesOfPlugin(plugin),
              UnorderedElementsAre(plugin, EndsWith("/examples/python_method/newton_euler.py"),
                                   EndsWith("/examples/python_method/mbsbench_method.py")));
}

TEST(LibraryInC, ReceivesTheModelSoThatAPendulumHasItsExactAcceleration) {
  const MethodEntry entry = Library("sound").Entry();
  const Problem problem = MakeProblem("pendulum");
  ASSERT_TRUE(VerdictOf(entry, problem.system, {}).supported);
  const auto formulation = entry.prepare(problem.system, {});
  auto& ode = static_cast<OdeFormulation&>(*formulation);
  const Body& body = problem.system.bodies[0];
  const Joint& joint = problem.system.joints[0];
  const Vector3 z = Rotate(joint.child_frame.orientation, {0, 0, 1});
  const Vector3 arm = -joint.child_frame.position;
  const double inertia = Dot(z, body.inertia * z) + body.mass * Dot(Cross(z, arm), Cross(z, arm));
  for (const double angle : {-2.0, 0.1, 0.7, 3.0}) {
    const double y[2] = {angle, 0.3};
    double ydot[2];
    ASSERT_TRUE(ode.Evaluate(0, y, ydot).ok());
    EXPECT_EQ(ydot[0], y[1]);
    Quaternion attitude = joint.parent_frame.orientation * AxisAngle({0, 0, 1}, angle) *
                          Conjugate(joint.child_frame.orientation);
    const Vector3 moment = Cross(Rotate(attitude, arm), body.mass * problem.system.gravity);
    const double expected = Dot(Rotate(attitude, z), moment) / inertia;
    EXPECT_NEAR(ydot[1], expected, 1e-14 * std::abs(expected));
  }
}

TEST(LibraryInC, RefusesASystemWithItsOwnMessage) {
  const MethodEntry entry = Library("sound").Entry();
  const Problem two = MakeProblem("dpend18");
  EXPECT_THAT(VerdictOf(entry, two.system, {}).reason, EndsWith("is the second one."));
  EXPECT_THAT(VerdictOf(Library("refuses-silently").Entry(), two.system, {}).reason,
              HasSubstr("gives no reason"));
  EXPECT_EQ(VerdictOf(Library("refuses-without-end").Entry(), two.system, {})
                .reason.find_first_not_of('x'),
            std::string::npos);
  // The listed joints and traits are checked before the library is called.
  EXPECT_THAT(VerdictOf(entry, MakeProblem("heavytop").system, {}).reason,
              HasSubstr("is a ball joint, and c-pendulum takes only"));
}

TEST(LibraryInC, IsRefusedWithAMessageThatNamesTheFault) {
  EXPECT_THAT(
      RefusalOf("version-of-tomorrow"),
      HasSubstr("speaks version 3 of the C interface, this mbsbench version 2: rebuild it"));
  EXPECT_THAT(RefusalOf("no-description"), HasSubstr("gives no description of itself"));
  EXPECT_THAT(RefusalOf("has-a-fault"), EndsWith("cannot be used: there is no licence."));
  EXPECT_THAT(RefusalOf("no-methods"), HasSubstr("lists no method"));
  for (const char* function : {"prepare", "evaluate", "destroy"}) {
    EXPECT_THAT(RefusalOf(std::string("no-") + function),
                HasSubstr(std::string("lists the method 'c-pendulum' with no function '") +
                          function + "': correct its entry"));
  }
  EXPECT_THAT(RefusalOf("no-key"), HasSubstr("the key ''"));
  EXPECT_THAT(RefusalOf("key-in-upper-case"), HasSubstr("the key 'CPendulum'"));
  EXPECT_THAT(RefusalOf("no-title"), HasSubstr("no title"));
  EXPECT_THAT(RefusalOf("no-joints"), HasSubstr("no type of joint"));
  EXPECT_THAT(RefusalOf("joints-of-tomorrow"), HasSubstr("types of joints that version 2"));
  EXPECT_THAT(RefusalOf("traits-of-tomorrow"), HasSubstr("traits that version 2"));
  EXPECT_THAT(RefusalOf("cost-that-is-no-number"), HasSubstr("a cost exponent"));
}

TEST(LibraryInC, ReportsAFailureToPrepareOnOneLine) {
  const MethodEntry entry = Library("prepares-nothing").Entry();
  try {
    entry.prepare(MakeProblem("pendulum").system, {});
    FAIL() << "prepared";
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "c-pendulum cannot prepare this system: there is no licence.");
  }
}

TEST(LibraryInC, ReleasesEachPreparedSystem) {
  const Library library("sound");
  const MethodEntry entry = library.Entry();
  void* const handle = dlopen(library.file().c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr);
  const auto prepared = reinterpret_cast<int (*)()>(dlsym(handle, "c_library_prepared"));
  ASSERT_NE(prepared, nullptr);
  {
    const System system = MakeProblem("pendulum").system;
    const auto first = entry.prepare(system, {}), second = entry.prepare(system, {});
    EXPECT_EQ(prepared(), 2);
  }
  EXPECT_EQ(prepared(), 0);
  dlclose(handle);
}

struct Failure {
  std::string fault;
  Status::Code code;
  std::string sentence;
};
void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.fault; }

class FailingEvaluation : public testing::TestWithParam<Failure> {};

TEST_P(FailingEvaluation, IsAStatusWithAMessageAndNoNumbers) {
  const MethodEntry entry = Library(GetParam().fault).Entry();
  const auto formulation = entry.prepare(MakeProblem("pendulum").system, {});
  const double y[2] = {0.5, 0};
  double ydot[2] = {1, 1};
  const Status status = static_cast<OdeFormulation&>(*formulation).Evaluate(0, y, ydot);
  EXPECT_EQ(status.code, GetParam().code);
  EXPECT_EQ(status.what, GetParam().sentence);
  EXPECT_TRUE(std::isnan(ydot[0]) && std::isnan(ydot[1]));
}

INSTANTIATE_TEST_SUITE_P(
    LibraryInC, FailingEvaluation,
    testing::Values(
        Failure{"gives-nan", Status::Code::kNotFinite, "accelerations are not finite"},
        Failure{"gives-infinity", Status::Code::kNotFinite, "accelerations are not finite"},
        Failure{"writes-nothing", Status::Code::kNotFinite, "accelerations are not finite"},
        Failure{"is-singular", Status::Code::kSingular, "there is no inertia"},
        Failure{"fails-silently", Status::Code::kStepFailed, "the library gives no reason"},
        Failure{"fails-oddly", Status::Code::kStepFailed, "the library gives no reason"}),
    NameOfParameter);

}  // namespace
}  // namespace mbsbench
