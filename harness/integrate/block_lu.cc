#include "harness/integrate/block_lu.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace mbsbench {

namespace {

// Least size of a pivot relative to the sum of the sizes of all terms added to its entry.
constexpr double kLeftOfPivot = 1e-3;
// Least size of a pivot relative to the largest terms of its row.
constexpr double kAboveRoundOff = 1e-12;
// A pivot on the diagonal is kept above this part of the largest entry in its column, with scaled rows.
constexpr double kOnDiagonal = 0.1;
// Couplings per block beyond which a general factorisation is as good.
constexpr std::size_t kMostCouplings = 8;
// Largest residual of an equation relative to its terms.
constexpr double kSolved = 1e-9;

// Plans that may be made at first, and factorisations per further plan.
constexpr int kFirstPlans = 4, kPerPlan = 50;
// A solution is checked again if a pivot has changed by this factor since the last check.
constexpr double kMoved = 4;

constexpr int kMost = BlockLu::kMostUnknowns;
constexpr int kNarrow = 8;

std::size_t At(int i) { return static_cast<std::size_t>(i); }
int WidthOf(int size) { return size <= kNarrow ? kNarrow : kMost; }

using Matrix = Eigen::MatrixXd;

// A block while the order is chosen.
struct Waiting {
  Matrix diagonal, terms;  // `terms`: of each entry the sum of the absolute values of its terms
  struct Other {
    int block;
    Matrix right, below;
  };
  std::vector<Other> others;

  Other& With(int block, int size) {
    for (Other& other : others) {
      if (other.block == block) return other;
    }
    others.push_back(
        {block, Matrix::Zero(diagonal.rows(), size), Matrix::Zero(size, diagonal.rows())});
    return others.back();
  }
};

// Exchanges rows of copies; false if a pivot has lost its digits.
bool FindPivots(Matrix block, Matrix terms, std::array<std::uint8_t, kMost>& pivot_row) {
  const Eigen::Index n = block.rows();
  for (Eigen::Index i = 0; i < n; ++i) {
    pivot_row[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
    const double largest = terms.row(i).maxCoeff();
    if (!(largest > 0)) return false;
    block.row(i) /= largest;
    terms.row(i) /= largest;
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index best = 0;
    const double largest = block.col(k).tail(n - k).cwiseAbs().maxCoeff(&best);
    best += k;
    // The row of the same number, unless it is taken.
    for (Eigen::Index i = k; i < n; ++i) {
      if (pivot_row[static_cast<std::size_t>(i)] == k &&
          std::abs(block(i, k)) > kOnDiagonal * largest)
        best = i;
    }
    block.row(k).swap(block.row(best));
    terms.row(k).swap(terms.row(best));
    std::swap(pivot_row[static_cast<std::size_t>(k)], pivot_row[static_cast<std::size_t>(best)]);
    const double pivot = block(k, k);
    if (!(std::abs(pivot) > std::max(kLeftOfPivot * terms(k, k), kAboveRoundOff))) return false;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = block(i, k) / pivot;
      block.row(i).tail(n - k) -= factor * block.row(k).tail(n - k);
      terms.row(i).tail(n - k) += std::abs(factor) * block.row(k).tail(n - k).cwiseAbs();
    }
  }
  return true;
}

// From entry kMost - k on: a row of ones, 0 in column k.
constexpr auto kWithout = [] {
  std::array<double, 2 * kMost> row{};
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i == kMost ? 0 : 1;
  return row;
}();

// A row in one or two vector registers.
template <int width>
using Row = Eigen::Array<double, width, 1>;
template <int width>
using RowAt = Eigen::Map<Row<width>, Eigen::Aligned64>;
template <int width>
using ConstRowAt = Eigen::Map<const Row<width>, Eigen::Aligned64>;

// Several rows at once, which share the loads of x and are independent of each other.
template <int width, bool subtracts, int count>
void ProductOf(double* rows, const double* factors, int stride, const double* x, int terms) {
  std::array<Row<width>, count> sums;
  for (int i = 0; i < count; ++i) {
    if constexpr (subtracts)
      sums[At(i)] = ConstRowAt<width>(rows + width * i);
    else
      sums[At(i)].setZero();
  }
  for (int p = 0; p < terms; ++p) {
    const Row<width> row = ConstRowAt<width>(x + width * p);
    for (int i = 0; i < count; ++i) {
      if constexpr (subtracts)
        sums[At(i)] -= factors[stride * p + i] * row;
      else
        sums[At(i)] += factors[stride * p + i] * row;
    }
  }
  for (int i = 0; i < count; ++i) {
    RowAt<width> to(rows + width * i);
    to = sums[At(i)];
  }
}

// rows(i) = sum over p of factors(p, i) x(p), or rows(i) minus that sum; `stride` between rows of factors.
template <int width, bool subtracts>
void Product(double* rows, int count, const double* factors, int stride, const double* x,
             int terms) {
  constexpr int kAtOnce = 4;
  int i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce)
    ProductOf<width, subtracts, kAtOnce>(rows + width * i, factors + i, stride, x, terms);
  for (; i < count; ++i)
    ProductOf<width, subtracts, 1>(rows + width * i, factors + i, stride, x, terms);
}
template <bool subtracts>
void Product(int width, double* rows, int count, const double* factors, int stride, const double* x,
             int terms) {
  width == kNarrow ? Product<kNarrow, subtracts>(rows, count, factors, stride, x, terms)
                   : Product<kMost, subtracts>(rows, count, factors, stride, x, terms);
}

