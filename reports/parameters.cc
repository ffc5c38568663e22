// What a problem consists of, from its document in the store: bodies, joints, gravity and the scales by
// which it is judged.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::optional<double> NumberAt(const Json& list, std::size_t i) {
  return list.is_array() && i < list.size() ? Number(list[i]) : std::nullopt;
}

std::string DigitsOf(std::optional<double> value) { return value ? FormatDigits(*value, 6) : "?"; }

// "rod of 1 m, 1 kg"
std::string Described(const Json& shape) {
  const std::string kind = Text(shape, "kind");
  const Json &a = Field(shape, "a"), &b = Field(shape, "b");
  std::string text = kind == "none" ? "point" : kind;
  if (kind == "rod") {
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i)
      square += std::pow(NumberAt(b, i).value_or(NAN) - NumberAt(a, i).value_or(NAN), 2);
    text += " of " + FormatDigits(std::sqrt(square), 6) + " m";
  } else if (kind == "box") {
    text += fmt::format(" of {} x {} x {} m", DigitsOf(NumberAt(a, 0)), DigitsOf(NumberAt(a, 1)),
                        DigitsOf(NumberAt(a, 2)));
  } else if (kind == "sphere") {
    text += " of radius " + DigitsOf(Number(shape, "radius")) + " m";
  }
  const auto mass = Number(shape, "mass");
  return text + (mass ? *mass == 0 ? ", massless" : ", " + FormatDigits(*mass, 6) + " kg" : "");
}

std::string Described(const Json& joint, bool closes_loop) {
  return Text(joint, "kind") + (closes_loop                        ? " (closes a loop)"
                                : Field(joint, "parent").is_null() ? " (to the ground)"
                                                                   : "");
}

// "3 × rod of 1 m, 1 kg; 1 × ...", in the order in which they come.
class CountedKinds {
 public:
  void Add(const std::string& what) {
    const auto known = std::find_if(counts_.begin(), counts_.end(),
                                    [&what](const auto& one) { return one.first == what; });
    if (known == counts_.end()) {
      counts_.push_back({what, 1});
    } else {
      ++known->second;
    }
  }
  std::string Text() const {
    constexpr std::size_t kMostKinds = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(counts_.size(), kMostKinds); ++i)
      text +=
          fmt::format("{}{} × {}", text.empty() ? "" : "\n", counts_[i].second, counts_[i].first);
    if (counts_.size() > kMostKinds)
      text += fmt::format("\nand {} other kinds", counts_.size() - kMostKinds);
    return text;
  }

 private:
  std::vector<std::pair<std::string, int>> counts_;
};

}  // namespace

Table ParameterTable(const ProblemResults& problem) {
  const Json& known = problem.document;
  Table table{"Parameters", {{"what"}, {"value"}, {"meaning"}}};
  const auto add = [&table](const std::string& what, const std::string& value,
                            const std::string& meaning) {
    if (!value.empty()) table.rows.push_back({{what}, {value}, {meaning}});
  };
  const auto add_number = [&](const std::string& what, const char* field, const std::string& unit,
                              const std::string& meaning) {
    const auto number = Number(known, field);
    if (number) add(what, FormatDigits(*number, 6) + unit, meaning);
  };
  if (const std::size_t colon = problem.name.find(':'); colon != std::string::npos) {
    add("options", problem.name.substr(colon + 1), "of the family " + Text(known, "family"));
  }
  const Json &shapes = Field(known, "shapes"), &joints = Field(known, "joints");
  const auto all = Number(known, "bodies").value_or(0);
  const bool is_part = shapes.is_array() && static_cast<double>(shapes.size()) < all;
  const std::string of = is_part
                             ? fmt::format("of the {} that are recorded; it has {}", shapes.size(),
                                           FormatCount(static_cast<long long>(all)))
                             : "";
  CountedKinds bodies, connections;
  for (const Json& shape : shapes) bodies.Add(Described(shape));
  for (const Json& joint : joints)
    connections.Add(Described(joint, Field(joint, "closes_loop") == true));
  add("bodies, as drawn", bodies.Text(), of);
  add("joints", connections.Text(), is_part ? "between those" : "");
  if (const Json& gravity = Field(known, "gravity"); gravity.is_array() && gravity.size() == 3) {
    add("gravity",
        fmt::format("({}, {}, {}) m/s²", DigitsOf(NumberAt(gravity, 0)),
                    DigitsOf(NumberAt(gravity, 1)), DigitsOf(NumberAt(gravity, 2))),
        "inertial axes x, y, z");
  }
  add_number("end time", "end_time", " s", "of the motion that is judged and timed");
  add_number("length L", "length", " m", "position errors and drifts are divided by it");
  add_number("time T", "time", " s", "velocity errors and drifts are divided by L/T");
  add_number("energy E_ref", "energy_reference", " J", "energy drift is divided by it");
  return table;
}

}  // namespace mbsbench::reports
