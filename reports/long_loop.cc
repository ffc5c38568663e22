// The four-bar loop over thousands of turns: how drift grows without stabilisation, with Baumgarte's
// and with projection, and which formulation to take.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "reports/format.h"
#include "reports/long_loop.h"
#include "reports/outcomes.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string StabilisationOf(const std::string& spec) {
  for (const char* name : {"none", "baumgarte", "ggl", "index1-dae", "index3"}) {
    if (spec.find(name) != std::string::npos) return name;
  }
  return "projected";
}

// Drift like t^p: slope over the samples of the second half of the decades, where there is any drift.
std::optional<double> GrowthInTime(const Json& record, const char* field) {
  const auto times = Numbers(record, "times"), values = Numbers(record, field);
  std::vector<double> x, y;
  for (std::size_t i = 0; i < std::min(times.size(), values.size()); ++i) {
    if (times[i] && values[i] && *times[i] > 0 && *values[i] > 0)
      x.push_back(*times[i]), y.push_back(*values[i]);
  }
  constexpr std::size_t kFewest = 5;
  if (x.size() < kFewest) return std::nullopt;
  const auto fit = FitLogLog(x, y);
  return fit ? std::optional(fit->slope) : std::nullopt;
}

// Cells that were tried, whatever became of them, as TriedOn() counts them.
std::vector<const Cell*> TriedCells(const ProblemResults& problem) {
  std::vector<const Cell*> cells;
  for (const Cell& cell : problem.cells) {
    if (IsTried(cell.outcome)) cells.push_back(&cell);
  }
  return cells;
}

std::map<std::int64_t, Json> RecordsOf(const std::vector<const Cell*>& cells,
                                       const std::filesystem::path& store) {
  std::vector<std::int64_t> rows;
  for (const Cell* cell : cells) {
    if (cell->accuracy) rows.push_back(cell->accuracy->row);
  }
  return ReadFullRecords(store, rows);
}

// Empty where a cell left none: its process was stopped, or the record cannot be read.
Json RecordOf(const Cell& cell, const std::map<std::int64_t, Json>& records) {
  const auto found = cell.accuracy ? records.find(cell.accuracy->row) : records.end();
  return found == records.end() ? Json() : found->second;
}

}  // namespace

LongLoop FindLongLoop(const Comparison& comparison) {
  LongLoop loop;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.name == kLongFourBar && !problem.cells.empty()) loop.problem = &problem;
  }
  if (!loop.problem) return loop;
  for (const Cell& cell : loop.problem->cells) {
    if (!cell.finished() || !cell.error) continue;
    const bool usable =
        *cell.error <= kUsableError && cell.position_drift && *cell.position_drift <= kOffTheLoop;
    if (usable && cell.cpu &&
        (!loop.recommended || cell.cpu->minimum < loop.recommended->cpu->minimum))
      loop.recommended = &cell;
    const std::string stabilisation = StabilisationOf(cell.method);
    const auto known = std::find_if(
        loop.best.begin(), loop.best.end(),
        [&](const LongLoop::Best& best) { return best.stabilisation == stabilisation; });
    if (known == loop.best.end()) {
      loop.best.push_back({stabilisation, &cell});
    } else if (*cell.error < *known->cell->error) {
      known->cell = &cell;
    }
  }
  std::sort(loop.best.begin(), loop.best.end(),
            [](const auto& a, const auto& b) { return *a.cell->error < *b.cell->error; });
  return loop;
}

Section LongLoopSection(const Comparison& comparison, Document& document) {
  Section section{"long-loop", "A four-bar loop over 1,000 s", {}};
  const LongLoop loop = FindLongLoop(comparison);
  const ProblemResults* problem = loop.problem;
  if (!problem) return section;
  const std::vector<const Cell*> cells = TriedCells(*problem);
  if (cells.empty()) return section;
  const auto records = RecordsOf(cells, comparison.results->path);
  Table table{"Some 3,700 turns of the crank: drift and what it grows like",
              {{"stabilisation"},
               {"method"},
               {"integrator"},
               {"setting"},
               {"outcome"},
               {"error", true},
               {"position drift", true},
               {"grows like", true, "position_growth"},
               {"velocity drift", true},
               {"energy drift", true},
               {"grows like", true, "energy_growth"},
               {"CPU time", true, "cpu_minimum_s"}},
              {},
              ""};
  std::vector<std::pair<std::string, std::vector<TableCell>>> sorted;
  for (const Cell* cell : cells) {
    const Json record = RecordOf(*cell, records);
    const auto power = [&](const char* field) {
      const auto p = GrowthInTime(record, field);
      return NumberCell(p ? fmt::format("t^{:.1f}", *p) : "-", p);
    };
    const auto error = [](std::optional<double> value) {
      return NumberCell(FormatError(value), value);
    };
    const auto seconds = cell->cpu ? std::optional(cell->cpu->minimum) : std::nullopt;
    const auto reached = Number(record, "time_reached");
    const std::string outcome =
        cell->finished() || !reached
            ? cell->outcome
            : fmt::format("{} at {} s", cell->outcome, FormatDigits(*reached, 4));
    const std::string stabilisation = StabilisationOf(cell->method);
    sorted.push_back({stabilisation,
                      {{stabilisation},
                       {cell->method},
                       {cell->integrator},
                       {cell->Setting()},
                       {outcome},
                       error(cell->error),
                       error(cell->position_drift),
                       power("position_drift"),
                       error(cell->velocity_drift),
                       error(cell->energy_drift),
                       power("energy_drift"),
                       NumberCell(FormatSeconds(seconds), seconds)}});
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [name, row] : sorted) table.rows.push_back(std::move(row));
  // The figure over time stands in the section of the problem.
  std::string answer = fmt::format(
      "Which formulation for a four-bar loop over 1,000 s? The constraints of the loop hold by "
      "themselves only at the level of accelerations; without stabilisation the loop opens, and at "
      "last the motion is another one. Exact is the period, by quadrature; as long as the loop "
      "holds, an error of the energy is one of the phase, which grows with time. Usable means here "
      "an error below {} and "
      "a position drift below {} over the whole time. ",
      FormatError(kUsableError), FormatError(kOffTheLoop));
  if (const Cell* best = loop.recommended) {
    answer += fmt::format(
        "The cheapest cell of this store that stays usable: `{}` with {}, {}: "
        "error {}, position drift {}, {} of CPU time.",
        best->method, best->integrator, best->Setting(), FormatError(best->error),
        FormatError(best->position_drift), FormatSeconds(best->cpu->minimum));
  } else {
    answer += "No cell of this store stays usable.";
  }
  section.blocks.push_back(Paragraph{answer});
  table.csv = AddFile(document, AsCsv("long_loop.csv", table));
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace mbsbench::reports
