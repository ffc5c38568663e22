#include "methods/classical_mstmm/overall_formulation.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace mbsbench {

namespace {

constexpr double kRoundOff = 1e-13;  // of the terms of a difference

// Only read in the 7 x 7 form, which is chosen where there is a plane.
Plane PlaneOf(const System& system, const JointTree& tree) {
  Plane plane;
  FindPlane(system, tree, plane);
  return plane;
}

// A tip's body alone decides whether its joint is regular. Further rootwards only the overall matrix
// could tell, and there lost digits look the same as a singularity.
Status FindSingularTip(const JointTree& tree) {
  constexpr double kSafePivot = 1e-12;
  for (const TreeElement& e : tree.elements) {
    if (e.children > 0) continue;
    const Eigen::Matrix3d J_O = AsEigen(e.J_O), c = TildeBeforeForce(AsEigen(e.r_OC));
    const double J_least = J_O.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
    const Eigen::Matrix3d J_C = J_O + e.mass * c * c;
    const double J_C_least = J_C.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
    bool regular = true;
    ForHinge(e, [&](auto joint) {
      if constexpr (joint.kSlides > 0) regular = e.mass > 0;
      if constexpr (joint.kTurns == 1) regular = e.J_O.zz > kSafePivot * J_O.trace();
      if constexpr (joint.kTurnsFreely) {
        const double least = joint.kSlides > 0 ? J_C_least : J_least;
        regular = regular && least > kSafePivot * J_O.trace();
      }
    });
    if (!regular) {
      return {Status::Code::kSingular, e.joint, e.body,
              "the tip side has no inertia about the joint's free axes"};
    }
  }
  return {};
}

template <class Derived>
void PutRates(const TreeElement& e, const Eigen::MatrixBase<Derived>& rates, double* ydot) {
  // In the plane a ball hinge turns about its z axis.
  if (RateCount(e.type) == 3 && rates.size() == 1) {
    ydot[e.u] = ydot[e.u + 1] = 0;
    ydot[e.u + 2] = rates[0];
    return;
  }
  for (Eigen::Index i = 0; i < rates.size(); ++i) ydot[e.u + i] = rates[i];
}

}  // namespace

template <int Dimension>
OverallFormulation<Dimension>::OverallFormulation(const System& system, ClassicalVariant variant,
                                                  Stabilisation stabilisation)
    : JointCoordinateFormulation(system, stabilisation),
      variant_(variant),
      plane_(PlaneOf(system, tree_)),
      form_(tree_, plane_),
      deduction_(Deduce(system, tree_, Dimension, variant == ClassicalVariant::kPaper)),
      selections_(SelectConditions(tree_, Dimension, variant == ClassicalVariant::kPaper)),
      motions_(tree_.elements.size() + 1),
      elements_(tree_.elements.size()),
      T_(2 * kHalf, deduction_.columns),
      lu_(deduction_.unknowns),
      overall_(lu_.matrix()),
      right_(deduction_.unknowns),
      unknowns_(deduction_.unknowns),
      B_(deduction_.unknowns, deduction_.cut_forces),
      C_(deduction_.cut_forces, deduction_.unknowns),
      D_(deduction_.cut_forces, deduction_.cut_forces),
      singular_tip_(FindSingularTip(tree_)) {
  motions_[0].A = Identity<double>();
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    for (const CutBoundary& cut : deduction_.elements[k].cuts) {
      elements_[k].cuts.push_back({cut, {}});
    }
  }
}

template <int Dimension>
typename OverallFormulation<Dimension>::Column OverallFormulation<Dimension>::Rows(int column) {
  const int place = deduction_.place[static_cast<std::size_t>(column)];
  return {place >= 0 ? overall_.col(place).data() : B_.col(-1 - place).data(), deduction_.unknowns};
}

