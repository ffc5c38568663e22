#include "reports/format/render.h"

#include <fmt/format.h>

#include <string_view>

#include "reports/format/assets.h"
#include "reports/format/compressed.h"

namespace mbsbench::reports {

namespace {

Json ToJson(const Table& table) {
  CheckRows(table);
  Json columns = Json::array(), rows = Json::array();
  for (const Column& column : table.columns)
    columns.push_back({{"label", column.label}, {"number", column.is_number}});
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const TableCell& cell : row) {  // most cells are a text alone
      if (cell.value.is_null() && cell.tone.empty() && cell.link.empty() && cell.picture.empty()) {
        cells.push_back(cell.text);
        continue;
      }
      Json parts = {cell.text, cell.value, cell.tone};
      if (!cell.link.empty() || !cell.picture.empty()) parts.push_back(cell.link);
      if (!cell.picture.empty()) parts.push_back(cell.picture);
      cells.push_back(std::move(parts));
    }
    rows.push_back(std::move(cells));
  }
  return {{"kind", "table"},
          {"caption", table.caption},
          {"columns", columns},
          {"rows", rows},
          {"csv", table.csv}};
}

struct BlockToJson {
  Json operator()(const Paragraph& paragraph) const {
    Json json = {{"kind", "paragraph"}, {"text", paragraph.text}};
    for (const SectionLink& link : paragraph.links)
      json["links"].push_back({link.text, link.section, link.page});
    return json;
  }
  Json operator()(const List& list) const { return {{"kind", "list"}, {"items", list.items}}; }
  Json operator()(const Table& table) const { return ToJson(table); }
  Json operator()(const Figure& figure) const {
    return {{"kind", "figure"},          {"drawn_as", figure.kind}, {"title", figure.title},
            {"summary", figure.summary}, {"data", figure.data},     {"table", ToJson(figure.table)},
            {"notes", figure.notes},     {"csv", figure.csv},       {"command", figure.command}};
  }
};

Json ToJson(const Section& section) {
  Json blocks = Json::array(), inner = Json::array();
  for (const Block& block : section.blocks) blocks.push_back(std::visit(BlockToJson{}, block));
  for (const Section& one : section.sections) inner.push_back(ToJson(one));
  return {{"id", section.id},     {"title", section.title},
          {"page", section.page}, {"folded", section.is_folded},
          {"blocks", blocks},     {"sections", inner}};
}

// Compressed, in base64, which cannot end the script element that holds it.
std::string Packed(const Json& json) {
  return Compressed(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Replaces each placeholder once, from left to right. Inserted text is not searched again.
std::string Fill(std::string_view page,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  std::string filled;
  for (const auto& [placeholder, value] : values) {
    const std::size_t at = page.find(placeholder);
    filled += page.substr(0, at);
    filled += value;
    page.remove_prefix(at + placeholder.size());
  }
  return filled += page;
}

}  // namespace

std::string RenderHtml(const Document& document) {
  Json sections = Json::array(), pages = Json::array();
  for (const Section& section : document.sections) sections.push_back(ToJson(section));
  for (const Page& page : document.pages)
    pages.push_back({{"route", page.route}, {"title", page.title}, {"parent", page.parent}});
  const Json data = {{"title", document.title},     {"subtitle", document.subtitle},
                     {"methods", document.methods}, {"integrators", document.integrators},
                     {"kinds", document.kinds},     {"pages", pages},
                     {"sections", sections}};
  // Motions are most of the bytes. They are elements of their own, parsed when one is played.
  std::string motions;
  const auto add = [&motions](const char* what, const std::vector<Motion>& all) {
    for (const Motion& one : all) {
      motions += fmt::format("<script type=\"application/zlib\" id=\"{}-{}\">{}</script>\n", what,
                             one.id, Packed(one.data));
    }
  };
  add("motions", document.motions);
  add("cells", document.cells);
  return Fill(PageAsset(), {{"{{style}}", StyleAsset()},
                            {"{{data}}", Packed(data)},
                            {"{{motions}}", motions},
                            {"{{script}}", ScriptAsset()}});
}

}  // namespace mbsbench::reports
