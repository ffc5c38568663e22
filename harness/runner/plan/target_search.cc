#include "harness/runner/plan/target_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace mbsbench {

namespace {

// The farthest next trial on one side of all earlier ones: two decades of tolerance, a factor of four in the step.
constexpr std::size_t kFarthest = 8;
// The measured order is trusted within this factor of the expected one.
constexpr double kOrderRange = 4;
// An error above this may still fall faster than by its order.
constexpr double kCoarseError = 1e-2;

class Search {
 public:
  Search(const SettingGrid& grid, double target, const TriedSettings& tried)
      : grid_(grid), target_(target), tried_(tried) {}

  SearchStep Next() const {
    if (tried_.empty()) return Try(grid_.start);
    const std::optional<std::size_t> hold = CoarsestHold();
    if (!hold) return Finer();
    const std::optional<std::size_t> miss = FinestMissBefore(*hold);
    if (*hold == 0 || miss == *hold - 1) return Confirm(*hold);
    return Try(miss ? Between(*miss, *hold) : Coarser(*hold));
  }

 private:
  std::size_t Last() const { return grid_.settings.size() - 1; }
  double Log(std::size_t k) const { return std::log10(grid_.settings[k]); }
  const TriedSetting* Of(std::size_t k) const {
    const auto found = tried_.find(k);
    return found == tried_.end() ? nullptr : &found->second;
  }
  bool Finished(std::size_t k) const {
    const TriedSetting* const one = Of(k);
    return one != nullptr && one->ending == TriedSetting::Ending::kFinished;
  }
  bool Holds(std::size_t k) const { return Finished(k) && Of(k)->error <= target_; }
  // A trial that took too long says nothing about finer settings if one of them finished.
  bool IsTooLong(std::size_t k) const {
    const TriedSetting* const one = Of(k);
    if (one == nullptr || one->ending != TriedSetting::Ending::kTooLong) return false;
    for (auto finer = tried_.upper_bound(k); finer != tried_.end(); ++finer) {
      if (Finished(finer->first)) return false;
    }
    return true;
  }
  bool Misses(std::size_t k) const { return Of(k) != nullptr && !Holds(k) && !IsTooLong(k); }
  // A setting that holds the target by chance, since the next finer one misses it.
  bool IsIsolated(std::size_t k) const { return k < Last() && Misses(k + 1); }

  std::optional<std::size_t> CoarsestHold() const {
    for (const auto& [k, one] : tried_) {
      if (Holds(k) && !IsIsolated(k)) return k;
    }
    return std::nullopt;
  }
  std::optional<std::size_t> FinestMissBefore(std::size_t hold) const {
    std::optional<std::size_t> finest;
    for (const auto& [k, one] : tried_) {
      if (k < hold && !IsTooLong(k)) finest = k;
    }
    return finest;
  }

  SearchStep Try(std::size_t k) const {
    for (const auto& [other, one] : tried_) {
      if (other <= k && IsTooLong(other)) return {.kind = SearchStep::Kind::kTooLong, .setting = k};
    }
    return {.kind = SearchStep::Kind::kTry, .setting = k};
  }

  SearchStep Confirm(std::size_t k) const {
    if (k < Last() && !Holds(k + 1)) return Try(k + 1);
    return {.kind = SearchStep::Kind::kFound,
            .setting = k,
            .at_coarse_end = k == 0 || !Finished(k - 1)};
  }

  // All trials miss the target.
  SearchStep Finer() const {
    std::size_t finest = 0;
    for (const auto& [k, one] : tried_) {
      if (IsTooLong(k)) break;
      finest = k;
    }
    if (IsTooLong(tried_.begin()->first))
      return {.kind = SearchStep::Kind::kTooLong, .setting = tried_.begin()->first};
    if (finest < Last()) {
      const std::size_t k = Predicted(finest, false).value_or(finest + kFarthest / 2);
      SearchStep step = Try(std::min({std::max(k, finest + 1), finest + kFarthest, Last()}));
      step.not_before = NotBefore(finest);
      return step;
    }
    if (Last() > 0 && Of(Last() - 1) == nullptr) return Try(Last() - 1);
    return {.kind = SearchStep::Kind::kOutOfReach, .setting = Last()};
  }

  // `hold` is the coarsest trial.
  std::size_t Coarser(std::size_t hold) const {
    const std::size_t least = hold - std::min(hold, kFarthest);
    return std::clamp(Predicted(hold, true).value_or(hold - 1), least, hold - 1);
  }

