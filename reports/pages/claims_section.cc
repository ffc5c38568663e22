// The claims of papers and the measured evidence.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/analysis/paper_claims.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// "150 rows", "40 of 46", "× 8.98"
std::string InWords(const PaperClaim& claim, std::optional<double> value) {
  if (!value) return "-";
  return fmt::format(fmt::runtime(claim.reads), FormatThree(*value));
}

std::string OursInWords(const PaperClaim& claim) { return InWords(claim, claim.ours); }

// "33 families, 84 values"; "3 families" with a value each
std::string CountInWords(const TestedClaim& test) {
  if (test.values == 0) return "-";
  return Plural(test.families, "family") +
         (test.values > test.families ? ", " + Plural(test.values, "value") : "");
}

// "confirmed in part, n = 3 families, 84 values, 1 undecided (of the first of 2 conditions)"
std::string VerdictInWords(const PaperClaim& claim) {
  std::string text = WordsOf(claim.standing).name;
  const TestedClaim* test = claim.Decisive();
  if (!test || test->values == 0) return text;
  text += ", n = " + CountInWords(*test);
  if (test->undecided > 0) text += fmt::format(", {} undecided", test->undecided);
  const auto is_judged = [](const TestedClaim& one) { return !one.predicate.empty(); };
  const auto conditions = std::ranges::count_if(claim.tests, is_judged);
  return conditions > 1 ? text + fmt::format(" (of the first of {} conditions)", conditions) : text;
}

// The page joins rule and claim in one column; the file does not.
Table ClaimsTable(const std::vector<PaperClaim>& claims) {
  return TableOf<PaperClaim>(
      kClaimsCaption,
      {{{"paper"}, [](auto& c) { return c.source + ", " + c.place; }},
       {OnPage({"verdict"}),
        [](auto& c) {
          return TableCell{VerdictInWords(c), nullptr, WordsOf(c.standing).tone};
        }},
       {OnPage({"claim"}),
        [](auto& c) {
          return fmt::format("{}{} Confirmed when: {}", c.claim, c.claim.ends_with('.') ? "" : ".",
                             c.rule);
        }},
       {FileColumn("claim"), &PaperClaim::claim},
       {FileColumn("verdict"), [](auto& c) { return WordsOf(c.standing).name; }},
       {{"ours"},
        [](auto& c) {
          const std::string of = c.statistic.empty() ? "" : fmt::format(" ({})", c.statistic);
          return NumberCell(OursInWords(c) + of, c.ours);
        }},
       {{"published"}, [](auto& c) { return NumberCell(InWords(c, c.published), c.published); }},
       {FileColumn("confirmed when"), &PaperClaim::rule},
       {FileColumn("statistic"), &PaperClaim::statistic},
       {{"remark"}, &PaperClaim::remark},
       {FileColumn("ours in words"), OursInWords}},
      claims);
}

struct Condition {
  const PaperClaim* claim;
  const TestedClaim* test;
  // "33 families, 84 values\nkept by 80"
  std::string Count() const {
    std::string text = CountInWords(*test);
    return test->JudgesValues() && test->values > 0 ? text + fmt::format("\nkept by {}", test->kept)
                                                    : text;
  }
  const char* Verdict() const {
    return test->standing            ? WordsOf(*test->standing).name
           : test->predicate.empty() ? "-"
                                     : "not measured";
  }
};

// A row for each condition of each claim that was measured.
Table ConditionsTable(const std::vector<PaperClaim>& claims) {
  std::vector<Condition> all;
  for (const PaperClaim& claim : claims) {
    for (const TestedClaim& test : claim.tests) {
      if (!test.observations.empty()) all.push_back({&claim, &test});
    }
  }
  const auto lines = [](const std::vector<std::string>& of) {
    return fmt::format("{}", fmt::join(of, "\n"));
  };
  return TableOf<Condition>(
      kConditionsCaption,
      {{FileColumn("paper"), [](auto& c) { return c.claim->source; }},
       {{"claim, quantity"}, [](auto& c) { return c.claim->claim + ": " + c.test->what; }},
       {{"measured"},
        [=](auto& c) { return WithLine(lines(c.test->measured), lines(c.test->remarks)); }},
       {{"has to be"}, [](auto& c) { return c.test->BoundInWords(); }},
       {{"n"}, &Condition::Count},
       {{"verdict"},
        [](auto& c) {
          return TableCell{c.Verdict(), nullptr,
                           c.test->standing ? WordsOf(*c.test->standing).tone : ""};
        }}},
      all);
}

// Every value on which a verdict rests. Of many values the table of conditions shows the median, the least and the largest.
CsvFile EvidenceFile(const std::vector<PaperClaim>& claims) {
  struct Evidence {
    const PaperClaim* claim;
    const TestedClaim* test;
    const Observation* one;
    std::string Kept() const {
      if (!test->JudgesValues()) return "";
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
           {{"family"}, [](auto& e) { return e.one->family; }},
           {{"method"}, [](auto& e) { return e.one->method; }},
           {{"against"}, [](auto& e) { return e.one->against; }},
           {{"same state as"}, [](auto& e) { return e.one->same_as; }},
           {{"value"}, [](auto& e) { return e.one->value; }},
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
  for (const VariantNote& note : AllClaimData().variants) {
    const auto is_named = [&note](const std::string& method) {
      return Matches(note.methods, method);
    };
    if (std::ranges::any_of(comparison.methods, is_named))
      text += (text.empty() ? "" : " ") + note.text;
  }
  return text.empty() ? std::nullopt : std::optional(Paragraph{text});
}

}  // namespace

Section ClaimsSection(const Comparison& comparison, Document& document) {
  Section section{"claims", "Claims of papers", {}};
  const std::vector<PaperClaim> claims = AllPaperClaims(comparison);
  if (auto variants = VariantsInWords(comparison)) section.blocks.push_back(std::move(*variants));
  AddTable(ClaimsTable(claims), kClaimsFile, section, document);
  Section conditions{kConditionsSection, kConditionsCaption};
  AddTable(ConditionsTable(claims), kConditionsFile, conditions, document);
  AddFolded(std::move(conditions), section);
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
