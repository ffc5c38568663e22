// Reads back what a report consists of.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/reports/fixture_store.h"

namespace mbsbench::report_tests {

// A reader of CSV that shares nothing with the writer: rows by header.
inline std::vector<std::map<std::string, std::string>> ReadCsv(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> lines = {{""}};
  bool quoted = false;
  const std::string text = ReadFile(path);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      lines.back().emplace_back();
    } else if (!quoted && text[i] == '\n') {
      lines.push_back({""});
    } else {
      lines.back().back() += text[i];
    }
  }
  lines.pop_back();
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].size(), lines[0].size()) << path << " line " << i;
    for (std::size_t k = 0; k < lines[0].size(); ++k) {
      if (k == 0) rows.emplace_back();
      rows.back()[lines[0][k]] = lines[i][k];
    }
  }
  return rows;
}

inline Json DataOfPage(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"report-data\">";
  const std::size_t begin = html.find(open) + open.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

inline const Json* FindFigure(const Json& sections, const std::string& kind,
                              const std::string& title) {
  for (const Json& section : sections) {
    for (const Json& block : section["blocks"]) {
      if (block["kind"] == "figure" && block["drawn_as"] == kind &&
          block["title"].get<std::string>().find(title) != std::string::npos) {
        return &block;
      }
    }
    if (const Json* found = FindFigure(section["sections"], kind, title)) return found;
  }
  return nullptr;
}

}  // namespace mbsbench::report_tests
