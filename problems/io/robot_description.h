// The contents of a robot file in any format: links with their own frames, joints, and the initial state. The
// readers of URDF, SDF and MJCF fill it in; read_robot.cc converts it into a problem.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "problems/model/error.h"
#include "problems/model/system.h"

namespace mbsbench {

// A robot that the model cannot represent.
struct UnsupportedRobot : ModelError {
  using ModelError::ModelError;
};

// The axes of the body are those of the link.
struct RobotLink {
  std::string name;
  int line = 0;              // in the file; 0: not known
  double mass = 0;           // [kg]
  Vector3 centre;            // mass centre in the link's frame [m]; for a massless link its origin
  SymmetricMatrix3 inertia;  // about the mass centre, axes of the link
  Shape shape;
};

struct RobotJoint {
  std::string name;
  int line = 0;
  JointType type = JointType::kFixed;
  int parent = kGround, child = 0;
  Frame parent_frame, child_frame;                          // seen from the frames of the links
  double damping = 0, stiffness = 0, free_coordinate = 0;   // of a revolute or prismatic joint
  double effort = 0;                                        // of motors in such a joint [N m], [N]
  double lower = -std::numeric_limits<double>::infinity();  // limits of the coordinate
  double upper = std::numeric_limits<double>::infinity();
  std::vector<double> q, u;  // the start, where it is not zero and at rest
};

// "ground:ROOT" and "PARENT:CHILD": names of joints that have none in their files.
inline std::string NameOfUnnamedJoint(const std::string& parent, const std::string& child) {
  return (parent.empty() ? "ground" : parent) + ":" + child;
}

// The name itself, or, if it is taken, with the first number behind it that makes it free.
std::string FreeName(const std::string& name,
                     const std::function<bool(const std::string&)>& is_taken);

struct RobotDescription {
  std::string name;
  Vector3 gravity{0, 0, -9.81};  // [m/s^2]
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;       // the tree: one for each link
  std::vector<RobotJoint> loop_joints;  // those that close loops
  // Whether the file states how its links are attached to the ground, and where they start.
  bool states_base = false;
  std::vector<std::string> rubbing;   // joints with dry friction
  std::vector<std::string> warnings;  // elements of the file without a counterpart here
  std::vector<std::string> unknown;   // sentences on elements that may change the motion
};

// Names for a sentence: the first of many.
std::string NamesText(const std::vector<std::string>& names);

// Drawn if the body's frame allows it: rods anywhere, boxes and spheres if they surround the mass
// centre. `at` is relative to the mass centre, `turn` rotates axes of the shape into those of the
// link.
Shape RodShape(const Vector3& at, const Quaternion& turn, double length, double radius);
Shape BoxShape(const Vector3& at, const Quaternion& turn, const Vector3& edges);
Shape SphereShape(const Vector3& at, double radius);

}  // namespace mbsbench
