#include "reports/analysis/paper_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/records/json_codec.h"
#include "reports/format/assets.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

using State = Observation::State;

// "≤ 4.00 (3.80 to 4.10, 3 rounds) on a problem by one method against another"
std::string NameOf(const Observation& one) {
  std::string text;
  if (one.value) {
    text = FormatShort(one.Shown());
    if (one.ratio && one.ratio->has_two_integrators) text += kTwoIntegrators;
    if (one.ratio) text += " (" + SpreadInWords(one.ratio->spread) + ")";
    text += " on ";
  }
  text += one.problem;
  if (!one.method.empty()) text += " by " + one.method;
  if (!one.against.empty()) text += " against " + one.against;
  return text;
}

// The name with its details: "... (at error 1e-6: 12 ms against 48 ms)"
std::string InWords(const Observation& one) {
  return one.text.empty() ? NameOf(one) : fmt::format("{} ({})", NameOf(one), one.text);
}

// Empty if nothing is asked, or undecided: the scatter of the value spans the bound.
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
    const PairVerdict verdict = one.ratio->Over(bound).Verdict();
    if (verdict != PairVerdict::kFaster && verdict != PairVerdict::kSlower) return std::nullopt;
    return (verdict == PairVerdict::kSlower) == is_lower;
  }
  if (const double margin = 2 * one.standard_error.value_or(0); margin > 0) {
    if (keeps(*one.value - margin) != keeps(*one.value + margin)) return std::nullopt;
  }
  return keeps(*one.value);
}

// Each family of problems has one share, divided equally among its values.
struct Shares {
  double met = 0, unmet = 0, undecided = 0;
};

struct BoundTally {
  std::size_t met = 0;
  std::map<std::string, std::vector<const Observation*>> families;  // their values
  Shares shares;
  // `absent`: the method evaluates nothing. `undecided`: measured, but the scatter leaves it open.
  // `stopped`: by a limit of the run.
  std::vector<const Observation*> unmet, absent, undecided, stopped;

  std::size_t Judged() const { return met + unmet.size(); }
  std::size_t Values() const { return Judged() + undecided.size(); }
  // All values of which keep the bound.
  auto FamiliesMet() const {
    return std::ranges::count_if(families, [](const auto& family) {
      return std::ranges::all_of(family.second,
                                 [](const auto* one) { return one->is_met == true; });
    });
  }
};

