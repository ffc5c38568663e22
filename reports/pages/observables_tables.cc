// Balances over events, variations of assumptions, instances side by side, and drift over long times.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/analysis/outcomes.h"
#include "reports/analysis/time_at_target.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/observables.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

constexpr double kCompared = 1e-6;    // error at which costs are compared
constexpr double kUsable = 1e-2;      // an acceptable error of phase
constexpr double kOffTheLoop = 1e-6;  // visible position drift
constexpr double kLong = 1000;        // characteristic times

// Relative change of a vector over an event. Empty where the vector was zero or is not known.
MaybeNumber ChangeOf(const Vector3& from, const Vector3& to) {
  double change = 0, size = 0;
  for (const auto& [a, b] : {std::pair{from.x, to.x}, {from.y, to.y}, {from.z, to.z}}) {
    change = std::hypot(change, b - a);
    size = std::hypot(size, a);
  }
  return size > 0 ? IfFinite(change / size) : std::nullopt;
}

// The balance of one kind of event over a motion.
struct Ledger {
  std::string name;
  long long count = 0;
  std::optional<double> momentum = {}, angular_momentum = {},
                        energy = {};  // largest imbalance, relative
  double energy_lost = 0;             // [J]
};

std::vector<Ledger> Balance(const std::vector<EventRecord>& events) {
  std::vector<Ledger> ledgers;
  const auto raise = [](std::optional<double>& largest, std::optional<double> change) {
    if (change) largest = std::max(largest.value_or(0), *change);
  };
  for (const EventRecord& event : events) {
    Ledger& ledger = FindOrAdd(
        ledgers, [&event](const Ledger& one) { return one.name == event.name; }, {event.name});
    ++ledger.count;
    raise(ledger.momentum, ChangeOf(event.momentum_before, event.momentum));
    raise(ledger.angular_momentum, ChangeOf(event.angular_momentum_before, event.angular_momentum));
    const double lost = IfFinite(event.energy_lost).value_or(0), before = event.energy_before;
    ledger.energy_lost += lost;
    if (before != 0)
      raise(ledger.energy, IfFinite(std::abs((before - event.energy - lost) / before)));
  }
  return ledgers;
}

bool IsSameValue(const PrintedValueRecord& a, const PrintedValueRecord& b) {
  return a.quantity == b.quantity && a.event == b.event && (!a.event.empty() || a.time == b.time);
}

const PrintedValueRecord* Find(const std::vector<PrintedValueRecord>& list,
                               const PrintedValueRecord& value, const std::string& source) {
  for (const PrintedValueRecord& one : list) {
    if (IsSameValue(one, value) && (source.empty() || one.source == source)) return &one;
  }
  return nullptr;
}

// "range [m]", "top speed [m/s]", "speed at 1 s [m/s]"
std::string ColumnOfPrint(const PrintedValueRecord& value) {
  if (value.quantity == "speed" && !value.event.empty()) return "top speed [m/s]";
  if (value.quantity == "speed")
    return fmt::format("speed at {} s [m/s]", FormatDigits(value.time.value_or(0), 3));
  return value.quantity + (value.quantity == "flight time" ? " [s]" : " [m]");
}

bool IsComputed(const PrintedValueRecord& value) { return value.kind == "computed"; }

// The exponent p of a drift that grows like t^p, fitted over the samples with drift.
TableCell GrowthInTime(const std::vector<double>& times, const std::vector<double>& values) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < std::min(times.size(), values.size()); ++i) {
    if (times[i] > 0 && values[i] > 0) x.push_back(times[i]), y.push_back(values[i]);
  }
  constexpr std::size_t kFewest = 5;
  const auto fit = x.size() < kFewest ? std::nullopt : FitLogLog(x, y);
  return fit ? NumberCell(fmt::format("t^{:.1f}", fit->slope), fit->slope) : TableCell{"-"};
}

struct LongCell {
  const ProblemResults* problem;
  const Cell* cell;
  TrialRecord record;
  const AccuracyRecord& accuracy() const { return OrNone(record.accuracy); }
  // Until the failure, if the cell failed.
  MaybeNumber Drift(MaybeNumber Cell::*whole, MaybeNumber Cell::*until_failure) const {
    return cell->*whole ? cell->*whole : cell->*until_failure;
  }
  std::string Outcome() const {
    const MaybeNumber reached = record.TimeReached();
    return cell->finished() || !reached
               ? cell->outcome
               : fmt::format("{} at {} s", cell->outcome, FormatDigits(*reached, 4));
  }
};

