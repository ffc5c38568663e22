// A sparse matrix factorised in the blocks of its unknowns (SparsityPattern::blocks).
//
// Blocks are eliminated one after the other. With A_kk the pivot of block k,
//
//   X_kj = A_kk^-1 A_kj,     A_ij -= A_ik X_kj                                                               (1)
//
// for all i, j coupled with k. With the inverse of A_kk, of at most 16 unknowns, all further operations are products. Rows are
// exchanged only within a block, so the fill-in depends on the blocks alone, even if a diagonal entry vanishes. A block may be
// eliminated once its pivots keep their digits: bodies at once, the multipliers of a joint after one of its bodies. Among these
// the block with the fewest couplings is next (minimum degree), and the first of equals.
//
// Order and pivots are chosen for one matrix. If a pivot has changed, the residual of a solution is checked; if it is large,
// order and pivots are chosen anew.
//
// methods/numerics/block_elimination.h says why symmetric equations of motion have an elimination of their own.
//
// KLU in the order of the pattern (klu_analyze_given) takes 0.8 to 4 times the time of the blocks: too much for the only way.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

class BlockLu {
 public:
  static constexpr int kMostUnknowns = 16;  // of a block

  // Null if the pattern has no blocks, or one that is too large.
  static std::unique_ptr<BlockLu> Make(const SparsityPattern& pattern);

  // False if no order with few couplings keeps the pivots above round-off, or if a solution by these factors has a large
  // residual. `values` are parallel to the pattern's rows and have to stay valid until the next call.
  bool Factorise(std::span<const double> values);
  // Overwrites b by the solution.
  void Solve(std::span<double> b);
  // Numbers in the factors, after a successful Factorise.
  std::size_t size() const { return size_; }

 private:
  struct Coupling {
    int block, size;
    std::size_t right, below;  // where the rows of A_kj, then X_kj, begin, and the columns of A_jk
  };
  struct Step {
    int block, first, size;  // `first` unknown
    std::size_t pivot;       // where the columns of A_kk, then of its inverse, begin
    int first_coupling, last_coupling, first_target;
  };

  // A_ij: by rows if block i is eliminated first, else by columns.
  struct Target {
    std::size_t rows;
    bool is_transposed;
  };

  explicit BlockLu(const SparsityPattern& pattern);
  bool Plan(std::span<const double> values);
  void ReserveStorage(std::span<const int> order, const std::vector<std::vector<int>>& coupled);
  bool Repeat(std::span<const double> values);
  // Whether a solution satisfies the equations row by row.
  bool Solves(std::span<const double> values);

  const SparsityPattern& pattern_;
  std::vector<int> block_of_;  // per unknown
  std::vector<int> begin_;     // of each block, and the end
  bool is_planned_ = false;
  int plans_ = 0, factorisations_ = 0;

  std::vector<std::array<std::uint8_t, kMostUnknowns>> pivot_row_;  // per block: k-th pivot's row
  std::vector<int> equation_of_;  // the same for all unknowns: equations are in the order of pivots
  std::vector<Step> steps_;
  std::vector<Coupling> couplings_;
  std::vector<Target> targets_;     // for each i and j that a step couples
  std::vector<std::size_t> place_;  // of each entry
  std::vector<double> storage_;
  double* rows_ = nullptr;  // in storage_, at the start of a vector register's line
  std::size_t size_ = 0;
  std::vector<double> pivots_, seen_;  // now, and when a solution was last checked
  std::vector<double> x_;              // kMostUnknowns places per block
  std::vector<double> solution_, left_, size_of_row_;
};

}  // namespace mbsbench
