// Which method for a large tree, which for a loop over a long time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/answers.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/growing.h"
#include "reports/long_loop.h"
#include "reports/outcomes.h"
#include "reports/paper_claims.h"

namespace mbsbench::reports {

namespace {

constexpr double kAsked = 500;  // bodies
constexpr double kSmallest = 100, kLargest = 2500;
constexpr double kAskedError = 1e-6;  // at which a question is answered in a word

std::string NotHere(const std::string& arguments) {
  return "Not measured in this store: run `mbsbench run " + arguments + "`, or the default run.";
}

std::string EndTime(const ProblemResults& problem) {
  return FormatDigits(Number(problem.document, "end_time").value_or(0), 4) + " s";
}

bool IsReached(const Comparison& comparison, const ProblemResults& problem) {
  return std::any_of(std::begin(kErrorLevels), std::end(kErrorLevels), [&](double error) {
    return Fastest(BestOfEachMethod(comparison, problem, "", error)) != nullptr;
  });
}

// The tree whose size is nearest to the one asked for, among those on which accuracy was judged.
const ProblemResults* LargeTree(const Comparison& comparison) {
  const ProblemResults* nearest = nullptr;
  double least = INFINITY;
  for (const ProblemResults& problem : comparison.problems) {
    const double bodies = Number(problem.document, "bodies").value_or(0);
    if (bodies < kSmallest || bodies > kLargest || !IsJudged(problem)) continue;
    if (Number(problem.document, "loops").value_or(1) > 0) continue;
    if (FamilyOf(problem) == kRocketFamily) continue;
    const double distance = std::abs(std::log(bodies / kAsked));
    if (distance < least && IsReached(comparison, problem)) least = distance, nearest = &problem;
  }
  return nearest;
}

// Methods that reached an error, the fastest first.
std::vector<BestTime> Ranking(const Comparison& comparison, const ProblemResults& problem,
                              double error) {
  std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
  std::erase_if(times, [](const BestTime& time) { return !time.time.known(); });
  std::stable_sort(times.begin(), times.end(), [](const BestTime& a, const BestTime& b) {
    return a.time.seconds < b.time.seconds;
  });
  return times;
}

// "× 2.80", "at least × 2.80"
std::string FormatFactor(const TimeRatio& ratio) {
  const char* bound = ratio.kind == TimeRatio::Kind::kAtLeast  ? "at least "
                      : ratio.kind == TimeRatio::Kind::kAtMost ? "at most "
                                                               : "";
  return fmt::format("{}× {}", bound, FormatRatio(ratio.value));
}

// "at error 1e-6 `A` with rk4 in 12 ms (`B` alike, `C` × 2.80)"; a bound over a bound is no ratio:
// "at error 1e-3 `A` with rk4 in ≤ 12 ms (`B` ≤ 13.1 ms)"
std::string RankingAt(const std::vector<BestTime>& times, double error) {
  constexpr std::size_t kMostNamed = 3;
  if (times.empty()) return fmt::format("at error {} none that was run", FormatError(error));
  std::string text =
      fmt::format("at error {} {} with {} in {}", FormatError(error), Code(times[0].method),
                  times[0].integrator, FormatTime(times[0].time));
  std::string others;
  for (std::size_t i = 1; i < std::min(times.size(), kMostNamed + 1); ++i) {
    const auto ratio = RatioOf(times[i].time, times[0].time);
    others += fmt::format("{}{} {}", others.empty() ? "" : ", ", Code(times[i].method),
                          !ratio             ? FormatTime(times[i].time)
                          : ratio->IsAlike() ? "alike"
                                             : FormatFactor(*ratio));
  }
  return text + (others.empty() ? "" : " (" + others + ")");
}

// How many of a ranking are the fastest or alike. Beside a bound nobody is known to be alike.
std::size_t CountAlike(const std::vector<BestTime>& times) {
  std::size_t count = 0;
  for (; count < times.size(); ++count) {
    const auto ratio = RatioOf(times[count].time, times[0].time);
    if (count > 0 && !(ratio && ratio->IsAlike())) break;
  }
  return count;
}

// The answer in a word, at the one error: who is fastest or alike, and how far behind the next is.
std::string Lead(const std::vector<BestTime>& times, const ProblemResults& problem, double error) {
  const std::size_t alike = CountAlike(times);
  std::string names;
  for (std::size_t i = 0; i < alike; ++i)
    names += (i == 0 ? "" : i + 1 == alike ? " or " : ", ") + Code(times[i].method);
  std::string text =
      fmt::format("{} at error {} on {}", names, FormatError(error), Code(problem.name));
  if (alike > 1) text += ", alike in time";
  if (alike < times.size()) {
    const BestTime& next = times[alike];
    text += fmt::format("; the next, {}, takes {} against {}", Code(next.method),
                        FormatTime(next.time), FormatTime(times[0].time));
    if (IsBound(next.time))
      text += IsBound(times[0].time) ? ", two bounds, whose order is open"
                                     : ", a bound, so that the order is open";
  }
  return text + ".";
}

// Of what was timed in one round only, small differences are noise.
std::string OneRound(const ProblemResults& problem) {
  int most = 0;
  for (const Cell& cell : problem.cells) most = std::max(most, cell.cpu ? cell.cpu->rounds : 0);
  return most == 1 ? " Each cell was timed in one round, so that a difference of a few per cent "
                     "says nothing."
                   : "";
}

// Whom the lead names; where nobody reached its error, the fastest at one that was reached.
std::vector<std::string> Recommended(const Comparison& comparison, const ProblemResults& problem) {
  std::vector<BestTime> times = Ranking(comparison, problem, kAskedError);
  for (const double error : kErrorLevels) {
    if (times.empty()) times = Ranking(comparison, problem, error);
  }
  times.resize(CountAlike(times));
  std::vector<std::string> methods;
  for (const BestTime& time : times) methods.push_back(time.method);
  return methods;
}

// "`A` reaches error 4.2e-13 (fehlberg8, tol 1e-12, 65.6 ms, energy drift 2.3e-11)", by its most exact
// cell; empty where none of its cells was judged.
std::string HowExact(const ProblemResults& problem, const std::string& method) {
  const Cell* best = nullptr;
  for (const Cell& cell : problem.cells) {
    if (cell.method != method || !cell.finished() || !cell.error) continue;
    if (!best || *cell.error < *best->error) best = &cell;
  }
  if (!best) return "";
  std::string how = fmt::format("{}, {}", best->integrator, best->Setting());
  if (best->cpu) how += ", " + FormatSeconds(best->cpu->minimum);
  if (best->energy_drift) how += ", energy drift " + FormatError(best->energy_drift);
  if (best->position_drift && *best->position_drift > 0)
    how += ", position drift " + FormatError(best->position_drift);
  return fmt::format("{} reaches error {} ({})", Code(method), FormatError(best->error), how);
}

// How exact the methods of the answer are at their best, and how exact anyone can be.
std::string Trust(const Comparison& comparison, const ProblemResults& problem) {
  std::string text;
  for (const std::string& method : Recommended(comparison, problem)) {
    const std::string one = HowExact(problem, method);
    if (!one.empty()) text += (text.empty() ? "Trust: " : ", ") + one;
  }
  if (text.empty()) return "";
  const Json& reference = Field(problem.document, "reference");
  if (const auto estimate = Number(reference, "error_estimate"))
    text += fmt::format("; the reference errs by {} at most", FormatError(estimate));
  if (const auto digits = Number(reference, "digits_allowed"))
    text += fmt::format("; the problem allows {:.1f} digits", *digits);
  return text + ".";
}

std::string DescribeLongCell(const Cell& cell) {
  return fmt::format("{} with {}, {}", Code(cell.method), cell.integrator, cell.Setting());
}

// Who the answer was chosen from: a store may hold few of the methods there.
std::string TriedOn(const ProblemResults& problem) {
  std::vector<std::pair<std::string, std::vector<std::string>>> tried;  // integrators by method
  std::size_t cells = 0;
  for (const Cell& cell : problem.cells) {
    if (!IsTried(cell.outcome)) continue;
    ++cells;
    if (tried.empty() || tried.back().first != cell.method) tried.push_back({cell.method, {}});
    auto& integrators = tried.back().second;
    if (std::find(integrators.begin(), integrators.end(), cell.integrator) == integrators.end())
      integrators.push_back(cell.integrator);
  }
  std::string text;
  for (const auto& [method, integrators] : tried) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", Code(method),
                        fmt::join(integrators, ", "));
  }
  const bool is_finished = problem.bench.run && !problem.bench.run->finished.empty();
  return fmt::format("Chosen from {}: {}.{}", Plural(static_cast<long long>(cells), "cell"), text,
                     is_finished ? ""
                                 : " The run has not finished: of the methods and integrators that "
                                   "are missing here nothing is known.");
}

}  // namespace

