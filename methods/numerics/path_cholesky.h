// Cholesky factors of a matrix whose sparsity is that of a tree: entry (k, i) can be nonzero only
// where one degree of freedom lies on the path of the other.
//
//   A = L' L,  L lower triangular, eliminated from the tips to the root                    (1)
//
// In this order there is no fill-in: row k of L has its entries on the path of k, as row k of A has
// (Featherstone 2005, "Efficient factorization of the joint-space inertia matrix for branched
// kinematic trees"). The path of an ancestor i is the beginning of the path of k, so with rows
// stored by path position the elimination, for i on the path of k and j on the path of i,
//
//   L_kk = sqrt(A_kk)        L_ki = A_ki / L_kk        A_ij -= L_ki L_kj                   (2)
//
// runs over contiguous numbers without indices. Rows of a path without branchings are taken
// together in panels of up to kPanelRows, so that (2) is a product of small dense blocks: on a
// chain of n it costs n^3 / 6 multiply-adds at nearly the speed of a dense factorisation.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "methods/thresholds/thresholds.h"

namespace mbsbench {

template <typename T>
class PathCholesky {
 public:
  // `parent`: per row the previous row on its path, or -1; parents precede their children. `triples`: first rows of
  // triples of consecutive rows on a path whose axes are arbitrary, as for a ball joint. The rows of a triple are
  // judged together.
  explicit PathCholesky(std::span<const int> parent, std::span<const int> triples = {}) {
    const std::size_t n = parent.size();
    std::vector<int> children(n, 0);
    for (int p : parent) {
      if (p >= 0) ++children[At(p)];
    }
    position_.resize(n);
    panel_of_row_.resize(n);
    inverse_pivot_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      const int row = static_cast<int>(k), p = parent[k];
      position_[k] = p < 0 ? 0 : position_[At(p)] + 1;
      const bool continues =
          p >= 0 && p == row - 1 && children[At(p)] == 1 && panels_.back().rows < kPanelRows;
      if (!continues)
        panels_.push_back({row, 0, position_[k], 0, p < 0 ? -1 : panel_of_row_[At(p)], 0});
      ++panels_.back().rows;
      panel_of_row_[k] = static_cast<int>(panels_.size()) - 1;
    }
    std::size_t size = 0;
    for (Panel& panel : panels_) {
      // Columns are rounded up so that all blocks are complete.
      panel.stride = (panel.start + panel.rows + kBlockColumns - 1) / kBlockColumns * kBlockColumns;
      panel.begin = size;
      size += At(panel.rows) * At(panel.stride);
    }
    entries_.assign(size, T(0));
    for (int first : triples) {
      const std::size_t column = At(position_[At(first)]);
      triples_.push_back({first, BeginOf(first + 1) + column, BeginOf(first + 2) + column});
    }
  }

  std::size_t size() const { return position_.size(); }
  // Number of rows before row k on its path: the index of its diagonal in Row(k).
  int position(int k) const { return position_[At(k)]; }

  // Entries of row k by path position, 0 to position(k): of A before, of L after Factorise.
  T* Row(int k) { return entries_.data() + BeginOf(k); }
  const T* Row(int k) const { return entries_.data() + BeginOf(k); }
  // 1 / L_kk.
  const T& inverse_pivot(int k) const { return inverse_pivot_[At(k)]; }

  // Turns A into L. Returns -1, or the first row (from the tips) whose pivot is lost in rounding: not above
  // Thresholds::no_remainder of scale[k], the size of the numbers from which the row was formed: a pivot is the inertia that
  // remains about a degree of freedom when those on its tip side are free. For a triple the smallest
  // eigenvalue of the 3 x 3 pivot takes the place of the pivot.
  int Factorise(const T* scale) {
    // Blocks extend past the diagonal; zeros there prevent old numbers from growing.
    for (const Panel& panel : panels_) {
      for (int r = 0; r < panel.rows; ++r) {
        T* row = RowOf(panel, r);
        std::fill(row + panel.start + r + 1, row + panel.stride, T(0));
      }
    }
    const int failed = FactorisePanels(scale);
    // A singular triple makes the rows towards the root invalid. The triple is reported, not those
    // rows.
    for (auto triple = triples_.rbegin(); triple != triples_.rend(); ++triple) {
      if (triple->first < failed) break;
      if (!IsRegular(*triple, scale[triple->first])) return triple->first;
    }
    return failed;
  }

  // x becomes the solution of L' L x = x.
  void Solve(T* x) const {
    SolveTransposed(x);
    SolveLower(x);
  }

  // x becomes the solution of L' x = x.
  void SolveTransposed(T* x) const {
    for (std::size_t p = panels_.size(); p-- > 0;) {
      const Panel& panel = panels_[p];
      for (int r = panel.rows - 1; r >= 0; --r) {
        const int k = panel.first + r;
        const T* row = Row(k);
        const T y = x[k] *= inverse_pivot_[At(k)];
        Subtract(x + panel.first, row + panel.start, r, y);
        for (int a = panel.parent; a >= 0; a = panels_[At(a)].parent) {
          const Panel& above = panels_[At(a)];
          Subtract(x + above.first, row + above.start, above.rows, y);
        }
      }
    }
  }

  // x becomes the solution of L x = x.
  void SolveLower(T* x) const {
    for (const Panel& panel : panels_) {
      for (int r = 0; r < panel.rows; ++r) {
        const int k = panel.first + r;
        const T* row = Row(k);
        T sum = x[k] - Dot(x + panel.first, row + panel.start, r);
        for (int a = panel.parent; a >= 0; a = panels_[At(a)].parent) {
          const Panel& above = panels_[At(a)];
          sum -= Dot(x + above.first, row + above.start, above.rows);
        }
        x[k] = sum * inverse_pivot_[At(k)];
      }
    }
  }

