#include "harness/metrics/library_measures.h"

#include <algorithm>
#include <cmath>

#include "problems/model/kinematics.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {
constexpr double kSameLibraryTime = 1e-9;  // of the end time
// Limits mescd where every value agrees to the last bit.
constexpr double kLeastError = 1e-17;
}  // namespace

LibraryMeasures::LibraryMeasures(const Problem& problem, const Reference* reference,
                                 const std::vector<BodyState>& start)
    : problem_(problem),
      reference_(reference),
      multipliers_(PrintedMultipliersOf(problem)),
      angular_momentum_start_(MomentumOf(problem.system, start).angular.z) {
  for (const LibraryMeasure& measure : problem.library_measures)
    results_.push_back({measure.name, std::nullopt});
  if (!multipliers_.values.empty()) results_.push_back({"mescd of the multipliers", std::nullopt});
}

std::optional<double> LibraryMeasures::Value(const LibraryMeasure& measure, double time,
                                             const std::vector<BodyState>& bodies) const {
  using Formula = LibraryMeasure::Formula;
  if (measure.formula == Formula::kAngularMomentumZ)
    return std::abs(MomentumOf(problem_.system, bodies).angular.z - angular_momentum_start_) /
           std::abs(angular_momentum_start_);
  const bool are_digits = measure.formula == Formula::kSignificantDigits;
  if (are_digits ? std::abs(time - measure.time) > kSameLibraryTime * problem_.end_time
                 : reference_ == nullptr)
    return {};
  double largest = 0;
  for (std::size_t j = 0; j < measure.observables.size(); ++j) {
    const Observable& observable =
        problem_.observables[static_cast<std::size_t>(measure.observables[j])];
    const std::optional<double> truth =
        are_digits ? measure.values[j] : ValueIn(*reference_, observable, time);
    if (!truth) return {};
    const double difference =
        std::abs(Difference(observable, Evaluate(observable, bodies), *truth));
    largest = std::max(largest, are_digits ? difference / (1 + std::abs(*truth)) : difference);
  }
  return are_digits ? -std::log10(std::max(largest, kLeastError)) : largest;
}

std::optional<double> LibraryMeasures::DigitsOfMultipliers(
    double time, const std::vector<BodyState>& bodies,
    const std::vector<JointReaction>& reactions) const {
  if (reference_ == nullptr || reactions.empty() ||
      std::abs(time - multipliers_.values.back().time) > kSameLibraryTime * problem_.end_time)
    return {};
  double largest = 0;
  for (const Multiplier& one : multipliers_.quantities) {
    const JointReaction& reaction = reactions[static_cast<std::size_t>(one.number)];
    const std::optional<double> truth = ValueIn(*reference_, one, time),
                                ours = ValueOf(one, bodies, reaction.force, reaction.unique);
    if (!truth || !ours) return {};
    largest = Worse(largest, std::abs(*ours - *truth) / (1 + std::abs(*truth)));
  }
  return -std::log10(std::max(largest, kLeastError));
}

void LibraryMeasures::Add(double time, const std::vector<BodyState>& bodies,
                          const std::vector<JointReaction>& reactions) {
  const std::size_t own = problem_.library_measures.size();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const std::optional<double> value = i < own ? Value(problem_.library_measures[i], time, bodies)
                                                : DigitsOfMultipliers(time, bodies, reactions);
    // Significant digits are taken once, all others are the largest over the samples.
    if (value) results_[i].value = std::max(results_[i].value.value_or(*value), *value);
  }
}

}  // namespace mbsbench
