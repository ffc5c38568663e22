// Thin rods on pins through their mass centres: the inertia about the pin is a small part of the whole. A spring turns
// them, so their angular acceleration has a closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/conform/tried_system.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

constexpr double kAngle = 0.3, kRate = 2;

struct RodOnAPin {
  System system;
  JointState joints;
};

// The inertia about the pin is the part `ratio` of the trace. `axes`: of the pin in the rod.
RodOnAPin MakeRod(double ratio, const Quaternion& axes, int arms) {
  RodOnAPin made;
  System& system = made.system;
  system.gravity = {0, -9.81, 0};
  for (int i = 0; i < arms; ++i) {
    Body arm;
    arm.name = fmt::format("arm {}", i + 1);
    arm.mass = 1;
    arm.inertia = Diagonal(0.1, 0.12, 0.14);
    Joint joint;
    joint.name = fmt::format("joint {}", i + 1);
    joint.type = JointType::kRevolute;
    joint.parent = i - 1, joint.child = i;
    joint.parent_frame = {{0.5, 0, 0}, Normalised({1, 0.2 * i, 0.3, 0.1})};
    joint.child_frame.position = {-0.5, 0, 0};
    system.bodies.push_back(arm);
    system.joints.push_back(joint);
    made.joints.q.push_back(kAngle + i), made.joints.u.push_back(1);
  }
  const Vector3 thin = Rotate(axes, {0, 0, 1});
  const double across = (1 - ratio) / 2, less = across - ratio;
  Body rod;
  rod.name = "rod";
  rod.mass = 1;
  rod.inertia = {{across - less * thin.x * thin.x, -less * thin.x * thin.y, -less * thin.x * thin.z,
                  across - less * thin.y * thin.y, -less * thin.y * thin.z,
                  across - less * thin.z * thin.z}};
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.parent = arms - 1, pin.child = arms;
  pin.child_frame.orientation = axes;
  system.bodies.push_back(rod);
  system.joints.push_back(pin);
  system.forces.Of<JointSpringDamper>().push_back({"spring", arms, ratio, 0, 0});
  made.joints.q.push_back(kAngle), made.joints.u.push_back(kRate);
  return made;
}

const std::map<std::string, Quaternion>& PinAxes() {
  static const std::map<std::string, Quaternion> axes{{"x", Normalised({1, 0, 1, 0})},
                                                      {"y", Normalised({1, -1, 0, 0})},
                                                      {"z", {}},
                                                      {"oblique", Normalised({9, 3, -4, 5})}};
  return axes;
}

// Of the pin: the spring's torque divided by the inertia, for the rod is alike across and hangs at its mass centre.
constexpr double kAcceleration = -kAngle;

// The relative error of the angular acceleration about the pin; NaN: the method refuses the state.
double ErrorOn(const MethodChoice& choice, const RodOnAPin& rod) {
  const System& system = rod.system;
  if (!VerdictOf(*choice.entry, system, choice.options).supported) return NAN;
  try {
    const SystemState state{rod.joints, ForwardKinematics(system, rod.joints)};
    const Prepared prepared = PrepareAt(choice, system, state);
    Observation seen;
    if (!prepared.formulation->Observe(0, prepared.y, Detail::kAccelerations, seen).ok())
      return NAN;
    const Vector3 axis = Rotate(state.bodies.back().orientation,
                                Rotate(system.joints.back().child_frame.orientation, {0, 0, 1}));
    const double alpha = Dot(axis, seen.accelerations.back().angular_acceleration);
    return std::abs(alpha / kAcceleration - 1);
  } catch (const ModelError&) {
    return NAN;
  }
}

std::vector<MethodChoice> OwnChoices(const std::vector<MethodEntry>& methods) {
  std::vector<MethodChoice> choices;
  for (const MethodEntry& entry : methods) {
    if (entry.origin != Origin::kOurs || entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (VerdictOf(entry, MakeRod(0.1, {}, 3).system, choice.options).supported)
        choices.push_back(choice);
    }
  }
  return choices;
}

