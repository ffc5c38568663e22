// Multipliers that others print of a problem, as reactions of its joints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "problems/model/unique_components.h"
#include "reference/reference.h"

namespace mbsbench {

// lambda = `scale` F . d, with F the force of a joint on its child.
struct Multiplier {
  enum class Direction {
    kInertialX,
    kInertialY,
    kParentX,        // the x axis of the joint's parent
    kParentToChild,  // from the mass centre of the joint's parent to that of its child
  };
  std::string name, joint;
  Direction direction = Direction::kInertialX;  // d, of length 1
  double scale = 1;
  int number = 0;  // of the joint: tree joints, then loop joints
  int parent = kGround, child = 0;

  std::string Meaning() const;  // "0.5 times the force of joint 'rod' on its child along ..."
};

// An index PublishedValue::observable is one into `quantities`. The values of the end come last.
struct PrintedMultipliers {
  std::vector<Multiplier> quantities;
  std::vector<PublishedValue> values;
};
PrintedMultipliers PrintedMultipliersOf(const Problem& problem);

// Empty where the force along the direction is not unique.
std::optional<double> ValueOf(const Multiplier& multiplier, const std::vector<BodyState>& bodies,
                              const Vector3& force, const UniqueComponents& unique);
// At a sample of a reference that stores the motion of all bodies; else empty.
std::optional<double> ValueIn(const Reference& reference, const Multiplier& multiplier,
                              double time);

}  // namespace mbsbench
