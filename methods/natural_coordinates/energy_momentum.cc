#include "methods/natural_coordinates/energy_momentum.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>
#include <utility>

namespace mbsbench::natural {

namespace {

constexpr int kMostNewtonSteps = 30;

}  // namespace

EnergyMomentum::EnergyMomentum(const System& system, bool removes_multipliers)
    : NaturalStepper(system),
      removes_multipliers_(removes_multipliers),
      rest_(WithoutSprings(system)),
      rest_elements_(rest_),
      springs_(system, model_),
      matrix_(model_, NaturalMatrix::PairsOf(rest_elements_), springs_.Forms(),
              !removes_multipliers),
      wrenches_(system.bodies.size()) {}

Status EnergyMomentum::Initialise(double t, const SystemState& state, std::span<double> y) {
  rest_elements_.Start(state.joints);
  springs_.Start(rest_, state.joints);
  return NaturalStepper::Initialise(t, state, y);
}

Status EnergyMomentum::Start(double t, const SystemState& state, const StepControl& control) {
  pivots_ = Pivots::kNewOrder;
  if (const Status status = NaturalStepper::Start(t, state, control); !status.ok()) return status;
  kept_.clear();
  for (std::size_t k = 0; k < at_.size(); ++k)
    if (!IsLeftOut(k, left_out_)) kept_.push_back(k);
  return {};
}

Status EnergyMomentum::MoveOn(double end) {
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
    has_converged = LargestOf(change) <= last_change_ * length_;
  }
  if (!has_converged)
    return {Status::Code::kNotConverged, -1, worst_, "Newton's method does not converge"};
  SetTime(end);
  q_ = q_begin_ + x;
  rates_ = 2 / h * x - rates_begin_;  // (1)
  accelerations_ = of_step_ = (rates_ - rates_begin_) / h;
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
  FindTangents();
  EvaluateRows(q_, rates_);
  at_middle_ = at_;
  rest_elements_.Evaluate(middle, dynamics_.bodies(), wrenches_);
  ++counters_.evaluations;
  ++counters_.jacobians;
  matrix_.Begin();
  matrix_.AddMass(1 / mean_mass_);
  AddForceDerivatives(rest_elements_, middle, wrenches_, s / h, 0.5 * s, matrix_);
  residual_ = s * ForcesOf(wrenches_) - model_.TimesMass<double>(x - h * rates_begin_) / mean_mass_;
  q_ = q_begin_ + x;
  springs_.Add(q_begin_, q_, h, s, residual_, matrix_);
  SetTime(end);
  EvaluateRows(q_, rates_);
}

Status EnergyMomentum::SolveWithMultipliers(Vector& change) {
  change = Vector::Zero(coordinates_ + multipliers_);
  for (std::size_t k = 0; k < at_.size(); ++k) {
    const auto place = AsIndex(k);
    const bool is_left_out = IsLeftOut(k, left_out_);
    matrix_.AddRow(k, 0, 0.5 * nu_[place], at_middle_[k], is_left_out ? nullptr : &at_[k]);
    model_.rows()[k].Pull(at_middle_[k], -nu_[place], residual_);
    change[coordinates_ + place] = is_left_out ? -nu_[place] : -at_[k].value;
  }
  change.head(coordinates_) = residual_;
  ++counters_.factorisations;
  const int column = matrix_.Factorise(std::exchange(pivots_, Pivots::kKept));
  if (column >= 0) return SingularAt(column);
  matrix_.Solve(change);
  return {};
}

EnergyMomentum::Sparse EnergyMomentum::GradientsOf(
    const std::vector<RowValues<double>>& values) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const RowValues<double>& of_row = values[kept_[k]];
    for (std::size_t i = 0; i < of_row.gradient.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        entries.emplace_back(3 * model_.rows()[kept_[k]].unknowns()[i] + axis, static_cast<int>(k),
                             of_row.gradient[i][axis]);
  }
  Sparse gradients(coordinates_, AsIndex(kept_.size()));
  gradients.setFromTriplets(entries.begin(), entries.end());
  return gradients;
}

Status EnergyMomentum::SolveInNullSpace(Vector& change) {
  const auto rows = AsIndex(kept_.size()), free = coordinates_ - rows;
  change = Vector::Zero(coordinates_);
  if (coordinates_ == 0) return {};
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(coordinates_, coordinates_);  // Q
  ++counters_.factorisations;
  if (rows > 0) {
    const Eigen::SparseQR<Sparse, Eigen::COLAMDOrdering<int>> qr(GradientsOf(at_middle_));
    if (qr.rank() < rows) {
      const auto dependent = static_cast<std::size_t>(qr.colsPermutation().indices()[qr.rank()]);
      return SingularAt(static_cast<int>(coordinates_) + static_cast<int>(kept_[dependent]));
    }
    const Eigen::MatrixXd unit = basis;
    basis = qr.matrixQ() * unit;
    const Eigen::MatrixXd R = qr.matrixR().topLeftCorner(rows, rows);
    const Vector turned = basis.leftCols(rows).transpose() * residual_;
    const Vector solved = R.triangularView<Eigen::Upper>().solve(turned);
    const Vector of_kept = qr.colsPermutation() * solved;
    for (Eigen::Index k = 0; k < rows; ++k)
      nu_[AsIndex(kept_[static_cast<std::size_t>(k)])] = of_kept[k];
  }
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const std::size_t row = kept_[k];
    matrix_.AddRow(row, 0, 0.5 * nu_[AsIndex(row)], at_[row], nullptr);
    change[free + AsIndex(k)] = -at_[row].value;
  }
  const Eigen::MatrixXd kernel = basis.rightCols(free);  // P
  Eigen::MatrixXd lines(coordinates_, coordinates_);
  lines.topRows(free) = kernel.transpose() * matrix_.Values();
  lines.bottomRows(rows) = Eigen::MatrixXd(GradientsOf(at_)).transpose();
  change.head(free) = kernel.transpose() * residual_;
  change = lines.partialPivLu().solve(change).eval();
  return {};
}

}  // namespace mbsbench::natural
