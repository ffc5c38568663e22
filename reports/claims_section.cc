// The claims of papers and the measured evidence.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/columns.h"
#include "reports/format.h"
#include "reports/paper_claims.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// "150 rows", "40 of 46", "× 8.98"
std::string InWords(const PaperClaim& claim, std::optional<double> value,
                    const std::string& mark = "") {
  if (!value) return "-";
  const std::string number = *value >= 1000
                                 ? FormatCount(static_cast<long long>(std::llround(*value)))
                                 : FormatDigits(*value, 3);
  return fmt::format(fmt::runtime(claim.reads), mark + number);
}

std::string OursInWords(const PaperClaim& claim) { return InWords(claim, claim.ours, claim.mark); }

// "confirmed in part, n = 5, 1 undecided"; "confirmed, n = 3 on 1 problem"
std::string VerdictInWords(const PaperClaim& claim) {
  std::string text = NameOf(claim.standing);
  if (claim.values > 0) text += fmt::format(", n = {}", claim.values);
  if (claim.values > claim.problems) text += " on " + Plural(claim.problems, "problem");
  if (claim.undecided > 0) text += fmt::format(", {} undecided", claim.undecided);
  return text;
}

// The page joins place and paper, rule and claim, remark and evidence in one column each; the file does not.
Table ClaimsTable(const std::vector<PaperClaim>& claims) {
  const auto both = [](const std::string& a, const char* between, const std::string& b) {
    return a + (a.empty() || b.empty() ? "" : between) + b;
  };
  return TableOf<PaperClaim>(
      kClaimsCaption,
      {{OnPage({"paper"}), [=](auto& c) { return both(c.source, ", ", c.place); }},
       {OnPage({"verdict"}),
        [](auto& c) {
          return TableCell{VerdictInWords(c), nullptr, ToneOf(c.standing)};
        }},
       {OnPage({"claim"}),
        [](auto& c) {
          return fmt::format("{}{} Confirmed when: {}", c.claim, c.claim.ends_with('.') ? "" : ".",
                             c.rule);
        }},
       {FileColumn("paper"), &PaperClaim::source},
       {FileColumn("claim"), &PaperClaim::claim},
       {FileColumn("verdict"), [](auto& c) { return NameOf(c.standing); }},
       {{"ours"},
        [](auto& c) {
          const std::string of = c.statistic.empty() ? "" : fmt::format(" ({})", c.statistic);
          return NumberCell(OursInWords(c) + of, c.ours);
        }},
       {{"published"}, [](auto& c) { return NumberCell(InWords(c, c.published), c.published); }},
       {OnPage({"evidence and remark"}), [=](auto& c) { return both(c.evidence, "\n", c.remark); }},
       {FileColumn("confirmed when"), &PaperClaim::rule},
       {FileColumn("statistic"), &PaperClaim::statistic},
       {FileColumn("values"), &PaperClaim::values},
       {FileColumn("values undecided"), &PaperClaim::undecided},
       {FileColumn("problems"), &PaperClaim::problems},
       {FileColumn("our evidence"), &PaperClaim::evidence},
       {FileColumn("remark"), &PaperClaim::remark},
       {FileColumn("ours in words"), OursInWords},
       {FileColumn("place"), &PaperClaim::place}},
      claims);
}

// Every value on which a verdict rests. Of many values the table of claims shows the median, the least and the largest.
CsvFile EvidenceFile(const std::vector<PaperClaim>& claims) {
  struct Evidence {
    const PaperClaim* claim;
    const TestedClaim* test;
    const Observation* one;
    std::string Kind() const {
      if (!one->ratio) return one->value ? "" : "absent";
      return one->ratio->kind == TimeRatio::Kind::kExact ? "" : one->ratio->Name();
    }
    std::string Kept() const {
      // The bound of a median does not apply to single values.
      if (test->predicate.empty() || test->predicate == "median faster") return "";
      if (!one->is_met && !one->value && !one->ratio) return "";
      return !one->is_met ? "undecided" : *one->is_met ? "yes" : "no";
    }
    std::optional<RatioSpread> Spread() const {
      return one->ratio ? one->ratio->spread : std::nullopt;
    }
    // An end of the interval of the paired rounds.
    TableCell Of(double Interval::*end) const {
      return Spread() ? TableCell(Spread()->interval.*end) : TableCell("-");
    }
  };
  std::vector<Evidence> all;
  for (const PaperClaim& claim : claims) {
    for (const TestedClaim& test : claim.tests) {
      for (const Observation& one : test.observations) all.push_back({&claim, &test, &one});
    }
  }
  return AsCsv(
      "claim_evidence.csv",
      TableOf<Evidence>(
          "",
          {{{"paper"}, [](auto& e) { return e.claim->source; }},
           {{"claim"}, [](auto& e) { return e.claim->claim; }},
           {{"quantity"}, [](auto& e) { return e.test->what; }},
           {{"problem"}, [](auto& e) { return e.one->problem; }},
           {{"method"}, [](auto& e) { return e.one->method; }},
           {{"against"}, [](auto& e) { return e.one->against; }},
           {{"same state as"}, [](auto& e) { return e.one->same_as; }},
           {{"value"}, [](auto& e) { return e.one->value; }},
           {{"value is"}, &Evidence::Kind},
           {{"low"}, [](auto& e) { return e.Of(&Interval::low); }},
           {{"high"}, [](auto& e) { return e.Of(&Interval::high); }},
           {{"paired rounds"},
            [](auto& e) { return e.Spread() ? TableCell(e.Spread()->rounds) : "-"; }},
           {{"standard error"}, [](auto& e) { return e.one->standard_error; }},
           {{"has to be"}, [](auto& e) { return e.test->predicate; }},
           {{"bound"},
            [](auto& e) { return e.test->predicate.empty() ? TableCell("-") : e.test->bound; }},
           {{"kept"}, &Evidence::Kept},
           {{"from"}, [](auto& e) { return e.one->text; }}},
          all));
}

// Explains the variants that the claims name, if the store holds them.
std::optional<Paragraph> VariantsInWords(const Comparison& comparison) {
  std::string text;
  for (const Json& variants : Field(ClaimRows(), "variants")) {
    const auto is_named = [&](const std::string& method) {
      return Matches(variants, "methods", method);
    };
    if (std::ranges::any_of(comparison.methods, is_named))
      text += (text.empty() ? "" : " ") + Text(variants, "text");
  }
  return text.empty() ? std::nullopt : std::optional(Paragraph{text});
}

}  // namespace

Section ClaimsSection(const Comparison& comparison, Document& document) {
  Section section{"claims", "Claims of papers", {}};
  const std::vector<PaperClaim> claims = AllPaperClaims(comparison);
  if (auto variants = VariantsInWords(comparison)) section.blocks.push_back(std::move(*variants));
  AddTable(ClaimsTable(claims), "paper_claims.csv", section, document);
  if (CsvFile evidence = EvidenceFile(claims); !evidence.rows.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "`csv/{}` lists every value on which a verdict rests. A factor over a program that does "
        "not run "
        "here cannot be tested; our own program in its place is shown. The pages of the problems "
        "show the values that sources print.",
        AddFile(document, std::move(evidence)))});
  }
  return section;
}

}  // namespace mbsbench::reports
