#include "methods/natural_coordinates/augmented_lagrangian.h"

#include <cmath>
#include <utility>

namespace mbsbench::natural {

namespace {

constexpr double kNext = 1e-3;  // the change of the next iteration, of the last one
// Changes fall by a factor f, which is steady if it changes by less than kSteady (1 - f), and slow if f/(1 - f) > kSlow.
constexpr double kSteady = 0.02, kSlow = 0.5;
constexpr int kMostIterations = 50;

}  // namespace

AugmentedLagrangian::AugmentedLagrangian(const System& system, double weight, int passes)
    : NaturalStepper(system),
      weight_(weight),
      passes_(passes),
      is_rounded_(system.loop_precision > 0),
      matrix_(model_, NaturalMatrix::PairsOf(elements()), {}, false) {}

Status AugmentedLagrangian::Start(double t, const SystemState& state, const StepControl& control) {
  pivots_ = Pivots::kNewOrder;
  return NaturalStepper::Start(t, state, control);
}

Status AugmentedLagrangian::MoveOn(double end) {
  Load(y_);
  const double h = end - time_, s = 0.25 * h * h;
  SetTime(end);
  const Vector q_begin = q_, rates_begin = rates_;
  const Vector known = h * rates_ + s * accelerations_;
  const Vector nu_begin = s / mean_mass_ * lambda_;
  Vector moved = h * rates_ + 2 * s * accelerations_, nu = nu_begin;
  const auto place = [&] {
    q_ = q_begin + moved;
    rates_ = 2 / h * moved - rates_begin;  // (1)
    EvaluateRows(q_, rates_);
  };
  const auto update = [&](double factor) {
    for (std::size_t k = 0; k < at_.size(); ++k)
      if (Counts(k)) nu[AsIndex(k)] -= factor * weight_ * at_[k].value;
  };
  bool has_converged = false;
  // The last change, the factor by which it fell, and that factor where it is steady.
  double before = 0, last_falls = 0, fell = 0;
  Vector residual;
  for (int i = 0; i < kMostIterations && !has_converged; ++i) {
    place();
    if (i > 0) update(1);
    if (const double more = fell / (1 - fell); more > kSlow) {  // (5)
      update(more);
      moved += more * residual;
      place();
      before = 0;
    }
    MoveBodies();
    dynamics_.EvaluateForces();
    ++counters_.evaluations;
    FindTangents();
    residual = s / mean_mass_ * ForcesOf(dynamics_.forces()) -
               model_.TimesMass<double>(moved - known) / mean_mass_;
    for (std::size_t k = 0; k < at_.size(); ++k) {
      if (!Counts(k)) continue;
      const double pull = nu[AsIndex(k)] - weight_ * at_[k].value;
      model_.rows()[k].Pull(at_[k], pull, residual);
    }
    if (const Status status = Factorise(h, nu_begin); !status.ok()) return status;
    matrix_.Solve(residual);
    moved += residual;
    ++counters_.newton_iterations;
    const double change = LargestOf(residual), falls = before > 0 ? change / before : 0;
    // Little is left to change: the next iteration would change nothing, or falls slowly within round-off.
    const double last = last_change_ * length_;
    has_converged = before > 0 && change <= last && (falls * change <= kNext * last || falls > 0.5);
    fell = falls < 1 && std::abs(falls - last_falls) <= kSteady * (1 - falls) ? falls : 0;
    last_falls = falls;
    before = change;
  }
  if (!has_converged)
    return {Status::Code::kNotConverged, -1, worst_, "the multipliers do not converge"};
  place();
  update(1);
  accelerations_ = of_step_ = (moved - known) / s;
  lambda_ = mean_mass_ / s * nu;
  Project(rates_, [this](std::size_t k) {
    return model_.rows()[k].Along(at_[k], rates_) + at_[k].by_time;
  });
  EvaluateRows(q_, rates_);
  Project(accelerations_, [this](std::size_t k) {
    return model_.rows()[k].Along(at_[k], accelerations_) + at_[k].bias;
  });
  ++counters_.projections;
  MoveBodies();
  return {};
}

Status AugmentedLagrangian::Factorise(double h, const Vector& nu) {
  ++counters_.jacobians;
  matrix_.Begin();
  matrix_.AddMass(1 / mean_mass_);
  AddForceDerivatives(elements(), dynamics_.time(), dynamics_.forces(), 0.5 * h / mean_mass_,
                      0.25 * h * h / mean_mass_, matrix_);
  for (std::size_t k = 0; k < at_.size(); ++k) {
    if (Counts(k)) matrix_.AddRow(k, weight_, -nu[AsIndex(k)], at_[k], nullptr);
  }
  ++counters_.factorisations;
  const int column = matrix_.Factorise(std::exchange(pivots_, Pivots::kKept));
  return column >= 0 ? SingularAt(column) : Status{};
}

template <class Violation>
void AugmentedLagrangian::Project(Vector& of_q, Violation violation) {
  const Vector before = of_q;
  Vector pull(multipliers_), change(coordinates_);
  for (Eigen::Index k = 0; k < multipliers_; ++k)
    pull[k] = weight_ * violation(static_cast<std::size_t>(k));
  for (int pass = 0; pass < passes_; ++pass) {
    change.setZero();
    for (std::size_t k = 0; k < at_.size(); ++k)
      if (Counts(k)) model_.rows()[k].Pull(at_[k], -pull[AsIndex(k)], change);
    matrix_.Solve(change);
    of_q = before + change;
    for (Eigen::Index k = 0; pass + 1 < passes_ && k < multipliers_; ++k)
      pull[k] += weight_ * violation(static_cast<std::size_t>(k));
  }
}

}  // namespace mbsbench::natural
