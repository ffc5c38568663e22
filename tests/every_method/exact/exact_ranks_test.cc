// Ranks and unique components of the redundant mechanisms are proven by exact arithmetic, and agree with the printed ones, with
// the reference and with every method that reports them; docs/atlas.md lists them. If it is to change:
//   MBSBENCH_UPDATE_ATLAS=1 exact_test --gtest_filter='Atlas.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

#include "harness/integrate/integrate.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/flat_positions.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "reference/redundancy.h"
#include "reference/reference.h"
#include "tests/every_method/exact/exact_statics.h"
#include "tests/support/observed_reactions.h"
#include "tests/support/written_page.h"

namespace mbsbench {
namespace {

constexpr char kFile[] = MBSBENCH_SOURCE_DIR "/docs/atlas.md";
constexpr char kHead[] = R"(# Atlas of redundancy and singularity

Written by a test (`tests/every_method/exact/exact_ranks_test.cc` says how), which fails when anything here changes.

Fifteen mechanisms have constraints that depend on each other. Their accelerations are unique, their reactions only in
part. The rows of all joints act on the six rates of each body. Their rank is exact: FLINT computes it over the field of
the joints' places. At the usual angles of `fourbar-rrrr`, `bennett` and `delta` no quadratic field has these, so they
stand at angles nearby (`redundant_mechanisms.h`; one radius of `delta` is 0.35 mm smaller).

A letter for each component of a reaction, force x y z, then moment x y z, in inertial axes, tree joints first: U is
unique, proven by the exact null space; N is not, but the least joint wrenches do not depend on the unit of length; D is
not, and they do. In brackets: the dimension of what is free in the joint's wrench, exact too.

A method says which components it found unique, and by a name how it chose the others. Names without a method are for
methods to come.

| choice | the values are | methods |
| --- | --- | --- |
)";
constexpr char kTableHead[] = R"(
`-`: uniqueness is not reported, since the method takes no loops. The other methods agree with every letter U below,
wherever they take the mechanism. `mbsbench accelerations PROBLEM METHOD --json` prints the `unique_components` and the
`choice` of the method and, of the mechanism in 113 bits, `unique_components_joint_axes` (in the axes of the child's
joint frame, which stay when a model is turned) and `undetermined` (the dimension).

| mechanism | bodies | rows | exact rank | field | degrees of freedom | redundant | reactions |
| --- | --- | --- | --- | --- | --- | --- | --- |
)";
constexpr char kRanksHead[] = R"(
## Ranks along motions

The ranks of the same rows where mechanisms pass, by singular values: those above 1e-9 of the largest count. The least of
these, over the largest, falls to 0 towards a position where the rank falls. The first three turn through the position
with all links in one line or plane, by angles from there; the others move from their configuration above, solved by
`articulated-body` at a tolerance of 1e-10. The condition is that of the rows, with columns of unit length: the largest
singular value over the least that counts, at 201 times of the motion.

| mechanism | at | rank | least singular value | largest condition |
| --- | --- | --- | --- | --- |
)";
constexpr char kBranchesHead[] = R"(
## Branches

In a flat position other motions branch off. Those below are all: they solve the equations of the loops in closed form.
No other motion follows the second freedom of `parallelogram3`, though the rank falls there.

In `nfourbar` a window either stays a parallelogram there or folds: one of its cranks rests on the ground line, and its
coupler turns with the other crank.

| mechanism | branch | degrees of freedom |
| --- | --- | --- |
)";
// The closed list.
const std::vector<std::pair<std::string, std::string>> kChoices{
    {"least-joint-wrench-SI", "least sum of squares of all forces in N and moments in N m"},
    {"least-multipliers",
     "least sum of squares of the multipliers of the method's own scaled rows"},
    {"dropped-rows", "0 for the multipliers of dependent rows, which are left out"},
    {"mass-weighted", "least in the metric of the inverse masses"},
    {"elastic", "those of real compliances"},
    {"", "-"}};

// "Q(sqrt 3)", with a number that no square of a small prime divides.
std::string FieldOf(const exact::ExactStatics& s) {
  if (s.d == 0) return "Q";
  boost::multiprecision::cpp_int n = numerator(s.d) * denominator(s.d);
  for (int p = 2; p < 1000; ++p) {
    while (n % (p * p) == 0) n /= p * p;
  }
  return "Q(sqrt " + n.str() + ")";
}

// "DDNDDU (3), 2 x UUDDDU (3)".
std::string Letters(std::vector<std::string> classes, const std::vector<int>& undetermined) {
  for (std::size_t j = 0; j < classes.size(); ++j) {
    if (undetermined[j] > 0) classes[j] += " (" + std::to_string(undetermined[j]) + ")";
  }
  std::string text;
  for (std::size_t first = 0, end = 0; first < classes.size(); first = end) {
    while (end < classes.size() && classes[end] == classes[first]) ++end;
    text += (first == 0 ? "" : ", ") +
            (end - first > 1 ? std::to_string(end - first) + " x " : "") + classes[first];
  }
  return text;
}

