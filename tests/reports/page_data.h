// Reads back the parts of a report.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reports/analysis/results.h"
#include "reports/format/render.h"
#include "reports/pages/pages.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::report_tests {

// All pages of the report as Markdown; report.md has a part of them.
inline std::string WholeMarkdown(const std::filesystem::path& store) {
  const reports::Results results = reports::ReadResults(store);
  return reports::RenderMarkdown(reports::BuildDocument(results));
}

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

// The JSON of an element of the page, unpacked by zlib and an independent base64 decoder; null if there is no such element.
inline Json DataOfElement(const std::string& html, const std::string& id) {
  const std::string open = "<script type=\"application/zlib\" id=\"" + id + "\">";
  std::size_t at = html.find(open);
  if (at == std::string::npos) return nullptr;
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (at += open.size(); digits.find(html[at]) != std::string::npos; ++at) {
    bits = bits << 6 | static_cast<unsigned>(digits.find(html[at]));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  std::string text(64 << 20, '\0');  // more than any report of a test
  uLongf size = text.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK);
  return Json::parse(text.substr(0, size));
}

inline Json DataOfPage(const std::string& html) { return DataOfElement(html, "report-data"); }

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