Answer TreeAnswer(const Comparison& comparison) {
  Answer answer{"Which method for a tree of 500 bodies?", {}, {}};
  const ProblemResults* tree = LargeTree(comparison);
  if (!tree) {
    answer.sentences.push_back(NotHere("--problem branchN:bodies=500"));
    return answer;
  }
  std::string ranking;
  bool any_bound = false;
  for (const double error : kErrorLevels) {
    const std::vector<BestTime> times = Ranking(comparison, *tree, error);
    ranking += (ranking.empty() ? "" : "; ") + RankingAt(times, error);
    any_bound |= !times.empty() && IsBound(times[0].time);
  }
  if (const auto times = Ranking(comparison, *tree, kAskedError); !times.empty())
    answer.sentences.push_back(Lead(times, *tree, kAskedError));
  answer.sentences.push_back(fmt::format(
      "On {} ({} bodies, {} of motion), CPU time by the best integrator of each method: {}.{}{}",
      Code(tree->name),
      FormatCount(static_cast<long long>(Number(tree->document, "bodies").value_or(0))),
      EndTime(*tree), ranking,
      any_bound ? " ≤: already the coarsest cell is better than that, so that its time is a bound."
                : "",
      OneRound(*tree)));
  if (const std::string trust = Trust(comparison, *tree); !trust.empty())
    answer.sentences.push_back(trust);
  answer.links = {{tree->name, ProblemRoute(*tree)},
                  {"how cost grows with bodies", "scaling"},
                  {"other kinds of mechanisms", "overview", "choice"}};
  return answer;
}

