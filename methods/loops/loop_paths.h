// The elements of a tree through which the constraint rows of loop joints pass: a plan for sweeps
// from the tips to the root that carry one column per row, only where it is not zero.
//
// A row acts on the two bodies of its joint. Its two columns start there (side 0: child, side 1:
// parent) and run towards the root; where their paths meet, side 1 is added to side 0. Rows of one
// joint are contiguous, and so are the rows of most joints that share a path: a stop stores them as
// runs, for loops over contiguous arrays.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

// A stop of a path from a body to the ground, tips first.
struct PathStop {
  int body;
  int parent;  // stop; -1 at the ground
};

struct RowRun {
  int begin, end;  // rows
  int side;
};

class LoopPaths {
 public:
  struct Stop {
    int element;
    int parent;                   // stop; -1 at the ground
    int first_merge, last_merge;  // runs of rows whose sides meet here
    int first_run, last_run;      // runs of rows that pass after the merge
  };

  // `parents`: per element, an element of smaller index; element 0 is the ground (its entry is
  // ignored). `child_elements`, `parent_elements`: per loop joint the elements on which it acts.
  LoopPaths(const System& system, std::span<const int> parents, std::span<const int> child_elements,
            std::span<const int> parent_elements);

  // The stop at which a loop joint acts on its child (side 0) or parent (1).
  int StopOf(int loop, int side) const {
    return stop_of_end_[static_cast<std::size_t>(2 * loop + side)];
  }
  // Tips first; the last is the ground.
  const std::vector<Stop>& stops() const { return stops_; }
  std::span<const RowRun> merges(const Stop& s) const {
    return Part(merges_, s.first_merge, s.last_merge);
  }
  std::span<const RowRun> runs(const Stop& s) const { return Part(runs_, s.first_run, s.last_run); }

 private:
  template <class Item>
  static std::span<const Item> Part(const std::vector<Item>& items, int first, int last) {
    return {items.data() + first, static_cast<std::size_t>(last - first)};
  }
  std::vector<Stop> stops_;
  std::vector<int> stop_of_end_;  // two per loop
  std::vector<RowRun> merges_, runs_;
};

// Approximate number of multiply-adds to carry `rows` columns along `paths` and to factorise their
// sum.
double WorkOfColumns(const LoopPaths& paths, int rows);

// matrix += sum over c of y_c z_c' over the rows of `runs` (ascending), lower triangle; row i of y_c
// stands at y[c * size + i]. The components are summed together, since the matrix causes most of the
// memory traffic.
template <int kComponents, class T>
void AddProducts(std::span<const RowRun> runs, const T* y, const T* z, int size, T* matrix) {
  for (std::size_t upper = 0; upper < runs.size(); ++upper) {
    for (int i = runs[upper].begin; i < runs[upper].end; ++i) {
      T* const __restrict row = matrix + static_cast<std::ptrdiff_t>(i) * size;
      T factor[kComponents];
      for (int c = 0; c < kComponents; ++c) factor[c] = y[c * size + i];
      for (std::size_t k = 0; k <= upper; ++k) {
        const int begin = runs[k].begin, end = k == upper ? i + 1 : runs[k].end;
        for (int j = begin; j < end; ++j) {
          T sum = row[j];
          for (int c = 0; c < kComponents; ++c) sum = sum + factor[c] * z[c * size + j];
          row[j] = sum;
        }
      }
    }
  }
}

}  // namespace mbsbench
