// How long the remaining steps of a run will take, from those that are over.
//
// A step is expected to take the geometric mean of those like it, scaled by a power of the number of bodies and by the number of cells: of the same kind,
// what is integrated or evaluated, method and problem, as far as any of these are over.
#pragma once

#include <array>
#include <vector>

#include "harness/records/plan_record.h"
#include "harness/runner/plan/schedule.h"

namespace mbsbench {

class Forecast {
 public:
  // `side_by_side`: how many untimed trials run at once.
  Forecast(const std::vector<ScheduledStep>& schedule, const std::vector<PlannedProblem>& plan,
           double side_by_side);

  // The step is over or will never be carried out. `seconds`: of its processes, 0 without a process.
  void Done(std::size_t step, double seconds);
  bool IsDone(std::size_t step) const { return done_[step]; }
  // The steps of the call have taken `wall_elapsed` so far, and a process of this one `seconds`. Relates the times of processes to
  // wall time; parallel trials have less weight.
  void Ran(std::size_t step, double seconds, double wall_elapsed);

  // Expected CPU seconds of the processes of one step.
  double Seconds(std::size_t step) const;
  // In their order. The seconds left are not known before a part of the steps is over.
  std::vector<PassRecord> Passes() const;

 private:
  struct Average {
    double sum = 0, count = 0;  // of logarithms of seconds, without the growth by the bodies
    double Log(double prior) const;
  };
  struct Share {
    double done = 0, with_process = 0;
  };
  using Groups = std::array<std::size_t, 4>;  // from general to special
  double Weight(std::size_t step) const;

  std::vector<ScheduledStep> steps_;
  double side_by_side_;
  std::vector<bool> done_;
  std::vector<double> growth_;                 // of each step, the logarithm
  std::vector<Groups> groups_;                 // of each step
  std::vector<Average> averages_;              // of each group
  std::array<Share, kStepKinds> shares_ = {};  // of the steps that are over
  double weighed_ = 0, elapsed_ = 0;           // of the steps carried out in this call
};

}  // namespace mbsbench
