#include "reference/printed_multipliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/catalog/printed.h"

namespace mbsbench {

namespace {

using Along = Multiplier::Direction;

// M q'' = f - G'lambda, with the loops closed in E: K2's point less those of K3, K4 and K6 (IVP test set, andrews).
PrintedMultipliers OfAndrews() {
  PrintedMultipliers all;
  for (const char* joint : {"E3", "E4", "E6"}) {
    for (const Along along : {Along::kInertialX, Along::kInertialY}) {
      const std::string name = fmt::format("lambda_{}", all.quantities.size() + 1);
      all.quantities.push_back({.name = name, .joint = joint, .direction = along});
    }
  }
  const auto printed = [&all](int multiplier, double time, double value, double last_digit,
                              const char* source) {
    all.values.push_back({multiplier, time, value, last_digit, PublishedValue::Kind::kPublished,
                          std::string("IVP test set, ") + source});
  };
  // They have 30 digits: what rounding the start and the data to double leaves.
  const char* const at_start = "multipliers at the start";
  printed(0, 0, 98.5668703962410896057654982170, 2e-14, at_start);
  printed(1, 0, -6.12268834425566265503114393122, 2e-14, at_start);
  const char* const at_end = "PSIDE at tolerance 1e-14, multipliers";
  printed(0, 0.03, 199.1753333731910, 1e-13, at_end);
  printed(1, 0.03, -29.75531228015052, 1e-14, at_end);
  printed(2, 0.03, 23.06654119098399, 1e-14, at_end);
  printed(3, 0.03, 31.45271365475927, 1e-14, at_end);
  printed(4, 0.03, 22.64249232082739, 1e-14, at_end);
  printed(5, 0.03, 11.61740700019673, 1e-14, at_end);
  return all;
}

// M p'' = f + G'lambda: the first constraint is the left mass on the bar's normal times the bar's length L = 1 m, the second the
// square of the rod's length, whose gradient is 2 L along the rod (IVP test set, caraxis).
PrintedMultipliers OfCarAxis() {
  PrintedMultipliers all;
  all.quantities = {
      {.name = "lambda_1", .joint = "across", .direction = Along::kParentX},
      {.name = "lambda_2", .joint = "rod", .direction = Along::kParentToChild, .scale = 0.5}};
  const std::string computed =
      "Cartesian points with two multipliers, and two coordinates, which agree to 4e-38";
  const auto row = [&](double time, const char* first, const char* second) {
    all.values.push_back(Printed(0, time, first, computed));
    all.values.push_back(Printed(1, time, second, computed));
  };
  row(0.1, "0.0046644", "0.0012614");
  row(0.3, "-0.0005434", "-0.0004512");
  row(1, "-0.0038371", "-0.0012288");
  // Printed to 21 digits; the errors are known from the computations above.
  const std::string published = "IVP test set, GAMD in quadruple precision, multipliers";
  const PublishedValue::Kind kind = PublishedValue::Kind::kPublished;
  all.values.push_back({0, 3, -4.73688659084893324729e-3, 5e-15, kind, published});
  all.values.push_back({1, 3, -1.10468033125734368808e-3, 3e-15, kind, published});
  return all;
}

// Finds the joint in the system.
bool Place(const System& system, Multiplier& one) {
  int number = 0;
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      if (joint.name == one.joint) {
        one.number = number;
        one.parent = joint.parent;
        one.child = joint.child;
        return true;
      }
      ++number;
    }
  }
  return false;
}

Vector3 DirectionOf(const Multiplier& one, const std::vector<BodyState>& bodies) {
  const auto at = [&bodies](int body) {
    return body == kGround ? BodyState{} : bodies[static_cast<std::size_t>(body)];
  };
  switch (one.direction) {
    case Along::kInertialX: break;
    case Along::kInertialY: return {0, 1, 0};
    case Along::kParentX: return Rotate(at(one.parent).orientation, {1, 0, 0});
    case Along::kParentToChild: {
      const Vector3 line = at(one.child).position - at(one.parent).position;
      return (1 / Norm(line)) * line;
    }
  }
  return {1, 0, 0};
}

}  // namespace

std::string Multiplier::Meaning() const {
  const char* const along[] = {"x", "y", "the x axis of its parent",
                               "the line to it from its parent"};
  return fmt::format("{}the force of joint '{}' on its child along {}",
                     scale == 1 ? "" : fmt::format("{:g} times ", scale), joint,
                     along[static_cast<std::size_t>(direction)]);
}

PrintedMultipliers PrintedMultipliersOf(const Problem& problem) {
  PrintedMultipliers all;
  if (problem.name == "andrews") all = OfAndrews();
  if (problem.name == "caraxis" || problem.name == "caraxis:loop") all = OfCarAxis();
  // A model file of this name may have other joints.
  if (!std::ranges::all_of(all.quantities,
                           [&](Multiplier& one) { return Place(problem.system, one); }))
    return {};
  return all;
}

std::optional<double> ValueOf(const Multiplier& multiplier, const std::vector<BodyState>& bodies,
                              const Vector3& force, const UniqueComponents& unique) {
  constexpr double kRoundOff = 1e-9;  // of a plane motion in space
  const Vector3 d = DirectionOf(multiplier, bodies);
  std::size_t k = 0;
  for (const double part : {d.x, d.y, d.z}) {
    if (std::abs(part) > kRoundOff && !unique[k]) return {};
    ++k;
  }
  return multiplier.scale * Dot(force, d);
}

std::optional<double> ValueIn(const Reference& reference, const Multiplier& multiplier,
                              double time) {
  for (const int body : {multiplier.parent, multiplier.child}) {
    const auto b = static_cast<std::size_t>(body);
    if (body != kGround && (b >= reference.bodies.size() || reference.bodies[b] != body)) return {};
  }
  const auto joint = std::ranges::find(reference.joints, multiplier.number);
  const auto sample = std::ranges::find_if(reference.samples, [time](const ReferenceSample& one) {
    return std::abs(one.time - time) <= 1e-12 * std::max(1.0, time);
  });
  if (joint == reference.joints.end() || sample == reference.samples.end()) return {};
  const ReferenceReaction& reaction =
      sample->reactions[static_cast<std::size_t>(joint - reference.joints.begin())];
  return ValueOf(multiplier, sample->bodies, reaction.force, reaction.unique);
}

}  // namespace mbsbench