// to(i) -= dot product of row i and x.
template <int width>
void SubtractDots(double* to, const double* rows, const double* x, int count) {
  const Row<width> factors = ConstRowAt<width>(x);
  for (int i = 0; i < count; ++i) to[i] -= (ConstRowAt<width>(rows + width * i) * factors).sum();
}

// The first place that is aligned for vector registers.
double* Aligned(std::vector<double>& numbers) {
  const auto address = reinterpret_cast<std::uintptr_t>(numbers.data());
  return numbers.data() + (64 - address % 64) % 64 / sizeof(double);
}

// Replaces the rows of the transposed pivot block by those of its inverse (Gauss-Jordan), and stores the pivots. False if one
// vanishes.
template <int width>
bool Invert(double* rows, int size, double* pivots) {
  for (int k = 0; k < size; ++k) {
    RowAt<width> own(rows + width * k);
    const double pivot = own[k], inverse = 1 / pivot;
    pivots[k] = std::abs(pivot);
    if (!(std::abs(inverse) < INFINITY)) return false;
    const Eigen::Map<const Row<width>> without(kWithout.data() + kMost - k);
    const Row<width> scaled = inverse * (own * without) + inverse * (1 - without);
    for (int i = 0; i < size; ++i) {
      RowAt<width> other(rows + width * i);
      const double factor = other[k];
      if (i != k && factor != 0) other = other * without - factor * scaled;
    }
    own = scaled;
  }
  return true;
}

}  // namespace

std::unique_ptr<BlockLu> BlockLu::Make(const SparsityPattern& pattern) {
  if (pattern.blocks.empty()) return nullptr;
  std::unique_ptr<BlockLu> lu(new BlockLu(pattern));
  for (std::size_t k = 0; k + 1 < lu->begin_.size(); ++k) {
    if (lu->begin_[k + 1] - lu->begin_[k] > kMostUnknowns) return nullptr;
  }
  return lu;
}

BlockLu::BlockLu(const SparsityPattern& pattern) : pattern_(pattern), begin_(pattern.blocks) {
  const std::size_t n = pattern.column_start.size() - 1;
  begin_.push_back(static_cast<int>(n));
  for (std::size_t k = 0; k + 1 < begin_.size(); ++k)
    block_of_.insert(block_of_.end(), At(begin_[k + 1] - begin_[k]), static_cast<int>(k));
  solution_.resize(n);
  left_.resize(n);
  size_of_row_.resize(n);
}

