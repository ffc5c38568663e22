// The numbers that decide between a result and a refusal. A question that several methods ask has one number here, so that
// they give one verdict; every number is relative, so that units do not matter. A run records them (BuildRecord).
#pragma once

#include <array>
#include <utility>

namespace mbsbench {

struct Thresholds {
  // A joint has no inertia about its free axes: least part that the inertia about them may be of the inertia of which
  // it is computed (the trace about the joint, or all the mass if the joint slides). Three digits are left there; a
  // body of 1e-12 is solved.
  double no_inertia = 1e-13;
  // The joint-space inertia of a system is singular: least pivot of its Cholesky factors, of the composite inertia from
  // which the row was formed. That contains all bodies outboard as if rigid, so that pivots are smaller parts of it; a
  // difference of such numbers is right to 64 last places.
  double no_remainder = 0x1p-46;
  // A matrix is singular: least pivot, where rows are scaled to about 1. Redundant constraints leave 1e-16 to 1e-15.
  double no_pivot = 1e-13;
  // A hinge has no transfer matrix of its own in the variants of the papers: least singular value of what it inverts.
  // Their products lose more digits than other methods do.
  double no_hinge_matrix = 1e-10;
  // A mechanism is planar: largest part that leaves the plane. Positions in files have fewer digits than a double.
  double in_plane = 1e-12;
  // Constraints contradict each other: least acceleration that the ones take and the others forbid, of the largest one.
  // It is more than gaps at any tolerance cause.
  double contradiction = 1e-4;
  // A reaction is unique: largest change by redundant constraints, of the largest change of any. Gaps of a state from an
  // integration cause less.
  double unique_reaction = 1e-6;
  // A loop cannot be closed: largest gap that a projection may leave, of the size of its loop or in metres.
  double open_loop = 1e-9;

  constexpr std::array<std::pair<const char*, double>, 8> Named() const {
    return {{{"no_inertia", no_inertia},
             {"no_remainder", no_remainder},
             {"no_pivot", no_pivot},
             {"no_hinge_matrix", no_hinge_matrix},
             {"in_plane", in_plane},
             {"contradiction", contradiction},
             {"unique_reaction", unique_reaction},
             {"open_loop", open_loop}}};
  }
};

inline constexpr Thresholds kThresholds;

}  // namespace mbsbench
