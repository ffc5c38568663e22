#include "commands/help_formatter.h"

#include <sstream>

#include "commands/text.h"

namespace mbsbench {

namespace {

// `text` wrapped so that it fits a terminal after the formatter indents it by `lead` characters.
std::string WrappedForIndent(std::size_t lead, const std::string& text) {
  const std::string lines = Wrapped(std::string(lead, ' '), text);
  std::string description;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    if (!description.empty()) description += '\n';
    if (end > begin + lead) description += lines.substr(begin + lead, end - begin - lead);
    begin = end + 1;
  }
  return description;
}

}  // namespace

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return WrappedForIndent(kColumn, CLI::Formatter::make_option_desc(option));
}

std::string HelpFormatter::make_option_usage(const CLI::Option* argument) const {
  const std::string name =
      make_option_name(argument, true) + (argument->get_items_expected_max() > 1 ? "..." : "");
  return argument->get_required() ? name : "[" + name + "]";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional()) return "";
  const std::string all = CLI::Formatter::make_option_opts(option);
  return all.substr(0, all.find(" Excludes:"));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_name(),
                           WrappedForIndent(kColumn, command->get_description()), kColumn);
  return out.str();
}

}  // namespace mbsbench
