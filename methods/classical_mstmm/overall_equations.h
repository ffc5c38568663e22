// The overall transfer equation of a tree as it is read, on any scalar: variant `general` of
// overall_formulation.h without loops. Operations are counted here, and round-off is measured here.
// Source: Rui et al. 2018 (deduction); Rui, Bestle, Wang et al. 2020, eqs 3 to 19 (elements, products)
//
// z = T x + t at every connection point, x the unknowns of the overall transfer equation K x = r.
#pragma once

#include <vector>

#include "methods/classical_mstmm/deduction.h"
#include "methods/classical_mstmm/paper_hinges.h"
#include "methods/transfer_elements/free_axes.h"

namespace mbsbench {

template <int Dimension, class Real>
class OverallEquations {
 public:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  // `plane` is read in the 7 x 7 form only.
  OverallEquations(const System& system, const Plane& plane)
      : tree_(MakeJointTree(system)),
        form_(tree_, plane),
        deduction_(Deduce(system, tree_, Dimension, false)),
        motions_(tree_.elements.size() + 1),
        elements_(tree_.elements.size()) {
    motions_[0].A = Identity<Real>();
  }

  int unknowns() const { return deduction_.unknowns; }

  // y = [q; u] and its rates; `solve(K, r)` returns x of K x = r.
  template <class Solve>
  void Evaluate(const Real* y, Real* ydot, Solve solve) {
    CalcMotion(tree_, y, motions_.data(), ydot);
    K_.setZero(unknowns(), unknowns());
    right_.setZero(unknowns());
    T_.setZero(2 * kHalf, unknowns());
    for (std::size_t k = 0; k < elements_.size(); ++k) CalcElement(k);
    for (std::size_t k = elements_.size(); k-- > 0;) ToOutput(k);
    x_ = solve(K_, right_);
    for (std::size_t k = elements_.size(); k-- > 0;) Back(k, ydot);
  }

 private:
  using Types = TransferTypes<Dimension, Real>;
  static constexpr int kT = Types::Layout::kTranslations, kR = Types::Layout::kRotations,
                       kHalf = Types::Layout::kHalf;
  using Half = typename Types::HalfVector;
  using Full = Eigen::Matrix<Real, 2 * kHalf, 1>;

  struct Element {
    FreeAxes<Dimension, Real> joint;  // in the output end
    Eigen::Matrix<Real, 2 * kHalf, 2 * kHalf> U;
    Full u_5, t, z;                          // constant of U; of T x + t; z, at the output end
    typename Types::HalfMatrix X, to_first;  // eq. 17: z_b,O1 -> z_b at this input; eq. 9
    Half x_5;                                // constant of X
  };

  // Entry by entry: blocked products of Eigen multiply by 1 and add to 0 besides.
  template <class A, class B>
  static Matrix Product(const A& a, const B& b) {
    return a.lazyProduct(b);
  }
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  // visit(input, its place in the deduction) for the inputs of a body beyond the one at c.
  template <class Visit>
  void ForInputsFrom(int c, Visit visit) {
    for (; c >= 0; c = deduction_.elements[At(c)].next_input)
      visit(elements_[At(c)], deduction_.elements[At(c)], c);
  }

  // Eqs 4 and 5 of the body, its joint, and eqs 9, 16, 17 of its further inputs.
  void CalcElement(std::size_t k) {
    const TreeElement& e = tree_.elements[k];
    const int first = deduction_.elements[k].first_input;
    elements_[k].joint = FreeAxesOf<Dimension>(form_, e, motions_[k + 1], motions_[At(e.parent)]);
    const Vec<Real> r_OI = first >= 0 ? motions_[At(first) + 1].d : Vec<Real>{};
    const auto body = form_.InstantOf(tree_, k, motions_[k + 1], r_OI, {}, {});
    const auto U = BodyTransfer(body);
    elements_[k].U = U.template topLeftCorner<2 * kHalf, 2 * kHalf>();
    elements_[k].u_5 = U.template topRightCorner<2 * kHalf, 1>();
    ForInputsFrom(first, [&](Element& input, const DeducedElement&, int c) {
      const typename Types::Translation r = form_.Translation(motions_[At(c) + 1].d - r_OI);
      input.X.setIdentity();
      input.X.template topRightCorner<kT, kR>() = -TildeBeforeRotation(r);
      input.x_5.setZero();
      input.x_5.template head<kT>() = CentripetalPart(body.Omega, r);
      input.to_first = InputColumns<Dimension, Real>(-r);
    });
  }

