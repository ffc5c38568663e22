#include "harness/runner/plan/schedule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace mbsbench {

namespace {

// Long rounds are repeated less often: their sum stays below this part of the time limit of a trial.
constexpr double kPartOfLimit = 1. / 15;

int Affordable(double seconds, int most, double limit) {
  const double affordable = seconds > 0 ? std::floor(kPartOfLimit * limit / seconds) : most;
  return static_cast<int>(std::clamp(affordable, 1., static_cast<double>(most)));
}

using Indices = std::vector<std::size_t>;

bool Runs(const PlannedCell& planned) { return planned.without_running.outcome == Outcome::kOk; }

class Scheduler {
 public:
  Scheduler(const std::vector<PlannedProblem>& plan, int rounds, std::uint64_t seed)
      : plan_(plan), rounds_(rounds), seed_(seed) {}

  std::vector<ScheduledTrial> Make() {
    const Indices smallest = SmallestOfFamilies();
    Indices larger = BySize();
    std::erase_if(larger, [&](std::size_t p) {
      return std::find(smallest.begin(), smallest.end(), p) != smallest.end();
    });
    for (std::size_t p : smallest)
      Once(
          p, [&](const MethodChoice& m) { return Leads(p, m); }, true);
    for (std::size_t p : smallest)
      Once(
          p, [&](const MethodChoice& m) { return !Leads(p, m); }, false);
    for (std::size_t p : larger)
      Once(
          p, [](const MethodChoice&) { return true; }, true);
    Indices all = smallest;
    all.insert(all.end(), larger.begin(), larger.end());
    for (Pass pass : {Pass::kCurves, Pass::kIntegrators}) {
      for (std::size_t p : all) JudgeAndTime(p, CellsOf(p, pass), pass);
    }
    for (std::size_t p : all) FurtherRounds(p);
    for (std::size_t p : all) Split(p);
    return std::move(trials_);
  }

 private:
  // The problem with the fewest bodies of each family, the first of equals.
  Indices SmallestOfFamilies() const {
    Indices smallest;
    std::map<std::string, std::size_t> found;  // family -> place in `smallest`
    for (std::size_t p = 0; p < plan_.size(); ++p) {
      const auto [place, is_new] = found.try_emplace(plan_[p].family, smallest.size());
      if (is_new)
        smallest.push_back(p);
      else if (plan_[p].bodies < plan_[smallest[place->second]].bodies)
        smallest[place->second] = p;
    }
    return smallest;
  }

  Indices BySize() const {
    Indices order(plan_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return plan_[a].bodies < plan_[b].bodies;
    });
    return order;
  }

  // Whether this variant of its method is run first on a problem: the default variant, or the first that runs if the default
  // one does not.
  bool Leads(std::size_t p, const MethodChoice& method) const {
    const MethodChoice* leader = nullptr;
    for (const MethodChoice& other : plan_[p].methods) {
      if (other.entry != method.entry || !IsRun(p, other)) continue;
      if (leader == nullptr || IsDefaultVariant(other)) leader = &other;
    }
    return leader != nullptr && leader->spec == method.spec;
  }

  bool IsRun(std::size_t p, const MethodChoice& method) const {
    const auto is_it = [&](const MethodChoice& m) { return m.spec == method.spec; };
    return std::any_of(
               plan_[p].cells.begin(), plan_[p].cells.end(),
               [&](const PlannedCell& c) { return c.cell.method == method.spec && Runs(c); }) ||
           std::any_of(plan_[p].evaluated.begin(), plan_[p].evaluated.end(), is_it);
  }

  Indices CellsOf(std::size_t p, Pass pass) const {
    Indices cells;
    for (std::size_t c = 0; c < plan_[p].cells.size(); ++c) {
      if (plan_[p].cells[c].pass == pass && Runs(plan_[p].cells[c])) cells.push_back(c);
    }
    return cells;
  }

