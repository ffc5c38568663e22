// What a rocket's flight came to beside what others print, and the ledger of its events.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/format.h"
#include "reports/growing.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string RowName(const Json& value) {
  const std::string quantity = Text(value, "quantity"), event = Text(value, "event");
  if (quantity == "speed" && event == "burn-out") return "top speed";
  return quantity;
}

// What this catalogue computed by other means is told apart from what was printed.
std::string ColumnName(const Json& published, const std::string& source) {
  for (const Json& value : published) {
    if (Text(value, "source") == source && Text(value, "kind") == "computed")
      return "catalogue: " + source;
  }
  return source;
}

std::string UnitOf(const std::string& quantity) {
  if (quantity == "flight time") return "s";
  if (quantity == "speed") return "m/s";
  return quantity == "range" || quantity == "height" ? "m" : "";
}

// How far a vector of an event's balance is from what it was before, and how large it was.
struct Change {
  double change = 0, size = 0;
};
std::optional<Change> ChangeOf(const Json& event, const char* before, const char* after) {
  const Json &from = Field(event, before), &to = Field(event, after);
  Change change;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto a = At(from, i), b = At(to, i);
    if (!a || !b) return std::nullopt;
    change.change = std::hypot(change.change, *b - *a);
    change.size = std::hypot(change.size, *a);
  }
  return change;
}

// What one kind of event did over a flight.
struct Ledger {
  std::string name;
  long long count = 0;
  std::optional<double> momentum, angular_momentum, energy;  // largest imbalance, relative
  double energy_lost = 0;                                    // [J]
};

std::vector<Ledger> Balance(const Json& events) {
  std::vector<Ledger> ledgers;
  const auto raise = [](std::optional<double>& largest, const std::optional<Change>& change) {
    if (!change || change->size == 0) return;
    largest = std::max(largest.value_or(0), change->change / change->size);
  };
  for (const Json& event : events) {
    const std::string name = Text(event, "name");
    auto ledger = std::find_if(ledgers.begin(), ledgers.end(),
                               [&name](const Ledger& one) { return one.name == name; });
    if (ledger == ledgers.end()) {
      ledger = ledgers.insert(ledgers.end(), Ledger{});
      ledger->name = name;
    }
    ++ledger->count;
    raise(ledger->momentum, ChangeOf(event, "momentum_before", "momentum"));
    raise(ledger->angular_momentum, ChangeOf(event, "angular_momentum_before", "angular_momentum"));
    ledger->energy_lost += Number(event, "energy_lost").value_or(0);
    const auto before = Number(event, "energy_before"), after = Number(event, "energy");
    if (before && after && *before != 0) {
      const double imbalance = *before - *after - Number(event, "energy_lost").value_or(0);
      ledger->energy = std::max(ledger->energy.value_or(0), std::abs(imbalance / *before));
    }
  }
  return ledgers;
}

}  // namespace

std::vector<std::string> Sources(const ProblemResults& problem) {
  std::vector<std::string> sources;
  for (const Json& value : Field(problem.document, "published")) {
    const std::string source = Text(value, "source");
    if (std::find(sources.begin(), sources.end(), source) == sources.end())
      sources.push_back(source);
  }
  return sources;
}