  // T and t from the inputs of body k to its output end, and the rows of the overall equation there.
  void ToOutput(std::size_t k) {
    Element& element = elements_[k];
    const DeducedElement& d = deduction_.elements[k];
    auto T = T_.middleCols(d.columns_begin, d.columns_end - d.columns_begin);
    if (d.first_input < 0) {  // a free tip: z_b unknown, z_a = 0
      T_.middleCols(d.tip_column, kHalf).template topRows<kHalf>().setIdentity();
      element.t.setZero();
    } else {
      const Element& first = elements_[At(d.first_input)];
      const DeducedElement& at_first = deduction_.elements[At(d.first_input)];
      element.t = first.t;
      element.t.template head<kHalf>() -= first.joint.c;
      T_.middleCols(at_first.hinge_column, at_first.free_axes).template topRows<kHalf>() =
          -first.joint.H;
      // (m, q) of the other inputs, moved to I_1 (8, 9); their geometric equations (14)
      ForInputsFrom(at_first.next_input, [&](Element& input, const DeducedElement& at, int) {
        auto T_k = T_.middleCols(at.columns_begin, at.columns_end - at.columns_begin);
        K_.block(at.geometric_row, at.columns_begin, input.joint.Q.cols(), T_k.cols()) +=
            Product(input.joint.Q.transpose(), T_k.template topRows<kHalf>());
        T_k.template topRows<kHalf>().setZero();
        T_k.template bottomRows<kHalf>() =
            Product(input.to_first, T_k.template bottomRows<kHalf>());
        element.t.template tail<kHalf>() += input.to_first * input.t.template tail<kHalf>();
      });
      ForInputsFrom(at_first.next_input, [&](Element& input, const DeducedElement& at, int) {
        const Matrix QX = input.joint.Q.transpose() * input.X;
        K_.block(at.geometric_row, d.columns_begin, QX.rows(), T.cols()) -=
            Product(QX, T.template topRows<kHalf>());
        right_.segment(at.geometric_row, QX.rows()) =
            QX * element.t.template head<kHalf>() +
            input.joint.Q.transpose() *
                (input.x_5 + input.joint.c - input.t.template head<kHalf>());
      });
    }
    T = Product(element.U, T);  // (19)
    element.t = (element.U * element.t + element.u_5).eval();
    const FreeAxes<Dimension, Real>& joint = element.joint;
    const Half w_5 = WrenchRows<Dimension>(element.t.template tail<kHalf>());
    const Matrix w = WrenchRows<Dimension>(T.template bottomRows<kHalf>());
    // H'w = tau; tau is zero without springs in joints
    K_.block(d.condition_row, d.columns_begin, d.conditions, T.cols()) =
        Product(joint.H.transpose(), w);
    right_.segment(d.condition_row, d.conditions) = -(joint.H.transpose() * w_5);
    if (d.root_row < 0) return;
    // main transfer equation (18): T x + t = z_root = (H udot + c; H tau + Q lambda)
    const int blocked = kHalf - d.free_axes, wrench = d.root_row + kHalf;
    K_.block(d.root_row, d.columns_begin, kHalf, T.cols()) = T.template topRows<kHalf>();
    K_.block(wrench, d.columns_begin, blocked, T.cols()) = Product(joint.Q.transpose(), w);
    K_.block(d.root_row, d.hinge_column, kHalf, d.free_axes) = -joint.H;
    K_.block(wrench, d.wrench_column, blocked, blocked).diagonal().setConstant(Real(-1));
    right_.template segment<kHalf>(d.root_row) = joint.c - element.t.template head<kHalf>();
    right_.segment(wrench, blocked) = -(joint.Q.transpose() * w_5);
  }

  // State vectors from the tips, once x is there, and the rates of the joints.
  void Back(std::size_t k, Real* ydot) {
    Element& element = elements_[k];
    const DeducedElement& d = deduction_.elements[k];
    Full z = Full::Zero();
    if (d.first_input < 0) z.template head<kHalf>() = x_.template segment<kHalf>(d.tip_column);
    if (d.first_input >= 0) {
      const Element& first = elements_[At(d.first_input)];
      const DeducedElement& at_first = deduction_.elements[At(d.first_input)];
      z = first.z;
      z.template head<kHalf>() -=
          first.joint.c + first.joint.H * x_.segment(at_first.hinge_column, at_first.free_axes);
      ForInputsFrom(at_first.next_input, [&](Element& input, const DeducedElement&, int c) {
        z.template tail<kHalf>() += input.to_first * input.z.template tail<kHalf>();
        const Half lost = input.z.template head<kHalf>() - input.joint.c -
                          input.X * z.template head<kHalf>() - input.x_5;
        PutRates(tree_.elements[At(c)], input.joint.H.transpose() * lost, ydot);
      });
    }
    element.z = element.U * z + element.u_5;
    if (d.hinge_column >= 0)
      PutRates(tree_.elements[k], x_.segment(d.hinge_column, d.free_axes), ydot);
  }

  // In the plane a ball hinge turns about its z axis.
  static void PutRates(const TreeElement& e, const Column& rates, Real* ydot) {
    const int first = RateCount(e.type) == 3 && rates.size() == 1 ? 2 : 0;
    for (int i = 0; i < first; ++i) ydot[e.u + i] = Real(0);
    for (Eigen::Index i = 0; i < rates.size(); ++i) ydot[e.u + first + i] = rates[i];
  }

  const JointTree tree_;
  const ElementForm<Dimension, Real> form_;
  const Deduction deduction_;
  std::vector<ElementMotion<Real>> motions_;
  std::vector<Element> elements_;
  Matrix T_, K_;
  Column right_, x_;
};

}  // namespace mbsbench
