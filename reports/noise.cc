#include "reports/noise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/document.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

constexpr double kControlMoves = 1.03;  // by which a paired round is dropped elsewhere, too

void Add(const ProblemResults& problem, Noise& noise) {
  for (const Cell& cell : problem.cells) {
    if (!cell.cpu) continue;
    ++(cell.cpu->rounds > 1 ? noise.cells : noise.single);
    if (cell.cpu->rounds < 2) continue;
    noise.moved += cell.wander > kControlMoves;
    if (!cell.cpu->IsNoisy()) continue;
    ++noise.scattered;
    if (std::find(noise.methods.begin(), noise.methods.end(), cell.method) == noise.methods.end())
      noise.methods.push_back(cell.method);
  }
}

}  // namespace

std::string Noise::InShort() const {
  if (!IsKnown()) return single > 0 ? "not known, one round each" : "";
  return IsNoisy() ? fmt::format("noisy: {} of {} cells", FormatCount(std::max(scattered, moved)),
                                 FormatCount(cells))
                   : "quiet";
}

std::string Noise::Sentence() const {
  if (!IsKnown()) return "";
  std::string text = fmt::format(
      "Cells timed in several rounds: {}. Of these, rounds differ by more than 10 %: {}; the "
      "control kernel moved by more than 3 %: {}.",
      FormatCount(cells), FormatCount(scattered), FormatCount(moved));
  if (IsNoisy() && !methods.empty())
    text += fmt::format(" The machine was noisy. Times of these methods are affected: {}.",
                        fmt::join(methods, ", "));
  return text;
}

Noise NoiseOf(const ProblemResults& problem) {
  Noise noise;
  Add(problem, noise);
  return noise;
}

Noise NoiseOf(const Comparison& comparison) {
  Noise noise;
  for (const ProblemResults& problem : comparison.problems) Add(problem, noise);
  return noise;
}

}  // namespace mbsbench::reports
