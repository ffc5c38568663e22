#include "reports/pages/history_page.h"

#include <fmt/format.h>

#include <list>

#include "reports/format/columns.h"
#include "reports/format/files.h"
#include "reports/format/format.h"
#include "reports/format/render.h"
#include "reports/pages/history_figures.h"

namespace mbsbench {

reports::RunHistory ReadHistory(const std::vector<std::filesystem::path>& stores) {
  std::list<reports::Results> results;
  std::vector<const reports::Results*> all;
  for (const std::filesystem::path& store : stores)
    all.push_back(&results.emplace_back(reports::ReadResults(store)));
  return reports::HistoryOf(all, reports::Content::kEverything);
}

void WriteHistoryPage(const reports::RunHistory& history, const std::filesystem::path& file) {
  using namespace reports;
  reports::Document document;
  document.title = "mbsbench: history";
  document.subtitle = fmt::format(
      "Instruction counts, times relative to the control kernel and errors over {}, oldest first.",
      Plural(static_cast<long long>(history.runs.size()), "run"));
  document.pages = {{"history", "History"}};
  Section section{"history", "History", {}};
  section.page = "history";
  section.blocks.push_back(Paragraph{fmt::format(
      "A change is {}. Changes are a hint: `mbsbench bench --against` and `mbsbench compare` give "
      "verdicts.",
      kChangeRule)});
  for (const std::string& warning : history.warnings) section.blocks.push_back(Paragraph{warning});
  if (const std::vector<WrongCell> wrong = BecameWrong(history); !wrong.empty()) {
    section.blocks.push_back(TableOf<WrongCell>(
        "Cells that became wrong",
        {{{"cell"}, [](auto& w) { return w.cell->name; }}, {{"outcome"}, WrongText}}, wrong));
  }
  for (Figure& figure : HistoryFigures(history, "", "mbsbench history"))
    section.blocks.push_back(std::move(figure));
  section.blocks.push_back(TableOf<HistoryRun>(
      "The runs",
      {{{"run", true}, [&](auto& run) { return &run - history.runs.data() + 1; }},
       {{"started"}, &HistoryRun::started},
       {{"commit"}, [](auto& run) { return ShortCommit(run.build.commit); }},
       {{"store"}, &HistoryRun::store},
       {{"processor"}, [](auto& run) { return run.machine.cpu; }},
       {{"flags"}, [](auto& run) { return run.build.flags; }}},
      history.runs));
  document.sections.push_back(std::move(section));
  if (file.has_parent_path()) MakeDirectory(file.parent_path());
  WritePage(file, RenderHtml(document), OnLink::kFollow);
}

}  // namespace mbsbench
