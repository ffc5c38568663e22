#include "reports/paper_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/assets.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

using State = Observation::State;

std::string ShortNumber(double value) {
  if (std::abs(value) >= 1000 && std::abs(value) < 1e9)
    return FormatCount(static_cast<long long>(std::llround(value)));
  return value != 0 && std::abs(value) < 1e-2 ? FormatError(value) : FormatDigits(value, 3);
}

// "≤ 4.00 (3.80 to 4.10, 3 rounds) on a problem by one method against another"
std::string NameOf(const Observation& one) {
  std::string text;
  if (one.value) {
    if (one.ratio) text = one.ratio->Mark();
    text += ShortNumber(one.Shown());
    if (one.ratio && one.ratio->has_two_integrators) text += kTwoIntegrators;
    if (one.ratio) text += " (" + Describe(one.ratio->spread) + ")";
    text += " on ";
  }
  text += one.problem;
  if (!one.method.empty()) text += " by " + one.method;
  if (!one.against.empty()) text += " against " + one.against;
  return text;
}

// The same with its details: "... (at error 1e-6: 12 ms against 48 ms)"
std::string InWords(const Observation& one) {
  return one.text.empty() ? NameOf(one) : fmt::format("{} ({})", NameOf(one), one.text);
}

// Empty if nothing is asked, or undecided: the value is itself a bound that does not decide, or its scatter spans the bound.
std::optional<bool> Meets(const Observation& one, const std::string& predicate, double bound) {
  if (predicate.empty()) return std::nullopt;
  if (one.state == State::kFulfilled) return true;
  if (one.state == State::kFailed) return false;
  if (!one.value) return std::nullopt;
  const bool is_lower = predicate == "at least";
  const auto keeps = [&](double value) {
    return is_lower ? value >= bound : predicate == "below" ? value < bound : value <= bound;
  };
  if (one.ratio) {
    const Verdict verdict = one.ratio->Over(bound).Verdict();
    if (verdict != Verdict::kFaster && verdict != Verdict::kSlower) return std::nullopt;
    return (verdict == Verdict::kSlower) == is_lower;
  }
  if (const double margin = 2 * one.standard_error.value_or(0); margin > 0) {
    if (keeps(*one.value - margin) != keeps(*one.value + margin)) return std::nullopt;
  }
  return keeps(*one.value);
}

struct BoundTally {
  std::size_t judged = 0, met = 0, repeats = 0;
  std::set<std::string> problems;  // with judged or undecided values
  // `absent`: the method evaluates nothing. `undecided`: measured, but the scatter or a time that is only a bound leaves it open.
  // `stopped`: by a limit of the run.
  std::vector<const Observation*> unmet, absent, undecided, stopped;

  std::size_t Values() const { return judged + undecided.size(); }
};

BoundTally CountMet(const TestedClaim& test) {
  BoundTally tally;
  for (const Observation& one : test.observations) {
    if (one.state == State::kEvaluatesNothing) {
      tally.absent.push_back(&one);
    } else if (one.is_repeat) {
      ++tally.repeats;
    } else if (!one.is_met && !one.value && !one.ratio) {
      tally.stopped.push_back(&one);
    } else if (tally.problems.insert(one.problem); !one.is_met) {
      tally.undecided.push_back(&one);
    } else {
      ++tally.judged;
      tally.met += *one.is_met;
      if (!*one.is_met) tally.unmet.push_back(&one);
    }
  }
  return tally;
}

// A state that two problems share counts once if both keep the bound, or neither does.
void MarkRepeats(std::vector<Observation>& observations) {
  for (Observation& one : observations) {
    const auto first = std::ranges::find_if(observations, [&one](const Observation& other) {
      return other.problem == one.same_as && other.method == one.method;
    });
    one.is_repeat = !one.same_as.empty() && first != observations.end() && one.is_met.has_value() &&
                    first->is_met == one.is_met;
  }
}

