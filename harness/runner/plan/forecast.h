// How long the remaining trials of a run will take, from those that are over.
//
// A recorded trial (durations.h) is expected to take its recorded time times the pace of this machine: the ratio of measured
// to recorded times of the trials of its kind that are over. Otherwise, a cell whose coarser neighbour has been judged is
// expected to take the neighbour's time, times the growth by the integrator's order. A budget takes kSolutionsPerBudget times
// the time of its cell. All other trials take the geometric mean of those like them, scaled by a power of the number of
// bodies and by the digits asked for: of the same kind, what is integrated or evaluated, method and problem, as far as any
// of these are over.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/plan_record.h"
#include "harness/runner/plan/durations.h"
#include "harness/runner/plan/schedule.h"

namespace mbsbench {

// The properties of a trial that determine its time.
struct TrialShape {
  TrialKind kind = TrialKind::kAgreement;
  Pass pass = Pass::kOnce;
  std::string problem = {}, method = {}, integrator = {};  // empty if the kind has none
  double bodies = 1;
  double digits = 0;     // accuracy: -log10 of the tolerance, or log10 of the number of steps
  std::size_t cell = 0;  // accuracy, time and budget: one number for all trials of a cell
  int rounds = 1;        // time: in this process
  bool is_run = true;    // accuracy: false for a cell recorded without a process
  std::optional<std::size_t> coarser =
      {};             // accuracy: the cell of the next coarser tolerance or step
  double growth = 1;  // expected ratio of the times of this cell and the coarser one
  std::optional<RecordedDuration> recorded = {};  // agreement, accuracy, evaluation
};

std::vector<TrialShape> ShapesOf(const std::vector<ScheduledTrial>& schedule,
                                 const std::vector<PlannedProblem>& plan, int rounds,
                                 const Durations& durations);

class Forecast {
 public:
  // `limit`: time limit of a trial [s]; `side_by_side`: how many untimed trials run at once.
  Forecast(std::vector<TrialShape> trials, double limit, double side_by_side);

  // The trial is over or will never be run. `seconds`: of its processes, 0 without a process. For an accuracy trial,
  // `finished`: it reached its end, so the cell will be timed; `whole`: the time that the cell takes or was expected to take,
  // empty after another failure.
  void Done(std::size_t trial, double seconds, bool finished = true,
            std::optional<double> whole = std::nullopt);
  // Whether Done was called for the trial.
  bool IsDone(std::size_t trial) const { return done_[trial]; }
  // The trials of the call have taken `wall_elapsed` so far, and this one `seconds` of its processes. Relates the times of processes to wall
  // time; parallel trials have less weight.
  void Ran(std::size_t trial, double seconds, double wall_elapsed);

  // The time of an accuracy trial, extrapolated from the next coarser cell; empty if that has no known time.
  std::optional<double> FromCoarser(std::size_t trial) const;
  // Expected seconds of the processes of one trial; 0 if it will not be run.
  double Seconds(std::size_t trial) const;
  std::vector<PassRecord> Passes() const;  // in their order

 private:
  // Of logarithms of seconds.
  struct Average {
    double sum = 0, count = 0;
    double Log(double prior) const;
  };
  using Groups = std::array<std::size_t, 4>;  // from general to special
  static double LogGrowth(const TrialShape& shape);
  void Learn(std::size_t trial, double seconds);
  double TypicalSeconds(std::size_t trial) const;
  double TimeSeconds(std::size_t trial) const;
  double BudgetSeconds(std::size_t trial) const;
  double Pace(TrialKind kind) const;
  // Probability that a remaining accuracy trial reaches its end.
  double ChanceToFinish(std::size_t trial) const;
  double Weight(std::size_t trial) const;

  std::vector<TrialShape> trials_;
  double limit_, side_by_side_;
  std::vector<bool> done_;
  std::vector<Groups> groups_;            // of each trial
  std::vector<Average> averages_;         // of each group, without the growth
  std::vector<std::size_t> accuracy_of_;  // cell -> its accuracy trial
  std::vector<double> judged_,
      timed_;  // cell -> seconds of the trial, of one round; < 0: not known
  std::vector<std::optional<double>> whole_;     // cell -> `whole` of Done
  std::vector<bool> failed_;                     // cell -> judged and not to be timed
  double short_seconds_ = 0, short_rounds_ = 0;  // of cells shorter than a round
  double long_seconds_ = 0, long_judged_ = 0;    // of the others
  double judged_count_ = 0, finished_count_ = 0;
  // Expected (from records or from the cell) and measured seconds of the trials of a kind that are over.
  std::array<double, kTrialKinds> recorded_seconds_{}, taken_seconds_{};
  double weighed_ = 0, elapsed_ = 0;  // of the trials run in this call
};

}  // namespace mbsbench
