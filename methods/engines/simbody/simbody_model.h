// A system as Simbody's own: mobilized bodies in its coordinates, its force elements, its constraints.
//
// Frames are the same. The conventions of the mobilizers differ:
//   Ball, Free  the angular velocity is in axes of the parent's frame F, ours in axes of the child's;
//               a Free's quaternion stands before its position
//   Slider      slides along x, ours along z: both frames are rotated
#pragma once

#include "methods/engines/simbody/simbody_index.h"
//
#include <simbody/internal/Force_Gravity.h>
#include <simbody/internal/GeneralForceSubsystem.h>
#include <simbody/internal/MultibodySystem.h>
#include <simbody/internal/SimbodyMatterSubsystem.h>

#include <span>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

inline SimTK::Vec3 ToSimbody(const Vector3& v) { return {v.x, v.y, v.z}; }
inline Vector3 FromSimbody(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }
inline SimTK::Transform ToSimbody(const Frame& f) {
  const Quaternion& q = f.orientation;
  return {SimTK::Rotation(SimTK::Quaternion(q.w, q.x, q.y, q.z)), ToSimbody(f.position)};
}

class SimbodyModel {
 public:
  explicit SimbodyModel(const System& system);
  SimbodyModel(const SimbodyModel&) = delete;  // its forces hold its address
  SimbodyModel& operator=(const SimbodyModel&) = delete;

  const System& system() const { return system_; }
  const SimTK::MultibodySystem& multibody() const { return multibody_; }
  const SimTK::SimbodyMatterSubsystem& matter() const { return matter_; }
  const SimTK::State& default_state() const { return state_; }
  const SimTK::MobilizedBody& body(int index) const {  // or the ground
    return matter_.getMobilizedBody(index == kGround ? SimTK::GroundIndex
                                                     : bodies_[static_cast<std::size_t>(index)]);
  }
  // Constraints that close loop joint `index`.
  std::span<const SimTK::ConstraintIndex> closing(std::size_t index) const {
    return closing_[index];
  }

  // Simbody's coordinates and speeds of a joint state.
  void SetState(const JointState& joints, SimTK::State& state) const;

 private:
  void AddBody(int body, const Joint& joint);
  void AddLoopJoint(const Joint& joint);
  void AddForces();

  System system_;
  SimTK::MultibodySystem multibody_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<SimTK::MobilizedBodyIndex> bodies_;  // per body
  std::vector<std::vector<SimTK::ConstraintIndex>> closing_;
  SimTK::State state_;
};

}  // namespace mbsbench