// The observations with an exact value, each steady state once.
std::vector<const Observation*> ExactOnes(const TestedClaim& test) {
  std::vector<const Observation*> exact;
  for (const Observation& one : test.observations) {
    if (one.value && !one.IsBound() && !one.is_repeat) exact.push_back(&one);
  }
  return exact;
}

// The median of the exact values. Its interval is over the problems, and the factor of a guess widens it in verdicts.
std::optional<TimeRatio> MedianOf(const TestedClaim& test) {
  std::vector<double> values;
  bool has_guess = false;
  for (const Observation* one : ExactOnes(test)) {
    values.push_back(*one->value);
    has_guess = has_guess || (one->ratio && one->ratio->has_guess);
  }
  if (values.empty()) return std::nullopt;
  return TimeRatio{has_guess ? TimeRatio::Kind::kGuess : TimeRatio::Kind::kExact, Median(values),
                   RatioSpread{BootstrapMedian(values), static_cast<int>(values.size())},
                   has_guess};
}

constexpr const char* kOnlyValue = "the only value";

// "the only value", "median of 5 values", "median of 3 of 5 values (without bounds and failures)"
std::string StatisticOf(const std::string& which, std::size_t exact, std::size_t values) {
  if (exact < values)
    return fmt::format("{} of {} of {} (without bounds and failures)", which, exact,
                       Plural(values, "value"));
  return exact == 1 ? kOnlyValue : which + " of " + Plural(exact, "value");
}

// `met` values keep the bound, `unmet` do not; `row` states what that means.
Standing StandingOf(const Json& row, std::size_t met, std::size_t unmet) {
  if (unmet == 0) return Standing::kHolds;
  const std::string otherwise = Text(row, "otherwise");
  if (otherwise == "in part") return Standing::kPartly;
  if (otherwise == "not confirmed") return Standing::kFails;
  const std::size_t needed = otherwise == "in part where most are met" ? unmet : 0;
  return met > needed ? Standing::kPartly : Standing::kFails;
}

// The standing if all undecided values keep their bounds, and if none does.
struct StandingRange {
  Standing best = Standing::kHolds, worst = Standing::kHolds;

  StandingRange With(const StandingRange& other) const {
    return {std::max(best, other.best), std::max(worst, other.worst)};
  }
  Standing Verdict() const {
    return best == worst || worst != Standing::kFails ? worst : Standing::kNotMeasured;
  }
};

// Of one test; empty if too little was measured.
std::optional<StandingRange> Judge(const TestedClaim& test, const Json& row,
                                   const BoundTally& tally) {
  const bool is_any = tally.judged > 0 || !tally.undecided.empty();
  // A trial stopped by a limit of the run might have kept the bound.
  if (!is_any || (tally.met == 0 && !tally.stopped.empty())) return std::nullopt;
  if (test.predicate == "median faster") {
    const auto median = MedianOf(test);
    const Verdict verdict = median ? median->Verdict() : Verdict::kUndecided;
    const bool is_excluded = verdict == Verdict::kSlower ||
                             (median && !median->has_guess && ExcludesFaster(*median->spread));
    return StandingRange{is_excluded ? Standing::kFails : Standing::kHolds,
                         verdict == Verdict::kFaster ? Standing::kHolds : Standing::kFails};
  }
  const std::size_t open = tally.undecided.size(), unmet = tally.unmet.size();
  return StandingRange{StandingOf(row, tally.met + open, unmet),
                       StandingOf(row, tally.met, unmet + open)};
}

// The value that represents all exact ones.
struct ShownValue {
  double value = 0;
  std::string statistic = {};  // which value of how many, with its interval
  std::string mark = {};       // of a guess
};

std::optional<ShownValue> ShownMedian(const TestedClaim& test, const BoundTally& tally) {
  const auto median = MedianOf(test);
  if (!median) return std::nullopt;
  const auto& [interval, count] = *median->spread;
  std::string statistic = StatisticOf("median", static_cast<std::size_t>(count), tally.Values());
  if (!median->spread->IsRange())
    statistic += fmt::format(", its 95 % interval {} to {}", ShortNumber(interval.low),
                             ShortNumber(interval.high));
  return ShownValue{median->value, std::move(statistic), median->Mark()};
}

