// The elements, attributes and texts of a robot file, by what they do to the motion: a list of those that are read, of those
// that change nothing, and of those that change the motion without a counterpart in the model.
#pragma once

#include <map>
#include <string>
#include <vector>

class TiXmlElement;

namespace mbsbench {

struct RobotInspection {
  std::map<std::string, int> ignored;  // elements that do not affect the motion, with their counts
  std::vector<std::string> unknown;    // sentences on what is in no list
};

// The <robot> of a URDF file. Throws UnsupportedRobot at an element or attribute that changes the motion, and ModelError at
// macros of xacro, at a second element where one is read, at a text where attributes are, and at a name that is one of URDF
// in another spelling.
RobotInspection InspectUrdf(const TiXmlElement& robot, const std::string& file, bool mimic_is_free);
// A <plugin> of Gazebo in a file of another format.
RobotInspection InspectPlugin(const TiXmlElement& plugin, const std::string& file);

}  // namespace mbsbench