std::string RowOfRanks(const std::string& name, const std::string& unit,
                       const std::vector<RankOnPath>& ranks, const std::string& condition) {
  std::array<std::string, 3> lists;
  for (const RankOnPath& at : ranks) {
    const char* comma = lists[0].empty() ? "" : ", ";
    lists[0] += fmt::format("{}{:.3g}", comma, at.time);
    lists[1] += fmt::format("{}{}", comma, at.rank);
    lists[2] += fmt::format("{}{:.2g}", comma, at.least);
  }
  return fmt::format("| `{}` | {} {} | {} | {} | {} |\n", name, lists[0], unit, lists[1], lists[2],
                     condition);
}

// From rest for two seconds, as samples of a reference.
Reference MotionOf(const RedundantMechanism& m) {
  const auto formulation = Prepare(ChooseMethod("articulated-body", AllMethods()), m.system);
  Reference motion;
  motion.bodies.resize(m.system.bodies.size());
  std::iota(motion.bodies.begin(), motion.bodies.end(), 0);
  Sampling samples;
  for (int k = 0; k <= 200; ++k) samples.times.push_back(0.01 * k);
  samples.sink = [&](double time, std::span<const double> y, double) {
    Observation seen;
    EXPECT_TRUE(formulation->Observe(time, y, Detail::kMotion, seen).ok());
    motion.samples.push_back({time, seen.bodies, {}});
  };
  const IntegrationReport report = Integrate(
      *formulation, m.state, {.integrator = "dopri5", .end_time = 2, .tolerance = 1e-10}, samples);
  EXPECT_TRUE(report.ok()) << m.name << ": " << report.reason;
  return motion;
}

std::string RowsOfRanks() {
  const std::vector<RedundantMechanism> all = ExactMechanisms();
  const auto named = [&all](const std::string& name) -> const RedundantMechanism& {
    return *std::ranges::find(all, name, &RedundantMechanism::name);
  };
  std::string rows;
  for (const FlatPosition& flat : FlatPositions()) {
    std::vector<RankOnPath> ranks;
    for (const double angle : {-0.5, -0.05, 0., 0.05, 0.5}) {
      ranks.push_back(RankAt(named(flat.mechanism).system, flat.At(angle)));
      ranks.back().time = angle;
    }
    rows += RowOfRanks(flat.mechanism, "rad", ranks, "no bound");
  }
  for (const char* name : {"fourbar-rrrr", "bennett", "bricard", "delta"}) {
    const RedundantMechanism& m = named(name);
    std::vector<RankOnPath> shown;
    double least = 1;
    for (const RankOnPath& at : RanksAlong(m.system, MotionOf(m))) {
      EXPECT_EQ(at.rank, m.rank) << name << " at " << at.time;
      least = std::min(least, at.least);
      if (std::abs(2 * at.time - std::round(2 * at.time)) < 1e-9) shown.push_back(at);
    }
    rows += RowOfRanks(name, "s", shown, fmt::format("{:.2g}", 1 / least));
  }
  return rows;
}

std::string RowsOfBranches() {
  std::string rows;
  for (const FlatPosition& flat : FlatPositions()) {
    rows += fmt::format("| `{}` | {} | 1 |\n", flat.mechanism, flat.motion);
    for (const OtherBranch& other : flat.others)
      rows += fmt::format("| `{}` | {} | {} |\n", flat.mechanism, other.motion, other.freedoms);
  }
  return rows;
}

std::string Page() {
  std::ostringstream page;
  page << kHead;
  for (const auto& [choice, meaning] : kChoices) {
    page << "| " << (choice.empty() ? "-" : "`" + choice + "`") << " | " << meaning << " |";
    const char* comma = " ";
    for (const MethodEntry& entry : AllMethods()) {
      if (entry.reaction_choice == choice)
        page << std::exchange(comma, ", ") << "`" << entry.key << "`";
    }
    page << " |\n";
  }
  page << kTableHead;
  for (const RedundantMechanism& m : ExactMechanisms()) {
    const exact::ExactStatics s = exact::StaticsOf(m.system, exact::PlacesOf(m.name));
    const int rates = 6 * static_cast<int>(m.system.bodies.size());
    page << "| `" << m.name << "` | " << m.system.bodies.size() << " | " << s.rows << " | "
         << s.rank << " | " << FieldOf(s) << " | " << rates - s.rank << " | " << s.rows - s.rank
         << " | " << Letters(m.classes, s.undetermined) << " |\n";
  }
  page << kRanksHead << RowsOfRanks() << kBranchesHead << RowsOfBranches();
  return page.str();
}

