// The report on one screen: the result in a sentence, its status, the map of costs by kind of mechanism, the share of all targets,
// four answers, growth with bodies, and the claims of papers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

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

// "a:x 1.00, b 1.25, c 2.5": the families that are no engines, each with its commonest variant, by the median of a measure over all
// problems; "a:x 1.00 (12), b 1.25 (9 of 12)" where they are not over the same number of problems. Families that do not fit, or that
// miss an error on most problems, are counted.
std::string FamiliesInWords(const MechanismMap& map, const MapMeasure& measure) {
  constexpr std::size_t kNamed = 9;
  struct Named {
    std::string name;
    MapField field;
  };
  std::vector<Named> families;
  int missing = 0;
  for (std::size_t f = 0; f < map.families.size(); ++f) {
    MapField field = measure.Overall(f);
    if (map.IsEngine(f) || !field.median) continue;
    if (!std::isfinite(*field.median)) {
      ++missing;
      continue;
    }
    const std::string variant = measure.MostOftenOf(f);
    families.push_back({map.families[f] + (variant.starts_with(kDefaultVariant)
                                               ? ""
                                               : ":" + variant.substr(0, variant.find(' '))),
                        std::move(field)});
  }
  std::ranges::stable_sort(families, {}, [](const Named& one) { return *one.field.median; });
  const bool are_alike = std::ranges::all_of(families, [&](const Named& one) {
    return one.field.Reached() == families[0].field.Taken() &&
           one.field.Taken() == families[0].field.Taken();
  });
  const auto problems = [](const MapField& field) {
    return field.Reached() == field.Taken()
               ? fmt::format(" ({})", field.Taken())
               : fmt::format(" ({} of {})", field.Reached(), field.Taken());
  };
  std::vector<std::string> texts;
  for (const auto& [name, field] : families)
    texts.push_back(fmt::format("{} {}{}", name, FormatRatio(*field.median), field.Marks()) +
                    (are_alike ? "" : problems(field)));
  if (texts.size() > kNamed) {
    const double last = *families[kNamed - 1].field.median;
    const std::string others = Plural(texts.size() - kNamed, "other family");
    texts.resize(kNamed);
    texts.push_back(fmt::format("{} {} or more", others, FormatRatio(last)));
  }
  if (missing > 0 && !texts.empty())
    texts.push_back("not reached on most problems by " + Plural(missing, "other family"));
  return Listed(texts, texts.size());
}

// The result in a sentence: same operations; the cost of one evaluation and of a motion; lost digits. Empty if there is none.
Paragraph ResultInWords(const Comparison& comparison, const MechanismMap& map) {
  constexpr std::size_t kNamed = 4;
  Paragraph result;
  std::vector<std::string> parts;
  if (const auto pairs = FamiliesOfIdenticalWork(comparison); !pairs.empty()) {
    parts.push_back(Listed(pairs, kNamed));
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
    parts.push_back("digits are lost by " + Listed(names, kNamed));
  }
  if (parts.empty()) return result;
  result.text = fmt::format("{}. Medians (problems taken).", fmt::join(parts, "; "));
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
