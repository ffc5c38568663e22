#include "methods/loops/closure_system.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {

// A kept row is exchanged if another moves this many times as much (squared) beyond the rows before.
constexpr double kExchanged = 4;

std::size_t U(int i) { return static_cast<std::size_t>(i); }

// The diagonal of a row in its unit; 0 if it is immovable.
double Moved(const std::vector<double>& scaling, const std::vector<double>& units, int row) {
  const double s = scaling[U(row)];
  return s > 0 ? 1 / (s * s * units[U(row)]) : 0;
}

}  // namespace

ClosureSystem::ClosureSystem(int rows, const RowAccuracy& accuracy)
    : accuracy_(accuracy),
      size_(rows),
      right_side_(U(rows)),
      solution_(U(rows)),
      units_(U(rows), 1.0),
      scaling_(U(rows)),
      column_(U(rows)),
      reduced_(U(rows)),
      order_(U(rows)) {
  std::iota(order_.begin(), order_.end(), 0);
}

void ClosureSystem::ClearMatrix() { matrix_.assign(At(size_, 0), 0.0); }

void ClosureSystem::Reduce(double gap) {
  const double least = accuracy_.least_independent;
  const double row_error = std::clamp(kThresholds.row_error_per_gap * gap, least,
                                      std::max(kThresholds.worst_rows, least));
  const double vanishing = row_error * row_error;
  factor_.resize(matrix_.size());
  double largest = 0;
  for (int i = 0; i < size_; ++i) largest = std::max(largest, matrix_[At(i, i)] / units_[U(i)]);
  const double immovable = std::max(vanishing * largest, kThresholds.no_response);
  for (int i = 0; i < size_; ++i) {
    const double diagonal = matrix_[At(i, i)];
    // An immovable row keeps its units; its remainder counts as zero below.
    scaling_[U(i)] = diagonal > immovable * units_[U(i)] ? 1 / std::sqrt(diagonal) : 0;
    if (!accuracy_.is_rounded) order_[U(i)] = i;
  }
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j <= i; ++j) {
      Factor(i, j) = scaling_[U(i)] * scaling_[U(j)] * matrix_[At(i, j)];
    }
  }
  if (accuracy_.is_rounded) {  // in the order of the last time
    const std::vector<double> unordered = factor_;
    for (int i = 0; i < size_; ++i) {
      for (int j = 0; j <= i; ++j) {
        const auto [b, a] = std::minmax(order_[U(i)], order_[U(j)]);
        Factor(i, j) = unordered[At(a, b)];
      }
    }
  }
  // The rounding of a row is as large whether it moves much or little: the row that moves most is known best.
  const auto known = [this, vanishing](int i) {
    return Factor(i, i) > vanishing ? Factor(i, i) * Moved(scaling_, units_, order_[U(i)]) : 0;
  };
  for (rank_ = 0; rank_ < size_; ++rank_) {
    const int k = rank_;
    int p = k;
    if (accuracy_.is_rounded) {
      for (int i = k + 1; i < size_; ++i) {
        if (known(i) > known(p)) p = i;
      }
      if (known(p) <= kExchanged * known(k)) p = k;
    } else {
      for (int i = k + 1; i < size_; ++i) {
        if (Factor(i, i) > Factor(p, p)) p = i;
      }
    }
    if (!(Factor(p, p) > vanishing)) break;
    if (p != k) {  // exchanges rows and columns k and p of the lower triangle
      std::swap(order_[U(k)], order_[U(p)]);
      std::swap(Factor(k, k), Factor(p, p));
      for (int j = 0; j < k; ++j) std::swap(Factor(k, j), Factor(p, j));
      for (int i = k + 1; i < p; ++i) std::swap(Factor(i, k), Factor(p, i));
      for (int i = p + 1; i < size_; ++i) std::swap(Factor(i, k), Factor(i, p));
    }
    const double pivot = std::sqrt(Factor(k, k));
    Factor(k, k) = pivot;
    for (int i = k + 1; i < size_; ++i) column_[U(i)] = Factor(i, k) /= pivot;
    for (int i = k + 1; i < size_; ++i) {
      double* const row = factor_.data() + At(i, 0);
      const double l = column_[U(i)];
      for (int j = k + 1; j <= i; ++j) row[j] -= l * column_[U(j)];
    }
  }
}

// W = L2 L1^-1 in place of L2, and the Cholesky factor of I + W W'.
void ClosureSystem::ExpressDependentRows() {
  gram_.resize(matrix_.size());
  const int r = rank_;
  for (int i = r; i < size_; ++i) {
    for (int j = r - 1; j >= 0; --j) {
      double w = Factor(i, j);
      for (int k = j + 1; k < r; ++k) w -= Factor(i, k) * Factor(k, j);
      Factor(i, j) = w / Factor(j, j);
    }
  }
  for (int i = r; i < size_; ++i) {
    for (int j = r; j <= i; ++j) {
      double g = i == j ? 1 : 0;
      for (int k = 0; k < r; ++k) g += Factor(i, k) * Factor(j, k);
      for (int k = r; k < j; ++k) g -= gram_[At(i, k)] * gram_[At(j, k)];
      gram_[At(i, j)] = i == j ? std::sqrt(g) : g / gram_[At(j, j)];
    }
  }
}