std::optional<Table> FlightTable(const ProblemResults& problem, const std::vector<Flight>& flights,
                                 Document& document) {
  const Json& published = Field(problem.document, "published");
  if (!published.is_array() || published.empty()) return std::nullopt;
  const auto same_value = [](const Json& a, const Json& b) {
    return Text(a, "quantity") == Text(b, "quantity") && Text(a, "event") == Text(b, "event") &&
           Number(a, "time") == Number(b, "time");
  };
  Table table{
      "The flight of " + problem.name + ": ours by the best cell of each method, and others",
      {{"value"}, {"at"}, {"unit"}},
      {},
      ""};
  const std::vector<std::string> sources = Sources(problem);
  for (const Flight& flight : flights) table.columns.push_back({flight.Name(), true});
  table.columns.push_back({"our reference", true});
  for (const std::string& source : sources)
    table.columns.push_back({ColumnName(published, source), true});
  std::vector<const Json*> values;  // the first print of each
  for (const Json& value : published) {
    if (std::none_of(values.begin(), values.end(),
                     [&](const Json* known) { return same_value(*known, value); })) {
      values.push_back(&value);
    }
  }
  const auto number = [](std::optional<double> value, int digits) {
    return NumberCell(value ? FormatDigits(*value, digits) : "-", value);
  };
  for (const Json* value : values) {
    const std::string event = Text(*value, "event");
    const auto time = Number(*value, "time");
    std::vector<TableCell> row = {{RowName(*value)},
                                  {!event.empty() ? event
                                   : time         ? FormatDigits(*time, 6) + " s"
                                                  : "-"},
                                  {UnitOf(Text(*value, "quantity"))}};
    for (const Flight& flight : flights) {
      const Json* own = FindOwnValue(*flight.cell, *value);
      row.push_back(number(own ? Number(*own, "ours") : std::nullopt, 7));
    }
    row.push_back(number(Number(*value, "ours"), 7));
    for (const std::string& source : sources) {
      const auto print =
          std::find_if(published.begin(), published.end(), [&](const Json& candidate) {
            return Text(candidate, "source") == source && same_value(candidate, *value);
          });
      row.push_back(
          number(print == published.end() ? std::nullopt : Number(*print, "published"), 12));
    }
    table.rows.push_back(std::move(row));
  }
  table.csv = AddFile(document, AsCsv("flight." + problem.stem + ".csv", table));
  return table;
}

std::optional<Paragraph> LargestImbalance(const std::vector<FlownProblem>& all) {
  double worst = -1;
  long long events = 0, most = 0;
  std::string where;
  for (const FlownProblem& flown : all) {
    for (const Flight& flight : flown.flights) {
      long long own = 0;
      for (const Ledger& ledger : Balance(Field(flight.record, "events"))) {
        own += ledger.count;
        for (const auto& imbalance : {ledger.momentum, ledger.angular_momentum, ledger.energy}) {
          if (!imbalance || *imbalance <= worst) continue;
          worst = *imbalance;
          where = fmt::format("{} of {} by {}", ledger.name, flown.problem->name, flight.Name());
        }
      }
      events += own;
      most = std::max(most, own);
    }
  }
  if (worst < 0) return std::nullopt;
  return Paragraph{fmt::format(
      "The ledger of momentum, angular momentum and energy closes to {} at worst (a {}), over {} "
      "events of these flights, up to {} in one.",
      FormatError(worst), where, FormatCount(events), FormatCount(most))};
}

std::optional<Table> LedgerTable(const ProblemResults& problem, const std::vector<Flight>& flights,
                                 Document& document) {
  Table table{"Ledger of " + problem.name + ": what its events did, best cell of each method",
              {{"method"},
               {"integrator"},
               {"setting"},
               {"event"},
               {"number", true},
               {"largest relative momentum imbalance", true},
               {"largest relative angular momentum imbalance", true},
               {"largest relative energy imbalance, less the loss", true},
               {"energy lost", true, "energy_lost_J"}},
              {},
              ""};
  for (const Flight& flight : flights) {
    for (const Ledger& ledger : Balance(Field(flight.record, "events"))) {
      table.rows.push_back(
          {{flight.cell->method},
           {flight.cell->integrator},
           {flight.cell->Setting()},
           {ledger.name},
           NumberCell(FormatCount(ledger.count), static_cast<double>(ledger.count)),
           NumberCell(FormatError(ledger.momentum), ledger.momentum),
           NumberCell(FormatError(ledger.angular_momentum), ledger.angular_momentum),
           NumberCell(FormatError(ledger.energy), ledger.energy),
           NumberCell(FormatDigits(ledger.energy_lost, 6) + " J", ledger.energy_lost)});
    }
  }
  if (table.rows.empty()) return std::nullopt;
  table.csv = AddFile(document, AsCsv("ledger." + problem.stem + ".csv", table));
  return table;
}

}  // namespace mbsbench::reports