 private:
  // Among 8, 12, 16 and 32 this is the fastest for 30 to 300 rows, and within noise of the best for
  // 3,000.
  static constexpr int kPanelRows = 16;
  static constexpr int kBlockRows = 4;  // 4 x 8 sums fit in the registers of x86-64-v3
  static constexpr int kBlockColumns = 8;
  struct Panel {
    int first, rows, start, stride, parent;  // start: path position of its first row
    std::size_t begin;
  };

  struct Triple {
    int first;
    std::size_t second, third;  // first entries of the next two rows at the column of the first row
  };

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  std::size_t BeginOf(int k) const {
    const Panel& panel = panels_[At(panel_of_row_[At(k)])];
    return panel.begin + At(k - panel.first) * At(panel.stride);
  }

  T* RowOf(const Panel& panel, int r) {
    return entries_.data() + panel.begin + At(r) * At(panel.stride);
  }

  static void Subtract(T* __restrict to, const T* __restrict row, int n, T factor) {
    for (int i = 0; i < n; ++i) to[i] -= factor * row[i];
  }
  static T Dot(const T* a, const T* b, int n) {
    using Vector = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>;
    return n == 0 ? T(0) : Vector(a, n).dot(Vector(b, n));
  }

  // Whether the smallest eigenvalue of the pivot B'B of three rows is large enough, B their block of L. It is between 1/t
  // and 3/t, t the trace of the inverse: the sum of the squares in B^-1. Single pivots are not sufficient: without
  // inertia about a direction at the angle a from the first axis, the last pivot is the rounding error of the block,
  // divided by cos^2 a.
  bool IsRegular(const Triple& triple, const T& scale) const {
    const T* const inverse = inverse_pivot_.data() + triple.first;
    const T *second = entries_.data() + triple.second, *third = entries_.data() + triple.third;
    const T i1 = inverse[0], i2 = inverse[1], i3 = inverse[2];
    const T m21 = second[0] * i1 * i2, m32 = third[1] * i2 * i3;  // of B^-1, less their signs
    const T m31 = (third[0] * i1 - third[1] * m21) * i3;
    const T trace = i1 * i1 + i2 * i2 + i3 * i3 + m21 * m21 + m32 * m32 + m31 * m31;
    return T(kThresholds.no_remainder) * scale * trace < T(1);
  }

  int FactorisePanels(const T* scale) {
    for (std::size_t p = panels_.size(); p-- > 0;) {
      const int failed = FactorisePanel(panels_[p], scale);
      if (failed >= 0) return failed;
      for (int a = panels_[p].parent; a >= 0; a = panels_[At(a)].parent)
        Update(panels_[At(a)], panels_[p]);
    }
    return -1;
  }

  int FactorisePanel(const Panel& panel, const T* scale) {
    for (int r = panel.rows - 1; r >= 0; --r) {
      const int k = panel.first + r, place = panel.start + r;
      T* row = RowOf(panel, r);
      const T pivot = row[place];
      if (!(pivot > T(kThresholds.no_remainder) * scale[k])) return k;
      using std::sqrt;
      const T root = sqrt(pivot), inverse = T(1) / root;
      inverse_pivot_[At(k)] = inverse;
      row[place] = root;
      for (int i = 0; i < place; ++i) row[i] *= inverse;
      for (int s = 0; s < r; ++s)
        Subtract(RowOf(panel, s), row, panel.start + s + 1, row[panel.start + s]);
    }
    return -1;
  }

  // (2) for all rows i of panel `to` on the path of all rows k of panel `from`.
  void Update(const Panel& to, const Panel& from) {
    // Column strips that fit into the first-level cache for all rows of `to`.
    constexpr int kStrip = 64;
    for (int strip = 0; strip < to.stride; strip += kStrip) {
      const int strip_end = std::min(strip + kStrip, to.stride);
      int r = 0;
      for (; r + kBlockRows <= to.rows; r += kBlockRows)
        UpdateRows<kBlockRows>(to, from, r, strip, strip_end);
      switch (to.rows - r) {  // ball joints at branchings are panels of three rows
        case 3: UpdateRows<3>(to, from, r, strip, strip_end); break;
        case 2: UpdateRows<2>(to, from, r, strip, strip_end); break;
        case 1: UpdateRows<1>(to, from, r, strip, strip_end); break;
        default: break;
      }
    }
  }

  // Updates the columns of a strip in rows r to r + kRows - 1 of panel `to`.
  template <int kRows>
  void UpdateRows(const Panel& to, const Panel& from, int r, int strip, int strip_end) {
    const T* l = entries_.data() + from.begin;
    T* a = entries_.data() + to.begin + At(r) * At(to.stride);
    const int end = std::min(strip_end, to.start + r + kRows);
    for (int c = strip; c < end; c += kBlockColumns)
      UpdateBlock<kRows>(a + c, to.stride, l + to.start + r, l + c, from);
  }

  template <int kRows>
  static void UpdateBlock(T* a, int stride, const T* left, const T* right, const Panel& from) {
    using Columns = Eigen::Array<T, kBlockColumns, 1>;
    Columns sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r].setZero();
    for (int k = 0; k < from.rows; ++k) {
      const Eigen::Map<const Columns> columns(right);
      for (int r = 0; r < kRows; ++r) sum[r] += left[r] * columns;
      left += from.stride;
      right += from.stride;
    }
    for (int r = 0; r < kRows; ++r) Eigen::Map<Columns>(a + At(r) * At(stride)) -= sum[r];
  }

  std::vector<int> position_, panel_of_row_;
  std::vector<Triple> triples_;
  std::vector<Panel> panels_;
  std::vector<T> entries_;
  std::vector<T> inverse_pivot_;
};

}  // namespace mbsbench
