// The error measure compared with cases worked out by hand.
#include "harness/metrics/accuracy_judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

// Two bodies on a ball chain of unit rods hanging from the origin: a rod and a point.
Problem TwoBodies() {
  Problem p;
  p.name = "two";
  for (const char* name : {"rod", "point"}) {
    Body body;
    body.name = name;
    body.mass = 2;
    body.inertia = Diagonal(0.1, 0.1, 0.1);
    p.system.bodies.push_back(body);
  }
  p.system.bodies[1].is_point = true;
  Joint first;
  first.name = "first";
  first.child = 0;
  first.child_frame.position = {0, 1, 0};
  Joint second = first;
  second.name = "second";
  second.parent = 0;
  second.child = 1;
  p.system.joints = {first, second};
  p.end_time = 1;
  p.sample_times = {0, 0.5, 1};
  p.length = 2;
  p.time = 0.5;
  p.energy_reference = 10;
  return p;
}

std::vector<BodyState> Hanging() { return {{{0, -1, 0}, {}, {}, {}}, {{0, -1, 0}, {}, {}, {}}}; }
// The second joint's parent frame is the rod's mass centre.
std::vector<BodyState> Start() {
  std::vector<BodyState> bodies = Hanging();
  bodies[1].position = {0, -2, 0};
  return bodies;
}

Reference StandStill(const Problem& p, double until = 1) {
  Reference reference;
  reference.problem = p.name;
  reference.bodies = {0, 1};
  for (double t : p.sample_times) {
    if (t <= until) reference.samples.push_back({t, Start(), {}});
  }
  return reference;
}

Observation Seen(const std::vector<BodyState>& bodies) { return {bodies, {}, {}, {}}; }

TEST(AccuracyJudge, ErrorIsTheLargestOfPositionsByLengthAndAngles) {
  const Problem p = TwoBodies();
  const Reference reference = StandStill(p);
  AccuracyJudge judge(p, &reference, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].position.x = 0.3;  // 0.15 by L = 2
  judge.Add(0, Seen(bodies), 0);
  bodies = Start();
  bodies[0].orientation = AxisAngle({0, 0, 1}, 0.2);
  bodies[1].orientation = AxisAngle({0, 0, 1}, 3);  // of a point: without meaning
  judge.Add(0.5, Seen(bodies), 0);
  bodies = Start();
  bodies[1].position.z = -0.08;              // 0.04
  bodies[0].velocity.y = 1;                  // 0.25 by L / T = 4
  bodies[0].angular_velocity = {0, 0.8, 0};  // 0.4 by 1 / T = 2
  bodies[1].angular_velocity = {9, 9, 9};    // of a point
  judge.Add(1, Seen(bodies), 0);
  const Accuracy a = judge.Finish();
  ASSERT_TRUE(a.error);
  EXPECT_NEAR(0.2, a.error->max, 1e-15);
  EXPECT_NEAR(0.04, *a.error->end, 1e-15);
  EXPECT_NEAR(0.4, a.error->velocity_max, 1e-15);
  EXPECT_NEAR(0.2 / std::sqrt(2.), a.error->rms, 1e-15) << "over two bodies, one of them exact";
  ASSERT_EQ(3u, a.error_series.size());
  EXPECT_NEAR(0.15, *a.error_series[0], 1e-15);
}

constexpr UniqueComponents kNotUnique{std::array<bool, 6>{}};

