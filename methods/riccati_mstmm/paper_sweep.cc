#include "methods/riccati_mstmm/paper_sweep.h"

#include <algorithm>
#include <limits>

namespace mbsbench {

namespace {

// Only used in the 7 x 7 form, which is chosen if there is a plane.
Plane PlaneOf(const System& system, const TransferTree<double>& tree) {
  Plane plane;
  FindPlane(system, tree, plane);
  return plane;
}

bool IsBallHinge(const SweepGroup<double>& group) {
  return ForMovingJoint(group.type, [](auto joint) { return joint.kTurnsFreely; });
}

}  // namespace

template <int Dimension>
RiccatiPaper<Dimension>::RiccatiPaper(const GivenSystem& system)
    : TransferFormulation(system),
      form_(tree_, TransferFormulation::system().gravity, PlaneOf(system, tree_)),
      elements_(tree_.groups.size()) {}

template <int Dimension>
Status RiccatiPaper<Dimension>::SweepToRoot() {
  for (std::size_t k = elements_.size() - 1; k > 0; --k) {
    Element& element = elements_[k];
    const auto first = static_cast<std::size_t>(tree_.first_input[k]);
    const BodyInstant<Dimension> body = InstantOf(k);
    const typename Types::Transfer U = BodyTransfer(body);
    RearrangedTransfer<Dimension> t = Rearranged<Dimension, double>(U);
    element.through_body.P = InverseThroughBody(t);

    if (tree_.HasOneInput(k)) {
      // hinge before the body, eq. 10
      const Element& inboard = elements_[first];
      const auto hinge = Rearranged<Dimension, double>(BallHingeTransfer<Dimension, double>(U));
      BackSubstitution<Dimension> through_hinge;
      if (!InverseThroughHinge(hinge, inboard.coefficients, through_hinge.P)) {
        const bool finite = inboard.coefficients.S.allFinite() &&
                            inboard.coefficients.e.allFinite() && U.allFinite();
        return Failed(
            first, finite ? Status::Code::kSingular : Status::Code::kNotFinite,
            finite ? "the pivot T21 S + T22 of the hinge vanishes" : "a value is not finite");
      }
      const auto behind = Advanced(hinge, inboard.coefficients, through_hinge);
      element.coefficients = Advanced(t, behind, element.through_body);
      // (A) through the hinge: alpha = N [a; G a + g] - q, with N the lower rows of T21 S + T22;
      // then through the body, a = a_O - E_1 alpha - E_2
      const Eigen::Matrix<double, kR, Layout::kHalf> N =
          hinge.T21.template bottomRows<kR>() * inboard.coefficients.S +
          hinge.T22.template bottomRows<kR>();
      const Eigen::Matrix<double, kR, kT> G =
          N.template leftCols<kT>() + N.template rightCols<kR>() * inboard.G;
      const typename Types::Rotation g =
          N.template rightCols<kR>() * inboard.g - through_hinge.q.template tail<kR>();
      const auto E1 = t.T22.template topRightCorner<kT, kR>();
      const auto E2 = t.f_b.template head<kT>();
      const typename Types::RotationMatrix r =
          (Types::RotationMatrix::Identity() + G * E1).inverse();
      element.G = r * G;
      element.g = r * (g - G * E2);
      continue;
    }
    // free input end, with what further chains transmit in a body with several inputs
    tree_.ForInputsFrom(tree_.first_input[k], [&](std::size_t input) {
      const Element& chain = elements_[input];
      const Vec<double>& r_OIk = motion_.motion(static_cast<int>(input)).r;
      const auto& S = chain.coefficients.S;
      const Eigen::Matrix<double, Layout::kHalf, kT> X =
          S.template leftCols<kT>() + S.template rightCols<kR>() * chain.G;
      const typename Types::HalfVector x =
          S.template rightCols<kR>() * chain.g + chain.coefficients.e;
      const typename Types::HalfMatrix columns =
          InputColumns<Dimension, double>(form_.Translation(-r_OIk));
      const typename Types::Translation r_O1Ik = body.r_IO + form_.Translation(r_OIk);
      const Eigen::Matrix<double, Layout::kHalf, kT> F = columns * X;
      t.T12.template leftCols<kT>() += F;
      t.T12.template rightCols<kR>() -= F * TildeBeforeRotation(r_O1Ik);  // E_1,Ik
      t.f_a += F * CentripetalPart(body.Omega, r_O1Ik) + columns * x;     // E_2,Ik
    });
    element.coefficients = Advanced(t, RiccatiCoefficients<Dimension>{}, element.through_body);
    // (A): m = 0 at this output end
    const auto& S = element.coefficients.S;
    const typename Types::RotationMatrix S_m = S.template block<kR, kR>(0, kT);
    const typename Types::RotationMatrix inverse = S_m.inverse();
    if (!(kThresholds.no_inertia * S_m.norm() * inverse.norm() < 1)) {
      const bool finite = S.allFinite();
      return Failed(k, finite ? Status::Code::kSingular : Status::Code::kNotFinite,
                    finite ? "the tip side has no inertia about the joint's free axes"
                           : "a value is not finite");
    }
    element.G = -inverse * S.template topLeftCorner<kR, kT>();
    element.g = -inverse * element.coefficients.e.template head<kR>();
  }
  return {};
}

template <int Dimension>
void RiccatiPaper<Dimension>::SweepToTips(double* ydot) {
  for (std::size_t k = 1; k < elements_.size(); ++k) {
    Element& element = elements_[k];
    const SweepGroup<double>& group = tree_.groups[k];
    const GroupMotion<double>&m = motion_.motion(static_cast<int>(k)),
          &p = motion_.motion(group.parent);
    typename Types::Translation a = Types::Translation::Zero();  // of the ground
    typename Types::Rotation alpha_root_side = Types::Rotation::Zero();
    if (group.parent > 0) {
      const auto& z_b = elements_[static_cast<std::size_t>(group.parent)].z_b;
      const typename Types::Translation r = form_.Translation(m.r);
      alpha_root_side = z_b.template tail<kR>();
      a = z_b.template head<kT>() - TildeBeforeRotation(r) * alpha_root_side +
          CentripetalPart(form_.Rotation(p.omega), r);
    }
    const typename Types::Rotation alpha = element.G * a + element.g;
    element.z_b.template head<kT>() = a;
    element.z_b.template tail<kR>() = alpha;
    const Vec<double> relative =
        form_.RotationInSpace(alpha - alpha_root_side) - Cross(p.omega, m.omega);
    if constexpr (Dimension == 3) {
      PutRates(group, AsEigen(TransposeTimes(m.R, relative)), ydot);
    } else {
      PutRates(group, Eigen::Matrix<double, 1, 1>(Dot(AxisOf(m.R), relative)), ydot);
    }
  }
}

// Ball hinges of the plane rotate about their z axes.
template <int Dimension>
Status RiccatiPaper<Dimension>::StaysInPlane(const double* y) const {
  if constexpr (Dimension == 3) return {};
  constexpr double kMost = kThresholds.out_of_plane;
  for (std::size_t k = 1; k < tree_.groups.size(); ++k) {
    const SweepGroup<double>& group = tree_.groups[k];
    if (!IsBallHinge(group)) continue;
    const double* const q = y + group.q;
    const double* const u = y + group.u;
    using std::abs;
    if (abs(q[1]) + abs(q[2]) > kMost || abs(u[0]) + abs(u[1]) > kMost) {
      return Failed(k, Status::Code::kSingular,
                    "the motion leaves the plane, and in space T21 S + T22 is singular after the "
                    "second ball hinge of a chain");
    }
  }
  return {};
}

template <int Dimension>
Status RiccatiPaper<Dimension>::Solve(double t, std::span<const double> y, std::span<double> ydot) {
  Move(t, y, ydot);
  Status status = StaysInPlane(y.data());
  if (status.ok()) status = SweepToRoot();
  if (status.ok()) SweepToTips(ydot.data());
  return status;
}

template <int Dimension>
SolvedCondition RiccatiPaper<Dimension>::ConditionAt(double t, std::span<const double> y) {
  SolvedCondition condition{1, "largest of the matrices T21 S + T22 inverted at the hinges",
                            Layout::kHalf};
  std::vector<double> ydot(y.size());
  if (!Evaluate(t, y, ydot).ok()) {
    condition.number = std::numeric_limits<double>::infinity();
    return condition;
  }
  for (std::size_t k = 1; k < elements_.size(); ++k) {
    if (!tree_.HasOneInput(k)) continue;
    const auto first = static_cast<std::size_t>(tree_.first_input[k]);
    const typename Types::Transfer U = BodyTransfer(InstantOf(k));
    const auto hinge = Rearranged<Dimension, double>(BallHingeTransfer<Dimension, double>(U));
    const typename Types::HalfMatrix N = hinge.T21 * elements_[first].coefficients.S + hinge.T22;
    typename Types::HalfMatrix P;
    InverseThroughHinge(hinge, elements_[first].coefficients, P);
    const auto norm = [](const auto& A) { return A.cwiseAbs().colwise().sum().maxCoeff(); };
    condition.number = std::max(condition.number, norm(N) * norm(P));
  }
  return condition;
}

template <int Dimension>
TransferFormulation::OutputState RiccatiPaper<Dimension>::StateAtOutput(std::size_t k) const {
  const Element& element = elements_[k];
  const typename Types::HalfVector z_a =
      element.coefficients.S * element.z_b + element.coefficients.e;
  return {form_.TranslationInSpace(element.z_b.template head<kT>()),
          form_.RotationInSpace(element.z_b.template tail<kR>()),
          form_.RotationInSpace(z_a.template head<kR>()),
          form_.TranslationInSpace(z_a.template tail<kT>())};
}

template class RiccatiPaper<2>;
template class RiccatiPaper<3>;

}  // namespace mbsbench
