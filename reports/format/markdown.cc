#include "reports/format/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "harness/store/printable.h"

namespace mbsbench::reports {

namespace {

// The next backtick without a neighbouring one, from `from` on.
std::size_t LoneBacktick(const std::string& text, std::size_t from) {
  for (std::size_t at = text.find('`', from); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
    if (end == at + 1) return at;
    at = text.find('`', end);
  }
  return std::string::npos;
}

// Names and reasons are untrusted text: nothing in them may become markup or leave its line. Inside code an escape would be
// printed as it is and damage a command that is copied. Only two lone backticks enclose code: longer runs may end elsewhere
// than they seem to, and their content could be read as HTML.
std::string EscapeMarkdown(const std::string& raw, bool keep_code) {
  const std::string text = PrintableLine(raw);
  // A bracket that closes the text of a link, or the name of one.
  const auto makes_link = [&text](std::size_t i) {
    return text[i] == ']' && i + 1 < text.size() && std::strchr("([:", text[i + 1]) != nullptr;
  };
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`') {
      const std::size_t run = std::min(text.find_first_not_of('`', i), text.size()) - i;
      const std::size_t close =
          keep_code && run == 1 ? LoneBacktick(text, i + 1) : std::string::npos;
      if (close == std::string::npos) {
        for (std::size_t k = 0; k < run; ++k) escaped += "\\`";
        i += run - 1;
        continue;
      }
      for (; i < close; ++i) {
        if (text[i] == '|') escaped += '\\';
        escaped += text[i];
      }
      escaped += '`';
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '|' || c == '*' || c == '\\' || makes_link(i)) {
      escaped += '\\';
      escaped += c;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

class Renderer {
 public:
  std::string Take() { return std::move(text_); }

  void Render(const Section& section, int level) {
    text_ += fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(level), '#'),
                         EscapeMarkdown(section.title, false));
    for (const Block& block : section.blocks)
      std::visit([this](const auto& one) { Render(one); }, block);
    for (const Section& inner : section.sections) Render(inner, level + 1);
  }

  void Render(const Table& table) {
    text_ += "**" + EscapeMarkdown(table.caption, false) + "**\n\n";
    if (table.rows.empty()) {
      text_ += "No rows.\n\n";
      return;
    }
    std::string rule = "|";
    text_ += "|";
    for (const Column& column : table.columns) {
      text_ += " " + EscapeMarkdown(column.label, false) + " |";
      rule += column.is_number ? " ---: |" : " --- |";
    }
    text_ += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
      text_ += "|";
      for (const TableCell& cell : row) text_ += " " + TextOf(cell) + " |";
      text_ += "\n";
    }
    text_ += "\n";
    if (!table.csv.empty()) text_ += "Data: " + Link(table.csv) + "\n\n";
  }

 private:
  void Render(const Paragraph& paragraph) {
    text_ += EscapeMarkdown(paragraph.text, true) + "\n\n";
  }

  void Render(const List& list) {
    for (const std::string& item : list.items) text_ += "- " + EscapeMarkdown(item, true) + "\n";
    if (!list.items.empty()) text_ += "\n";
  }

  void Render(const Figure& figure) {
    text_ += "**" + EscapeMarkdown(figure.title, false) + "** (drawn in report.html)\n\n" +
             EscapeMarkdown(figure.summary, true) + "\n\n";
    Render(figure.table);
    Render(List{figure.notes});
    if (!figure.csv.empty()) text_ += "Data: " + Link(figure.csv);
    if (!figure.command.empty())
      text_ += EscapeMarkdown(
          (figure.csv.empty() ? "Made by " : ", made by ") + Code(figure.command), true);
    text_ += "\n\n";
  }

  std::string Link(const std::string& csv) const { return fmt::format("[csv/{0}](csv/{0})", csv); }

  std::string TextOf(const TableCell& cell) const {
    std::string text;
    std::istringstream lines(cell.text);
    for (std::string line; std::getline(lines, line);)
      text += (text.empty() ? "" : "<br>") + EscapeMarkdown(line, true);
    return text;
  }

  std::string text_;
};

}  // namespace

std::string RenderMarkdown(const Document& document) {
  Renderer renderer;
  for (const Section& section : document.sections) renderer.Render(section, 2);
  return fmt::format("# {}\n\n{}\n\n", EscapeMarkdown(document.title, false),
                     EscapeMarkdown(document.subtitle, true)) +
         renderer.Take();
}

}  // namespace mbsbench::reports
