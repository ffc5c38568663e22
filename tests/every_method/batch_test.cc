// Methods that evaluate many states at once, in addition to the promise "batches" of
// harness/conform.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "harness/runner/trials/evaluation_kernel.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/test_systems/random_trees.h"
#include "tests/every_method/batched_method.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

// States of the tree that differ in every entry; quaternions need not be of unit length.
std::vector<std::vector<double>> StatesAbout(const std::vector<double>& y, std::uint64_t seed) {
  RandomNumbers random(seed);
  std::vector<std::vector<double>> states(kBatchStates, y);
  for (std::vector<double>& state : states) {
    for (double& value : state) value += random.Between(-0.1, 0.1);
  }
  return states;
}

std::vector<LaneValues> Interleaved(const std::vector<std::vector<double>>& states) {
  std::vector<LaneValues> y(states[0].size());
  for (std::size_t l = 0; l < kBatchStates; ++l) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i].lane[l] = states[l][i];
  }
  return y;
}

class Batch : public BatchedMethod {
 protected:
  std::vector<double> InitialY(const RandomTree& tree) const {
    const auto formulation = Single(tree.system);
    std::vector<double> y(formulation->state_size());
    EXPECT_TRUE(formulation->Initialise(0, tree.state, y).ok());
    return y;
  }
  double WorstDifference(const System& system,
                         const std::vector<std::vector<double>>& states) const;
};

// Largest difference of any lane from its single evaluation, in units of the largest rate.
double Batch::WorstDifference(const System& system,
                              const std::vector<std::vector<double>>& states) const {
  const auto single = Single(system);
  const auto batch = Many(system);
  EXPECT_EQ(batch->state_size(), single->state_size());
  std::vector<LaneValues> rates(states[0].size());
  std::vector<Status> status(kBatchStates);
  EXPECT_TRUE(batch->EvaluateBatch(0, Interleaved(states), rates, status));
  double worst = 0;
  for (std::size_t l = 0; l < kBatchStates; ++l) {
    std::vector<double> ydot(states[l].size());
    EXPECT_TRUE(single->Evaluate(0, states[l], ydot).ok());
    Raise(worst, Difference(LaneOf(rates, l), ydot));
  }
  return worst;
}

TEST_P(Batch, IncludesSpringsInJoints) {
  RandomTree tree =
      MakeRandomTree(3, {.bodies = 8, .types = {JointType::kRevolute}, .force_elements = false});
  const auto free = Single(tree.system);
  const auto states = StatesAbout(InitialY(tree), 3);
  tree.system.forces.Of<JointSpringDamper>() = {{"spring", 2, 100, 3, 0.2},
                                                {"other", 5, 50, 1, -0.1}};
  EXPECT_LT(WorstDifference(tree.system, states), 1e-12);
  std::vector<double> with(states[0].size()), without(states[0].size());
  ASSERT_TRUE(Single(tree.system)->Evaluate(0, states[0], with).ok());
  ASSERT_TRUE(free->Evaluate(0, states[0], without).ok());
  EXPECT_NE(with, without) << "a spring that does nothing proves nothing";
}

TEST_P(Batch, OneBadStateFailsAloneWithItsOwnStatus) {
  const Problem p = MakeProblem("chainN3d:bodies=10");
  const auto batch = Many(p.system);
  std::vector<double> y = p.initial.joints.q;
  y.insert(y.end(), p.initial.joints.u.begin(), p.initial.joints.u.end());
  std::vector<LaneValues> lanes = Interleaved(StatesAbout(y, 5)), rates(y.size());
  std::vector<Status> status(kBatchStates);
  ASSERT_TRUE(batch->EvaluateBatch(0, lanes, rates, status));
  const std::vector<LaneValues> sound = rates;
  for (std::size_t bad = 0; bad < kBatchStates; ++bad) {
    const double good = std::exchange(lanes[17].lane[bad], NAN);
    EXPECT_FALSE(batch->EvaluateBatch(0, lanes, rates, status));
    for (std::size_t l = 0; l < kBatchStates; ++l) {
      EXPECT_EQ(status[l].code, l == bad ? Status::Code::kNotFinite : Status::Code::kOk) << l;
      for (std::size_t i = 0; i < rates.size(); ++i) {
        if (l == bad) {
          EXPECT_TRUE(std::isnan(rates[i].lane[l])) << l;
        } else {
          EXPECT_EQ(rates[i].lane[l], sound[i].lane[l]) << l << ": the same bits";
        }
      }
    }
    lanes[17].lane[bad] = good;
  }
  EXPECT_TRUE(batch->EvaluateBatch(0, lanes, rates, status));
}

