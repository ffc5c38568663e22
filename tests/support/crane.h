// A URDF file whose masses at zero coordinates are known: the joint turns y of the arm into z, and z into -y.
#pragma once

#include <string>

#include "problems/model/model_reading.h"

namespace mbsbench {

// `more`: elements of the robot.
inline std::string CraneUrdf(const std::string& more = "") {
  return R"(<robot name="crane">)" + more + R"(
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.1 0.2 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.025"/></inertial></link>
  <link name="tool"><inertial><mass value="1"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/><dynamics damping="0.3"/></joint>
  <joint name="flange" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="0.4 0 0"/></joint>
</robot>)";
}

inline BodyReading ArmOfCrane() {
  return {
      .name = "arm", .mass = 2, .centre = {0.1, 0, 1.2}, .inertia = Diagonal(0.02, 0.025, 0.01)};
}
inline BodyReading ToolOfCrane() {
  return {
      .name = "tool", .mass = 1, .centre = {0.4, 0, 1}, .inertia = Diagonal(0.001, 0.001, 0.001)};
}
// Both: a mass of 2/3 kg at (0.3, 0, -0.2) m adds to the sum of the inertias.
inline BodyReading ArmWithTool() {
  constexpr double m = 2. / 3, x = 0.3, z = -0.2;
  BodyReading both{
      .name = "arm",
      .mass = 3,
      .centre = {0.2, 0, 3.4 / 3},
      .inertia = Diagonal(0.021 + m * z * z, 0.026 + m * (x * x + z * z), 0.011 + m * x * x)};
  both.inertia(0, 2) = -m * x * z;
  return both;
}
inline JointReading HingeOfCrane() {
  return {.name = "hinge", .axis = {0, -1, 0}, .damping = 0.3, .armature = 0};
}

}  // namespace mbsbench
