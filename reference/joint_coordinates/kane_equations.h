// Kane's equations of a tree in joint rates, and with dependent rates:
//
//   M u' + C = Q + L' lambda                                                                    (1)
//   M_ij = sum_b m V_bi . V_bj + W_bi . J W_bj                                                  (2)
//   C_i  = sum_b V_bi . m (a_b - g) + W_bi . (J alpha_b + omega x J omega)    with u' = 0        (3)
//   u = K u_i,  K = [1; -L_d^-1 L_i]                                                            (4)
//   K' M K u_i' = K' (Q - C - M c),  c = [0; L_d^-1 gamma]                     L u' = gamma      (5)
//
// Dense, cubic in the rates.
#pragma once

#include <vector>

#include "reference/joint_coordinates/dependent_rates.h"
#include "reference/joint_coordinates/joint_motion.h"

namespace mbsbench::extended {

// (3) with the accelerations of the motion: M u' + C. Linear in bodies.
std::vector<Real> InertiaForces(const JointMotion& motion);

struct JointAccelerations {
  std::vector<Real> rates;        // u'
  std::vector<Real> multipliers;  // of all rows of L; of dropped ones 0
};
// `forces`: Q - C. `gamma`: of all rows.
JointAccelerations SolveDense(const JointMotion& motion, const std::vector<Real>& forces,
                              const DependentRates& dependent, const std::vector<Real>& gamma);

}  // namespace mbsbench::extended
