// Rigid bodies: for any input, the output obeys Newton and Euler and moves with the rigid
// body.
#include "methods/transfer_elements/body_transfer.h"

#include <gtest/gtest.h>

#include <vector>

#include "methods/transfer_elements/geometric_equation.h"
#include "tests/methods/transfer_elements/printed_matrices.h"
#include "tests/methods/transfer_elements/random_body.h"

namespace mbsbench {
namespace {

template <class D>
class BodyTransferTest : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BodyTransferTest, Dimensions);

constexpr double kRoundOff =
    1e-13;  // sums of a few products of numbers around one; measured below 2e-14

TYPED_TEST(BodyTransferTest, ForcesAndMomentsObeyNewtonAndEuler) {
  RandomNumbers random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const auto body = MakeRandomBody<TypeParam::value>(random, 1);
    const auto in = MakeRandomState<TypeParam::value>(random);
    const auto out = SplitState<TypeParam::value>(BodyTransfer(body.Instant()) * in);
    EXPECT_LT(body.EquationsOfMotion({SplitState<TypeParam::value>(in)}, out), kRoundOff);
  }
}

TYPED_TEST(BodyTransferTest, TheOutputEndMovesWithTheBody) {
  RandomNumbers random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const auto body = MakeRandomBody<TypeParam::value>(random, 1);
    const auto in = MakeRandomState<TypeParam::value>(random);
    const auto out = (BodyTransfer(body.Instant()) * in).eval();
    const auto a = SplitState<TypeParam::value>(in), b = SplitState<TypeParam::value>(out);
    EXPECT_LT(
        (b.a - AccelerationOfPoint(a.a, a.alpha, body.omega, body.output - body.inputs[0])).norm(),
        kRoundOff);
    EXPECT_EQ((b.alpha - a.alpha).norm(), 0);
    EXPECT_EQ(out[out.size() - 1], 1);
  }
}

TYPED_TEST(BodyTransferTest, SeveralInputsObeyNewtonAndEuler) {
  constexpr int kDimension = TypeParam::value;
  using L = StateLayout<kDimension>;
  RandomNumbers random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const int inputs = 2 + trial % 3;
    const auto body = MakeRandomBody<kDimension>(random, inputs);
    const auto U = BodyTransfer<kDimension, double>(body.Instant(), body.FurtherInputs());
    ASSERT_EQ(U.cols(), InputsSize<kDimension>(inputs));
    Eigen::VectorXd z(U.cols());  // eq. 6
    std::vector<PointState> states;
    for (int k = 1; k <= inputs; ++k) {
      const auto state = MakeRandomState<kDimension>(random);
      if (k == 1) z.head(L::kSize - 1) = state.head(L::kSize - 1);
      z.template segment<L::kHalf>(InputColumn<kDimension>(k)) =
          state.template segment<L::kHalf>(L::kM);
      states.push_back(SplitState<kDimension>(state));
    }
    z[z.size() - 1] = 1;
    const Eigen::VectorXd out = U * z;
    const PointState end = SplitState<kDimension>(out);
    EXPECT_LT(body.EquationsOfMotion(states, end), kRoundOff);
    EXPECT_LT((end.a - AccelerationOfPoint(states[0].a, states[0].alpha, body.omega,
                                           body.output - body.inputs[0]))
                  .norm(),
              kRoundOff);
    EXPECT_EQ((end.alpha - states[0].alpha).norm(), 0);
    EXPECT_EQ(out[out.size() - 1], 1);
  }
}

