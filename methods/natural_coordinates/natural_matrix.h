// The sparse matrices of natural coordinates: of the unknowns, or of the unknowns and the multipliers of the rows.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "methods/kinematics/absolute_forces.h"
#include "methods/natural_coordinates/natural_model.h"
#include "methods/numerics/sparse_lu.h"
#include "methods/numerics/sparse_sum.h"

namespace mbsbench::natural {

inline constexpr int kOfBody = 12, kOfPair = 2 * kOfBody;  // coordinates
using BodyBlock = Eigen::Matrix<double, kOfBody, kOfBody>;
using PairBlock = Eigen::Matrix<double, kOfPair, kOfPair>;
// The block of the unknowns of a row and, last, of its multiplier.
using RowBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kOfPair + 1,
                               kOfPair + 1>;

class NaturalMatrix {
 public:
  // `pairs`: the bodies of force elements that act through their poses; `forms`: the unknowns of others. The model must outlive this
  // object.
  using Pairs = std::vector<std::pair<int, int>>;
  using Forms = std::vector<std::vector<int>>;
  NaturalMatrix(const NaturalModel& model, const Pairs& pairs, const Forms& forms,
                bool has_multipliers);
  static Pairs PairsOf(const absolute::AbsoluteForces& elements);

  void Begin() { std::ranges::fill(values_, 0.0); }
  // M times a factor.
  void AddMass(double factor);
  void AddBody(std::size_t body, const BodyBlock& block);
  void AddPair(std::size_t pair, const PairBlock& block);
  void AddForm(std::size_t form, const RowBlock& block);
  // weight Phi_q' Phi_q + bend Phi_qq of a row and, with multipliers, Phi_q' of `column` and Phi_q of `line`; null: the row is left
  // out, and its multiplier is 0.
  void AddRow(std::size_t row, double weight, double bend, const RowValues<double>& column,
              const RowValues<double>* line);

  Eigen::Map<const Eigen::SparseMatrix<double>> Values() const;
  // Returns the column whose pivot vanishes, or -1.
  int Factorise(Pivots pivots);
  void Solve(Column<double>& right);
  OperationCount CountOperations() { return lu_ ? lu_->CountOperations() : OperationCount{}; }

 private:
  const NaturalModel& model_;
  bool has_multipliers_;
  std::size_t pairs_at_, forms_at_, rows_at_;  // first parts of these kinds
  SparseSum sum_;
  SparsityPattern pattern_;
  std::vector<double> values_;
  std::unique_ptr<SparseLu> lu_;  // null: there are no unknowns
};

}  // namespace mbsbench::natural
