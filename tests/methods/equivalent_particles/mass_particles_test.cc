// Ten particles reproduce a rigid body; the number of primary particles of a body; refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/equivalent_particles/mass_particles.h"
#include "methods/equivalent_particles/particle_choice.h"
#include "problems/catalog/catalog.h"
#include "problems/model/eigen.h"
#include "problems/model/error.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

using namespace equivalent_particles;

// Ten masses from B: primary ones on the diagonal, m_ij off it.
Matrix4d ParticleMasses(const Matrix4d& second_moments) {
  Matrix4d masses = 4 * second_moments;
  for (int i = 0; i < 4; ++i) masses(i, i) = 2 * second_moments(i, i) - second_moments.row(i).sum();
  return masses;
}

// Eqs 1 to 8 evaluated from the particles themselves.
struct MassProperties {
  double mass = 0;
  Vector3d first = Vector3d::Zero();    // m r_G
  Matrix3d inertia = Matrix3d::Zero();  // about the origin
};
MassProperties Of(const Matrix4d& masses, const std::vector<Vector3d>& points) {
  MassProperties sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double m = masses(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      const Vector3d r = (points[i] + points[j]) / 2;
      sum.mass += m;
      sum.first += m * r;
      sum.inertia += m * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
    }
  }
  return sum;
}

TEST(MassParticles, ReproduceMassCentreAndInertiaOfAThousandBodies) {
  RandomNumbers random(7);
  double worst = 0;
  for (int k = 0; k < 1000; ++k) {
    // The body's own axes are turned and its centre is off the origin of the points.
    Body body;
    body.name = "body";
    body.mass = random.Between(0.1, 10);
    const double x = random.Between(0, 1), y = random.Between(0, 1), z = random.Between(0, 1);
    body.inertia = Diagonal(y + z, x + z, x + y);
    const Vector3d centre = ToEigen(random.Vector(1));
    const Matrix3d axes = ToEigen(DirectionCosineMatrix(random.Rotation()));
    std::vector<Vector3d> points;
    for (double flatness = 0; flatness < 0.3;) {  // any tetrahedron that is not a sliver
      points.clear();
      for (int i = 0; i < 4; ++i) points.push_back(ToEigen(random.Vector(1)));
      Matrix3d edges;
      for (int i = 0; i < 3; ++i) {
        edges.col(i) = points[static_cast<std::size_t>(i) + 1] - points[0];
      }
      flatness = Eigen::JacobiSVD<Matrix3d>(edges).singularValues()[2];
    }
    const AffineFrame frame(points, body.name);
    const MassProperties got = Of(ParticleMasses(SecondMoments(frame, body, centre, axes)), points);
    const Matrix3d inertia =
        axes * ToEigen(body.inertia) * axes.transpose() +
        body.mass * (centre.squaredNorm() * Matrix3d::Identity() - centre * centre.transpose());
    Raise(worst, {std::abs(got.mass - body.mass) / body.mass,
                  (got.first - body.mass * centre).norm() / body.mass,
                  (got.inertia - inertia).norm() / inertia.norm()});
  }
  std::printf("  worst %.1e\n", worst);
  EXPECT_LT(worst, 1e-13);
}

