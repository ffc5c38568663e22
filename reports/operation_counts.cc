// Arithmetic of one evaluation per body, counted through the methods' equations, with the counts
// that the literature prints for recursive methods.
#include <fmt/format.h>

#include <map>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// Coefficients of n in the counts for a chain of n revolute joints.
struct PublishedCount {
  const char* recursion;
  double multiplications, additions;
  const char* printed;
};
constexpr PublishedCount kPublished[] = {
    {"Featherstone's articulated body algorithm", 300, 279, "300 n - 267 and 279 n - 259"},
    {"Brandl, Johanni, Otter (1986)", 250, 220, "250 n - 222 and 220 n - 198"},
    {"Saha (1997), decoupled natural orthogonal complement", 191, 187,
     "191 n - 284 and 187 n - 325"}};

struct CountedOperations {
  const ProblemResults* problem = nullptr;
  const Trial* trial = nullptr;
  double bodies = 0;
  const OperationsRecord& operations() const { return *trial->record.evaluation->operations; }
};

using LargestByFamily = std::map<std::pair<std::string, std::string>, CountedOperations>;

// Of each method and family the largest system whose operations were counted.
LargestByFamily LargestCounted(const Comparison& comparison) {
  LargestByFamily largest;
  for (const ProblemResults& problem : comparison.problems) {
    const auto bodies = Number(problem.document, "bodies");
    if (!bodies) continue;
    for (const Trial* trial : problem.evaluations) {
      if (trial->outcome != "ok" || !OrNone(trial->record.evaluation).operations) continue;
      CountedOperations& counted = largest[{Text(problem.document, "family"), trial->method}];
      if (*bodies >= counted.bodies) counted = {&problem, trial, *bodies};
    }
  }
  return largest;
}

// Methods whose counts of all four operations are equal on a system: one algorithm in cost, whatever they are derived from. Their
// times differ by layout and compiler alone.
std::optional<Table> IdenticalWork(const Comparison& comparison, const LargestByFamily& largest) {
  // By family and additions, divisions, multiplications and square roots.
  std::map<std::pair<std::string, std::string>, std::vector<const CountedOperations*>> alike;
  for (const auto& [key, counted] : largest) {
    const std::string& of = counted.trial->record.evaluation->operations_of;
    const OperationsRecord& o = counted.operations();
    if (of.empty() || of == "evaluation")
      alike[{key.first, fmt::format("{} {} {} {}", o.additions, o.divisions, o.multiplications,
                                    o.square_roots)}]
          .push_back(&counted);
  }
  Table table{"Identical work",
              {{"on"},
               {"recursion"},
               {"same operations as"},
               {"operations per body", true, "operations_per_body"},
               {"time over that of the same", true, "time_ratio"}}};
  for (const auto& [key, methods] : alike) {
    for (std::size_t i = 1; i < methods.size(); ++i) {
      const CountedOperations &first = *methods.front(), &other = *methods[i];
      double all = 0;
      const OperationsRecord& o = other.operations();
      for (const std::int64_t count : {o.additions, o.divisions, o.multiplications, o.square_roots})
        all += static_cast<double>(count) / other.bodies;
      const MaybeNumber time = other.trial->record.NanosecondsPerBody(),
                        by = first.trial->record.NanosecondsPerBody();
      const std::optional<double> ratio =
          time && by && *by > 0 ? std::optional(*time / *by) : std::nullopt;
      table.rows.push_back(
          {ProblemCell(*other.problem), MethodCell(comparison, other.trial->method),
           MethodCell(comparison, first.trial->method), NumberCell(fmt::format("{:.1f}", all), all),
           NumberCell(ratio ? fmt::format("{:.2f}", *ratio) : "-", ratio)});
    }
  }
  if (table.rows.empty()) return std::nullopt;
  return table;
}

template <typename T>
void Drop(std::vector<T>& list, std::size_t place) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(place));
}

// One table for each system, named in its caption, and one of the printed counts.
std::vector<Table> BySystem(const Table& all) {
  constexpr std::size_t kSystem = 1;
  std::vector<Table> tables;
  for (const std::vector<TableCell>& row : all.rows) {
    const bool is_printed = row[kSystem].text.starts_with("printed");
    const std::string caption =
        fmt::format("{}: {}", all.caption, is_printed ? "printed for n bodies" : row[kSystem].text);
    if (tables.empty() || tables.back().caption != caption) {
      tables.push_back({caption, all.columns});
      if (!is_printed) Drop(tables.back().columns, kSystem);
    }
    tables.back().rows.push_back(row);
    if (!is_printed) Drop(tables.back().rows.back(), kSystem);
  }
  return tables;
}

