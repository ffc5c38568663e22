// By how much loops fail to close because their frames are stated with a limited number of digits.
//
// Rounded frames of a mechanism with redundant constraints, such as a planar linkage in axes that are not those of its plane,
// make its redundant rows independent by about the rounding. Closing all rows then moves the mechanism along its own freedom, to
// where the rounded frames happen to agree, or not at all. So loops are closed by what clearly moves them: by Newton's method along
// the singular values of the rows above a bound. What remains is the misfit.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct LoopMisfit {
  double size =
      0;  // the largest of a row: lengths relative to the arms around their loop, else [rad]
  const Joint* joint = nullptr;  // of that row
  bool is_round_off = true;      // all rows are open by round-off of positions and arms at most
};

// `length`: for loops without arms.
LoopMisfit LoopMisfitOf(const System& system, const JointState& joints, double length);

// Larger misfits are not taken for rounding of the frames unless the precision is stated.
inline constexpr double kMostRounding = 1e-6;

// Whether it is round-off or within the stated precision of the loops.
bool Closes(const System& system, const LoopMisfit& misfit);
// Throws ModelError with the misfit and the field that would accept it.
[[noreturn]] void RefuseMisfit(const System& system, const LoopMisfit& misfit);

// The least change of the rates `columns` (indices into JointState::u) that changes the loop rows by -residual as far as
// singular values above a bound allow it: 1e-6 of the largest, or a hundred times System::loop_precision.
std::vector<double> LeastClosingChange(const System& system, const JointState& joints,
                                       const std::vector<int>& columns,
                                       const std::vector<double>& residual, double length);
double LeastClosingValue(const System& system);

// Newton's method by such changes, from `joints` until a step is no longer smaller than the one before.
JointState ClosedUpToMisfit(const System& system, JointState joints,
                            const std::vector<int>& columns, double length);

// What the loops leave free at a position that closes them.
struct LoopFreedom {
  bool is_known = false;  // not computed if the loops are too many or move no joint
  int rates = 0;          // freedoms of joints on loops; drivers take theirs
  double least =
      1;  // remainder of the rows that count, of unit length, after the others (known_rank.h)
  // The precision of the loops with which the rows of the least remainders no longer count and the others clearly do; 0 if none is.
  double frees = 0;
};
LoopFreedom LoopFreedomOf(const System& system, const JointState& joints, double length);

// What the last digits of positions of the ground far from the origin decide about the freedom of loops whose precision is not
// stated.
struct FarLoops {
  const Joint* joint = nullptr;  // null: nothing
  double known_to = 0;           // its position, of the arms around its loop
  double precision = 0;          // with it they decide nothing
};
FarLoops FarLoopsOf(const System& system, const JointState& joints, double length);
// Throws ModelError with the precision if they decide anything.
void RefuseFarLoops(const System& system, const JointState& joints, double length);

// A misfit rounded up to two digits: the precision with which loops close.
double PrecisionFor(double misfit);

}  // namespace mbsbench
