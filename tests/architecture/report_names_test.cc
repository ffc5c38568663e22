// The reports take methods and problems from the store and name none of them. Claims of papers about some of them
// are data.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plugins/engines.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "tests/architecture/read.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kReports = fs::path(MBSBENCH_SOURCE_DIR) / "reports";

std::vector<std::string> MethodKeys() {
  std::vector<std::string> keys;
  for (const mbsbench::MethodEntry& method : mbsbench::AllMethods()) keys.push_back(method.key);
  return keys;
}

// Whole words only: "swing" is not in "still swings", nor "ladder" in "second_ladder".
bool Names(const std::string& text, const std::string& key) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  };
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

TEST(Reports, NameNoMethodAndNoProblem) {
  std::vector<std::string> keys = MethodKeys();
  ASSERT_GT(keys.size(), 5u);
  for (const mbsbench::Engine& engine : mbsbench::KnownEngines()) keys.push_back(engine.key);
  for (const mbsbench::ProblemFamily& family : mbsbench::AllProblems()) keys.push_back(family.name);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kReports)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cc") continue;
    ++files;
    const std::string text = Read(entry.path());
    for (const std::string& key : keys)
      EXPECT_FALSE(Names(text, key)) << fs::relative(entry.path(), kReports) << " names " << key;
  }
  EXPECT_GT(files, 30);
}

TEST(ClaimsOfPapers, NameOnlyExistingMethodsAndProblems) {
  std::vector<std::string> methods = MethodKeys();
  std::vector<std::string> problems;
  for (const mbsbench::ProblemFamily& family : mbsbench::AllProblems())
    problems.insert(problems.end(), family.instances.begin(), family.instances.end());
  int names = 0;
  const Json rows = Json::parse(Read(kReports / "data/claims.json"));
  const auto check_methods = [&](const Json& row, const char* field) {
    const Json listed = row.value(field, Json::array());
    for (const std::string name : listed) {
      const std::string key = name.substr(0, name.find_first_of(":*"));
      EXPECT_NE(std::find(methods.begin(), methods.end(), key), methods.end()) << name;
      ++names;
    }
  };
  for (const Json& kept : rows.at("kept")) check_methods(kept, "methods");
  for (const Json& paper : rows.at("papers")) {
    for (const Json& claim : paper.at("claims")) {
      for (const Json& test : claim.at("tests")) {
        for (const char* field : {"methods", "against"}) check_methods(test, field);
        for (const std::string glob : test.at("problems")) {
          EXPECT_TRUE(std::any_of(problems.begin(), problems.end(),
                                  [&glob](const std::string& problem) {
                                    return fnmatch(glob.c_str(), problem.c_str(), 0) == 0;
                                  }))
              << glob;
          ++names;
        }
      }
    }
  }
  EXPECT_GT(names, 30);
}

}  // namespace
