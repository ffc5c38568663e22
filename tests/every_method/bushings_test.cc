// Bushings, with every method that takes them, against closed forms and computed values.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

constexpr double kHungMass = 1.5, kHungInertia = 0.2, kHungTurn = 2.5;
constexpr Vector3 kHungAxis{0.6, 0, 0.8}, kHungStart{0.3, -0.2, 0.1};

// A free body in a bushing on the ground, displaced and turned.
System HungBody() {
  System s;
  s.bodies = {{"body", kHungMass, Diagonal(kHungInertia, kHungInertia, kHungInertia), false, {}}};
  s.joints = {{"joint", JointType::kFree, kGround, 0, {}, {}}};
  s.gravity = {};
  s.forces.Of<Bushing>() = {{"mount", kGround, 0, {}, {}, {100, 200, 300}, {}, {7, 7, 7}, {}}};
  return s;
}

SystemState HungState(const System& system, const Vector3& v = {}, const Vector3& omega = {}) {
  const Quaternion q = AxisAngle(kHungAxis, kHungTurn);
  const Vector3 &d = kHungStart, w = Rotate(Conjugate(q), omega);
  const JointState joints{{d.x, d.y, d.z, q.w, q.x, q.y, q.z}, {v.x, v.y, v.z, w.x, w.y, w.z}};
  return {joints, ForwardKinematics(system, joints)};
}

using VisitWithBushings = std::function<void(const MethodChoice&, Formulation&)>;

// Calls `visit` for all variants that take the system and returns their number.
int ForMethodsWithBushings(const System& system, const VisitWithBushings& visit) {
  int count = 0;
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, system, choice.options).supported) continue;
      SCOPED_TRACE(choice.spec);
      const auto formulation = Prepare(choice, GivenSystem(system, {.time = 1}));
      visit(choice, *formulation);
      ++count;
    }
  }
  return count;
}

// m a = -k d - c v and J alpha = -k_r t - c_r omega, component by component.
TEST(EveryMethod, AcceleratesABodyInABushing) {
  System s = HungBody();
  Bushing& e = s.forces.Of<Bushing>()[0];
  e.turn_stiffness = {5, 6, 7};
  e.damping = {1, 2, 3};
  e.turn_damping = {0.4, 0.5, 0.6};
  const Vector3 v{1, -2, 0.5}, omega{0.3, 0.2, -0.7};
  const SystemState state = HungState(s, v, omega);
  const Vector3 force{-100 * 0.3 - 1, 200 * 0.2 + 4, -300 * 0.1 - 1.5};
  const Vector3 moment{-5 * 0.6 * kHungTurn - 0.12, -0.1, -7 * 0.8 * kHungTurn + 0.42};
  const auto check = [&](const auto& seen, double bound) {
    EXPECT_LT(Norm(seen.acceleration - 1 / kHungMass * force), bound);
    EXPECT_LT(Norm(seen.angular_acceleration - 1 / kHungInertia * moment), bound);
  };
  const double power = -1 - 8 - 0.75 - 0.4 * 0.09 - 0.5 * 0.04 - 0.6 * 0.49 -
                       5 * 0.6 * kHungTurn * 0.3 + 7 * 0.8 * kHungTurn * 0.7;
  const int methods = ForMethodsWithBushings(s, [&](const MethodChoice&, Formulation& form) {
    std::vector<double> y(form.state_size());
    ASSERT_TRUE(form.Initialise(0, state, y).ok());
    Observation seen;
    ASSERT_TRUE(form.Observe(0, y, Detail::kAccelerations, seen).ok());
    check(seen.accelerations[0], 1e-11);
    EXPECT_NEAR(form.power()->Power(0, y), power, 1e-11) << "unequal stiffnesses have no potential";
  });
  EXPECT_GE(methods, 6);
}

// Each displacement swings by itself, and so does the rotation about an axis that keeps its direction, however large.
TEST(EveryMethod, SwingsInABushingAtItsFrequencies) {
  const System s = HungBody();
  const SystemState start = HungState(s);
  const auto check = [&](const BodyState& end, double t, double bound) {
    const auto swing = [t](double stiffness, double inertia) {
      return std::cos(std::sqrt(stiffness / inertia) * t);
    };
    EXPECT_NEAR(end.position.x, kHungStart.x * swing(100, kHungMass), bound);
    EXPECT_NEAR(end.position.y, kHungStart.y * swing(200, kHungMass), bound);
    EXPECT_NEAR(end.position.z, kHungStart.z * swing(300, kHungMass), bound);
    const Quaternion turned = AxisAngle(kHungAxis, kHungTurn * swing(7, kHungInertia));
    EXPECT_LT(AngleBetween(end.orientation, turned), bound);
  };
  const int methods = ForMethodsWithBushings(s, [&](const MethodChoice& choice, Formulation& form) {
    if (FormOf(*choice.entry, choice.options) != Form::kOde) return;
    EXPECT_FALSE(form.power());
    const IntegrationReport report = Integrate(
        form, start, {.integrator = "dopri5", .end_time = 1, .tolerance = 1e-12}, Sampling{});
    ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
    Observation seen;
    ASSERT_TRUE(form.Observe(1, report.end_state, Detail::kMotion, seen).ok());
    check(seen.bodies[0], 1, 1e-10);
  });
  EXPECT_GE(methods, 6);
}

TEST(EveryMethod, MovesAFourbarWithABushingAsComputed) {
  for (const char* name :
       {"fourbar-bushing", "fourbar-bushing:k=1e6", "fourbar-bushing:k=1e8,c=1000"}) {
    const Problem p = MakeProblem(name);
    const SystemState start{p.initial.joints, ForwardKinematics(p.system, p.initial.joints)};
    const double end = p.published.at(0).time;
    const int methods =
        ForMethodsWithBushings(p.system, [&](const MethodChoice& choice, Formulation& f) {
          if (FormOf(*choice.entry, choice.options) != Form::kOde) return;
          const IntegrationReport report = Integrate(
              f, start, {.integrator = "dopri5", .end_time = end, .tolerance = 1e-12}, Sampling{});
          ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
          Observation seen;
          ASSERT_TRUE(f.Observe(end, report.end_state, Detail::kMotion, seen).ok());
          for (const PublishedValue& angle : p.published) {
            const Observable& of = p.observables[static_cast<std::size_t>(angle.observable)];
            EXPECT_NEAR(Difference(of, Evaluate(of, seen.bodies), angle.value), 0, 1e-10)
                << name << ' ' << of.name;
          }
        });
    EXPECT_GE(methods, 6);
  }
}

}  // namespace
}  // namespace mbsbench