BoundTally CountMet(const TestedClaim& test) {
  BoundTally tally;
  for (const Observation& one : test.observations) {
    if (one.is_repeat) continue;
    if (one.state == State::kEvaluatesNothing) {
      tally.absent.push_back(&one);
    } else if (!one.is_met && !one.value && !one.ratio) {
      tally.stopped.push_back(&one);
    } else {
      tally.families[one.family].push_back(&one);
      if (one.is_met == true) ++tally.met;
      if (!one.is_met) tally.undecided.push_back(&one);
      if (one.is_met == false) tally.unmet.push_back(&one);
    }
  }
  for (const auto& [family, values] : tally.families) {
    for (const Observation* one : values) {
      double& share = !one->is_met   ? tally.shares.undecided
                      : *one->is_met ? tally.shares.met
                                     : tally.shares.unmet;
      share += 1. / static_cast<double>(values.size());
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

// The observations with a value, each steady state once.
std::vector<const Observation*> OnesWithValue(const TestedClaim& test) {
  std::vector<const Observation*> ones;
  for (const Observation& one : test.observations) {
    if (one.value && !one.is_repeat) ones.push_back(&one);
  }
  return ones;
}

// The median over families of the median of each family's values. Its interval is over the families.
std::optional<TimeRatio> MedianOf(const TestedClaim& test) {
  std::map<std::string, std::vector<double>> families;
  bool is_of_single_rounds = false;
  for (const Observation* one : OnesWithValue(test)) {
    families[one->family].push_back(*one->value);
    is_of_single_rounds |= one->ratio && (!one->ratio->spread || one->ratio->spread->rounds < 2);
  }
  std::vector<double> medians;
  for (auto& [family, values] : families) medians.push_back(Median(std::move(values)));
  if (medians.empty()) return std::nullopt;
  return TimeRatio{Median(medians),
                   RatioSpread{IntervalOfMedian(medians), static_cast<int>(medians.size()),
                               is_of_single_rounds}};
}

// "the only value", "least of 3 values, 2 others failed"
std::string StatisticOf(const std::string& which, std::size_t known, std::size_t values) {
  if (known == values)
    return known == 1 ? "the only value" : which + " of " + Plural(known, "value");
  return fmt::format("{} of {}, {} failed", which, Plural(known, "value"),
                     Plural(values - known, "other"));
}

// `met` families keep the bound, `unmet` do not; the test states what that means.
Standing StandingOf(const ClaimTest& test, double met, double unmet) {
  constexpr double kRoundOff = 1e-9;  // of shares
  if (unmet == 0) return Standing::kHolds;
  if (test.otherwise == "in part") return Standing::kPartly;
  if (test.otherwise == "not confirmed") return Standing::kFails;
  const double needed = test.otherwise == "in part where most are met" ? unmet : 0;
  return met > needed + kRoundOff ? Standing::kPartly : Standing::kFails;
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

// The standing of one test; empty if too little was measured.
std::optional<StandingRange> Judge(const ClaimTest& test, const BoundTally& tally) {
  // A trial stopped by a limit of the run might have kept the bound.
  if (tally.Values() == 0 || (tally.met == 0 && !tally.stopped.empty())) return std::nullopt;
  const auto& [met, unmet, open] = tally.shares;
  return StandingRange{StandingOf(test, met + open, unmet), StandingOf(test, met, unmet + open)};
}

// "median over 5 families, failures left out, its 95 % interval 1.1 to 1.4"
std::string StatisticOfMedian(const TestedClaim& test) {
  const RatioSpread& spread = *test.median->spread;
  std::string statistic = "median over " + Plural(spread.rounds, "family");
  if (OnesWithValue(test).size() < test.values) statistic += ", failures left out";
  if (spread.IsRange()) return statistic;
  return statistic + fmt::format(", its 95 % interval {} to {}", FormatShort(spread.interval.low),
                                 FormatShort(spread.interval.high));
}

// Few observations are all listed; of many the median, the least and the largest are.
std::vector<std::string> MeasuredInWords(const TestedClaim& test) {
  constexpr std::size_t kFew = 3;
  const std::vector<const Observation*> all = OnesWithValue(test);
  std::vector<std::string> lines;
  if (all.size() <= kFew) {
    for (const Observation* one : all) lines.push_back(InWords(*one));
    return lines;
  }
  const bool is_growth =  // of what is shown
      std::ranges::any_of(all, [](const auto* one) { return one->shown.has_value(); });
  if (test.median && !is_growth)
    lines.push_back(
        fmt::format("{}: {}", FormatShort(test.median->value), StatisticOfMedian(test)));
  const auto [least, largest] =
      std::ranges::minmax_element(all, {}, [](const auto* one) { return one->Shown(); });
  lines.push_back("least " + InWords(**least));
  lines.push_back("largest " + InWords(**largest));
  return lines;
}

void Append(const std::string& more, std::string& text) {
  if (!more.empty() && text.find(more) == std::string::npos)
    text += (text.empty() ? "" : "; ") + more;
}

// "not kept: 2.1 on a, b (diverged) and 3 more". `measured` has the details of a value.
void AddNames(const std::string& lead, const std::vector<const Observation*>& list,
              TestedClaim& test) {
  constexpr std::size_t kMostNamed = 2;
  if (list.empty()) return;
  std::vector<std::string> names;
  for (const Observation* one : list)  // with the first reason
    names.push_back(one->value || !names.empty() ? NameOf(*one) : InWords(*one));
  test.remarks.push_back(lead + ": " + Listed(names, kMostNamed));
}

void SetCountsAndWords(const BoundTally& tally, TestedClaim& test) {
  test.families = tally.families.size();
  test.values = tally.Values();
  if (test.JudgesValues()) test.kept = tally.met, test.undecided = tally.undecided.size();
  test.median = MedianOf(test);
  test.measured = MeasuredInWords(test);
  if (test.JudgesValues()) {
    AddNames("not kept", tally.unmet, test);
    AddNames("undecided", tally.undecided, test);
  }
  AddNames("no support", tally.absent, test);
  AddNames("left open", tally.stopped, test);
  for (const Observation& one : test.observations) {
    if (one.is_repeat)
      test.remarks.push_back(fmt::format("{} has the same steady state as {} and counts with it",
                                         one.problem, one.same_as));
  }
}

// Whether the evidence includes both kinds of systems, and a variant that the paper prints, where the claim needs them.
bool IsWhole(const Comparison& comparison, const ClaimRow& row, const PaperClaim& claim,
             std::string& remark) {
  bool is_whole = true;
  for (const TestedClaim& test : claim.tests) {
    if (test.observations.empty()) continue;  // the remark names the whole test
    for (const std::string& topology : test.needs) {
      const bool loops = topology == "loops";
      const auto is_of = [&](const Observation& one) {
        const auto problem =
            std::ranges::find(comparison.problems, one.problem, &ProblemResults::name);
        return one.is_met && problem != comparison.problems.end() &&
               (problem->record.loops > 0.) == loops;
      };
      if (std::ranges::any_of(test.observations, is_of)) continue;
      is_whole = false;
      Append(fmt::format("not evaluated on {}: {}", loops ? "loops" : "trees", test.what), remark);
    }
  }
  const std::string& papers = row.papers_variant;
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
  bool is_measured = false;
};
constexpr StandingRange kInPart{Standing::kPartly, Standing::kPartly};

// The value that represents all.
void ShowValue(const TestedClaim& test, const BoundTally& tally, PaperClaim& claim) {
  const std::string& which = test.shown;
  if (claim.reads == "{} of {}" && tally.Judged() > 0)
    claim.reads = fmt::format("{{}} of {}", test.families);
  const std::vector<const Observation*> all = OnesWithValue(test);
  const bool is_number = which == "number met";
  if (which.empty() || claim.ours || (is_number ? tally.Judged() == 0 : all.empty())) return;
  if (is_number) {
    claim.ours = static_cast<double>(tally.FamiliesMet());
    claim.statistic = "families whose values all keep the bound";
    return;
  }
  if (which == "median" && all.size() > 1) {
    claim.ours = test.median->value;
    claim.statistic = StatisticOfMedian(test);
    return;
  }
  const auto rank = [&](const Observation* one) {
    return which == "largest" ? one->Shown() : which == "least" ? -one->Shown() : 0;
  };
  const Observation& shown = **std::ranges::max_element(all, {}, rank);
  claim.ours = shown.Shown();
  claim.statistic = StatisticOf(which, all.size(), tally.Values());
  if (!shown.ratio) return;
  claim.statistic += ": " + SpreadInWords(shown.ratio->spread);
  if (which == "first" && !shown.text.empty()) claim.statistic += ", " + shown.text;
}

// The first test decides whether anything can be said; later ones add conditions.
void JudgeNext(const ClaimRow& row, TestedClaim& test, const BoundTally& tally,
               Judgement& judgement, PaperClaim& claim) {
  const bool is_first = claim.tests.empty();
  if (is_first) judgement.is_measured = tally.Values() > 0 || !tally.stopped.empty();
  if (test.predicate.empty()) return;
  std::optional<StandingRange>& standing = judgement.standing;
  auto own = Judge(test, tally);
  if (own && !tally.absent.empty() && test.otherwise.empty()) {
    own = own->With(kInPart);
    Append("confirmed in part at most, because a variant evaluates nothing", claim.remark);
  }
  // A condition that no value keeps may still leave the claim confirmed in part.
  const bool is_missed = test.JudgesValues() && test.kept == 0 && test.undecided == 0;
  if (own) test.standing = is_missed ? Standing::kFails : own->Verdict();
  if (is_first) {
    standing = own;
  } else if (standing) {
    standing = standing->With(own.value_or(kInPart));
  }
  if (is_first || own) return;
  Append(
      test.observations.empty()
          ? fmt::format("not measured in this store: {}: run `mbsbench run {}`", test.what, row.run)
          : "cannot be tested here: " + test.what,
      claim.remark);
}

std::string NotMeasured(const ClaimRow& row) {
  if (row.absent.empty())
    return fmt::format("not measured in this store{}: run `mbsbench run {}`",
                       row.takes.empty() ? "" : ", needs " + row.takes, row.run);
  return row.absent + " does not run here" +
         (row.run.empty()
              ? ""
              : fmt::format("; `mbsbench run {}` shows our program in its place", row.run));
}

// The verdict of all tests, and the remark on it.
void Conclude(const Comparison& comparison, const ClaimRow& row, const Judgement& judgement,
              PaperClaim& claim) {
  const std::string &absent = row.absent, &untestable = row.untestable;
  if (!absent.empty() || !untestable.empty()) claim.standing = Standing::kCannotBeTested;
  if (!judgement.is_measured) {
    claim.remark = NotMeasured(row);
    return;
  }
  if (!absent.empty()) {
    claim.remark = fmt::format(
        "{} does not run here; our program is shown in its place and does not test the claim{}",
        absent, claim.ours ? "" : "; it has no time here");
  } else if (!untestable.empty()) {
    claim.remark = untestable;
  } else if (!judgement.standing) {
    Append("undecided: a limit of the run stopped it", claim.remark);
  } else {
    const bool is_whole = IsWhole(comparison, row, claim, claim.remark);
    claim.standing = (is_whole ? *judgement.standing : judgement.standing->With(kInPart)).Verdict();
    for (const TestedClaim& test : claim.tests) {
      const bool fails = test.standing && *test.standing != Standing::kHolds;
      if (fails && claim.tests.size() > 1)
        Append(fmt::format("condition \"{}\": {}", test.what, fmt::join(test.remarks, ", ")),
               claim.remark);
    }
  }
  Append(row.remark, claim.remark);
}

PaperClaim Evaluate(const Comparison& comparison, const std::string& paper, const ClaimRow& row) {
  PaperClaim claim{row.statement, row.label, paper, row.place, row.rule};
  claim.reads = row.reads;
  claim.published = row.published;
  Judgement judgement;
  for (const ClaimTest& data : row.tests) {
    TestedClaim test{data, Observe(comparison, data)};
    for (Observation& one : test.observations) one.is_met = Meets(one, test.predicate, test.bound);
    MarkRepeats(test.observations);
    const BoundTally tally = CountMet(test);
    SetCountsAndWords(tally, test);
    ShowValue(test, tally, claim);
    JudgeNext(row, test, tally, judgement, claim);
    claim.tests.push_back(std::move(test));
  }
  Conclude(comparison, row, judgement, claim);
  return claim;
}

constexpr StandingWords kStandings[] = {{"confirmed", "outcome-good", "✓"},
                                        {"confirmed in part", "outcome-doubtful", "~"},
                                        {"not confirmed", "outcome-failed", "✗"},
                                        {"undecided here", "outcome-absent", "?"},
                                        {"cannot be tested here", "outcome-absent", "–"}};
}  // namespace

const StandingWords& WordsOf(Standing standing) {
  return kStandings[static_cast<std::size_t>(standing)];
}

std::string TestedClaim::BoundInWords() const {
  if (predicate.empty()) return "-";
  return predicate + " " + FormatShort(bound);
}

const ClaimData& AllClaimData() {
  static const ClaimData data = [] {
    ClaimData read;
    mbsbench::Read(mbsbench::Json::parse(ClaimsAsset()), read);
    return read;
  }();
  return data;
}

std::vector<PaperClaim> AllPaperClaims(const Comparison& comparison) {
  std::vector<PaperClaim> claims;
  for (const ClaimsOfPaper& paper : AllClaimData().papers) {
    for (const ClaimRow& row : paper.claims)
      claims.push_back(Evaluate(comparison, paper.paper, row));
  }
  return claims;
}

}  // namespace mbsbench::reports
