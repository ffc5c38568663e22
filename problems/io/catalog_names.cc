#include "problems/io/catalog_names.h"

#include <algorithm>
#include <cctype>
#include <string>

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
  const double small = std::max<double>(1000, static_cast<double>(problem.system.bodies.size()));
  if (LargestOption(problem.name) > small) Refuse(problem, "this model is not that large");
  Problem original;
  try {
    original = MakeProblem(problem.name);
  } catch (const ModelError& error) {
    std::string why = error.what();
    if (why.ends_with('.')) why.pop_back();
    Refuse(problem, "there " + why);
  }
  const std::string theirs = WriteMechanism(original), ours = WriteMechanism(problem);
  if (theirs == ours) return;
  // The first line that differs says enough.
  const auto differ = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
  std::size_t begin = ours.rfind('\n', static_cast<std::size_t>(differ.first - ours.begin()));
  begin = begin == std::string::npos ? 0 : ours.find_first_not_of(" \n", begin);
  const std::string line = begin == std::string::npos ? "" : ours.substr(begin, 60);
  Refuse(problem, "this model differs from it at " + line.substr(0, line.find('\n')) + "...");
}

}  // namespace mbsbench
