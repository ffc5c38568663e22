#include "harness/metrics/error_budget.h"

#include <algorithm>
#include <cmath>
#include <valarray>

#include "methods/kinematics/hermite.h"
#include "problems/model/error.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

// The difference of two solutions, six numbers per sample and judged body: (r - r')/L, and the rotation vector from one attitude
// to the other.
using Vector = std::valarray<double>;

double NormOf(const Vector& v) {
  double norm = 0;
  for (std::size_t i = 0; i < v.size(); i += 3)
    norm = Worse(norm, Norm(Vector3{v[i], v[i + 1], v[i + 2]}));
  return norm;
}

// The judged bodies at the samples that the reference covers.
class Judged {
 public:
  Judged(const Problem& problem, const Reference& reference, const std::vector<double>& times)
      : problem_(problem), bodies_(reference.bodies), truth_(times.size()) {
    for (std::size_t k = 0; k < times.size(); ++k) {
      for (const ReferenceSample& sample : reference.samples) {
        if (std::abs(sample.time - times[k]) > 1e-12 * std::max(1.0, times[k])) continue;
        samples_.push_back(k);
        truth_[k].resize(problem.system.bodies.size());
        for (std::size_t i = 0; i < bodies_.size(); ++i)
          truth_[k][static_cast<std::size_t>(bodies_[i])] = sample.bodies[i];
      }
    }
  }
  const std::vector<std::size_t>& samples() const { return samples_; }
  const SampledStates& truth() const { return truth_; }

  // a - b
  Vector Difference(const SampledStates& a, const SampledStates& b) const {
    std::vector<double> all;
    for (const std::size_t k : samples_) {
      for (const int body : bodies_) {
        const auto i = static_cast<std::size_t>(body);
        const BodyState &to = a[k][i], &from = b[k][i];
        const Vector3 move = (1 / problem_.length) * (to.position - from.position);
        const Vector3 turn = problem_.system.bodies[i].is_point
                                 ? Vector3{}
                                 : RotationVectorOf(to.orientation * Conjugate(from.orientation));
        all.insert(all.end(), {move.x, move.y, move.z, turn.x, turn.y, turn.z});
      }
    }
    return Vector(all.data(), all.size());
  }

 private:
  const Problem& problem_;
  std::vector<int> bodies_;
  std::vector<std::size_t> samples_;
  SampledStates truth_;  // per time; only of the samples and the judged bodies
};

SampledStates Mean(const std::vector<SampledStates>& all) {
  const SampledStates& first = all[0];
  SampledStates mean = first;
  const double weight = 1 / static_cast<double>(all.size());
  for (std::size_t k = 0; k < mean.size(); ++k) {
    for (std::size_t b = 0; b < mean[k].size(); ++b) {
      // The mean of the differences, so that the mean of equal states is exactly that state.
      BodyState& m = mean[k][b];
      const BodyState& from = first[k][b];
      const Quaternion& q = from.orientation;
      for (const SampledStates& other : all) {
        const BodyState& s = other[k][b];
        const Quaternion& p = s.orientation;
        // Two quaternions of opposite sign describe the same attitude.
        const double sign = q.w * p.w + q.x * p.x + q.y * p.y + q.z * p.z < 0 ? -1 : 1;
        m.position = m.position + weight * (s.position - from.position);
        m.velocity = m.velocity + weight * (s.velocity - from.velocity);
        m.angular_velocity =
            m.angular_velocity + weight * (s.angular_velocity - from.angular_velocity);
        m.orientation.w += weight * (sign * p.w - q.w);
        m.orientation.x += weight * (sign * p.x - q.x);
        m.orientation.y += weight * (sign * p.y - q.y);
        m.orientation.z += weight * (sign * p.z - q.z);
      }
      m.orientation = Normalised(m.orientation);
    }
  }
  return mean;
}

// Shares of the parts, the largest first.
void SetParts(std::vector<BudgetPartRecord> parts, BudgetRecord& budget) {
  std::ranges::stable_sort(parts, std::greater<>(), &BudgetPartRecord::norm);
  double sum = 0;
  for (const BudgetPartRecord& part : parts) sum += part.norm;
  for (BudgetPartRecord& part : parts) part.share = sum > 0 ? part.norm / sum : 0;
  budget.parts = std::move(parts);
}

// `refinement`: by which the error is expected to fall in each finer run.
bool IsAsymptotic(const BudgetRecord& budget, double refinement) {
  const double part = budget.NormOf("discretisation");
  const MaybeNumber &estimate = budget.discretisation_estimate, &fall = budget.observed_refinement;
  return (!fall || *fall >= std::sqrt(refinement)) && estimate && *estimate >= part / 2 &&
         *estimate <= 2 * part;
}

}  // namespace

BudgetRecord SplitError(
    const Problem& problem, const Reference& reference, const BudgetRuns& runs,
    const std::function<std::vector<BodyState>(double, const std::vector<BodyState>&)>& project) {
  const Judged judged(problem, reference, runs.times);
  if (judged.samples().empty())
    throw ModelError("the reference covers none of the samples: there is no error to split.");
  const auto projected = [&](SampledStates states) {
    for (std::size_t k : judged.samples()) states[k] = project(runs.times[k], states[k]);
    return states;
  };
  BudgetRecord budget;
  const Vector total = judged.Difference(runs.solution, judged.truth());
  budget.error = NormOf(total);
  std::vector<SampledStates> middles;
  for (const auto& [one, other] : runs.pairs) middles.push_back(Mean({one, other}));
  const SampledStates without_round_off = middles.empty() ? runs.solution : Mean(middles);
  const SampledStates& converged = runs.converged ? *runs.converged : without_round_off;
  const SampledStates closed = projected(converged);
  const Vector round_off = judged.Difference(runs.solution, without_round_off),
               iteration = judged.Difference(without_round_off, converged),
               constraint = judged.Difference(converged, closed),
               discretisation = judged.Difference(closed, judged.truth());
  budget.remainder = NormOf(round_off + iteration + constraint + discretisation - total);
  // Each run is a random sample of round-off: the estimate is the largest distance from the mean, wherever y lies. The mean of
  // two runs scatters less by a factor of sqrt(2).
  double farthest = NormOf(round_off);
  for (const SampledStates& middle : middles)
    farthest = Worse(farthest, M_SQRT2 * NormOf(judged.Difference(middle, without_round_off)));
  SetParts({{.part = "round-off", .norm = farthest, .estimated = true},
            {.part = "iteration",
             .norm = runs.converged ? NormOf(iteration) : 0,
             .estimated = runs.converged.has_value()},
            {.part = "constraint", .norm = NormOf(constraint)},
            {.part = "discretisation", .norm = NormOf(discretisation)}},
           budget);
  if (runs.finer.empty()) return budget;
  const SampledStates half = projected(runs.finer[0]);
  const double first = NormOf(judged.Difference(closed, half));
  budget.discretisation_estimate = first * runs.refinement / (runs.refinement - 1);
  if (runs.finer.size() > 1) {
    const double second = NormOf(judged.Difference(half, projected(runs.finer[1])));
    if (second > 0) budget.observed_refinement = first / second;
  }
  budget.asymptotic = IsAsymptotic(budget, runs.refinement);
  return budget;
}

}  // namespace mbsbench
