// The fastest family on a small tree, a large mechanism, a loop, a car suspension and a driven linkage: answers of one line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "reports/analysis/coverage.h"
#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/time_at_target.h"
#include "reports/format/columns.h"
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

bool IsSuspension(const ProblemResults& problem) {
  return problem.record.title.find("suspension") != std::string::npos;
}

Question::Fitness Suspension(const ProblemResults& problem, const Comparison&) {
  if (!IsSuspension(problem)) return std::nullopt;
  return std::pair(problem.name == FamilyOf(problem) ? 1 : 0, FamiliesThatEnded(problem));
}

Question::Fitness DrivenLinkage(const ProblemResults& problem, const Comparison&) {
  if (MechanismOf(problem) != Mechanism::kDrivenLoop || IsSuspension(problem)) return std::nullopt;
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
    {"Car suspension", "a mechanism whose title names one", Suspension},
    {"Driven linkage",
     "of the other driven or damped mechanisms with loops the one on which most families ended",
     DrivenLinkage}};

// The number of families that reached a target; two are enough for a comparison.
double FamiliesCompared(const Target& target) {
  std::set<std::string> families;
  for (const BestTime& one : target.times) {
    if (one.time.known()) families.insert(MethodKey(one.method));
  }
  return static_cast<double>(std::min<std::size_t>(families.size(), 2));
}

// The target that answers a question, among those that were reached: first those that several families reached, then by
// fitness; of one problem the main target, then the finest.
const Target* Choose(const Question& question, const Comparison& comparison,
                     const std::vector<Target>& targets) {
  std::array<double, 4> best{};
  const Target* chosen = nullptr;
  for (const Target& target : targets) {
    if (!target.IsReached()) continue;
    const auto fitness = question.fitness(*target.problem, comparison);
    if (!fitness) continue;
    const std::array own{FamiliesCompared(target), fitness->first, fitness->second,
                         target.error == comparison.MainTarget() ? 1. : 0.};
    if (!chosen || own >= best) chosen = &target, best = own;
  }
  return chosen;
}

// "; 1e-6 not run yet" if the answer is at another error than the main one.
std::string WhyNotAtMain(const Comparison& comparison, const Target& answer) {
  const double main = comparison.MainTarget();
  if (answer.error == main) return "";
  return fmt::format("; {} {}", FormatError(main),
                     FormatTime(NotKnown(BestOfEachFamily(comparison, *answer.problem, main))));
}

// "the first is the fastest" or "the fastest are alike"; else the verdict itself.
std::string VerdictInWords(const TimeVerdict& verdict) {
  if (verdict.name == kFastest) return "the first is the fastest";
  return verdict.name == NameOf(PairVerdict::kAlike) ? "the fastest are alike" : verdict.Words();
}

// The fastest families at a target, and all others that are not known to be slower. The verdict also gives the next slower one.
struct Answer {
  Json places = Json::array();
  std::string text = {};
  std::string verdict = {};     // on the first
  std::string integrator = {};  // of the places that the page names, if it is the same: " with rk4"
};
Answer AnswerAt(const Comparison& comparison, const Target& target,
                const std::vector<std::string>& families) {
  constexpr std::size_t kMostNamed = 2;
  std::vector<BestTime> times;
  for (const BestTime& one : BestOfEachFamily(comparison, *target.problem, target.error)) {
    if (std::ranges::count(families, MethodKey(one.method)) > 0) times.push_back(one);
  }
  const Ranking ranking = Rank(std::move(times));
  std::vector<std::size_t> named;
  for (const std::size_t i : ranking.order) {
    if (ranking.Leads(i) || (ranking.times[i].time.known() && named.size() < kMostNamed))
      named.push_back(i);
  }
  Answer answer;
  if (named.empty()) return answer;
  // A verdict that the second leaves open stands behind its name, and needs no other name.
  const std::size_t decider = named.size() > 1 && ranking.verdicts[named[1]].IsOpen() ? 1 : 0;
  answer.verdict = VerdictInWords(ranking.verdicts[named[decider]]);
  const std::string& integrator = ranking.times[named[0]].integrator;
  if (std::ranges::all_of(std::span(named).first(std::min(named.size(), kMostNamed)),
                          [&](std::size_t i) { return ranking.times[i].integrator == integrator; }))
    answer.integrator = " with " + integrator;
  const auto next = std::ranges::find_if(ranking.order, [&](std::size_t i) {
    return ranking.times[i].time.known() && !ranking.Leads(i);
  });
  if (next != ranking.order.end() && std::ranges::count(named, *next) == 0) {
    const BestTime& slower = ranking.times[*next];
    const bool is_as_named = !answer.integrator.empty() && slower.integrator == integrator;
    answer.verdict += fmt::format("; then {} × {}", is_as_named ? slower.method : slower.Curve(),
                                  MarkedRatio(*ranking.ratios[*next]));
  }
  std::vector<std::string> others;
  for (const BestTime& one : ranking.times)
    if (!one.time.known()) AddOnce(others, one.time.Status());
  if (const auto known = std::ranges::count_if(
          ranking.times, [](const BestTime& one) { return one.time.known(); });
      !others.empty())
    answer.verdict += fmt::format("; {} of {} families, others {}", known, ranking.times.size(),
                                  Listed(others, others.size()));
  for (const std::size_t i : named) {
    const BestTime& one = ranking.times[i];
    const TimeRatio& ratio = *ranking.ratios[i];
    const bool is_first = i == named[0];
    const std::string how = is_first ? FormatTime(one.time) : "× " + MarkedRatio(ratio);
    answer.text += fmt::format("{}{} ({})", is_first ? "" : "; ", one.Curve(), how);
    answer.places.push_back(
        {{"family", MethodKey(one.method)},
         {"name", answer.integrator.empty() ? one.Curve() : one.method},
         {"how", how},
         {"more", fmt::format("{}: {}, {} ({})", one.Curve(), FormatTime(one.time),
                              ranking.verdicts[i].Words(), SpreadInWords(ratio.spread))},
         {"leads", ranking.Leads(i)}});
  }
  answer.text += ": " + answer.verdict;
  return answer;
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
      "CPU time at an error, each family with its own fastest variant and integrator, which are "
      "named. Ratios are to the first. Bold: not known to be slower than another; \"more\": "
      "further such families; \"then\": the next that is slower; \"n of m families\": the others "
      "take the problem and have no time there. One problem answers each question, if possible one "
      "on which several families reached the error:";
  for (const Question& question : kQuestions)
    figure.summary +=
        fmt::format("{} {}: {}", &question == kQuestions ? "" : ";", question.text, question.rule);
  figure.summary += ".";
  figure.table = {"Which family is the fastest", {{"for"}, {"on"}, {"answer"}}};
  const std::vector<std::string> ours(
      map.families.begin(), map.families.end() - static_cast<std::ptrdiff_t>(map.engines));
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
      Answer answer = AnswerAt(comparison, *target, ours);
      text = std::move(answer.text);
      item["problem"] =
          fmt::format("{} at {}{}{}", target->problem->name, FormatError(target->error),
                      answer.integrator, WhyNotAtMain(comparison, *target));
      item["route"] = ProblemRoute(*target->problem);
      item["places"] = std::move(answer.places);
      item["verdict"] = std::move(answer.verdict);
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
