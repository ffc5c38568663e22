// What sources have printed, beside our reference and beside each method's finest cell.
#include <fmt/format.h>

#include <cmath>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string Value(std::optional<double> value) { return value ? FormatDigits(*value, 12) : "-"; }

// The cell's own value for a printed one: same quantity, same time.
const Json* FindValue(const Cell& cell, const std::string& quantity, std::optional<double> time) {
  for (const Json& value : cell.published) {
    if (Text(value, "quantity") == quantity && Number(value, "time") == time) return &value;
  }
  return nullptr;
}

CsvFile PublishedFile(const ProblemResults& problem) {
  CsvFile file{"published." + FileStem(problem.name) + ".csv",
               {"problem", "quantity", "time_s", "kind", "source", "published", "last_digit", "by",
                "setting", "ours", "difference", "why"},
               {}};
  for (const Json& value : Field(problem.document, "published")) {
    const std::string quantity = Text(value, "quantity");
    const auto time = Number(value, "time");
    const std::vector<Json> head = {problem.name,
                                    quantity,
                                    OptionalNumber(time),
                                    Text(value, "kind"),
                                    Text(value, "source"),
                                    OptionalNumber(Number(value, "published")),
                                    OptionalNumber(Number(value, "last_digit"))};
    const auto add = [&](const std::string& by, const std::string& setting, const Json& row,
                         const std::string& why) {
      std::vector<Json> fields = head;
      fields.insert(fields.end(), {by, setting, OptionalNumber(Number(row, "ours")),
                                   OptionalNumber(Number(row, "difference")), why});
      file.rows.push_back(std::move(fields));
    };
    add("reference", "", value, Text(value, "why"));
    for (const Cell& cell : problem.cells) {
      if (const Json* own = FindValue(cell, quantity, time))
        add(cell.Curve(), cell.Setting(), *own, "");
    }
  }
  return file;
}

}  // namespace

std::optional<Table> PublishedTable(const ProblemResults& problem, Document& document) {
  const Json& published = Field(problem.document, "published");
  if (!published.is_array() || published.empty()) return std::nullopt;
  Table table{"Ours, published, difference, why (per method: difference of its finest cell)",
              {{"quantity"},
               {"time", true},
               {"ours (reference)", true},
               {"published", true},
               {"difference", true},
               {"in last digits", true},
               {"kind"},
               {"why"}},
              {},
              ""};
  std::vector<const Cell*> finest;  // of each curve, with values of its own
  for (const Curve& curve : Ladders(problem)) {
    for (auto it = curve.cells.rbegin(); it != curve.cells.rend(); ++it) {
      if (!(*it)->finished() || (*it)->published.empty()) continue;
      finest.push_back(*it);
      table.columns.push_back({curve.name, true});
      break;
    }
  }
  for (const Json& value : published) {
    const auto time = Number(value, "time"), printed = Number(value, "published"),
               ours = Number(value, "ours"), difference = Number(value, "difference"),
               last_digit = Number(value, "last_digit");
    const auto digits = difference && last_digit && *last_digit > 0
                            ? std::optional(*difference / *last_digit)
                            : std::nullopt;
    std::string why = Text(value, "why");
    if (why.empty() && !ours) why = "no reference held";
    table.rows.push_back({{Text(value, "quantity")},
                          NumberCell(time ? FormatDigits(*time, 6) + " s" : "-", time),
                          NumberCell(Value(ours), ours),
                          NumberCell(Value(printed), printed),
                          NumberCell(FormatError(difference), difference),
                          NumberCell(digits ? fmt::format("{:.1f}", *digits) : "-", digits),
                          {Text(value, "kind")},
                          {why}});
    for (const Cell* cell : finest) {
      const Json* own = FindValue(*cell, Text(value, "quantity"), time);
      const auto own_difference = own ? Number(*own, "difference") : std::nullopt;
      table.rows.back().push_back(NumberCell(FormatError(own_difference), own_difference));
    }
  }
  table.csv = AddFile(document, PublishedFile(problem));
  return table;
}

}  // namespace mbsbench::reports
