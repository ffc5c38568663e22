// Forces of springs over a step as discrete gradients: they take exactly the potential energy's difference of its ends, and
// dampers beside them take energy in every step. With d a vector between affine points, l = |d|, the ends n and 1:
//   line    F = -(k ((l_n + l_1)/2 - l_0) + c (l_1 - l_n)/h) (d_n + d_1)/(l_n + l_1)              (1)
//   ground  F = -(k (n.(x_n + x_1)/2 - x_0) + c n.(x_1 - x_n)/h) n                                (2)
//   slide   f = k ((s_n + s_1)/2 - s_0) + c (s_1 - s_n)/h,   Q = -f ds/dq at q_mid                (3)
//   turn    as (3) in the angle a of p = (cos a, sin a), with full turns; at q_mid, w = a_1 - a_n:
//           Q = -f (w/2)/sin(w/2) (p_x dp_y/dq - p_y dp_x/dq)/|p|                                 (4)
// s and p are products of affine forms, whose gradients at q_mid are discrete gradients.
#pragma once

#include <vector>

#include "methods/natural_coordinates/natural_matrix.h"
#include "problems/model/state.h"

namespace mbsbench::natural {

class DiscreteSprings {
 public:
  DiscreteSprings(const System& system, const NaturalModel& model);

  // Sets the coordinates of joints from which full turns are counted.
  void Start(const System& system, const JointState& joints);
  // The end q of the last step becomes the begin of the next.
  void Advance(const Column<double>& q);

  // The unknowns of each spring.
  NaturalMatrix::Forms Forms() const;
  // Adds factor Q of a step h from q_begin to q, and -factor dQ/dq.
  void Add(const Column<double>& q_begin, const Column<double>& q, double h, double factor,
           Column<double>& force, NaturalMatrix& matrix) const;

 private:
  struct Line {
    AffineForm d;
    double stiffness, damping, free_length;
  };
  struct Ground {
    AffineForm x;
    Eigen::Vector3d direction;
    double stiffness, damping, free_position;
  };
  struct AtJoint {
    NaturalRow first, second;  // s, or p_x and p_y
    bool turns;
    int joint;
    double stiffness, damping, free_coordinate;
    double begin = 0;  // the coordinate at the begin of the step, with full turns

    std::vector<int> Points() const;
    double CoordinateAt(const Column<double>& q) const;
  };
  void AddAtJoint(const AtJoint& spring, std::size_t form, const Column<double>& q_begin,
                  const Column<double>& q, double h, double factor, Column<double>& force,
                  NaturalMatrix& matrix) const;

  std::vector<Line> lines_;
  std::vector<Ground> grounds_;
  std::vector<AtJoint> at_joints_;
};

// A system without the springs of DiscreteSprings.
System WithoutSprings(const System& system);

}  // namespace mbsbench::natural
