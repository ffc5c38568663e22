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
#include <unordered_map>
#include <vector>

#include "harness/records/plan_record.h"
#include "harness/runner/durations.h"
#include "harness/runner/schedule.h"

namespace mbsbench {

// What a trial's time depends on.
struct TrialShape {
  TrialKind kind = TrialKind::kAgreement;
  Pass pass = Pass::kOnce;
  std::string problem, method, integrator;  // empty where the kind has none
  double bodies = 1;
  double digits = 0;     // accuracy: -log10 of the tolerance, or log10 of the number of steps
  std::size_t cell = 0;  // accuracy, time and budget: one number for all trials of a cell
  int rounds = 1;        // time: in this process
  bool is_run = true;    // accuracy: false of a cell that is recorded without a process
  std::optional<std::size_t> coarser =
      {};             // accuracy: the cell of the next coarser tolerance or step
  double growth = 1;  // how many times as long as that one it is expected to take
  std::optional<RecordedDuration> recorded = {};  // agreement, accuracy, evaluation
};

std::vector<TrialShape> ShapesOf(const std::vector<ScheduledTrial>& schedule,
                                 const std::vector<PlannedProblem>& plan, int rounds,
                                 const Durations& durations);

class Forecast {
 public:
  // `limit`: time limit of a trial [s]; `side_by_side`: how many untimed trials run at once.
  Forecast(std::vector<TrialShape> trials, double limit, double side_by_side);

  // The trial is over or will never be run. `seconds`: of its processes, 0 where there were none;
  // `finished`: an accuracy trial that reached its end, so that the cell will be timed. `whole`: of an accuracy trial,
  // what the cell takes or was expected to take; empty where its failure says nothing of that.
  void Done(std::size_t trial, double seconds, bool finished = true,
            std::optional<double> whole = std::nullopt);
  // Whether it has been said of the trial.
  bool IsDone(std::size_t trial) const { return done_[trial]; }
  // That wall time went by for trials which took `seconds` of processes, weighed as they ran side by side: how the
  // one becomes the other.
  void Ran(std::size_t trial, double seconds, double wall_elapsed);

  // What an accuracy trial will take by the next coarser cell; empty where that has not been judged or says nothing.
  std::optional<double> FromCoarser(std::size_t trial) const;
  // Of the processes of one trial; 0 where it will not be run.
  double Seconds(std::size_t trial) const;
  std::vector<PassRecord> Passes() const;  // in their order

 private:
  // Of logarithms of seconds.
  struct Average {
    double sum = 0, count = 0;
    double Log(double prior) const;
  };
  static std::vector<std::string> GroupsOf(const TrialShape& shape);
  static double LogGrowth(const TrialShape& shape);
  void Learn(const TrialShape& shape, double seconds);
  double TypicalSeconds(const TrialShape& shape) const;
  double TimeSeconds(std::size_t trial) const;
  double BudgetSeconds(std::size_t trial) const;
  double Pace(TrialKind kind) const;
  // How likely an accuracy trial that is still to come is to reach its end.
  double ChanceToFinish(std::size_t trial) const;
  double Weight(std::size_t trial) const;

  std::vector<TrialShape> trials_;
  double limit_, side_by_side_;
  std::vector<bool> done_;
  std::unordered_map<std::string, Average> averages_;  // by group, without the growth
  std::vector<std::size_t> accuracy_of_;               // cell -> its accuracy trial
  std::vector<double> judged_,
      timed_;  // cell -> seconds of the trial, of one round; < 0: not known
  std::vector<std::optional<double>> whole_;     // cell -> as of Done
  std::vector<bool> failed_;                     // cell -> judged and not to be timed
  double short_seconds_ = 0, short_rounds_ = 0;  // of cells that take less than a round
  double long_seconds_ = 0, long_judged_ = 0;    // of the others
  double judged_count_ = 0, finished_count_ = 0;
  // Of the trials of a kind that are over: what they were expected to take, by what was recorded of them or by their cell,
  // and took.
  std::array<double, kTrialKinds> recorded_seconds_{}, taken_seconds_{};
  double weighed_ = 0, elapsed_ = 0;  // of what was run in this call
};

}  // namespace mbsbench
