// A spring-damper without free length that starts at its anchor: its force is smooth there, -k x - c v.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/verdict/verdict.h"
#include "methods/all_methods.h"
#include "problems/model/assembly.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

constexpr double kMass = 100, kStiffness = 400;

// A body that slides or flies through the anchor at 1 m/s along x.
Problem ThroughTheAnchor(JointType type, double damping) {
  Problem p;
  p.name = "anchor";
  System& s = p.system;
  s.gravity = {};
  s.bodies = {{"bob", kMass, Diagonal(1, 1, 1), false, {}}};
  const Frame rail{{}, AxisAngle({0, 1, 0}, M_PI / 2)};  // z along x
  const bool slides = type == JointType::kPrismatic;
  s.joints = {{"joint", type, kGround, 0, slides ? rail : Frame{}, slides ? rail : Frame{}}};
  s.forces.Of<SpringDamper>() = {{"spring", kGround, 0, {}, {}, kStiffness, damping, 0}};
  p.initial.joints =
      slides ? JointState{{0}, {1}} : JointState{{0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}};
  return p;
}

TEST(EveryMethod, AcceleratesABodyThatStartsAtTheAnchorOfItsSpring) {
  for (const JointType type : {JointType::kFree, JointType::kPrismatic}) {
    for (const double damping : {0., 50.}) {
      const Problem p = ThroughTheAnchor(type, damping);
      const SystemState state = Assemble(p.system, p.initial, p.length).state;
      const double exact = -damping / kMass;
      EXPECT_NEAR(
          exact,
          static_cast<double>(
              ReferenceAccelerations(p.system, state.joints).accelerations[0].acceleration.x),
          1e-15);
      int methods = 0;
      for (const MethodEntry& entry : AllMethods()) {
        for (const MethodChoice& choice : VariantsOf(entry)) {
          if (!VerdictOf(entry, p.system, choice.options).supported) continue;
          SCOPED_TRACE(choice.spec);
          const auto formulation = Prepare(choice, p.system, p.time);
          std::vector<double> y(formulation->state_size());
          Observation seen;
          ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
          const Status status = formulation->Observe(0, y, Detail::kAccelerations, seen);
          ASSERT_TRUE(status.ok()) << status.what;
          EXPECT_LT(Norm(seen.accelerations[0].acceleration - Vector3{exact, 0, 0}), 1e-13);
          ++methods;
        }
      }
      EXPECT_GT(methods, 8);
    }
  }
}

// x = sin(2 t) / 2, through the anchor six times.
TEST(SpringsAtTheirAnchor, SwingThroughIt) {
  const Problem p = ThroughTheAnchor(JointType::kFree, 0);
  const SystemState state = Assemble(p.system, p.initial, p.length).state;
  const std::vector<MethodEntry> methods = AllMethods();
  for (const std::string spec : {"articulated-body", "equivalent-particles", "cartesian-dae"}) {
    const MethodChoice choice = ChooseMethod(spec, methods);
    const auto formulation = Prepare(choice, p.system, p.time);
    const bool is_dae = spec == "cartesian-dae";
    const IntegrationReport report = Integrate(*formulation, state,
                                               {.integrator = is_dae ? "ida" : "dopri5",
                                                .end_time = 10,
                                                .tolerance = is_dae ? 1e-9 : 1e-10});
    ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
    Observation seen;
    ASSERT_TRUE(formulation->Observe(10, report.end_state, Detail::kMotion, seen).ok());
    EXPECT_NEAR(std::sin(20) / 2, seen.bodies[0].position.x, is_dae ? 1e-5 : 1e-7) << spec;
  }
}

}  // namespace
}  // namespace mbsbench
