// MuJoCo in a Node process: its failures are those of one evaluation or of one trial.
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <fstream>

#include "harness/runner/process/supervisor.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "tests/methods/engines/engines.h"

namespace mbsbench {
namespace {

class MujocoNode : public WithEngine {
 protected:
  MujocoNode() : WithEngine("mujoco-node") {}

  // A prepared tree, and its state.
  std::unique_ptr<Formulation> Prepared() {
    const Problem problem = MakeProblem("branch4");
    std::unique_ptr<Formulation> formulation = method_->prepare(problem.system, {});
    y_.resize(formulation->state_size());
    ydot_.resize(y_.size());
    const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
    EXPECT_TRUE(formulation->Initialise(0, state, y_).ok());
    return formulation;
  }
  Status Evaluate(Formulation& formulation) {
    return static_cast<OdeFormulation&>(formulation).Evaluate(0, y_, ydot_);
  }
  std::vector<double> y_, ydot_;
};

// The process that this one has started last.
pid_t LastStarted() {
  std::ifstream children("/proc/thread-self/children");
  pid_t last = -1;
  for (pid_t one = 0; children >> one;) last = one;
  return last;
}

TEST_F(MujocoNode, ThatIsKilledFailsTheEvaluationsOfItsSystemAlone) {
  const auto killed = Prepared();
  const pid_t process = LastStarted();
  const auto other = Prepared();
  ASSERT_NE(process, LastStarted());
  ASSERT_TRUE(Evaluate(*killed).ok());
  ASSERT_EQ(0, kill(process, SIGKILL));
  for (int i = 0; i < 2; ++i) {
    const Status status = Evaluate(*killed);
    EXPECT_EQ(Status::Code::kStepFailed, status.code);
    EXPECT_STREQ("the Node process of MuJoCo has ended", status.what);
    EXPECT_TRUE(std::isnan(ydot_[0]));
  }
  EXPECT_TRUE(Evaluate(*other).ok());
  EXPECT_TRUE(std::isfinite(ydot_[0]));
}

TEST_F(MujocoNode, ThatHangsIsEndedWithItsTrialAtTheTimeLimit) {
  const TrialResult result = RunApart(
      [this] {
        const auto formulation = Prepared();
        kill(LastStarted(), SIGSTOP);
        Evaluate(*formulation);
        return TrialResult{};
      },
      {2, DefaultMemoryLimit()});
  EXPECT_EQ(Outcome::kTimeout, result.ending.outcome) << result.ending.reason;
}

TEST_F(MujocoNode, ThatRefusesAModelSaysWhy) {
  System system = MakeProblem("branch4").system;
  system.bodies[0].inertia = Diagonal(1, 1, 3);  // that of no body
  try {
    method_->prepare(system, {});
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string::npos, std::string(error.what()).find("inertia must satisfy"))
        << error.what();
  }
}

TEST_F(MujocoNode, RefusesMoreBodiesInARowThanTheStackOfItsCompilerHolds) {
  EXPECT_TRUE(VerdictOf(*method_, MakeProblem("chainN3d:bodies=60").system, {}).supported);
  const Verdict verdict = VerdictOf(*method_, MakeProblem("chainN3d:bodies=61").system, {});
  EXPECT_FALSE(verdict.supported);
  EXPECT_NE(std::string::npos, verdict.reason.find("60 others in a row")) << verdict.reason;
}

TEST_F(MujocoNode, ServesOneFormulationAfterAnotherWithOneProcess) {
  Evaluate(*Prepared());
  const std::vector<double> first = ydot_;
  const pid_t process = LastStarted();
  for (const char* name : {"chainN3d:bodies=5", "treeN:bodies=7"}) {
    const auto other = method_->prepare(MakeProblem(name).system, {});
    EXPECT_EQ(process, LastStarted()) << name;
  }
  Evaluate(*Prepared());
  EXPECT_EQ(process, LastStarted());
  EXPECT_EQ(first, ydot_);
}

}  // namespace
}  // namespace mbsbench
