// What the own reader of an engine makes of a model file (URDF, MJCF, SDF), for comparison with ours.
#pragma once

#include <string>
#include <vector>

#include "problems/model/geometry.h"

namespace mbsbench {

// Where all coordinates of joints are zero and free bodies are where the file puts them, in inertial axes.
struct BodyReading {
  std::string name;
  double mass = 0;           // [kg]
  Vector3 centre;            // mass centre [m]
  SymmetricMatrix3 inertia;  // about it [kg m^2]
};

// A joint that turns about an axis or slides along it.
struct JointReading {
  std::string name;
  Vector3 axis;         // unit, likewise
  double damping = 0;   // [N m s/rad] or [N s/m]; NaN: not to be compared
  double armature = 0;  // [kg m^2] or [kg]
};

struct ModelReading {
  std::vector<BodyReading> bodies;
  std::vector<JointReading> joints;
  std::string refused;  // why the engine cannot read the file; empty: it can
};

}  // namespace mbsbench

// A plug-in of an engine may export this. Its name changes with the binary interface.
#define MBSBENCH_MODEL_READER_FUNCTION "mbsbench_read_model_1"
extern "C" __attribute__((visibility("default"))) void mbsbench_read_model_1(
    const char* file, mbsbench::ModelReading* reading);
