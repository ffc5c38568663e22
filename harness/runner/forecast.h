// How long the trials still to come will take, from those of the run that are over.
//
// The logarithm of a process's seconds is taken as a sum: of its kind, of the logarithm of the number of
// bodies, of its problem, method, integrator, of these together, and of the digits asked for. Each part is
// fitted to what has been seen and drawn towards nothing where little has.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/runner/schedule.h"

namespace mbsbench {

// What a trial's time depends on.
struct TrialShape {
  TrialKind kind = TrialKind::kAgreement;
  Pass pass = Pass::kOnce;
  std::string problem, method, integrator;  // empty where the kind has none
  double bodies = 1;
  double digits = 0;     // accuracy: -log10 of the tolerance, or log10 of the number of steps
  std::size_t cell = 0;  // accuracy and time: one number for all trials of a cell
  int rounds = 1;        // time: in this process
};

std::vector<TrialShape> ShapesOf(const std::vector<ScheduledTrial>& schedule,
                                 const std::vector<PlannedProblem>& plan, int rounds);

struct PassForecast {
  std::int64_t planned = 0, done = 0;
  double seconds_left = 0;  // wall, as trials run side by side
};

class Forecast {
 public:
  // `limit`: time limit of a trial [s]; `side_by_side`: how many untimed trials run at once.
  Forecast(std::vector<TrialShape> trials, double limit, double side_by_side);

  // The trial is over or will never be run. `seconds`: of its processes, 0 where there were none;
  // `finished`: an accuracy trial that reached its end, so that the cell will be timed.
  void Done(std::size_t trial, double seconds, bool finished = true);
  // Whether it has been said of the trial.
  bool IsDone(std::size_t trial) const { return done_[trial]; }
  // That wall time went by for trials which took `seconds` of processes, weighed as they ran side by side: how the
  // one becomes the other.
  void Ran(std::size_t trial, double seconds, double wall_elapsed);

  // Of the processes of one trial.
  double Seconds(std::size_t trial);
  std::array<PassForecast, kPasses> Passes();
  double SecondsLeft();

 private:
  static constexpr std::size_t kGroups = 5;
  struct Model {
    double mean = 0, slope = 0, smear = 1;
    std::array<std::vector<double>, kGroups> effects;
    std::vector<double> digits_slope;  // per integrator
  };
  struct Observation {
    std::size_t trial;
    double log_seconds;
  };

  void Fit(TrialKind kind);
  void FitWhereNeeded();
  double LogSeconds(const Model& model, std::size_t trial) const;
  double ModelSeconds(TrialKind kind, std::size_t trial) const;
  double TimeSeconds(std::size_t trial) const;
  double Weight(std::size_t trial) const;

  std::vector<TrialShape> trials_;
  double limit_, side_by_side_;
  std::vector<bool> done_;
  std::vector<std::array<std::size_t, kGroups>> groups_;  // of each trial
  std::array<std::size_t, kGroups> group_counts_{};
  std::array<std::vector<Observation>, 4> seen_;
  std::array<Model, 4> models_;
  std::array<std::size_t, 4> fitted_{};   // observations in the model
  std::vector<std::size_t> accuracy_of_;  // cell -> its accuracy trial
  std::vector<double> judged_,
      timed_;                 // cell -> seconds of the trial, of one round; < 0: not known
  std::vector<bool> failed_;  // cell -> judged and not to be timed
  double short_seconds_ = 0, short_rounds_ = 0;  // of cells that take less than a round
  double long_seconds_ = 0, long_judged_ = 0;    // of the others
  double judged_count_ = 0, finished_count_ = 0;
  double weighed_ = 0, elapsed_ = 0;  // of what was run in this call
};

}  // namespace mbsbench
