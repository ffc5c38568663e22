#include "commands/text.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "harness/runner/cells/shell_word.h"
#include "harness/store/printable.h"

namespace mbsbench {

void Write(std::FILE* stream, const std::string& text) { WriteAsItIs(stream, Printable(text)); }

void WriteAsItIs(std::FILE* stream, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() && stream != stderr)
    throw std::system_error(errno, std::generic_category(), "standard output cannot be written");
}

std::string Wrapped(const std::string& lead, const std::string& text) {
  std::string lines, line = lead;
  bool is_empty = true;  // the line holds only the lead
  const auto new_line = [&] {
    lines += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    line.assign(lead.size(), ' ');
    is_empty = true;
  };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find_first_of(" \n", begin);
    if (end == std::string::npos) end = text.size();
    std::string word = text.substr(begin, end - begin);
    if (!is_empty && line.size() + 1 + word.size() > kTerminalWidth) new_line();
    if (!is_empty) line += ' ';
    while (line.size() + word.size() > kTerminalWidth) {
      const std::size_t room = kTerminalWidth - line.size();
      line += word.substr(0, room);
      word.erase(0, room);
      new_line();
    }
    line += word;
    is_empty = false;
    begin = end + 1;
  }
  new_line();
  return lines;
}

std::string ShownNumber(MaybeNumber number, const std::string& unknown) {
  number = IfFinite(number);
  return number ? fmt::format("{:.3g}", *number) : unknown;
}

std::string Program() { return ShellWord(program_invocation_name); }

std::string StartedBy() {
  const char* const by = std::getenv("MBSBENCH_STARTED_BY");
  return by == nullptr ? "" : by;
}

void PrintWarnings(const std::vector<std::string>& sentences, std::FILE* stream) {
  for (const std::string& sentence : sentences) Print(stream, "{}", Wrapped("WARNING: ", sentence));
}

}  // namespace mbsbench
