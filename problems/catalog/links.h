// Robots defined link by link, with the frames and angles of their URDF files (examples/robots).
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// Sums and products of long doubles are never fused. The parameters that follow from angles, and with
// them the references, therefore have the same bits on every processor and with all flags.
namespace links {

using Long = long double;

struct Turn {
  Long w = 1, x = 0, y = 0, z = 0;
};
inline Turn operator*(const Turn& a, const Turn& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quaternion Rounded(const Turn& t) {
  return {static_cast<double>(t.w), static_cast<double>(t.x), static_cast<double>(t.y),
          static_cast<double>(t.z)};
}

// Rotations about the fixed axes x, y and z, in this order [rad].
struct Angles {
  double roll = 0, pitch = 0, yaw = 0;
};
inline Turn TurnBy(const Angles& a) {
  const auto half = [](double angle) {
    return std::array<Long, 2>{std::cos(Long{angle} / 2), std::sin(Long{angle} / 2)};
  };
  const auto [cr, sr] = half(a.roll);
  const auto [cp, sp] = half(a.pitch);
  const auto [cy, sy] = half(a.yaw);
  return Turn{cy, 0, 0, sy} * Turn{cp, 0, sp, 0} * Turn{cr, sr, 0, 0};
}

// The shortest rotation that takes z to an axis of any length; to -z half a turn about x.
inline Turn TurnFromZ(const Vector3& axis) {
  const Long x = axis.x, y = axis.y, z = axis.z, length = std::sqrt(x * x + y * y + z * z);
  if (x == 0 && y == 0) return z > 0 ? Turn{} : Turn{0, 1, 0, 0};
  const Long w = std::sqrt((1 + z / length) / 2);  // cos of half the angle
  return {w, -y / length / (2 * w), x / length / (2 * w), 0};
}

using Rows = std::array<std::array<Long, 3>, 3>;
inline Rows RowsOf(const Turn& q) {
  return {
      {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
       {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
       {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
        1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

// A vector in inertial axes, expressed in the axes of a body with the orientation q.
inline Vector3 InBodyAxes(const Turn& q, const Vector3& v) {
  const Rows r = RowsOf(q);
  const auto entry = [&](std::size_t i) {
    return static_cast<double>(r[0][i] * v.x + r[1][i] * v.y + r[2][i] * v.z);
  };
  return {entry(0), entry(1), entry(2)};
}

}  // namespace links

// Entries of a symmetric matrix [kg m^2].
struct Moments {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
};

class Links {
 public:
  using Angles = links::Angles;
  explicit Links(System& system) : system_(system) {}

  // Returns the index of the body; the mass centre and the angles of the inertia's axes refer to the
  // link's frame.
  int Add(const std::string& name, double mass = 0, const Vector3& centre = {},
          const Moments& m = {}, const Angles& angles = {}) {
    Body body;
    body.name = name;
    body.mass = mass;
    const links::Rows inertia{{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}};
    const links::Rows r = links::RowsOf(links::TurnBy(angles));
    std::size_t place = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = i; j < 3; ++j) {
        links::Long entry = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          for (std::size_t l = 0; l < 3; ++l) entry += r[i][k] * inertia[k][l] * r[j][l];
        }
        body.inertia.entries[place++] = static_cast<double>(entry);
      }
    }
    system_.bodies.push_back(body);
    centres_.push_back(centre);
    return static_cast<int>(centres_.size()) - 1;
  }

  // A joint whose frame is the child's frame; `origin` and `angles` refer to the parent's frame.
  void Join(const std::string& name, JointType type, int parent, int child,
            const Vector3& origin = {}, const Angles& angles = {},
            const Vector3& axis = {0, 0, 1}) {
    const links::Turn turn = links::TurnFromZ(axis);
    Joint joint;
    joint.name = name;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.parent_frame = {origin - CentreOf(parent), links::Rounded(links::TurnBy(angles) * turn)};
    joint.child_frame = {-CentreOf(child), links::Rounded(turn)};
    system_.joints.push_back(joint);
  }

  // Draws a body as a rod from the origin of its link's frame to a point.
  void DrawTo(int link, const Vector3& point, double radius) {
    system_.bodies[static_cast<std::size_t>(link)].shape = {Shape::Kind::kRod, -CentreOf(link),
                                                            point - CentreOf(link), radius};
  }

 private:
  Vector3 CentreOf(int link) const {
    return link == kGround ? Vector3{} : centres_[static_cast<std::size_t>(link)];
  }

  System& system_;
  std::vector<Vector3> centres_;
};

}  // namespace mbsbench
