// The data of a system, as counted in its sensitivity to data.
#pragma once

#include <string>
#include <vector>

#include "problems/model/system.h"

namespace mbsbench::extended {

// One datum. It can occur in several places: a point of a body that two joints share is one datum, and
// gravity is one, whatever its direction.
struct DataParameter {
  std::string name;             // "mass of K1", "y of B on K3"
  std::vector<double*> places;  // in the system; in proportion to each other
};

// Masses, inertias, points of joints and forces, lengths, stiffnesses, dampings, applied forces, motions of drivers, the numbers of a
// rope flight, gravity; without zeros, directions and axes. For a `planar` system only those that act in the plane z = const. Copies of
// one system have the same parameters in the same order.
std::vector<DataParameter> DataParametersOf(System& system, bool planar);

}  // namespace mbsbench::extended
