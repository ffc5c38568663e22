// The overall transfer equation of a tree, deduced from its topology.      Source: Rui et al. 2018,
// automatic deduction theorem
//
// The theorem counts
//   tip        a body without inputs: its free input end has z_a = 0 and unknown z_b
//   root       a joint on the ground: half of its state is unknown
//   main transfer equation        per root: state of the root = sum over the tips of products of
//                                 transfer matrices along the path from each
//   geometric equation            per non-first input of each body with several inputs
//   supplement equation           per loop: the joint that closes it is cut, and its two ends are new
//                                 boundaries with equal accelerations (along the joint's blocked
//                                 directions) and opposite forces
// Here one more row per free axis of a joint is counted: H'w = tau (free_axes.h). For ball hinges
// on further inputs they are the zero moments of eq. 15 of Rui et al. 2020. That paper omits some
// of them, and its overall equation is then singular (eq. 59 as printed has rank 7 of 9).
#pragma once

#include <vector>

#include "methods/transfer_elements/transfer_tree.h"

namespace mbsbench {

enum class HingeRole { kNone, kRoot, kFirstInput, kFurtherInput };

// One of the two new boundaries of a cut joint: a further input end of its body.
struct CutBoundary {
  int loop = 0;     // index into System::loop_joints
  int side = 0;     // 0: on the joint's child, 1: on its parent
  int column = -1;  // cut forces, one per constraint of the joint
  int rows = 0;     // of its supplement equation
  int first_row = 0;
};

// The deduced columns and rows of one body and of the joint at its output end. Columns are numbered
// in the order of the sweep; Deduction::place maps them to the overall transfer equation.
struct DeducedElement {
  HingeRole role = HingeRole::kNone;
  int free_axes = 0;
  // Unknowns on which the state at the output end depends: those of its tip side, contiguous.
  int columns_begin = 0, columns_end = 0;
  int tip_column = -1;                     // z_b of a free input end
  int hinge_column = -1;                   // udot of the joint; -1: not carried as unknowns
  int wrench_column = -1;                  // root: forces of the joint along its blocked directions
  int root_row = -1;                       // root: z_b, then the blocked part of w
  int geometric_row = -1;                  // non-first input: blocked part of z_b
  int condition_row = -1, conditions = 0;  // H'w = tau, unless a transfer matrix contains it
  std::vector<CutBoundary> cuts;           // new boundaries on this body
};

struct Deduction {
  std::vector<DeducedElement> elements;  // per group; unused for the ground
  int half = 0;                          // 3 in the plane, 6 in space
  int columns = 0;                       // of T in (1) of overall_formulation.h
  int unknowns = 0;                      // of the overall transfer equation without cut forces
  int cut_forces = 0;                    // also the number of rows of the supplement equations
  // Per column its unknown; for cut forces -1 - (row of the supplement equations), the same for
  // both ends, because their forces are opposite.
  std::vector<int> place;
  int tips = 0, roots = 0, further_inputs = 0;
};

// `dimension` 2 or 3. With `hinges_as_matrices` the joint on a first input has a transfer matrix
// (eqs 10 to 13 of Rui et al. 2020), which uses one condition at the body's output end per free
// axis; else its udot are unknowns.
Deduction Deduce(const System& system, const TransferTree<double>& tree, int dimension,
                 bool hinges_as_matrices);

}  // namespace mbsbench
