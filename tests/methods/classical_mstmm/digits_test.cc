// Digits lost in the products along a chain, and the condition number that indicates the loss.
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

struct Loss {
  double error = 0, condition = 0;
};

// Uniform rods of 1 m and 1 kg on parallel revolutes, at random angles and rates within one.
Loss LossOfAPlanarChain(int bodies, const char* variant) {
  System system;
  SystemState state;
  RandomNumbers random(7);
  for (int k = 0; k < bodies; ++k) {
    Body rod;
    rod.name = std::to_string(k);
    rod.mass = 1;
    rod.inertia = Diagonal(0.01, 1. / 12, 1. / 12);
    system.bodies.push_back(rod);
    Joint pin;
    pin.name = "pin_" + rod.name;
    pin.type = JointType::kRevolute;
    pin.parent = k - 1;
    pin.child = k;
    pin.parent_frame.position.x = k > 0 ? 0.5 : 0;
    pin.child_frame.position.x = -0.5;
    system.joints.push_back(pin);
    state.joints.q.push_back(random.Between(-1, 1));
    state.joints.u.push_back(random.Between(-1, 1));
  }
  state.bodies = ForwardKinematics(system, state.joints);
  Loss loss;
  loss.error = DistanceToReference(system, state, {variant}, &loss.condition).largest();
  return loss;
}

// Measured: error 4e-15, 9e-12, 2e-11, 4e-9 and condition 9e2, 1e6, 4e7, 3e9 at 4, 40, 100 and 500
// bodies.
TEST(ClassicalDigits, GeneralLosesDigitsSlowly) {
  const Loss short_chain = LossOfAPlanarChain(4, "general"),
             forty = LossOfAPlanarChain(40, "general"),
             long_chain = LossOfAPlanarChain(500, "general");
  EXPECT_LT(short_chain.error, 1e-13);
  EXPECT_LT(forty.error, 1e-9) << "it must agree up to 40 bodies in a path";
  EXPECT_LT(long_chain.error, 1e-5);
  EXPECT_GT(long_chain.error, 10 * short_chain.error);
  EXPECT_GT(forty.condition, 10 * short_chain.condition);
  EXPECT_GT(long_chain.condition, 10 * forty.condition);
}

// Measured: error 2e-14, 3e-12, 2e-12, 6e-7, 0.7, 9e4 and condition 6e3, 4e5, 8e6, 3e11, 8e16, 5e25
// at 4, 8, 10, 20, 30 and 40 bodies; in theory a factor 2 + sqrt 3 = 3.73 per link.
TEST(ClassicalDigits, PaperLosesHalfADigitPerBodyAndAllByThirtyBodies) {
  EXPECT_LT(LossOfAPlanarChain(8, "paper").error, 1e-9) << "it must agree up to 8 bodies in a path";
  const Loss ten = LossOfAPlanarChain(10, "paper"), twenty = LossOfAPlanarChain(20, "paper");
  EXPECT_LT(ten.error, 1e-8);
  const double per_link = std::pow(twenty.condition / ten.condition, 0.1);
  EXPECT_GT(per_link, 2);
  EXPECT_LT(per_link, 4.5);
  EXPECT_GT(LossOfAPlanarChain(32, "paper").error, 1e-3) << "lost digits are shown, not repaired";
}

}  // namespace
}  // namespace mbsbench