std::optional<ShownValue> ShownOf(const TestedClaim& test, const std::string& which,
                                  const BoundTally& tally) {
  if (which == "number met") {
    return tally.judged > 0
               ? std::optional(ShownValue{static_cast<double>(tally.met), "keep the bound"})
               : std::nullopt;
  }
  const std::vector<const Observation*> all = ExactOnes(test);
  if (which == "median" && all.size() != 1) return ShownMedian(test, tally);
  if (all.empty()) return std::nullopt;
  const auto rank = [&](const Observation* one) {
    return which == "largest" ? one->Shown() : which == "least" ? -one->Shown() : 0;
  };
  const Observation& shown = **std::ranges::max_element(all, {}, rank);
  ShownValue value{shown.Shown(), StatisticOf(which, all.size(), tally.Values())};
  if (shown.ratio) {
    value.statistic += ": " + Describe(shown.ratio->spread);
    value.mark = shown.ratio->Mark();
  }
  return value;
}

// Few observations are all listed; of many the median, the least and the largest are.
std::string EvidenceOf(const TestedClaim& test, const Json& row, const BoundTally& tally) {
  constexpr std::size_t kFew = 3;
  std::vector<const Observation*> sorted;
  for (const Observation& one : test.observations) {
    if (one.value && !one.is_repeat) sorted.push_back(&one);
  }
  if (sorted.empty()) return "";
  std::vector<std::string> parts;
  if (sorted.size() <= kFew) {
    for (const Observation* one : sorted) parts.push_back(InWords(*one));
  } else {
    std::ranges::stable_sort(sorted, {}, [](const auto* one) { return *one->value; });
    if (const auto median = ShownMedian(test, tally))
      parts.push_back(
          fmt::format("{}{} ({})", median->mark, ShortNumber(median->value), median->statistic));
    parts.push_back(fmt::format("least {}", InWords(*sorted.front())));
    parts.push_back(fmt::format("largest {}", InWords(*sorted.back())));
  }
  std::string text = fmt::format("{}: {}", test.what, fmt::join(parts, "; "));
  const std::string noun = tally.repeats > 0 ? "distinct state" : "value";
  if (!test.predicate.empty() && test.predicate != "median faster") {
    if (tally.judged > 0)
      text += fmt::format("; the bound is kept by {}", Share(tally.met, tally.Values(), noun));
    if (!tally.undecided.empty())
      text += fmt::format("; undecided: {}", Plural(tally.undecided.size(), noun));
  }
  if (const auto close = Number(row, "close")) {
    const auto count =
        std::ranges::count_if(sorted, [&](const auto* one) { return *one->value <= *close; });
    text += fmt::format("; {} {} at most {}", Share(count, std::ssize(sorted), noun),
                        count > 1 ? "are" : "is", FormatError(close));
  }
  for (const Observation& one : test.observations) {
    if (one.is_repeat)
      text += fmt::format("; {} has the same steady state as {} and counts with it", one.problem,
                          one.same_as);
  }
  return text;
}

void Append(const std::string& more, std::string& text) {
  if (!more.empty() && text.find(more) == std::string::npos)
    text += (text.empty() ? "" : "; ") + more;
}

// "bound not kept (at most 2): 2.1 on a, b (diverged) and 3 more". The evidence has the details of a value.
void AppendNames(const std::string& lead, const std::vector<const Observation*>& list,
                 std::string& text) {
  constexpr std::size_t kMostNamed = 3;
  if (list.empty()) return;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(list.size(), kMostNamed); ++i)
    names.push_back(list[i]->value ? NameOf(*list[i]) : InWords(*list[i]));
  Append(fmt::format("{} {}", lead, fmt::join(names, ", ")), text);
  if (list.size() > kMostNamed) text += fmt::format(" and {} more", list.size() - kMostNamed);
}

