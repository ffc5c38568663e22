// Projection of joint coordinates and rates onto closed loops, for methods whose state is y = [q; u]
// in the order of System::joints.
//
// The correction is the smallest one in the metric of the masses (mass_metric.h): with J the loop rows by the rates of
// the joints, dq = -M^-1 J' (J M^-1 J')^-1 g, repeated until g is round-off, then once more for du = -M^-1 J' (J M^-1
// J')^-1 J u at the position found. The correction therefore takes the least energy, and preserves momenta that no force
// of the ground changes. The factors of the previous position are reused for du if this changes du by round-off alone,
// as in the steps of an integration. Driven rates are not corrected: they contribute to J u only, and J has no columns
// for them. The rows of a loop depend on the joints between its two bodies and their nearest common ancestor, in whose
// axes g and J are calculated; nothing is allocated. Many independent loops are corrected without J, by elimination
// where they meet (loop_corrections.h).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "methods/interface/status.h"
#include "methods/kinematics/loop_joint.h"
#include "methods/loops/closure_system.h"
#include "methods/loops/loop_elimination_plan.h"
#include "methods/loops/loop_paths.h"
#include "methods/loops/nearly_dependent_loops.h"

namespace mbsbench {

struct KnownRank;

class LoopCorrections;
class MassMetric;

class LoopProjection {
 public:
  explicit LoopProjection(const System& system,
                          UseOfElimination elimination = UseOfElimination::kWhereCheaper);
  ~LoopProjection();

  // Quaternions of y must have unit length. Fails with the name of a joint whose loop cannot be
  // closed from here.
  Status Project(std::span<double> y);

  // How many rows of J (driven columns left out) are independent at y, which closes the loops: from the rows
  // themselves and not their squares, within the accuracy of data and positions (known_rank.h).
  KnownRank Rank(std::span<const double> y);

 private:
  struct Link {  // a joint of a loop, relative to the common ancestor
    JointType type;
    Frame parent_frame, child_frame;
    int q;
    int first_column;
  };
  struct Loop {
    LoopJoint joint;
    std::array<std::vector<Link>, 2> sides;  // from the common ancestor to child and to parent
    std::vector<PathStop> path;              // of both sides and from there to the ground
    int first_row;
    double size;  // sum of all lengths, the unit for round-off of rows that are lengths [m]
  };
  struct Column {  // a rate that the forces of a loop change
    int u;         // in y
    bool driven;
    bool turns;  // and does not slide
    std::vector<RowRun> runs;
  };
  struct Coordinates {  // of a joint
    JointType type;
    int q, u;  // u among the rates
  };
  // Direction in which a joint's rate moves its subtree.
  struct RateMotion {
    Vector3 axis;
    bool turns;  // rotation about `point`, or translation
    Vector3 point;
    int column;
    double sign;
  };

  void CalcLoop(const Loop& loop, const double* y);
  BodyState Follow(const std::vector<Link>& side, double sign, const double* y);
  double CalcRows(const double* y);  // the largest residual, lengths divided by the loop size
  void ReserveColumns();  // if loops are corrected without J, only after elimination fails
  // Closes the loops; returns the remaining gap divided by the loop size.
  double Close(double* y, bool compares_closely);
  void Factorise(const double* y, double gap);
  void Correct(std::span<const double> residual, std::span<double> rates);
  // By elimination; false if it leaves more than round-off.
  bool ProjectWhereLoopsMeet(std::span<double> y);

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  std::vector<Loop> loops_;
  std::vector<Column> columns_;
  int joint_count_;
  int worst_loop_ = 0;
  RowAccuracy accuracy_;
  double factorised_at_ = 0;  // largest gap, divided by loop size, at the position of the factors
  ClosureSystem system_;
  std::unique_ptr<MassMetric> metric_;
  std::unique_ptr<LoopCorrections> corrections_;  // null if columns are cheaper
  std::vector<Coordinates> coordinates_;          // of joints that are not driven
  std::vector<int> column_of_rate_;               // -1: no loop moves it
  // Column by column, one number per row: of J, and of B J' with M^-1 = B' B.
  std::vector<double> jacobian_, reduced_;
  std::vector<double> residual_, answers_, change_;  // per row; per rate
  std::vector<double> start_, start_rates_;          // before the projection
  std::vector<double> length_;       // per row: its loop's size, 0 if the row is a product [m]
  std::vector<double> magnified_;    // per row: errors of its direction relative to round-off
  std::vector<RateMotion> motions_;  // of one loop
};

// Fails if more than `rank` loop rows are independent at y, which closes the loops: a method that squares the
// rows has then lost some of them in round-off. Also fails if a row that counts has almost no correct digit.
Status CheckLoopRank(const System& system, std::span<const double> y, int rank);

}  // namespace mbsbench
