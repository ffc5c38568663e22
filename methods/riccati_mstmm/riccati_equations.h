// The Riccati sweeps with general hinges as they are read, on any scalar: z_a = S z_b + e with S of 6 x 6, the steps (a) to
// (e) of general_sweep.h in their order. What those sweeps carry out by hand on 21 numbers; round-off is measured here.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/riccati_mstmm/riccati_recursion.h"
#include "methods/transfer_elements/element_form.h"

namespace mbsbench {

// External force at the mass centre and moment, without gravity.
template <class T>
struct ExternalForce {
  Vec<T> f_C, m_C;
};

template <class T>
class RiccatiEquations {
 public:
  // `tree` must outlive this object.
  explicit RiccatiEquations(const JointTree& tree)
      : motions(tree.elements.size() + 1),
        forces(motions.size()),
        tree_(tree),
        pairs_(motions.size()),
        hinges_(motions.size()) {
    motions[0].A = Identity<T>();
    hinges_[0].z_b << -AsEigen(Raise<T>(tree.gravity)),
        Vector::Zero();  // accelerations less gravity
  }

  std::vector<ElementMotion<T>> motions;  // by CalcMotion and, of driven joints, DriveJoint
  std::vector<ExternalForce<T>> forces;   // at the mass centres, beside gravity

  // The rates of the joints' rates, from y = [q; u]. A joint without inertia about its free axes leaves no finite number.
  void Evaluate(const T* y, T* ydot) {
    // (A) from the tips, S = 0 and e = 0 (34), to the root
    pairs_.assign(pairs_.size(), {});
    for (std::size_t k = motions.size() - 1; k > 0; --k) {
      AddBody(k);
      PassHinge(k, y);
      MoveToParent(k);
    }
    // (B) from the root, z_b = (-g, 0), to the tips
    for (std::size_t k = 1; k < motions.size(); ++k) Return(k, ydot);
  }

 private:
  using Types = TransferTypes<3, T>;
  using Vector = typename Types::Translation;
  using Matrix = typename Types::RotationMatrix;
  using Half = typename Types::HalfVector;
  using HalfMatrix = typename Types::HalfMatrix;
  using Pair = RiccatiCoefficients<3, T>;
  using Columns = Eigen::Matrix<T, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  using Rates = Eigen::Matrix<T, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;
  using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

  struct Hinge {
    Columns H;  // free axes, z_b,I = z_b + H udot; none where the joint is driven
    Eigen::Matrix<T, Eigen::Dynamic, 6, Eigen::ColMajor, 6, 6> by_z_b;  // udot = free - by_z_b z_b
    Rates free;
    Half z_b;  // in the output end of the body
  };

  const TreeElement& Element(std::size_t k) const { return tree_.elements[k - 1]; }
  std::size_t Parent(std::size_t k) const { return static_cast<std::size_t>(Element(k).parent); }
  // P z_a = (q, -m), which pairs with z_b = (a, alpha).
  template <class Rows>
  static auto Paired(const Rows& z_a) {
    auto paired = z_a.eval();
    paired.template topRows<3>() = z_a.template bottomRows<3>();
    paired.template bottomRows<3>() = -z_a.template topRows<3>();
    return paired;
  }

  // (a) m = m_body r_OC x a + J_O alpha + omega x J_O omega - r_OC x f_C - m_C
  // (b) q = -m_body (a + alpha x r_OC) - m_body omega x (omega x r_OC) + f_C
  void AddBody(std::size_t k) {
    const TreeElement& body = Element(k);
    const Matrix A = AsEigen(motions[k].A);
    const Vector omega = AsEigen(motions[k].omega), r_OC = A * AsEigen(Raise<T>(body.r_OC));
    const Matrix J_O = A * AsEigen(body.J_O).template cast<T>() * A.transpose();
    const Vector f_C = AsEigen(forces[k].f_C), m_C = AsEigen(forces[k].m_C);
    const T mass(body.mass);
    Pair& at_O = pairs_[k];
    HalfMatrix own;
    own << mass * TildeBeforeForce(r_OC), J_O, -mass * Matrix::Identity(),
        mass * TildeBeforeRotation(r_OC);
    at_O.S += own;
    at_O.e.template head<3>() += GyroscopicMoment(omega, J_O) - r_OC.cross(f_C) - m_C;
    at_O.e.template tail<3>() += -mass * CentripetalPart(omega, r_OC) + f_C;
  }

  // (c) z_b,I = z_b + H udot, H'P z_a = -tau; with M = -P S
  // (d) udot = (H'MH)^-1 (tau + H'P e - H'M z_b), and with it z_a = S (z_b + H udot) + e
  void PassHinge(std::size_t k, const T* y) {
    const TreeElement& e = Element(k);
    const ElementMotion<T>& m = motions[k];
    Pair& pair = pairs_[k];
    Hinge& hinge = hinges_[k];
    Columns& H = hinge.H;
    ForHinge(e, [&](auto joint) {
      using Joint = decltype(joint);
      H.setZero(6, Joint::kRates);
      ForEachColumn<Joint>(m.A, y + e.q, [&](int i, bool turns, const Vec<T>& direction) {
        H.col(i).template segment<3>(turns ? 3 : 0) = AsEigen(direction);
      });
    });
    if (H.cols() == 0) return;
    const HalfMatrix M = -Paired(pair.S);
    const Eigen::LDLT<Square> pivot(H.transpose() * M * H);
    Rates drive = H.transpose() * Paired(pair.e);
    if (H.cols() == 1) drive[0] += m.tau;
    hinge.by_z_b = pivot.solve(H.transpose() * M);
    hinge.free = pivot.solve(drive);
    pair.e += pair.S * (H * hinge.free);
    pair.S -= pair.S * H * hinge.by_z_b;
  }

  // (e) a = a_O + alpha_O x d + h_a, alpha = alpha_O + h_alpha; q_O = q, m_O = m - d x q
  void MoveToParent(std::size_t k) {
    const HalfMatrix X = Shift(k);  // of z_b; of z_a = (m, q) too
    Pair& parent = pairs_[Parent(k)];
    parent.S += X * pairs_[k].S * X;
    parent.e += X * (pairs_[k].S * Bias(k) + pairs_[k].e);
  }
  HalfMatrix Shift(std::size_t k) const {
    HalfMatrix X = HalfMatrix::Identity();
    X.template topRightCorner<3, 3>() = -TildeBeforeForce(AsEigen(motions[k].d));
    return X;
  }
  Half Bias(std::size_t k) const {
    const ElementMotion<T>& m = motions[k];
    return (Half() << AsEigen(m.h_a), AsEigen(AngularBias(Element(k), motions[Parent(k)], m)))
        .finished();
  }

  // (33): (e), (d) and (c) from the root side, whose z_b is known
  void Return(std::size_t k, T* ydot) {
    Hinge& hinge = hinges_[k];
    hinge.z_b = Shift(k) * hinges_[Parent(k)].z_b + Bias(k);
    if (hinge.H.cols() > 0) {
      const Rates udot = hinge.free - hinge.by_z_b * hinge.z_b;
      hinge.z_b += hinge.H * udot;
      for (Eigen::Index i = 0; i < udot.size(); ++i) ydot[Element(k).u + i] = udot[i];
    } else if (Element(k).driven) {
      ydot[Element(k).u] = motions[k].tau;
    }
  }

  const JointTree& tree_;
  std::vector<Pair> pairs_;  // sums over the inputs of a body, then at its output end
  std::vector<Hinge> hinges_;
};

}  // namespace mbsbench
