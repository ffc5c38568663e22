// The wrench that a joint transmits to its subtree, from a sweep from the tips to the root after the joint is eliminated:
//
//   [n]   [J   H] [alpha]   [n0]      alpha, a: acceleration of the joint's point, less gravity, with all but the joint's own u'
//   [f] = [H'  M] [  a  ] + [f0]      n, f: moment about that point and force, inertial axes
//
// J ... f0 are those of the subtree after the elimination. A joint with free rotation transmits no moment: M and f0 are enough. The
// sweep to the root keeps these numbers, and the sweep to the tips computes reactions from them.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/tree_joint.h"
#include "methods/numerics/block_algebra.h"
#include "methods/numerics/prefetch.h"
#include "methods/tree_motion/load.h"

namespace mbsbench {

// Per joint; a joint that also translates freely transmits nothing.
template <class Joint>
inline constexpr std::size_t kWrenchNumbers = !Joint::kTurnsFreely  ? 27
                                              : Joint::kSlides == 0 ? 9
                                                                    : 0;

namespace joint_wrench {

// Writes scalar by scalar; returns where the next begin.
template <class T>
[[gnu::always_inline]] inline T* Append(const Vec<T>& a, T* to) {
  to[0] = a.x, to[1] = a.y, to[2] = a.z;
  return to + 3;
}
template <class T>
[[gnu::always_inline]] inline T* Append(const Sym<T>& a, T* to) {
  to[0] = a.xx, to[1] = a.xy, to[2] = a.xz, to[3] = a.yy, to[4] = a.yz, to[5] = a.zz;
  return to + 6;
}
template <class T>
[[gnu::always_inline]] inline Vec<T> VecAt(const T* from) {
  return {from[0], from[1], from[2]};
}
template <class T>
[[gnu::always_inline]] inline Sym<T> SymAt(const T* from) {
  return {from[0], from[1], from[2], from[3], from[4], from[5]};
}
template <std::ptrdiff_t kAhead, std::size_t kSize, class T>
[[gnu::always_inline]] inline void PrefetchNumbers(const T* numbers) {
  struct Record {
    T number[kSize];
  };
  Prefetch<kAhead>(*reinterpret_cast<const Record*>(numbers));
}

}  // namespace joint_wrench

// kWrenchNumbers of a joint with free rotation.
template <class T>
[[gnu::always_inline]] inline void KeepForce(const Sym<T>& M, const Vec<T>& f0, T* to) {
  using namespace joint_wrench;
  PrefetchNumbers<-kRecordsAhead<T>, 9>(to);
  Append(f0, Append(M, to));
}
// ... and of others.
template <class T>
[[gnu::always_inline]] inline void KeepWrench(const Sym<T>& J, const Mat<T>& H, const Sym<T>& M,
                                              const Vec<T>& n0, const Vec<T>& f0, T* to) {
  using namespace joint_wrench;
  PrefetchNumbers<-kRecordsAhead<T>, 27>(to);
  to = Append(H.z, Append(H.y, Append(H.x, Append(J, Append(M, to)))));
  Append(f0, Append(n0, to));
}

// The inverse: the wrench at these accelerations.
template <class T>
[[gnu::always_inline]] inline Vec<T> ForceAt(const T* kept, const Vec<T>& a) {
  using namespace joint_wrench;
  PrefetchNumbers<kRecordsAhead<T>, 9>(kept);
  return AddTimes(VecAt(kept + 6), SymAt(kept), a);
}
template <class T>
[[gnu::always_inline]] inline Load<T> WrenchAt(const T* kept, const Vec<T>& alpha,
                                               const Vec<T>& a) {
  using namespace joint_wrench;
  PrefetchNumbers<kRecordsAhead<T>, 27>(kept);
  const Sym<T> M = SymAt(kept), J = SymAt(kept + 6);
  const Mat<T> H{VecAt(kept + 12), VecAt(kept + 15), VecAt(kept + 18)};
  return {AddTimes(AddTransposeTimes(VecAt(kept + 24), H, alpha), M, a),
          AddTimes(AddTimes(VecAt(kept + 21), J, alpha), H, a)};
}

// Keeps the constraint part of the wrench of a joint with one axis; returns the component along the axis, which its springs
// or driver exert.
template <class T>
[[gnu::always_inline]] inline T EliminateAxis(bool turns, const Vec<T>& axis, Load<T>& wrench) {
  Vec<T>& free = turns ? wrench.moment : wrench.force;
  const T along = Dot(free, axis);
  free = AddScaled(free, -along, axis);
  return along;
}

// Reactions of sweeps towards the tips; most lie in the order in which they are written.
[[gnu::always_inline]] inline void PutReaction(const Vec<double>& force, const Vec<double>& moment,
                                               JointReaction& reaction) {
  Prefetch<kRecordsAhead<double>>(reaction);
  reaction = {Plain(force), Plain(moment)};
}

// The numbers of all joints; those of a run of equal joints are stored joint by joint.
template <class T>
class KeptWrenches {
 public:
  // size_of(run): kWrenchNumbers of its joints.
  template <class Runs, class SizeOf>
  void Plan(const Runs& runs, SizeOf size_of) {
    std::size_t size = 0;
    for (const auto& run : runs) {
      of_run_.push_back(size);
      size += size_of(run) * static_cast<std::size_t>(run.end - run.begin);
    }
    numbers_.resize(size);
  }
  bool empty() const { return of_run_.empty(); }
  T* of_run(std::size_t run) { return numbers_.data() + of_run_[run]; }

 private:
  std::vector<T> numbers_;
  std::vector<std::size_t> of_run_;
};

}  // namespace mbsbench