// Whether the evidence includes both kinds of systems, and a variant that the paper prints, where the claim needs them.
bool IsWhole(const Comparison& comparison, const Json& row, const PaperClaim& claim,
             std::string& remark) {
  bool is_whole = true;
  for (std::size_t t = 0; t < claim.tests.size(); ++t) {
    if (claim.tests[t].observations.empty()) continue;  // the remark names the whole test
    for (const Json& topology : Field(row["tests"][t], "needs")) {
      const bool loops = topology == "loops";
      const auto is_of = [&](const Observation& one) {
        const auto problem =
            std::ranges::find(comparison.problems, one.problem, &ProblemResults::name);
        return one.is_met && problem != comparison.problems.end() &&
               (problem->record.loops > 0.) == loops;
      };
      if (std::ranges::any_of(claim.tests[t].observations, is_of)) continue;
      is_whole = false;
      Append(fmt::format("not evaluated on {}: {}", loops ? "loops" : "trees", claim.tests[t].what),
             remark);
    }
  }
  const std::string papers = Text(row, "papers_variant");
  const auto is_by_papers = [&papers](const Observation& one) {
    return one.is_met && one.method == papers;
  };
  const bool is_papers =
      papers.empty() || std::ranges::any_of(claim.tests, [&](const TestedClaim& test) {
        return std::ranges::any_of(test.observations, is_by_papers);
      });
  if (!is_papers)
    Append("confirmed only by a variant whose equations the paper does not print", remark);
  return is_whole && is_papers;
}

// What the tests of a claim decide.
struct Judgement {
  std::optional<StandingRange> standing;  // empty if too little was measured
  bool is_measured = false, is_median_open = false;
};
constexpr StandingRange kInPart{Standing::kPartly, Standing::kPartly};

void ShowValue(const TestedClaim& test, const std::string& which, const BoundTally& tally,
               PaperClaim& claim) {
  if (claim.reads == "{} of {}" && tally.judged > 0)
    claim.reads = fmt::format("{{}} of {}", tally.Values());
  if (which.empty() || claim.ours) return;
  const auto shown = ShownOf(test, which, tally);
  if (!shown) return;
  claim.ours = shown->value;
  claim.statistic = shown->statistic;
  claim.mark = shown->mark;
}

// The first test decides whether anything can be said; later ones add conditions. `row` is that of the test.
void JudgeNext(const TestedClaim& test, const Json& row, const BoundTally& tally,
               Judgement& judgement, PaperClaim& claim) {
  const bool is_first = claim.tests.empty();
  if (is_first) judgement.is_measured = tally.Values() > 0 || !tally.stopped.empty();
  if (test.predicate.empty()) return;
  std::optional<StandingRange>& standing = judgement.standing;
  const auto own = Judge(test, row, tally);
  if (is_first) {
    standing = own;
    claim.values = tally.Values();
    claim.undecided = tally.undecided.size();
    claim.problems = tally.problems.size();
  } else if (standing) {
    standing = standing->With(own.value_or(kInPart));
  }
  if (standing && !tally.absent.empty() && Text(row, "otherwise").empty())
    standing = standing->With(kInPart);
  if (!is_first && !own) Append("cannot be tested here: " + test.what, claim.remark);
  if (test.predicate == "median faster") {
    judgement.is_median_open = judgement.is_median_open || tally.judged > 0;
  } else {
    const std::string bound = fmt::format("({} {}):", test.predicate, ShortNumber(test.bound));
    AppendNames("bound not kept " + bound, tally.unmet, claim.remark);
    AppendNames("undecided " + bound, tally.undecided, claim.remark);
  }
  AppendNames("no support:", tally.absent, claim.remark);
  AppendNames("left open:", tally.stopped, claim.remark);
}

