// classical-mstmm:paper: hinges with transfer matrices, where these exist.
#include "methods/classical_mstmm/paper_hinges.h"

#include "harness/support/support.h"
#include "methods/transfer_elements/hinge_transfer.h"
#include "problems/catalog/catalog.h"
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

// A body whose u_32 is nearly singular costs digits (condition 1e9 occurs at random). Most systems
// must be exact except for the growth of products, and the worst still right.
void ExpectTypicallyExact(std::vector<double> distances, const char* name) {
  ASSERT_GE(distances.size(), 8u) << name;
  std::sort(distances.begin(), distances.end());
  EXPECT_LT(distances[distances.size() / 2], 1e-11) << name;
  EXPECT_LT(distances.back(), 1e-6) << name;
}

std::vector<double> Distances(const RandomTreeOptions& options, int first_bodies, int most_bodies,
                              bool mixed = false) {
  std::vector<double> distances;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomTreeOptions sized = options;
    sized.bodies = first_bodies + static_cast<int>(seed) % (most_bodies - first_bodies + 1);
    RandomTree tree = MakeRandomTree(800 + seed, sized);
    tree.system.forces.Of<JointSpringDamper>().clear();  // hinges are smooth
    const auto has = [&](JointType type) {
      return std::any_of(tree.system.joints.begin(), tree.system.joints.end(),
                         [type](const Joint& j) { return j.type == type; });
    };
    if (mixed && !(has(JointType::kBall) && has(JointType::kPrismatic))) continue;
    if (LongestPath(tree.system) > 8) continue;
    if (!VerdictOf(ClassicalMstmmEntry(), tree.system, {"paper"}).supported) continue;
    distances.push_back(DistanceToReference(tree.system, tree.state, {"paper"}).largest());
  }
  return distances;
}

// Chains of any length in space: the products need no inverse of T21 S + T22, which is singular
// after the second ball hinge of a chain in the Riccati recursion.
TEST(ClassicalPaper, AgreesWithTheReferenceOnTreesOfBallHingesInSpace) {
  ExpectTypicallyExact(Distances({.types = {JointType::kBall}}, 1, 14), "balls");
}
TEST(ClassicalPaper, AgreesWithTheReferenceOnTreesOfPinsInThePlane) {
  ExpectTypicallyExact(Distances({.types = {JointType::kRevolute}, .planar = true}, 1, 14), "pins");
}
TEST(ClassicalPaper, AgreesWithTheReferenceOnTreesOfSlidingHinges) {
  ExpectTypicallyExact(Distances({.types = {JointType::kPrismatic}}, 1, 14), "sliders");
}
TEST(ClassicalPaper, AgreesWithTheReferenceForSlidingHingesInboardOfBallHinges) {
  ExpectTypicallyExact(Distances({.types = {JointType::kBall, JointType::kPrismatic}}, 2, 6, true),
                       "mixed");
}

// Eq. 10 is a special case of the derivation in paper_hinges.h: it has the same rows for alpha as the matrix
// that is compared with the printed eqs 44 and 52.
TEST(ClassicalPaper, BallHingeEqualsEq10) {
  RandomNumbers random(3);
  for (int trial = 0; trial < 20; ++trial) {
    BodyInstant<2> body;
    body.mass = random.Between(0.5, 2);
    body.r_IC = {random.Between(-1, 1), random.Between(-1, 1)};
    body.r_IO = {random.Between(-1, 1), random.Between(-1, 1)};
    body.J_I << random.Between(2, 3);
    body.Omega << random.Between(-2, 2);
    body.f_C = {random.Between(-9, 9), random.Between(-9, 9)};
    body.m_C << random.Between(-1, 1);
    const auto U = BodyTransfer(body);
    const auto eq10 = BallHingeTransfer<2, double>(U);
    FreeAxes<2> pin;
    pin.H.setZero(3, 1);
    pin.H(2, 0) = 1;
    pin.Q.setZero(3, 2);
    pin.Q(0, 0) = pin.Q(1, 1) = 1;
    pin.c.setZero();
    const auto ours =
        PaperHingeOf<2>(pin, pin, SmallMatrix::Identity(1, 1), U.topLeftCorner<6, 6>().eval(),
                        U.topRightCorner<6, 1>().eval());
    EXPECT_LT((ours.B - eq10.topLeftCorner<3, 3>()).norm(), 1e-12);
    EXPECT_LT((ours.A - eq10.block<3, 3>(0, 3)).norm(), 1e-12);
    EXPECT_LT((ours.b - eq10.topRightCorner<3, 1>()).norm(), 1e-12);
  }
}