  // Pass 1 of the methods that `is_wanted` selects; `opens`: they are the first of this problem.
  template <typename Wanted>
  void Once(std::size_t p, Wanted&& is_wanted, bool opens) {
    const PlannedProblem& problem = plan_[p];
    if (opens) {
      for (std::size_t c = 0; c < problem.cells.size(); ++c) {
        if (!Runs(problem.cells[c]))
          trials_.push_back({.kind = TrialKind::kAccuracy, .problem = p, .cell = c});
      }
      trials_.push_back({.kind = TrialKind::kAgreement, .problem = p});
    }
    Indices cells = CellsOf(p, Pass::kOnce);
    std::erase_if(cells, [&](std::size_t c) {
      return !is_wanted(*problem.MethodOf(problem.cells[c].cell.method));
    });
    Judge(p, cells, Pass::kOnce);
    for (std::size_t m = 0; rounds_ > 0 && m < problem.evaluated.size(); ++m) {
      if (!is_wanted(problem.evaluated[m])) continue;
      for (Evaluated what : EvaluationsOf(problem.evaluated[m].form())) {
        trials_.push_back(
            {.kind = TrialKind::kEvaluation, .problem = p, .method = m, .what = what});
      }
    }
    Time(p, cells, Pass::kOnce, 0);
  }

  void JudgeAndTime(std::size_t p, const Indices& cells, Pass pass) {
    Judge(p, cells, pass);
    Time(p, cells, pass, 0);
  }

  void FurtherRounds(std::size_t p) {
    Indices cells;
    for (std::size_t c = 0; c < plan_[p].cells.size(); ++c) {
      if (Runs(plan_[p].cells[c])) cells.push_back(c);
    }
    for (int process = 1; process < kProcessesPerCell; ++process)
      Time(p, cells, Pass::kDepth, process);
  }

  void Split(std::size_t p) {
    for (std::size_t c = 0; c < plan_[p].cells.size(); ++c) {
      if (plan_[p].cells[c].is_split)
        trials_.push_back(
            {.kind = TrialKind::kBudget, .pass = Pass::kDepth, .problem = p, .cell = c});
    }
  }

  void Judge(std::size_t p, const Indices& cells, Pass pass) {
    for (std::size_t c : cells)
      trials_.push_back({.kind = TrialKind::kAccuracy, .pass = pass, .problem = p, .cell = c});
  }

  // Timed alone, in a random order that differs between processes.
  void Time(std::size_t p, Indices cells, Pass pass, int process) {
    if (RoundsOf(process, rounds_).empty()) return;
    std::seed_seq seed{seed_, static_cast<std::uint64_t>(process),
                       static_cast<std::uint64_t>(plan_[p].bodies),
                       static_cast<std::uint64_t>(pass)};
    std::mt19937_64 random(seed);
    std::shuffle(cells.begin(), cells.end(), random);
    for (std::size_t c : cells) {
      trials_.push_back(
          {.kind = TrialKind::kTime, .pass = pass, .problem = p, .cell = c, .process = process});
    }
  }

  const std::vector<PlannedProblem>& plan_;
  int rounds_;
  std::uint64_t seed_;
  std::vector<ScheduledTrial> trials_;
};

}  // namespace

std::string_view Name(TrialKind kind) {
  switch (kind) {
    case TrialKind::kAgreement: return "agreement";
    case TrialKind::kAccuracy: return "accuracy";
    case TrialKind::kEvaluation: return "evaluation";
    case TrialKind::kTime: return "time";
    case TrialKind::kBudget: return "budget";
  }
  return "";
}

std::vector<int> RoundsOf(int process, int rounds, int processes) {
  std::vector<int> mine;
  for (int round = 0; round < rounds; ++round) {
    const int timed_by = round == 0 || processes == 1 ? 0 : 1 + (round - 1) % (processes - 1);
    if (timed_by == process) mine.push_back(round);
  }
  return mine;
}

int AffordableRounds(double integration_seconds, int rounds, double limit) {
  return Affordable(integration_seconds, std::max(1, rounds), limit);
}

int AffordableProcesses(double process_seconds, double limit) {
  return Affordable(process_seconds, kProcessesPerCell, limit);
}

std::vector<ScheduledTrial> MakeSchedule(const std::vector<PlannedProblem>& plan, int rounds,
                                         std::uint64_t seed) {
  return Scheduler(plan, rounds, seed).Make();
}

}  // namespace mbsbench