std::string NotMeasured(const Json& row) {
  const std::string absent = Text(row, "absent"), takes = Text(row, "takes"),
                    run = Text(row, "run");
  if (absent.empty())
    return fmt::format("not measured in this store{}: run `mbsbench run {}`",
                       takes.empty() ? "" : ", needs " + takes, run);
  return absent + " does not run here" +
         (run.empty() ? ""
                      : fmt::format("; `mbsbench run {}` shows our program in its place", run));
}

// The verdict of all tests, and the remark on it.
void Conclude(const Comparison& comparison, const Json& row, const Judgement& judgement,
              PaperClaim& claim) {
  const std::string absent = Text(row, "absent");
  if (!absent.empty()) claim.standing = Standing::kCannotBeTested;
  if (!judgement.is_measured) {
    claim.remark = NotMeasured(row);
    return;
  }
  if (!absent.empty()) {
    claim.remark = fmt::format(
        "{} does not run here; our program is shown in its place and does not test the claim{}",
        absent, claim.ours ? "" : "; its times are only bounds");
  } else if (!judgement.standing) {
    Append("undecided: a limit of the run stopped it", claim.remark);
  } else {
    const bool is_whole = IsWhole(comparison, row, claim, claim.remark);
    claim.standing = (is_whole ? *judgement.standing : judgement.standing->With(kInPart)).Verdict();
    if (claim.standing == Standing::kNotMeasured && judgement.is_median_open) {
      Append(claim.statistic == kOnlyValue ? "undecided: it was timed on one problem only"
                                           : "undecided: the interval of the median allows both",
             claim.remark);
    }
  }
  Append(Text(row, "remark"), claim.remark);
}

struct StandingWords {
  const char *name, *tone, *sign;
};
constexpr StandingWords kStandings[] = {{"confirmed", "outcome-good", "✓"},
                                        {"confirmed in part", "outcome-doubtful", "~"},
                                        {"not confirmed", "outcome-failed", "✗"},
                                        {"undecided here", "outcome-absent", "?"},
                                        {"cannot be tested here", "outcome-absent", "–"}};
const StandingWords& WordsOf(Standing standing) {
  return kStandings[static_cast<std::size_t>(standing)];
}

}  // namespace

const char* NameOf(Standing standing) { return WordsOf(standing).name; }
const char* ToneOf(Standing standing) { return WordsOf(standing).tone; }
const char* SignOf(Standing standing) { return WordsOf(standing).sign; }

PaperClaim Evaluate(const Comparison& comparison, const std::string& paper, const Json& row) {
  PaperClaim claim;
  claim.source = paper;
  claim.place = Text(row, "place");
  claim.claim = Text(row, "statement");
  claim.label = Text(row, "label");
  claim.rule = Text(row, "rule");
  claim.reads = Text(row, "reads");
  claim.published = Number(row, "published");
  Judgement judgement;
  for (const Json& data : Field(row, "tests")) {
    TestedClaim test{Text(data, "what"), Text(data, "predicate"), Number(data, "bound").value_or(0),
                     Observe(comparison, data)};
    for (Observation& one : test.observations) one.is_met = Meets(one, test.predicate, test.bound);
    MarkRepeats(test.observations);
    const BoundTally tally = CountMet(test);
    ShowValue(test, Text(data, "shown"), tally, claim);
    Append(EvidenceOf(test, data, tally), claim.evidence);
    JudgeNext(test, data, tally, judgement, claim);
    claim.tests.push_back(std::move(test));
  }
  Conclude(comparison, row, judgement, claim);
  return claim;
}

const Json& ClaimRows() {
  static const Json rows = Json::parse(ClaimsAsset());
  return rows;
}

std::vector<PaperClaim> AllPaperClaims(const Comparison& comparison) {
  std::vector<PaperClaim> claims;
  for (const Json& paper : Field(ClaimRows(), "papers")) {
    for (const Json& row : Field(paper, "claims"))
      claims.push_back(Evaluate(comparison, Text(paper, "paper"), row));
  }
  return claims;
}

}  // namespace mbsbench::reports