// L = 2: moments of 2 N m count as 1 N. The largest reaction of the reference is 8 N.
TEST(AccuracyJudge, ErrorOfReactionsIsTheLargestUniqueOneRelativeToTheReference) {
  const Problem p = TwoBodies();
  Reference reference = StandStill(p);
  reference.joints = {0, 1};
  for (ReferenceSample& sample : reference.samples)
    sample.reactions = {{{0, 8, 0}, {}, {}}, {{0, 4, 0}, {6, 0, 0}, kNotUnique}};
  const auto judged = [&](const std::vector<JointReaction>& reactions) {
    AccuracyJudge judge(p, &reference, Start());
    judge.Add(0, {Start(), {}, {{{0, 8, 0}, {}}, {{0, 4, 0}, {}}}, {}}, 0);
    judge.Add(0.5, {Start(), {}, reactions, {}}, 0);
    return judge.Finish().error->reactions_max;
  };
  EXPECT_EQ(judged({{{0, 8, 0}, {}}, {{0, -4, 7}, {}}}), 0) << "the second is not unique";
  EXPECT_NEAR(*judged({{{0, 6, 0}, {}}, {}}), 0.25, 1e-15);
  EXPECT_NEAR(*judged({{{0, -8, 0}, {}}, {}}), 2, 1e-15) << "a sign";
  EXPECT_NEAR(*judged({{{0, 8, 0}, {0, 0, 1.6}}, {}}), 0.1, 1e-15);
  EXPECT_EQ(judged({{{0, 6, 0}, {}, kNotUnique}, {}}), 0)
      << "the method states that it is not unique";
  AccuracyJudge twofold(p, &reference, Start());
  twofold.Add(0, {Start(), {}, {{{0, 8, 0}, {}}, {}}, {}, {{{0, -8, 0}, {}}, {}}}, 0);
  const ErrorMeasure both = *twofold.Finish().error;
  EXPECT_EQ(both.reactions_max, 0);
  EXPECT_NEAR(*both.algorithmic_reactions_max, 2, 1e-15) << "by the multipliers of steps";
  AccuracyJudge without(p, &reference, Start());
  without.Add(0, Seen(Start()), 0);
  EXPECT_FALSE(without.Finish().error->reactions_max) << "an engine gives none";
}

TEST(AccuracyJudge, SmallAnglesAreResolvedBelowTheFloorOfAcos) {
  const Problem p = TwoBodies();
  const Reference reference = StandStill(p);
  AccuracyJudge judge(p, &reference, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].orientation = AxisAngle({0, 1, 0}, 1e-12);
  judge.Add(0, Seen(bodies), 0);
  EXPECT_NEAR(1e-12, judge.Finish().error->max, 1e-24);
}

TEST(AccuracyJudge, OppositeQuaternionsAreOneAttitude) {
  const Problem p = TwoBodies();
  const Reference reference = StandStill(p);
  AccuracyJudge judge(p, &reference, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].orientation = {-1, 0, 0, 0};
  judge.Add(0, Seen(bodies), 0);
  EXPECT_EQ(0, judge.Finish().error->max);
}

TEST(AccuracyJudge, JudgesOnlyTimesOfTheReference) {
  const Problem p = TwoBodies();
  const Reference reference = StandStill(p, 0.5);
  AccuracyJudge judge(p, &reference, Start());
  judge.Add(0, Seen(Start()), 0);
  judge.Add(0.25, Seen(Start()), 0);  // between two samples of the reference
  judge.Add(0.5, Seen(Start()), 0);
  std::vector<BodyState> off = Start();
  off[0].position.x = 5;
  judge.Add(1, Seen(off), 0);
  const Accuracy a = judge.Finish();
  EXPECT_EQ(0, a.error->max);
  EXPECT_FALSE(a.error->end);
  EXPECT_EQ(0.5, a.error->judged_until);
  EXPECT_TRUE(a.error_series[0] && !a.error_series[1] && a.error_series[2] && !a.error_series[3]);
}

TEST(AccuracyJudge, WithoutReferenceThereIsNoErrorButDrift) {
  const Problem p = TwoBodies();
  AccuracyJudge judge(p, nullptr, Start());
  std::vector<BodyState> off = Start();
  off[0].position.x = 0.5;  // off both its joints by 0.25 L
  judge.Add(1, Seen(off), 0);
  const Accuracy a = judge.Finish();
  EXPECT_FALSE(a.error);
  EXPECT_NEAR(0.25, a.position_drift_max, 1e-15);
}

