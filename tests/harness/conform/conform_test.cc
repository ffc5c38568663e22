// Each promise is broken by a method with a fault, and the finding names the fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "harness/conform/promise.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/process/guarded_method.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "methods/all_methods.h"
#include "problems/io/model_file.h"
#include "tests/harness/conform/spoiled_method.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

Finding TryOnPromise(const std::string& name, const MethodEntry& entry) {
  for (const Promise& promise : AllPromises()) {
    if (promise.name == name) return TryOn(promise, VariantsOf(entry).front());
  }
  ADD_FAILURE() << "there is no promise '" << name << "'";
  return {};
}

struct Breach {
  std::string promise;
  std::string method;
  Spoilers spoilers;
  std::string says;
};
void PrintTo(const Breach& breach, std::ostream* out) { *out << breach.promise; }

std::vector<Breach> Breaches() {
  const Spoilers heavy{.system = [](System& s) {
    for (Body& body : s.bodies)
      for (double& entry : body.inertia.entries) entry *= 1 + 1e-5;
  }};
  const Spoilers strong{.observation = [](Observation& o) {
    for (JointReaction& r : o.reactions) r.force = (1 + 1e-6) * r.force;
  }};
  const Spoilers proud{.observation = [](Observation& o) {
    for (JointReaction& r : o.reactions) r.unique = {};
  }};
  const Spoilers free{.system = [](System& s) { s.drivers.clear(); }};
  const Spoilers weightless{.system = [](System& s) { s.gravity.x += 1e-6; }};
  const Spoilers thick{
      .system = [](System& s) { s.bodies.back().inertia = Diagonal(1e-3, 1e-3, 1e-3); }};
  const Spoilers forgetful{.start = [](SystemState& state) {
    for (double& q : state.joints.q) q = std::remainder(q, 2 * M_PI);
  }};
  const Spoilers blind{.before = [](std::vector<double>& y) {
    for (double& x : y) x = std::isnan(x) ? 0 : x;
  }};
  const Spoilers wasteful{.after = [](double, std::span<double> ydot) {
    ydot[0] = std::vector<double>(ydot.begin(), ydot.end()).front();
  }};
  const auto calls = std::make_shared<int>(0);
  const Spoilers fickle{
      .after = [calls](double, std::span<double> ydot) { ydot.back() *= 1 + 1e-15 * ++*calls; }};
  const Spoilers lossy{.after = [](double, std::span<double> ydot) { ydot[0] *= 1 + 1e-7; }};
  const Spoilers rough{
      .after = [](double t, std::span<double> ydot) { ydot.back() += 1e-3 * std::sin(1e4 * t); }};
  const auto seen = std::make_shared<bool>(false);
  const Spoilers shy{.after =
                         [seen](double t, std::span<double> ydot) {
                           if (t == 0) *seen = false;
                           if (*seen) ydot.back() *= 1 + 1e-12;
                         },
                     .observation = [seen](Observation&) { *seen = true; }};
  const Spoilers modest{.observation = [](Observation& o) {
    for (JointReaction& r : o.reactions) r.unique = UniqueComponents(std::array<bool, 6>{});
  }};
  const Spoilers fast{.observation = [](Observation& o) {
    for (BodyState& b : o.bodies)
      b.velocity = 3 * b.velocity, b.angular_velocity = 3 * b.angular_velocity;
  }};
  const Spoilers offset{.observation = [](Observation& o) {
    for (DriverObservation& d : o.drivers) d.position += 1e-3;
  }};
  const auto with_bushings = [](void (*spoil)(Bushing&)) {
    return Spoilers{.system = [spoil](System& s) {
      for (Bushing& b : s.forces.Of<Bushing>()) spoil(b);
    }};
  };
  const Spoilers soft = with_bushings([](Bushing& b) { b.turn_damping = 0.9 * b.turn_damping; });
  const Spoilers pushed = with_bushings([](Bushing& b) { b.damping = -b.damping; });
  const Spoilers spun = with_bushings([](Bushing& b) { b.turn_damping = -b.turn_damping; });
  const Spoilers transposed_a =
      with_bushings([](Bushing& b) { b.frame_a.orientation = Conjugate(b.frame_a.orientation); });
  const Spoilers transposed_b =
      with_bushings([](Bushing& b) { b.frame_b.orientation = Conjugate(b.frame_b.orientation); });
  const Spoilers stiff = with_bushings([](Bushing& b) { b.stiffness = 1.01 * b.stiffness; });
  const Spoilers stiff_turns =
      with_bushings([](Bushing& b) { b.turn_stiffness = 1.01 * b.turn_stiffness; });
  const Spoilers weak{.system = [](System& s) {
    for (AppliedForce& f : s.forces.Of<AppliedForce>()) f.force = 0.99 * f.force;
  }};
  const Spoilers frozen{.system = [](System& s) {
    for (Motor& m : s.forces.Of<Motor>()) m.effort = EffortOverTime::Constant(m.effort.At(0));
  }};
  const auto starts = std::make_shared<int>(0);
  const Spoilers stale{.start = [starts](SystemState& state) {
    for (BodyState& b : state.bodies) b.velocity.x += 1e-12 * ++*starts;
    for (double& u : state.joints.u) u += 1e-12 * ++*starts;
  }};
  const char* const kStepper = "variational";
  const char* const kOde = "articulated-body";
  const char* const kDae = "cartesian-dae";
  return {{"trees", kOde, heavy, "accelerations are off"},
          {"trees", kDae, heavy, "accelerations are off"},
          {"right-angles", kOde, heavy, "accelerations are off"},
          {"planar-trees", kOde, heavy, "accelerations are off"},
          {"loops", kOde, heavy, "accelerations are off"},
          {"tree-joint-ball", kOde, heavy, "accelerations are off"},
          {"loop-joint-distance", kOde, strong, "reactions are off"},
          {"force-spring-damper", kOde, heavy, "accelerations are off"},
          {"force-bushing", kOde, pushed, "accelerations are off"},
          {"force-bushing", kOde, spun, "accelerations are off"},
          {"force-bushing", kOde, transposed_a, "accelerations are off"},
          {"force-bushing", kOde, transposed_b, "accelerations are off"},
          {"force-bushing", kOde, stiff, "accelerations are off"},
          {"force-bushing", kOde, stiff_turns, "accelerations are off"},
          {"force-bushing", kDae, pushed, "accelerations are off"},
          {"force-bushing", kDae, transposed_b, "accelerations are off"},
          {"order-own-dpend18-with-bushing", kStepper, pushed, "the error of"},
          {"order-own-dpend18-with-bushing", kStepper, transposed_a, "the error of"},
          {"order-own-dpend18-with-bushing", kStepper, stiff, "the error of"},
          {"order-own-dpend18-with-bushing", kStepper, stiff_turns, "the error of"},
          {"redundant", kOde, proud, "as unique, which it is not"},
          {"redundant", kOde, strong, "reactions are off"},
          {"braced-welds", kOde, proud, "as unique, which it is not"},
          {"drivers-on-trees", kOde, free, "accelerations are off"},
          {"drivers-on-loops", kOde, free, "accelerations are off"},
          {"drivers-on-trees", kOde, offset, "it observes the position"},
          {"trees", kOde, modest, "as not unique, which it is"},
          {"catalogue", kOde, modest, "as not unique, which it is"},
          {"reference-dpend18", kOde, modest, "as not unique, which it is"},
          {"reference-dpend18", kOde, fast, "the error by fehlberg8 is"},
          {"order-own-dpend18-with-bushing", kStepper, soft, "the error of"},
          {"order-own-dpend18-with-force", kStepper, weak, "the error of"},
          {"second-start", kStepper, stale, "when it starts a second time"},
          {"turns", kOde, forgetful, "accelerations are off"},
          {"momentum", kOde, weightless, "accelerations are off"},
          {"no-inertia", kOde, thick, "it gives accelerations where joint 'pin'"},
          {"energy", kOde, {.power = -1}, "energy drifts by"},
          {"not-a-number", kOde, blind, "it gives numbers all the same"},
          {"repeatable", kOde, fickle, "differs"},
          {"no-allocation", kOde, wasteful, "allocates 1 time"},
          {"jacobian", kDae, {.jacobian = [](auto values) { values[0] *= 1 + 1e-4; }}, "off"},
          {"batches", kOde, lossy, "off"},
          {"order-rk4", kOde, rough, "the order on 'dpend18' is"},
          {"order-dopri5", kOde, rough, "the order on 'dpend18' is"},
          {"order-fehlberg8", kOde, rough, "the order on 'dpend18' is"},
          {"projection", kOde, {.projects = false}, "constraints are open by"},
          {"samples", kOde, shy, "it ends in a different state if it is sampled"},
          {"catalogue", kOde, heavy, "other equations"},
          {"reference-dpend18", kOde, weightless, "the error by fehlberg8 is"},
          {"begun-motions", kOde, frozen, "on 'dpend18-with-motor': the error by"},
          {"reference-dpend18", kOde, {.observed_until = 0.5}, "not be observed: it is blind"},
          {"order-rk4", kOde, {.observed_until = 0.5}, "not be observed: it is blind"},
          {"energy", kOde, {.observed_until = 0.1}, "not be observed: it is blind"}};
}