Table LongTable(const std::vector<LongCell>& rows) {
  return TableOf<LongCell>(
      "Drift and what it grows like; of a cell that failed, until its failure",
      {{{"method"}, [](auto& r) { return r.cell->method; }},
       {{"integrator"}, [](auto& r) { return r.cell->integrator; }},
       {{"setting"}, [](auto& r) { return r.cell->Setting(); }},
       {{"outcome"}, &LongCell::Outcome},
       {{"error", true},
        [](auto& r) { return NumberCell(ErrorInWords(*r.problem, *r.cell), r.cell->error); }},
       {ErrorColumn("position drift"),
        [](auto& r) {
          return r.Drift(&Cell::position_drift, &Cell::position_drift_until_failure);
        }},
       {{"grows like", true, "position_growth"},
        [](auto& r) { return GrowthInTime(r.accuracy().times, r.accuracy().position_drift); }},
       {ErrorColumn("velocity drift"),
        [](auto& r) {
          return r.Drift(&Cell::velocity_drift, &Cell::velocity_drift_until_failure);
        }},
       {ErrorColumn("energy drift"),
        [](auto& r) { return r.Drift(&Cell::energy_drift, &Cell::energy_drift_until_failure); }},
       {{"grows like", true, "energy_growth"},
        [](auto& r) { return GrowthInTime(r.accuracy().times, r.accuracy().energy_drift); }},
       {SecondsColumn("CPU time", "cpu_minimum_s"), [](auto& r) { return r.cell->CpuMinimum(); }}},
      rows);
}

}  // namespace

Table LedgerTable(const ShownProblem& shown) {
  struct Row {
    const Cell* cell;
    Ledger ledger;
  };
  std::vector<Row> rows;
  for (const ShownCell& one : shown.cells) {
    for (Ledger& ledger : Balance(one.Accuracy().events)) rows.push_back({one.cell, ledger});
  }
  return TableOf<Row>("Balances of " + shown.problem->name + " over its events",
                      {{{"method"}, [](auto& r) { return r.cell->method; }},
                       {{"integrator"}, [](auto& r) { return r.cell->integrator; }},
                       {{"setting"}, [](auto& r) { return r.cell->Setting(); }},
                       {{"event"}, [](auto& r) { return r.ledger.name; }},
                       {{"number", true}, [](auto& r) { return r.ledger.count; }},
                       {ErrorColumn("largest relative momentum imbalance"),
                        [](auto& r) { return r.ledger.momentum; }},
                       {ErrorColumn("largest relative angular momentum imbalance"),
                        [](auto& r) { return r.ledger.angular_momentum; }},
                       {ErrorColumn("largest relative energy imbalance, less the loss"),
                        [](auto& r) { return r.ledger.energy; }},
                       {DigitsColumn("energy lost", 6, "energy_lost_J", " J"),
                        [](auto& r) { return r.ledger.energy_lost; }}},
                      rows);
}