TEST(AccuracyJudge, EnergyDriftCountsTheWorkDone) {
  const Problem p = TwoBodies();
  AccuracyJudge judge(p, nullptr, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].velocity.x = 3;  // 9 J
  judge.Add(0.5, Seen(bodies), 9);
  EXPECT_NEAR(0, judge.Finish().energy_drift_max, 1e-15);
  AccuracyJudge without(p, nullptr, Start());
  without.Add(0.5, Seen(bodies), 0);
  EXPECT_NEAR(0.9, without.Finish().energy_drift_max, 1e-15) << "by E_ref = 10 J";
}

TEST(AccuracyJudge, NoStatedScaleMakesAnEnergyDriftVanish) {
  Problem p = TwoBodies();
  p.conservative = true;
  p.energy_reference = 1e12;
  p.length = 1e9;
  AccuracyJudge judge(p, nullptr, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].velocity.x = 3;  // 9 J
  judge.Add(0.5, Seen(bodies), 0);
  // Ten times 4 kg of weight over a span of 2 m.
  EXPECT_NEAR(9 / (10 * 4 * 9.81 * 2), judge.Finish().energy_error.value_or(0), 1e-12);
}

TEST(AccuracyJudge, MomentaAreJudgedInTheComponentsThatTheMechanismConserves) {
  Problem p = TwoBodies();
  std::vector<BodyState> bodies = Start();
  bodies[0].velocity = {0.4, 0, 0.3};
  const auto judged = [&p, &bodies] {
    AccuracyJudge judge(p, nullptr, Start());
    judge.Add(1, Seen(bodies), 0);
    return judge.Finish();
  };
  const Accuracy heavy = judged();
  EXPECT_FALSE(heavy.linear_momentum_drift_max) << "hangs on the ground";
  EXPECT_NEAR(*heavy.angular_momentum_drift_max, 0, 1e-15) << "nothing turns about the vertical";
  p.system.gravity = {};
  p.system.joints[0].type = JointType::kFree;
  const Accuracy free = judged();
  // P: 1 kg m/s by M L / T = 16; H: 1 m times it by M L^2 / T = 32.
  EXPECT_NEAR(*free.linear_momentum_drift_max, 1. / 16, 1e-15);
  EXPECT_NEAR(*free.angular_momentum_drift_max, 1. / 32, 1e-15);
  bodies[0].angular_velocity = {0, 8, 0};
  p.system.joints[0].type = JointType::kBall;
  p.system.gravity = {0, -9.81, 0};
  EXPECT_NEAR(*judged().angular_momentum_drift_max, 0.8 / 32, 1e-15);
}

TEST(AccuracyJudge, ConstraintsOnAccelerationsAreJudgedWhereTheyAreObserved) {
  const Problem p = TwoBodies();
  AccuracyJudge judge(p, nullptr, Start());
  judge.Add(0, Seen(Start()), 0);
  Observation seen{Start(), {{{0, 0, 3}, {}}, {{0, 0, 3}, {}}}, {}, {}};
  seen.accelerations[0].angular_acceleration = {-3, 0, 0};  // about the point that hangs
  judge.Add(0.5, seen, 0);
  // The second joint has its frame in the centre of the first body, and its child's 1 m above the second, which does not turn.
  EXPECT_NEAR(*judge.Finish().acceleration_drift_max, 0, 1e-15);
  AccuracyJudge other(p, nullptr, Start());
  seen.accelerations[1].acceleration.z = 11;
  other.Add(0.5, seen, 0);
  EXPECT_NEAR(*other.Finish().acceleration_drift_max, 1, 1e-15) << "8 m/s^2 by L / T^2 = 8";
  AccuracyJudge without(p, nullptr, Start());
  without.Add(0, Seen(Start()), 0);
  EXPECT_FALSE(without.Finish().acceleration_drift_max);
}

