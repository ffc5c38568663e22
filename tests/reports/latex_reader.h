// A strict reader of LaTeX: it accepts less than TeX does, and knows only the commands that a paper of ours uses.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/reports/fixture_store.h"

namespace mbsbench::report_tests {

class LatexReader {
 public:
  std::vector<std::string> faults;
  std::set<std::string> labels, citations, graphics;
  std::map<std::string, int> environments;

  explicit LatexReader(const std::filesystem::path& folder) : folder_(folder) {}

  void Read(const std::string& file) {
    const std::size_t depth = open_.size();
    Scan(file, ReadFile(folder_ / file));
    Need(open_.size() == depth && !is_math_, file,
         "leaves a brace, an environment or a formula open");
  }

 private:
  void Need(bool holds, const std::string& where, const std::string& fault) {
    if (!holds) faults.push_back(where + ": " + fault);
  }

  bool IsIn(const std::string& environment) const {
    return std::find(open_.begin(), open_.end(), environment) != open_.end();
  }

  // The text in braces that follows, in which no brace is open.
  static std::string Argument(const std::string& text, std::size_t& at) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos) return "";
    const std::string argument = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return argument;
  }

  void Scan(const std::string& file, const std::string& text) {
    for (std::size_t i = 0; i < text.size();) {
      const char c = text[i++];
      if (c == '%') {
        while (i < text.size() && text[i] != '\n') ++i;
      } else if (c == '\\') {
        Command(file, text, i);
      } else if (c == '{') {
        open_.emplace_back("{");
      } else if (c == '}') {
        Close(file, "{");
      } else if (c == '$') {
        is_math_ = !is_math_;
      } else if (c == '&') {
        Need(IsIn("tabular"), file, "& outside a table");
        ++columns_;
      } else if (c == '^' || c == '_') {
        Need(is_math_, file, fmt::format("{} outside a formula", c));
      } else {
        Need(c != '#' && c != '"', file, fmt::format("{} is not escaped", c));
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0xC0)
          Need(byte >= 0xC3 && byte <= 0xC5, file, "a sign that T1 fonts do not have");
        Need(byte >= 0x20 || c == '\n', file, "a control character");
      }
    }
  }

  void Close(const std::string& file, const std::string& what) {
    Need(!open_.empty() && open_.back() == what, file, "closes what is not open: " + what);
    if (!open_.empty()) open_.pop_back();
  }

  void Command(const std::string& file, const std::string& text, std::size_t& i) {
    if (!std::isalpha(static_cast<unsigned char>(text[i]))) {
      if (text[i] == '\\') {
        const std::size_t next = text.find_first_not_of(" \n", i + 1);
        Need(next == std::string::npos || text[next] != '[', file,
             "a line break that reads a length");
        Need(columns_ + 1 == declared_, file,
             fmt::format("a row of {} fields in a table of {}", columns_ + 1, declared_));
        columns_ = 0;
      } else {
        Need(std::string("{}$&#%_").find(text[i]) != std::string::npos, file,
             fmt::format("\\{} is not known", text[i]));
      }
      ++i;
      return;
    }
    std::string name;
    while (std::isalpha(static_cast<unsigned char>(text[i]))) name += text[i++];
    while (text[i] == '*') ++i;
    static const std::set<std::string> kWithOption = {"documentclass", "usepackage"};
    if (kWithOption.contains(name) && text[i] == '[') i = text.find(']', i) + 1;
    if (name == "begin") {
      const std::string environment = Argument(text, i);
      open_.push_back(environment);
      ++environments[environment];
      if (environment.starts_with("figure") || environment.starts_with("table"))
        captions_ = own_labels_ = 0;
      if (environment == "tabular") declared_ = Argument(text, i).size(), columns_ = 0;
    } else if (name == "end") {
      const std::string environment = Argument(text, i);
      Close(file, environment);
      if (environment.starts_with("figure") || environment.starts_with("table"))
        Need(captions_ == 1 && own_labels_ == 1, file,
             environment + " needs one caption and label");
    } else if (name == "caption") {
      ++captions_;
    } else if (name == "label") {
      ++own_labels_;
      Need(labels.insert(Argument(text, i)).second, file, "a label is given twice");
    } else if (name == "cite" || name == "nocite") {
      const std::string keys = Argument(text, i);
      static const std::regex comma(",");
      citations.insert(std::sregex_token_iterator(keys.begin(), keys.end(), comma, -1), {});
    } else if (name == "input") {
      Read(Argument(text, i));
    } else if (name == "includegraphics") {
      graphics.insert(Argument(text, i));
    } else if (name == "bibliography") {
      const std::string bibliography = ReadFile(folder_ / (Argument(text, i) + ".bib"));
      for (const std::string& key : citations) {
        Need(bibliography.find("{" + key + ",") != std::string::npos, file,
             "no entry for the citation of " + key);
      }
      Need(std::count(bibliography.begin(), bibliography.end(), '{') ==
               std::count(bibliography.begin(), bibliography.end(), '}'),
           file, "the braces of the bibliography do not balance");
    } else {
      static const std::set<std::string> kKnown = {"documentclass",
                                                   "usepackage",
                                                   "centering",
                                                   "clearpage",
                                                   "setlength",
                                                   "tabcolsep",
                                                   "belowcaptionskip",
                                                   "IfFileExists",
                                                   "footnotesize",
                                                   "toprule",
                                                   "midrule",
                                                   "bottomrule",
                                                   "texttt",
                                                   "bibliographystyle",
                                                   "textbackslash",
                                                   "textasciicircum",
                                                   "textasciitilde",
                                                   "textquotedbl",
                                                   "textasciigrave",
                                                   "le",
                                                   "ge",
                                                   "dagger",
                                                   "ddagger",
                                                   "dots",
                                                   "approx",
                                                   "stackrel",
                                                   "sim",
                                                   "times",
                                                   "pm",
                                                   "textmu",
                                                   "circ",
                                                   "cdot"};
      Need(kKnown.contains(name), file, "\\" + name + " is not known");
    }
  }

  std::filesystem::path folder_;
  std::vector<std::string> open_;  // braces and environments
  bool is_math_ = false;
  int captions_ = 0, own_labels_ = 0;
  std::size_t columns_ = 0, declared_ = 0;
};

}  // namespace mbsbench::report_tests