Answer LoopAnswer(const Comparison& comparison) {
  Answer answer{"Which method for a four-bar loop over 1,000 s?", {}, {}};
  const LongLoop loop = FindLongLoop(comparison);
  if (!loop.problem) {
    answer.sentences.push_back(NotHere(fmt::format("--problem {}", kLongFourBar)));
    if (const ProblemResults* shorter = FindProblem(comparison, "fourbar")) {
      answer.sentences.push_back(
          fmt::format("Over {} only: {}.", EndTime(*shorter),
                      RankingAt(Ranking(comparison, *shorter, kAskedError), kAskedError)));
      answer.links = {{shorter->name, ProblemRoute(*shorter)}};
    }
    return answer;
  }
  if (const Cell* best = loop.recommended) {
    answer.sentences.push_back(fmt::format(
        "{}: the cheapest that stays usable, {} of CPU time. Usable means an error below {} "
        "and a loop that opens by less than {} L over the whole time{}.",
        DescribeLongCell(*best), FormatSeconds(best->cpu->minimum), FormatError(kUsableError),
        FormatError(kOffTheLoop),
        best->outcome == "ok"
            ? ""
            : fmt::format("; by the stricter rule of the outcomes this cell is `{}` ({})",
                          best->outcome, best->reason)));
    answer.sentences.push_back(fmt::format(
        "Trust: its error is {}, its position drift {}, its energy drift {}. As long as the loop "
        "holds, the error is one of phase and grows with time, whatever the method; without "
        "stabilisation the loop opens, and at last the motion is another one.",
        FormatError(best->error), FormatError(best->position_drift),
        FormatError(best->energy_drift)));
  } else {
    answer.sentences.push_back(fmt::format(
        "None of this store: no cell keeps its error below {} and its loop closed to {} L.",
        FormatError(kUsableError), FormatError(kOffTheLoop)));
  }
  std::string kinds;
  for (const LongLoop::Best& best : loop.best) {
    const Cell& cell = *best.cell;
    kinds += fmt::format("{}{} {}, position drift {} ({}, {})", kinds.empty() ? "" : "; ",
                         best.stabilisation, FormatError(cell.error),
                         FormatError(cell.position_drift), DescribeLongCell(cell),
                         cell.cpu ? FormatSeconds(cell.cpu->minimum) : "not timed");
  }
  if (!kinds.empty())
    answer.sentences.push_back("Least error by kind of stabilisation: " + kinds + ".");
  answer.sentences.push_back(TriedOn(*loop.problem));
  const auto stopped =
      std::count_if(loop.problem->cells.begin(), loop.problem->cells.end(), [](const Cell& cell) {
        return cell.outcome == "timeout" ||
               (cell.outcome == "skipped" && cell.reason.starts_with("expected"));
      });
  if (stopped > 0) {
    answer.sentences.push_back(
        fmt::format("Of its {} {} did not finish within the time limit of this run; a longer one "
                    "(`--time-limit`) lets them answer, too.",
                    Plural(static_cast<long long>(loop.problem->cells.size()), "cell"), stopped));
  }
  answer.links = {{"the long loop in full", "validation", "long-loop"},
                  {loop.problem->name, ProblemRoute(*loop.problem)}};
  return answer;
}

}  // namespace mbsbench::reports
