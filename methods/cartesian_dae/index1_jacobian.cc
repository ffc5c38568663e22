#include "methods/cartesian_dae/index1_jacobian.h"

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "methods/cartesian_dae/dae_formulation.h"
#include "methods/coordinates/body_dynamics.h"
#include "methods/numerics/sparse_lu.h"
#include "problems/model/topology.h"

namespace mbsbench::cartesian {

using namespace absolute;

struct Index1Jacobian::Equations {
  explicit Equations(const System& system)
      : formulation(MakeDaeFormulation(system, DaeVariant::kBaumgarte, 0)),
        dae(static_cast<DaeFormulation&>(*formulation)),
        pattern(dae.pattern()),
        y(dae.state_size()),
        yp(y),
        solution(y),
        residual(y),
        by_state(pattern.row.size()),
        by_both(pattern.row.size()),
        lu(pattern.column_start, pattern.row) {
    // There the bodies are ordered from the tips to the root.
    const std::vector<int> order = TopologyOf(system).order;
    place.resize(kMotionSize * order.size());
    std::size_t at = 0;
    for (auto body = order.rbegin(); body != order.rend(); ++body) {
      while (dae.differential()[at] == 0) ++at;
      for (int i = 0; i < kMotionSize; ++i)
        place[static_cast<std::size_t>(kMotionSize * *body + i)] = at++;
    }
  }

  // A, factorised; values of algebraic columns are those of dF/dlambda.
  Status Factorise(double t) {
    std::fill(yp.begin(), yp.end(), 0.0);
    if (const Status s = dae.Jacobian(t, 0, y, yp, by_state); !s.ok()) return s;
    if (const Status s = dae.Jacobian(t, 1, y, yp, by_both); !s.ok()) return s;
    for (std::size_t column = 0; column < y.size(); ++column) {
      if (dae.differential()[column] == 0) continue;
      const auto begin = static_cast<std::size_t>(pattern.column_start[column]),
                 end = static_cast<std::size_t>(pattern.column_start[column + 1]);
      for (std::size_t k = begin; k < end; ++k) by_both[k] -= by_state[k];
    }
    if (lu.Factorise(by_both, is_ordered ? Pivots::kKept : Pivots::kNewOrder) >= 0)
      return {Status::Code::kSingular, -1, -1, "the matrix of accelerations is singular"};
    is_ordered = true;
    return {};
  }

  std::unique_ptr<Formulation> formulation;
  DaeFormulation& dae;
  SparsityPattern pattern;
  std::vector<std::size_t> place;  // of an entry of y of `index1`
  std::vector<double> y, yp, solution, residual, by_state, by_both;
  SparseLu lu;
  bool is_ordered = false;
};

Index1Jacobian::Index1Jacobian(const System& system)
    : equations_(std::make_unique<Equations>(system)) {}
Index1Jacobian::~Index1Jacobian() = default;

Status Index1Jacobian::Start(double t, const SystemState& state) {
  Equations& e = *equations_;
  return e.dae.InitialiseDae(t, state, e.y, e.yp);
}

Status Index1Jacobian::Evaluate(double t, std::span<const double> y, std::span<double> values) {
  Equations& e = *equations_;
  const std::size_t n = y.size();
  std::fill(e.y.begin(), e.y.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) e.y[e.place[i]] = y[i];
  for (std::size_t q = kQuaternion; q < n; q += kMotionSize)
    Eigen::Map<Eigen::Vector4d>(&e.y[e.place[q]]).normalize();
  if (const Status s = e.Factorise(t); !s.ok()) return s;
  // A (y'; lambda) = -F(y, 0, 0) of (1),
  if (const Status s = e.dae.Residual(t, e.y, e.yp, e.residual); !s.ok()) return s;
  std::transform(e.residual.begin(), e.residual.end(), e.solution.begin(), std::negate<>());
  e.lu.Solve(e.solution);
  for (std::size_t i = 0; i < e.y.size(); ++i)
    (e.dae.differential()[i] != 0 ? e.yp : e.y)[i] = e.solution[i];
  // and A (dy'/dy; dlambda/dy) = -dF/dy, a column at a time
  if (const Status s = e.dae.Jacobian(t, 0, e.y, e.yp, e.by_state); !s.ok()) return s;
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(e.solution.begin(), e.solution.end(), 0.0);
    const std::size_t column = e.place[j];
    for (int k = e.pattern.column_start[column]; k < e.pattern.column_start[column + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      e.solution[static_cast<std::size_t>(e.pattern.row[entry])] = -e.by_state[entry];
    }
    e.lu.Solve(e.solution);
    for (std::size_t i = 0; i < n; ++i) values[i + n * j] = e.solution[e.place[i]];
  }
  // by q: by n = q / |q| times (1 - n n') / |q|
  const auto rows = static_cast<Eigen::Index>(n);
  for (std::size_t q = kQuaternion; q < n; q += kMotionSize) {
    const Eigen::Map<const Eigen::Vector4d> quaternion(&y[q]);
    const double length = quaternion.norm();
    const Eigen::Vector4d direction = quaternion / length;
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 4>> columns(&values[n * q], rows, 4);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const Eigen::RowVector4d by_direction = columns.row(i);
      columns.row(i) =
          (by_direction - by_direction.dot(direction) * direction.transpose()) / length;
    }
  }
  return {};
}

}  // namespace mbsbench::cartesian
