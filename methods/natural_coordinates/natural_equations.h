// One step of `ali3p` as printed, on any scalar: (1) to (4) of augmented_lagrangian.h in their order, on trees without drivers and
// force elements, whose only force is m g. These equations serve to count operations and to measure round-off.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/natural_coordinates/natural_model.h"
#include "problems/model/eigen.h"
#include "problems/model/system.h"

namespace mbsbench::natural {

template <typename Real>
class NaturalEquations {
 public:
  using Unknowns = Column<Real>;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  NaturalEquations(const System& system, double weight, int passes)
      : system_(system), weight_(weight), passes_(passes), model_(system) {}

  // From y = [q | q' | q'' | lambda], in whose q the rows are scaled, to `end`, over h, by a given number of iterations; `solve(W, b)`
  // returns x of W x = b.
  template <class Solve>
  void Step(const Real& h, const Real* y, Real* end, int iterations, Solve solve) {
    const auto n = AsIndex(3 * model_.unknowns().size()), m = AsIndex(model_.rows().size());
    const Unknowns q_n = Eigen::Map<const Unknowns>(y, n),
                   v_n = Eigen::Map<const Unknowns>(y + n, n),
                   a_n = Eigen::Map<const Unknowns>(y + 2 * n, n);
    Column<double> scaled_at(n);
    for (Eigen::Index i = 0; i < n; ++i) scaled_at[i] = ToDouble(q_n[i]);
    model_.ScaleRows(scaled_at);
    at_.resize(model_.rows().size());

    const Real s = h * h / Real(4), mass(model_.mean_mass());
    const Unknowns known = h * v_n + s * a_n, gravity = Gravity();
    Unknowns x = h * v_n + Real(2) * s * a_n, v(n), a(n);
    const Unknowns nu_n = s / mass * Eigen::Map<const Unknowns>(y + 3 * n, m);
    Unknowns nu = nu_n;
    const auto place = [&] {
      v = Real(2) / h * x - v_n;  // (1)
      EvaluateRows(q_n + x, v);
    };
    const auto update = [&] {
      for (Eigen::Index k = 0; k < m; ++k) nu[k] -= weight_ * At(k).value;
    };
    Dense W;
    for (int i = 0; i < iterations; ++i) {
      place();
      if (i > 0) update();
      Unknowns residual =
          s / mass * gravity - model_.template TimesMass<Real>(x - known) / mass;  // (2)
      W = Dense::Zero(n, n);
      AddMass(mass, W);
      for (Eigen::Index k = 0; k < m; ++k) {
        const Real pull = nu[k] - weight_ * At(k).value;
        Row(k).Pull(At(k), pull, residual);
        AddRow(k, nu_n[k], W);
      }
      x += solve(W, residual);  // (3)
    }
    place();
    update();
    a = (x - known) / s;
    Project(
        W, v, [this, &v](Eigen::Index k) { return Row(k).Along(At(k), v) + At(k).by_time; }, solve);
    EvaluateRows(q_n + x, v);
    Project(
        W, a, [this, &a](Eigen::Index k) { return Row(k).Along(At(k), a) + At(k).bias; }, solve);
    Eigen::Map<Unknowns>(end, n) = q_n + x;
    Eigen::Map<Unknowns>(end + n, n) = v;
    Eigen::Map<Unknowns>(end + 2 * n, n) = a;
    Eigen::Map<Unknowns>(end + 3 * n, m) = mass / s * nu;
  }

 private:
  static double ToDouble(const Real& x) {
    if constexpr (requires { x.value; })
      return x.value;
    else
      return static_cast<double>(x);
  }
  const NaturalRow& Row(Eigen::Index k) const { return model_.rows()[static_cast<std::size_t>(k)]; }
  const RowValues<Real>& At(Eigen::Index k) const { return at_[static_cast<std::size_t>(k)]; }
  void EvaluateRows(const Unknowns& q, const Unknowns& rates) {
    for (std::size_t k = 0; k < at_.size(); ++k) model_.rows()[k].Evaluate(q, rates, at_[k]);
  }
  Unknowns Gravity() const {
    Unknowns force = Unknowns::Zero(AsIndex(3 * model_.unknowns().size()));
    for (std::size_t b = 0; b < model_.bodies(); ++b) {
      Eigen::Matrix<Real, 3, 4> on_frame = Eigen::Matrix<Real, 3, 4>::Zero();
      on_frame.col(0) =
          Real(system_.bodies[b].mass) * ToEigen(system_.gravity).template cast<Real>();
      model_.AddForce(b, on_frame, force);
    }
    return force;
  }
  void AddMass(const Real& mean_mass, Dense& W) const {
    for (std::size_t b = 0; b < model_.bodies(); ++b) {
      const Basis& basis = model_.basis(b);
      for (std::size_t i = 0; i < kColumns; ++i)
        for (std::size_t j = 0; j < kColumns; ++j)
          if (basis.unknown[i] >= 0 && basis.unknown[j] >= 0)
            W.template block<3, 3>(3 * basis.unknown[i], 3 * basis.unknown[j]).diagonal().array() +=
                Real(basis.mass(AsIndex(i), AsIndex(j))) / mean_mass;
    }
  }
  // w Phi_q' Phi_q - pull Phi_qq
  void AddRow(Eigen::Index k, const Real& pull, Dense& W) const {
    const auto unknowns = Row(k).unknowns();
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      for (std::size_t j = 0; j < unknowns.size(); ++j) {
        auto block = W.template block<3, 3>(3 * unknowns[i], 3 * unknowns[j]);
        const Vector<Real> weighted = weight_ * At(k).gradient[i];
        block += weighted * At(k).gradient[j].transpose();
        block.diagonal().array() -= pull * Real(Row(k).Bend(i, j));
      }
    }
  }
  // (4)
  template <class Violation, class Solve>
  void Project(const Dense& W, Unknowns& of_q, Violation violation, Solve solve) const {
    const auto m = AsIndex(at_.size());
    const Unknowns before = of_q;
    Unknowns pull(m);
    for (Eigen::Index k = 0; k < m; ++k) pull[k] = weight_ * violation(k);
    for (int pass = 0; pass < passes_; ++pass) {
      Unknowns right = Unknowns::Zero(before.size());
      for (Eigen::Index k = 0; k < m; ++k) Row(k).Pull(At(k), Real(-pull[k]), right);
      of_q = before + solve(W, right);
      for (Eigen::Index k = 0; pass + 1 < passes_ && k < m; ++k) pull[k] += weight_ * violation(k);
    }
  }

  const System& system_;
  const Real weight_;
  const int passes_;
  NaturalModel model_;
  std::vector<RowValues<Real>> at_;
};

}  // namespace mbsbench::natural