TYPED_TEST(BodyTransferTest, GeometricEquationMovesFurtherInputsWithTheBodyAndPassesTheirMoments) {
  constexpr int kDimension = TypeParam::value;
  using L = StateLayout<kDimension>;
  RandomNumbers random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const auto body = MakeRandomBody<kDimension>(random, 4);
    Eigen::VectorXd z(InputsSize<kDimension>(4));
    for (double& v : z) v = random.Between(-1, 1);
    z[z.size() - 1] = 1;
    const PointState first = SplitState<kDimension>(z);
    for (int k = 2; k <= 4; ++k) {
      const Eigen::VectorXd moved =
          AccelerationAndMomentOfInput<kDimension, double>(
              body.FurtherInputs()[static_cast<std::size_t>(k - 2)], body.Instant().Omega, k, 4) *
          z;
      const Eigen::Vector3d arm = body.inputs[static_cast<std::size_t>(k - 1)] - body.inputs[0];
      const Eigen::Vector3d a = AccelerationOfPoint(first.a, first.alpha, body.omega, arm);
      EXPECT_LT((moved.head<kDimension>() - a.head<kDimension>()).norm(), kRoundOff);
      EXPECT_EQ((moved.template tail<L::kRotations>() -
                 z.template segment<L::kRotations>(InputColumn<kDimension>(k)))
                    .norm(),
                0);
    }
    // The form of the methods gives the same acceleration, and the transmitted load acts as by its columns of eq. 8.
    const auto U = BodyTransfer<kDimension, double>(body.Instant(), body.FurtherInputs());
    const auto of_first = U.template block<L::kHalf, L::kHalf>(L::kM, L::kM);
    for (int k = 2; k <= 4; ++k) {
      const auto arm = body.FurtherInputs()[static_cast<std::size_t>(k - 2)];
      const auto H =
          AccelerationAndMomentOfInput<kDimension, double>(arm, body.Instant().Omega, k, 4);
      FurtherInput<kDimension> input;
      input.Set(arm, body.Instant().Omega);
      const auto z_b = input.X * z.template head<L::kHalf>() + input.x_5;
      EXPECT_LT((z_b - H * z).template head<L::kTranslations>().norm(), kRoundOff);
      EXPECT_LT((z_b - z.template head<L::kHalf>()).template tail<L::kRotations>().norm(),
                kRoundOff);
      EXPECT_LT((of_first * input.to_first -
                 U.template block<L::kHalf, L::kHalf>(L::kM, InputColumn<kDimension>(k)))
                    .norm(),
                kRoundOff);
    }
    const auto state = MakeRandomState<kDimension>(random);
    const auto picked = (AccelerationAndMomentOfState<kDimension>() * state).eval();
    EXPECT_EQ(
        (picked.template head<L::kTranslations>() - state.template head<L::kTranslations>()).norm(),
        0);
    EXPECT_EQ((picked.template tail<L::kRotations>() - state.template segment<L::kRotations>(L::kM))
                  .norm(),
              0);
  }
}

// A body that moves in the plane is the spatial one, rows and columns 1, 2, 6, 9, 10, 11, 13 (the
// paper's reduction before eq. 36).
TEST(BodyTransfer, PlanarMatrixEqualsTheReducedSpatialOne) {
  RandomNumbers random(5);
  const int keep[] = {0, 1, 5, 8, 9, 10, 12};
  for (int trial = 0; trial < 20; ++trial) {
    const auto planar = MakeRandomBody<2>(random, 1);
    BodyInstant<3> spatial;
    spatial.mass = planar.mass;
    spatial.r_IC = planar.mass_centre - planar.inputs[0];
    spatial.r_IO = planar.output - planar.inputs[0];
    spatial.J_I = planar.InertiaAboutFirstInput();
    spatial.Omega = planar.omega;
    spatial.f_C = planar.force;
    spatial.m_C = planar.moment;
    const auto small = BodyTransfer(planar.Instant());
    const auto large = BodyTransfer(spatial);
    for (int i = 0; i < 7; ++i) {
      for (int k = 0; k < 7; ++k)
        EXPECT_NEAR(small(i, k), large(keep[i], keep[k]), kRoundOff) << i << ", " << k;
    }
  }
}

}  // namespace
}  // namespace mbsbench
