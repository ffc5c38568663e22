// The options with which commands read a robot file.
#pragma once

#include <string>

#include "harness/commands/commands.h"
#include "problems/io/robot_file.h"

namespace mbsbench {

// --state, --mimic=free, --accept-inertia.
void AddRobotOptions(CLI::App& command, RobotOptions& options);

// The problem's name with these options, which belong to robot files only.
std::string RobotOrProblem(const std::string& problem, const RobotOptions& options);

// Throws ModelError where a motion of a robot is asked for and its end is stated nowhere.
void RequireEnd(const std::string& problem, bool is_given);

// What the problem's file holds and the model leaves out, on standard error.
void PrintWarnings(const Problem& problem);

inline constexpr char kProblemHelp[] =
    "Name of a problem with its options (branchN:bodies=500), a model file, or a robot file "
    "(.urdf, .mjcf, .sdf)";

}  // namespace mbsbench
