// The parameters of a problem from its record in the store: bodies, joints, gravity and the scales of its errors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>
#include <vector>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

std::string DigitsOf(MaybeNumber value) { return value ? FormatDigits(*value, 6) : "?"; }

// "rod of 1 m, 1 kg"
std::string Described(const DrawnBodyRecord& body) {
  std::string text = body.kind == "none" ? "point" : body.kind;
  if (body.kind == "rod") {
    text += " of " + (body.a && body.b ? FormatDigits(Norm(*body.b - *body.a), 6) : "?") + " m";
  } else if (body.kind == "box" && body.a) {
    text += fmt::format(" of {} x {} x {} m", DigitsOf(body.a->x), DigitsOf(body.a->y),
                        DigitsOf(body.a->z));
  } else if (body.kind == "sphere") {
    text += " of radius " + DigitsOf(body.radius) + " m";
  }
  return text + (!body.mass        ? ""
                 : *body.mass == 0 ? ", massless"
                                   : ", " + FormatDigits(*body.mass, 6) + " kg");
}

std::string Described(const DrawnJointRecord& joint) {
  return joint.kind + (joint.closes_loop      ? " (closes a loop)"
                       : joint.parent.empty() ? " (to the ground)"
                                              : "");
}

// "3 × rod of 1 m, 1 kg", a line for each kind, in the order in which they come.
template <typename Part>
std::string CountedKinds(const std::vector<Part>& parts) {
  constexpr std::size_t kMostKinds = 8;
  std::vector<std::pair<std::string, int>> counts;
  for (const Part& part : parts) {
    const std::string kind = Described(part);
    ++FindOrAdd(counts, [&kind](const auto& one) { return one.first == kind; }, {kind, 0}).second;
  }
  std::vector<std::string> lines;
  for (const auto& [kind, count] : counts | std::views::take(kMostKinds))
    lines.push_back(fmt::format("{} × {}", count, kind));
  if (counts.size() > kMostKinds)
    lines.push_back(fmt::format("and {} other kinds", counts.size() - kMostKinds));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

Table ParameterTable(const ProblemResults& problem) {
  const ProblemRecord& record = problem.record;
  Table table{"Parameters", {{"what"}, {"value"}, {"meaning"}}};
  const auto add = [&table](const std::string& what, const std::string& value,
                            const std::string& meaning) {
    if (!value.empty()) table.rows.push_back({{what}, {value}, {meaning}});
  };
  const auto add_number = [&](const std::string& what, MaybeNumber number, const std::string& unit,
                              const std::string& meaning) {
    if (number) add(what, FormatDigits(*number, 6) + unit, meaning);
  };
  const int all = record.bodies.value_or(0);
  if (const std::size_t colon = problem.name.find(':'); colon != std::string::npos)
    add("options", problem.name.substr(colon + 1), "of the family " + record.family);
  const bool is_part = std::ssize(record.shapes) < all;
  const std::string of = is_part ? fmt::format("of the {} that are recorded; it has {}",
                                               record.shapes.size(), FormatCount(all))
                                 : "";
  add("bodies, as drawn", CountedKinds(record.shapes), of);
  add("joints", CountedKinds(record.joints), is_part ? "between those" : "");
  if (record.gravity) {
    add("gravity",
        fmt::format("({}, {}, {}) m/s²", DigitsOf(record.gravity->x), DigitsOf(record.gravity->y),
                    DigitsOf(record.gravity->z)),
        "inertial axes x, y, z");
  }
  add_number("end time", record.end_time, " s", "of the motion");
  add_number("length L", record.length, " m", "position errors and drifts are divided by it");
  add_number("time T", record.time, " s", "velocity errors and drifts are divided by L/T");
  add_number("energy E_ref", record.energy_reference, " J", "energy drift is divided by it");
  return table;
}

}  // namespace mbsbench::reports