// Random input states: after the hinge, directions normal to the slide are unchanged, and Newton's and
// Euler's equations of the outboard body, written out here, give an output end that transmits only what
// its joint can.
TEST(ClassicalPaper, SlidingHingeObeysNewtonAndEulerForAnyInput) {
  using Eigen::Vector3d;
  RandomNumbers random(4);
  const auto vector = [&] {
    const Vector3 v = random.Vector(1);
    return Vector3d(v.x, v.y, v.z);
  };
  for (int trial = 0; trial < 40; ++trial) {
    const bool before_ball = trial % 2 == 0;
    BodyInstant<3> body;
    body.mass = random.Between(0.5, 2);
    body.r_IC = vector(), body.r_IO = vector(), body.Omega = vector();
    body.f_C = vector(), body.m_C = vector();
    const Vector3d edge = vector();
    const Eigen::Matrix3d J_C = Eigen::Matrix3d::Identity() + 0.3 * edge * edge.transpose();
    body.J_I = J_C + body.mass * (body.r_IC.squaredNorm() * Eigen::Matrix3d::Identity() -
                                  body.r_IC * body.r_IC.transpose());
    const auto U = BodyTransfer(body);
    const auto slide = [&](const Vector3d& l) {
      FreeAxes<3> joint;
      joint.H.setZero(6, 1);
      joint.H.col(0).head<3>() = l;
      joint.Q.setZero(6, 5);
      const Vector3d across = l.unitOrthogonal();
      joint.Q.col(0).head<3>() = across;
      joint.Q.col(1).head<3>() = l.cross(across);
      joint.Q.bottomRightCorner<3, 3>().setIdentity();
      joint.c.setZero();
      return joint;
    };
    const Vector3d l = vector().normalized(), l_O = vector().normalized();
    FreeAxes<3> output = slide(l_O);
    SmallMatrix selected = SmallMatrix::Identity(1, 1);
    const Vector3d direction = (body.r_IC - body.r_IO).cross(l).normalized();
    if (before_ball) {
      output.H.setZero(6, 3);
      output.H.bottomRows<3>().setIdentity();
      selected = direction.transpose();
    }
    const auto hinge = PaperHingeOf<3>(slide(l), output, selected, U.topLeftCorner<12, 12>().eval(),
                                       U.topRightCorner<12, 1>().eval());
    const Vector3d a_I = vector(), alpha = vector(), m_I = vector(), q_I = vector();
    Eigen::Matrix<double, 6, 1> z_b, z_a;
    z_b << a_I, alpha;
    z_a << m_I, q_I;
    const Eigen::Matrix<double, 6, 1> after_hinge = hinge.B * z_b + hinge.A * z_a + hinge.b;
    const Vector3d a_O1 = after_hinge.head<3>();
    EXPECT_LT((after_hinge.tail<3>() - alpha).norm(), 1e-11) << "orientations agree";
    EXPECT_LT((a_O1 - a_I).cross(l).norm(), 1e-11 * (1 + a_O1.norm())) << "only along the slide";
    // the body: forces q_I, f_C and -q_O, moments -m_I, m_C and m_O
    const Vector3d& w = body.Omega;
    const Vector3d a_C = a_O1 + alpha.cross(body.r_IC) + w.cross(w.cross(body.r_IC));
    const Vector3d q_O = q_I + body.f_C - body.mass * a_C;
    const Vector3d r_CI = -body.r_IC, r_CO = body.r_IO - body.r_IC;
    const Vector3d m_O =
        J_C * alpha + w.cross(J_C * w) + m_I - body.m_C - r_CI.cross(q_I) + r_CO.cross(q_O);
    const double left = before_ball ? m_O.dot(direction) : q_O.dot(l_O);
    EXPECT_LT(std::abs(left), 1e-10 * (1 + m_O.norm() + q_O.norm())) << "trial " << trial;
  }
}

TEST(ClassicalPaper, TheOrderOfTheOverallMatrixIsConstantAlongAChain) {
  const auto order = [](int bodies, const char* variant) {
    const RandomTree tree = MakeRandomTree(5, {.bodies = bodies,
                                               .types = {JointType::kRevolute},
                                               .force_elements = false,
                                               .chain_likelihood = 1,
                                               .ground_likelihood = 0,
                                               .planar = true});
    const std::string text = ClassicalMstmmEntry().explain(tree.system, {variant});
    return std::stoi(text.substr(text.find("overall matrix") + 22));
  };
  EXPECT_EQ(order(2, "paper"), 6);
  EXPECT_EQ(order(200, "paper"), 6);
  EXPECT_EQ(order(2, "general"), 7);
  EXPECT_EQ(order(200, "general"), 205);
}

TEST(ClassicalPaper, RefusesAndNamesHingesWithoutATransferMatrix) {
  const auto reason = [](const char* problem) {
    const Verdict verdict =
        VerdictOf(ClassicalMstmmEntry(), MakeProblem(problem).system, {"paper"});
    EXPECT_FALSE(verdict.supported) << problem;
    return verdict.reason;
  };
  EXPECT_NE(reason("dpend18").find("body '1' has a singular u_32"), std::string::npos);
  EXPECT_NE(reason("sliders").find("force element 'rail spring' is a joint spring"),
            std::string::npos);
  EXPECT_NE(reason("dzhanibekov").find("is a free joint"), std::string::npos);
  System sliders = MakeProblem("sliders").system;
  sliders.forces.Of<JointSpringDamper>().clear();
  const Verdict verdict = VerdictOf(ClassicalMstmmEntry(), sliders, {"paper"});
  EXPECT_NE(verdict.reason.find("body '"), std::string::npos) << verdict.reason;
}

}  // namespace
}  // namespace mbsbench
