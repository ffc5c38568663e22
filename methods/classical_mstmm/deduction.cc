#include "methods/classical_mstmm/deduction.h"

#include <algorithm>

#include "methods/transfer_elements/free_axes.h"

namespace mbsbench {

namespace {

int ElementOf(int body, const JointTree& tree) {
  return body == kGround ? -1 : tree.element_of_body[static_cast<std::size_t>(body)];
}

}  // namespace

Deduction Deduce(const System& system, const JointTree& tree, int dimension,
                 bool hinges_as_matrices) {
  Deduction d;
  d.half = dimension == 2 ? 3 : 6;
  d.elements.resize(tree.elements.size());
  for (std::size_t k = tree.elements.size(); k-- > 0;) {
    const TreeElement& e = tree.elements[k];
    d.elements[k].free_axes = FreeAxisCount(e, dimension);
    if (e.parent == 0) continue;
    DeducedElement& outboard = d.elements[static_cast<std::size_t>(e.parent - 1)];
    d.elements[k].next_input = outboard.first_input;
    outboard.first_input = static_cast<int>(k);
  }
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    const Joint& joint = system.loop_joints[l];
    for (int side : {0, 1}) {
      CutBoundary cut;
      cut.loop = static_cast<int>(l);
      cut.side = side;
      cut.element = ElementOf(side == 0 ? joint.child : joint.parent, tree);
      cut.rows = ConstraintCount(joint.type);
      cut.first_row = d.cut_forces;
      if (cut.element >= 0) d.elements[static_cast<std::size_t>(cut.element)].cuts.push_back(cut);
    }
    d.cut_forces += ConstraintCount(joint.type);
  }
  // Columns from the tips to the root: a tip side lies contiguous, because a subtree does.
  const auto take_columns = [&d](int count) {
    for (int i = 0; i < count; ++i) d.place.push_back(d.unknowns++);
    d.columns += count;
    return d.columns - count;
  };
  for (std::size_t k = tree.elements.size(); k-- > 0;) {
    DeducedElement& e = d.elements[k];
    e.columns_begin = d.columns;
    if (e.first_input < 0) {
      ++d.tips;
      e.tip_column = take_columns(d.half);
    } else {
      for (int c = e.first_input; c >= 0; c = d.elements[static_cast<std::size_t>(c)].next_input) {
        DeducedElement& input = d.elements[static_cast<std::size_t>(c)];
        e.columns_begin = std::min(e.columns_begin, input.columns_begin);
        input.role = c == e.first_input ? HingeRole::kFirstInput : HingeRole::kFurtherInput;
      }
      DeducedElement& first = d.elements[static_cast<std::size_t>(e.first_input)];
      if (!hinges_as_matrices) first.hinge_column = take_columns(first.free_axes);
    }
    for (CutBoundary& cut : e.cuts) {
      cut.column = d.columns;
      for (int i = 0; i < cut.rows; ++i) d.place.push_back(-1 - (cut.first_row + i));
      d.columns += cut.rows;
    }
    e.columns_end = d.columns;
    if (tree.elements[k].parent == 0) {
      ++d.roots;
      e.role = HingeRole::kRoot;
      e.hinge_column = take_columns(e.free_axes);
      e.wrench_column = take_columns(d.half - e.free_axes);
    }
  }
  d.place.push_back(d.unknowns);  // where joints without unknowns begin at the end
  // Rows in the order of the theorem.
  int rows = 0;
  const auto take = [&rows](int count) {
    rows += count;
    return rows - count;
  };
  for (DeducedElement& e : d.elements) {
    if (e.role == HingeRole::kRoot) e.root_row = take(2 * d.half - e.free_axes);
  }
  for (DeducedElement& e : d.elements) {
    if (e.role != HingeRole::kFurtherInput) continue;
    ++d.further_inputs;
    e.geometric_row = take(d.half - e.free_axes);
  }
  for (DeducedElement& e : d.elements) {
    const int used = hinges_as_matrices && e.first_input >= 0
                         ? d.elements[static_cast<std::size_t>(e.first_input)].free_axes
                         : 0;
    e.conditions = e.free_axes - used;
    e.condition_row = take(e.conditions);
  }
  return d;
}

}  // namespace mbsbench
