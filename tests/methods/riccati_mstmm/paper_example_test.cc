// The demonstration example of Rui, Bestle, Wang et al. 2020, Sect. 5.1, matrix by matrix at random
// states. Eqs 38 to 41, 45 to 47, 61 and 62 are taken as the paper prints them. Those missing from our text of
// it (36, 43, 44, 49, 52, 55) are written out by hand from eqs 4, 5, 8, 10, 12, 13 and 16. Only
// the solver's functions under test come from the library.
//
// Slips of the paper, each corrected where it is used: eq. 46 entries (1,2) and (1,3); eq. 47
// "c_c"; eq. 52 has 2ma where u_32 and u_34 as printed give ma; eq. 59 has rank 7 of 9; eq. 62
// shows T22 in place of its inverse.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "methods/riccati_mstmm/riccati_recursion.h"
#include "methods/transfer_elements/body_transfer.h"
#include "methods/transfer_elements/hinge_transfer.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/transfer_elements/printed_matrices.h"
#include "tests/support/newton_euler_truth.h"

namespace mbsbench {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix7d = Eigen::Matrix<double, 7, 7>;

constexpr double kExact = 1e-13;  // relative to the largest entry

constexpr double m = 1, a = 0.5, g = 9.81, J_z = 4 * m * a * a / 3;

void ExpectEqual(const MatrixXd& ours, const MatrixXd& printed, const char* equation) {
  ASSERT_EQ(ours.rows(), printed.rows()) << equation;
  ASSERT_EQ(ours.cols(), printed.cols()) << equation;
  const double scale = std::max(1.0, printed.cwiseAbs().maxCoeff());
  EXPECT_LT((ours - printed).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), kExact * scale)
      << equation << "\nours\n"
      << ours << "\nprinted\n"
      << printed;
}

struct Rod {
  double theta = 0, rate = 0;
  double c = std::cos(theta), s = std::sin(theta);
  BodyInstant<2> Instant(double output_over_centre) const {
    BodyInstant<2> body;
    body.mass = m;
    body.r_IC = {a * c, a * s};
    body.r_IO = output_over_centre * body.r_IC;
    body.J_I << J_z;
    body.Omega << rate;
    body.f_C = {0, -m * g};
    body.m_C << 0;
    return body;
  }
};

// The four rods at a random state, with D = 3 cos(theta_3 - theta_5) + 2 of hinge 4 away from
// zero.
class PaperExample : public testing::TestWithParam<int> {
 protected:
  PaperExample() {
    RandomNumbers random(static_cast<std::uint64_t>(GetParam()));
    const auto rod = [&random] { return Rod{random.Between(-3, 3), random.Between(-2, 2)}; };
    do {
      r1 = rod(), r3 = rod(), r5 = rod(), r7 = rod();
    } while (std::abs(3 * std::cos(r3.theta - r5.theta) + 2) < 0.5);
    // Algorithm A for both chains
    U1 = BodyTransfer(r1.Instant(2)), U3 = BodyTransfer(r3.Instant(2)),
    U5 = BodyTransfer(r5.Instant(2));
    U4 = BallHingeTransfer<2, double>(U5);
    chain1 = Step(U1, {}, through1);
    chain3 = Step(U3, {}, through3);
    const auto t4 = Rearranged<2, double>(U4);
    EXPECT_TRUE(InverseThroughHinge(t4, chain3, through4.P));
    hinge4 = Advanced(t4, chain3, through4);
    chain5 = Step(U5, hinge4, through5);
    const std::vector<Eigen::Vector2d> r_I1I2{Eigen::Vector2d(2 * a * r7.c, 2 * a * r7.s)};
    U7 = BodyTransfer<2, double>(r7.Instant(1), r_I1I2);
    U8_1 = MultiHingeTransfer<2, double>(U7, 1);
    U8_2 = MultiHingeTransfer<2, double>(U7, 2);
    H_rm = AccelerationAndMomentOfState<2>();
    H_12 = AccelerationAndMomentOfInput<2, double>(r_I1I2[0], r7.Instant(1).Omega, 2, 2);
  }

  static RiccatiCoefficients<2> Step(const Matrix7d& U, const RiccatiCoefficients<2>& in,
                                     BackSubstitution<2>& through) {
    const auto t = Rearranged<2, double>(U);
    through.P = InverseThroughBody(t);
    return Advanced(t, in, through);
  }
  // Eq. 25.
  static Vector3d InputState(const BackSubstitution<2>& through, const Vector3d& z_b_output) {
    return through.P * (z_b_output + through.q);
  }
  // Eqs 42 and 48.
  static MatrixXd TipMatrix(const RiccatiCoefficients<2>& c) {
    MatrixXd U = MatrixXd::Zero(7, 4);
    U.topLeftCorner<3, 3>().setIdentity();
    U.block<3, 3>(3, 0) = c.S;
    U.block<3, 1>(3, 3) = c.e;
    U(6, 3) = 1;
    return U;
  }

