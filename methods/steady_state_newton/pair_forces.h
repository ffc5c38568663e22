// Elements between two bodies, each with a unit wrench l on one and -l on the other: cut joints
// (one l per constraint row) and spring-dampers. The virtual work of l is the variation of its
// coordinate: d(phi) = l . (X_c - X_p), where X are the displacements of the bodies.
#pragma once

#include <vector>

#include "methods/steady_state_newton/relative_tree.h"

namespace mbsbench::steady {

template <typename Real>
struct UnitWrench {
  Real value{};  // phi: 0 for a closed cut joint; the length of a spring
  typename Spatial<Real>::Vector6 l;
  typename Spatial<Real>::Matrix6 by_parent, by_child;  // dl = by_parent X_p + by_child X_c
};

// The rows phi^c of a cut joint; their multipliers are lambda^c (eqs 3, 20, 23).
template <typename Real>
void CutJointRows(const RelativeTree<Real>& tree, const Joint& joint,
                  std::vector<UnitWrench<Real>>& rows);

// Along the line from point a to point b; a is on the parent's side.
template <typename Real>
UnitWrench<Real> LineBetween(const RelativeTree<Real>& tree, int body_a, const Vector3& point_a,
                             int body_b, const Vector3& point_b);

// The pull T of a spring-damper, its line, and dT by displacements and velocities of the bodies.
template <typename Real>
struct Pull {
  Real force{};
  UnitWrench<Real> line;
  typename Spatial<Real>::Vector6 by_a, by_b, by_velocity_a, by_velocity_b;
};
template <typename Real>
Pull<Real> PullOf(const RelativeTree<Real>& tree, const SpringDamper& element);

extern template void CutJointRows(const RelativeTree<double>&, const Joint&,
                                  std::vector<UnitWrench<double>>&);
extern template Pull<double> PullOf(const RelativeTree<double>&, const SpringDamper&);

}  // namespace mbsbench::steady