TEST(ThinRods, AreSolvedAbove1e11OfTheirInertiaAndBelowGiveOneVerdict) {
  const std::vector<MethodEntry> methods = AllMethods();
  const std::vector<MethodChoice> choices = OwnChoices(methods);
  EXPECT_LE(10u, choices.size());
  for (const auto& [name, axes] : PinAxes()) {
    for (const int arms : {0, 3}) {
      for (const double ratio : {1e-9, 1e-10, 1e-11, 1e-12, 5e-13, 5e-14, 1e-14}) {
        const RodOnAPin rod = MakeRod(ratio, axes, arms);
        std::set<std::string> solved, refused;
        for (const MethodChoice& choice : choices) {
          const double error = ErrorOn(choice, rod);
          (std::isnan(error) ? refused : solved).insert(choice.spec);
          EXPECT_FALSE(error > 1e-14 / ratio)
              << choice.spec << ": " << error << ", " << name << ", " << arms << ", " << ratio;
        }
        EXPECT_TRUE(solved.empty() || refused.empty())
            << name << ", " << arms << " arms, " << ratio << ": solved by "
            << testing::PrintToString(solved) << ", refused by " << testing::PrintToString(refused);
        EXPECT_TRUE(ratio <= 1e-11 || refused.empty()) << name << ", " << arms << ", " << ratio;
      }
    }
  }
}

// A chain of equal links at rest, straight and at right angles to gravity. Link i: m b_i = f_i - f_(i+1) with b its acceleration
// less gravity, J alpha_i = -h (f_i + f_(i+1)), b_i - h alpha_i = b_(i-1) + h alpha_(i-1), and at the ground b_0 - h alpha_0 = g.
// All are solved by powers of one number lambda, where lambda^n of the tip vanishes.
TEST(StraightChain, OfThousandsOfLinksIsSolvedByTheSweeps) {
  constexpr int kLinks = 25000;
  constexpr double kMass = 1, kInertia = 0.1, kHalf = 0.5, kGravity = 9.81;
  System system;
  system.gravity = {0, -kGravity, 0};
  for (int i = 0; i < kLinks; ++i) {
    Body link;
    link.name = fmt::format("link {}", i + 1);
    link.mass = kMass;
    link.inertia = Diagonal(kInertia, kInertia, kInertia);
    Joint joint;
    joint.name = fmt::format("joint {}", i + 1);
    joint.type = JointType::kRevolute;
    joint.parent = i - 1, joint.child = i;
    if (i > 0) joint.parent_frame.position = {kHalf, 0, 0};
    joint.child_frame.position = {-kHalf, 0, 0};
    system.bodies.push_back(link);
    system.joints.push_back(joint);
  }
  const double kappa = kMass * kHalf * kHalf / kInertia;
  const double lambda = (2 * std::sqrt(kappa) - (1 + kappa)) / (kappa - 1);
  double alpha = -kGravity / kHalf * kappa * (1 + lambda) / ((1 - lambda) + kappa * (1 + lambda));
  const std::vector<double> zeros(kLinks);
  const JointState joints{zeros, zeros};
  const SystemState state{joints, ForwardKinematics(system, joints)};
  const std::vector<MethodEntry> methods = AllMethods();
  for (const char* spec : {"articulated-body", "riccati-mstmm"}) {
    const Prepared prepared = PrepareAt(ChooseMethod(spec, methods), system, state);
    Observation seen;
    const Status status =
        prepared.formulation->Observe(0, prepared.y, Detail::kAccelerations, seen);
    ASSERT_TRUE(status.ok()) << spec << ": " << status.what;
    double expected = alpha;
    for (const BodyAcceleration& a : seen.accelerations) {
      ASSERT_NEAR(a.angular_acceleration.z, expected, 1e-13 * std::abs(alpha)) << spec;
      expected *= lambda;
    }
  }
}

}  // namespace
}  // namespace mbsbench