  Rod r1, r3, r5, r7;
  Matrix7d U1, U3, U4, U5;
  RiccatiCoefficients<2> chain1, chain3, hinge4, chain5;
  BackSubstitution<2> through1, through3, through4, through5;
  MatrixXd U7, U8_1, U8_2, H_rm, H_12;
};

MatrixXd RodByHand(const Rod& r) {  // eq. 36
  const double c = r.c, s = r.s, w2 = r.rate * r.rate;
  MatrixXd U(7, 7);
  U << 1, 0, -2 * a * s, 0, 0, 0, -2 * a * c * w2,                                          //
      0, 1, 2 * a * c, 0, 0, 0, -2 * a * s * w2,                                            //
      0, 0, 1, 0, 0, 0, 0,                                                                  //
      m * a * s, -m * a * c, -2 * m * a * a / 3, 1, -2 * a * s, 2 * a * c, -m * a * g * c,  //
      -m, 0, m * a * s, 0, 1, 0, m * a * c * w2,                                            //
      0, -m, -m * a * c, 0, 0, 1, m * a * s * w2 - m * g,                                   //
      0, 0, 0, 0, 0, 0, 1;
  return U;
}

TEST_P(PaperExample, Eq36And37And38BodyMatricesAndTheirRearrangement) {
  ExpectEqual(U1, RodByHand(r1), "eq. 36, body 1");
  ExpectEqual(U3, RodByHand(r3), "eq. 36, body 3");
  ExpectEqual(U5, RodByHand(r5), "eq. 36, body 5");
  const double c1 = r1.c, s1 = r1.s, w2 = r1.rate * r1.rate;
  const auto t = Rearranged<2, double>(U1);
  Matrix3d T11, T12, T22;
  T11 << 1, -2 * a * s1, 2 * a * c1, 0, 1, 0, 0, 0, 1;
  T12 << m * a * s1, -m * a * c1, -2 * m * a * a / 3, -m, 0, m * a * s1, 0, -m, -m * a * c1;
  T22 << 1, 0, -2 * a * s1, 0, 1, 2 * a * c1, 0, 0, 1;
  ExpectEqual(t.T11, T11, "eq. 38, T11");
  ExpectEqual(t.T12, T12, "eq. 38, T12");
  ExpectEqual(t.T21, Matrix3d::Zero(), "eq. 38, T21");
  ExpectEqual(t.T22, T22, "eq. 38, T22");
  ExpectEqual(t.f_a, Vector3d(-m * a * g * c1, m * a * c1 * w2, m * a * s1 * w2 - m * g),
              "eq. 38, f_a");
  ExpectEqual(t.f_b, Vector3d(-2 * a * c1 * w2, -2 * a * s1 * w2, 0), "eq. 38, f_b");
}

Matrix3d S2ByHand(const Rod& r) {  // eq. 39
  Matrix3d S;
  S << m * a * r.s, -m * a * r.c, 4 * m * a * a / 3, -m, 0, -m * a * r.s, 0, -m, m * a * r.c;
  return S;
}
Vector3d e2ByHand(const Rod& r) {  // eq. 40
  const double w2 = r.rate * r.rate;
  return {-m * a * g * r.c, -m * a * r.c * w2, -m * a * r.s * w2 - m * g};
}

TEST_P(PaperExample, Eq39To43TipCoefficients) {
  for (const auto& [rod, chain, U] : {std::tie(r1, chain1, U1), std::tie(r3, chain3, U3)}) {
    ExpectEqual(chain.S, S2ByHand(rod), "eq. 39");
    ExpectEqual(chain.e, e2ByHand(rod), "eq. 40");
    MatrixXd tip(7, 4);  // eq. 43
    const double c = rod.c, s = rod.s, w2 = rod.rate * rod.rate;
    tip << 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,                     //
        m * a * s, -m * a * c, 4 * m * a * a / 3, -m * a * g * c,  //
        -m, 0, -m * a * s, -m * a * c * w2,                        //
        0, -m, m * a * c, -m * a * s * w2 - m * g, 0, 0, 0, 1;
    ExpectEqual(TipMatrix(chain), tip, "eqs 42, 43");
    // eq. 41 is what the transfer of any free tip obeys
    const VectorXd z_O = U * (VectorXd(7) << 0.3, -0.7, 1.1, 0, 0, 0, 1).finished();
    ExpectEqual(z_O.segment(3, 3), chain.S * z_O.head(3) + chain.e, "eq. 41");
  }
}

