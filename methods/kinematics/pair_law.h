// Force elements between frames of two bodies as functions of vectors, with exact derivatives: for formulations that write
// the vectors in absolute or in particle coordinates, and do not know which law it is. At present bushings: with the axes a_i and
// b_j of the two frames, e from the origin of A to that of B, and E = A'B,
//
//   d_i = a_i . e              F = -sum_i a_i (k_i d_i + c_i d_i')                                        (1)
//   E_ij = a_i . b_j           S = vee(E - E') / 2 = n sin(t),  (tr E - 1) / 2 = cos(t)                    (2)
//   [w] = E' E^T               M = -sum_i a_i (k_ri t n_i + c_ri w_i)                                     (3)
#pragma once

#include <Eigen/Dense>
#include <array>
#include <functional>
#include <vector>

#include "problems/model/force_elements.h"

namespace mbsbench {

struct PairForce {
  // a_1, a_2, a_3, b_1, b_2, b_3 and e.
  static constexpr std::size_t kVectors = 7, kGap = 6;
  using Vectors = std::array<Eigen::Vector3d, kVectors>;
  using Gradients = std::array<Eigen::Matrix3d, kVectors>;

  Eigen::Vector3d force, moment;  // on B at its origin; the opposite acts on A at the same point
  Gradients force_by, force_by_rate, moment_by, moment_by_rate;
};

struct PairLaw {
  int body_a, body_b;
  Frame frame_a, frame_b;
  bool turns;  // whether there is a moment; else the axes of B do not count
  // The gradients only if asked for.
  std::function<PairForce(const PairForce::Vectors& value, const PairForce::Vectors& rate,
                          bool with_gradients)>
      force;
};

// Law after law in the order of System::forces.
std::vector<PairLaw> PairLawsOf(const ForceElements& forces);

}  // namespace mbsbench