bool BlockLu::Plan(std::span<const double> values) {
  const std::size_t blocks = begin_.size() - 1;
  const auto size_of = [this](int k) { return begin_[At(k + 1)] - begin_[At(k)]; };
  std::vector<Waiting> all(blocks);
  for (std::size_t k = 0; k < blocks; ++k)
    all[k].diagonal.setZero(size_of(static_cast<int>(k)), size_of(static_cast<int>(k)));
  for (std::size_t column = 0; column < block_of_.size(); ++column) {
    for (int e = pattern_.column_start[column]; e < pattern_.column_start[column + 1]; ++e) {
      const auto row = At(pattern_.row[At(e)]);
      const int i = block_of_[row], j = block_of_[column];
      const Eigen::Index own_row = static_cast<int>(row) - begin_[At(i)],
                         own_column = static_cast<int>(column) - begin_[At(j)];
      const double value = values[At(e)];
      if (i == j) {
        all[At(i)].diagonal(own_row, own_column) = value;
      } else {
        all[At(i)].With(j, size_of(j)).right(own_row, own_column) = value;
        all[At(j)].With(i, size_of(i)).below(own_row, own_column) = value;
      }
    }
  }
  for (Waiting& one : all) one.terms = one.diagonal.cwiseAbs();

  pivot_row_.assign(blocks, {});
  std::set<std::tuple<int, int>> next;
  std::vector<int> degree(blocks, -1);  // while listed
  const auto unlist = [&](int k) {
    if (degree[At(k)] >= 0) next.erase({degree[At(k)], k});
    degree[At(k)] = -1;
  };
  const auto list = [&](int k) {
    unlist(k);
    degree[At(k)] = static_cast<int>(all[At(k)].others.size());
    next.insert({degree[At(k)], k});
  };
  for (std::size_t k = 0; k < blocks; ++k) list(static_cast<int>(k));

  std::vector<int> order;
  std::vector<std::vector<int>> coupled(blocks);
  std::size_t couplings = 0;
  while (order.size() < blocks) {
    int k = -1;
    while (k < 0) {
      if (next.empty()) return false;
      const int candidate = std::get<1>(*next.begin());
      unlist(candidate);  // until another block is eliminated
      const Waiting& one = all[At(candidate)];
      if (FindPivots(one.diagonal, one.terms, pivot_row_[At(candidate)])) k = candidate;
    }
    Waiting& pivot = all[At(k)];
    order.push_back(k);
    couplings += pivot.others.size();
    if (couplings > kMostCouplings * blocks) return false;
    const Eigen::PartialPivLU<Matrix> diagonal(pivot.diagonal);
    for (Waiting::Other& other : pivot.others) {
      other.right = diagonal.solve(other.right).eval();
      coupled[At(k)].push_back(other.block);
    }
    for (const Waiting::Other& i : pivot.others) {
      Waiting& one = all[At(i.block)];
      std::erase_if(one.others, [k](const Waiting::Other& other) { return other.block == k; });
      one.diagonal.noalias() -= i.below * i.right;
      one.terms.noalias() += i.below.cwiseAbs() * i.right.cwiseAbs();
      for (const Waiting::Other& j : pivot.others) {
        if (i.block == j.block) continue;
        Waiting::Other& both = one.With(j.block, size_of(j.block));
        both.right.noalias() -= i.below * j.right;
        both.below.noalias() -= j.below * i.right;
      }
    }
    for (const int other : coupled[At(k)]) list(other);
    pivot.others.clear();
  }
  ReserveStorage(order, coupled);
  return true;
}