template <int Dimension>
void OverallFormulation<Dimension>::CalcElements() {
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    Element& element = elements_[k];
    const TreeElement& e = tree_.elements[k];
    const DeducedElement& d = deduction_.elements[k];
    const ElementMotion<double>& m = motions_[k + 1];
    element.joint = FreeAxesOf<Dimension>(form_, e, m, motions_[e.parent]);
    // A tip's input end is a free boundary and may lie anywhere: in its output end.
    if (d.first_input >= 0) {
      element.r_OI = motions_[static_cast<std::size_t>(d.first_input) + 1].d;
    }
    const Vec<double>& r_OI = element.r_OI;
    const BodyInstant<Dimension> body =
        form_.InstantOf(tree_, k, m, r_OI, element.f_C, element.m_C);
    const typename Types::Transfer U = BodyTransfer(body);
    element.U = U.template topLeftCorner<2 * kHalf, 2 * kHalf>();
    element.u_5 = U.template topRightCorner<2 * kHalf, 1>();
    for (int c = d.first_input; c >= 0;
         c = deduction_.elements[static_cast<std::size_t>(c)].next_input) {
      Element& input = elements_[static_cast<std::size_t>(c)];
      const Vec<double> r_I1Ik = motions_[static_cast<std::size_t>(c) + 1].d - r_OI;
      const typename Types::Translation r = form_.Translation(r_I1Ik);
      input.X.setIdentity();
      input.X.template topRightCorner<kT, kR>() = -TildeBeforeRotation(r);  // E_1,Ik of eq. 17
      input.x_5.setZero();
      input.x_5.template head<kT>() = CentripetalPart(body.Omega, r);  // E_2,Ik
      input.to_first = InputColumns<Dimension, double>(-r);            // E_Ik of eq. 9
    }
  }
}

// State at O_1, the input side I_1 of body k beyond its first hinge, for all its inputs.
template <int Dimension>
void OverallFormulation<Dimension>::AssembleInputs(std::size_t k) {
  Element& element = elements_[k];
  const DeducedElement& d = deduction_.elements[k];
  const Element& first = elements_[static_cast<std::size_t>(d.first_input)];
  const DeducedElement& first_deduced =
      deduction_.elements[static_cast<std::size_t>(d.first_input)];
  const int begin = d.columns_begin, count = d.columns_end - d.columns_begin;
  element.t = first.t;
  PutCutForces(k);
  // further inputs: their (m, q), and their side of the geometric equations
  for (int c = first_deduced.next_input; c >= 0;
       c = deduction_.elements[static_cast<std::size_t>(c)].next_input) {
    const Element& input = elements_[static_cast<std::size_t>(c)];
    const DeducedElement& at = deduction_.elements[static_cast<std::size_t>(c)];
    const auto& Q = input.joint.Q;
    for (int j = at.columns_begin; j < at.columns_end; ++j) {
      const HalfVector z_b = T_.col(j).template head<kHalf>();
      const HalfVector z_a = T_.col(j).template tail<kHalf>();
      Rows(j).segment(at.geometric_row, Q.cols()) += Q.transpose() * z_b;
      T_.col(j).template head<kHalf>().setZero();
      T_.col(j).template tail<kHalf>() = input.to_first * z_a;
    }
    element.t.template tail<kHalf>() += input.to_first * input.t.template tail<kHalf>();
    right_.segment(at.geometric_row, Q.cols()) =
        -(Q.transpose() * (input.t.template head<kHalf>() - input.joint.c));
  }
  // first hinge
  element.t.template head<kHalf>() -= first.joint.c;
  if (variant_ == ClassicalVariant::kGeneral) {
    auto columns = T_.middleCols(first_deduced.hinge_column, first_deduced.free_axes);
    columns.template bottomRows<kHalf>().setZero();
    columns.template topRows<kHalf>() = -first.joint.H;
  } else {
    element.hinge = PaperHingeOf<Dimension>(first.joint, element.joint, selections_[k].selected,
                                            element.U, element.u_5);
    const PaperHinge<Dimension>& h = element.hinge;
    for (int j = begin; j < begin + count; ++j) {
      const FullVector z = T_.col(j);
      T_.col(j).template head<kHalf>() =
          h.B * z.template head<kHalf>() + h.A * z.template tail<kHalf>();
    }
    const FullVector z = element.t;
    element.t.template head<kHalf>() =
        h.B * z.template head<kHalf>() + h.A * z.template tail<kHalf>() + h.b;
  }
  // the body's side of the geometric equations, over all its columns
  for (int c = first_deduced.next_input; c >= 0;
       c = deduction_.elements[static_cast<std::size_t>(c)].next_input) {
    const Element& input = elements_[static_cast<std::size_t>(c)];
    const DeducedElement& at = deduction_.elements[static_cast<std::size_t>(c)];
    const auto& Q = input.joint.Q;
    const typename FreeAxes<Dimension>::Columns QX = input.X.transpose() * Q;
    for (int j = begin; j < begin + count; ++j) {
      Rows(j).segment(at.geometric_row, Q.cols()) -=
          QX.transpose() * T_.col(j).template head<kHalf>();
    }
    right_.segment(at.geometric_row, Q.cols()) +=
        QX.transpose() * element.t.template head<kHalf>() + Q.transpose() * input.x_5;
  }
}

