// Help pages no wider than a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mbsbench {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kColumn); }
  // Descriptions of options and of commands, wrapped to the right of their names.
  std::string make_option_desc(const CLI::Option* option) const override;
  // A positional argument as in "NAME", "NAME..." or "[NAME...]".
  std::string make_option_usage(const CLI::Option* argument) const override;
  // Nothing for a positional argument, whose usage says all; without the list of options that the option excludes.
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;

 private:
  static constexpr std::size_t kColumn = 28;  // where descriptions begin
};

}  // namespace mbsbench
