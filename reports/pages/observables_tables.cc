// Balances over events, and variations of assumptions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/observables.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

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

// "range [m]", "top speed [m/s]", "speed at 1 s [m/s]"
std::string ColumnOfPrint(const PrintedValueRecord& value) {
  if (value.quantity == "speed" && !value.event.empty()) return "top speed [m/s]";
  if (value.quantity == "speed")
    return fmt::format("speed at {} s [m/s]", FormatDigits(value.time.value_or(0), 3));
  return value.quantity + (value.quantity == "flight time" ? " [s]" : " [m]");
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
          return is_of(value) && value.kind == "computed";
        }))
      continue;  // computed for this catalogue by other means
    add(source, "as printed", true, [&](const PrintedValueRecord& value) {
      const auto printed = std::ranges::find_if(published, [&](const PrintedValueRecord& one) {
        return one.source == source && IsSameValue(one, value);
      });
      return printed == published.end() ? std::nullopt : printed->published;
    });
  }
  table.csv = AddFile(document, std::move(file));
  return table;
}

}  // namespace mbsbench::reports
