// What the papers claim, and what was measured here.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>

#include "reports/format.h"
#include "reports/paper_claims.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// "150 rows", "40 of 46", "× 8.98"
std::string InWords(const PaperClaim& claim, std::optional<double> value) {
  if (!value) return "-";
  return fmt::format(fmt::runtime(claim.reads),
                     *value >= 1000 ? FormatCount(static_cast<long long>(std::llround(*value)))
                                    : FormatDigits(*value, 3));
}

Table ClaimsTable(const std::vector<PaperClaim>& claims) {
  Table table{kClaimsCaption,
              {{"paper"},
               {"claim"},
               {"verdict"},
               {"ours", true},
               {"published", true},
               {"confirmed when"},
               {"our evidence"},
               {"remark"},
               {"ours in words"},
               {"place"}}};
  for (const PaperClaim& claim : claims) {
    table.rows.push_back({{claim.source},
                          {claim.claim},
                          {NameOf(claim.standing), nullptr, ToneOf(claim.standing)},
                          NumberCell(InWords(claim, claim.ours), claim.ours),
                          NumberCell(InWords(claim, claim.published), claim.published),
                          {claim.rule},
                          {claim.evidence},
                          {claim.remark},
                          {InWords(claim, claim.ours)},
                          {claim.place}});
  }
  return table;
}

// The table of the file, for the page: the place with the paper, the rule with the claim, remark and evidence in one
// column.
Table InFewerColumns(const std::vector<PaperClaim>& claims, Table table) {
  constexpr std::size_t kPaper = 0, kClaim = 1, kOurs = 3, kPublished = 4, kEvidence = 5;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const PaperClaim& claim = claims[i];
    std::vector<TableCell>& row = table.rows[i];
    if (!claim.place.empty()) row[kPaper] = {claim.source + ", " + claim.place};
    row[kClaim] = {fmt::format("{}{} Confirmed when: {}", claim.claim,
                               claim.claim.ends_with('.') ? "" : ".", claim.rule)};
    const bool has_both = !claim.evidence.empty() && !claim.remark.empty();
    row[kEvidence] = {claim.evidence + (has_both ? ". " : "") + claim.remark};
    row.resize(kEvidence + 1);
  }
  table.columns.resize(kEvidence + 1);
  for (const std::size_t words : {kOurs, kPublished}) table.columns[words].is_number = false;
  table.columns[kEvidence].label = "evidence and remark";
  return table;
}

Table EvidenceTable(const std::vector<PaperClaim>& claims) {
  Table table{"Evidence, value by value",
              {{"paper"},
               {"claim"},
               {"quantity"},
               {"problem"},
               {"method"},
               {"against"},
               {"value", true},
               {"value is"},
               {"has to be"},
               {"bound", true},
               {"kept"},
               {"from"}}};
  const auto number = [](double value) { return DigitsCell(value, 3); };
  for (const PaperClaim& claim : claims) {
    for (const TestedClaim& test : claim.tests) {
      for (const Observation& one : test.observations) {
        const bool is_judged = !test.predicate.empty();
        table.rows.push_back({{claim.source},
                              {claim.claim},
                              {test.what},
                              {one.problem},
                              {one.method},
                              {one.against},
                              one.value ? number(*one.value) : TableCell{"-"},
                              {!one.value                             ? "absent"
                               : one.kind == TimeRatio::Kind::kExact  ? ""
                               : one.kind == TimeRatio::Kind::kAtMost ? "an upper bound"
                                                                      : "a lower bound"},
                              {test.predicate},
                              is_judged ? number(test.bound) : TableCell{"-"},
                              {!is_judged || !one.is_met ? ""
                               : *one.is_met             ? "yes"
                                                         : "no"},
                              {one.text}});
      }
    }
  }
  return table;
}

// What the variants are that the claims name, of the methods in this store.
std::optional<Paragraph> VariantsInWords(const Comparison& comparison) {
  std::string text;
  for (const Json& variants : Field(ClaimRows(), "variants")) {
    const auto is_held = [&variants](const std::string& method) {
      const Json& globs = Field(variants, "methods");
      return std::any_of(globs.begin(), globs.end(), [&method](const Json& glob) {
        return fnmatch(glob.get<std::string>().c_str(), method.c_str(), 0) == 0;
      });
    };
    if (std::any_of(comparison.methods.begin(), comparison.methods.end(), is_held))
      text += (text.empty() ? "" : " ") + Text(variants, "text");
  }
  return text.empty() ? std::nullopt : std::optional(Paragraph{text});
}

}  // namespace

Section ValidationSection(const Comparison& comparison, Document& document) {
  Section section{"validation", "Claims of the papers", {}};
  const std::vector<PaperClaim> claims = AllPaperClaims(comparison);
  Table table = ClaimsTable(claims);
  table.csv = AddFile(document, AsCsv("paper_claims.csv", table));
  if (auto variants = VariantsInWords(comparison)) section.blocks.push_back(std::move(*variants));
  section.blocks.push_back(InFewerColumns(claims, std::move(table)));
  if (Table evidence = EvidenceTable(claims); !evidence.rows.empty()) {
    evidence.csv = AddFile(document, AsCsv("claim_evidence.csv", evidence));
    section.blocks.push_back(Paragraph{
        "The table lists every value behind a verdict. A factor over a program that does not run "
        "here cannot be tested; our own program in its place is shown. Values that sources print "
        "per problem are on the pages of the problems."});
    section.blocks.push_back(std::move(evidence));
  }
  return section;
}

}  // namespace mbsbench::reports