  std::size_t Between(std::size_t miss, std::size_t hold) const {
    const std::size_t middle = (miss + hold) / 2;
    if (!Finished(miss)) return middle;
    const double coarse = Error(miss), fine = Error(hold);
    const double part = (coarse - std::log10(target_)) / (coarse - fine);
    const std::size_t k = Reaching(Log(miss) + part * (Log(hold) - Log(miss)));
    if (k > miss && k < hold) return k;
    // The secant expects no coarser setting to hold the target; where it erred so before, the bracket is halved.
    return k >= hold && !(hold < Last() && Holds(hold + 1)) ? hold - 1 : middle;
  }

  // Logarithm; an error of zero is far below every target.
  double Error(std::size_t k) const { return std::log10(std::max(Of(k)->error, 1e-20)); }

  // The coarsest setting with at most this logarithm.
  std::size_t Reaching(double log_setting) const {
    constexpr double kRoundOff = 1e-9;
    std::size_t k = 0;
    while (k < Last() && Log(k) > log_setting + kRoundOff) ++k;
    return k;
  }

  // The setting at which the error reaches the target if it falls with the expected order from its finest trial on, or with the
  // measured one if that is higher.
  MaybeNumber NotBefore(std::size_t finest) const {
    if (!Finished(finest) || Error(finest) > std::log10(kCoarseError)) return {};
    const std::optional<double> order = MeasuredOrder(finest, false);
    if (!order || *order <= 0) return {};
    const double fall = (std::log10(target_) - Error(finest)) / std::max(*order, grid_.order);
    return grid_.settings[finest] * std::pow(10, fall);
  }

  // The order between the finished trial `from` and the nearest other one on its finer or coarser side; empty without one.
  std::optional<double> MeasuredOrder(std::size_t from, bool to_finer_side) const {
    std::optional<std::size_t> other;
    for (const auto& [k, one] : tried_) {
      if (!Finished(k) || (to_finer_side ? k <= from : k >= from)) continue;
      if (!other || !to_finer_side) other = k;
    }
    if (!other) return std::nullopt;
    return (Error(*other) - Error(from)) / (Log(*other) - Log(from));
  }

  // The coarsest setting that is expected to hold the target, by the secant through `from` and the nearest other trial on its
  // finer or coarser side; empty if `from` did not finish.
  std::optional<std::size_t> Predicted(std::size_t from, bool to_finer_side) const {
    if (!Finished(from)) return std::nullopt;
    const double order = std::clamp(MeasuredOrder(from, to_finer_side).value_or(grid_.order),
                                    grid_.order / kOrderRange, grid_.order * kOrderRange);
    return Reaching(Log(from) + (std::log10(target_) - Error(from)) / order);
  }

  const SettingGrid& grid_;
  double target_;
  const TriedSettings& tried_;
};

}  // namespace

const std::vector<double>& ToleranceGrid() {
  static const std::vector<double> grid = [] {
    std::vector<double> settings;
    // Read as decimals, so that they equal the numbers that users write.
    for (int decade = 1; decade < 13; ++decade) {
      settings.push_back(std::strtod(fmt::format("1e-{}", decade).c_str(), nullptr));
      for (const char* mantissa : {"5.6", "3.2", "1.8"})
        settings.push_back(
            std::strtod(fmt::format("{}e-{}", mantissa, decade + 1).c_str(), nullptr));
    }
    settings.push_back(kFinestTolerance);
    return settings;
  }();
  return grid;
}

std::vector<double> StepGrid(double interval, double finest) {
  constexpr double kRoundOff = 1e-9, kPerDoubling = 4;
  std::vector<double> steps;
  double last = 0;
  for (int j = 0; steps.empty() || steps.back() > finest * (1 + kRoundOff); ++j) {
    const double parts = std::round(std::exp2(j / kPerDoubling));
    if (parts == last) continue;
    last = parts;
    steps.push_back(interval / parts);
  }
  return steps;
}

std::size_t NearestSetting(const std::vector<double>& settings, double wanted) {
  const auto distance = [wanted](double setting) { return std::abs(std::log(setting / wanted)); };
  return static_cast<std::size_t>(std::ranges::min_element(settings, {}, distance) -
                                  settings.begin());
}

SearchStep NextStep(const SettingGrid& grid, double target, const TriedSettings& tried) {
  return Search(grid, target, tried).Next();
}

}  // namespace mbsbench
