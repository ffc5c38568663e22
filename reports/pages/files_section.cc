// The list of the report's data files: content, and the page that shows it.
#include <map>
#include <type_traits>

#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

struct Shown {
  std::string what, page;
};

// Files that hold more than any table of the pages.
const std::map<std::string, Shown>& OwnFiles() {
  static const std::map<std::string, Shown> files = {
      {"rounds.csv", {"Every timed round of every cell", "outcomes"}},
      {kTargetsFile, {"Times of every curve at the targets", "across"}}};
  return files;
}

// By file name: the first table or figure with its data.
void CollectShown(const std::vector<Section>& sections, const std::string& outer_page,
                  std::map<std::string, Shown>& shown) {
  for (const Section& section : sections) {
    const std::string& page = section.page.empty() ? outer_page : section.page;
    for (const Block& block : section.blocks) {
      std::visit(
          [&](const auto& one) {
            using Kind = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Kind, Table>)
              shown.try_emplace(one.csv, one.caption, page);
            if constexpr (std::is_same_v<Kind, Figure>) shown.try_emplace(one.csv, one.title, page);
          },
          block);
    }
    CollectShown(section.sections, page, shown);
  }
}

}  // namespace

Section FilesSection(const Comparison&, Document& document) {
  Section section{"files", "Data files", {}};
  section.blocks.push_back(
      Paragraph{"The folder `csv` holds the data of every figure and table with all digits. Some "
                "files hold more: `cells.csv` every cell, `rounds.csv` every timed round, "
                "`time_at_target.csv` the times of every curve at the targets. "
                "`mbsbench report` makes the report from the store alone."});
  std::map<std::string, Shown> shown = OwnFiles();
  CollectShown(document.sections, "", shown);
  std::map<std::string, std::string> titles;
  for (const Page& page : document.pages) titles[page.route] = page.title;
  Table table{"Files", {{"file"}, {"rows", true}, {"what it holds"}, {"page"}}};
  table.in_markdown = false;  // Markdown names each file at its table or figure
  for (const CsvFile& file : document.files) {
    const auto found = shown.find(file.name);
    const Shown here = found == shown.end() ? Shown{} : found->second;
    const auto rows = static_cast<long long>(file.rows.size());
    table.rows.push_back({{file.name, nullptr, "", "csv/" + file.name},
                          CountCell(static_cast<double>(rows)),
                          {here.what},
                          {titles[here.page], nullptr, "", here.page}});
  }
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace mbsbench::reports
