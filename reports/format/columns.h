// Tables and charts of rows of data. A column has a label and a function of a row. The page, the file and the drawing use
// the same rows.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reports/format/document.h"

namespace mbsbench::reports {

template <typename Row>
struct ColumnOf {
  Column column;
  std::function<TableCell(const Row&)> cell;  // may be a member: &Cell::method
};

// `rows`: any range of them.
template <typename Row, typename Rows>
Table TableOf(std::string caption, const std::vector<ColumnOf<Row>>& columns, Rows&& rows) {
  Table table{std::move(caption)};
  for (const ColumnOf<Row>& one : columns) table.columns.push_back(one.column);
  for (const Row& row : rows) {
    std::vector<TableCell>& cells = table.rows.emplace_back();
    for (const ColumnOf<Row>& one : columns) {
      TableCell& cell = cells.emplace_back(one.cell(row));
      if (one.column.format && cell.value.is_number())
        cell.text = one.column.format(cell.value.template get<double>());
    }
  }
  return table;
}

// `style` holds the name of the curve and how it is drawn.
template <typename Point>
struct CurveOf {
  Json style;
  std::vector<Point> points = {};
};

struct Axes {
  std::string x, y;
};

// Curves over bodies or the like, with a table row for each point. `figure` has the title and the texts. `at` turns a point into
// [x, y, text] for the page, or into null where it is not drawn; a curve without such a point is left out.
template <typename Point, typename At>
Figure ChartOf(Figure figure, const Axes& axes, const std::vector<CurveOf<Point>>& curves,
               const At& at, const std::vector<ColumnOf<Point>>& columns) {
  Json series = Json::array();
  std::vector<Point> all;
  for (const CurveOf<Point>& curve : curves) {
    all.insert(all.end(), curve.points.begin(), curve.points.end());
    Json points = Json::array();
    for (const Point& point : curve.points) {
      if (Json drawn = at(point); !drawn.is_null()) points.push_back(std::move(drawn));
    }
    if (points.empty()) continue;
    series.push_back(curve.style);
    series.back()["points"] = std::move(points);
  }
  figure.kind = "scaling";
  figure.data = {{"series", std::move(series)}, {"x", axes.x}, {"y", axes.y}};
  figure.table = TableOf(figure.table.caption, columns, all);
  return figure;
}

// The first that `is_it`, else `fresh`, which is added.
template <typename One, typename Is>
One& FindOrAdd(std::vector<One>& list, const Is& is_it, One fresh) {
  const auto known = std::find_if(list.begin(), list.end(), is_it);
  return known == list.end() ? list.emplace_back(std::move(fresh)) : *known;
}

// Members of a list by a common key, in the order of the first member of each.
template <typename Key, typename Member>
using Groups = std::vector<std::pair<Key, std::vector<Member>>>;

template <typename Key, typename Member>
std::vector<Member>& GroupOf(const Key& key, Groups<Key, Member>& groups) {
  return FindOrAdd(groups, [&key](const auto& one) { return one.first == key; }, {key, {}}).second;
}

// Adds a value that the list does not hold yet. Returns its place.
template <typename One>
std::size_t AddOnce(std::vector<One>& list, const One& value) {
  const auto place = std::ranges::find(list, value) - list.begin();
  if (place == std::ssize(list)) list.push_back(value);
  return static_cast<std::size_t>(place);
}

}  // namespace mbsbench::reports
