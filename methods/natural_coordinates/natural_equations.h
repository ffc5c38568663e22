// One step of `ali3p` as printed, on any scalar: (1) to (5) of augmented_lagrangian.h in their order, on trees without drivers and
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

  // From y = [q | q' | q'' | lambda], in whose q the rows are scaled, to `end`, over h, by a given number of iterations; `solve(A, b)`
  // returns z of A z = b.
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
    Dense matrix;  // of (5)
    for (int i = 0; i < iterations; ++i) {
      place();
      if (i > 0) update();
      Unknowns right = Unknowns::Zero(n + m);
      right.head(n) =
          s / mass * gravity - model_.template TimesMass<Real>(x - known) / mass;  // (2)
      matrix = Dense::Zero(n + m, n + m);
      model_.ForMasses([&](int row, int column, double M) {
        matrix.template block<3, 3>(3 * row, 3 * column).diagonal().array() += Real(M) / mass;
      });
      for (Eigen::Index k = 0; k < m; ++k) {
        Row(k).Pull(At(k), nu[k], right);
        right[n + k] = -At(k).value;
        AddRow(k, nu_n[k], matrix);
      }
      x += solve(matrix, right).head(n);  // (3)
    }
    place();
    update();
    a = (x - known) / s;
    const auto project = [&](Unknowns& of_q, auto violation) {  // (4)
      const Unknowns before = of_q;
      Unknowns right = Unknowns::Zero(n + m);
      for (int pass = 0; pass < passes_; ++pass) {
        for (Eigen::Index k = 0; k < m; ++k) right[n + k] -= violation(k);
        of_q = before + solve(matrix, right).head(n);
      }
    };
    project(v, [&](Eigen::Index k) { return Row(k).Along(At(k), v) + At(k).by_time; });
    EvaluateRows(q_n + x, v);
    project(a, [&](Eigen::Index k) { return Row(k).Along(At(k), a) + At(k).bias; });
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
  void AddRow(Eigen::Index k, const Real& pull, Dense& matrix) const {
    const auto unknowns = Row(k).unknowns();
    const Eigen::Index row = matrix.rows() - AsIndex(at_.size()) + k;
    matrix(row, row) = Real(-1) / weight_;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      matrix.template block<3, 1>(3 * unknowns[i], row) = At(k).gradient[i];
      matrix.template block<1, 3>(row, 3 * unknowns[i]) = At(k).gradient[i].transpose();
      for (std::size_t j = 0; j < unknowns.size(); ++j)
        matrix.template block<3, 3>(3 * unknowns[i], 3 * unknowns[j]).diagonal().array() -=
            pull * Real(Row(k).Bend(i, j));
    }
  }

  const System& system_;
  const Real weight_;
  const int passes_;
  NaturalModel model_;
  std::vector<RowValues<Real>> at_;
};

}  // namespace mbsbench::natural