TEST(AccuracyJudge, EnergyGainedIsThatOfTheLastSampleWithItsSign) {
  const Problem p = TwoBodies();
  AccuracyJudge judge(p, nullptr, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].velocity.x = 3;  // 9 J by E_ref = 10 J
  judge.Add(0.5, Seen(bodies), 0);
  judge.Add(1, Seen(bodies), 11);
  EXPECT_NEAR(*judge.Finish().energy_gained, -0.2, 1e-15);
}

TEST(AccuracyJudge, StopsAtANonFiniteState) {
  const Problem p = TwoBodies();
  const Reference reference = StandStill(p);
  AccuracyJudge judge(p, &reference, Start());
  judge.Add(0, Seen(Start()), 0);
  std::vector<BodyState> bodies = Start();
  bodies[1].orientation.y = NAN;
  judge.Add(0.5, Seen(bodies), 0);
  judge.Add(1, Seen(Start()), 0);
  const Accuracy a = judge.Finish();
  EXPECT_FALSE(a.finite);
  EXPECT_EQ(1u, a.times.size());
  EXPECT_FALSE(a.error->end);
}

TEST(AccuracyJudge, PublishedValuesAreComparedAtTheirTimesAndAnglesModuloATurn) {
  Problem p = TwoBodies();
  p.observables = {{"theta", Observable::Kind::kPlaneAngle, 0, 0, {}},
                   {"y", Observable::Kind::kPositionY, 1, 0, {}}};
  p.published = {{0, 0.5, 3.1, 0.1, PublishedValue::Kind::kPublished, "s"},
                 {1, 0.5, -1.5, 0.1, PublishedValue::Kind::kPublished, "s"},
                 {1, 0.7, 0, 0.1, PublishedValue::Kind::kPublished, "at no sample"}};
  AccuracyJudge judge(p, nullptr, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].orientation = AxisAngle({0, 0, 1}, -3.1);
  judge.Add(0.5, Seen(bodies), 0);
  const Accuracy a = judge.Finish();
  ASSERT_EQ(2u, a.published.size());
  EXPECT_NEAR(2 * M_PI - 6.2, a.published[0].difference, 1e-12);
  EXPECT_NEAR(-0.5, a.published[1].difference, 1e-12) << "ours less theirs";
}

TEST(AccuracyJudge, ReportsTheTimeAtWhichTheBranchWasLeft) {
  Problem p = TwoBodies();
  using Kind = Observable::Kind;
  p.branch = {{{"height", Kind::kPositionZ, 0}, Start()[0].position.z, 0.1},
              {{"angle of the rod", Kind::kPlaneAngle, 0}, M_PI, 0.1, "the rod turns"},
              {{"its opposite", Kind::kPlaneAngle, 0, M_PI}, 0, 0.1}};
  AccuracyJudge judge(p, nullptr, Start());
  std::vector<BodyState> bodies = Start();
  bodies[0].orientation = AxisAngle({0, 0, 1}, -M_PI + 0.09);  // within, modulo a turn
  judge.Add(0, Seen(bodies), 0);
  bodies[0].orientation = AxisAngle({0, 0, 1}, 2.9);
  judge.Add(0.5, Seen(bodies), 0);
  judge.Add(1, Seen(bodies), 0);
  const Accuracy a = judge.Finish();
  ASSERT_TRUE(a.left_branch);
  EXPECT_EQ(a.left_branch->time, 0.5);
  EXPECT_EQ(a.left_branch->quantity, "angle of the rod");
  EXPECT_NEAR(a.left_branch->value, 2.9, 1e-14);
  EXPECT_EQ(a.left_branch->others, std::vector<std::string>{"its opposite"});
  EXPECT_EQ(a.left_branch->motions, std::vector<std::string>{"the rod turns"});
}

