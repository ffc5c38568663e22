// Ranks of the redundant mechanisms, and the components of their reactions that are unique, by exact arithmetic: FLINT's rank and
// null space over the rationals, of 2 x 2 blocks [a, b d; b, a] for a + b sqrt(d). No threshold decides.
#pragma once

#include <string>
#include <vector>

#include "problems/model/system.h"
#include "problems/model/unique_components.h"
#include "tests/every_method/exact/quadratic_field.h"

namespace mbsbench::exact {

// Inertial axes. `axis`, of any length: of a hinge or a slide; of a rod; unused of a ball.
struct JointPlace {
  Point point, axis;
};

// The places of tree joints, then loop joints, of a mechanism of ExactMechanisms, written down from its printed data.
std::vector<JointPlace> PlacesOf(const std::string& name);

struct ExactStatics {
  Rational d = 0;  // 0: the field is Q, else Q(sqrt d)
  int rows = 0, rank = 0;
  std::vector<UniqueComponents> unique;
  std::vector<int> undetermined;  // dimensions of what is free in the wrenches of joints
};
// `system` says which bodies the joints connect, and their types.
ExactStatics StaticsOf(const System& system, const std::vector<JointPlace>& places);

}  // namespace mbsbench::exact
