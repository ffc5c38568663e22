#include "problems/model/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace mbsbench {

namespace {

std::size_t EditDistance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> ClosestNames(std::string_view name,
                                      const std::vector<std::string>& candidates,
                                      std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    std::size_t distance = EditDistance(name, candidate);
    if (name.size() >= 3 && candidate.find(name) != std::string::npos)
      distance = 1;  // a part of it
    if (distance <= std::max<std::size_t>(2, std::max(name.size(), candidate.size()) / 2)) {
      near.emplace_back(distance, candidate);
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < near.size() && i < most; ++i) names.push_back(near[i].second);
  return names;
}

std::string Suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  std::vector<std::string> names = ClosestNames(name, candidates);
  const bool near = !names.empty();
  if (!near) names = candidates;
  std::string text = near ? " Did you mean " : " Known are: ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += near && i + 1 == names.size() ? " or " : ", ";
    text += "'" + names[i] + "'";
  }
  return text + (near ? "?" : ".");
}

}  // namespace mbsbench
