#include "methods/index3_direct/hht.h"

#include <algorithm>
#include <cmath>

namespace mbsbench::direct {

Hht::Hht(const System& system, double alpha)
    : DirectStepper(system, false), constants_(alpha), a_n_(rates_) {}

// visit(entry of y, entry of the scheme's data)
template <class Visit>
void Hht::VisitData(Visit visit) {
  std::size_t at = motion_size();
  for (BodyVector& of_body : rates_)
    for (double& value : of_body) visit(at++, value);
  for (std::size_t k = 0; k < joints().size(); ++k)
    for (int i = 0; i < joints()[k].size(); ++i) visit(at++, lambda_[k][i]);
}

void Hht::Store(std::span<double> y) {
  dynamics_.Store(y);
  VisitData([y](std::size_t at, double value) { y[at] = value; });
}

// As published, a = V' at the start.
void Hht::TakeStart() {
  for (std::size_t b = 0; b < rates_.size(); ++b)
    rates_[b] << dynamics_.bodies()[b].acceleration, dynamics_.bodies()[b].angular_acceleration;
  lambda_ = dynamics_.lambda();
}

Status Hht::Begin(double) {
  TakeStart();
  Store(y_);
  return {};
}

Status Hht::Initialise(double t, const SystemState& state, std::span<double> y) {
  if (const Status status = AbsoluteStepper::Initialise(t, state, y); !status.ok()) return status;
  TakeStart();
  Store(y);
  return {};
}

Status Hht::MoveOn(double end) {
  dynamics_.Load(time_, y_);
  VisitData([this](std::size_t at, double& value) { value = y_[at]; });
  h_ = end - time_;
  begin_bodies_ = dynamics_.bodies();
  a_n_ = rates_;
  const auto& [alpha, beta, gamma] = constants_;
  dynamics_.EvaluateForces();
  ++counters_.evaluations;
  for (std::size_t b = 0; b < past_.size(); ++b) past_[b] = Force(b);
  AddJointForces(past_);
  for (BodyVector& force : past_) force *= -alpha / (1 + alpha);
  dynamics_.SetTime(end);
  if (const Status status = Solve({.m = 1 / (1 + alpha), .k = h_ * gamma, .s = h_ * h_ * beta});
      !status.ok())
    return status;
  std::vector<BodyVector>& off = past_;  // the local error
  for (std::size_t b = 0; b < off.size(); ++b)
    off[b] = h_ * h_ * constants_.ErrorFactor() * (rates_[b] - a_n_[b]);
  error() = Size(off);
  return {};
}

// (3) to (5).
Status Hht::Displace() {
  const auto& [alpha, beta, gamma] = constants_;
  for (std::size_t b = 0; b < rates_.size(); ++b) {
    const BodyMotion& from = begin_bodies_[b];
    BodyVector V;
    V << from.velocity, from.angular_velocity;
    const BodyVector D = h_ * V + h_ * h_ * ((0.5 - beta) * a_n_[b] + beta * rates_[b]);
    if (const Status status = MayTurn(D.tail<3>(), b); !status.ok()) return status;
    V += h_ * ((1 - gamma) * a_n_[b] + gamma * rates_[b]);
    Place(b, D);
    dynamics_.bodies()[b].velocity = V.head<3>();
    dynamics_.bodies()[b].angular_velocity = V.tail<3>();
    turns_[b] = RotationIncrement<>(D.tail<3>()).Tangent();
  }
  return {};
}

void Hht::TakeChange() {
  for (std::size_t b = 0; b < rates_.size(); ++b) rates_[b] += matrix_.Rates(b);
  for (std::size_t k = 0; k < joints().size(); ++k)
    for (int i = 0; i < joints()[k].size(); ++i) lambda_[k][i] += matrix_.Lambda(k, i);
}

double Hht::NextLength(double error, bool accepted) {
  constexpr double kSafety = 0.9;
  // Assumed: a step grows only if it pays for a new matrix.
  constexpr double kShortest = 0.2, kLongest = 2, kWorthIt = 1.25;
  const double factor = std::clamp(kSafety * std::cbrt(1 / error), kShortest, kLongest);
  if (!accepted) return std::min(factor, kSafety);
  return factor > 1 && factor < kWorthIt ? 1 : factor;
}

}  // namespace mbsbench::direct