// What the joint in the output end of body k says.
template <int Dimension>
void OverallFormulation<Dimension>::AssembleRows(std::size_t k) {
  const Element& element = elements_[k];
  const DeducedElement& d = deduction_.elements[k];
  const FreeAxes<Dimension>& joint = element.joint;
  const HalfVector w_5 = WrenchRows<Dimension>(element.t.template tail<kHalf>());
  // H'w = tau, as far as eqs 10 to 13 have not used it
  if (d.conditions > 0) {
    const typename FreeAxes<Dimension>::Columns H = joint.H * selections_[k].rest.transpose();
    for (int j = d.columns_begin; j < d.columns_end; ++j) {
      const HalfVector w = WrenchRows<Dimension>(T_.col(j).template tail<kHalf>());
      Rows(j).segment(d.condition_row, d.conditions) += H.transpose() * w;
    }
    right_.segment(d.condition_row, d.conditions) = -(H.transpose() * w_5);
    if (joint.tau != 0) right_[d.condition_row] += joint.tau;  // of a joint with one free axis
  }
  if (d.root_row < 0) return;
  // main transfer equation: T x + t - z_root = 0
  const int blocked = kHalf - d.free_axes, wrench_row = d.root_row + kHalf;
  for (int j = d.columns_begin; j < d.columns_end; ++j) {
    const HalfVector w = WrenchRows<Dimension>(T_.col(j).template tail<kHalf>());
    Rows(j).template segment<kHalf>(d.root_row) += T_.col(j).template head<kHalf>();
    Rows(j).segment(wrench_row, blocked) += joint.Q.transpose() * w;
  }
  overall_.block(d.root_row, Unknown(d.hinge_column), kHalf, d.free_axes) = -joint.H;
  overall_.block(wrench_row, Unknown(d.wrench_column), blocked, blocked).diagonal().setConstant(-1);
  right_.template segment<kHalf>(d.root_row) = joint.c - element.t.template head<kHalf>();
  right_.segment(wrench_row, blocked) = -(joint.Q.transpose() * w_5);
}

template <int Dimension>
void OverallFormulation<Dimension>::SweepToRoot() {
  overall_.setZero();
  right_.setZero();
  B_.setZero();
  C_.setZero();
  D_.setZero();
  for (std::size_t k = elements_.size(); k-- > 0;) {
    Element& element = elements_[k];
    const DeducedElement& d = deduction_.elements[k];
    if (d.first_input < 0) {
      T_.middleCols(d.tip_column, kHalf).setIdentity();
      element.t.setZero();
      PutCutForces(k);
    } else {
      AssembleInputs(k);
    }
    // through the body
    for (int j = d.columns_begin; j < d.columns_end; ++j) {
      const FullVector z = T_.col(j);
      T_.col(j).noalias() = element.U * z;
    }
    const FullVector t = element.t;
    element.t = element.U * t + element.u_5;
    AssembleRows(k);
    AssembleSupplement(k);
  }
}

template <int Dimension>
typename OverallFormulation<Dimension>::HalfVector OverallFormulation<Dimension>::InputOf(
    const Cut& cut, const Vec<double>& r_OI, const Vector3& force, const Vector3& moment) const {
  const double sign = cut.deduced.side == 0 ? 1 : -1;
  const Vec<double> f = sign * Lifted(force), n = sign * Lifted(moment);
  HalfVector z_a;
  z_a.template head<kR>() = form_.Rotation(-n - Cross(cut.arm - r_OI, f));
  z_a.template tail<kT>() = form_.Translation(f);
  return z_a;
}