TEST(LibraryMeasures, EqualTheirFormulasByHand) {
  Problem p = TwoBodies();
  p.observables = {{"turn", Observable::Kind::kPlaneAngle, 0},
                   {"y", Observable::Kind::kPositionY, 1}};
  using Formula = LibraryMeasure::Formula;
  // The angle's truth counts turns: 0.3 + 4 pi.
  p.library_measures = {{"mescd", Formula::kSignificantDigits, {0, 1}, {0.3 + 4 * M_PI, -2}, 0.5},
                        {"largest", Formula::kLargestDifference, {1}, {}, 0},
                        {"H", Formula::kAngularMomentumZ, {}, {}, 0},
                        {"never reached", Formula::kSignificantDigits, {1}, {0}, 0.7}};
  const Reference reference = StandStill(p);
  std::vector<BodyState> start = Start();
  start[0].angular_velocity = {0, 0, 3};  // H_z = 0.3
  LibraryMeasures measures(p, &reference, start);
  measures.Add(0, start);
  std::vector<BodyState> bodies = start;
  bodies[0].orientation = AxisAngle({0, 0, 1}, 0.3 + 1e-3);
  bodies[1].position.y = -2 + 3e-4;
  bodies[0].angular_velocity = {0, 0, 3.3};
  measures.Add(0.5, bodies);
  bodies[1].position.y = -2 - 2e-4;
  measures.Add(1, bodies);
  const auto& r = measures.results();
  ASSERT_EQ(r.size(), 4u);
  // The larger of 1e-3 / (1 + 0.3 + 4 pi) and 3e-4 / 3.
  EXPECT_NEAR(*r[0].value, -std::log10(3e-4 / 3), 1e-10);
  EXPECT_NEAR(*r[1].value, 3e-4, 1e-15);
  EXPECT_NEAR(*r[2].value, 0.1, 1e-14);
  EXPECT_FALSE(r[3].value);
}

TEST(LibraryMeasures, OfMultipliersAreTheirDigitsAtTheEnd) {
  const Problem p = MakeProblem("caraxis");
  const std::optional<Reference> r = FindReference(p);
  ASSERT_TRUE(r);
  const ReferenceSample& end = r->samples.back();
  Observation there = Seen(end.bodies);
  for (const ReferenceReaction& one : end.reactions)
    there.reactions.push_back({one.force, one.torque, one.unique});
  // The force of the slider on the bar, along the bar.
  Vector3& force = there.reactions[1].force;
  force = force + 1e-6 * Rotate(end.bodies[0].orientation, {1, 0, 0});
  LibraryMeasures measures(p, &*r, r->samples.front().bodies);
  measures.Add(1, there.bodies, there.reactions);
  measures.Add(3, there.bodies);
  EXPECT_FALSE(measures.results().back().value) << "before the end, or without reactions";
  measures.Add(3, there.bodies, there.reactions);
  EXPECT_EQ(measures.results().back().name, "mescd of the multipliers");
  EXPECT_NEAR(*measures.results().back().value, 6 + std::log10(1 + 4.73688659084893e-3), 1e-6);

  AccuracyJudge judge(p, &*r, r->samples.front().bodies);
  judge.Add(3, there, 0);
  const Accuracy a = judge.Finish();
  const PublishedComparison& last = a.published.back();
  EXPECT_EQ(last.quantity, "lambda_2");
  EXPECT_NEAR(last.difference, 0, 1e-14);
  EXPECT_NEAR(a.published[a.published.size() - 2].difference, 1e-6, 1e-13);
}

TEST(AccuracyJudge, ThinnedTrajectoryKeepsItsEnds) {
  const Problem p = TwoBodies();
  AccuracyJudge judge(p, nullptr, Start());
  for (int k = 0; k <= 1000; ++k) judge.Add(k / 1000., Seen(Start()), 0);
  const Accuracy a = judge.Finish();
  EXPECT_EQ(1001u, a.times.size());
  EXPECT_EQ(51u, a.trajectory.times.size());
  EXPECT_EQ(0, a.trajectory.times.front());
  EXPECT_EQ(1, a.trajectory.times.back());
  EXPECT_EQ(14u, a.trajectory.poses.at(50).size());
}