const BodyState& BodyOf(const RedundantMechanism& m, int body) {
  static const BodyState ground;
  return body == kGround ? ground : m.state.bodies[static_cast<std::size_t>(body)];
}

Vector3 Rounded(const exact::Point& p) { return {p[0].value(), p[1].value(), p[2].value()}; }

// The places are written down twice: exactly, and in the models by sines, cosines and roots of doubles.
TEST(Atlas, ExactPlacesOfJointsAreThoseOfTheModels) {
  const std::vector<RedundantMechanism> mechanisms = ExactMechanisms();
  EXPECT_EQ(mechanisms.size(), 15u);
  for (const RedundantMechanism& m : mechanisms) {
    SCOPED_TRACE(m.name);
    EXPECT_LT(ConstraintResiduals(m.system, m.state.bodies, m.length, 1).position, 2e-15);
    const std::vector<exact::JointPlace> places = exact::PlacesOf(m.name);
    std::vector<Joint> joints = m.system.joints;
    joints.insert(joints.end(), m.system.loop_joints.begin(), m.system.loop_joints.end());
    ASSERT_EQ(places.size(), joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Joint& joint = joints[j];
      const BodyState &child = BodyOf(m, joint.child), &parent = BodyOf(m, joint.parent);
      const Vector3 point = child.position + Rotate(child.orientation, joint.child_frame.position);
      EXPECT_LT(Norm(point - Rounded(places[j].point)), 4e-15) << "joint " << j;
      if (joint.type == JointType::kBall) continue;
      const Vector3 on_parent =
          parent.position + Rotate(parent.orientation, joint.parent_frame.position);
      const Vector3 axis =
          joint.type == JointType::kDistance
              ? point - on_parent
              : Rotate(child.orientation, Rotate(joint.child_frame.orientation, {0, 0, 1}));
      const Vector3 exact = Rounded(places[j].axis);
      EXPECT_LT(Norm(Cross(axis, exact)), 4e-15 * Norm(axis) * Norm(exact)) << "joint " << j;
    }
  }
}

TEST(Atlas, ExactRanksAndNullSpacesAgreeWithAllFlagsOfTheReferenceAndOfEveryMethod) {
  std::map<std::string, int> agreeing;  // components, per choice
  for (const RedundantMechanism& m : ExactMechanisms()) {
    SCOPED_TRACE(m.name);
    const exact::ExactStatics s = exact::StaticsOf(m.system, exact::PlacesOf(m.name));
    EXPECT_EQ(s.rows, m.rows);
    EXPECT_EQ(s.rank, m.rank);
    const ReferenceDynamics truth = ReferenceAccelerations(m.system, m.state.joints);
    const Redundancy dense = RedundancyOf(m.system, m.state.joints);
    EXPECT_EQ(dense.rank, s.rank);
    for (std::size_t j = 0; j < m.classes.size(); ++j) {
      EXPECT_EQ(dense.joints[j].classes, m.classes[j]) << "joint " << j;
      EXPECT_EQ(dense.joints[j].undetermined, s.undetermined[j]) << "joint " << j;
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_EQ(s.unique[j][k], m.classes[j][k] == 'U') << "joint " << j << ", component " << k;
      EXPECT_EQ(s.unique[j], truth.reactions[j].unique) << "joint " << j;
    }
    ForReactionsOfEveryVariant(m.system, m.state,
                               [&](const MethodChoice& choice, const Observation& mine) {
                                 const std::string& how = choice.entry->reaction_choice;
                                 EXPECT_NE(how, "");
                                 for (std::size_t j = 0; j < s.unique.size(); ++j) {
                                   for (std::size_t k = 0; k < 6; ++k) {
                                     EXPECT_EQ(mine.reactions[j].unique[k], s.unique[j][k])
                                         << "joint " << j << ", component " << k;
                                     ++agreeing[how];
                                   }
                                 }
                               });
  }
  EXPECT_GT(agreeing["least-multipliers"], 1500);
  EXPECT_GT(agreeing["dropped-rows"], 5000);
}

TEST(Atlas, ChoicesAreFromTheClosedList) {
  for (const MethodEntry& entry : AllMethods()) {
    const auto is_its = [&](const auto& choice) { return choice.first == entry.reaction_choice; };
    EXPECT_TRUE(std::ranges::any_of(kChoices, is_its)) << entry.key;
  }
}

TEST(Atlas, PageAgreesWithTheExactRanksAndTheMethods) {
  ExpectPage(kFile, Page(), "MBSBENCH_UPDATE_ATLAS");
}

}  // namespace
}  // namespace mbsbench
