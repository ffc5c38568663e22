// The overall transfer equation of a tree as printed, on any scalar: variant `general` of
// overall_formulation.h without loops. These equations serve to count operations and to measure
// round-off. Source: Rui et al. 2018 (deduction); Rui, Bestle, Wang et al. 2020, eqs 3 to 19
// (elements, products)
//
// z = T x + t at every connection point, x the unknowns of the overall transfer equation K x = r.
#pragma once

#include <vector>

#include "methods/classical_mstmm/deduction.h"
#include "methods/classical_mstmm/paper_hinges.h"
#include "methods/transfer_elements/free_axes.h"
#include "methods/transfer_elements/geometric_equation.h"

namespace mbsbench {

template <int Dimension, class Real>
class OverallEquations {
 public:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  // `plane` is read in the 7 x 7 form only.
  OverallEquations(const System& system, const Plane& plane)
      : tree_(system),
        motion_(tree_),
        form_(tree_, system.gravity, plane),
        deduction_(Deduce(system, TransferTree<double>(system), Dimension, false)),
        elements_(tree_.groups.size()) {}

  int unknowns() const { return deduction_.unknowns; }

  // y = [q; u] and its rates; `solve(K, r)` returns x of K x = r.
  template <class Solve>
  void Evaluate(const Real* y, Real* ydot, Solve solve) {
    motion_.PassMotion(y, ydot);
    K_.setZero(unknowns(), unknowns());
    right_.setZero(unknowns());
    T_.setZero(2 * kHalf, unknowns());
    for (std::size_t k = 1; k < elements_.size(); ++k) CalcElement(k);
    for (std::size_t k = elements_.size() - 1; k > 0; --k) ToOutput(k);
    x_ = solve(K_, right_);
    for (std::size_t k = elements_.size() - 1; k > 0; --k) Back(k, ydot);
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
    Full u_5, t, z;  // constant of U; of T x + t; z, at the output end
    FurtherInput<Dimension, Real> input;
  };

  // Entry by entry: Eigen's blocked products also multiply by 1 and add to 0.
  template <class A, class B>
  static Matrix Product(const A& a, const B& b) {
    return a.lazyProduct(b);
  }
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  const GroupMotion<Real>& Motion(std::size_t k) const {
    return motion_.motion(static_cast<int>(k));
  }

  // Eqs 4 and 5 of the body, its joint, and eqs 9, 16, 17 of its further inputs.
  void CalcElement(std::size_t k) {
    const SweepGroup<Real>& group = tree_.groups[k];
    elements_[k].joint =
        FreeAxesOf<Dimension>(form_, group, Motion(k), Motion(At(group.parent)), Real(0));
    const Vec<Real> r_OI = tree_.IsTip(k) ? Vec<Real>{} : Motion(At(tree_.first_input[k])).r;
    const auto body = form_.InstantOf(k, Motion(k), r_OI, {});
    const auto U = BodyTransfer(body);
    elements_[k].U = U.template topLeftCorner<2 * kHalf, 2 * kHalf>();
    elements_[k].u_5 = U.template topRightCorner<2 * kHalf, 1>();
    tree_.ForInputsFrom(tree_.first_input[k], [&](std::size_t c) {
      elements_[c].input.Set(form_.Translation(Motion(c).r - r_OI), body.Omega);
    });
  }

  // T and t from the inputs of body k to its output end, and the rows of the overall equation there.
  void ToOutput(std::size_t k) {
    Element& element = elements_[k];
    const DeducedElement& d = deduction_.elements[k];
    auto T = T_.middleCols(d.columns_begin, d.columns_end - d.columns_begin);
    if (tree_.IsTip(k)) {  // a free tip: z_b unknown, z_a = 0
      T_.middleCols(d.tip_column, kHalf).template topRows<kHalf>().setIdentity();
      element.t.setZero();
    } else {
      const std::size_t I_1 = At(tree_.first_input[k]);
      const Element& first = elements_[I_1];
      const DeducedElement& at_first = deduction_.elements[I_1];
      element.t = first.t;
      element.t.template head<kHalf>() -= first.joint.c;
      T_.middleCols(at_first.hinge_column, at_first.free_axes).template topRows<kHalf>() =
          -first.joint.H;
      // (m, q) of the other inputs, moved to I_1 (8, 9); their geometric equations (14)
      tree_.ForInputsFrom(tree_.next_input[I_1], [&](std::size_t c) {
        const Element& input = elements_[c];
        const DeducedElement& at = deduction_.elements[c];
        auto T_k = T_.middleCols(at.columns_begin, at.columns_end - at.columns_begin);
        K_.block(at.geometric_row, at.columns_begin, input.joint.Q.cols(), T_k.cols()) +=
            Product(input.joint.Q.transpose(), T_k.template topRows<kHalf>());
        T_k.template topRows<kHalf>().setZero();
        T_k.template bottomRows<kHalf>() =
            Product(input.input.to_first, T_k.template bottomRows<kHalf>());
        element.t.template tail<kHalf>() += input.input.to_first * input.t.template tail<kHalf>();
      });
      tree_.ForInputsFrom(tree_.next_input[I_1], [&](std::size_t c) {
        const Element& input = elements_[c];
        const DeducedElement& at = deduction_.elements[c];
        const Matrix QX = input.joint.Q.transpose() * input.input.X;
        K_.block(at.geometric_row, d.columns_begin, QX.rows(), T.cols()) -=
            Product(QX, T.template topRows<kHalf>());
        right_.segment(at.geometric_row, QX.rows()) =
            QX * element.t.template head<kHalf>() +
            input.joint.Q.transpose() *
                (input.input.x_5 + input.joint.c - input.t.template head<kHalf>());
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

  // State vectors from the tips, after x is known, and the rates of the joints.
  void Back(std::size_t k, Real* ydot) {
    Element& element = elements_[k];
    const DeducedElement& d = deduction_.elements[k];
    Full z = Full::Zero();
    if (tree_.IsTip(k)) z.template head<kHalf>() = x_.template segment<kHalf>(d.tip_column);
    if (!tree_.IsTip(k)) {
      const std::size_t I_1 = At(tree_.first_input[k]);
      const Element& first = elements_[I_1];
      const DeducedElement& at_first = deduction_.elements[I_1];
      z = first.z;
      z.template head<kHalf>() -=
          first.joint.c + first.joint.H * x_.segment(at_first.hinge_column, at_first.free_axes);
      tree_.ForInputsFrom(tree_.next_input[I_1], [&](std::size_t c) {
        const Element& input = elements_[c];
        z.template tail<kHalf>() += input.input.to_first * input.z.template tail<kHalf>();
        const Half lost = input.z.template head<kHalf>() - input.joint.c -
                          input.input.X * z.template head<kHalf>() - input.input.x_5;
        PutRates(tree_.groups[c], input.joint.H.transpose() * lost, ydot);
      });
    }
    element.z = element.U * z + element.u_5;
    if (d.hinge_column >= 0)
      PutRates(tree_.groups[k], x_.segment(d.hinge_column, d.free_axes), ydot);
  }

  const TransferTree<Real> tree_;
  TreeMotion<Real> motion_;
  const ElementForm<Dimension, Real> form_;
  const Deduction deduction_;
  std::vector<Element> elements_;
  Matrix T_, K_;
  Column right_, x_;
};

}  // namespace mbsbench