// A link without mass has no inertia about its hinge where the bob that slides on it lies on the axis.
TEST_P(Batch, ASingularStateNamesItsJointAndLeavesTheOthersAlone) {
  System system;
  system.bodies = {{"link", 0, {}, false, {}}, {"bob", 1, {}, true, {}}};
  Joint hinge, slider;
  hinge.name = "hinge";
  hinge.type = JointType::kRevolute;
  hinge.child = 0;
  slider.name = "slider";
  slider.type = JointType::kPrismatic;
  slider.parent = 0, slider.child = 1;
  slider.parent_frame.orientation = AxisAngle({0, 1, 0}, M_PI / 2);
  slider.child_frame.orientation = slider.parent_frame.orientation;
  system.joints = {hinge, slider};
  system.gravity = {};
  const auto batch = Many(system);
  const std::vector<double> out{0.3, 2, 0.1, 0.2};  // two metres out
  std::vector<std::vector<double>> states(kBatchStates, out);
  states[3][1] = 0;  // on the axis of the hinge
  std::vector<LaneValues> rates(out.size());
  std::vector<Status> status(kBatchStates);
  EXPECT_FALSE(batch->EvaluateBatch(0, Interleaved(states), rates, status));
  for (std::size_t l = 0; l < kBatchStates; ++l) {
    EXPECT_EQ(status[l].code, l == 3 ? Status::Code::kSingular : Status::Code::kOk) << l;
    EXPECT_EQ(status[l].joint, l == 3 ? 0 : -1) << l;
    // Free of forces: r'' = r w^2, and r w' = -2 r' w.
    if (l != 3) {
      EXPECT_NEAR(rates[3].lane[l], 2 * 0.1 * 0.1, 1e-14) << l;
      EXPECT_NEAR(rates[2].lane[l], -0.2 * 0.1, 1e-14) << l;
    }
  }
}

TEST_P(Batch, OfFewerStatesDoesNotLookAtTheOtherLanes) {
  const Problem p = MakeProblem("chainN3d:bodies=10");
  const auto batch = Many(p.system);
  std::vector<double> y = p.initial.joints.q;
  y.insert(y.end(), p.initial.joints.u.begin(), p.initial.joints.u.end());
  std::vector<LaneValues> lanes = Interleaved(StatesAbout(y, 6)), all(y.size()), few(y.size());
  std::vector<Status> status(kBatchStates);
  ASSERT_TRUE(batch->EvaluateBatch(0, lanes, all, status));
  for (LaneValues& value : lanes) value.lane[3] = NAN;
  status.resize(3);
  EXPECT_TRUE(batch->EvaluateBatch(0, lanes, few, status));
  for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(LaneOf(few, l), LaneOf(all, l)) << l;
}

TEST_P(Batch, RefusesLoopsAndSpringsBetweenBodies) {
  const auto refusal = [this](const System& system) -> std::string {
    try {
      Many(system);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(MakeProblem("fourbar").system), testing::HasSubstr("closes a loop"));
  EXPECT_THAT(refusal(MakeRandomTree(1, {.bodies = 6}).system), testing::HasSubstr("springs"));
}

TEST_P(Batch, IsTimedInAdditionToTheEvaluationOfOneState) {
  const std::vector<MethodEntry> methods = AllMethods();
  const PreparedCell prepared =
      PrepareCell({"chainN3d:bodies=10", GetParam(), "", {}, {}, {}}, methods);
  const TrialResult trial = EvaluationTrial(prepared, Evaluated::kAccelerations);
  ASSERT_EQ(trial.ending.outcome, Outcome::kOk);
  const double single = trial.record.evaluation->nanoseconds_per_body;
  const double batched = trial.record.evaluation->batched->nanoseconds_per_body;
  EXPECT_GT(batched, 0);
  EXPECT_LT(batched, single) << "per state";
}

INSTANTIATE_TEST_SUITE_P(EachMethod, Batch, BatchedMethods(), NameOfSpec);

TEST(BatchList, ListsEveryMethodThatOffersBatches) {
  std::vector<std::string> keys;
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.prepare_batch) keys.push_back(entry.key);
  }
  EXPECT_THAT(keys, testing::UnorderedElementsAre("articulated-body", "riccati-mstmm"));
}

}  // namespace
}  // namespace mbsbench