class SpoiledMethods : public testing::TestWithParam<Breach> {};

TEST_P(SpoiledMethods, BreakThePromiseOfTheirFault) {
  const Breach& breach = GetParam();
  const MethodEntry entry = Spoiled(breach.method, breach.spoilers);
  const Finding finding = TryOnPromise(breach.promise, entry);
  EXPECT_EQ(Standing::kBroken, finding.standing) << Name(finding.standing);
  EXPECT_THAT(finding.reason, HasSubstr(breach.says));
  const MethodEntry sound = Spoiled(breach.method, {});
  const Finding kept = TryOnPromise(breach.promise, sound);
  EXPECT_EQ(Standing::kHeld, kept.standing) << kept.reason;
}

INSTANTIATE_TEST_SUITE_P(All, SpoiledMethods, testing::ValuesIn(Breaches()), [](const auto& one) {
  std::string name = one.param.promise + std::to_string(one.index);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Conform, ReportsAWrongInertiaWithAModelOfOneBody) {
  const MethodEntry entry = Spoiled("articulated-body", {.system = [](System& s) {
                                      for (Body& body : s.bodies)
                                        for (double& value : body.inertia.entries)
                                          value *= 1 + 1e-5;
                                    }});
  const Finding finding = TryOnPromise("trees", entry);
  ASSERT_TRUE(finding.model);
  EXPECT_EQ(1u, finding.model->system.bodies.size());
  EXPECT_TRUE(finding.model->system.forces.Of<SpringDamper>().empty());
  EXPECT_GT(finding.figure, 1e-7);
  const Finding read = FindingFrom(ToJson(finding));
  EXPECT_EQ(WriteModel(*finding.model), WriteModel(*read.model));
  EXPECT_EQ(finding.reason, read.reason);
  EXPECT_EQ(finding.tried, read.tried);
}

// Undetermined accelerations are not ok, whatever numbers a method gives.
TEST(Conform, AccelerationsOfASingularStateAreJudgedSingular) {
  const MethodEntry thick =
      Spoiled("articulated-body",
              {.system = [](System& s) { s.bodies.back().inertia = Diagonal(1e-3, 1e-3, 1e-3); }});
  const Finding finding = TryOnPromise("no-inertia", thick);
  ASSERT_TRUE(finding.model);
  const Problem& problem = *finding.model;
  const JudgedEvaluation judged = JudgeInitialState(
      {{}, problem, InitialState(problem), VariantsOf(thick).front()}, Detail::kAccelerations);
  EXPECT_EQ(Outcome::kSingular, judged.ending.outcome);
  EXPECT_THAT(judged.ending.reason, HasSubstr("joint 'pin'"));
}

TEST(Conform, DoesNotRequireProjectionOfVariantsThatLetLoopsDrift) {
  const std::vector<MethodEntry> methods = AllMethods();
  for (const char* spec : {"articulated-body:none", "articulated-body:baumgarte"}) {
    const MethodChoice choice = ChooseMethod(spec, methods);
    for (const Promise& promise : AllPromises()) {
      if (promise.name != "projection" && promise.name != "refusals") continue;
      const Finding finding = TryOn(promise, choice);
      EXPECT_NE(Standing::kBroken, finding.standing) << spec << finding.reason;
    }
  }
}

// A wrong force between two bodies needs both of them.
TEST(Conform, ReportsAWrongSpringWithAModelOfItsBodiesOnly) {
  const MethodEntry entry = Spoiled("articulated-body", {.system = [](System& s) {
                                      for (SpringDamper& e : s.forces.Of<SpringDamper>())
                                        e.stiffness *= e.body_a == kGround ? 1 : 1.01;
                                    }});
  const Finding finding = TryOnPromise("trees", entry);
  ASSERT_EQ(Standing::kBroken, finding.standing);
  EXPECT_EQ(1u, finding.model->system.forces.Of<SpringDamper>().size());
  EXPECT_LE(finding.model->system.bodies.size(), 3u);
  EXPECT_TRUE(finding.model->system.forces.Of<AppliedForce>().empty());
}

TEST(Conform, ReportsABrokenPromiseIfAMethodThrowsOrRefusesWithoutAName) {
  MethodEntry entry = Spoiled("articulated-body", {});
  entry.prepare = [](const System&, const MethodOptions&) -> std::unique_ptr<Formulation> {
    throw std::runtime_error("no room");
  };
  const Finding thrown = TryOnPromise("trees", entry);
  EXPECT_EQ(Standing::kBroken, thrown.standing);
  EXPECT_THAT(thrown.reason, HasSubstr("throws: no room"));

  entry.supports = [](const System&, const MethodOptions&) { return Verdict::No("not for me."); };
  EXPECT_EQ(Standing::kRefused, TryOnPromise("trees", entry).standing);
  const Finding refusal = TryOnPromise("refusals", entry);
  EXPECT_EQ(Standing::kBroken, refusal.standing);
  EXPECT_THAT(refusal.reason, HasSubstr("names no body, joint, element or option: not for me."));

  entry.supports = {};
  entry.capabilities.loop_joints.all = true;
  EXPECT_THAT(TryOnPromise("refusals", entry).reason, HasSubstr("of a type that it does not list"));
}

TEST(Conform, AcceptsABrokenPromiseOnlyWithinTheDeclaredLimit) {
  MethodEntry entry =
      Spoiled("articulated-body", {.system = [](System& s) { s.gravity.x += 1e-6; }});
  const auto declare = [&entry](const std::string& promise, double bound) {
    entry.limits = {{{promise}, bound, "it feels another gravity"}};
    return TryOnPromise("reference-dpend18", entry);
  };
  const Finding broken = TryOnPromise("reference-dpend18", entry);
  ASSERT_EQ(Standing::kBroken, broken.standing);
  for (double bound : {1.01 * broken.figure, HUGE_VAL}) {
    const Finding limited = declare("reference-dpend*", bound);
    EXPECT_EQ(std::isinf(bound) ? Standing::kNotKept : Standing::kLimited, limited.standing);
    EXPECT_EQ(bound, limited.bound);
    EXPECT_EQ("it feels another gravity", limited.reason);
    EXPECT_EQ(limited.figure, FindingFrom(ToJson(limited)).figure);
  }
  EXPECT_EQ(Standing::kBroken, declare("reference-dpend18", 0.99 * broken.figure).standing);
  EXPECT_EQ(Standing::kBroken, declare("reference-pendulum", HUGE_VAL).standing);
  entry.limits = {{.promises = {"reference-dpend18"}, .reason = "it is slow", .seconds = 60}};
  EXPECT_EQ(Standing::kBroken, TryOnPromise("reference-dpend18", entry).standing)
      << "a limit of time excuses no error";
  entry = Spoiled("articulated-body", {});
  EXPECT_EQ(Standing::kHeld, declare("reference-dpend18", HUGE_VAL).standing) << "not needed";
  entry.limits[0].seconds = 60;
  EXPECT_EQ(Standing::kLimited, TryOnPromise("reference-dpend18", entry).standing) << "it is slow";
  entry.limits[0].with = "no-such-option";
  EXPECT_FALSE(LimitOn("reference-dpend18", VariantsOf(entry).front()));
}

// A wait is ended as a long computation is.
TEST(Conform, NamesTheProblemAndTheFlagWhereAMethodTakesTooLong) {
  const MethodEntry slow = Guarded(
      Spoiled("articulated-body", {.start = [](SystemState&) { sleep(600); }}), "slow.so", 0.3);
  for (const auto& [promise, on] : {std::pair{"order-rk4", "on 'dpend18'"},
                                    {"tree-joint-ball", "on 'ball-0'"},
                                    {"catalogue", "on '"}}) {
    const Finding finding = TryOnPromise(promise, slow);
    EXPECT_EQ(Standing::kBroken, finding.standing) << promise;
    EXPECT_THAT(finding.reason, HasSubstr("timeout: method 'articulated-body'")) << promise;
    EXPECT_THAT(finding.reason, HasSubstr(on));
    EXPECT_THAT(finding.reason, HasSubstr("--plugin-time-limit allows more"));
  }
}

TEST(Conform, ListsEveryPromiseOnce) {
  std::set<std::string> names;
  for (const Promise& promise : AllPromises())
    EXPECT_TRUE(names.insert(promise.name).second) << promise.name;
  EXPECT_GT(names.size(), 60u);
}

}  // namespace
}  // namespace mbsbench
