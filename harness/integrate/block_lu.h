// A sparse matrix factorised in the blocks that its unknowns form (SparsityPattern::blocks).
//
// Blocks leave one after the other. With A_kk the pivot of block k,
//
//   X_kj = A_kk^-1 A_kj,     A_ij -= A_ik X_kj                                                               (1)
//
// for all i, j that k is coupled with. The inverse of A_kk, of at most 16 unknowns, makes products of all that follows. Rows are exchanged within a block alone, so what fills in is what the blocks say, wherever a
// diagonal vanishes. A block may leave where its pivots keep their digits in what earlier blocks left of it: bodies at once, the
// multipliers of a joint behind one of its bodies. Of those the one with the fewest couplings is next (minimum degree), of equals the first.
//
// Order and pivots are those of one matrix. Where a pivot has moved, what a solution leaves of the equations is looked at; where that
// is much, order and pivots are sought anew.
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

  // None where the pattern has no blocks, or one that is too large.
  static std::unique_ptr<BlockLu> Make(const SparsityPattern& pattern);

  // False where no order of few couplings keeps the pivots apart from round-off, or a solution by these factors leaves much of the
  // equations. `values` run parallel to the pattern's rows and have to stay until the next call.
  bool Factorise(std::span<const double> values);
  // Overwrites b by the solution.
  void Solve(std::span<double> b);
  // Numbers that the factors take; after a successful Factorise.
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

  // A_ij: by rows where block i leaves first, else by columns.
  struct Target {
    std::size_t rows;
    bool is_transposed;
  };

  explicit BlockLu(const SparsityPattern& pattern);
  bool Plan(std::span<const double> values);
  void Lay(std::span<const int> order, const std::vector<std::vector<int>>& coupled);
  bool Repeat(std::span<const double> values);
  // Whether a solution fulfils the equations row by row.
  bool Solves(std::span<const double> values);

  const SparsityPattern& pattern_;
  std::vector<int> block_of_;  // per unknown
  std::vector<int> begin_;     // of each block, and the end
  bool is_planned_ = false;
  int plans_ = 0, factorisations_ = 0;

  std::vector<std::array<std::uint8_t, kMostUnknowns>> pivot_row_;  // per block: k-th pivot's row
  std::vector<int>
      equation_of_;  // the same for all unknowns: equations stand in the order of pivots
  std::vector<Step> steps_;
  std::vector<Coupling> couplings_;
  std::vector<Target> targets_;     // for each i and j that a step couples
  std::vector<std::size_t> place_;  // of each entry
  std::vector<double> storage_;
  double* rows_ = nullptr;  // in storage_, at the start of a vector register's line
  std::size_t size_ = 0;
  std::vector<double> pivots_, seen_;  // now, and where a solution was looked at
  std::vector<double> x_;              // kMostUnknowns places per block
  std::vector<double> solution_, left_, size_of_row_;
};

}  // namespace mbsbench