void ClosureSystem::Factorise(double gap) {
  Reduce(gap);
  if (rank_ < size_) ExpressDependentRows();
}

// What the solution of the kept rows leaves of each other row. An immovable one that they move a little is no combination of them
// in W.
//
// Kept rows that are known to e and leave a remainder of s of the largest place the bodies to e / s and move them to e / s^2: the
// rows that they imply, by more than e, bend away by that.
int ClosureSystem::Contradiction(double scale) const {
  double largest = scale;
  for (double b : right_side_) largest = std::max(largest, std::abs(b));
  double most = 0;
  for (int j = 0; accuracy_.is_rounded && j < rank_; ++j)
    most = std::max(most, Moved(scaling_, units_, order_[U(j)]));
  const auto remainder = [this, most](int j) {
    return Factor(j, j) * Factor(j, j) * Moved(scaling_, units_, order_[U(j)]) / most;
  };
  for (int i = rank_; i < size_; ++i) {
    const int row = order_[U(i)];
    const double s = scaling_[U(row)];
    double left = right_side_[U(row)];
    double terms = 1;  // rows that are known to e imply this one to e times this
    double least = 1;
    for (int j = 0; j < rank_ && !(s > 0); ++j) {
      const auto [low, high] = std::minmax(row, order_[U(j)]);
      left -= matrix_[At(high, low)] * scaling_[U(order_[U(j)])] * reduced_[U(j)];
    }
    for (int j = 0; j < rank_ && s > 0; ++j) {
      const double w = Factor(i, j) * scaling_[U(order_[U(j)])] / s;
      left -= w * right_side_[U(order_[U(j)])];
      terms += std::abs(w);
      if (accuracy_.is_rounded && std::abs(Factor(i, j)) > accuracy_.least_independent)
        least = std::min(least, remainder(j));
    }
    const double known = terms * accuracy_.least_independent;
    const double known_to =
        accuracy_.is_rounded
            ? std::max(known, std::min(known / least, kThresholds.most_of_rounding))
            : 0;
    if (!(std::abs(left) <= std::max(kThresholds.contradiction, known_to) * largest)) return row;
  }
  return -1;
}

// z = (L1 L1')^-1 S b of the rows before rank_, in reduced_.
void ClosureSystem::SolveIndependentRows() {
  std::vector<double>& z = reduced_;
  for (int i = 0; i < rank_; ++i) {
    double b = scaling_[U(order_[U(i)])] * right_side_[U(order_[U(i)])];
    for (int j = 0; j < i; ++j) b -= Factor(i, j) * z[U(j)];
    z[U(i)] = b / Factor(i, i);
  }
  for (int i = rank_ - 1; i >= 0; --i) {
    z[U(i)] /= Factor(i, i);
    for (int j = 0; j < i; ++j) z[U(j)] -= Factor(i, j) * z[U(i)];
  }
}

std::vector<double> ClosureSystem::BasicSolution(std::vector<char>& is_independent) {
  SolveIndependentRows();
  std::vector<double> solution(U(size_));
  std::fill(is_independent.begin(), is_independent.end(), 0);
  for (int i = 0; i < rank_; ++i) {
    const std::size_t row = U(order_[U(i)]);
    solution[row] = scaling_[row] * reduced_[U(i)];
    is_independent[row] = 1;
  }
  return solution;
}

void ClosureSystem::Take(std::span<const double> solution) {
  std::copy(solution.begin(), solution.end(), solution_.begin());
  rank_ = size_;
}

int ClosureSystem::Solve(double scale) {
  const int r = rank_;
  std::vector<double>& z = reduced_;
  SolveIndependentRows();
  const int contradiction = r < size_ ? Contradiction(scale) : -1;
  // The smallest x with x1 + W' x2 = z:  x2 = (I + W W')^-1 W z,  x1 = z - W' x2.
  for (int i = r; i < size_; ++i) {
    double t = 0;
    for (int j = 0; j < r; ++j) t += Factor(i, j) * z[U(j)];
    for (int k = r; k < i; ++k) t -= gram_[At(i, k)] * z[U(k)];
    z[U(i)] = t / gram_[At(i, i)];
  }
  for (int i = size_ - 1; i >= r; --i) {
    z[U(i)] /= gram_[At(i, i)];
    for (int k = r; k < i; ++k) z[U(k)] -= gram_[At(i, k)] * z[U(i)];
  }
  for (int i = r; i < size_; ++i) {
    for (int j = 0; j < r; ++j) z[U(j)] -= Factor(i, j) * z[U(i)];
  }
  for (int i = 0; i < size_; ++i) {
    solution_[U(order_[U(i)])] = scaling_[U(order_[U(i)])] * z[U(i)];
  }
  return contradiction;
}

std::vector<double> ClosureSystem::NullVector(int k) const {
  std::vector<double> v(U(size_));
  const int i = rank_ + k, row = order_[U(i)];
  if (scaling_[U(row)] == 0) {
    v[U(row)] = 1;
    return v;
  }
  v[U(row)] = scaling_[U(row)];
  for (int j = 0; j < rank_; ++j) {
    v[U(order_[U(j)])] = -Factor(i, j) * scaling_[U(order_[U(j)])];
  }
  double largest = 0;
  for (double x : v) largest = std::max(largest, std::abs(x));
  for (double& x : v) x /= largest;
  return v;
}

}  // namespace mbsbench