// Lays out the storage for the order.
void BlockLu::ReserveStorage(std::span<const int> order,
                             const std::vector<std::vector<int>>& coupled) {
  steps_.clear();
  couplings_.clear();
  targets_.clear();
  std::vector<int> when(order.size());
  for (std::size_t s = 0; s < order.size(); ++s) when[At(order[s])] = static_cast<int>(s);
  size_ = 0;
  const auto take = [this](int rows, int columns) {
    const std::size_t at = size_;
    size_ += At(rows * WidthOf(columns));
    return at;
  };
  for (const int k : order) {
    const int first = begin_[At(k)], size = begin_[At(k + 1)] - first;
    const int couplings = static_cast<int>(couplings_.size());
    steps_.push_back({k, first, size, take(size, size), couplings, couplings, 0});
    for (const int other : coupled[At(k)]) {
      const int columns = begin_[At(other + 1)] - begin_[At(other)];
      const std::size_t right = take(size, columns), below = take(size, columns);
      couplings_.push_back({other, columns, right, below});
    }
    steps_.back().last_coupling = static_cast<int>(couplings_.size());
  }
  const auto rows_of = [&](int i, int j) {  // of A_ij
    const bool i_first = when[At(i)] <= when[At(j)];
    const Step& step = steps_[At(when[At(i_first ? i : j)])];
    if (i == j) return step.pivot;
    for (int c = step.first_coupling;; ++c) {
      const Coupling& coupling = couplings_[At(c)];
      if (coupling.block == (i_first ? j : i)) return i_first ? coupling.right : coupling.below;
    }
  };
  for (Step& step : steps_) {
    step.first_target = static_cast<int>(targets_.size());
    for (int i = step.first_coupling; i < step.last_coupling; ++i) {
      for (int j = step.first_coupling; j < step.last_coupling; ++j) {
        const int one = couplings_[At(i)].block, other = couplings_[At(j)].block;
        targets_.push_back({rows_of(one, other), when[At(one)] >= when[At(other)]});
      }
    }
  }
  place_.clear();
  equation_of_.resize(block_of_.size());
  std::vector<int> number(block_of_.size());  // of an equation in its block
  for (std::size_t row = 0; row < block_of_.size(); ++row) {
    const int k = block_of_[row], own = static_cast<int>(row) - begin_[At(k)];
    equation_of_[row] = begin_[At(k)] + pivot_row_[At(k)][At(own)];
    number[At(equation_of_[row])] = own;
  }
  const auto width_of = [this](int k) { return WidthOf(begin_[At(k + 1)] - begin_[At(k)]); };
  for (std::size_t column = 0; column < block_of_.size(); ++column) {
    const int j = block_of_[column], own = static_cast<int>(column) - begin_[At(j)];
    for (int e = pattern_.column_start[column]; e < pattern_.column_start[column + 1]; ++e) {
      const int row = pattern_.row[At(e)], i = block_of_[At(row)];
      const bool is_transposed = when[At(i)] >= when[At(j)];
      place_.push_back(rows_of(i, j) + At(is_transposed ? own * width_of(i) + number[At(row)]
                                                        : number[At(row)] * width_of(j) + own));
    }
  }
  pivots_.assign(block_of_.size(), 0);
  seen_.assign(block_of_.size(), 0);
  x_.assign(At(kMost) * order.size() + kNarrow, 0);
  storage_.assign(size_ + kNarrow, 0);
  rows_ = Aligned(storage_);
}

