#include "methods/classical_mstmm/deduction.h"

#include <algorithm>

#include "methods/transfer_elements/free_axes.h"

namespace mbsbench {

Deduction Deduce(const System& system, const TransferTree<double>& tree, int dimension,
                 bool hinges_as_matrices) {
  Deduction d;
  d.half = dimension == 2 ? 3 : 6;
  d.elements.resize(tree.groups.size());
  for (std::size_t k = 1; k < tree.groups.size(); ++k)
    d.elements[k].free_axes = FreeAxisCount(tree.groups[k], dimension);
  // Supplement equations, C and D of (2) in overall_formulation.h: each cut joint makes two boundaries
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    const Joint& joint = system.loop_joints[l];
    for (int side : {0, 1}) {
      CutBoundary cut;
      cut.loop = static_cast<int>(l);
      cut.side = side;
      const int group = tree.GroupOf(side == 0 ? joint.child : joint.parent);
      cut.rows = ConstraintCount(joint.type);
      cut.first_row = d.cut_forces;
      if (group != 0) d.elements[static_cast<std::size_t>(group)].cuts.push_back(cut);
    }
    d.cut_forces += ConstraintCount(joint.type);
  }
  // Columns of T in z = T x + t, (1) there, from the tips to the root: a tip side is contiguous, because a subtree is
  const auto take_columns = [&d](int count) {
    for (int i = 0; i < count; ++i) d.place.push_back(d.unknowns++);
    d.columns += count;
    return d.columns - count;
  };
  for (std::size_t k = tree.groups.size() - 1; k > 0; --k) {
    DeducedElement& e = d.elements[k];
    e.columns_begin = d.columns;
    if (tree.IsTip(k)) {
      ++d.tips;
      e.tip_column = take_columns(d.half);  // z_b, while z_a = 0
    } else {
      DeducedElement& first = d.elements[static_cast<std::size_t>(tree.first_input[k])];
      tree.ForInputsFrom(tree.first_input[k], [&](std::size_t c) {
        DeducedElement& input = d.elements[c];
        e.columns_begin = std::min(e.columns_begin, input.columns_begin);
        input.role = &input == &first ? HingeRole::kFirstInput : HingeRole::kFurtherInput;
      });
      if (!hinges_as_matrices) first.hinge_column = take_columns(first.free_axes);
    }
    for (CutBoundary& cut : e.cuts) {
      cut.column = d.columns;
      for (int i = 0; i < cut.rows; ++i) d.place.push_back(-1 - (cut.first_row + i));
      d.columns += cut.rows;
    }
    e.columns_end = d.columns;
    if (tree.groups[k].parent == 0) {
      ++d.roots;
      e.role = HingeRole::kRoot;
      e.hinge_column = take_columns(e.free_axes);
      e.wrench_column = take_columns(d.half - e.free_axes);
    }
  }
  d.place.push_back(d.unknowns);  // first unknown of joints at the end that have none
  // Rows in the order of the theorem
  int rows = 0;
  const auto take = [&rows](int count) {
    rows += count;
    return rows - count;
  };
  // Main transfer equations (18)
  for (DeducedElement& e : d.elements) {
    if (e.role == HingeRole::kRoot) e.root_row = take(2 * d.half - e.free_axes);
  }
  // Geometric equations (14)
  for (DeducedElement& e : d.elements) {
    if (e.role != HingeRole::kFurtherInput) continue;
    ++d.further_inputs;
    e.geometric_row = take(d.half - e.free_axes);
  }
  // H'w = tau at the free axes (15), less what (10) to (13) use
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    DeducedElement& e = d.elements[k];
    const int used = hinges_as_matrices && !tree.IsTip(k)
                         ? d.elements[static_cast<std::size_t>(tree.first_input[k])].free_axes
                         : 0;
    e.conditions = e.free_axes - used;
    e.condition_row = take(e.conditions);
  }
  return d;
}

}  // namespace mbsbench
