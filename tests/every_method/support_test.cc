// Compares `mbsbench list --json` with the committed table of the problems that every method solves and
// refuses. If a method begins to refuse or to support a problem, update support.md:
//   MBSBENCH_UPDATE_SUPPORT=1 every_method_test --gtest_filter='SupportTable.*'
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "methods/all_methods.h"
#include "tests/support/command.h"
#include "tests/support/written_page.h"

namespace mbsbench {
namespace {

using nlohmann::ordered_json;

constexpr char kFile[] = MBSBENCH_SOURCE_DIR "/tests/every_method/support.md";
constexpr char kHead[] =
    R"(# Which method solves which problem

Written by a test (`tests/every_method/support_test.cc` says how), which fails when the verdicts of
`mbsbench list --json` differ from it. `x`: solved; empty: refused, for the reason below the table.

)";

struct Table {
  std::vector<std::string> problems, variants;
  std::map<std::string, std::map<std::string, std::string>> refusals;  // [variant][problem]
};

std::string Rendered(const Table& table) {
  std::ostringstream text;
  text << kHead << "| problem |";
  for (const std::string& variant : table.variants) text << " " << variant << " |";
  text << "\n| --- |";
  for (std::size_t i = 0; i < table.variants.size(); ++i) text << " --- |";
  text << "\n";
  for (const std::string& problem : table.problems) {
    text << "| " << problem << " |";
    for (const std::string& variant : table.variants)
      text << (table.refusals.at(variant).contains(problem) ? "  |" : " x |");
    text << "\n";
  }
  for (const std::string& variant : table.variants) {
    const auto& refusals = table.refusals.at(variant);
    if (refusals.empty()) continue;
    text << "\n## " << variant << "\n\n";
    std::map<std::string, bool> is_listed;
    for (const std::string& problem : table.problems) {
      const auto found = refusals.find(problem);
      if (found == refusals.end() || std::exchange(is_listed[found->second], true)) continue;
      text << "- ";
      const char* comma = "";
      for (const std::string& other : table.problems) {
        const auto same = refusals.find(other);
        if (same == refusals.end() || same->second != found->second) continue;
        text << std::exchange(comma, ", ") << "`" << other << "`";
      }
      text << ": " << found->second << "\n";
    }
  }
  return text.str();
}

// Reads what Rendered wrote.
Table Parsed(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  std::string variant;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, name;
    words >> word;
    if (word == "|") {
      words >> name;
      if (name == "problem") {
        while (words >> word)
          if (word != "|") table.variants.push_back(word);
        for (const std::string& v : table.variants) table.refusals[v];
      } else if (name != "---") {
        table.problems.push_back(name);
      }
    } else if (word == "##") {
      words >> variant;
    } else if (word == "-") {
      const std::size_t end = line.find("`: ");
      if (end == std::string::npos) continue;
      for (std::size_t at = 2; at < end; at = line.find('`', at + 1) + 3) {
        const std::size_t close = line.find('`', at + 1);
        table.refusals[variant][line.substr(at + 1, close - at - 1)] = line.substr(end + 3);
      }
    }
  }
  return table;
}

// The verdicts of mbsbench. Those of engines that are not installed are taken from the
// committed table.
Table Found() {
  const CommandResult result = RunCommand(MBSBENCH_EXECUTABLE, {"list", "--json"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  const ordered_json list = ordered_json::parse(result.out);
  Table table;
  for (const ordered_json& method : list.at("methods")) {
    if (method.at("origin") == "engine") continue;
    for (const ordered_json& variant : method.at("variants")) {
      table.variants.push_back(variant.at("name"));
      table.refusals[table.variants.back()];
    }
  }
  for (const ordered_json& row : list.at("support")) {
    table.problems.push_back(row.at("problem"));
    for (const auto& [variant, reason] : row.at("refused_by").items())
      table.refusals[variant][table.problems.back()] = reason;
  }
  Table committed = Parsed(TextOfFile(kFile));
  for (const ordered_json& engine : list.at("engines")) {
    const std::string key = engine.at("name");
    table.variants.push_back(key);
    table.refusals[key];
    if (!engine.at("present").get<bool>()) table.refusals[key] = committed.refusals[key];
  }
  return table;
}

// A method without a kernel in the list can get slower unnoticed.
TEST(Benchmarks, IncludeAKernelOfEveryMethod) {
  const std::string list = RunCommand(MBSBENCH_EXECUTABLE, {"bench", "--list"}).out;
  for (const MethodEntry& entry : AllMethods())
    EXPECT_THAT(list, testing::ContainsRegex(" " + entry.key + "[: ]"));
}

TEST(SupportTable, AgreesWithTheCommittedTable) {
  ExpectPage(kFile, Rendered(Found()), "MBSBENCH_UPDATE_SUPPORT");
}

TEST(SupportTable, SurvivesWritingAndReading) {
  Table table{{"a", "b", "c:n=1"}, {"m:x", "m:y"}, {}};
  table.refusals["m:x"] = {{"a", "joint `j`: no."}, {"c:n=1", "joint `j`: no."}, {"b", "other."}};
  table.refusals["m:y"];
  const Table read = Parsed(Rendered(table));
  EXPECT_EQ(table.problems, read.problems);
  EXPECT_EQ(table.variants, read.variants);
  EXPECT_EQ(table.refusals, read.refusals);
}

}  // namespace
}  // namespace mbsbench
