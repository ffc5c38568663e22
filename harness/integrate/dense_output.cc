#include "harness/integrate/dense_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace mbsbench {

namespace {

// Integrals from 0 to s of the Lagrange polynomials of the nodes, by four-point Gauss quadrature: exact to
// degree 7, the degree for eight nodes.
std::array<double, DenseOutput::kHighest> Integrals(double s, std::span<const double> nodes) {
  constexpr std::array kPoint{0.3399810435848563, 0.8611363115940526};
  constexpr std::array kWeight{0.6521451548625461, 0.3478548451374538};
  std::array<double, DenseOutput::kHighest> sums{};
  for (std::size_t g = 0; g < 4; ++g) {
    const double x = s / 2 * (1 + (g < 2 ? 1 : -1) * kPoint[g % 2]);
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      double l = s / 2 * kWeight[g % 2];
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (k != j) l *= (x - nodes[k]) / (nodes[j] - nodes[k]);
      }
      sums[j] += l;
    }
  }
  return sums;
}

}  // namespace

DenseOutput::DenseOutput(OdeFormulation& ode, int order)
    : ode_(ode), order_(std::clamp(order, kCubic, kHighest)) {
  const int inner = order_ == kCubic ? 0 : order_ - 3;
  for (int i = 1; i <= inner; ++i)
    nodes_.push_back((1 - std::cos(std::numbers::pi * i / (inner + 1))) / 2);
  rates_.resize(nodes_.size());
}

void DenseOutput::SetStep(double t0, std::span<const double> y0, double t1,
                          std::span<const double> y1) {
  t0_ = t0;
  h_ = t1 - t0;
  y0_.assign(y0.begin(), y0.end());
  y1_.assign(y1.begin(), y1.end());
  status_.reset();
}

Status DenseOutput::At(double t, std::span<double> y) {
  if (!status_) status_ = EvaluateRates();
  if (!status_->ok()) return *status_;
  Combine((t - t0_) / h_, nodes_, rates_, y);
  Projects* const projection = ode_.projection();
  return projection != nullptr ? projection->ProjectSample(t, y) : Status{};
}

Status DenseOutput::EvaluateInside(double t, std::span<double> y, std::span<double> rate) {
  const Status status = ode_.Evaluate(t, y, rate);
  const bool is_finite = std::ranges::all_of(y, [](double value) { return std::isfinite(value); });
  Projects* const projection = ode_.projection();
  if (status.ok() || !is_finite || projection == nullptr || !projection->ProjectSample(t, y).ok())
    return status;
  return ode_.Evaluate(t, y, rate);
}

Status DenseOutput::EvaluateRates() {
  stage_.resize(y0_.size());
  for (std::vector<double>& rate : rates_) rate.resize(y0_.size());
  if (Status s = ode_.Evaluate(t0_, y0_, rates_[0]); !s.ok()) return s;
  if (Status s = ode_.Evaluate(t0_ + h_, y1_, rates_[1]); !s.ok()) return s;
  // A pass evaluates all nodes at one interpolant before the next one uses them.
  std::vector<std::vector<double>> next = rates_;
  for (int order = kCubic; order < order_; ++order) {
    const std::size_t known = order == kCubic ? 2 : nodes_.size();
    for (std::size_t i = 2; i < nodes_.size(); ++i) {
      Combine(nodes_[i], std::span(nodes_).first(known), std::span(rates_).first(known), stage_);
      if (Status s = EvaluateInside(t0_ + nodes_[i] * h_, stage_, next[i]); !s.ok()) return s;
    }
    std::swap(rates_, next);
  }
  return {};
}

void DenseOutput::Combine(double s, std::span<const double> nodes,
                          std::span<const std::vector<double>> rates, std::span<double> y) const {
  const auto here = Integrals(s, nodes), whole = Integrals(1, nodes);
  const double w = s * s * (3 - 2 * s);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = y0_[i] + w * (y1_[i] - y0_[i]);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const double weight = h_ * (here[j] - w * whole[j]);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += weight * rates[j][i];
  }
}

}  // namespace mbsbench
