// Robot files (URDF, MJCF, SDF), and the state in which a robot starts (docs/model_files.md, "Robot files").
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "problems/io/robot_description.h"
#include "problems/model/problem.h"

namespace mbsbench {

// How a robot file is read.
struct RobotOptions {
  std::string state;               // state file; empty: as the robot file, else fixed and at rest
  bool mimic_is_free = false;      // joints that mimic others move independently
  bool accept_inertia = false;     // even if no rigid body can have it
  bool weld_massless = false;      // joints that move only links without mass become fixed
  bool strict = false;             // refuses what is not known and may change the motion
  std::optional<double> end = {};  // end time [s]
  double loop_precision = 0;       // System::loop_precision; 0: as the loops close
};

// A robot file followed by options, as in "arm6.urdf:state=arm6.json,mimic=free": commands accept
// it in place of a model file. Options: state=FILE, mimic=free, inertia=accepted, massless=welded,
// unknown=refused, loops=PRECISION, end=SECONDS.
bool IsRobotFile(std::string_view name);
std::string WithRobotOptions(const std::string& name, const RobotOptions& options);
// The name without its options.
std::string RobotFileOf(std::string_view name);
// The options after the name of a robot file. Throws ModelError.
RobotOptions RobotOptionsOf(std::string_view name);

// The problem of a robot file: a body for each link with the link's axes, a joint for each joint, and
// the joint "ground:ROOT" between the ground and the root link. Elements that the model does not
// represent are listed in Problem::warnings. Every fault is a ModelError of one sentence with the file
// and, where known, the line. Sizes and depth are bounded, so no input can hang the reader or exhaust
// the memory.
Problem ReadRobotFile(std::string_view name);
// Reads the text of a URDF file; `state` is read if options.state, its name in messages, is not empty.
Problem ParseRobot(std::string_view urdf, const std::string& name_for_errors,
                   const RobotOptions& options = {}, std::string_view state = "");

}  // namespace mbsbench
