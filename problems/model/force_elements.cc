#include "problems/model/force_elements.h"

namespace mbsbench {

double EffortOverTime::At(double t) const {
  if (table.empty()) return MotionAt(function, t).position;
  const auto after = std::ranges::upper_bound(table, t, {}, &Knot::time);
  if (after == table.begin()) return table.front().value;
  if (after == table.end()) return table.back().value;
  const Knot &a = after[-1], &b = *after;
  return a.value + (b.value - a.value) * ((t - a.time) / (b.time - a.time));
}

std::vector<double> EffortOverTime::BreakPoints() const {
  if (table.empty()) return mbsbench::BreakPoints(function);
  std::vector<double> times;
  for (const Knot& knot : table) times.push_back(knot.time);
  return times;
}

std::string_view WordsOf(ForceElement kind) {
  std::string_view words = "force element of another kind";
  ForceElements::ForEachLaw([&]<class Law>(std::type_identity<Law>) {
    if (Law::kKind == kind) words = Law::kWords;
  });
  return words;
}

std::string ListedTypes(std::span<const JointType> types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += i + 1 < types.size() ? ", " : " or ";
    text += Name(types[i]);
  }
  return text;
}

}  // namespace mbsbench