std::optional<double> PeakGigaflops(const Comparison& comparison, const std::string& run) {
  for (const Run* one : comparison.runs) {
    if (one->id == run) return one->machine.gigaflops_scalar;
  }
  return std::nullopt;
}

}  // namespace

std::string IdenticalWorkInWords(const Comparison& comparison) {
  const auto largest = LargestCounted(comparison);
  const std::optional<Table> table = IdenticalWork(comparison, largest);
  if (!table) return "";
  std::map<std::pair<std::string, std::string>, long long> pairs;
  for (const auto& row : table->rows) ++pairs[{row[1].text, row[2].text}];
  std::string text;
  for (const auto& [pair, systems] : pairs) {
    text += fmt::format("{}{} and {}: same operations on {}", text.empty() ? "" : "; ", pair.first,
                        pair.second, Plural(systems, "system"));
  }
  return text + ".";
}

Section OperationCountsSection(const Comparison& comparison, Document& document) {
  Section section{"operation-counts", "Operations per body", {}};
  const auto largest = LargestCounted(comparison);
  if (largest.empty()) return section;
  Table table{"Operations per body",
              {{"recursion"},
               {"on"},
               {"of one"},
               {"multiplications", true},
               {"additions", true},
               {"divisions", true},
               {"square roots", true},
               {"all", true},
               {"time [ns per body]", true, "nanoseconds_per_body"},
               {"share of scalar peak", true, "share_of_scalar_peak"}}};
  for (const auto& [key, counted] : largest) {
    const OperationsRecord& o = counted.operations();
    const std::string& of = counted.trial->record.evaluation->operations_of;
    std::vector<TableCell> row{MethodCell(comparison, counted.trial->method),
                               ProblemCell(*counted.problem),
                               {of.empty() ? "evaluation" : of}};
    double all = 0;
    const auto add = [&row](std::optional<double> value) {
      row.push_back(NumberCell(value ? fmt::format("{:.1f}", *value) : "-", value));
    };
    for (const std::int64_t kind : {o.multiplications, o.additions, o.divisions, o.square_roots}) {
      const double count = static_cast<double>(kind) / counted.bodies;
      all += count;
      add(count);
    }
    add(all);
    const MaybeNumber time = counted.trial->record.NanosecondsPerBody();
    add(time);
    const auto peak = PeakGigaflops(comparison, counted.trial->run_id);
    if (time && peak && *time > 0 && *peak > 0) {
      const double share = all / *time / *peak;
      row.push_back(NumberCell(fmt::format("{:.0f} %", 100 * share), share));
    } else {
      row.push_back(NumberCell("-", std::nullopt));
    }
    table.rows.push_back(std::move(row));
  }
  for (const PublishedCount& p : kPublished) {
    const auto number = [](double value) {
      return NumberCell(fmt::format("{:.0f}", value), value);
    };
    table.rows.push_back({{p.recursion},
                          {fmt::format("printed: {} for n bodies", p.printed)},
                          {"evaluation"},
                          number(p.multiplications),
                          number(p.additions),
                          NumberCell("-", std::nullopt),
                          NumberCell("-", std::nullopt),
                          number(p.multiplications + p.additions),
                          NumberCell("-", std::nullopt),
                          NumberCell("-", std::nullopt)});
  }
  const std::string csv = AddFile(document, AsCsv("operations_per_body.csv", table));
  section.blocks.push_back(Paragraph{
      "Operations from quaternions or joint coordinates and rates to all accelerations. For a time "
      "stepper: one step; for steady states: residual and Jacobian. They are counted exactly, by a "
      "scalar type that counts, in the timed kernels or in the readable form that tests compare "
      "them with. Each method is counted on the largest system of each family of problems. Sines "
      "and cosines are "
      "not counted. A fused multiply-add counts as two, also in the core's scalar peak, which each "
      "run measures; the last column is the share of that peak. Printed counts are the "
      "coefficients of n for chains of revolute joints in Denavit-Hartenberg frames. They are "
      "quoted from later papers. Compare them with the revolute chains only."});
  for (Table& one : BySystem(table)) {
    one.csv = csv;
    section.blocks.push_back(std::move(one));
  }
  if (std::optional<Table> identical = IdenticalWork(comparison, largest)) {
    identical->csv = AddFile(document, AsCsv("identical_work.csv", *identical));
    section.blocks.push_back(
        Paragraph{"Methods with equal numbers of multiplications, additions, divisions and square "
                  "roots on a system do identical work there. A ratio of their times shows memory "
                  "layout and compiled code."});
    section.blocks.push_back(std::move(*identical));
  }
  return section;
}

}  // namespace mbsbench::reports
