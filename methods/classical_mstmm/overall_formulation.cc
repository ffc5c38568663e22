#include "methods/classical_mstmm/overall_formulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/thresholds/thresholds.h"
#include "methods/tree_motion/tip_inertia.h"

namespace mbsbench {

namespace {

// Only used in the 7 x 7 form, which is chosen if there is a plane.
Plane PlaneOf(const System& system, const TransferTree<double>& tree) {
  Plane plane;
  FindPlane(system, tree, plane);
  return plane;
}

}  // namespace

template <int Dimension>
OverallFormulation<Dimension>::OverallFormulation(const GivenSystem& given,
                                                  ClassicalVariant variant,
                                                  Stabilisation stabilisation)
    : TransferFormulation(given, stabilisation),
      variant_(variant),
      plane_(PlaneOf(given, tree_)),
      form_(tree_, system().gravity, plane_),
      deduction_(Deduce(given, tree_, Dimension, variant == ClassicalVariant::kPaper)),
      selections_(SelectConditions(tree_, Dimension, variant == ClassicalVariant::kPaper)),
      ends_(given, tree_),
      elements_(tree_.groups.size()),
      T_(2 * kHalf, deduction_.columns),
      lu_(deduction_.unknowns),
      overall_(lu_.matrix()),
      right_(deduction_.unknowns),
      unknowns_(deduction_.unknowns),
      B_(deduction_.unknowns, deduction_.cut_forces),
      C_(deduction_.cut_forces, deduction_.unknowns),
      D_(deduction_.cut_forces, deduction_.cut_forces),
      singular_tip_(FindTipWithoutInertia(given, tree_)) {}

template <int Dimension>
typename OverallFormulation<Dimension>::Column OverallFormulation<Dimension>::Rows(int column) {
  const int place = deduction_.place[static_cast<std::size_t>(column)];
  return {place >= 0 ? overall_.col(place).data() : B_.col(-1 - place).data(), deduction_.unknowns};
}

template <int Dimension>
void OverallFormulation<Dimension>::CalcElements() {
  for (std::size_t k = 1; k < elements_.size(); ++k) {
    Element& element = elements_[k];
    const SweepGroup<double>& group = tree_.groups[k];
    const GroupMotion<double>& m = motion_.motion(static_cast<int>(k));
    element.joint =
        FreeAxesOf<Dimension>(form_, group, m, motion_.motion(group.parent), joint_forces_[k]);
    // A tip's input end is a free boundary and can be anywhere: it is put at the output end.
    if (!tree_.IsTip(k)) element.r_OI = motion_.motion(tree_.first_input[k]).r;
    const BodyInstant<Dimension> body = form_.InstantOf(k, m, element.r_OI, loads_[k]);
    const typename Types::Transfer U = BodyTransfer(body);
    element.U = U.template topLeftCorner<2 * kHalf, 2 * kHalf>();
    element.u_5 = U.template topRightCorner<2 * kHalf, 1>();
    tree_.ForInputsFrom(tree_.first_input[k], [&](std::size_t c) {
      const Vec<double> r_I1Ik = motion_.motion(static_cast<int>(c)).r - element.r_OI;
      elements_[c].input.Set(form_.Translation(r_I1Ik), body.Omega);
    });
  }
}

// State at O_1, the input side I_1 of body k beyond its first hinge, for all its inputs.
template <int Dimension>
void OverallFormulation<Dimension>::AssembleInputs(std::size_t k) {
  Element& element = elements_[k];
  const DeducedElement& d = deduction_.elements[k];
  const auto I_1 = static_cast<std::size_t>(tree_.first_input[k]);
  const Element& first = elements_[I_1];
  const DeducedElement& first_deduced = deduction_.elements[I_1];
  const int begin = d.columns_begin, count = d.columns_end - d.columns_begin;
  element.t = first.t;
  PutCutForces(k);
  // (8), (9), (14): further inputs, their (m, q), and their side of the geometric equations
  tree_.ForInputsFrom(tree_.next_input[I_1], [&](std::size_t c) {
    const Element& input = elements_[c];
    const DeducedElement& at = deduction_.elements[c];
    const auto& Q = input.joint.Q;
    for (int j = at.columns_begin; j < at.columns_end; ++j) {
      const HalfVector z_b = T_.col(j).template head<kHalf>();
      const HalfVector z_a = T_.col(j).template tail<kHalf>();
      Rows(j).segment(at.geometric_row, Q.cols()) += Q.transpose() * z_b;
      T_.col(j).template head<kHalf>().setZero();
      T_.col(j).template tail<kHalf>() = input.input.to_first * z_a;
    }
    element.t.template tail<kHalf>() += input.input.to_first * input.t.template tail<kHalf>();
    right_.segment(at.geometric_row, Q.cols()) =
        -(Q.transpose() * (input.t.template head<kHalf>() - input.joint.c));
  });
  // the first hinge: z_b := z_b - H udot - c, or (10) to (13)
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
  // (14): the body's side of the geometric equations, over all its columns
  tree_.ForInputsFrom(tree_.next_input[I_1], [&](std::size_t c) {
    const Element& input = elements_[c];
    const DeducedElement& at = deduction_.elements[c];
    const auto& Q = input.joint.Q;
    const typename FreeAxes<Dimension>::Columns QX = input.input.X.transpose() * Q;
    for (int j = begin; j < begin + count; ++j) {
      Rows(j).segment(at.geometric_row, Q.cols()) -=
          QX.transpose() * T_.col(j).template head<kHalf>();
    }
    right_.segment(at.geometric_row, Q.cols()) +=
        QX.transpose() * element.t.template head<kHalf>() + Q.transpose() * input.input.x_5;
  });
}

// The equations of the joint at the output end of body k.
template <int Dimension>
void OverallFormulation<Dimension>::AssembleRows(std::size_t k) {
  const Element& element = elements_[k];
  const DeducedElement& d = deduction_.elements[k];
  const FreeAxes<Dimension>& joint = element.joint;
  const HalfVector w_5 = WrenchRows<Dimension>(element.t.template tail<kHalf>());
  // (15): H'w = tau, without the conditions that eqs 10 to 13 have used
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
  // (18), main transfer equation: T x + t - z_root = 0
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
  for (std::size_t k = elements_.size() - 1; k > 0; --k) {
    Element& element = elements_[k];
    const DeducedElement& d = deduction_.elements[k];
    if (tree_.IsTip(k)) {
      T_.middleCols(d.tip_column, kHalf).setIdentity();
      element.t.setZero();
      PutCutForces(k);
    } else {
      AssembleInputs(k);
    }
    // (19): through the body
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
    const CutBoundary& cut, const Vec<double>& r_OI, const Vector3& force,
    const Vector3& moment) const {
  const double sign = cut.side == 0 ? 1 : -1;
  const Vec<double> f = sign * Lifted(force), n = sign * Lifted(moment);
  HalfVector z_a;
  z_a.template head<kR>() = form_.Rotation(-n - Cross(ends_.arm(cut.loop, cut.side) - r_OI, f));
  z_a.template tail<kT>() = form_.Translation(f);
  return z_a;
}

// Columns of the cut forces at I_1 of body k.
template <int Dimension>
void OverallFormulation<Dimension>::PutCutForces(std::size_t k) {
  const Element& element = elements_[k];
  for (const CutBoundary& cut : deduction_.elements[k].cuts) {
    for (int i = 0; i < cut.rows; ++i) {
      const LoopRow& row = closure()->row(cut.first_row + i);
      auto column = T_.col(cut.column + i);
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
  for (const CutBoundary& cut : deduction_.elements[k].cuts) {
    const Vec<double> centripetal =
        DoubleCross(motion_.motion(static_cast<int>(k)).omega, ends_.arm(cut.loop, cut.side));
    for (int i = cut.first_row; i < cut.first_row + cut.rows; ++i) {
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
  // A response at the level of round-off counts as none: of both ends on one rigid assembly, or of a joint on the axis of others.
  // Round-off of the transfer matrices enters it once, that of a symmetric form twice.
  for (int i = 0; i < rows; ++i) {
    const double terms =
        std::abs(D_(i, i)) + C_.row(i).cwiseAbs().dot(B_.col(i).cwiseAbs().transpose());
    if (std::abs(A[i * rows + i]) > kThresholds.response_left * std::max(terms, closure()->unit(i)))
      continue;
    for (int j = 0; j <= i; ++j) A[i * rows + j] = 0;
    for (int j = i; j < rows; ++j) A[j * rows + i] = 0;
  }
  const Status status = closure()->Solve([this] { return ends_.TypicalAcceleration(motion_); });
  for (int i = 0; i < rows; ++i) unknowns_ -= closure()->multiplier(i) * B_.col(i);
  return status;
}

// State vectors by the same transfer matrices, once the boundaries are known.
template <int Dimension>
void OverallFormulation<Dimension>::StatesFromTheTips(double* ydot) {
  for (std::size_t k = elements_.size() - 1; k > 0; --k) {
    Element& element = elements_[k];
    const DeducedElement& d = deduction_.elements[k];
    FullVector z = FullVector::Zero();
    if (tree_.IsTip(k))
      z.template head<kHalf>() = unknowns_.template segment<kHalf>(Unknown(d.tip_column));
    for (const CutBoundary& cut : d.cuts) {
      const JointReaction reaction = closure()->ReactionOf(cut.loop);
      z.template tail<kHalf>() += InputOf(cut, element.r_OI, reaction.force, reaction.torque);
    }
    if (!tree_.IsTip(k)) {
      const auto I_1 = static_cast<std::size_t>(tree_.first_input[k]);
      const Element& first = elements_[I_1];
      const DeducedElement& at = deduction_.elements[I_1];
      z += first.z;
      tree_.ForInputsFrom(tree_.next_input[I_1], [&](std::size_t c) {
        const Element& input = elements_[c];
        z.template tail<kHalf>() += input.input.to_first * input.z.template tail<kHalf>();
      });
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
      tree_.ForInputsFrom(tree_.first_input[k], [&](std::size_t c) {
        const Element& input = elements_[c];
        if (deduction_.elements[c].hinge_column >= 0) return;
        const HalfVector lost = input.z.template head<kHalf>() - input.joint.c -
                                input.input.X * z.template head<kHalf>() - input.input.x_5;
        PutRates(tree_.groups[c], input.joint.H.transpose() * lost, ydot);
      });
    }
    element.z = element.U * z + element.u_5;
    if (d.hinge_column >= 0) {
      PutRates(tree_.groups[k], unknowns_.segment(Unknown(d.hinge_column), d.free_axes), ydot);
    }
  }
}

template <int Dimension>
Status OverallFormulation<Dimension>::Solve(double t, std::span<const double> y,
                                            std::span<double> ydot) {
  Move(t, y, ydot);
  CalcElements();
  if (closure()) ends_.CalcRows(y.data(), motion_, *closure());
  SweepToRoot();
  const Status status = singular_tip_.ok() ? SolveBlocks() : singular_tip_;
  if (status.ok()) StatesFromTheTips(ydot.data());
  return status;
}

template <int Dimension>
TransferFormulation::OutputState OverallFormulation<Dimension>::StateAtOutput(std::size_t k) const {
  const FullVector& z = elements_[k].z;
  return {form_.TranslationInSpace(z.template segment<kT>(Layout::kA)),
          form_.RotationInSpace(z.template segment<kR>(Layout::kAlpha)),
          form_.RotationInSpace(z.template segment<kR>(Layout::kM)),
          form_.TranslationInSpace(z.template segment<kT>(Layout::kQ))};
}

template <int Dimension>
SolvedCondition OverallFormulation<Dimension>::ConditionAt(double t, std::span<const double> y) {
  std::vector<double> ydot(y.size());
  Evaluate(t, y, ydot);  // even a failed evaluation has factorised, or is singular
  return {lu_.ConditionNumber(),
          "overall transfer equation without its supplement equations (estimated)",
          static_cast<int>(right_.size()) + deduction_.cut_forces};
}

template class OverallFormulation<2>;
template class OverallFormulation<3>;

}  // namespace mbsbench