TEST_P(PaperExample, Eq44And45Hinge4) {
  const double c5 = r5.c, s5 = r5.s;
  MatrixXd U(7, 7);
  U.setIdentity();
  U.row(2) << 3 * s5 / (2 * a), -3 * c5 / (2 * a), 0, 3 / (2 * m * a * a), -3 * s5 / (m * a),
      3 * c5 / (m * a), -3 * g * c5 / (2 * a);
  ExpectEqual(U4, U, "eq. 44");
  const auto t = Rearranged<2, double>(U4);
  Matrix3d T21 = Matrix3d::Zero(), T22 = Matrix3d::Zero();
  T21.row(2) << 3 / (2 * m * a * a), -3 * s5 / (m * a), 3 * c5 / (m * a);
  T22 << 1, 0, 0, 0, 1, 0, 3 * s5 / (2 * a), -3 * c5 / (2 * a), 0;
  ExpectEqual(t.T11, Matrix3d::Identity(), "eq. 45, T11");
  ExpectEqual(t.T12, Matrix3d::Zero(), "eq. 45, T12");
  ExpectEqual(t.T21, T21, "eq. 45, T21");
  ExpectEqual(t.T22, T22, "eq. 45, T22");
  ExpectEqual(t.f_a, Vector3d::Zero(), "eq. 45, f_a");
  ExpectEqual(t.f_b, Vector3d(0, 0, -3 * g * c5 / (2 * a)), "eq. 45, f_b");
  // P by its structure is the inverse that eq. 24 asks for
  ExpectEqual(through4.P, (t.T21 * chain3.S + t.T22).inverse(), "eq. 24");
}

TEST_P(PaperExample, Eq46And47CoefficientsAfterHinge4Corrected) {
  const double c3 = r3.c, s3 = r3.s, c5 = r5.c, s5 = r5.s, w2 = r3.rate * r3.rate;
  const double D = 3 * c3 * c5 + 3 * s3 * s5 + 2;
  const double X = g * (c3 + c5) + 2 * a * w2 * (s3 * c5 - c3 * s5) + 2 * g * c5;
  Matrix3d S3;
  S3 << 3 * m * a * (s3 * s3 * s5 + s3 * c3 * c5 - 2 * s5),
      -3 * m * a * (c3 * c3 * c5 + s3 * c3 * s5 - 2 * c5), 4 * m * a * a / 3,
      m / 2 * (3 * s3 * s3 + 3 * s3 * s5 - 6 * c3 * c5 - 4), -1.5 * m * s3 * (c3 + 3 * c5),
      -m * a * s3, -1.5 * m * c3 * (s3 + 3 * s5),
      m / 2 * (3 * c3 * c3 + 3 * c3 * c5 - 6 * s3 * s5 - 4), m * a * c3;
  S3 /= D;
  const Vector3d e3(2 * m * a * X / D - m * a * g * c3, -1.5 * m * s3 * X / D - m * a * w2 * c3,
                    1.5 * m * c3 * X / D - m * a * w2 * s3 - m * g);
  ExpectEqual(hinge4.S, S3, "eq. 46, corrected");
  ExpectEqual(hinge4.e, e3, "eq. 47, corrected");
  // As printed they do not hold.
  EXPECT_GT(std::abs(hinge4.S(0, 2) - 4 * m * a * a / D), 0.1 * std::abs(hinge4.S(0, 2)));
  EXPECT_GT(std::abs(hinge4.S(0, 1) + 3 * m * a * (c3 * c3 * c5 + s3 * c3 * c5 - 2 * c5) / D),
            1e-6);
}

TEST_P(PaperExample, Eq48SecondChainEndsWithoutMoment) {
  const MatrixXd tip = TipMatrix(chain5);
  // S4 and e4 are not printed; they must carry every state of the chain through hinge 4 and body 5,
  // with no moment at the end.
  const VectorXd z_b3 = (VectorXd(4) << 0.4, -0.2, 0.9, 1).finished();
  const VectorXd z_5 = U5 * (U4 * (TipMatrix(chain3) * z_b3));
  const double scale = z_5.cwiseAbs().maxCoeff();
  EXPECT_LT((tip * (VectorXd(4) << z_5[0], z_5[1], z_5[2], 1).finished() - z_5)
                .cwiseAbs()
                .maxCoeff<Eigen::PropagateNaN>(),
            10 * kExact * scale);
  EXPECT_LT(tip.row(3).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
            1e-12 * tip.cwiseAbs().maxCoeff());
}

