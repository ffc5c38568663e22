#include "reports/figures.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <csignal>
#include <functional>
#include <regex>
#include <set>
#include <system_error>

#include "reports/format/assets.h"
#include "reports/format/data_files.h"
#include "reports/format/files.h"
#include "reports/format/html.h"
#include "reports/format/json_fields.h"
#include "reports/format/latex.h"
#include "reports/format/markdown.h"
#include "reports/pages/pages.h"
#include "reports/report.h"

extern char** environ;

namespace mbsbench {

namespace {

using namespace reports;

std::string Stem(const std::string& csv) { return csv.substr(0, csv.rfind(".csv")); }

void ForEachBlock(const std::vector<Section>& sections,
                  const std::function<void(const Block&)>& visit) {
  for (const Section& section : sections) {
    for (const Block& block : section.blocks) visit(block);
    ForEachBlock(section.sections, visit);
  }
}

// A figure is named by its data, or by the words of the first part of its title where several share the data.
std::string NameFor(const std::string& csv, const std::string& title,
                    std::set<std::string>& taken) {
  if (!csv.empty() && taken.insert(Stem(csv)).second) return Stem(csv);
  static const std::regex between_words("[^A-Za-z0-9]+"), end(" $");
  const std::string words =
      std::regex_replace(title.substr(0, title.find(';')), between_words, " ");
  return TakeStem(std::regex_replace(words, end, ""), taken);
}

// Whether the note of an entry names the key of a method, as in "{KEY; PROBLEM, PROBLEM}".
bool IsCited(std::string_view bibliography, const std::string& key) {
  const auto is_part = [&](std::size_t i) {
    return i < bibliography.size() &&
           (std::isalnum(static_cast<unsigned char>(bibliography[i])) || bibliography[i] == '-');
  };
  for (std::size_t at = bibliography.find(key); at != std::string_view::npos;
       at = bibliography.find(key, at + 1)) {
    if (at > 0 && !is_part(at - 1) && !is_part(at + key.size())) return true;
  }
  return false;
}

// BibTeX counts braces, also escaped ones.
std::string EscapeBibtex(std::string text) {
  std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  return EscapeLatex(text);
}

// The bibliography of the repository, with an entry for each method of the store that it does not cite: the source that the
// method states.
std::string Sources(const Results& results) {
  std::string sources(BibliographyAsset());
  for (const MethodRow& method : results.methods) {
    const MethodRecord& m = method.record;
    if (m.source.empty() || m.key.empty() || IsCited(sources, m.key)) continue;
    sources += fmt::format(
        "\n% as the method states its source\n@misc{{{0},\n  title = {{{1}}},\n"
        "  howpublished = {{{2}}},\n  note  = {{{0}}}\n}}\n",
        m.key, EscapeBibtex(m.title), EscapeBibtex(m.source));
  }
  return sources;
}

// The page reads motions from separate elements; a figure for a paper contains the first one.
void AttachMotion(const Document& document, reports::Json& figure) {
  const std::string id = Text(Field(figure, "data"), "motions");
  for (const Motion& motion : document.motions) {
    if ("motions-" + motion.id != id) continue;
    reports::Json first = motion.data;
    first["cells"] = {motion.data["cells"][0]};
    figure["motion"] = std::move(first);
  }
}

// Runs a program with arguments and waits; 127 if it cannot be started. A process in between leads a
// group that contains the program and its children, and kills that group when this process ends for
// any reason.
int RunProgram(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t keeper = fork();
  if (keeper == 0) {
    setpgid(0, 0);
    std::signal(SIGTERM, [](int) { kill(0, SIGKILL); });
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);  // the parent ended before prctl took effect
    pid_t program = -1;
    if (posix_spawnp(&program, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0)
      _exit(127);
    int status = 0;
    while (waitpid(program, &status, 0) != program) {
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
  if (keeper < 0)
    throw std::system_error(errno, std::generic_category(), "a process could not be started");
  int status = 0;
  while (waitpid(keeper, &status, 0) != keeper) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// Runs the script of the page, which draws the figures and lists in written.json what it wrote.
void Draw(const reports::Json& figures, const std::filesystem::path& directory, PaperFiles& files) {
  const std::filesystem::path work = directory / "figures" / ".drawing";
  MakeDirectory(work);
  WriteFile(work / "report.js", std::string(ScriptAsset()));
  WriteFile(work / "draw.cjs", std::string(DrawingAsset()));
  WriteFile(work / "figures.json",
            figures.dump(-1, ' ', false, reports::Json::error_handler_t::replace));
  const int code = RunProgram({"node", (work / "draw.cjs").string()});
  const reports::Json written =
      reports::Json::parse(ReadFile(work / "written.json"), nullptr, false);
  std::error_code ignored;
  std::filesystem::remove_all(work, ignored);
  if (code != 0 || !written.is_object()) {
    files.missing.push_back(
        code == 127
            ? "No figure was drawn: node was not found. Install the package nodejs (18 or later) "
              "and run this again."
            : "No figure was drawn: node failed; its message is above. Version 18 or later is "
              "needed.");
    return;
  }
  files.figures = static_cast<int>(Number(written, "svg").value_or(0));
  files.pdfs = static_cast<int>(Number(written, "pdf").value_or(0));
  for (const reports::Json& sentence : Field(written, "missing"))
    files.missing.push_back(sentence.get<std::string>());
}

}  // namespace

PaperFiles WriteFigures(const std::filesystem::path& store,
                        const std::filesystem::path& directory) {
  const Results results = ReadResults(store);
  const Document document = BuildDocument(results);
  for (const char* inner : {"tables", "figures"}) MakeDirectory(directory / inner);
  PaperFiles files;
  WriteDataFiles(store, document, directory);
  WriteFile(directory / "sources.bib", Sources(results));

  std::set<std::string> tables, figures;
  reports::Json drawn = reports::Json::array();
  const auto add_table = [&](const Table& table, const std::string& csv, const std::string& title) {
    if (table.rows.empty()) return;
    const std::string name = NameFor(csv, title, tables);
    WriteFile(directory / "tables" / (name + ".tex"), RenderLatex(table));
    WriteFile(directory / "tables" / (name + ".md"), RenderMarkdown(table));
    ++files.tables;
  };
  ForEachBlock(document.sections, [&](const Block& block) {
    if (const auto* table = std::get_if<Table>(&block)) {
      add_table(*table, table->csv, table->caption);
    } else if (const auto* figure = std::get_if<Figure>(&block)) {
      add_table(figure->table, figure->csv, figure->title);
      reports::Json one = FigureJson(*figure);
      // A matrix shares its data with other figures, so its title names it.
      one["name"] = NameFor(figure->kind == "outcomes" ? "" : figure->csv, figure->title, figures);
      AttachMotion(document, one);
      drawn.push_back(std::move(one));
    }
  });
  Draw(drawn, directory, files);
  return files;
}

}  // namespace mbsbench
