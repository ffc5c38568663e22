#include "problems/io/robot_reading.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "problems/io/quotable.h"

namespace mbsbench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Vector3, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Quaternion, w, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SymmetricMatrix3, entries)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Frame, position, orientation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Shape, kind, a, b, radius)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RobotLink, name, line, mass, centre, inertia, shape)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RobotJoint, name, line, type, parent, child, parent_frame,
                                   child_frame, damping, stiffness, free_coordinate, effort, lower,
                                   upper, q, u)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RobotDescription, name, gravity, links, joints, loop_joints,
                                   states_base, rubbing, warnings, unknown)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RobotReading, robot, refused, unsupported)

// CBOR: numbers in binary, infinities too.
std::string Encoded(const RobotReading& reading) {
  std::string bytes;
  nlohmann::json::to_cbor(nlohmann::json(reading), bytes);
  return bytes;
}

RobotReading DecodedReading(std::string_view bytes) {
  return nlohmann::json::from_cbor(bytes.begin(), bytes.end()).get<RobotReading>();
}

std::string EncodedReading(const char* file, const std::function<RobotDescription()>& read) {
  RobotReading reading;
  try {
    reading.robot = read();
  } catch (const UnsupportedRobot& refused) {
    reading.unsupported = refused.what();
  } catch (const ModelError& refused) {
    reading.refused = refused.what();
  } catch (const std::exception& thrown) {  // by the library
    reading.refused = fmt::format("{}: its reader stops with \"{}\": is the file damaged?", file,
                                  Quotable(thrown.what()));
  }
  return Encoded(reading);
}

}  // namespace mbsbench
