// Reactions along certified motions, compared with independent results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/catalog/catalog.h"
#include "reference/reference.h"
#include "tests/reference/held.h"

namespace mbsbench {
namespace {

// Released from the horizontal: the energy gives v^2 / l = 2 g cos phi, and the tension of the rod is 3 m g cos phi.
TEST(CertifiedReactions, OfThePendulumAreTheTensionOfItsRod) {
  const Problem p = MakeProblem("pendulum");
  const std::optional<Reference> r = FindReference(p);
  ASSERT_TRUE(r);
  ASSERT_EQ(r->joints, std::vector<int>{0});
  for (const ReferenceSample& sample : r->samples) {
    const Vector3 bob = sample.bodies[0].position;
    const double pull = 3 * 9.81 * -bob.y;
    const ReferenceReaction& reaction = sample.reactions[0];
    EXPECT_TRUE(reaction.unique.all());
    EXPECT_NEAR(Norm(reaction.force + pull * bob), 0, 1e-13) << sample.time;
    EXPECT_NEAR(Norm(reaction.torque), 0, 1e-13) << sample.time;
  }
}

// The multipliers at t = 3 of the IVP test set (GAMD, quadruple precision): lambda_1 along the bar by the slider on it, lambda_2
// along the rod by the revolute at its end, its half since the set squares the rod's length.
TEST(CertifiedReactions, OfTheCarAxisAreThePublishedMultipliers) {
  const Problem p = MakeProblem("caraxis");
  const std::optional<Reference> r = FindReference(p);
  ASSERT_TRUE(r);
  const ReferenceSample& last = r->samples.back();
  ASSERT_EQ(last.time, 3);
  const auto at = [&](const char* body) {
    const auto b = std::find_if(p.system.bodies.begin(), p.system.bodies.end(),
                                [&](const Body& one) { return one.name == body; }) -
                   p.system.bodies.begin();
    return last.bodies[static_cast<std::size_t>(b)].position;
  };
  const Vector3 rod = at("right") - at("left");
  const double y = 0.1 * std::sin(30.);
  const Vector3 bar = {std::sqrt(1 - y * y), y, 0};
  std::size_t slider = 0, revolute = 0;
  for (std::size_t j = 0; j < p.system.joints.size(); ++j) {
    const Joint& joint = p.system.joints[j];
    const std::string& child = p.system.bodies[static_cast<std::size_t>(joint.child)].name;
    if (child == "left") slider = j;
    if (child == "right") revolute = j;
  }
  EXPECT_NEAR(Dot(last.reactions[slider].force, bar), -4.73688659084893324729e-3, 1e-14);
  EXPECT_NEAR(Dot(last.reactions[revolute].force, rod) / 2, -1.10468033125734368808e-3, 1e-14);
}

// Multipliers in maximal coordinates, and Newton and Euler's equations on the accelerations in joint coordinates.
TEST(CertifiedReactions, OfBothFormulationsAgree) {
  for (const std::string& name : HeldInstances()) {
    const Problem p = WithFewSamples(MakeProblem(name));
    if (p.system.rope_flight) continue;  // none at its nodes
    const std::optional<Reference> r = FindReference(p);
    ASSERT_TRUE(r) << name;
    EXPECT_FALSE(r->joints.empty()) << name;
    bool some_unique = false;
    for (const ReferenceSample& sample : r->samples) {
      ASSERT_EQ(sample.reactions.size(), r->joints.size()) << name;
      for (const ReferenceReaction& reaction : sample.reactions)
        some_unique = some_unique ||
                      (reaction.unique.any() && Norm(reaction.force) + Norm(reaction.torque) > 0);
    }
    EXPECT_LT(r->reaction_difference, 1e-25) << name;
    // A closed form, and a mechanism without any unique component of a reaction.
    const bool is_compared = r->reaction_difference > 0;
    const bool is_closed_form =
        r->how.starts_with("closed form") || r->how.starts_with("quadrature");
    EXPECT_EQ(is_compared, some_unique && !is_closed_form) << name;
  }
}

// The reaction of the ceiling is the weight less the inertia of the falling bodies.
TEST(CertifiedReactions, BalanceTheWeightAndInertiaOfAMechanism) {
  const Problem p = MakeProblem("branch4");
  const std::optional<Reference> r = FindReference(p);
  ASSERT_TRUE(r);
  const ReferenceDynamics start = ReferenceAccelerations(p.system, p.initial.joints);
  Vector3 falls{}, held{};
  for (std::size_t b = 0; b < p.system.bodies.size(); ++b)
    falls =
        falls + p.system.bodies[b].mass * (start.accelerations[b].acceleration - p.system.gravity);
  for (std::size_t i = 0; i < r->joints.size(); ++i) {
    const auto j = static_cast<std::size_t>(r->joints[i]);
    if (p.system.joints[j].parent == kGround) held = held + r->samples[0].reactions[i].force;
  }
  EXPECT_NEAR(Norm(held - falls), 0, 1e-12 * Norm(falls));
}

}  // namespace
}  // namespace mbsbench
