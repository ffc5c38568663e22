// The free motions of each joint, compared with the model's own kinematics and its differences.
#include "methods/kinematics/tree_joint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/kinematics/joint_coordinates.h"
#include "problems/model/kinematics.h"
#include "problems/model/state.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

constexpr JointType kTypes[] = {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                                JointType::kFixed, JointType::kFree};

// The simplest algebra that MoveFrame accepts.
struct Matrix {
  using Vector = Vector3;
  static Matrix OfQuaternion(double w, double x, double y, double z) {
    return {DirectionCosineMatrix(Normalised({w, x, y, z}))};
  }
  Matrix3 m;
};
Vector3 operator*(const Matrix& a, const Vector3& v) { return a.m * v; }
template <int axis>
Vector3 Column(const Matrix& a) {
  return {a.m(0, axis), a.m(1, axis), a.m(2, axis)};
}
Matrix operator*(const Matrix& a, const Matrix& b) {
  const Vector3 x = a * Column<0>(b), y = a * Column<1>(b), z = a * Column<2>(b);
  return {{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}}};
}
Matrix Transposed(const Matrix& a) {
  const Vector3 x = Column<0>(a), y = Column<1>(a), z = Column<2>(a);
  return {{{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}}};
}
Matrix TurnedAboutZ(const Matrix& a, double cosine, double sine) {
  return a * Matrix{{{cosine, -sine, 0, sine, cosine, 0, 0, 0, 1}}};
}
Vector3 AddTimes(const Vector3& s, const Matrix& a, const Vector3& v) { return s + a * v; }
}  // namespace

