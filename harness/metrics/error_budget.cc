#include "harness/metrics/error_budget.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "problems/model/error.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

// The difference of one body between two solutions: (r - r')/L, and the rotation from one attitude to the other.
struct BodyDifference {
  Vector3 position, rotation;
};
using Vector = std::vector<BodyDifference>;  // samples and judged bodies

Vector3 RotationVector(const Quaternion& from, const Quaternion& to) {
  const Quaternion d = to * Conjugate(from);
  const double s = std::hypot(d.x, d.y, d.z);
  if (s == 0) return {};
  const double angle = 2 * std::atan2(s, std::abs(d.w));
  return (std::copysign(angle, d.w) / s) * Vector3{d.x, d.y, d.z};
}

double NormOf(const Vector& v) {
  double norm = 0;
  for (const BodyDifference& d : v) norm = Worse(norm, Worse(Norm(d.position), Norm(d.rotation)));
  return norm;
}

Vector operator+(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i].position = a[i].position + b[i].position;
    a[i].rotation = a[i].rotation + b[i].rotation;
  }
  return a;
}

Vector operator-(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i].position = a[i].position - b[i].position;
    a[i].rotation = a[i].rotation - b[i].rotation;
  }
  return a;
}

// The judged bodies at the samples that the reference covers.
class Judged {
 public:
  Judged(const Problem& problem, const Reference& reference, const std::vector<double>& times)
      : problem_(problem), bodies_(reference.bodies) {
    for (std::size_t k = 0; k < times.size(); ++k) {
      for (const ReferenceSample& sample : reference.samples) {
        if (std::abs(sample.time - times[k]) > 1e-12 * std::max(1.0, times[k])) continue;
        samples_.push_back(k);
        truth_.push_back(sample.bodies);
      }
    }
  }
  const std::vector<std::size_t>& samples() const { return samples_; }

  // a - b
  Vector Difference(const SampledStates& a, const SampledStates& b) const {
    Vector v;
    for (std::size_t k : samples_) {
      for (int body : bodies_) v.push_back(Of(body, At(a[k], body), At(b[k], body)));
    }
    return v;
  }
  Vector Error(const SampledStates& a) const {
    Vector v;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      for (std::size_t i = 0; i < bodies_.size(); ++i)
        v.push_back(Of(bodies_[i], At(a[samples_[s]], bodies_[i]), truth_[s][i]));
    }
    return v;
  }

 private:
  static const BodyState& At(const std::vector<BodyState>& bodies, int body) {
    return bodies[static_cast<std::size_t>(body)];
  }
  BodyDifference Of(int body, const BodyState& a, const BodyState& b) const {
    BodyDifference d{(1 / problem_.length) * (a.position - b.position), {}};
    if (!problem_.system.bodies[static_cast<std::size_t>(body)].is_point)
      d.rotation = RotationVector(b.orientation, a.orientation);
    return d;
  }

  const Problem& problem_;
  std::vector<int> bodies_;
  std::vector<std::size_t> samples_;
  std::vector<std::vector<BodyState>> truth_;
};

// Two quaternions of opposite sign describe the same attitude.
double Sign(const Quaternion& a, const Quaternion& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
}

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
        const double sign = Sign(q, s.orientation);
        m.position = m.position + weight * (s.position - from.position);
        m.velocity = m.velocity + weight * (s.velocity - from.velocity);
        m.angular_velocity =
            m.angular_velocity + weight * (s.angular_velocity - from.angular_velocity);
        m.orientation.w += weight * (sign * s.orientation.w - q.w);
        m.orientation.x += weight * (sign * s.orientation.x - q.x);
        m.orientation.y += weight * (sign * s.orientation.y - q.y);
        m.orientation.z += weight * (sign * s.orientation.z - q.z);
      }
      m.orientation = Normalised(m.orientation);
    }
  }
  return mean;
}

}  // namespace

namespace {

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
  const Vector total = judged.Error(runs.solution);
  budget.error = NormOf(total);
  std::vector<SampledStates> middles;
  for (const auto& [one, other] : runs.pairs) middles.push_back(Mean({one, other}));
  const SampledStates without_round_off = middles.empty() ? runs.solution : Mean(middles);
  const SampledStates& converged = runs.converged ? *runs.converged : without_round_off;
  const SampledStates closed = projected(converged);
  const Vector round_off = judged.Difference(runs.solution, without_round_off),
               iteration = judged.Difference(without_round_off, converged),
               constraint = judged.Difference(converged, closed),
               discretisation = judged.Error(closed);
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
