// The elements and attributes of a URDF file, by what they do to the motion: a list of those that are read, of those
// that change nothing, and of those that change the motion without a counterpart in the model.
#pragma once

#include <map>
#include <string>
#include <vector>

class TiXmlElement;

namespace mbsbench {

struct UrdfInspection {
  std::map<std::string, int> ignored;  // elements that do not affect the motion, with their counts
  std::vector<std::string> unknown;    // sentences on what is in no list
};

// Throws UnsupportedRobot at an element or attribute that changes the motion, and ModelError at macros of xacro, at a
// second element where one is read, and at a name that is one of URDF in another spelling.
UrdfInspection InspectUrdf(const TiXmlElement& robot, const std::string& file, bool mimic_is_free);

}  // namespace mbsbench