TEST_P(PaperExample, Eq49To52BodyWithTwoInputsAndMultiHinge) {
  const double c7 = r7.c, s7 = r7.s, w2 = r7.rate * r7.rate;
  MatrixXd U(7, 10);
  U << 1, 0, -a * s7, 0, 0, 0, 0, 0, 0, -a * c7 * w2,                  //
      0, 1, a * c7, 0, 0, 0, 0, 0, 0, -a * s7 * w2,                    //
      0, 0, 1, 0, 0, 0, 0, 0, 0, 0,                                    //
      0, 0, m * a * a / 3, 1, -a * s7, a * c7, 1, a * s7, -a * c7, 0,  //
      -m, 0, m * a * s7, 0, 1, 0, 0, 1, 0, m * a * c7 * w2,            //
      0, -m, -m * a * c7, 0, 0, 1, 0, 0, 1, m * a * s7 * w2 - m * g,   //
      0, 0, 0, 0, 0, 0, 0, 0, 0, 1;
  ExpectEqual(U7, U, "eq. 49");
  MatrixXd first = MatrixXd::Zero(10, 7), second = MatrixXd::Zero(10, 7);
  first(0, 0) = first(1, 1) = first(3, 3) = first(4, 4) = first(5, 5) = first(9, 6) = 1;
  first.row(2) << 0, 0, 0, -3 / (m * a * a), 3 * s7 / (m * a), -3 * c7 / (m * a), 0;
  second(6, 3) = second(7, 4) = second(8, 5) = 1;
  second.row(2) << 0, 0, 0, -3 / (m * a * a), -3 * s7 / (m * a), 3 * c7 / (m * a), 0;
  ExpectEqual(U8_1, first, "eq. 52, I1");
  ExpectEqual(U8_2, second, "eq. 52, I2");
}

TEST_P(PaperExample, Eq55GeometricEquation) {
  const double c7 = r7.c, s7 = r7.s, w2 = r7.rate * r7.rate;
  MatrixXd picks = MatrixXd::Zero(3, 7), moves = MatrixXd::Zero(3, 10);
  picks(0, 0) = picks(1, 1) = picks(2, 3) = 1;
  moves << 1, 0, -2 * a * s7, 0, 0, 0, 0, 0, 0, -2 * a * c7 * w2,  //
      0, 1, 2 * a * c7, 0, 0, 0, 0, 0, 0, -2 * a * s7 * w2,        //
      0, 0, 0, 0, 0, 0, 1, 0, 0, 0;
  ExpectEqual(H_rm, picks, "eq. 55, H_r,m");
  ExpectEqual(H_12, moves, "eq. 55, H_O1,I2");
}

