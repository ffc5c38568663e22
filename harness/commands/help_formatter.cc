#include "harness/commands/help_formatter.h"

#include "harness/commands/text.h"

namespace mbsbench {

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  const std::string lead(kColumn, ' ');
  const std::string lines = Wrapped(lead, CLI::Formatter::make_option_desc(option));
  std::string description;  // the base class indents lines itself
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    if (!description.empty()) description += '\n';
    if (end > begin + kColumn) description += lines.substr(begin + kColumn, end - begin - kColumn);
    begin = end + 1;
  }
  return description;
}

}  // namespace mbsbench
