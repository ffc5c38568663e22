// The fastest family on a small tree, a large mechanism, a loop in long motion, and a driven or damped mechanism: answers of one
// line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "reports/analysis/coverage.h"
#include "reports/analysis/equal_error.h"
#include "reports/analysis/mechanism_map.h"
#include "reports/format/format.h"
#include "reports/pages/overview.h"

namespace mbsbench::reports {

namespace {

struct Question {
  const char* text;
  const char* rule;  // by which its problem is chosen
  // How well a problem answers it: larger is better, compared by the first number, then the second. Empty if it cannot.
  using Fitness = std::optional<std::pair<double, double>>;
  Fitness (*fitness)(const ProblemResults& problem, const Comparison& comparison);
};

constexpr double kPreferred = 1e-6, kCoarser = 1e-3;  // errors at which answers are given
constexpr double kAskedBodies = 500, kFewestBodies = 100, kMostBodies = 2500;

double BodiesOf(const ProblemResults& problem) { return problem.record.bodies.value_or(0); }

// The number of families that have a cell with an error and a time.
double FamiliesThatEnded(const ProblemResults& problem) {
  std::set<std::string> families;
  for (const Cell& cell : problem.cells) {
    if (cell.finished() && cell.cpu && cell.error) families.insert(MethodKey(cell.method));
  }
  return static_cast<double>(families.size());
}

Question::Fitness SmallTree(const ProblemResults& problem, const Comparison& comparison) {
  const auto is_asked = [](const ProblemResults& one) {
    return IsJudged(one) && MechanismOf(one) == Mechanism::kSmallTree && BodiesOf(one) > 1;
  };
  if (!is_asked(problem)) return std::nullopt;
  std::vector<double> bodies;
  for (const ProblemResults& one : comparison.problems) {
    if (is_asked(one)) bodies.push_back(BodiesOf(one));
  }
  return std::pair(FamiliesThatEnded(problem),
                   -std::abs(std::log(BodiesOf(problem) / Median(bodies))));
}

Question::Fitness LargeMechanism(const ProblemResults& problem, const Comparison&) {
  const double bodies = BodiesOf(problem);
  if (bodies < kFewestBodies || bodies > kMostBodies) return std::nullopt;
  const Mechanism kind = MechanismOf(problem);
  const bool is_tree = kind == Mechanism::kSmallTree || kind == Mechanism::kLargeTree;
  return std::pair(is_tree ? 1 : 0, -std::abs(std::log(bodies / kAskedBodies)));
}

Question::Fitness LongLoop(const ProblemResults& problem, const Comparison&) {
  const Mechanism kind = MechanismOf(problem);
  if (kind != Mechanism::kSmallLoop && kind != Mechanism::kLargeLoop) return std::nullopt;
  const auto end = problem.record.end_time, time = problem.record.time;
  if (!end || !time || *time <= 0) return std::nullopt;
  return std::pair(*end / *time, 0);
}

Question::Fitness Driven(const ProblemResults& problem, const Comparison&) {
  const Mechanism kind = MechanismOf(problem);
  if (kind != Mechanism::kDrivenTree && kind != Mechanism::kDrivenLoop) return std::nullopt;
  return std::pair(FamiliesThatEnded(problem), 0);
}

constexpr Question kQuestions[] = {
    {"Small tree",
     "of the undriven trees of 2 to 49 bodies those on which most families ended; of these the one "
     "whose number of bodies is nearest the median of all such trees",
     SmallTree},
    {"Large mechanism", "of 100 to 2,500 bodies the one nearest 500, a tree where one was measured",
     LargeMechanism},
    {"Loop, long motion",
     "of the undriven mechanisms with loops the one with the longest motion in units of T",
     LongLoop},
    {"Stiff, driven or damped", "of these mechanisms the one on which most families ended",
     Driven}};

// The number of families that reached a target; two are enough for a comparison.
double FamiliesCompared(const Target& target) {
  std::set<std::string> families;
  for (const Attempt& attempt : target.attempts) {
    if (attempt.time.known()) families.insert(MethodKey(attempt.method));
  }
  return static_cast<double>(std::min<std::size_t>(families.size(), 2));
}

// The target that answers a question, among those that were reached: first those that several families reached, then those
// whose least time is no bound, then by fitness; of one problem the smaller error, which comes last.
const Target* Choose(const Question& question, const Comparison& comparison,
                     const std::vector<Target>& targets) {
  std::array<double, 4> best{};
  const Target* chosen = nullptr;
  for (const Target& target : targets) {
    if ((target.error != kPreferred && target.error != kCoarser) || !target.Fastest()) continue;
    const auto fitness = question.fitness(*target.problem, comparison);
    if (!fitness) continue;
    const std::array own{FamiliesCompared(target), IsBound(target.Fastest()->time) ? 0. : 1.,
                         fitness->first, fitness->second};
    if (!chosen || own >= best) chosen = &target, best = own;
  }
  return chosen;
}

// "; 1e-6 not run yet" if the answer is at a larger error than that.
std::string WhyCoarser(const std::vector<Target>& targets, const Target& answer) {
  if (answer.error == kPreferred) return "";
  const auto preferred = std::ranges::find_if(targets, [&answer](const Target& one) {
    return one.problem == answer.problem && one.error == kPreferred;
  });
  const bool is_open = preferred != targets.end() && IsOpenForAll(*preferred);
  return fmt::format("; {} {}", FormatError(kPreferred),
                     is_open ? "not run or timed yet" : "not reached");
}

// The fastest families at a target, and all others that are not known to be slower.
struct Ranking {
  Json places = Json::array();
  std::string text = {};
  std::string verdict = {};     // of all places, in words; empty if they differ
  std::string integrator = {};  // of the places that the page names, if it is the same: " with rk4"
};
Ranking Rank(const Target& target, const std::vector<std::string>& families) {
  constexpr std::size_t kMostNamed = 2;
  std::vector<Attempt> reached;
  for (const std::string& family : families) {
    if (const Attempt* best = BestOfFamily(target, family)) reached.push_back(*best);
  }
  const std::vector<TimeAtError> all = TimesOf(reached);
  struct Place {
    const Attempt* attempt;
    TimeVerdict verdict;
    bool leads;
  };
  std::vector<Place> ranked;
  for (const std::size_t i : RankedByTime(all)) {
    const TimeVerdict verdict = VerdictAmong(all[i], all);
    const bool leads = verdict.name != NameOf(Verdict::kSlower);
    if (leads || ranked.size() < kMostNamed) ranked.push_back({&reached[i], verdict, leads});
  }
  const std::string& integrator = ranked[0].attempt->integrator;
  const auto named = std::span(ranked).first(std::min(ranked.size(), kMostNamed));
  Ranking ranking{.verdict = ranked[0].verdict.name};
  if (std::ranges::all_of(named,
                          [&](const Place& one) { return one.attempt->integrator == integrator; }))
    ranking.integrator = " with " + integrator;
  for (const Place& one : ranked) {
    if (one.verdict.name != ranking.verdict) ranking.verdict.clear();
  }
  const TimeAtError& least = ranked[0].attempt->time;
  for (const auto& [attempt, verdict, leads] : ranked) {
    const TimeAtError& time = attempt->time;
    const TimeRatio ratio = *RatioOf(time, least);
    const bool has_ratio = !ranking.places.empty() && ratio.kind != TimeRatio::Kind::kOfTwoBounds;
    const std::string curve = attempt->Curve();
    const std::string how = fmt::format("{}{}{}", IsBound(time) ? "bound: " : "",
                                        has_ratio ? "× " + MarkedRatio(ratio) : FormatTime(time),
                                        ranking.verdict.empty() ? ", " + verdict.words : "");
    ranking.text += fmt::format("{}{} ({})", ranking.places.empty() ? "" : "; ", curve, how);
    ranking.places.push_back(
        {{"family", MethodKey(attempt->method)},
         {"name", attempt->integrator == integrator && !ranking.integrator.empty() ? attempt->method
                                                                                   : curve},
         {"how", how},
         {"more", fmt::format("{}: {}{}", curve, FormatTime(time),
                              has_ratio ? ", ratio " + RatioCell(time, least, "").text : "")},
         {"leads", leads}});
  }
  if (ranked.size() < 2)
    ranking.verdict = HasRivals(*target.problem, Rivals::kFamilies) ? "" : kOnlyMethodRun;
  if (!ranking.verdict.empty()) ranking.text += ": " + ranking.verdict;
  return ranking;
}

// Names the command that continues an unfinished run.
std::string NotMeasured(const Comparison& comparison) {
  for (const Run* run : comparison.runs) {
    if (run->finished.empty())
      return fmt::format("not measured yet; {} continues", Code(CommandToContinue(*run)));
  }
  return "not measured in this store";
}

}  // namespace

Figure AnswersFigure(const Comparison& comparison, const std::vector<Target>& targets,
                     const MechanismMap& map) {
  Figure figure;
  figure.kind = "answers";
  figure.title = "Which family is the fastest";
  figure.summary =
      std::string(
          "CPU time at equal error, each family with its own fastest variant and integrator, which "
          "are named. Ratios are to the first; † marks a ratio of two integrators. Bold: not known "
          "to be slower than another; \"more\": further such families. A bound is the time of a "
          "coarsest cell that is more accurate than asked for, or rests on a cell at the limit of "
          "the reference. ") +
      VerdictRule() + ".";
  figure.summary +=
      " One problem answers each question, if possible one on which several families reached the "
      "error, the first in a time that is no bound:";
  for (const Question& question : kQuestions)
    figure.summary +=
        fmt::format("{} {}: {}", &question == kQuestions ? "" : ";", question.text, question.rule);
  figure.summary += ".";
  figure.table = {"Which family is the fastest", {{"for"}, {"on"}, {"answer"}}};
  Json items = Json::array();
  for (const Question& question : kQuestions) {
    const Target* target = Choose(question, comparison, targets);
    std::string text;
    Json item = {{"question", question.text},
                 {"rule", question.rule},
                 {"problem", ""},
                 {"route", ""},
                 {"places", Json::array()}};
    if (target) {
      Ranking ranking = Rank(*target, map.families);
      text = std::move(ranking.text);
      item["problem"] =
          fmt::format("{} at {}{}{}", target->problem->name, FormatError(target->error),
                      ranking.integrator, WhyCoarser(targets, *target));
      item["route"] = ProblemRoute(*target->problem);
      item["places"] = std::move(ranking.places);
      item["verdict"] = std::move(ranking.verdict);
    } else {
      text = NotMeasured(comparison);
      item["absent"] = text;
    }
    figure.table.rows.push_back({{question.text}, {item["problem"].get<std::string>()}, {text}});
    items.push_back(std::move(item));
  }
  figure.data = {{"items", std::move(items)}};
  return figure;
}

}  // namespace mbsbench::reports