TEST(MassParticles, ReproduceALaminaWithThreeAndALineWithTwo) {
  Body lamina;
  lamina.mass = 2;
  lamina.inertia = Diagonal(0.3, 0.5, 0.8);
  const std::vector<Vector3d> in_plane{{0.1, -0.4, 0}, {0.9, 0.2, 0}, {-0.3, 0.8, 0}};
  const Vector3d centre(0.2, -0.1, 0);
  MassProperties got = Of(ParticleMasses(SecondMoments(AffineFrame(in_plane, "lamina"), lamina,
                                                       centre, Matrix3d::Identity())),
                          in_plane);
  EXPECT_NEAR(got.mass, 2, 1e-14);
  EXPECT_LT((got.first - 2 * centre).norm(), 1e-14);
  EXPECT_NEAR(got.inertia(2, 2), 0.8 + 2 * centre.squaredNorm(), 1e-14);
  EXPECT_NEAR(got.inertia(0, 1), -2 * centre[0] * centre[1], 1e-14);

  Body rod;
  rod.mass = 1;
  rod.inertia = Diagonal(0, 1. / 12, 1. / 12);
  const std::vector<Vector3d> on_line{{-0.5, 0, 0}, {0.5, 0, 0}};
  const Matrix4d masses = ParticleMasses(
      SecondMoments(AffineFrame(on_line, "rod"), rod, Vector3d::Zero(), Matrix3d::Identity()));
  // The weights of Simpson's rule.
  EXPECT_NEAR(masses(0, 0), 1. / 6, 1e-15);
  EXPECT_NEAR(masses(1, 1), 1. / 6, 1e-15);
  EXPECT_NEAR(masses(0, 1), 4. / 6, 1e-15);
}

TEST(MassParticles, NearlyInAPlaneAreRefusedWithTheNameOfTheBody) {
  const std::vector<Vector3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1e-6}};
  try {
    AffineFrame(points, "knuckle");
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'knuckle'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("nearly in a plane"));
    EXPECT_EQ(error.name(), "knuckle");
  }
  EXPECT_THROW(AffineFrame(std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {2, 1e-9, 0}}, "arm"),
               ModelError);
  EXPECT_NO_THROW(AffineFrame(std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "arm"));
}

std::vector<std::size_t> CountsOf(const System& system) {
  std::vector<std::size_t> counts;
  for (const ParticleChoice& choice : ChooseParticles(system, GroupsOf(system))) {
    counts.push_back(choice.points.size());
  }
  counts.erase(counts.begin());  // the ground
  return counts;
}

TEST(ParticleChoice, FollowsTheHullOfMassJointsAndForces) {
  using testing::Each;
  using testing::ElementsAre;
  EXPECT_THAT(CountsOf(MakeProblem("heavytop").system), ElementsAre(4u));  // pivot off its lamina
  EXPECT_THAT(CountsOf(MakeProblem("dzhanibekov").system), ElementsAre(3u));  // 3 = 2 + 1: a lamina
  EXPECT_THAT(CountsOf(MakeProblem("dpend18").system), ElementsAre(3u, 3u));  // hinge axes
  EXPECT_THAT(CountsOf(MakeProblem("chainN3d:bodies=4").system), Each(4u));   // J_ax > 0

  // A massless rod on a ball joint with a point mass at its end, and with a spring to its side.
  System rod;
  Body mass;
  mass.name = "mass";
  mass.mass = 1;
  mass.is_point = true;
  rod.bodies = {mass};
  Joint ball;
  ball.name = "ball";
  ball.child_frame.position = {-1, 0, 0};
  rod.joints = {ball};
  EXPECT_THAT(CountsOf(rod), ElementsAre(2u));
  rod.forces.Of<SpringDamper>() = {{"spring", kGround, 0, {}, {0.5, 0.5, 0}, 1, 0, 1}};
  EXPECT_THAT(CountsOf(rod), ElementsAre(3u));
  rod.joints[0].type = JointType::kFree;
  rod.forces.Of<SpringDamper>().clear();
  EXPECT_THAT(CountsOf(rod), ElementsAre(1u));

  // A lamina with its ball joint in it and off it.
  System lamina = MakeProblem("heavytop").system;
  lamina.joints[0].child_frame.position = {0.3, 0, 0};
  EXPECT_THAT(CountsOf(lamina), ElementsAre(3u));
  lamina.joints[0].child_frame.position = {0.3, 1e-6, 0};
  EXPECT_THAT(CountsOf(lamina), ElementsAre(4u));
}

}  // namespace
}  // namespace mbsbench
