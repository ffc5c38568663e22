#include "reports/figures.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <set>
#include <system_error>

#include "reports/format/assets.h"
#include "reports/format/data_files.h"
#include "reports/format/files.h"
#include "reports/pages/pages.h"
#include "reports/pages/paper.h"

extern char** environ;

namespace mbsbench {

namespace {

using namespace reports;

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

// Runs the script that draws the figures. Returns the names of the files that it wrote.
std::set<std::string> Draw(const std::vector<PaperFigure>& figures,
                           const std::filesystem::path& directory, PaperFiles& files) {
  const std::filesystem::path work = directory / "figures" / ".drawing";
  MakeDirectory(work);
  WriteFile(work / "draw.cjs", std::string(DrawingAsset()));
  reports::Json drawn = reports::Json::array();
  for (const PaperFigure& figure : figures) drawn.push_back(figure.drawn);
  WriteFile(work / "figures.json",
            drawn.dump(-1, ' ', false, reports::Json::error_handler_t::replace));
  const int code = RunProgram({"node", (work / "draw.cjs").string()});
  std::ifstream list(work / "written.json");
  const reports::Json written = reports::Json::parse(list, nullptr, false);
  std::error_code ignored;
  std::filesystem::remove_all(work, ignored);
  if (code != 0 || !written.is_object()) {
    files.missing.push_back(
        code == 127
            ? "No figure was drawn: node was not found. Install the package nodejs (18 or later) "
              "and run this again."
            : "No figure was drawn: node failed; its message is above. Version 18 or later is "
              "needed.");
    return {};
  }
  files.pdfs = static_cast<int>(written.at("pdf").size());
  for (const reports::Json& sentence : written.at("missing"))
    files.missing.push_back(sentence.get<std::string>());
  std::set<std::string> names;
  for (const char* kind : {"svg", "pdf"}) {
    for (const reports::Json& name : written.at(kind)) names.insert(name.get<std::string>());
  }
  return names;
}

// An article of two columns of 252 pt that shows what was written.
std::string PaperText(const Paper& paper, const std::set<std::string>& files) {
  std::string text =
      "% pdflatex paper, bibtex paper, pdflatex paper, pdflatex paper\n"
      "\\documentclass[twocolumn]{article}\n"
      "\\usepackage[a4paper,textwidth=516bp,textheight=700bp,columnsep=12bp]{geometry}\n"
      "\\usepackage[T1]{fontenc}\n\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\n"
      "\\usepackage{textcomp,graphicx,booktabs}\n\\setlength{\\belowcaptionskip}{4pt}\n"
      "\\begin{document}\n";
  for (const PaperFigure& figure : paper.figures) {
    const std::string file = fmt::format("{}-{}.pdf", figure.name, figure.is_wide ? 510 : 252);
    if (!files.contains(file)) continue;
    text += fmt::format(
        "\n\\begin{{figure{0}}}\n\\centering\n\\includegraphics{{figures/{1}}}\n\\caption{{{2}}}\n"
        "\\label{{fig:{3}}}\n\\end{{figure{0}}}\n",
        figure.is_wide ? "*" : "", file, figure.caption, figure.name);
  }
  for (const LatexTable& table : paper.tables)
    text += fmt::format("\n\\input{{tables/{}.tex}}\n", table.name);
  return text +
         "\n\\clearpage\n\\nocite{mbsbench}\n\\bibliographystyle{plain}\n\\bibliography{sources}\n"
         "\\end{document}\n";
}

}  // namespace

PaperFiles WriteFigures(const std::filesystem::path& store, const std::filesystem::path& directory,
                        const PaperOptions& options) {
  const Results results = ReadResults(store);
  const Comparison comparison = Compare(results);
  Document document;
  document.provenance = Provenance(comparison);
  const Paper paper = MakePaper(comparison, options, document);
  for (const char* inner : {"tables", "figures"}) MakeDirectory(directory / inner);
  WriteDataFiles(store, document, directory);
  PaperFiles files;
  files.missing = paper.missing;
  files.tables = static_cast<int>(paper.tables.size());
  for (const LatexTable& table : paper.tables)
    WriteFile(directory / "tables" / (table.name + ".tex"), RenderLatex(table));
  const std::set<std::string> drawn = Draw(paper.figures, directory, files);
  for (const PaperFigure& figure : paper.figures)
    files.figures += drawn.contains(figure.name + "-252.svg");
  WriteFile(directory / "sources.bib", Sources(results));
  WriteFile(directory / "paper.tex", PaperText(paper, drawn));
  return files;
}

}  // namespace mbsbench
