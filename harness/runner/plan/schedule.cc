#include "harness/runner/plan/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>

#include "harness/records/untried_limits.h"

namespace mbsbench {

namespace {

// The agreement of larger systems takes long: it waits for the first times on all problems.
constexpr std::size_t kLargeSystem = 100;
// A problem that nobody names and that does not lead the comparison has the rounds of the first looks.
constexpr std::size_t kLooksOfRest = 2;

using Indices = std::vector<std::size_t>;

bool Leads(const PlannedCurve& curve) { return curve.leads; }

bool Runs(const PlannedCurve& curve) { return curve.without_running.outcome == Outcome::kOk; }

// Curves of motions that only their ladder shows: there targets get the first rounds, and cells of the ladder one.
bool IsShown(const PlannedProblem& problem) {
  const auto is_searched = [](const PlannedCurve& one) { return !one.grid.settings.empty(); };
  return std::ranges::any_of(problem.curves, is_searched) &&
         std::ranges::any_of(problem.curves, [&](const PlannedCurve& one) {
           return Runs(one) && !is_searched(one) && !one.only_shows_order && one.cell.end_time;
         });
}

// Their evaluations show how the cost grows with the bodies.
constexpr std::array kLongChains{"chainN:bodies=10", "chainN:bodies=100", "chainN:bodies=1000"};

class Scheduler {
 public:
  Scheduler(const std::vector<PlannedProblem>& plan, int rounds, const std::vector<int>& looks)
      : plan_(plan),
        rounds_(rounds),
        looks_(looks),
        targets_(Longest(plan, &PlannedProblem::targets)) {
    for (std::size_t p = 0; p < plan.size(); ++p)
      (plan[p].is_headline ? headline_ : rest_).push_back(p);
    // Long motions of large systems come last.
    const auto work = [&](std::size_t p) {
      return plan[p].length * static_cast<double>(plan[p].bodies);
    };
    std::ranges::stable_sort(rest_, {}, work);
  }

  std::vector<ScheduledStep> Make() {
    Evaluations();
    Searches(Pass::kHeadline, 0, 1, Leads);
    Families();
    FurtherRounds(Pass::kRounds, headline_, 0, 1);
    Searches(Pass::kTargets, 1, targets_, Leads);
    FurtherRounds(Pass::kTargets, headline_, 1, targets_);
    Searches(Pass::kVariants, 0, targets_, std::not_fn(Leads));
    FurtherRounds(Pass::kVariants, headline_, 0, targets_);
    Rest();
    Ladders();
    return std::move(steps_);
  }

 private:
  void Add(ScheduledStep step) { steps_.push_back(step); }
  void AddOfCurve(StepKind kind, Pass pass, std::size_t p, std::size_t c, double setting = 0) {
    Add({.kind = kind, .pass = pass, .problem = p, .curve = c, .setting = setting});
  }

  void Agree(std::size_t p, Pass pass) {
    if (agreed_.insert(p).second) Add({.kind = StepKind::kAgreement, .pass = pass, .problem = p});
  }

  void Refuse(std::size_t p, Pass pass) {
    if (!refused_.insert(p).second) return;
    const std::vector<PlannedCurve>& curves = plan_[p].curves;
    for (std::size_t c = 0; c < curves.size(); ++c) {
      if (!Runs(curves[c])) AddOfCurve(StepKind::kRefusal, pass, p, c, curves[c].usual);
    }
  }

  void Evaluate(std::size_t p, Pass pass) {
    if (rounds_ == 0 || !evaluated_.insert(p).second) return;
    for (std::size_t m = 0; m < plan_[p].evaluated.size(); ++m) {
      if (!Keeps(kTimes, LimitsOf(plan_[p].evaluated[m]))) continue;
      for (Evaluated what : EvaluationsOf(plan_[p].evaluated[m].form()))
        Add({.kind = StepKind::kEvaluation, .pass = pass, .problem = p, .method = m, .what = what});
    }
  }