std::optional<Table> VariationTable(const std::vector<ShownProblem>& family, Document& document) {
  const auto base = std::find_if(family.begin(), family.end(), [](const ShownProblem& one) {
    return !one.cells.empty() && !IsVariation(*one.problem);
  });
  const auto is_variation = [](const ShownProblem& one) { return IsVariation(*one.problem); };
  if (base == family.end() || (std::none_of(family.begin(), family.end(), is_variation) &&
                               base->cells.front().Accuracy().events.empty()))
    return std::nullopt;
  const std::vector<PrintedValueRecord>& published = base->problem->record.published;
  std::vector<const PrintedValueRecord*> values;  // the first print of each
  for (const PrintedValueRecord& value : published) {
    const auto is_known = [&](const PrintedValueRecord* one) { return IsSameValue(*one, value); };
    if (value.kind == "published" && std::none_of(values.begin(), values.end(), is_known))
      values.push_back(&value);
  }
  if (values.empty()) return std::nullopt;
  constexpr std::string_view kChanged = ", changed: ";  // in titles, before the changed assumption
  Table table{"Printed values under other assumptions. In brackets: the change from " +
                  base->problem->name + ", in a printed row ours relative to the print",
              {{"model or source"}, {"assumption"}}};
  CsvFile file{"assumptions.csv", {"flight", "what", "figure", "value", "change"}};
  for (const PrintedValueRecord* value : values)
    table.columns.push_back({ColumnOfPrint(*value), true});
  const auto own = [](const ShownProblem& shown, const PrintedValueRecord& value) {
    const PublishedComparison* found = FindOwnValue(*shown.cells.front().cell, value, true);
    return found ? IfFinite(found->ours) : std::nullopt;
  };
  const auto add = [&](const std::string& name, const std::string& what, bool is_printed,
                       auto&& value_of) {
    const std::size_t changed = what.find(kChanged);
    std::vector<TableCell> row = {
        {name}, {changed == std::string::npos ? what : what.substr(changed + kChanged.size())}};
    for (const PrintedValueRecord* printed : values) {
      const auto value = value_of(*printed), from = own(*base, *printed);
      const auto change =
          value && from && *from != 0 ? std::optional(*value / *from - 1) : std::nullopt;
      std::string text = value ? FormatDigits(*value, 5) : "-";
      if (change && *change != 0) {
        text += is_printed ? fmt::format("\n(ours {:+.1f} %)", 100 * (*from / *value - 1))
                           : fmt::format("\n({:+.1f} %)", 100 * *change);
      }
      row.push_back(NumberCell(text, value));
      file.rows.push_back(
          {name, what, ColumnOfPrint(*printed), OptionalNumber(value), OptionalNumber(change)});
    }
    table.rows.push_back(std::move(row));
  };
  const auto add_problem = [&](const ShownProblem& shown) {
    add(shown.problem->name, shown.problem->record.title, false,
        [&](const PrintedValueRecord& value) { return own(shown, value); });
  };
  add_problem(*base);
  for (const ShownProblem& shown : family) {
    if (!shown.cells.empty() && &shown != &*base) add_problem(shown);
  }
  for (const std::string& source : Sources(*base->problem)) {
    const auto is_of = [&](const PrintedValueRecord& value) { return value.source == source; };
    const auto first = std::find_if(published.begin(), published.end(), is_of);
    if (std::any_of(first, published.end(), [&](const PrintedValueRecord& value) {
          return is_of(value) && IsComputed(value);
        }))
      continue;  // computed for this catalogue by other means
    add(source, "as printed", true, [&](const PrintedValueRecord& value) {
      const PrintedValueRecord* printed = Find(published, value, source);
      return printed ? printed->published : std::nullopt;
    });
  }
  table.csv = AddFile(document, std::move(file));
  return table;
}

