// y = [q; u]: joint coordinates and rates in the order of System::joints, with the meanings of
// JointType. The state of every formulation in joint coordinates, and operations on it outside the
// equations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"
#include "methods/interface/status.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class JointCoordinates {
 public:
  explicit JointCoordinates(const System& system);

  std::size_t count() const { return coordinates_; }  // of q
  std::size_t rate_count() const { return rates_; }   // of u
  std::size_t size() const { return coordinates_ + rates_; }

  std::vector<Dimension> Dimensions() const;

  void Put(const JointState& joints, std::span<double> y) const;
  JointState StateAt(std::span<const double> y) const;
  // q' from y.
  void CalcRates(std::span<const double> y, std::span<double> qdot) const;

  bool has_quaternions() const { return !quaternions_.empty(); }
  // Normalises quaternions. Fails if one has no direction.
  Status NormaliseQuaternions(std::span<double> y) const;

 private:
  struct JointQuaternion {
    int at, joint, body;
  };
  std::size_t coordinates_ = 0, rates_ = 0;
  std::vector<JointType> joints_;
  std::vector<JointQuaternion> quaternions_;
};

// Moves a joint by constant rates in unit time: displacements are added, the child rotates by the
// rotation vector.
void AdvanceJoint(JointType type, const double* rates, double* q);

}  // namespace mbsbench
