// classical-mstmm: products of transfer matrices along the chains, one overall transfer equation,
// its solution, and the state vectors from the tips to the root.
// Source: Rui et al. 2018 (automatic deduction); Rui, Bestle, Wang et al. 2020 for the elements.
//
// Every state vector is an affine function of the unknowns x of the overall transfer equation,
//   z = T x + t, (1)
// at a free tip z_b = x_tip and z_a = 0. Elements act on T and t from the left, so that the columns
// of T at the root are the products U_n ... U_2 U_1 of the paper (eq. 19 of 2020), one product per
// tip. A body's transfer matrix multiplies the columns of all its inputs at once: inputs I_2 ... I_L
// bring their (m, q), moved to I_1 (eqs 8, 9).
//
// Hinge on the first input, variant `general`: z_b,O = z_b,I - H udot - c with additional unknowns
// udot, columns -H of T from here on; it adds the rows H'w = tau. The overall equation therefore
// grows with the number of joints. Variant `paper`: a transfer matrix by eqs 10 to 13
// (paper_hinges.h); the overall equation then has the order that Rui et al. claim, whatever the
// number of bodies in a chain.
//
// A driven joint has no free axes: c contains the effect of its rate and its acceleration.
//
// Hinges on further inputs are geometric equations in both: Q'(z_b,Ik - c) = Q' z_b of the body at
// I_k (eq. 14), and H'w = tau (for ball hinges the zero moment of eq. 15).
//
// The root: z_b = H udot + c, w = H tau + Q lambda with unknown udot and lambda; the main transfer
// equation (eq. 18) says that this is T x + t.
//
// Loops: a cut joint creates two new boundaries, further inputs of its two bodies. The cut forces
// lambda, one per constraint of the joint, act on them with opposite signs; the supplement equation
// says that the joint's constraints keep vanishing, g'' = 0. The overall transfer equation
//   [ K  B ] [ x      ]   [ r      ]
//   [ C  D ] [ lambda ] = [ -gamma ]                                                       (2)
// (K: main transfer, geometric and condition rows; C, D, gamma: supplement equations) is solved
// block by block: K by LU, then (D - C K^-1 B) lambda = -gamma - C K^-1 r, in which redundant
// constraints appear as dependent rows (closure_system.h), then x.
//
// Digits are lost as products grow along a chain; this is a property of the method.
#pragma once

#include <algorithm>
#include <vector>

#include "methods/classical_mstmm/deduction.h"
#include "methods/classical_mstmm/dense_lu.h"
#include "methods/classical_mstmm/paper_hinges.h"
#include "methods/loops/loop_ends.h"
#include "methods/transfer_elements/free_axes.h"
#include "methods/transfer_elements/geometric_equation.h"
#include "methods/transfer_elements/transfer_formulation.h"

namespace mbsbench {

enum class ClassicalVariant { kGeneral, kPaper };

template <int Dimension>
class OverallFormulation final : public TransferFormulation {
 public:
  OverallFormulation(const GivenSystem& system, ClassicalVariant variant,
                     Stabilisation stabilisation);
  SolvedCondition ConditionAt(double t, std::span<const double> y) override;

 private:
  using Layout = StateLayout<Dimension>;
  using Types = TransferTypes<Dimension>;
  static constexpr int kT = Layout::kTranslations, kR = Layout::kRotations, kHalf = Layout::kHalf;
  using HalfVector = typename Types::HalfVector;
  using HalfMatrix = typename Types::HalfMatrix;
  using FullVector = Eigen::Matrix<double, 2 * kHalf, 1>;  // z without its 1
  using FullMatrix = Eigen::Matrix<double, 2 * kHalf, 2 * kHalf>;

  using Column = Eigen::Map<Eigen::VectorXd>;
  // The column of K or B for a column of T.
  Column Rows(int column);

  // (A joint without free axes has none: if a cut's columns begin there instead, the value is unused.)
  int Unknown(int column) const {
    return std::max(0, deduction_.place[static_cast<std::size_t>(column)]);
  }

  // (m, q) at I_1, which is at r_OI from the output end, of a force and a moment about a cut's point, with the sign of its
  // side.
  HalfVector InputOf(const CutBoundary& cut, const Vec<double>& r_OI, const Vector3& force,
                     const Vector3& moment) const;

  // Data of an element that is kept between the sweeps.
  struct Element {
    FreeAxes<Dimension> joint;  // in the output end
    FullMatrix U;               // of the body, with its constant
    FullVector u_5;
    FurtherInput<Dimension> input;  // of the next body, on which this element is an input
    PaperHinge<Dimension> hinge;    // on the first input, variant `paper`
    FullVector t;                   // as in (1), at the output end
    FullVector z;                   // state vector at the output end
    Vec<double> r_OI;               // output end -> I_1
  };

  Status Solve(double t, std::span<const double> y, std::span<double> ydot) override;
  void CalcElements();
  void SweepToRoot();
  void AssembleInputs(std::size_t k);
  void AssembleRows(std::size_t k);
  void PutCutForces(std::size_t k);
  void AssembleSupplement(std::size_t k);
  Status SolveBlocks();
  void StatesFromTheTips(double* ydot);
  OutputState StateAtOutput(std::size_t k) const override;

  const ClassicalVariant variant_;
  const Plane plane_;
  const ElementForm<Dimension> form_;
  const Deduction deduction_;
  const std::vector<HingeSelection> selections_;
  LoopEnds ends_;
  std::vector<Element> elements_;  // per group
  // T of (1) at the output ends of all bodies whose outboard body has not been processed yet: tip
  // sides have separate columns.
  Eigen::Matrix<double, 2 * kHalf, Eigen::Dynamic> T_;
  DenseLu lu_;
  Eigen::MatrixXd& overall_;  // K of (2)
  Eigen::VectorXd right_, unknowns_;
  Eigen::MatrixXd B_, C_, D_;  // of (2)
  const Status singular_tip_;
};

extern template class OverallFormulation<2>;
extern template class OverallFormulation<3>;

}  // namespace mbsbench
