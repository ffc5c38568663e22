// Reactions along certified motions, compared with independent results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "problems/catalog/catalog.h"
#include "reference/printed_multipliers.h"
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

// IVP test set: of andrews at the start to 30 digits, and by PSIDE at the end, where they are good to six digits; of caraxis by
// GAMD in quadruple precision.
TEST(CertifiedReactions, OfTheShowpiecesAreThePrintedMultipliers) {
  for (const char* name : {"andrews", "caraxis", "caraxis:loop"}) {
    const Problem p = MakeProblem(name);
    const std::optional<Reference> r = FindReference(p);
    ASSERT_TRUE(r);
    const PrintedMultipliers printed = PrintedMultipliersOf(p);
    ASSERT_EQ(printed.values.size(), 8u) << name;
    for (const PublishedValue& value : printed.values) {
      const Multiplier& one = printed.quantities[static_cast<std::size_t>(value.observable)];
      const std::optional<double> ours = ValueIn(*r, one, value.time);
      ASSERT_TRUE(ours) << name << one.name << value.time;
      std::printf("%-14s %-9s %-5g ours %.16g off %.1e: %s\n", name, one.name.c_str(), value.time,
                  *ours, *ours - value.value, one.Meaning().c_str());
      const double six_digits = value.time == 0.03 ? 2e-6 * std::abs(value.value) : 0;
      EXPECT_NEAR(*ours, value.value, std::max(value.last_digit, six_digits)) << one.name;
    }
  }
}

TEST(CertifiedReactions, OfAModelWithOtherJointsAreNoMultipliers) {
  Problem p = MakeProblem("andrews");
  p.system.loop_joints[0].name = "E";
  EXPECT_TRUE(PrintedMultipliersOf(p).values.empty());
  EXPECT_TRUE(PrintedMultipliersOf(MakeProblem("pendulum")).values.empty());
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
