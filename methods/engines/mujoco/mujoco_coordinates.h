// The state of a formulation by MuJoCo, y = (qpos, qvel), which differs from our joint coordinates in balls and in free joints
// on the ground (mjcf.h).
#pragma once

#include <span>
#include <vector>

#include "methods/interface/formulation.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Where MuJoCo keeps one of our bodies.
struct MujocoPlace {
  int body = 0;            // its number
  int qpos = 0, qvel = 0;  // the first ones of its joint; meaningless where it is fixed
};

class MujocoCoordinates {
 public:
  // `places`: per body. The system must outlive the object.
  MujocoCoordinates(const System& system, std::vector<MujocoPlace> places);

  std::size_t nq() const { return nq_; }
  std::size_t nv() const { return nv_; }
  std::size_t size() const { return nq_ + nv_; }
  const std::vector<MujocoPlace>& places() const { return places_; }

  std::vector<Dimension> Dimensions() const;
  void Put(const SystemState& state, std::span<double> y) const;
  void NormaliseQuaternions(std::span<double> y) const;
  // y' from y and qacc.
  void PutRates(std::span<const double> y, const double* qacc, std::span<double> ydot) const;

 private:
  const MujocoPlace& PlaceOf(const Joint& joint) const {
    return places_[static_cast<std::size_t>(joint.child)];
  }

  const System& system_;
  const std::vector<MujocoPlace> places_;
  std::size_t nq_ = 0, nv_ = 0;
};

}  // namespace mbsbench
