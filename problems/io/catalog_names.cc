#include "problems/io/catalog_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "problems/catalog/catalog.h"
#include "problems/io/write_model.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

[[noreturn]] void Refuse(const Problem& problem, const std::string& why) {
  throw ModelError("the name '" + problem.name + "' belongs to the catalogue, and " + why +
                       ": give the model another name.",
                   ModelError::Subject::kField, "name");
}

// Where `a` first differs from `b` by more than the round-off of its numbers, which may depend on the
// compiler's flags; npos where it does not.
std::size_t FirstDifference(std::string_view a, std::string_view b) {
  constexpr double kRoundOff = 1e-14;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    double x = 0, y = 0;
    const auto [x_end, x_error] = std::from_chars(a.data() + i, a.data() + a.size(), x);
    const auto [y_end, y_error] = std::from_chars(b.data() + j, b.data() + b.size(), y);
    if (x_error == std::errc() && y_error == std::errc()) {
      if (!(std::abs(x - y) <= kRoundOff * std::max(1.0, std::abs(y)))) return i;
      i = static_cast<std::size_t>(x_end - a.data());
      j = static_cast<std::size_t>(y_end - b.data());
    } else {
      if (a[i] != b[j]) return i;
      ++i, ++j;
    }
  }
  return i == a.size() && j == b.size() ? std::string_view::npos : i;
}

// The largest whole number in the options of a problem's name.
double LargestOption(const std::string& name) {
  double largest = 0, number = 0;
  for (std::size_t i = name.find(':'); i < name.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(name[i])) != 0;
    number = digit ? 10 * number + (name[i] - '0') : 0;
    largest = std::max(largest, number);
  }
  return largest;
}

}  // namespace

bool IsCatalogueName(std::string_view name) {
  const std::string_view family = name.substr(0, name.find(':'));
  const auto& all = AllProblems();
  return std::any_of(all.begin(), all.end(),
                     [&family](const ProblemFamily& f) { return f.name == family; });
}

void RefuseBorrowedName(const Problem& problem) {
  if (!IsCatalogueName(problem.name)) return;
  // Families are addressed by their size: a small file must not make the catalogue build a large one.
  const double small = std::max<double>(5000, static_cast<double>(problem.system.bodies.size()));
  if (LargestOption(problem.name) > small) Refuse(problem, "this model is not that large");
  Problem original;
  try {
    original = MakeProblem(problem.name);
  } catch (const ModelError& error) {
    std::string why = error.what();
    if (why.ends_with('.')) why.pop_back();
    Refuse(problem, "there " + why);
  }
  const std::string ours = WriteMechanism(problem);
  const std::size_t differ = FirstDifference(ours, WriteMechanism(original));
  if (differ == std::string::npos) return;
  // The first line that differs says enough.
  std::size_t begin = ours.rfind('\n', differ);
  begin = begin == std::string::npos ? 0 : ours.find_first_not_of(" \n", begin);
  const std::string line = begin == std::string::npos ? "" : ours.substr(begin, 60);
  Refuse(problem, "this model differs from it at " + line.substr(0, line.find('\n')) + "...");
}

}  // namespace mbsbench
