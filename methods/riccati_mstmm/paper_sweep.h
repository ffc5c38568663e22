// Riccati sweep with the hinges of the paper, for trees.
// Source: Rui, Bestle, Wang et al. 2020, Algorithms A and B
//
// Chains (Algorithm A): body matrices by eq. 4, ball hinges by eq. 10, S and e by eqs 24, 29
// and 30.
//
// An added condition. Hinge matrix (10) determines the angular acceleration beyond a hinge from
// zero moment at the far end of the next body. Along a chain the zero moment at the first hinge, at
// the output of the tip's body, is therefore never used: eq. 32 for a pinned chain, and eq. 59 as
// printed, are singular (rank 7 of 9 for the example). m = 0 at the output of the chain's first
// body must be added. It is used in the form
//   alpha = G a + g   at every output end of the chain, (A)
// first from the moment rows of (21), then through hinges and bodies by their own transfer
// equations.
//
// Bodies with several inputs (Algorithm B): by (A) and (21) each input chain transmits z_a = X a +
// x. With the geometric equations (14) the columns of its (m, q) in eq. 8 become columns of the
// body's own a, alpha and 1. The result is a body with a free input end, and its output is the tip
// of the next chain. That solves the overall transfer equation (56) with the added conditions by
// elimination, chain by chain, whatever the number of branchings, and never forms it.
//
// PaperVariantSupports states where this does not exist. In space T21 S + T22 is singular beyond
// the second hinge of every chain, so the 13 x 13 form is limited to branches of two bodies; longer
// chains of ball hinges are solved in the 7 x 7 form, where the system and its state lie in a
// plane. If det(T21 S + T22) vanishes during a motion, the sweep is singular.
#pragma once

#include <vector>

#include "methods/interface/method.h"
#include "methods/riccati_mstmm/riccati_recursion.h"
#include "methods/transfer_elements/body_transfer.h"
#include "methods/transfer_elements/element_form.h"
#include "methods/transfer_elements/free_axes.h"
#include "methods/transfer_elements/hinge_transfer.h"
#include "methods/transfer_elements/transfer_formulation.h"

namespace mbsbench {

// Whether hinges according to eqs 10 to 13 exist everywhere in the system; parallel revolutes count
// as ball hinges of the plane. `planar` selects the form.
Verdict PaperVariantSupports(const System& system, bool& planar);

// riccati-mstmm:paper.
template <int Dimension>
class RiccatiPaper final : public TransferFormulation {
 public:
  explicit RiccatiPaper(const GivenSystem& system);
  SolvedCondition ConditionAt(double t, std::span<const double> y) override;

 private:
  using Layout = StateLayout<Dimension>;
  using Types = TransferTypes<Dimension>;
  static constexpr int kT = Layout::kTranslations, kR = Layout::kRotations;

  struct Element {
    RiccatiCoefficients<Dimension> coefficients;  // at the output end
    Eigen::Matrix<double, kR, kT> G;              // (A) at the output end
    typename Types::Rotation g;
    BackSubstitution<Dimension> through_body;
    typename Types::HalfVector z_b;  // at the output end
  };

  Status Solve(double t, std::span<const double> y, std::span<double> ydot) override;
  Status StaysInPlane(const double* y) const;
  Status SweepToRoot();
  void SweepToTips(double* ydot);
  OutputState StateAtOutput(std::size_t k) const override;
  // The current state of group k, from its first input end; at a tip this is the output end, because a free boundary
  // can be anywhere.
  BodyInstant<Dimension> InstantOf(std::size_t k) const {
    const int first = tree_.first_input[k];
    return form_.InstantOf(k, motion_.motion(static_cast<int>(k)),
                           first == 0 ? Vec<double>{} : motion_.motion(first).r, loads_[k]);
  }

  const ElementForm<Dimension> form_;
  std::vector<Element> elements_;  // per group
};

extern template class RiccatiPaper<2>;
extern template class RiccatiPaper<3>;

}  // namespace mbsbench
