// Three routes from a steady motion to the eigenvalues of the small motions about it.
//
//   reduced     independent coordinates: differences of their accelerations in joint coordinates
//   null-space  absolute coordinates and multipliers: dr = Z ds, J Z = 0
//   pencil      the same with the multipliers kept: generalised eigenvalues
//
// The first takes the dynamics of the tree's joint coordinates, the others those of absolute coordinates, all in 113 bits;
// eigenvalues are computed in double precision. docs/theory/stability.md has the equations.
#pragma once

#include <string_view>
#include <vector>

#include "harness/linearise/spectrum.h"
#include "harness/linearise/steady_motion.h"

namespace mbsbench {

enum class Route { kReduced, kNullSpace, kPencil };
std::string_view Name(Route route);  // "null-space"

struct RouteResult {
  Route route = Route::kReduced;
  int unknowns = 0;
  int infinite = 0;  // eigenvalues predicted
  Spectrum spectrum;
};

// In the order of `routes`.
std::vector<RouteResult> EigenvaluesBy(const std::vector<Route>& routes,
                                       const SteadyMotion& steady);

// Routes agree if all differences (Difference of spectrum.h) are below it.
inline constexpr double kRoutesAgree = 1e-10;
double LargestDifference(const std::vector<RouteResult>& results);
// Whether every route found as many infinite eigenvalues as are predicted.
bool AreComplete(const std::vector<RouteResult>& results);

}  // namespace mbsbench
