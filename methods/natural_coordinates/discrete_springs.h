// Forces of springs over a step as discrete gradients: they take exactly the potential energy's difference of its ends, and
// dampers beside them take energy in every step. With d a vector between affine points, l = |d|, the ends n and 1:
//   line    F = -(k ((l_n + l_1)/2 - l_0) + c (l_1 - l_n)/h) (d_n + d_1)/(l_n + l_1)              (1)
//   slide   f = k ((s_n + s_1)/2 - s_0) + c (s_1 - s_n)/h,   Q = -f ds/dq at q_mid                (2)
//           of a joint, or along n of the ground, where s = n.x
//   turn    as (2) in the angle a of p = (cos a, sin a), with full turns; at q_mid, w = a_1 - a_n:
//           Q = -f (w/2)/sin(w/2) (p_x dp_y/dq - p_y dp_x/dq)/|p|                                 (3)
// s and p are products of affine forms, whose gradients at q_mid are discrete gradients.
#pragma once

#include <vector>

#include "methods/natural_coordinates/natural_matrix.h"
#include "problems/model/state.h"

namespace mbsbench::natural {

class DiscreteSprings {
 public:
  DiscreteSprings(const System& system, const NaturalModel& model);

  // Sets the angles from which full turns are counted.
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
  struct Coordinate {
    NaturalRow first = {}, second = {};  // s, or p_x and p_y
    int turns_at = -1;                   // the joint of an angle
    double stiffness, damping, free_coordinate;
    double begin = 0;  // the angle at the begin of the step, with full turns

    bool turns() const { return turns_at >= 0; }
    std::vector<int> Points() const;
    double At(const Column<double>& q) const;
  };
  void AddAlong(const Coordinate& spring, std::size_t form, const Column<double>& q_begin,
                const Column<double>& q, double h, double factor, Column<double>& force,
                NaturalMatrix& matrix) const;

  std::vector<Line> lines_;
  std::vector<Coordinate> coordinates_;
};

// A system without the springs of DiscreteSprings.
System WithoutSprings(const System& system);

}  // namespace mbsbench::natural
