// The matrices of natural coordinates, of the unknowns and the multipliers of the rows:
//   [ M/m + K   Phi_q' ]     m: mean mass; K: of forces, and of rows that bend; Phi_q of the two may be at different q;
//   [ Phi_q     -S     ]     S: slack of each row, 0 or small
// A block is a body with its own columns, its rigidity and its joint; or a joint that closes a loop. On a tree the blocks of
// bodies are regular from the tips to the root and couple with few others, so that their factors (block_lu.h) take O(n). Where
// they are not, as with a body without mass in a loop, KLU factorises.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <memory>
#include <span>
#include <vector>

#include "methods/natural_coordinates/natural_model.h"
#include "methods/numerics/block_lu.h"
#include "methods/numerics/sparse_lu.h"
#include "methods/numerics/sparse_sum.h"

namespace mbsbench::natural {

inline constexpr int kOfBody = 12, kOfPair = 2 * kOfBody;  // coordinates
// The entries of one or two bodies, or of a row with, last, its multiplier.
using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kOfPair + 1,
                            kOfPair + 1>;

class NaturalMatrix {
 public:
  // `forces`: the unknowns, or -1, of blocks that are added besides those of bodies and rows. The model must outlive this object.
  using Forces = std::vector<std::vector<int>>;
  NaturalMatrix(const NaturalModel& model, const Forces& forces);
  NaturalMatrix(const NaturalMatrix&) = delete;  // parts refer to each other
  NaturalMatrix& operator=(const NaturalMatrix&) = delete;

  // M/m alone.
  void Begin() { values_ = mass_; }
  // Adds to K.
  void AddForce(std::size_t force, const Block& block) { Add(model_.bodies() + force, block); }
  // A row with bend Phi_qq in K, Phi_q' of `column` and Phi_q of `line`.
  void AddRow(std::size_t row, double bend, double slack, const RowValues<double>& column,
              const RowValues<double>& line);
  // The multiplier of the row becomes its right side.
  void LeaveOut(std::size_t row);

  // M/m + K.
  Eigen::MatrixXd OfUnknowns() const;
  // The next factorisation chooses order and pivots.
  void Restart() { pivots_ = Pivots::kNewOrder; }
  // Returns the unknown or, after these, the row whose pivot vanishes, or -1.
  int Factorise();
  // `right`: of the unknowns, then of the rows.
  void Solve(Column<double>& right);
  // Of one factorisation and one solution.
  OperationCount CountOperations();

 private:
  void Add(std::size_t part, const Block& block) { sum_.Add(part, block.data(), values_); }
  // Sorts unknowns and rows by blocks.
  void SetOrder();
  Eigen::Map<const Eigen::SparseMatrix<double>> InOrder() const;

  const NaturalModel& model_;
  const std::size_t rows_at_;  // the first part of a row
  Eigen::PermutationMatrix<Eigen::Dynamic> order_;
  SparseSum sum_;
  SparsityPattern pattern_;
  std::vector<double> mass_, values_;
  std::unique_ptr<BlockLu> blocks_;
  std::unique_ptr<SparseLu> lu_;
  bool by_blocks_ = false;
  Pivots pivots_ = Pivots::kNewOrder;
};

// weight Phi_q' Phi_q + bend Phi_qq.
Block StiffnessOf(const NaturalRow& row, const RowValues<double>& at, double weight, double bend);

}  // namespace mbsbench::natural
