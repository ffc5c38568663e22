// URDF (docs/model_files.md, "Robot files").
#pragma once

#include <string>
#include <string_view>

#include "problems/io/robot_description.h"

namespace mbsbench {

// Throws ModelError, one sentence with file and line.
RobotDescription ReadUrdf(std::string_view text, const std::string& name, bool mimic_is_free);

}  // namespace mbsbench