Table InstanceTable(const Comparison& comparison, const std::string& family,
                    const std::vector<ShownProblem>& members) {
  std::vector<const ProblemResults*> instances;
  std::vector<std::string> motions;  // how long they last
  for (const ShownProblem& shown : members) {
    const ProblemRecord& record = shown.problem->record;
    const MaybeNumber end = record.end_time;
    if (!IsJudged(*shown.problem) || !end || *end <= 0 ||
        (!instances.empty() && record.bodies != instances.front()->record.bodies))
      continue;
    instances.push_back(shown.problem);
    motions.push_back(fmt::format("{:g} s", *end));
  }
  if (instances.size() < 2) return {};
  const bool are_alike = std::set<std::string>(motions.begin(), motions.end()).size() == 1;
  Table table{
      fmt::format(
          "Instances of {}: CPU time per simulated second at error {}, of motions that last "
          "{}",
          family, FormatError(kCompared),
          are_alike ? motions.front()
                    : fmt::format("{} (a fast beginning weighs more in a short motion)",
                                  fmt::join(motions, ", "))),
      {{"method"}, {"integrator"}, FileColumn("form")}};
  const auto options_of = [](const ProblemResults& one) {  // a bare name has none
    return one.name.substr(one.name.find(':') + 1);
  };
  for (const ProblemResults* one : instances) {
    table.columns.push_back({options_of(*one), true, one->name});
  }
  const auto add_ratios = [&](const ProblemResults& one, const ProblemResults& base,
                              const char* over) {
    table.columns.push_back({options_of(one) + " / " + options_of(base), true, one.name + over});
    for (const char* what : {", low", ", high", ", paired rounds", ", verdict"})
      table.columns.push_back(FileColumn(one.name + over + what));
  };
  for (std::size_t i = 1; i < instances.size(); ++i)
    add_ratios(*instances[i], *instances.front(), " over the first");
  if (instances.size() > 2)
    add_ratios(*instances.back(), *instances[instances.size() - 2], " over the one before");
  for (const std::string& method : comparison.methods) {
    for (const std::string& integrator : comparison.integrators) {
      const bool is_implicit =
          comparison.MethodRecordOf(method).form == "dae" || integrator.starts_with("cvode");
      std::vector<TableCell> row = {
          {method}, {integrator}, {is_implicit ? "implicit" : "explicit"}};
      std::vector<TimeAtError> times;
      for (const ProblemResults* one : instances) {
        TimeAtError time = BestOfMethod(*one, method, integrator, kCompared).time;
        times.push_back(time);
        time.seconds /= *one->record.end_time;
        row.push_back(NumberCell(FormatTime(time),
                                 time.known() ? std::optional(time.seconds) : std::nullopt));
      }
      if (std::none_of(times.begin(), times.end(), [](const auto& time) { return time.known(); }))
        continue;
      const auto add_ratio = [&](std::size_t i, std::size_t base) {
        auto ratio = RatioOf(times[i], times[base]);
        if (ratio)  // of times per simulated second
          ratio = ratio->Over(*instances[i]->record.end_time / *instances[base]->record.end_time);
        const RatioSpread* spread = ratio && ratio->spread ? &*ratio->spread : nullptr;
        const bool has_one_round = !spread || spread->rounds < 2;
        row.push_back(
            ratio ? TableCell{FormatRatio(ratio->value) + (has_one_round ? "\n1 round" : ""),
                              ratio->value, has_one_round ? "weak" : ""}
                  : TableCell{"-"});
        row.push_back(spread ? TableCell(spread->interval.low) : TableCell());
        row.push_back(spread ? TableCell(spread->interval.high) : TableCell());
        row.push_back(spread ? TableCell(spread->rounds) : TableCell());
        row.push_back({ratio ? NameOf(ratio->Verdict()) : ""});
      };
      for (std::size_t i = 1; i < times.size(); ++i) add_ratio(i, 0);
      if (times.size() > 2) add_ratio(times.size() - 1, times.size() - 2);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::vector<Block> LongMotion(const Comparison& comparison, const ProblemResults& problem,
                              Document& document) {
  const auto end = problem.record.end_time, time = problem.record.time;
  if (problem.record.loops.value_or(0) <= 0 || !end || !time || *time <= 0 || *end < kLong * *time)
    return {};
  const Cell* best = nullptr;  // the cheapest that stays usable to the end
  std::vector<LongCell> rows;
  for (const Cell& cell : problem.cells) {
    if (!IsTried(cell.outcome)) continue;
    rows.push_back({&problem, &cell,
                    cell.accuracy ? ReadFullRecords(comparison.results->path,
                                                    {cell.accuracy->number})[cell.accuracy->number]
                                  : TrialRecord()});
    const bool is_usable = cell.finished() && cell.cpu && cell.error && *cell.error <= kUsable &&
                           cell.position_drift && *cell.position_drift <= kOffTheLoop;
    if (is_usable && (!best || cell.cpu->minimum < best->cpu->minimum)) best = &cell;
  }
  Table table = LongTable(rows);
  if (table.rows.empty()) return {};
  FileTable("long_motion." + problem.stem + ".csv", table, document);
  return {
      Paragraph{fmt::format(
          "The equations keep the constraints of a loop at acceleration level only: without "
          "stabilisation the loop opens. Usable: an error below {} and a position drift below {} "
          "over the whole {:g} s. {}",
          FormatError(kUsable), FormatError(kOffTheLoop), *end,
          best ? fmt::format("The cheapest cell that stays usable: {} with {}, {}: error {}, "
                             "position drift {}, {} of CPU time.",
                             Code(best->method), best->integrator, best->Setting(),
                             ErrorInWords(problem, *best), FormatError(best->position_drift),
                             FormatSeconds(best->cpu->minimum))
               : "No cell of this store stays usable.")},
      std::move(table)};
}

}  // namespace mbsbench::reports
