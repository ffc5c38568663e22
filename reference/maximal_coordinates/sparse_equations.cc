#include "reference/maximal_coordinates/sparse_equations.h"

#include <Eigen/SparseLU>

namespace mbsbench::extended {

struct SparseEquations::Factors {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu;
};

SparseEquations::SparseEquations(const SystemData& system, const std::vector<Mat3>& inertias,
                                 const std::vector<JointRows>& joints,
                                 const std::vector<JointRows>& loop_joints)
    : factors_(std::make_unique<Factors>()) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto put = [&entries](std::size_t row, std::size_t column, Real value) {
    if (!IsZero(value))
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column),
                           static_cast<double>(value));
  };
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    for (std::size_t i = 0; i < 3; ++i) {
      put(6 * b + i, 6 * b + i, system.bodies[b].mass);
      for (std::size_t k = 0; k < 3; ++k)
        put(6 * b + 3 + i, 6 * b + 3 + k, inertias[b].m[3 * i + k]);
    }
  }
  std::size_t row = 6 * system.bodies.size();
  const auto append = [&](const std::vector<JointData>& data, const std::vector<JointRows>& all) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      rows_.push_back(all[j].count);
      for (std::size_t i = 0; i < all[j].count; ++i, ++row) {
        const auto side = [&](int body, const Vec6& g) {
          if (body == kGround) return;
          for (std::size_t k = 0; k < 6; ++k) {
            const std::size_t at = 6 * static_cast<std::size_t>(body) + k;
            put(row, at, g[k]);
            put(at, row, g[k]);
          }
        };
        side(data[j].child, all[j].on_child[i]);
        side(data[j].parent, all[j].on_parent[i]);
      }
    }
  };
  append(system.joints, joints);
  append(system.loop_joints, loop_joints);
  factors_->matrix.resize(static_cast<int>(row), static_cast<int>(row));
  factors_->matrix.setFromTriplets(entries.begin(), entries.end());
}

SparseEquations::~SparseEquations() = default;

bool SparseEquations::Factorise() {
  factors_->lu.compute(factors_->matrix);
  return factors_->lu.info() == Eigen::Success;
}

void SparseEquations::Solve(std::vector<Vec6>& bodies, std::vector<Vec6>& joints,
                            std::vector<Vec6>& loop_joints) const {
  const auto each = [&](const auto& visit) {
    Eigen::Index at = 0;
    for (Vec6& body : bodies) {
      for (Real& x : body) visit(x, at++);
    }
    std::size_t joint = 0;
    for (std::vector<Vec6>* list : {&joints, &loop_joints}) {
      for (Vec6& multipliers : *list) {
        const std::size_t count = rows_[joint++];
        for (std::size_t i = 0; i < count; ++i) visit(multipliers[i], at++);
        for (std::size_t i = count; i < multipliers.size(); ++i) multipliers[i] = 0;
      }
    }
  };
  Eigen::VectorXd x(factors_->matrix.rows());
  each([&x](Real& value, Eigen::Index at) { x[at] = static_cast<double>(value); });
  x = factors_->lu.solve(x).eval();
  each([&x](Real& value, Eigen::Index at) { value = x[at]; });
}

}  // namespace mbsbench::extended
