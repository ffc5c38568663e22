#include "methods/classical_mstmm/deduction.h"

#include <algorithm>

#include "methods/transfer_elements/free_axes.h"

namespace mbsbench {

Deduction Deduce(const JointTree& tree, int dimension, bool hinges_as_matrices) {
  Deduction d;
  d.half = dimension == 2 ? 3 : 6;
  d.elements.resize(tree.elements.size());
  for (std::size_t k = tree.elements.size(); k-- > 0;) {
    const TreeElement& e = tree.elements[k];
    d.elements[k].free_axes = FreeAxisCount(e.type, dimension);
    if (e.parent == 0) continue;
    DeducedElement& outboard = d.elements[static_cast<std::size_t>(e.parent - 1)];
    d.elements[k].next_input = outboard.first_input;
    outboard.first_input = static_cast<int>(k);
  }
  // Columns from the tips to the root: a tip side lies contiguous, because a subtree does.
  int rows = 0;
  const auto take = [](int& cursor, int count) {
    cursor += count;
    return cursor - count;
  };
  for (std::size_t k = tree.elements.size(); k-- > 0;) {
    DeducedElement& e = d.elements[k];
    e.columns_begin = d.unknowns;
    if (e.first_input < 0) {
      ++d.tips;
      e.tip_column = take(d.unknowns, d.half);
    } else {
      for (int c = e.first_input; c >= 0; c = d.elements[static_cast<std::size_t>(c)].next_input) {
        DeducedElement& input = d.elements[static_cast<std::size_t>(c)];
        e.columns_begin = std::min(e.columns_begin, input.columns_begin);
        input.role = c == e.first_input ? HingeRole::kFirstInput : HingeRole::kFurtherInput;
      }
      DeducedElement& first = d.elements[static_cast<std::size_t>(e.first_input)];
      if (!hinges_as_matrices) first.hinge_column = take(d.unknowns, first.free_axes);
    }
    e.columns_end = d.unknowns;
    if (tree.elements[k].parent == 0) {
      ++d.roots;
      e.role = HingeRole::kRoot;
      e.hinge_column = take(d.unknowns, e.free_axes);
      e.wrench_column = take(d.unknowns, d.half - e.free_axes);
    }
  }
  // Rows in the order of the theorem.
  for (DeducedElement& e : d.elements) {
    if (e.role == HingeRole::kRoot) e.root_row = take(rows, 2 * d.half - e.free_axes);
  }
  for (DeducedElement& e : d.elements) {
    if (e.role != HingeRole::kFurtherInput) continue;
    ++d.further_inputs;
    e.geometric_row = take(rows, d.half - e.free_axes);
  }
  for (DeducedElement& e : d.elements) {
    const int used = hinges_as_matrices && e.first_input >= 0
                         ? d.elements[static_cast<std::size_t>(e.first_input)].free_axes
                         : 0;
    e.conditions = e.free_axes - used;
    e.condition_row = take(rows, e.conditions);
  }
  return d;
}

}  // namespace mbsbench
