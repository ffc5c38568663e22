#include "methods/natural_coordinates/energy_momentum.h"

#include <Eigen/QR>
#include <utility>

#include "methods/interface/thresholds.h"

namespace mbsbench::natural {

namespace {

constexpr double kNewtonConverged = 1e-12;  // last change relative to the system's length
constexpr int kMostNewtonSteps = 30;

NaturalMatrix::Forces ForcesIn(NaturalMatrix::Forces pairs, const DiscreteSprings& springs) {
  for (std::vector<int>& unknowns : springs.Unknowns()) pairs.push_back(std::move(unknowns));
  return pairs;
}

}  // namespace

EnergyMomentum::EnergyMomentum(const System& system, bool removes_multipliers)
    : NaturalStepper(system),
      removes_multipliers_(removes_multipliers),
      rest_(WithoutSprings(system)),
      rest_elements_(rest_),
      springs_(system, model_),
      matrix_(model_, ForcesIn(PairsOf(rest_elements_), springs_)),
      wrenches_(system.bodies.size()) {}

Status EnergyMomentum::Initialise(double t, const SystemState& state, std::span<double> y) {
  rest_elements_.Start(state.joints);
  springs_.Start(rest_, state.joints);
  return NaturalStepper::Initialise(t, state, y);
}

Status EnergyMomentum::Start(double t, const SystemState& state, const StepControl& control) {
  if (const Status status = NaturalStepper::Start(t, state, control); !status.ok()) return status;
  kept_.clear();
  for (std::size_t k = 0; k < at_.size(); ++k)
    if (!IsLeftOut(k, left_out_)) kept_.push_back(k);
  return {};
}

Status EnergyMomentum::MoveOn(double end) {
  if (counters_.steps == 0) matrix_.Restart();
  Load(y_);
  const double h = end - time_;
  q_begin_ = q_, rates_begin_ = rates_;
  Vector x = h * rates_ + 0.5 * h * h * accelerations_, change;
  nu_ = -h * h / (2 * mean_mass_) * lambda_;
  bool has_converged = false;
  for (int i = 0; i < kMostNewtonSteps && !has_converged; ++i) {
    Assemble(x, end);
    if (const Status status =
            removes_multipliers_ ? SolveInNullSpace(change) : SolveWithMultipliers(change);
        !status.ok())
      return status;
    x += change.head(coordinates_);
    if (!removes_multipliers_) nu_ += change.tail(multipliers_);
    ++counters_.newton_iterations;
    has_converged = LargestOf(change) <= kNewtonConverged * length_;
  }
  if (!has_converged)
    return {Status::Code::kNotConverged, -1, worst_, "Newton's method does not converge"};
  SetTime(end);
  q_ = q_begin_ + x;
  rates_ = 2 / h * x - rates_begin_;  // (1)
  accelerations_ = (rates_ - rates_begin_) / h;
  lambda_ = -2 * mean_mass_ / (h * h) * nu_;
  springs_.Advance(q_);
  MoveBodies();
  return {};
}

void EnergyMomentum::Assemble(const Vector& x, double end) {
  const double h = end - time_, middle = 0.5 * (time_ + end), s = h * h / (2 * mean_mass_);
  SetTime(middle);
  q_ = q_begin_ + 0.5 * x;
  rates_ = x / h;
  MoveBodies();
  EvaluateRows(q_, rates_);
  at_middle_ = at_;
  rest_elements_.Evaluate(middle, dynamics_.bodies(), wrenches_);
  ++counters_.evaluations;
  ++counters_.jacobians;
  matrix_.Begin();
  AddForceDerivatives(rest_elements_, middle, wrenches_, s / h, 0.5 * s, matrix_);
  residual_ = s * ForcesOf(wrenches_);
  residual_.head(coordinates_) -= model_.TimesMass<double>(x - h * rates_begin_) / mean_mass_;
  q_ = q_begin_ + x;
  springs_.Add(q_begin_, q_, h, s, rest_elements_.size(), residual_, matrix_);
  SetTime(end);
  EvaluateRows(q_, rates_);
}

Status EnergyMomentum::SolveWithMultipliers(Vector& change) {
  for (std::size_t k = 0; k < at_.size(); ++k) {
    if (IsLeftOut(k, left_out_)) {
      matrix_.LeaveOut(k);
      continue;
    }
    const auto place = AsIndex(k);
    matrix_.AddRow(k, 0.5 * nu_[place], 0, at_middle_[k], at_[k]);
    model_.rows()[k].Pull(at_middle_[k], -nu_[place], residual_);
    residual_[coordinates_ + place] = -at_[k].value;
  }
  ++counters_.factorisations;
  const Status status = StatusOf(matrix_.Factorise());
  change = residual_;
  if (status.ok()) matrix_.Solve(change);
  return status;
}

Eigen::MatrixXd EnergyMomentum::GradientsOf(const std::vector<RowValues<double>>& values) const {
  Eigen::MatrixXd gradients = Eigen::MatrixXd::Zero(coordinates_, AsIndex(kept_.size()));
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const std::vector<natural::Vector<double>>& of_row = values[kept_[k]].gradient;
    for (std::size_t i = 0; i < of_row.size(); ++i)
      gradients.col(AsIndex(k)).segment<3>(3 * model_.rows()[kept_[k]].unknowns()[i]) = of_row[i];
  }
  return gradients;
}

Status EnergyMomentum::SolveInNullSpace(Vector& change) {
  const auto rows = AsIndex(kept_.size()), free = coordinates_ - rows;
  change = residual_.head(coordinates_);
  if (coordinates_ == 0) return {};
  Eigen::MatrixXd kernel = Eigen::MatrixXd::Identity(coordinates_, coordinates_);  // P
  ++counters_.factorisations;
  if (rows > 0) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(GradientsOf(at_middle_));
    qr.setThreshold(kThresholds.no_pivot);
    if (qr.rank() < rows) {
      const auto dependent = static_cast<std::size_t>(qr.colsPermutation().indices()[qr.rank()]);
      return StatusOf(static_cast<int>(coordinates_) + static_cast<int>(kept_[dependent]));
    }
    kernel = (qr.householderQ() * kernel).eval().rightCols(free).eval();
    const Vector of_kept = qr.solve(change);
    for (std::size_t k = 0; k < kept_.size(); ++k) nu_[AsIndex(kept_[k])] = of_kept[AsIndex(k)];
  }
  for (const std::size_t k : kept_) matrix_.AddRow(k, 0.5 * nu_[AsIndex(k)], 0, at_[k], at_[k]);
  Eigen::MatrixXd lines(coordinates_, coordinates_);
  lines.topRows(free) = kernel.transpose() * matrix_.OfUnknowns();
  lines.bottomRows(rows) = GradientsOf(at_).transpose();
  change.head(free) = (kernel.transpose() * change).eval();
  for (std::size_t k = 0; k < kept_.size(); ++k) change[free + AsIndex(k)] = -at_[kept_[k]].value;
  change = lines.partialPivLu().solve(change).eval();
  return {};
}

}  // namespace mbsbench::natural