  // The searches for one target, and the first rounds of what they find.
  void Search(std::size_t p, std::size_t target, Pass pass,
              const std::function<bool(const PlannedCurve&)>& wanted) {
    const PlannedProblem& problem = plan_[p];
    if (target >= problem.targets.size()) return;
    const std::size_t before = steps_.size();
    for (std::size_t c = 0; c < problem.curves.size(); ++c) {
      const PlannedCurve& curve = problem.curves[c];
      if (!Runs(curve) || curve.grid.settings.empty() || !wanted(curve)) continue;
      Add({.kind = StepKind::kSearch,
           .pass = pass,
           .problem = p,
           .curve = c,
           .target = problem.targets[target]});
    }
    if (steps_.size() > before) Rounds(p, target, pass, 0);
  }

  void Rounds(std::size_t p, std::size_t target, Pass pass, std::size_t look) {
    if (rounds_ == 0 || look >= looks_.size()) return;
    Add({.kind = StepKind::kRounds,
         .pass = pass,
         .problem = p,
         .target = plan_[p].targets[target],
         .rounds = looks_[look]});
  }

  // The number of rounds is not asked for.
  bool IsBrief(std::size_t p) const { return looks_.size() > 1 && IsShown(plan_[p]); }

  // For the targets from `first` to before `end`.
  void FurtherRounds(Pass pass, const Indices& problems, std::size_t first, std::size_t end,
                     std::size_t looks = std::numeric_limits<std::size_t>::max()) {
    for (std::size_t look = 1; look < std::min(looks, looks_.size()); ++look) {
      for (std::size_t p : problems) {
        if (IsBrief(p)) continue;
        for (std::size_t t = first; t < std::min(end, plan_[p].targets.size()); ++t)
          Rounds(p, t, pass, look);
      }
    }
  }

  void Evaluations() {
    Indices first;
    for (std::size_t p = 0; p < plan_.size(); ++p) {
      if (plan_[p].is_headline || std::ranges::count(kLongChains, plan_[p].name) > 0)
        first.push_back(p);
    }
    const auto is_large = [&](std::size_t p) { return plan_[p].bodies >= kLargeSystem; };
    const auto large = std::ranges::stable_partition(first, std::not_fn(is_large)).begin();
    for (auto p = first.begin(); p != first.end(); ++p) {
      Refuse(*p, Pass::kEvaluations);
      if (p < large) Agree(*p, Pass::kEvaluations);
      Evaluate(*p, Pass::kEvaluations);
    }
    large_.assign(large, first.end());
  }

  // On the headline problems, for their targets from `first` to before `end`.
  void Searches(Pass pass, std::size_t first, std::size_t end,
                const std::function<bool(const PlannedCurve&)>& wanted) {
    for (std::size_t t = first; t < end; ++t) {
      for (std::size_t p : headline_) Search(p, t, pass, wanted);
    }
  }

  void Families() {
    std::set<std::string> families;
    for (std::size_t p : headline_) families.insert(plan_[p].family);
    Indices by_size = rest_;
    std::ranges::stable_sort(by_size, {}, [&](std::size_t p) { return plan_[p].bodies; });
    for (std::size_t p : by_size) {
      if (plan_[p].curves.empty() || !families.insert(plan_[p].family).second) continue;
      Refuse(p, Pass::kFamilies);
      Agree(p, Pass::kFamilies);
      const std::vector<PlannedCurve>& curves = plan_[p].curves;
      const double target = plan_[p].targets.empty() ? kFirstTarget : plan_[p].targets.front();
      for (std::size_t c = 0; c < curves.size(); ++c) {
        if (!Runs(curves[c]) || !curves[c].leads) continue;
        AddOfCurve(StepKind::kCell, Pass::kFamilies, p, c, curves[c].FirstSetting(target));
      }
    }
    for (std::size_t p : large_) Agree(p, Pass::kFamilies);
  }

