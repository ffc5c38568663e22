#include "commands/compare_formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/text.h"
#include "harness/store/printable.h"

namespace mbsbench {

namespace {

constexpr int kMarkdownRows = 50;

std::string Replaced(const std::string& text,
                     const std::vector<std::pair<char, std::string>>& replacements) {
  std::string result;
  for (const char c : Printable(text)) {
    const auto found = std::find_if(replacements.begin(), replacements.end(),
                                    [c](const auto& r) { return r.first == c; });
    if (found == replacements.end())
      result += c;
    else
      result += found->second;
  }
  return result;
}

std::string Xml(const std::string& text) {
  return Replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}
std::string TableField(const std::string& text) {
  return Replaced(text, {{'|', "\\|"}, {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'\n', " "}});
}

// "not known", a text, a whole number, or a number to three digits.
std::string TextOfValue(const Json& value) {
  if (value.is_null()) return "not known";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{:.3g}", value.get<double>()) : value.dump();
}

// "error 1e-9 -> 1e-6, steps 100 -> 120"
std::string ChangesOf(const ComparedCell& cell) {
  std::string text;
  for (const std::vector<Change>* changes : {&cell.truth, &cell.work}) {
    for (const Change& c : *changes)
      text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", c.what, TextOfValue(c.a),
                          TextOfValue(c.b));
  }
  return text;
}

}  // namespace

void PrintChanges(const std::vector<Change>& truth, const std::vector<Change>& work,
                  bool with_direction) {
  for (const std::vector<Change>* changes : {&truth, &work}) {
    for (const Change& c : *changes) {
      std::string text = fmt::format("{} -> {}", TextOfValue(c.a), TextOfValue(c.b));
      if (with_direction && c.direction != Direction::kAlike)
        text += fmt::format(", {}", Name(c.direction));
      if (!c.note.empty()) text += " (" + c.note + ")";
      PrintWrapped(fmt::format("    {:<22} ", c.what), text);
    }
  }
}

std::string VerdictOf(const ComparedRuns& c) {
  const int worse = c.Count(Direction::kWorse);
  const std::string head = worse > 0
                               ? fmt::format("WORSE: {} of {} compared", worse, c.cells.size())
                               : fmt::format("Nothing got worse: {} compared", c.cells.size());
  return fmt::format(
      "{}; {} better, {} changed, {} alike; {} only in A, {} only in B{}", head,
      c.Count(Direction::kBetter), c.Count(Direction::kChanged), c.Count(Direction::kAlike),
      c.only_a.size(), c.only_b.size(),
      c.of_other_mechanisms.empty()
          ? ""
          : fmt::format("; {} not compared: another mechanism", c.of_other_mechanisms.size()));
}

std::string MarkdownOf(const ComparedRuns& c) {
  std::string text = fmt::format("**{}.**\n", VerdictOf(c));
  for (const std::string& warning : c.warnings)
    text += "\n> **Warning:** " + TableField(warning) + "\n";
  for (const std::string& note : c.notes) text += "\n> " + TableField(note) + "\n";
  int shown = 0;
  const int worse = c.Count(Direction::kWorse);
  for (const ComparedCell& cell : c.cells) {
    if (cell.direction() != Direction::kWorse) continue;
    if (shown == kMarkdownRows) break;
    if (shown++ == 0) text += "\n| worse | what |\n| --- | --- |\n";
    text += fmt::format("| {} | {} |\n", TableField(cell.name.Text()), TableField(ChangesOf(cell)));
  }
  if (worse > shown) text += fmt::format("\n{} more cells are worse.\n", worse - shown);
  return text;
}

std::string JunitOf(const ComparedRuns& c) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"mbsbench compare\" "
      "tests=\"{}\" "
      "failures=\"{}\" skipped=\"{}\">\n",
      c.cells.size() + c.only_a.size() + c.only_b.size(), c.Count(Direction::kWorse),
      c.only_a.size() + c.only_b.size());
  const auto test = [&text](const CellName& name, const std::string& inside) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", Xml(name.problem),
                        Xml(name.Text()));
    text += inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n";
  };
  for (const ComparedCell& cell : c.cells) {
    test(cell.name, cell.direction() == Direction::kWorse
                        ? fmt::format("<failure message=\"{}\"/>", Xml(ChangesOf(cell)))
                        : "");
  }
  for (const CellName& name : c.only_a) test(name, "<skipped message=\"only in A\"/>");
  for (const CellName& name : c.only_b) test(name, "<skipped message=\"only in B\"/>");
  return text + "</testsuite>\n";
}

}  // namespace mbsbench