bool BlockLu::Repeat(std::span<const double> values) {
  std::fill_n(rows_, size_, 0.0);
  for (std::size_t e = 0; e < place_.size(); ++e) rows_[place_[e]] = values[e];
  alignas(64) double given[kMost * kMost];
  for (const Step& step : steps_) {
    double* const inverse = rows_ + step.pivot;
    const int width = WidthOf(step.size);
    double* const pivots = pivots_.data() + step.first;
    if (!(width == kNarrow ? Invert<kNarrow>(inverse, step.size, pivots)
                           : Invert<kMost>(inverse, step.size, pivots)))
      return false;
    for (int c = step.first_coupling; c < step.last_coupling; ++c) {
      double* const right = rows_ + couplings_[At(c)].right;
      const int columns = WidthOf(couplings_[At(c)].size);
      std::copy_n(right, step.size * columns, given);
      Product<false>(columns, right, step.size, inverse, width, given, step.size);
    }
    const Target* target = targets_.data() + step.first_target;
    for (int i = step.first_coupling; i < step.last_coupling; ++i) {
      const Coupling& one = couplings_[At(i)];
      const double* const below = rows_ + one.below;
      for (int j = step.first_coupling; j < step.last_coupling; ++j, ++target) {
        const Coupling& other = couplings_[At(j)];
        const double* const right = rows_ + other.right;
        const int of_one = WidthOf(one.size), of_other = WidthOf(other.size);
        double* const to = rows_ + target->rows;
        if (target->is_transposed)
          Product<true>(of_one, to, other.size, right, of_other, below, step.size);
        else
          Product<true>(of_other, to, one.size, below, of_one, right, step.size);
      }
    }
  }
  return true;
}

bool BlockLu::Solves(std::span<const double> values) {
  for (std::size_t i = 0; i < solution_.size(); ++i) left_[i] = solution_[i] = 1;
  Solve(solution_);
  std::fill(size_of_row_.begin(), size_of_row_.end(), 0.0);
  for (std::size_t column = 0; column < block_of_.size(); ++column) {
    for (int e = pattern_.column_start[column]; e < pattern_.column_start[column + 1]; ++e) {
      const double term = values[At(e)] * solution_[column];
      left_[At(pattern_.row[At(e)])] -= term;
      size_of_row_[At(pattern_.row[At(e)])] += std::abs(term);
    }
  }
  for (std::size_t i = 0; i < left_.size(); ++i) {
    if (!(std::abs(left_[i]) <= kSolved * (1 + size_of_row_[i]))) return false;
  }
  return true;
}

bool BlockLu::Factorise(std::span<const double> values) {
  ++factorisations_;
  if (is_planned_ && Repeat(values)) {
    const bool have_moved = !std::equal(
        pivots_.begin(), pivots_.end(), seen_.begin(),
        [](double now, double before) { return now < kMoved * before && before < kMoved * now; });
    if (!have_moved) return true;
    seen_ = pivots_;
    if (Solves(values)) return true;
  }
  // A plan costs as much as many factorisations.
  if (++plans_ > kFirstPlans + factorisations_ / kPerPlan) return false;
  is_planned_ = Plan(values) && Repeat(values) && Solves(values);
  seen_ = pivots_;
  return is_planned_;
}

void BlockLu::Solve(std::span<double> b) {
  double* const x = Aligned(x_);
  for (std::size_t k = 0; k + 1 < begin_.size(); ++k) {
    for (int i = begin_[k]; i < begin_[k + 1]; ++i)
      x[kMost * k + At(i - begin_[k])] = b[At(equation_of_[At(i)])];
  }
  alignas(64) double given[kMost];
  for (const Step& step : steps_) {
    double* const own = x + kMost * step.block;
    std::copy_n(own, kMost, given);
    Product<false>(WidthOf(step.size), own, 1, given, 1, rows_ + step.pivot, step.size);
    for (int c = step.first_coupling; c < step.last_coupling; ++c) {
      const Coupling& other = couplings_[At(c)];
      Product<true>(WidthOf(other.size), x + kMost * other.block, 1, own, 1, rows_ + other.below,
                    step.size);
    }
  }
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    double* const own = x + kMost * step->block;
    for (int c = step->first_coupling; c < step->last_coupling; ++c) {
      const Coupling& other = couplings_[At(c)];
      const double* const right = rows_ + other.right;
      other.size <= kNarrow ? SubtractDots<kNarrow>(own, right, x + kMost * other.block, step->size)
                            : SubtractDots<kMost>(own, right, x + kMost * other.block, step->size);
    }
    std::copy_n(own, step->size, b.data() + step->first);
  }
}

}  // namespace mbsbench