TEST_P(PaperExample, Eq57To62WithTheAddedConditionsGiveNewtonAndEulersAccelerations) {
  // eqs 53, 54, 57: U_all z_all = 0
  const MatrixXd tip1 = TipMatrix(chain1), tip2 = TipMatrix(chain5);
  MatrixXd U_all = MatrixXd::Zero(10, 15);
  U_all.topLeftCorner(7, 7) = -Matrix7d::Identity();
  U_all.block(0, 7, 7, 4) = U7 * U8_1 * tip1;
  U_all.block(0, 11, 7, 4) = U7 * U8_2 * tip2;
  U_all.block(7, 7, 3, 4) = H_12 * U8_1 * tip1;
  U_all.block(7, 11, 3, 4) = (H_12 * U8_2 - H_rm) * tip2;

  // eqs 59, 60: without columns 1, 2, 4 (x''_7,O = y''_7,O = m_z7,O = 0), columns of the ones to
  // the right, without row 7
  const int unknowns[] = {2, 4, 5, 7, 8, 9, 11, 12, 13}, ones[] = {6, 10, 14};
  MatrixXd U_bar(9, 9);
  VectorXd b = VectorXd::Zero(9);
  for (int i = 0, row = 0; i < 10; ++i) {
    if (i == 6) continue;
    for (int k = 0; k < 9; ++k) U_bar(row, k) = U_all(i, unknowns[k]);
    for (int k : ones) b[row] -= U_all(i, k);
    ++row;
  }
  const VectorXd singular = U_bar.jacobiSvd().singularValues();
  EXPECT_GT(singular[6], 1e-3 * singular[0]);
  EXPECT_LT(singular[7], 1e-13 * singular[0]) << "as printed, eq. 59 has rank 7 of 9";

  // added: m_z1,O = 0, and m_z3,O = 0 by the back substitution (33) from z_b5,O
  MatrixXd full = MatrixXd::Zero(11, 9);
  VectorXd right(11);
  full.topRows(9) = U_bar;
  right.head(9) = b;
  full.block(9, 3, 1, 3) = chain1.S.row(0);
  right[9] = -chain1.e[0];
  const Matrix3d P = through4.P * through5.P;
  const Vector3d p = through4.P * (through5.P * through5.q + through4.q);
  full.block(10, 6, 1, 3) = chain3.S.row(0) * P;
  right[10] = -chain3.e[0] - chain3.S.row(0).dot(p);
  const VectorXd z = full.colPivHouseholderQr().solve(right);
  EXPECT_LT((full * z - right).norm(), 1e-11 * right.norm());

  // Newton and Euler for the same state
  const Problem problem = MakeProblem("branch4");
  SystemState state;
  const auto joint = [&state](double angle, double rate) {
    const Quaternion q = AxisAngle({0, 0, 1}, angle);
    state.joints.q.insert(state.joints.q.end(), {q.w, q.x, q.y, q.z});
    state.joints.u.insert(state.joints.u.end(), {0, 0, rate});
  };
  joint(r1.theta - r7.theta, r1.rate - r7.rate);
  joint(r3.theta - r5.theta, r3.rate - r5.rate);
  joint(r5.theta - r7.theta, r5.rate - r7.rate);
  joint(r7.theta, r7.rate);
  state.bodies = ForwardKinematics(problem.system, state.joints);
  const NewtonEulerTruth truth = SolveNewtonEuler(problem.system, state);
  const auto at_end = [&](std::size_t body, const Rod& r, double end) {  // end: +1 upper, -1 lower
    const BodyAcceleration& acceleration = truth.accelerations[body];
    const double alpha = acceleration.angular_acceleration.z, w2 = r.rate * r.rate;
    return Vector3d(acceleration.acceleration.x + end * a * (-alpha * r.s - w2 * r.c),
                    acceleration.acceleration.y + end * a * (alpha * r.c - w2 * r.s), alpha);
  };
  const Vector3d z_b1 = at_end(0, r1, 1), z_b5 = at_end(2, r5, 1);
  const JointReaction& ceiling = truth.reactions[3];
  VectorXd expected(9);
  expected << truth.accelerations[3].angular_acceleration.z, -ceiling.force.x, -ceiling.force.y,
      z_b1, z_b5;
  EXPECT_LT((z - expected).norm(), 1e-11 * expected.norm()) << z.transpose() << "\n"
                                                            << expected.transpose();

  // eq. 61: m_z, q_x, q_y of body 1's output
  const Vector3d z_a1 = chain1.S * z.segment<3>(3) + chain1.e;
  const Vector3d reaction(truth.reactions[0].torque.z, -truth.reactions[0].force.x,
                          -truth.reactions[0].force.y);
  EXPECT_LT((z_a1 - reaction).norm(), 1e-11 * (1 + reaction.norm()));

  // eq. 62, with the inverse of T22 where T22 is printed
  const Vector3d z_b1_input = InputState(through1, z.segment<3>(3));
  const double w2 = r1.rate * r1.rate;
  const Vector3d by_hand(z[3] + 2 * a * r1.s * z[5] + 2 * a * r1.c * w2,
                         z[4] - 2 * a * r1.c * z[5] + 2 * a * r1.s * w2, z[5]);
  ExpectEqual(z_b1_input, by_hand, "eq. 62");
  EXPECT_LT((z_b1_input - at_end(0, r1, -1)).norm(), 1e-11 * (1 + z_b1_input.norm()));

  // eq. 33 down the second chain to the free end of body 3
  const Vector3d z_b3 = InputState(through4, InputState(through5, z.segment<3>(6)));
  EXPECT_LT((z_b3 - at_end(1, r3, 1)).norm(), 1e-10 * (1 + z_b3.norm()));
  EXPECT_LT((InputState(through3, z_b3) - at_end(1, r3, -1)).norm(), 1e-10 * (1 + z_b3.norm()));
}

INSTANTIATE_TEST_SUITE_P(RandomStates, PaperExample, testing::Range(1, 21));

}  // namespace
}  // namespace mbsbench
