// The report on one screen: the result in a sentence, its status, the map of costs by kind of mechanism, the share of all targets,
// four answers, growth with bodies, and the claims of papers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "reports/analysis/coverage.h"
#include "reports/analysis/disagreements.h"
#include "reports/analysis/paper_claims.h"
#include "reports/analysis/scaling.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/overview.h"

namespace mbsbench::reports {

// One variant of each family of methods, on the family of problems with the widest range of bodies: the variant with the widest
// range of right results, of equal ones the cheapest at its largest size. Empty if no range is wide enough to show growth.
std::optional<Figure> CostPerBodyFigure(const Comparison& comparison) {
  const auto is_asked = [](const ScalingCurve& curve) { return curve.of == "accelerations"; };
  const std::vector<FamilyScaling> all = Scaling(comparison);
  const FamilyScaling* widest = nullptr;
  double most = 0;
  for (const FamilyScaling& family : all) {
    for (const ScalingCurve& curve : family.evaluations) {
      if (is_asked(curve) && curve.Range() >= kLeastRange && curve.Range() > most)
        most = curve.Range(), widest = &family;
    }
  }
  if (!widest) return std::nullopt;
  std::vector<ScalingCurve> chosen;
  const auto rank = [](const ScalingCurve& curve) {
    return std::pair(curve.Range(), -*curve.points.back().value);
  };
  for (const ScalingCurve& curve : widest->evaluations) {
    if (!is_asked(curve)) continue;
    const auto is_rival = [&curve](const ScalingCurve& one) {
      return MethodKey(one.method) == MethodKey(curve.method);
    };
    ScalingCurve& known = FindOrAdd(chosen, is_rival, curve);
    if (rank(curve) > rank(known)) known = curve;
  }
  std::vector<CurveOf<ScalingPoint>> curves;
  for (const ScalingCurve& curve : chosen) {
    const std::string family = MethodKey(curve.method);
    curves.push_back({{{"name", family}, {"family", family}}, curve.points});
  }
  Figure figure = ChartOf<ScalingPoint>(
      {.title = "Cost per body on " + widest->family,
       .summary =
           "Nanoseconds per body for one evaluation of all accelerations, against the "
           "number of bodies, both logarithmic, by the variant of each family that has right "
           "digits over the widest range. A horizontal line is linear cost.",
       .table = {"Cost per body on " + widest->family}},
      {"bodies", "ns per body"}, curves,
      [](const ScalingPoint& point) -> Json {
        return {point.bodies, Short(*point.value)};
      },
      {{{"methods"}, &ScalingPoint::method},
       {CountColumn("bodies"), [](auto& p) { return p.bodies; }},
       {DigitsColumn("ns per body", 3), [](auto& p) { return p.value; }}});
  figure.kind = "spark";
  figure.data["route"] = "scaling";
  return figure;
}

namespace {

Figure ClaimsFigure(const Comparison& comparison) {
  Figure figure;
  figure.kind = "claims";
  figure.title = "Claims of papers";
  figure.summary = "Verdicts by the cells of this store.";
  for (const Standing standing : {Standing::kHolds, Standing::kPartly, Standing::kFails,
                                  Standing::kNotMeasured, Standing::kCannotBeTested})
    figure.summary += fmt::format(" {}: {}.", WordsOf(standing).sign, WordsOf(standing).name);
  figure.table = {"Claims of papers", {{"paper"}, {"claim"}, {"verdict"}}};
  Json items = Json::array();
  for (const PaperClaim& claim : AllPaperClaims(comparison)) {
    items.push_back({{"source", claim.source},
                     {"claim", claim.claim},
                     {"label", claim.label},
                     {"sign", WordsOf(claim.standing).sign},
                     {"standing", WordsOf(claim.standing).name},
                     {"tone", WordsOf(claim.standing).tone},
                     {"verdict", claim.remark}});
    figure.table.rows.push_back({{claim.source}, {claim.claim}, {WordsOf(claim.standing).name}});
  }
  figure.data = {
      {"items", std::move(items)},
      {"route", "claims"},
      {"open", kConditionsSection},
      {"tables", {{kClaimsFile, kClaimsCaption}, {kConditionsFile, kConditionsCaption}}}};
  return figure;
}

constexpr std::size_t kNamedAtMost = 3;  // in a list of the sentence

// "a:x 1.00 (12), b 1.25 (9), c 2.50 (12), 2 others from 3.10": the families that are no engines, each with its commonest variant, by
// the median of a measure over all problems, and on how many of them it has a value.
std::string FamiliesInWords(const MechanismMap& map, const MapMeasure& measure) {
  std::vector<std::pair<double, std::string>> families;  // by the median
  for (std::size_t f = 0; f < map.families.size(); ++f) {
    const MapField field = measure.Overall(f);
    if (map.IsEngine(f) || !field.median) continue;
    const std::string variant = measure.MostOftenOf(f);
    const bool is_default = variant.starts_with(kDefaultVariant);
    families.emplace_back(*field.median,
                          fmt::format("{}{} {} ({})", map.families[f],
                                      is_default ? "" : ":" + variant.substr(0, variant.find(' ')),
                                      measure.InWords(field), field.Reached()));
  }
  std::ranges::stable_sort(families, {}, [](const auto& one) { return one.first; });
  std::vector<std::string> texts;
  for (const auto& [median, text] : families | std::views::take(kNamedAtMost))
    if (std::isfinite(median)) texts.push_back(text);
  if (const std::size_t shown = texts.size(); shown > 0 && families.size() > shown) {
    const double next = families[shown].first;
    texts.push_back(Plural(families.size() - shown, "other") +
                    (std::isfinite(next) ? " from " + FormatRatio(next) : " on few problems"));
  }
  return Listed(texts, texts.size());
}

// The result in a sentence: same operations; the cost of one evaluation and of a motion; lost digits. Empty if there is none.
Paragraph ResultInWords(const Comparison& comparison, const MechanismMap& map) {
  Paragraph result;
  std::vector<std::string> parts;
  if (const auto pairs = FamiliesOfIdenticalWork(comparison); !pairs.empty()) {
    parts.push_back(Listed(pairs, kNamedAtMost));
    result.links.push_back({kIdenticalWork, kOperationCounts, "scaling"});
  }
  const auto add = [&](const MapMeasure* measure, const std::string& what) {
    const std::string families = measure ? FamiliesInWords(map, *measure) : "";
    if (!families.empty()) parts.push_back(what + families);
  };
  add(map.Find(kOneEvaluation), "one evaluation costs, over the cheapest, ");
  const double target = comparison.MainTarget();
  add(map.AtTarget(target),
      fmt::format("a motion to {} costs, over the fastest, ", FormatError(target)));
  if (const auto losses = ReadDisagreements(comparison).losses; !losses.empty()) {
    std::vector<std::string> names;
    for (const DigitLoss& loss : losses) names.push_back(loss.method);
    parts.push_back("digits are lost by " + Listed(names, kNamedAtMost));
  }
  if (parts.empty()) return result;
  result.text = fmt::format("{}. Medians (number of problems).", fmt::join(parts, "; "));
  return result;
}

}  // namespace

Section OverviewSection(const Comparison& comparison, Document& document) {
  Section section{"overview", "Overview", {}};
  const std::vector<Target> targets = Targets(comparison);
  const MechanismMap map = MakeMechanismMap(comparison, targets);
  if (Paragraph result = ResultInWords(comparison, map); !result.text.empty())
    section.blocks.push_back(std::move(result));
  section.blocks.push_back(StatusFigure(comparison, map));
  const std::string evaluated = comparison.EvaluationsInWords();
  if (comparison.CellCount() == 0 && evaluated.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "This store holds no finished cell: the run was stopped before its first one, or nothing "
        "was selected. {} continues it.",
        Code(CommandToContinue(comparison.results->runs.back())))});
    return section;
  }
  if (!map.kinds.empty()) section.blocks.push_back(MapFigure(comparison, map, document));
  if (!targets.empty()) {
    section.blocks.push_back(ProfileFigure(targets, map, document));
    section.blocks.push_back(AnswersFigure(comparison, targets, map));
  } else if (comparison.CellCount() == 0) {
    section.blocks.push_back(Paragraph{
        evaluated +
        " Their cost, that of loops too, is under Scaling, their errors under Validation."});
  } else {
    section.blocks.push_back(
        Paragraph{"No cell has an error, so there is nothing to compare: no motion was run, none "
                  "finished, or there is no reference. The page Outcomes gives the reasons."});
  }
  AddIfAny(CostPerBodyFigure(comparison), section);
  section.blocks.push_back(ClaimsFigure(comparison));
  return section;
}

}  // namespace mbsbench::reports
