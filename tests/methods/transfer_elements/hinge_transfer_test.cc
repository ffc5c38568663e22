// Ball hinges: forces, moments and the point's acceleration pass, and the next body transmits no
// moment at its output end.
#include "methods/transfer_elements/hinge_transfer.h"

#include <gtest/gtest.h>

#include "tests/methods/transfer_elements/printed_matrices.h"
#include "tests/methods/transfer_elements/random_body.h"

namespace mbsbench {
namespace {

template <class D>
class HingeTransferTest : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(HingeTransferTest, Dimensions);

constexpr double kSolved =
    1e-11;  // u_32 of a random body may be ill-conditioned; measured below 1e-12

TYPED_TEST(HingeTransferTest, PassesAllButTheAngularAcceleration) {
  constexpr int kDimension = TypeParam::value;
  using L = StateLayout<kDimension>;
  RandomNumbers random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const auto body = MakeRandomBody<kDimension>(random, 1);
    const auto in = MakeRandomState<kDimension>(random);
    const auto out =
        (BallHingeTransfer<kDimension, double>(BodyTransfer(body.Instant())) * in).eval();
    EXPECT_EQ((out.template head<L::kTranslations>() - in.template head<L::kTranslations>()).norm(),
              0);
    EXPECT_EQ((out.template tail<L::kHalf + 1>() - in.template tail<L::kHalf + 1>()).norm(), 0);
  }
}

TYPED_TEST(HingeTransferTest, TheOutboardBodyTransmitsNoMomentAtItsOutputEnd) {
  constexpr int kDimension = TypeParam::value;
  RandomNumbers random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const auto body = MakeRandomBody<kDimension>(random, 1);
    const auto U = BodyTransfer(body.Instant());
    const auto in = MakeRandomState<kDimension>(random);
    const auto after = (BallHingeTransfer<kDimension, double>(U) * in).eval();
    PointState out = SplitState<kDimension>(U * after);
    EXPECT_LT(out.m.norm(), kSolved * (1 + after.norm()));
    // Not by the same matrix alone: the body obeys Newton and Euler with no moment at its output.
    out.m.setZero();
    EXPECT_LT(body.EquationsOfMotion({SplitState<kDimension>(after)}, out),
              kSolved * (1 + after.norm()));
    // ... and the angular acceleration before the hinge does not matter.
    auto turned = in;
    turned.template segment<StateLayout<kDimension>::kRotations>(StateLayout<kDimension>::kAlpha)
        .array() += 1;
    EXPECT_EQ((BallHingeTransfer<kDimension, double>(U) * turned - after).norm(), 0);
  }
}

TYPED_TEST(HingeTransferTest, MultiHingeLeavesNoMomentAtTheOutputOfABodyWithSeveralInputs) {
  constexpr int kDimension = TypeParam::value;
  using L = StateLayout<kDimension>;
  RandomNumbers random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const int inputs = 2 + trial % 3;
    const auto body = MakeRandomBody<kDimension>(random, inputs);
    const auto U = BodyTransfer<kDimension, double>(body.Instant(), body.FurtherInputs());
    Eigen::VectorXd z = Eigen::VectorXd::Zero(U.cols());
    std::vector<PointState> states;
    std::vector<typename TransferTypes<kDimension>::State> in;
    for (int k = 1; k <= inputs; ++k) {
      in.push_back(MakeRandomState<kDimension>(random));
      z += MultiHingeTransfer<kDimension, double>(U, k) * in.back();
      states.push_back(SplitState<kDimension>(in.back()));
    }
    EXPECT_EQ(
        (z.template head<L::kTranslations>() - in[0].template head<L::kTranslations>()).norm(), 0);
    for (int k = 1; k <= inputs; ++k) {
      EXPECT_EQ((z.template segment<L::kHalf>(InputColumn<kDimension>(k)) -
                 in[static_cast<std::size_t>(k - 1)].template segment<L::kHalf>(L::kM))
                    .norm(),
                0);
    }
    EXPECT_EQ(z[z.size() - 1], 1);
    states[0].alpha = SplitState<kDimension>(z).alpha;
    PointState out = SplitState<kDimension>(U * z);
    EXPECT_LT(out.m.norm(), kSolved * (1 + z.norm()));
    out.m.setZero();
    EXPECT_LT(body.EquationsOfMotion(states, out), kSolved * (1 + z.norm()));
  }
}

}  // namespace
}  // namespace mbsbench