  void Rest() {
    for (std::size_t p : rest_) {
      Refuse(p, Pass::kRest);
      Agree(p, Pass::kRest);
      Evaluate(p, Pass::kRest);
      Search(p, 0, Pass::kRest, Leads);
    }
    for (std::size_t p : rest_) {
      Search(p, 0, Pass::kRest, std::not_fn(Leads));
      for (std::size_t t = 1; t < plan_[p].targets.size(); ++t)
        Search(p, t, Pass::kRest, [](const PlannedCurve&) { return true; });
    }
    FurtherRounds(Pass::kRest, rest_, 0, targets_, kLooksOfRest);
  }

  void Ladders() {
    Indices all = headline_;
    all.insert(all.end(), rest_.begin(), rest_.end());
    Indices with_ladder;
    for (std::size_t p : all) {
      const std::vector<PlannedCurve>& curves = plan_[p].curves;
      // A cell waits for the next coarser one of its curve: the coarsest cells of all curves come first.
      bool is_timed = false;
      for (std::size_t rung = 0, most = Longest(curves, &PlannedCurve::ladder); rung < most;
           ++rung) {
        for (std::size_t c = 0; c < curves.size(); ++c) {
          if (!Runs(curves[c]) || rung >= curves[c].ladder.size()) continue;
          AddOfCurve(StepKind::kCell, Pass::kLadder, p, c, curves[c].ladder[rung]);
          is_timed |= !curves[c].only_shows_order;
        }
      }
      if (!is_timed) continue;
      with_ladder.push_back(p);
      LadderRound(p, 0);
    }
    for (int round = 1; round < rounds_; ++round) {
      for (std::size_t p : with_ladder) {
        if (!IsBrief(p)) LadderRound(p, round);
      }
    }
    for (std::size_t p : all) {
      for (std::size_t c = 0; c < plan_[p].curves.size(); ++c) {
        if (plan_[p].curves[c].is_split && Runs(plan_[p].curves[c]))
          AddOfCurve(StepKind::kBudget, Pass::kLadder, p, c);
      }
    }
  }

  void LadderRound(std::size_t p, int round) {
    if (round < rounds_)
      Add({.kind = StepKind::kLadderRound, .pass = Pass::kLadder, .problem = p, .rounds = round});
  }

  template <class Owner>
  static std::size_t Longest(const std::vector<Owner>& owners, std::vector<double> Owner::*list) {
    std::size_t longest = 0;
    for (const Owner& one : owners) longest = std::max(longest, (one.*list).size());
    return longest;
  }

  const std::vector<PlannedProblem>& plan_;
  int rounds_;
  const std::vector<int>& looks_;
  std::size_t targets_;  // the most of a problem
  Indices headline_, rest_;
  Indices large_;  // evaluated in the first pass, compared later
  std::set<std::size_t> refused_, agreed_, evaluated_;
  std::vector<ScheduledStep> steps_;
};

}  // namespace

std::string_view Name(TrialKind kind) {
  constexpr std::array kNames{"agreement", "accuracy", "evaluation", "time", "budget"};
  return kNames.at(static_cast<std::size_t>(kind));
}

int AffordableRounds(double seconds, int rounds, double limit) {
  // The rounds of a cell take at most this part of the time limit of a trial.
  constexpr double kPartOfLimit = 1. / 10;
  if (rounds <= 1) return rounds;
  const double affordable = seconds > 0 ? std::floor(kPartOfLimit * limit / seconds) : rounds;
  return static_cast<int>(std::clamp(affordable, 1., static_cast<double>(rounds)));
}

std::vector<ScheduledStep> MakeSchedule(const std::vector<PlannedProblem>& plan, int rounds,
                                        const std::vector<int>& looks) {
  return Scheduler(plan, rounds, looks).Make();
}

}  // namespace mbsbench