TEST(EnergyScale, ComesFromTheReferenceIfNoneIsPrinted) {
  Problem p = TwoBodies();
  p.energy_reference = 0;
  EXPECT_FALSE(EnergyScale(p, nullptr));
  Reference reference = StandStill(p);
  reference.samples[1].bodies[0].velocity.x = 3;  // 9 J
  p.system.forces.Of<SpringDamper>().push_back({"s", kGround, 1, {}, {}, 2, 0, 0});
  reference.samples[2].bodies[1].position = {0, -1, 0};  // the spring from 2 m to 1 m: 4 J to 1 J
  EXPECT_NEAR(9 + 3, *EnergyScale(p, &reference), 1e-12);
}

// A rod that turns a thousand times slower than 1 / T, and velocities that are three times too large.
TEST(AccuracyJudge, VelocitiesOfASlowMotionAreJudgedByTheLargestOfTheReference) {
  const Problem p = TwoBodies();
  for (const double rate : {2e-3, 2e-9}) {  // [rad/s]; the second is a rest
    Reference slow = StandStill(p);
    slow.samples[1].bodies[0].angular_velocity = {0, rate, 0};
    AccuracyJudge judge(p, &slow, Start());
    std::vector<BodyState> bodies = Start();
    judge.Add(0, Seen(bodies), 0);
    bodies[0].angular_velocity = {0, 3 * rate, 0};
    judge.Add(0.5, Seen(bodies), 0);
    const Accuracy a = judge.Finish();
    EXPECT_NEAR(2 * rate * p.time, a.error->velocity_max, 1e-15);
    EXPECT_DOUBLE_EQ(rate > 1e-6 ? 2 : 0, a.relative_velocity_error);
  }
}

TEST(AccuracyJudge, NamesTheJointOfAReactionThatIsFalselyCalledNotUnique) {
  const Problem p = TwoBodies();
  Reference reference = StandStill(p);
  reference.joints = {0, 1};
  for (ReferenceSample& sample : reference.samples)
    sample.reactions = {{{0, 40, 0}, {}, kNotUnique}, {{0, 20, 0}, {}, {}}};
  const auto named = [&](const UniqueComponents& of_second) {
    AccuracyJudge judge(p, &reference, Start());
    Observation seen = Seen(Start());
    seen.reactions = {{{0, 40, 0}, {}, kNotUnique}, {{0, 20, 0}, {}, of_second}};
    judge.Add(0, seen, 0);
    return judge.Finish().forces.falsely_not_unique;
  };
  EXPECT_EQ("", named({}));
  EXPECT_EQ("second", named(kNotUnique));
}

TEST(ReactionError, CountsUniqueComponentsOnly) {
  ReferenceReaction truth{{1, 2, 3}, {4, 5, 6}, {}};
  JointReaction ours{{1, 2.5, 30}, {4, 5, 8}, {}};
  EXPECT_DOUBLE_EQ(std::hypot(0.5, 27), *ReactionError(ours, truth, 1));
  truth.unique[2] = false;  // the force along z
  EXPECT_EQ(2, *ReactionError(ours, truth, 1));
  EXPECT_EQ(1, *ReactionError(ours, truth, 2)) << "moments over the length";
  ours.unique = kNotUnique;  // as a whole, and the method reports it
  EXPECT_EQ(2, *ReactionError(ours, truth, 1));
  truth.unique[5] = false;
  EXPECT_EQ(0.5, *ReactionError(ours, truth, 1));
  truth.unique = kNotUnique;
  EXPECT_FALSE(ReactionError(ours, truth, 1)) << "nothing to compare";
  EXPECT_FALSE(ReactionError(ours, {truth.force, truth.torque, {}}, 1))
      << "a method that does not report it";
}

}  // namespace
}  // namespace mbsbench