// Found with their arguments, which are the model's.
static Vector3 AddScaled(const Vector3& s, double a, const Vector3& b) { return s + a * b; }
static Vector3 DoubleCross(const Vector3& a, const Vector3& b) { return Cross(a, Cross(a, b)); }
static void Put(const Vector3& a, Vector3& to) { to = a; }
namespace {
void Put(const Matrix& a, Matrix& to) { to = a; }

double Distance(const Matrix& a, const Matrix3& b) {
  double largest = 0;
  for (std::size_t i = 0; i < 9; ++i) largest = std::max(largest, std::abs(a.m.m[i] - b.m[i]));
  return largest;
}

// A child on a parent that moves freely, both frames anywhere.
struct TwoBodies {
  System system;
  JointState joints;
};
TwoBodies OnAMovingParent(JointType type, RandomNumbers& random) {
  TwoBodies two;
  two.system.bodies.resize(2);
  for (int b : {0, 1}) {
    Joint joint;
    joint.name = std::to_string(b);
    joint.type = b == 0 ? JointType::kFree : type;
    joint.parent = b - 1;
    joint.child = b;
    joint.parent_frame = {random.Vector(1), random.Rotation()};
    joint.child_frame = {random.Vector(1), random.Rotation()};
    two.system.joints.push_back(joint);
    const int quaternion = QuaternionOffset(joint.type);
    const Quaternion turn = random.Rotation();
    for (int k = 0; k < CoordinateCount(joint.type) - (quaternion < 0 ? 0 : 4); ++k)
      two.joints.q.push_back(random.Vector(1).x);
    if (quaternion >= 0) two.joints.q.insert(two.joints.q.end(), {turn.w, turn.x, turn.y, turn.z});
    for (int k = 0; k < RateCount(joint.type); ++k) two.joints.u.push_back(random.Vector(2).x);
  }
  return two;
}

struct Motion {
  Matrix axes;  // of C
  Vector3 omega, d, bias;
  Vector3 origin, velocity;  // of C, by the model
  Quaternion model_axes;
  Vector3 model_omega;
};

// The motion of C, by MoveFrame and by the model.
Motion MotionOf(const TwoBodies& two) {
  const std::vector<BodyState> bodies = ForwardKinematics(two.system, two.joints);
  const Joint& joint = two.system.joints[1];
  const BodyState &parent = bodies[0], &child = bodies[1];
  const Matrix root{DirectionCosineMatrix(parent.orientation * joint.parent_frame.orientation)};
  const Vector3 arm = Rotate(parent.orientation, joint.parent_frame.position);
  const double *q = two.joints.q.data() + 7, *u = two.joints.u.data() + 6;
  Motion m;
  ForJoint(joint.type, [&](auto type) {
    using Type = decltype(type);
    const double angle = Type::kTurning == Turning::kAboutZ ? q[Type::kSlides] : 0;
    MoveFrame<Type>(root, parent.angular_velocity, arm, q, u, std::cos(angle), std::sin(angle),
                    m.axes, m.omega, m.d, m.bias);
  });
  const Vector3 child_arm = Rotate(child.orientation, joint.child_frame.position);
  m.origin = child.position + child_arm;
  m.velocity = child.velocity + Cross(child.angular_velocity, child_arm);
  m.model_axes = child.orientation * joint.child_frame.orientation;
  m.model_omega = child.angular_velocity;
  return m;
}

TEST(TreeJoint, HasTheModelsNumberOfCoordinatesAndRates) {
  for (JointType type : kTypes) {
    ForJoint(type, [type](auto joint) {
      EXPECT_EQ(joint.kType, type);
      EXPECT_EQ(joint.kCoordinates, CoordinateCount(type)) << Name(type);
      EXPECT_EQ(joint.kRates, RateCount(type)) << Name(type);
      EXPECT_EQ(QuaternionOffset(type), joint.kTurnsFreely ? joint.kSlides : -1) << Name(type);
    });
  }
}

TEST(TreeJoint, PlacesItsChildWhereTheModelDoes) {
  RandomNumbers random(11);
  for (JointType type : kTypes) {
    for (int k = 0; k < 20; ++k) {
      const TwoBodies two = OnAMovingParent(type, random);
      const Motion m = MotionOf(two);
      const Vector3 parent = ForwardKinematics(two.system, two.joints)[0].position;
      EXPECT_LT(Norm(parent + m.d - m.origin), 1e-14) << Name(type);
      EXPECT_LT(Distance(m.axes, DirectionCosineMatrix(m.model_axes)), 1e-14) << Name(type);
      EXPECT_LT(Norm(m.omega - m.model_omega), 1e-14) << Name(type);
    }
  }
}

// At constant rates the bias is the child's acceleration less that due to the parent's.
TEST(TreeJoint, HasABiasThatAgreesWithDifferencesInTime) {
  RandomNumbers random(12);
  constexpr double kStep = 1e-5;  // errors h^2 and round-off / h: both some 1e-10
  for (JointType type : kTypes) {
    for (int k = 0; k < 20; ++k) {
      const TwoBodies now = OnAMovingParent(type, random);
      const auto later = [&](double t) {
        TwoBodies then = now;
        for (int j : {0, 1}) {
          std::vector<double> step;
          const int first = j == 0 ? 0 : 6,
                    end = j == 0 ? 6 : static_cast<int>(now.joints.u.size());
          for (int i = first; i < end; ++i)
            step.push_back(t * now.joints.u[static_cast<std::size_t>(i)]);
          AdvanceJoint(now.system.joints[static_cast<std::size_t>(j)].type, step.data(),
                       then.joints.q.data() + (j == 0 ? 0 : 7));
        }
        return then;
      };
      const TwoBodies plus = later(kStep), minus = later(-kStep);
      const auto parent_at = [](const TwoBodies& two) {
        return ForwardKinematics(two.system, two.joints)[0];
      };
      const BodyState p = parent_at(plus), m = parent_at(minus);
      const double per_time = 1 / (2 * kStep);
      const Vector3 a_p = per_time * (p.velocity - m.velocity);
      const Vector3 alpha_p = per_time * (p.angular_velocity - m.angular_velocity);
      const Motion at_p = MotionOf(plus), at_m = MotionOf(minus), at = MotionOf(now);
      const Vector3 a = per_time * (at_p.velocity - at_m.velocity);
      EXPECT_LT(Norm(a - a_p - Cross(alpha_p, at.d) - at.bias), 1e-8) << Name(type);
      const Vector3 alpha = per_time * (at_p.model_omega - at_m.model_omega);
      const Vector3 omega_p = parent_at(now).angular_velocity;
      EXPECT_LT(Norm(alpha - alpha_p - Cross(omega_p, at.omega)), 1e-8) << Name(type);
    }
  }
}

TEST(TreeJoint, HasCoordinateRatesThatAgreeWithASmallAdvance) {
  RandomNumbers random(13);
  constexpr double kStep = 1e-6;
  for (JointType type : kTypes) {
    const TwoBodies two = OnAMovingParent(type, random);
    const JointCoordinates coordinates(two.system);
    std::vector<double> y(coordinates.size()), qdot(coordinates.count());
    coordinates.Put(two.joints, y);
    EXPECT_EQ(coordinates.StateAt(y).u, two.joints.u);
    coordinates.CalcRates(y, qdot);
    const auto advanced = [&](double t) {
      std::vector<double> q(two.joints.q.begin() + 7, two.joints.q.end()), step;
      for (std::size_t i = 6; i < two.joints.u.size(); ++i) step.push_back(t * two.joints.u[i]);
      AdvanceJoint(type, step.data(), q.data());
      return q;
    };
    const std::vector<double> plus = advanced(kStep), minus = advanced(-kStep);
    for (std::size_t i = 0; i < plus.size(); ++i) {
      EXPECT_NEAR((plus[i] - minus[i]) / (2 * kStep), qdot[7 + i], 1e-9) << Name(type);
    }
  }
}

TEST(TreeJoint, RecoversTheAxesOfTheParentFromThoseOfTheChild) {
  RandomNumbers random(14);
  for (JointType type : kTypes) {
    const TwoBodies two = OnAMovingParent(type, random);
    const Joint& joint = two.system.joints[1];
    const BodyState parent = ForwardKinematics(two.system, two.joints)[0];
    ForJoint(type, [&](auto of) {
      const Matrix root = RootOf<decltype(of)>(MotionOf(two).axes, two.joints.q.data() + 7);
      EXPECT_LT(Distance(root, DirectionCosineMatrix(parent.orientation *
                                                     joint.parent_frame.orientation)),
                1e-14)
          << Name(type);
    });
  }
}

TEST(JointCoordinates, NormaliseQuaternionsAndNameTheJointOfAZeroQuaternion) {
  RandomNumbers random(15);
  const TwoBodies two = OnAMovingParent(JointType::kBall, random);
  const JointCoordinates coordinates(two.system);
  ASSERT_TRUE(coordinates.has_quaternions());
  std::vector<double> y(coordinates.size());
  coordinates.Put(two.joints, y);
  for (std::size_t i = 7; i < 11; ++i) y[i] *= 3;
  ASSERT_TRUE(coordinates.NormaliseQuaternions(y).ok());
  for (std::size_t i = 0; i < 11; ++i) EXPECT_NEAR(y[i], two.joints.q[i], 1e-15);
  for (std::size_t i = 7; i < 11; ++i) y[i] = 0;
  const Status status = coordinates.NormaliseQuaternions(y);
  EXPECT_EQ(status.code, Status::Code::kNotFinite);
  EXPECT_EQ(status.joint, 1);
}

}  // namespace
}  // namespace mbsbench