// Rows of the supplement equations at y, and where they act.
template <int Dimension>
void OverallFormulation<Dimension>::CalcCuts(std::span<const double> y) {
  CalcLoopRows(y);
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    for (Cut& cut : elements_[k].cuts) cut.arm = ArmTo(cut.deduced.loop, static_cast<int>(k) + 1);
  }
}

// Columns of the cut forces at I_1 of body k.
template <int Dimension>
void OverallFormulation<Dimension>::PutCutForces(std::size_t k) {
  const Element& element = elements_[k];
  for (const Cut& cut : element.cuts) {
    for (int i = 0; i < cut.deduced.rows; ++i) {
      const LoopRow& row = closure()->row(cut.deduced.first_row + i);
      auto column = T_.col(cut.deduced.column + i);
      column.template head<kHalf>().setZero();
      column.template tail<kHalf>() = InputOf(cut, element.r_OI, row.force, row.moment);
    }
  }
}

// g'' of the cut joints by z_b at the output end of body k.
template <int Dimension>
void OverallFormulation<Dimension>::AssembleSupplement(std::size_t k) {
  const Element& element = elements_[k];
  const DeducedElement& d = deduction_.elements[k];
  for (const Cut& cut : element.cuts) {
    const Vec<double> centripetal = DoubleCross(motions_[k + 1].omega, cut.arm);
    for (int i = cut.deduced.first_row; i < cut.deduced.first_row + cut.deduced.rows; ++i) {
      // A force acts on z_b as it acts on the body: the row is the wrench about O.
      const HalfVector row = WrenchRows<Dimension>(
          HalfVector(-InputOf(cut, {}, closure()->row(i).force, closure()->row(i).moment)));
      for (int j = d.columns_begin; j < d.columns_end; ++j) {
        const int place = deduction_.place[static_cast<std::size_t>(j)];
        const double value = row.dot(T_.col(j).template head<kHalf>());
        if (place >= 0) {
          C_(i, place) += value;
        } else {
          D_(i, -1 - place) += value;
        }
      }
      closure()->right_side()[i] += row.dot(element.t.template head<kHalf>()) +
                                    row.template head<kT>().dot(form_.Translation(centripetal));
    }
  }
}

// (2), block by block.
template <int Dimension>
Status OverallFormulation<Dimension>::SolveBlocks() {
  if (!lu_.Factorise()) {
    if (!lu_.was_finite()) {
      return {Status::Code::kNotFinite, -1, -1, "a state vector is not finite"};
    }
    return {Status::Code::kSingular, -1, -1, "the overall transfer matrix is singular"};
  }
  unknowns_ = right_;
  lu_.Solve(unknowns_);
  if (!closure()) return {};
  lu_.Solve(B_);
  const int rows = deduction_.cut_forces;
  double* const A = closure()->ClearedMatrix();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j <= i; ++j) A[i * rows + j] = D_(i, j) - C_.row(i).dot(B_.col(j));
    closure()->right_side()[i] += C_.row(i).dot(unknowns_);
  }
  // What a cut force moves only by round-off (both ends on one rigid assembly) it does not move.
  for (int i = 0; i < rows; ++i) {
    const double terms =
        std::abs(D_(i, i)) + C_.row(i).cwiseAbs().dot(B_.col(i).cwiseAbs().transpose());
    if (std::abs(A[i * rows + i]) > kRoundOff * terms) continue;
    for (int j = 0; j <= i; ++j) A[i * rows + j] = 0;
    for (int j = i; j < rows; ++j) A[j * rows + i] = 0;
  }
  const Status status = closure()->Solve(Norm(system().gravity));
  for (int i = 0; i < rows; ++i) unknowns_ -= closure()->multiplier(i) * B_.col(i);
  return status;
}

