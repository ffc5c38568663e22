// What lies beside the report.
#include <fmt/format.h>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

Section FilesSection(const Comparison&, Document& document) {
  Section section{"files", "Data files", {}};
  section.blocks.push_back(
      Paragraph{"Every figure and table has its data in a file of the folder `csv` beside this "
                "report, with all digits. `cells.csv` holds every cell, `rounds.csv` every timed "
                "round. The report is made from the store alone by `mbsbench report`."});
  List list;
  for (const CsvFile& file : document.files) {
    list.items.push_back(fmt::format("`csv/{}`: {}", file.name,
                                     Plural(static_cast<long long>(file.rows.size()), "row")));
  }
  section.blocks.push_back(std::move(list));
  return section;
}

}  // namespace mbsbench::reports
