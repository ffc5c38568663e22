// Forces of springs over a step as discrete gradients: they take exactly the potential energy's difference of its ends, and
// dampers beside them take energy in every step. A spring acts along a coordinate a with the ends n and 1:
//   Q = -f da/dq,   f = k ((a_n + a_1)/2 - a_0) + c (a_1 - a_n)/h                                 (1)
// where a is a function of products of affine forms, whose gradients at q_mid are discrete gradients:
//   line    l = |d| between two points        dl/dq = (d.d)_q/(l_n + l_1)                         (2)
//   slide   s of a joint, or n.x along n of the ground                                            (3)
//   turn    the angle of p = (cos a, sin a), with full turns; w = a_1 - a_n:
//           da/dq = (w/2)/sin(w/2) (p_x dp_y/dq - p_y dp_x/dq)/|p|                                (4)
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
  NaturalMatrix::Forces Unknowns() const;
  // Adds factor Q of a step h from q_begin to q, and -factor dQ/dq from the force `first` of the matrix on.
  void Add(const Column<double>& q_begin, const Column<double>& q, double h, double factor,
           std::size_t first, Column<double>& force, NaturalMatrix& matrix);

 private:
  enum class Kind { kLine, kSlide, kTurn };
  struct Spring {
    Kind kind;
    double stiffness, damping, free_coordinate;
    int joint = -1;      // of an angle
    NaturalRow of = {};  // d.d, s, or p_x and p_y
    double begin = 0;    // the angle at the begin of the step, with full turns

    double At(const Column<double>& q) const;
  };

  std::vector<Spring> springs_;
};

// A system without the springs of DiscreteSprings.
System WithoutSprings(const System& system);

}  // namespace mbsbench::natural