// State vectors by the same transfer matrices, once the boundaries are known.
template <int Dimension>
void OverallFormulation<Dimension>::StatesFromTheTips(double* ydot) {
  for (std::size_t k = elements_.size(); k-- > 0;) {
    Element& element = elements_[k];
    const TreeElement& e = tree_.elements[k];
    const DeducedElement& d = deduction_.elements[k];
    FullVector z = FullVector::Zero();
    if (d.first_input < 0) {
      z.template head<kHalf>() = unknowns_.template segment<kHalf>(Unknown(d.tip_column));
    }
    for (const Cut& cut : element.cuts) {
      const JointReaction reaction = closure()->ReactionOf(cut.deduced.loop);
      z.template tail<kHalf>() += InputOf(cut, element.r_OI, reaction.force, reaction.torque);
    }
    if (d.first_input >= 0) {
      const Element& first = elements_[static_cast<std::size_t>(d.first_input)];
      const DeducedElement& at = deduction_.elements[static_cast<std::size_t>(d.first_input)];
      z += first.z;
      for (int c = at.next_input; c >= 0;
           c = deduction_.elements[static_cast<std::size_t>(c)].next_input) {
        const Element& input = elements_[static_cast<std::size_t>(c)];
        z.template tail<kHalf>() += input.to_first * input.z.template tail<kHalf>();
      }
      z.template head<kHalf>() -= first.joint.c;
      if (variant_ == ClassicalVariant::kGeneral) {
        z.template head<kHalf>() -=
            first.joint.H * unknowns_.segment(Unknown(at.hinge_column), at.free_axes);
      } else {
        const HalfVector z_b = element.hinge.B * z.template head<kHalf>() +
                               element.hinge.A * z.template tail<kHalf>() + element.hinge.b;
        z.template head<kHalf>() = z_b;
      }
      // udot of the joints on the inputs: what z_b loses along their free axes
      for (int c = d.first_input; c >= 0;
           c = deduction_.elements[static_cast<std::size_t>(c)].next_input) {
        const Element& input = elements_[static_cast<std::size_t>(c)];
        const DeducedElement& in = deduction_.elements[static_cast<std::size_t>(c)];
        if (in.hinge_column >= 0) continue;
        const HalfVector lost = input.z.template head<kHalf>() - input.joint.c -
                                input.X * z.template head<kHalf>() - input.x_5;
        PutRates(tree_.elements[static_cast<std::size_t>(c)], input.joint.H.transpose() * lost,
                 ydot);
      }
    }
    element.z = element.U * z + element.u_5;
    if (d.hinge_column >= 0)
      PutRates(e, unknowns_.segment(Unknown(d.hinge_column), d.free_axes), ydot);
  }
}

template <int Dimension>
Status OverallFormulation<Dimension>::Solve(double, std::span<const double> y,
                                            std::span<double> ydot) {
  Move(y, ydot, motions_.data(),
       [this](std::size_t k, const Vec<double>& f_C, const Vec<double>& m_C) {
         elements_[k].f_C = f_C;
         elements_[k].m_C = m_C;
       });
  CalcElements();
  if (closure()) CalcCuts(y);
  SweepToRoot();
  const Status status = singular_tip_.ok() ? SolveBlocks() : singular_tip_;
  if (status.ok()) StatesFromTheTips(ydot.data());
  return status;
}

template <int Dimension>
void OverallFormulation<Dimension>::OutputStates(std::span<OutputState> states) const {
  for (std::size_t k = 0; k < states.size(); ++k) {
    const FullVector& z = elements_[k].z;
    states[k] = {form_.TranslationInSpace(z.template segment<kT>(Layout::kA)),
                 form_.RotationInSpace(z.template segment<kR>(Layout::kAlpha)),
                 form_.RotationInSpace(z.template segment<kR>(Layout::kM)),
                 form_.TranslationInSpace(z.template segment<kT>(Layout::kQ))};
  }
}

template <int Dimension>
SolvedCondition OverallFormulation<Dimension>::ConditionAt(double t, std::span<const double> y) {
  std::vector<double> ydot(y.size());
  Evaluate(t, y, ydot);  // also a failed one has factorised, or is singular
  return {lu_.ConditionNumber(),
          "overall transfer equation without its supplement equations (estimated)",
          static_cast<int>(right_.size()) + deduction_.cut_forces};
}

template class OverallFormulation<2>;
template class OverallFormulation<3>;

}  // namespace mbsbench
