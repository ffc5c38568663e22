// Motions about which linearised equations have constant coefficients.
//
// A motion is steady if there is a constant Omega with
//
//   a_b = Omega x v_b,   alpha_b = Omega x omega_b           for all bodies b                      (1)
//
// and if the equations linearised about it, in axes that turn at Omega, stay the same along it. Bodies may spin in these axes
// only about axes of symmetry. That covers equilibria (Omega = 0), mechanisms that turn as one body, spinning tops and rotors
// whose axes stand still or precess. Where something is driven, or everything is at rest, the motion is found from the initial
// state by Newton's method, free rates 0; any other has to be the initial state.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"

namespace mbsbench {

struct SteadyMotion {
  extended::Scales scales;
  std::unique_ptr<extended::JointCoordinates> joints;
  std::vector<extended::Real> y;  // their state
  std::unique_ptr<extended::SystemData> system;
  extended::Motion motion;
  extended::Dynamics dynamics;               // accelerations and multipliers
  std::vector<extended::LoopRow> loop_rows;  // the independent ones
  std::vector<extended::Real> spring_angles;
  extended::Vec3 turn;  // Omega, inertial axes [rad/s]
  bool moves = false;
  double rate = 0;              // the largest of 1/T and of all angular velocities [1/s]
  std::optional<double> speed;  // of the first driver
};

// With the first driver at `speed`, the others in proportion. Throws ModelError if there is no such motion.
SteadyMotion FindSteadyMotion(const Problem& problem, std::optional<double> speed = {});

// Small motions of the independent coordinates s along the joints' rates, about the state y of the joints:
//   (s, sigma)' = A (s, sigma),   sigma: changes of the rates
// Triples of a free rotation (about axes of C) or of a free translation (in axes of P) are taken in axes that turn at Omega and
// are given as `axes`, axes -> inertial.
Eigen::MatrixXd ReducedMatrix(const SteadyMotion& steady, const std::vector<extended::Real>& y,
                              const extended::Mat3& axes = {});
// s in the order of the matrix.
struct IndependentCoordinate {
  std::string name;             // "phi_1", "point turn x"
  std::optional<double> value;  // [rad] or [m]; empty: of a free rotation
};
std::vector<IndependentCoordinate> IndependentCoordinates(const SteadyMotion& steady);

}  // namespace mbsbench
