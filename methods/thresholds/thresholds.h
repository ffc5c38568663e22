// The numbers that decide between a result and a refusal, and which rows of constraints count. A question that several
// methods ask has one number here, so that they give one verdict; every number is relative unless it says otherwise, so
// that units do not matter. A run records them (BuildRecord).
//
// Numbers that only choose between two ways to the same result, or at which an iteration meets round-off, stand beside
// their code. So do those that follow from an engine. The reference shares none of these.
#pragma once

#include <array>
#include <utility>

namespace mbsbench {

struct Thresholds {
  // Inertia.

  // A joint has no inertia about its free axes: least part that the inertia about them may be of the inertia of which
  // it is computed (the trace about the joint, or all the mass if the joint slides). Three digits are left there; a
  // body of 1e-12 is solved.
  double no_inertia = 1e-13;
  // The joint-space inertia of a system is singular: least pivot of its Cholesky factors, of the composite inertia from
  // which the row was formed. That contains all bodies outboard as if rigid, so that pivots are smaller parts of it; a
  // difference of such numbers is right to 64 last places.
  double no_remainder = 0x1p-46;
  // A body resists every motion, so that its own inertia may be inverted: least part that a moment of inertia may be of
  // the largest one, and in the reach of the body its inertia of its mass, and its mass of its inertia. Six digits are
  // lost there.
  double resists = 1e-6;
  // A second moment of a body vanishes: largest part of the largest one. They are data, right up to round-off.
  double no_moment = 1e-14;

  // Matrices.

  // A matrix is singular: least pivot, where rows are scaled to about 1. Redundant constraints leave 1e-16 to 1e-15.
  double no_pivot = 1e-13;
  // A hinge has no transfer matrix of its own in the variants of the papers: least singular value of what it inverts.
  // Their products lose more digits than other methods do.
  double no_hinge_matrix = 1e-10;

  // Places.

  // A mechanism is planar: largest part that leaves the plane. Positions in files have fewer digits than a double.
  double in_plane = 1e-12;
  // A planar motion has left its plane: largest turn [rad] and rate [rad/s] out of it. Differences that are taken for a
  // Jacobian stay below.
  double out_of_plane = 1e-6;
  // Two places on a body are one: largest distance, of the size of the body. More than products of frames leave.
  double same_place = 1e-14;
  // A body is flat, straight or a point: largest extent, of its largest. Products of frames leave less.
  double flat = 1e-9;
  // Primary particles do not determine the masses of a body: least extent, of their largest. The masses depend on its
  // square, so that half of their digits are left there.
  double nearly_flat = 1e-4;

  // Rows of constraints.

  // A row of a loop is independent: least remainder of a row of unit length after the others. The matrix of the
  // multipliers is quadratic in the rows, and squares keep half of the digits.
  double independent_row = 1e-7;
  // Error of the entries of rows of about unit length: 64 last places of a double, accumulated over frames (8 of them
  // are enough for the mechanisms of the tests, rotated and in any units).
  double known_entry = 0x1p-47;
  // The rank of the loops is known: least ratio of the remainder of a row to its error due to the last places of the
  // data (KnownRank). These are digits of the answer.
  double known_rank = 1e4;
  // Rows are compared while loops are open: their error is the gap, of the size of a body, times the first number, and at
  // most the second. A gap makes the rows of overconstrained mechanisms independent by about itself; without the bound
  // a coarse step would lose rows that count.
  double row_error_per_gap = 100;
  double worst_rows = 1e-4;
  // A row moves nothing, even if no other row moves more: largest response, of that of the whole system. The number is
  // between round-off squared (1e-32; more with lever arms and light bodies) and the response of a whole mechanism of
  // thousands of bodies (its arms squared over those of a body).
  double no_response = 1e-18;
  // The closures of a steady state depend on each other: largest pivot, of the largest one. Newton's method approaches
  // such a position linearly, and its error is the square of the remaining distance, which is therefore 1e-7 and more.
  double dependent_closure = 1e-5;
  // A response is the round-off of the difference from which it comes: largest part of the terms of the difference.
  // Transfer matrices of a whole system leave this.
  double response_left = 1e-13;
  // An elimination by blocks or along paths may divide by what is left of a row: least part of the compliance that the
  // bodies at its ends give it. Below, the rows are solved together and their rank is examined.
  double compliance_left = 1e-6;
  // Constraints contradict each other: least acceleration that the ones take and the others forbid, of the largest one.
  // It is more than gaps at any tolerance cause.
  double contradiction = 1e-4;
  // Where frames are rounded, kept rows that are nearly dependent bend away from those that they imply, which explains
  // at most this acceleration, of the largest one.
  double most_of_rounding = 1e-3;

  // Gaps.

  // A loop cannot be closed: largest gap that a projection may leave, of the size of its loop or in metres.
  double open_loop = 1e-9;
  // A row that others implied at the start has opened: least gap, of the reach of the largest body, and of the largest
  // gap of the rows that were kept. Both are more than at any tolerance.
  double opened = 1e-3;
  double opened_beside_kept = 10;
  // A joint slips at the start: least speed along its constraints, of the largest speed. Velocities of files may have six
  // digits.
  double slips = 1e-6;

  // Reactions.

  // A reaction is unique: largest change by redundant constraints, of the largest change of any. Gaps of a state from an
  // integration cause less.
  double unique_reaction = 1e-6;
  // Multipliers of redundant constraints exert nothing: largest force or moment, in the unit of a row.
  double no_reaction = 1e-9;

  // Iterations.

  // Newton's method has solved the equations of a step: largest last change, of the length of the system. The next
  // change is then round-off.
  double solved_step = 1e-12;

  constexpr auto Named() const {
    return std::to_array<std::pair<const char*, double>>(
        {{"no_inertia", no_inertia},
         {"no_remainder", no_remainder},
         {"resists", resists},
         {"no_moment", no_moment},
         {"no_pivot", no_pivot},
         {"no_hinge_matrix", no_hinge_matrix},
         {"in_plane", in_plane},
         {"out_of_plane", out_of_plane},
         {"same_place", same_place},
         {"flat", flat},
         {"nearly_flat", nearly_flat},
         {"independent_row", independent_row},
         {"known_entry", known_entry},
         {"known_rank", known_rank},
         {"row_error_per_gap", row_error_per_gap},
         {"worst_rows", worst_rows},
         {"no_response", no_response},
         {"dependent_closure", dependent_closure},
         {"response_left", response_left},
         {"compliance_left", compliance_left},
         {"contradiction", contradiction},
         {"most_of_rounding", most_of_rounding},
         {"open_loop", open_loop},
         {"opened", opened},
         {"opened_beside_kept", opened_beside_kept},
         {"slips", slips},
         {"unique_reaction", unique_reaction},
         {"no_reaction", no_reaction},
         {"solved_step", solved_step}});
  }
};

inline constexpr Thresholds kThresholds;
static_assert(kThresholds.Named().size() * sizeof(double) == sizeof(Thresholds),
              "every threshold has its name");

}  // namespace mbsbench
